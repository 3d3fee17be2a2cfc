//! Links as rows of a table: the names and values of the columns.

use super::report::{LinkReport, SkipReason};

/// A link as a row of a table. The names of the fields are those of the columns in every output.
///
/// With the feature `serde`, it is a record for JSON, CSV and other formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LinkRow<'r> {
    /// The offset of the reference as written, in bytes of the document.
    pub start: Option<usize>,
    /// The offset after it.
    pub end: Option<usize>,
    /// The local name of the element, with a prefix such as `svg:`.
    pub element: &'r str,
    /// The name of the attribute, or `#text`.
    pub attribute: &'r str,
    /// The syntax of the value that contains the reference.
    pub grammar: &'static str,
    /// The purpose of the link.
    pub role: &'static str,
    /// The reference, decoded.
    pub reference: &'r str,
    /// The target; `None` if the link is skipped.
    pub target: Option<&'r str>,
    /// The base URL that the reference resolves against; `None` if it is unknown.
    pub base: Option<&'r str>,
    /// The source of that base URL.
    pub base_source: Option<&'static str>,
    /// The outcome: `resolved`, `absolute` or `skipped`.
    pub status: &'static str,
    /// The reason why the link is skipped, if it is.
    pub reason: Option<&'static str>,
}

impl LinkReport<'_> {
    /// Returns this link as a row of a table.
    #[must_use]
    pub fn row(&self) -> LinkRow<'_> {
        let (link, base) = (&self.link, self.base.as_deref());
        LinkRow {
            start: link.span.map(|span| span.start),
            end: link.span.map(|span| span.end),
            element: &link.element,
            attribute: &link.attribute,
            grammar: link.grammar.name(),
            role: link.role.name(),
            reference: &link.reference,
            target: self.target(),
            base: base.map(|base| &*base.url),
            base_source: base.map(|base| base.source.name()),
            status: self.outcome.name(),
            reason: self.skip_reason().map(SkipReason::name),
        }
    }
}
