//! The resolver on any base URL and reference: linear, no panic, and what comes out is absolute and stays as it is.
#![no_main]

use absolve::{Profile, Reference, is_absolute, resolve};

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
        // What cannot stand in a URL is not in the target.
        let may_stand = |character: char| character.is_ascii_graphic();
        assert!(target.chars().all(may_stand), "{base:?} + {reference:?} = {target:?}");
        // The scheme is the base's.
        assert_eq!(Reference::split(&target, profile).scheme, Reference::split(base, profile).scheme);
    }
});
