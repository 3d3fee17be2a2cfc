//! Ways in which a run ends: the exit status, and reasons to end early.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use absolve::options::InvalidOption;

use crate::print::terminal;

/// Outcome of a run, with its exit status. The variants are in order of severity: the most severe one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Exit {
    /// Success.
    #[default]
    Done = 0,
    /// `check` found problems, `--check` or `--diff` found changes, or `--strict` found references that could not be
    /// rewritten.
    Findings = 1,
    /// The arguments are invalid, or an input could not be read, or an output could not be written.
    Error = 2,
    /// The run was ended by SIGHUP: its terminal was closed.
    HungUp = 129,
    /// The run was interrupted by Ctrl-C.
    Interrupted = 130,
    /// The run was ended by SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// Returns the exit status of a run that a signal ended: 128 and the number of the signal.
    pub(crate) fn of_signal(signal: i32) -> Self {
        match signal {
            SIGHUP => Self::HungUp,
            SIGTERM => Self::Terminated,
            _ => Self::Interrupted,
        }
    }
}

/// The number of SIGHUP, which is the same on all systems.
const SIGHUP: i32 = 1;
/// The number of SIGTERM, which is the same on all systems.
const SIGTERM: i32 = 15;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Reason to end a run before all inputs are processed.
#[derive(Debug)]
pub(crate) enum Abort {
    /// clap rejects the arguments, or prints the help.
    Arguments(clap::Error),
    /// The arguments are invalid: what is wrong, and a hint what to do.
    Usage(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Abort {
    /// Returns the error for a value of `option` that is invalid because of `problem`.
    pub(crate) fn invalid_value(
        option: &str,
        value: &str,
        problem: impl Display,
        hint: &str,
    ) -> Self {
        let value = terminal::quoted(value);
        Self::Usage(format!(
            "invalid value {value} for {option}: {problem}\n  hint: {hint}"
        ))
    }
}

impl From<InvalidOption> for Abort {
    fn from(error: InvalidOption) -> Self {
        let InvalidOption {
            option,
            value,
            problem,
            hint,
        } = error;
        Self::invalid_value(&option, &value, problem, &hint)
    }
}

impl From<clap::Error> for Abort {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<io::Error> for Abort {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
