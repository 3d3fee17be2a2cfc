//! Invariants of style sheets (`style_sheet` of `tests/support/invariants.rs`), on any bytes.
#![no_main]

use support::invariants;

libfuzzer_sys::fuzz_target!(|sheet: &[u8]| invariants::style_sheet(sheet, invariants::URL));
