//! The command-line interface.
//!
//! [`args`] declares the arguments as the user types them, [`settings`] validates and converts them, and each verb
//! has a module of its own. A run that writes documents takes these steps, whatever the verb:
//!
//! 1. [`walk`] expands the arguments to [`input`]s: files, the documents of directories, URLs, standard input.
//! 2. [`output`] plans where each result is written and rejects plans that would lose data. Nothing is written before
//!    the plan is complete.
//! 3. [`prepare`] creates the output directories and removes temporary files that a killed run left.
//! 4. [`jobs`] runs the verb on all cores. Each job returns a [`job_result`]: output, messages, report lines, counts.
//! 5. [`write_output`] and [`atomic_file`] write each file under a temporary name in the directory of its target, and
//!    rename it.
//! 6. [`reporter`] prints the results in the order of the inputs and adds up the exit status.
//!
//! [`run`](mod@run) has the loop over the jobs, and the run of the verbs that only read: these skip the steps 2, 3
//! and 5. [`writing`] has the run of the verbs that write.
//!
//! Data goes to standard output, and messages go to standard error. The library never prints.

mod args;
mod atomic_file;
mod base;
mod check;
mod containers;
mod diff;
mod documentation;
mod fetch;
mod input;
mod input_kind;
mod interrupt;
mod job_result;
mod jobs;
mod links;
mod mirror;
mod output;
mod overlap;
mod prepare;
mod progress;
mod report;
mod reporter;
mod resolve;
mod rewrite;
mod row;
mod run;
mod settings;
mod stdin;
mod tally;
mod terminal;
mod unsupported_input;
mod walk;
mod warnings;
mod write_output;
mod writing;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Command, CommandLine};

/// Outcome of a run. The variants are in order of severity: the most severe outcome determines the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Exit {
    /// Success.
    #[default]
    Done,
    /// `check` found problems, `--check` or `--diff` found changes, or `--strict` found references that could not be
    /// rewritten.
    Findings,
    /// The arguments are invalid, or an input could not be read, or an output could not be written.
    Error,
    /// The run was interrupted by Ctrl-C.
    Interrupted,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Error => 2,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Reason to end a run before all inputs are processed.
#[derive(Debug)]
pub(crate) enum Abort {
    /// The arguments are invalid: what is wrong, and a hint what to do.
    Usage(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Abort {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Parses the arguments of the process and runs the verb.
pub(crate) fn run() -> Exit {
    let result = match CommandLine::parse().command {
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Links(args) => links::run(&args),
        Command::Base(args) => base::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Mirror(args) => mirror::run(&args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Completions(args) => documentation::completions(&args),
        Command::Man(args) => documentation::man(&args),
    };
    match result {
        Ok(exit) => exit,
        // The reader of the pipe closed it, as in `absolve links x | head`: not an error.
        Err(Abort::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(Abort::Output(error)) => {
            terminal::print_message(&format!("cannot write to standard output: {error}"));
            Exit::Error
        }
        Err(Abort::Usage(message)) => {
            terminal::print_message(&message);
            Exit::Error
        }
    }
}
