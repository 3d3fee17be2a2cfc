//! A finding as the output formats show it.

use absolve::Excerpt;
use absolve::check::Finding;

use super::severity::FindingSeverity;

/// A finding with its location, as the output formats need it.
pub(crate) struct ReportedFinding<'f> {
    /// The name of the document for messages.
    pub(super) name: &'f str,
    /// The number of findings before this one in the document.
    pub(super) place: usize,
    /// The path of the input as the user gave it; `-` for standard input.
    pub(super) path: &'f str,
    /// The label of the document in a container, if the input is one.
    pub(super) entity: Option<&'f str>,
    pub(super) finding: &'f Finding,
    pub(super) severity: FindingSeverity,
    /// `None` if the finding has no span.
    pub(super) excerpt: Option<Excerpt>,
}

impl ReportedFinding<'_> {
    /// Returns the excerpt if its lines are lines of the file at `path`. In a container they are lines of one of its
    /// documents.
    pub(super) fn excerpt_of_file(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref().filter(|_| self.entity.is_none())
    }

    /// Returns message and help in one line, preceded by the label and the position if the document is in a
    /// container.
    pub(super) fn message(&self) -> String {
        let message = format!("{}; {}", self.finding.message, self.finding.help);
        match (self.entity, &self.excerpt) {
            (Some(label), Some(Excerpt { start, .. })) => {
                format!("{label}:{}:{}: {message}", start.line, start.column)
            }
            (Some(label), None) => format!("{label}: {message}"),
            (None, _) => message,
        }
    }
}
