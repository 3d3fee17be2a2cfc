//! Every profile on any base URL and reference: the shortcut says what the standard's steps say, the URL Standard's
//! profile says what the `url` crate says, and a relative reference leads back.
#![no_main]

use absolve::{Profile, RelativeForm, Resolver};
use url::Url;

libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| {
    let (base, reference) = texts;
    for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
        let Ok(resolver) = Resolver::new(base, profile) else { continue };
        let target = resolver.resolve(reference);
        let by_steps = resolver.explain(reference).map(|resolution| resolution.target);
        assert_eq!(target.as_deref(), by_steps.as_deref(), "{profile:?} {base:?} + {reference:?}");
        if profile == Profile::Whatwg && !is_file(base) && !begins_with_three_slashes(reference) {
            let by_crate = Url::parse(base).and_then(|base| base.join(reference)).map(String::from);
            assert_eq!(target.as_deref().ok(), by_crate.as_deref().ok(), "{base:?} + {reference:?}");
        }
        let Ok(target) = target else { continue };
        if resolver.resolve(&target).as_deref() != Ok(&*target) {
            // Not a target the profile would write: RFC 3986 takes over the dot segments of a base URL.
            continue;
        }
        for form in [RelativeForm::Path, RelativeForm::Root] {
            let back = resolver.relative(&target, form);
            assert_eq!(resolver.resolve(&back).as_deref(), Ok(&*target), "{profile:?} {base:?} {back:?}");
        }
    }
});

/// Where the `url` crate does not do as the standard says; nor does it for some drive letters.
fn begins_with_three_slashes(reference: &str) -> bool {
    let is_ignored = |character: &char| *character > ' ';
    let mut characters = reference.chars().filter(is_ignored);
    (0..3).all(|_| matches!(characters.next(), Some('/' | '\\')))
}

fn is_file(base: &str) -> bool {
    Url::parse(base).is_ok_and(|base| base.scheme() == "file")
}
