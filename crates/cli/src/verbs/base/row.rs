//! A base URL as a row of the output, and as a record of JSON Lines.

use absolve::{BaseReport, Candidate};
use absolve_archive::ChainStep;
use serde::Serialize;

/// Row about one document.
#[derive(Serialize)]
pub(crate) struct BaseRow<'e> {
    #[serde(skip)]
    pub(super) report: &'e BaseReport,
    #[serde(skip)]
    pub(super) steps: &'e [ChainStep],
    pub(super) path: &'e str,
    base: Option<&'e str>,
    /// Whether the base URL is embedded, and has another origin than the retrieval URL.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    foreign: bool,
    source: Option<&'e str>,
    candidates: &'e [Candidate],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) entity: Option<&'e str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    chain: Vec<StepRow<'e>>,
}

impl<'e> BaseRow<'e> {
    /// Returns the row about the document at `path`, which has the label `entity` in a container.
    pub(super) fn new(
        path: &'e str,
        entity: Option<&'e str>,
        report: &'e BaseReport,
        steps: &'e [ChainStep],
    ) -> Self {
        let base = report.base.as_ref();
        Self {
            report,
            steps,
            path,
            base: base.map(|base| &*base.url),
            foreign: report.is_foreign(),
            source: base.map(|base| base.source.name()),
            candidates: &report.candidates,
            entity,
            chain: steps.iter().map(StepRow::new).collect(),
        }
    }
}

/// Step of the chain in a [`BaseRow`].
#[derive(Serialize)]
struct StepRow<'e> {
    kind: &'e str,
    entity: &'e str,
    detail: &'e str,
    field: Option<&'e str>,
    value: Option<&'e str>,
    url: Option<&'e str>,
}

impl<'e> StepRow<'e> {
    fn new(step: &'e ChainStep) -> Self {
        let field = step.field.as_ref();
        Self {
            kind: step.kind.name(),
            entity: &step.entity,
            detail: &step.detail,
            field: field.map(|field| field.name),
            value: field.map(|field| &*field.value),
            url: step.url.as_deref(),
        }
    }
}
