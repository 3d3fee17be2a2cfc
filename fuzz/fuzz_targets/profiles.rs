//! Agreement and round trip of every profile, on any base URL and reference.
//!
//! - The fast path of the resolver has the result of the standard's steps, which `explain` always executes.
//! - The profile of the URL Standard has the result of the `url` crate, where that is not known to deviate.
//! - A relative reference to a target resolves to that target, in which the authority may be spelled differently.
#![no_main]

use absolve::resolution::{Reference, RelativeForm};
use absolve::{Profile, Resolver};
use support::url_crate::is_known_to_differ;
use url::Url;

libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| {
    let (base, reference) = texts;
    for profile in [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg] {
        let Ok(resolver) = Resolver::new(base, profile) else { continue };
        let target = resolver.resolve(reference);
        let by_steps = resolver.explain(reference).map(|resolution| resolution.target);
        assert_eq!(target.as_deref(), by_steps.as_deref(), "{profile:?} {base:?} + {reference:?}");
        if profile == Profile::Whatwg && !is_known_to_differ(base, reference) {
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
            let again = resolver.resolve(&back).expect("a target");
            let tail = |url| Reference { scheme: None, authority: None, ..Reference::split(url, profile) };
            assert_eq!(tail(&again), tail(&target), "{profile:?} {base:?} {back:?}");
            // Equivalent authorities have the same relative reference.
            assert_eq!(resolver.relative(&again, form), back, "{profile:?} {base:?} {target:?}");
        }
    }
});
