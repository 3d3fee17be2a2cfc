//! Agreement and round trip of every profile, on any base URL and reference.
//!
//! - The fast path of the resolver has the result of the standard's steps, which `explain` always executes.
//! - The profile of the URL Standard has the result of the `url` crate.
//! - A relative reference to a target resolves to that target.
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
            // Not a normalized target: RFC 3986 keeps the dot segments of the base URL.
            continue;
        }
        for form in [RelativeForm::Path, RelativeForm::Root] {
            let back = resolver.relative(&target, form);
            assert_eq!(resolver.resolve(&back).as_deref(), Ok(&*target), "{profile:?} {base:?} {back:?}");
        }
    }
});

/// Returns whether the reference begins with three slashes, for which the `url` crate deviates from the standard.
///
/// `file` URLs are excluded for the same reason: the crate deviates for some drive letters.
fn begins_with_three_slashes(reference: &str) -> bool {
    let is_ignored = |character: &char| *character > ' ';
    let mut characters = reference.chars().filter(is_ignored);
    (0..3).all(|_| matches!(characters.next(), Some('/' | '\\')))
}

fn is_file(base: &str) -> bool {
    Url::parse(base).is_ok_and(|base| base.scheme() == "file")
}
