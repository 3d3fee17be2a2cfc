//! The command: what was typed ([`args`]), what it means ([`settings`]), and one module for each verb.
//!
//! stdout is data, stderr is talk. The library never prints; this does.

mod args;
mod base;
mod check;
mod diff;
mod input;
mod links;
mod output;
mod resolve;
mod rewrite;
mod settings;
mod talk;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Command, CommandLine};

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was done.
    Done,
    /// Something was found that the one who asks wants to know: by `check`, or what `--strict` does not let pass.
    Findings,
    /// The command was used wrongly, or an input could not be read or an output not written.
    Trouble,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::Findings => Self::from(1),
            Exit::Trouble => Self::from(2),
        }
    }
}

/// What stops a verb altogether.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line makes no sense: what is wrong and what to do.
    Usage(String),
    /// stdout cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Stop {
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
        Command::Resolve(args) => resolve::run(&args),
    };
    match result {
        Ok(exit) => exit,
        // Whoever reads the output has seen enough: `absolve links x | head`.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(Stop::Output(error)) => {
            talk::say(&format!("cannot write to standard output: {error}"));
            Exit::Trouble
        }
        Err(Stop::Usage(message)) => {
            talk::say(&message);
            Exit::Trouble
        }
    }
}
