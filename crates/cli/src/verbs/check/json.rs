//! A finding as a record, for `--format json` and `--format jsonl`.

use serde::{Serialize, Serializer};

use super::finding::ReportedFinding;

/// The fields of the record. Their names and order are part of the contract.
#[derive(Serialize)]
struct FindingRow<'f> {
    path: &'f str,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    severity: &'f str,
    rule: &'f str,
    section: &'f str,
    element: Option<&'f str>,
    attribute: Option<&'f str>,
    reference: Option<&'f str>,
    message: &'f str,
    help: &'f str,
    entity: Option<&'f str>,
}

impl Serialize for ReportedFinding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (found, finding) = (self, self.finding);
        let link = finding.link.as_ref();
        let start = found.excerpt.as_ref().map(|excerpt| excerpt.start);
        let end = found.excerpt.as_ref().map(|excerpt| excerpt.end);
        let row = FindingRow {
            path: found.path,
            line: start.map(|position| position.line),
            column: start.map(|position| position.column),
            end_line: end.map(|position| position.line),
            end_column: end.map(|position| position.column),
            start: finding.span.map(|span| span.start),
            end: finding.span.map(|span| span.end),
            severity: found.severity.name(),
            rule: finding.rule.name(),
            section: finding.rule.section(),
            element: link.map(|link| &*link.element),
            attribute: link.map(|link| &*link.attribute),
            reference: link.map(|link| &*link.reference),
            message: &finding.message,
            help: &finding.help,
            entity: found.entity,
        };
        row.serialize(serializer)
    }
}
