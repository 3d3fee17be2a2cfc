//! The result of one job: everything that [`super::printer`] prints and counts for it.
//!
//! Jobs run on any thread, so they print nothing themselves.

use std::ops::{Deref, DerefMut};

use absolve_site::run::EmitPart;

use crate::exit::Exit;
use crate::print::tally::Tally;

/// Size in bytes from which the result of a job is emitted in parts, if the job allows that.
const LARGE: usize = 1 << 20;

/// Result of one job.
#[derive(Debug, Default)]
pub(crate) struct JobResult {
    pub(crate) exit: Exit,
    /// Bytes for standard output.
    pub(crate) data: Vec<u8>,
    /// Messages for standard error, in order.
    pub(crate) messages: Vec<(Severity, String)>,
    /// Lines for the file of `--report`.
    pub(crate) report: Vec<u8>,
    pub(crate) tally: Tally,
    /// Whether Ctrl-C ended the job before it was complete.
    pub(crate) is_interrupted: bool,
}

/// The result of a job that is running. Parts of a large one are emitted early.
pub(crate) struct JobSink<'e> {
    /// The result, without the parts that were emitted.
    pub(crate) result: JobResult,
    emit: &'e mut EmitPart<'e, JobResult>,
}

/// Severity of a message, which decides whether it is shown with `--quiet` and `--verbose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
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
    pub(crate) fn error(&mut self, message: String) {
        self.exit = Exit::Error;
        self.push(Severity::Error, message);
    }

    pub(crate) fn warn(&mut self, message: String) {
        self.push(Severity::Warning, message);
    }

    pub(crate) fn note(&mut self, message: String) {
        self.push(Severity::Note, message);
    }

    pub(crate) fn info(&mut self, message: String) {
        self.push(Severity::Info, message);
    }

    fn push(&mut self, severity: Severity, text: String) {
        self.messages.push((severity, text));
    }
}

impl<'e> JobSink<'e> {
    /// Returns an empty result, whose parts `emit` delivers. It returns `false` if the run is over: see [`EmitPart`].
    pub(crate) fn new(emit: &'e mut EmitPart<'e, JobResult>) -> Self {
        Self {
            result: JobResult::default(),
            emit,
        }
    }

    /// Returns an empty result, whose parts are emitted before this one.
    pub(crate) fn part(&mut self) -> JobSink<'_> {
        JobSink::new(self.emit)
    }

    /// Emits a part before this result. Returns `false` if the run is over.
    pub(crate) fn emit_before(&mut self, part: JobResult) -> bool {
        (self.emit)(part)
    }

    /// Emits the result so far if it is large, leaving an empty one. Returns `false` if the run is over.
    pub(crate) fn emit_if_large(&mut self) -> bool {
        let messages = self.messages.iter();
        let message_len: usize = messages.map(|(_, text)| text.len()).sum();
        let is_large = self.data.len() + self.report.len() + message_len > LARGE;
        !is_large || (self.emit)(std::mem::take(&mut self.result))
    }
}

impl Deref for JobSink<'_> {
    type Target = JobResult;

    fn deref(&self) -> &JobResult {
        &self.result
    }
}

impl DerefMut for JobSink<'_> {
    fn deref_mut(&mut self) -> &mut JobResult {
        &mut self.result
    }
}
