//! Invariants of XML documents (`tests/support/data_invariants.rs`), on any bytes.
#![no_main]

use support::data_invariants;

libfuzzer_sys::fuzz_target!(|document: &[u8]| data_invariants::xml(document));
