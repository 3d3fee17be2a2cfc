//! RFC 1808 resolution of any base URL and reference: no panic, and the target is absolute, escaped and idempotent.
#![no_main]

use absolve::resolution::{Reference, is_absolute};
use absolve::{Profile, resolve};

libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| {
    let (base, reference) = texts;
    let profile = Profile::Rfc1808;
    let Ok(target) = resolve(base, reference, profile) else { return };
    if base.is_empty() {
        assert_eq!(target, reference);
        return;
    }
    assert!(is_absolute(&target, profile), "{base:?} + {reference:?} = {target:?}");
    assert_eq!(resolve(base, &target, profile).as_deref(), Ok(&*target));
    if !is_absolute(reference, profile) {
        // Characters that are not allowed in a URL are escaped in the target, except in a host without A-label.
        let authority = Reference::split(&target, profile).authority.unwrap_or_default();
        let is_allowed =
            |character: char| character.is_ascii_graphic() || (!character.is_ascii() && authority.contains(character));
        assert!(target.chars().all(is_allowed), "{base:?} + {reference:?} = {target:?}");
        // The scheme is that of the base URL.
        let base = base.trim_matches(|character| character <= ' ').replace(['\t', '\n', '\r'], "");
        assert_eq!(Reference::split(&target, profile).scheme, Reference::split(&base, profile).scheme);
    }
});
