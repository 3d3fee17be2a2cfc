//! Invariants of containers (`tests/support/container_invariants.rs`), on any bytes.
#![no_main]

use support::container_invariants;

libfuzzer_sys::fuzz_target!(|container: &[u8]| container_invariants::all(container));
