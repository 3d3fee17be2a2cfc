//! The report of a container that was rewritten.

use std::collections::BTreeMap;

use absolve_archive::container::{ContainerError, Format};
use absolve_archive::{Entity, RewriteEvent, RewrittenEntity};
use pyo3::prelude::*;

use crate::report::{Counts, count_skipped};

/// The result of rewriting a container.
#[pyclass(frozen, get_all, new = "from_fields", module = "absolve")]
#[derive(Default)]
pub(crate) struct ArchiveReport {
    /// The format: `http`, `mime` (mail, MHTML and mailboxes) or `warc`.
    format: String,
    /// The number of records of an archive; None for other containers.
    pub(crate) records: Option<u64>,
    /// The number of documents.
    documents: usize,
    /// The number of documents that were rewritten.
    rewritten: usize,
    /// The number of edits in documents that were rewritten.
    edited: usize,
    /// The number of links that are resolved, absolute and skipped.
    counts: Counts,
    /// The number of skipped links by reason.
    skipped: BTreeMap<String, usize>,
    /// The problems, in the order of the container.
    pub(crate) problems: Vec<ArchiveProblem>,
}

/// Something in a container that was not read or not rewritten, or that its user should know.
#[pyclass(
    frozen,
    get_all,
    new = "from_fields",
    from_py_object,
    module = "absolve"
)]
#[derive(Clone)]
pub(crate) struct ArchiveProblem {
    /// The label of the document; None if it concerns something else.
    label: Option<String>,
    /// The offset in the container at which the problem is, or at which the document or its record begins.
    pub(crate) offset: u64,
    /// The number of bytes from the offset on that were skipped in a damaged archive; otherwise 0.
    skipped: u64,
    /// The problem.
    message: String,
}

#[pymethods]
impl ArchiveReport {
    /// Whether the output differs from the source.
    #[getter]
    fn changed(&self) -> bool {
        self.rewritten > 0
    }

    fn __repr__(&self) -> String {
        let (documents, problems) = (self.documents, self.problems.len());
        let rewritten = self.rewritten;
        format!("<ArchiveReport documents={documents} rewritten={rewritten} problems={problems}>")
    }
}

#[pymethods]
impl ArchiveProblem {
    fn __repr__(&self) -> String {
        let label = self.label.as_deref().unwrap_or_default();
        let (offset, message) = (self.offset, &self.message);
        format!("<ArchiveProblem {label:?} {offset}: {message}>")
    }
}

impl ArchiveReport {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format: format.name().to_owned(),
            ..Self::default()
        }
    }

    /// Adds what an event tells.
    pub(crate) fn add_event(&mut self, event: RewriteEvent<'_>) {
        match event {
            RewriteEvent::Document(result) => self.add(&result),
            RewriteEvent::NotReplaced(entity, error) => self.add_error(Some(entity), error),
            RewriteEvent::Error(error) => self.add_error(None, error),
        }
    }

    /// Adds a document and its problems.
    fn add(&mut self, result: &RewrittenEntity<'_>) {
        let (entity, report) = (result.entity, &result.rewritten.report);
        self.documents += 1;
        self.counts.0 += report.counts;
        if result.is_changed {
            self.rewritten += 1;
            self.edited += result.rewritten.edited;
        }
        count_skipped(report, &mut self.skipped);
        if let Some(error) = result.error {
            self.add_error(Some(entity), error);
        }
        if let Some(message) = report.problem() {
            self.add_problem(Some(entity), entity.offset, 0, message);
        }
    }

    pub(crate) fn add_error(&mut self, entity: Option<&Entity<'_>>, error: ContainerError) {
        self.add_problem(entity, error.offset, error.skipped, error.kind.to_string());
    }

    fn add_problem(
        &mut self,
        entity: Option<&Entity<'_>>,
        offset: u64,
        skipped: u64,
        message: String,
    ) {
        self.problems.push(ArchiveProblem {
            label: entity.map(|entity| entity.label.clone()),
            offset,
            skipped,
            message,
        });
    }
}
