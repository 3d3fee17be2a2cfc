//! Agreement of all drivers (`in_some_settings` of `tests/support/agreement.rs`), on any bytes.
#![no_main]

use support::agreement;

libfuzzer_sys::fuzz_target!(|document: &[u8]| agreement::in_some_settings(document));
