//! The result of one job: everything that [`super::reporter`] prints and counts for it.
//!
//! Jobs run on any thread, so they print nothing themselves.

use super::exit::Exit;
use super::tally::Tally;
use absolve_site::run::EmitPart;

/// Size in bytes from which the result of a job is emitted in parts, if the job allows that.
const LARGE: usize = 1 << 20;

/// Result of one job.
#[derive(Debug, Default)]
pub(super) struct JobResult {
    pub(super) exit: Exit,
    /// Bytes for standard output.
    pub(super) data: Vec<u8>,
    /// Messages for standard error, in order.
    pub(super) messages: Vec<UserMessage>,
    /// Lines for the file of `--report`.
    pub(super) report: Vec<u8>,
    pub(super) tally: Tally,
    /// Whether Ctrl-C ended the job before it was complete.
    pub(super) is_interrupted: bool,
}

/// Callback for a part of the result of a job, which returns `false` if the run is over: see [`EmitPart`].
pub(super) type EmitResult<'e> = EmitPart<'e, JobResult>;

/// Message to the user.
#[derive(Debug, Clone)]
pub(super) struct UserMessage {
    pub(super) severity: Severity,
    pub(super) text: String,
}

/// Severity of a message, which decides whether it is shown with `--quiet` and `--verbose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// An input could not be processed, or an output could not be written. Always shown.
    Error,
    /// The job succeeded, with a restriction. Hidden by `--quiet`.
    Warning,
    /// A limit of the whole run. Hidden by `--quiet`.
    Note,
    /// Progress of the job. Shown with `--verbose`.
    Info,
}

impl JobResult {
    /// Adds an error message, and sets the exit status. The message names what failed, where, and what to do.
    pub(super) fn error(&mut self, message: String) {
        self.exit = Exit::Error;
        self.push(Severity::Error, message);
    }

    pub(super) fn warn(&mut self, message: String) {
        self.push(Severity::Warning, message);
    }

    pub(super) fn note(&mut self, message: String) {
        self.push(Severity::Note, message);
    }

    pub(super) fn info(&mut self, message: String) {
        self.push(Severity::Info, message);
    }

    /// Emits the result so far if it is large, leaving an empty one. Returns `false` if the run is over.
    pub(super) fn emit_if_large(&mut self, emit: &mut dyn FnMut(Self) -> bool) -> bool {
        let message_len: usize = self.messages.iter().map(|message| message.text.len()).sum();
        let is_large = self.data.len() + self.report.len() + message_len > LARGE;
        !is_large || emit(std::mem::take(self))
    }

    fn push(&mut self, severity: Severity, text: String) {
        self.messages.push(UserMessage { severity, text });
    }
}
