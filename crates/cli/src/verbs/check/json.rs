//! `--format json`, an array with an object per finding, and `--format jsonl`, with one per line.

use std::io::{self, Write};

use serde::Serialize;

use super::finding::ReportedFinding;

/// Finding as an object of the array.
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

/// Writes a finding as an object, without a separator.
pub(super) fn write(found: &ReportedFinding<'_>, to: &mut impl Write) -> io::Result<()> {
    let finding = found.finding;
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
    Ok(serde_json::to_writer(to, &row)?)
}
