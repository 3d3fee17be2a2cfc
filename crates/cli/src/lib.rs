//! The command `absolve`.
//!
//! A run passes through the folders in this order, whatever the verb:
//!
//! 1. `args` declares the arguments as the user types them. `config` adds those of `absolve.toml`. `invocation`
//!    parses both and calls the verb.
//! 2. `settings` validates the arguments and converts them to types of the library.
//! 3. `inputs` expands paths and URLs to documents and containers, and reads them.
//! 4. `plan` decides where each result is written, and rejects plans that would lose data. Nothing is written before.
//! 5. `run` calls the verb for each input, on all cores (`absolve_site::run`), and writes files. Each call
//!    returns a `JobResult`: output, messages, report lines, counts.
//! 6. `print` prints these in the order of the inputs and adds up the exit status.
//!
//! `verbs` has a module for each verb. Those that only read skip the plan.
//!
//! Data goes to standard output, and messages go to standard error. The library never prints.

mod args;
mod config;
mod exit;
mod inputs;
mod invocation;
mod plan;
mod print;
mod run;
mod settings;
mod suggestion;
mod verbs;

use std::process::ExitCode;

/// Runs the command with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    invocation::run().into()
}
