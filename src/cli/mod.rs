//! The command: what was typed ([`args`]), what it means ([`settings`]), and one module for each verb.
//!
//! A run over documents goes one way, whatever the verb: what is read ([`walk`] makes [`input`]s of names and directories),
//! what becomes of it where ([`output`] plans and refuses, [`prepare`] makes directories), all cores ([`jobs`]), each with an
//! [`job_result`], and those told one after another ([`reporter`]).
//!
//! stdout is data, stderr is talk. The library never prints; this does.

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
mod write_output;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Command, CommandLine};

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Exit {
    /// Everything was done.
    #[default]
    Done,
    /// Something was found that the one who asks wants to know: by `check`, or what `--strict` does not let pass.
    Findings,
    /// The command was used wrongly, or an input could not be read or an output not written.
    Error,
    /// Somebody pressed Ctrl-C.
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

/// What stops a verb altogether.
#[derive(Debug)]
pub(crate) enum Abort {
    /// The command line makes no sense: what is wrong and what to do.
    Usage(String),
    /// stdout cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Abort {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Runs what the process's arguments ask for.
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
        // Whoever reads the output has seen enough: `absolve links x | head`.
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
