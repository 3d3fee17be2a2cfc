//! Results as JSON. The names of the members are those of the TypeScript declarations in `web/js/types.ts`.

use absolve::check::{CheckReport, Finding};
use absolve::{BaseReport, Candidate, LinkCounts, LinkReport, Report, TextOffsets};
use serde::Serialize;

/// Returns `row` as JSON, with keys in camel case.
pub(crate) fn json(row: &impl Serialize) -> String {
    let json = serde_json::to_string(row);
    let json = json.expect("rows have string keys and no values that can fail");
    // The only key of several words. Quotes in values are escaped, so it is nothing but a key.
    json.replace(r#""base_source":"#, r#""baseSource":"#)
}

/// The base URL of a document and all candidates for it.
#[derive(Serialize)]
pub(crate) struct BaseRow<'r> {
    url: Option<&'r str>,
    source: Option<&'static str>,
    candidates: &'r [Candidate],
}

impl<'r> BaseRow<'r> {
    pub(crate) fn new(report: &'r BaseReport) -> Self {
        let base = report.base.as_ref();
        Self {
            url: base.map(|base| &*base.url),
            source: base.map(|base| base.source.name()),
            candidates: &report.candidates,
        }
    }
}

/// A link, with spans in the units of JavaScript.
#[derive(Serialize)]
pub(crate) struct LinkRow<'r> {
    #[serde(flatten)]
    link: absolve::LinkRow<'r>,
    depth: usize,
}

impl<'r> LinkRow<'r> {
    pub(crate) fn new(report: &'r LinkReport<'_>, offsets: &TextOffsets<'_>) -> Self {
        let mut link = report.row();
        let span = report.link.span.map(|span| offsets.span(span));
        (link.start, link.end) = span.map(|span| (span.start, span.end)).unzip();
        Self {
            link,
            depth: report.depth,
        }
    }
}

/// The links and the base URL of a document, or those that a rewrite skipped.
#[derive(Serialize)]
pub(crate) struct ReportRow<'r> {
    links: Vec<LinkRow<'r>>,
    base: BaseRow<'r>,
    counts: LinkCounts,
    encoding: Option<&'static str>,
    problem: Option<String>,
}

impl<'r> ReportRow<'r> {
    /// Creates the report with at most `limit` links.
    pub(crate) fn new(report: &'r Report<'_>, offsets: &TextOffsets<'_>, limit: usize) -> Self {
        let links = report.links.iter().take(limit);
        Self {
            links: links.map(|link| LinkRow::new(link, offsets)).collect(),
            base: BaseRow::new(&report.base),
            counts: report.counts,
            encoding: report.encoding,
            problem: report.problem(),
        }
    }
}

/// A problem in a document.
#[derive(Serialize)]
pub(crate) struct FindingRow<'r> {
    rule: &'static str,
    message: &'r str,
    help: &'r str,
    start: Option<usize>,
    end: Option<usize>,
    reference: Option<&'r str>,
}

/// Returns the rows of the problems of a document.
pub(crate) fn findings<'r>(
    report: &'r CheckReport,
    offsets: &TextOffsets<'_>,
) -> Vec<FindingRow<'r>> {
    let row = |finding: &'r Finding| {
        let span = finding.span.map(|span| offsets.span(span));
        FindingRow {
            rule: finding.rule.name(),
            message: &finding.message,
            help: &finding.help,
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            reference: finding.link.as_ref().map(|link| &*link.reference),
        }
    };
    report.findings.iter().map(row).collect()
}
