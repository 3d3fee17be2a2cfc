//! The program of the command `absolve`: the package `absolve_cli` with an allocator.
//!
//! It is a crate of its own because the crates of a program are optimized together with the level of this one, and the
//! command may have another level (`packaging/binary`).

use std::process::ExitCode;

/// The allocator of musl takes a lock for each call, which two threads wait for.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    absolve_cli::run()
}
