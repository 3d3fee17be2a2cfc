//! Invariant `idempotence` of `tests/support/invariants.rs`, on any bytes.
#![no_main]

use support::invariants;

libfuzzer_sys::fuzz_target!(|document: &[u8]| invariants::idempotence(document, invariants::URL));
