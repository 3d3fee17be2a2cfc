//! Results as JSON. The names of the members are those of the TypeScript declarations in `web/js/types.ts`.

use absolve::{
    BaseReport, Candidate, CandidateStatus, CheckReport, Finding, LinkReport, Report,
    ResolutionTrace, SkipReason, TextOffsets,
};
use serde::Serialize;

/// Returns `row` as JSON.
pub(crate) fn json(row: &impl Serialize) -> String {
    serde_json::to_string(row).expect("rows have string keys and no values that can fail")
}

/// The base URL of a document and all candidates for it.
#[derive(Serialize)]
pub(crate) struct BaseRow<'r> {
    url: Option<&'r str>,
    source: Option<&'static str>,
    candidates: Vec<CandidateRow<'r>>,
}

/// A candidate for the base URL.
#[derive(Serialize)]
struct CandidateRow<'r> {
    source: &'static str,
    section: &'static str,
    value: &'r str,
    used: bool,
    status: String,
}

impl<'r> BaseRow<'r> {
    pub(crate) fn new(report: &'r BaseReport) -> Self {
        let base = report.base.as_ref();
        Self {
            url: base.map(|base| &*base.url),
            source: base.map(|base| base.source.name()),
            candidates: report.candidates.iter().map(CandidateRow::new).collect(),
        }
    }
}

impl<'r> CandidateRow<'r> {
    fn new(candidate: &'r Candidate) -> Self {
        let is_completing = candidate.status == CandidateStatus::Completing;
        Self {
            source: candidate.source.name(),
            section: candidate.source.section(),
            value: &candidate.value,
            used: candidate.status.is_used() || is_completing,
            status: candidate.status.to_string(),
        }
    }
}

/// A link and its outcome.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkRow<'r> {
    element: &'r str,
    attribute: &'r str,
    grammar: &'static str,
    role: &'static str,
    reference: &'r str,
    target: Option<&'r str>,
    base: Option<&'r str>,
    base_source: Option<&'static str>,
    status: &'static str,
    reason: Option<&'static str>,
    start: Option<usize>,
    end: Option<usize>,
    depth: usize,
}

impl<'r> LinkRow<'r> {
    pub(crate) fn new(report: &'r LinkReport<'_>, offsets: &TextOffsets<'_>) -> Self {
        let link = &report.link;
        let span = link.span.map(|span| offsets.span(span));
        Self {
            element: &link.element,
            attribute: &link.attribute,
            grammar: link.grammar.name(),
            role: link.role.name(),
            reference: &link.reference,
            target: report.target(),
            base: report.base.as_ref().map(|base| &*base.url),
            base_source: report.base.as_ref().map(|base| base.source.name()),
            status: report.outcome.name(),
            reason: report.skip_reason().map(SkipReason::name),
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            depth: report.depth,
        }
    }
}

/// The links and the base URL of a document, or those that a rewrite skipped.
#[derive(Serialize)]
pub(crate) struct ReportRow<'r> {
    links: Vec<LinkRow<'r>>,
    base: BaseRow<'r>,
    counts: CountsRow,
    encoding: Option<&'static str>,
    problem: Option<String>,
}

/// The number of links by status.
#[derive(Serialize)]
struct CountsRow {
    resolved: usize,
    absolute: usize,
    skipped: usize,
}

impl<'r> ReportRow<'r> {
    /// Creates the report with at most `limit` links.
    pub(crate) fn new(report: &'r Report<'_>, offsets: &TextOffsets<'_>, limit: usize) -> Self {
        let links = report.links.iter().take(limit);
        let unsupported = report.unsupported.as_ref().map(ToString::to_string);
        Self {
            links: links.map(|link| LinkRow::new(link, offsets)).collect(),
            base: BaseRow::new(&report.base),
            counts: CountsRow {
                resolved: report.counts.resolved,
                absolute: report.counts.absolute,
                skipped: report.counts.skipped,
            },
            encoding: report.encoding,
            problem: unsupported.or_else(|| report.unwritten.map(|reason| reason.to_string())),
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

/// A target and the steps that led to it.
#[derive(Serialize)]
pub(crate) struct TraceRow<'r> {
    target: &'r str,
    steps: Vec<StepRow>,
}

/// A step of a standard.
#[derive(Serialize)]
struct StepRow {
    place: &'static str,
    what: &'static str,
}

impl<'r> TraceRow<'r> {
    pub(crate) fn new(trace: &'r ResolutionTrace) -> Self {
        let steps = trace.steps.iter().map(|step| StepRow {
            place: step.place,
            what: step.what,
        });
        Self {
            target: &trace.target,
            steps: steps.collect(),
        }
    }
}
