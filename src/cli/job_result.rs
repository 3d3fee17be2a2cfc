//! What comes of one job of a run, to be told in the order of the jobs.

use super::Exit;
use super::tally::Tally;

/// How many bytes of the answer to one job are held while it is worked on, where it can be told in parts.
const MOST_HELD: usize = 1 << 20;

/// What comes of one job.
#[derive(Debug, Default)]
pub(super) struct JobResult {
    pub(super) exit: Exit,
    /// For standard output.
    pub(super) data: Vec<u8>,
    /// For the person at the terminal, in this order.
    pub(super) messages: Vec<UserMessage>,
    /// Lines for the report.
    pub(super) report: Vec<u8>,
    pub(super) tally: Tally,
}

/// Something to be said.
#[derive(Debug, Clone)]
pub(super) struct UserMessage {
    pub(super) severity: Severity,
    pub(super) message: String,
}

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// Something could not be done.
    Error,
    /// It was done, and there is something to know about it.
    Warning,
    /// What was done, for those who want to know everything.
    Info,
}

impl JobResult {
    /// Something could not be done: what, where, and what to do next.
    pub(super) fn error(&mut self, message: String) {
        self.exit = Exit::Error;
        self.say(Severity::Error, message);
    }

    pub(super) fn warn(&mut self, message: String) {
        self.say(Severity::Warning, message);
    }

    pub(super) fn info(&mut self, message: String) {
        self.say(Severity::Info, message);
    }

    /// Hands over what there is so far, if that is much; `false` if nobody wants any more.
    pub(super) fn hand_over_much(&mut self, hand_over: &mut dyn FnMut(Self) -> bool) -> bool {
        let said: usize = self.messages.iter().map(|said| said.message.len()).sum();
        let is_much = self.data.len() + self.report.len() + said > MOST_HELD;
        !is_much || hand_over(std::mem::take(self))
    }

    /// Adds what another one says.
    pub(super) fn append(&mut self, other: &Self) {
        self.exit = self.exit.max(other.exit);
        self.data.extend_from_slice(&other.data);
        self.messages.extend_from_slice(&other.messages);
        self.report.extend_from_slice(&other.report);
        self.tally.add(&other.tally);
    }

    fn say(&mut self, severity: Severity, message: String) {
        self.messages.push(UserMessage { severity, message });
    }
}
