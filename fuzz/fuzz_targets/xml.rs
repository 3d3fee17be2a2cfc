//! Invariants of `tests/support/xml_invariants.rs`, on any bytes.
#![no_main]

#[path = "../../tests/support/xml_invariants.rs"]
mod xml_invariants;

libfuzzer_sys::fuzz_target!(|document: &[u8]| xml_invariants::all(document));
