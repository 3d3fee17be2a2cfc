//! The command `absolve`.
//!
//! [`args`] declares the arguments as the user types them, [`settings`] validates and converts them, and each verb
//! has a module of its own. A run that writes documents takes these steps, whatever the verb:
//!
//! 1. [`walk`] expands the arguments to [`input`]s: files, the documents of directories, URLs, standard input.
//! 2. [`output`] plans where each result is written and rejects plans that would lose data. Nothing is written before
//!    the plan is complete.
//! 3. [`OutputWriter`](absolve_site::run::OutputWriter) creates the output directories and removes temporary files that
//!    a killed run left.
//! 4. [`for_each_ordered`](absolve_site::run::for_each_ordered) runs the verb on all cores. Each job returns a
//!    [`job_result`]: output, messages, report lines, counts.
//! 5. [`writing`] writes each file under a temporary name in the directory of its target, and renames it
//!    ([`absolve_site::files`]).
//! 6. [`reporter`] prints the results in the order of the inputs and adds up the exit status.
//!
//! [`run`](mod@run) has the loop over the jobs, and the run of the verbs that only read: these skip the steps 2, 3
//! and 5. [`writing`] has the run of the verbs that write.
//!
//! Data goes to standard output, and messages go to standard error. The library never prints.

mod args;
mod base;
mod bundles;
mod check;
mod config;
mod containers;
mod diff;
mod documentation;
mod exit;
mod fetch;
mod html_report;
mod index;
mod input;
mod input_kind;
mod interrupt;
mod invocation;
mod job_result;
mod link_targets;
mod links;
mod located_document;
mod mirror;
mod output;
mod overlap;
mod progress;
mod report;
mod reporter;
mod resolve;
mod rewrite;
mod row;
mod run;
mod settings;
mod stale;
mod stdin;
mod stdout_use;
mod style;
mod suggestion;
mod tally;
mod terminal;
mod walk;
mod warnings;
mod writing;

use std::process::ExitCode;

/// The allocator of musl takes a lock for each call, which two threads wait for.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    invocation::run().into()
}
