//! The use of standard output, which decides whether a closed pipe ends a run.

/// Use of standard output by a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StdoutUse {
    /// The result of the command: a closed pipe ends the run.
    Data,
    /// Nothing, or a report: a closed pipe does not end the run.
    Report,
}
