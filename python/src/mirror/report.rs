//! The report of a conversion.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use absolve::LinkCounts;
use absolve_site::run::{ConvertedPage, MirrorEvent, MirrorNote, Unwritten};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::file_problem::FileProblem;
use crate::report::{count_skipped, counts};

/// The result of converting a folder.
#[pyclass(frozen, module = "absolve")]
#[derive(Default)]
pub(crate) struct MirrorReport {
    documents: usize,
    changed_files: Vec<PathBuf>,
    others: usize,
    counts: LinkCounts,
    skipped: BTreeMap<&'static str, usize>,
    lost: usize,
    notes: Vec<String>,
    problems: Vec<FileProblem>,
}

#[pymethods]
impl MirrorReport {
    /// The number of documents.
    #[getter]
    fn documents(&self) -> usize {
        self.documents
    }

    /// The paths of the documents that changed, or would change.
    #[getter]
    fn changed_files(&self) -> Vec<&OsStr> {
        self.changed_files
            .iter()
            .map(|path| path.as_os_str())
            .collect()
    }

    /// The number of other files that were copied, or got a hard link.
    #[getter]
    fn others(&self) -> usize {
        self.others
    }

    /// The number of links that are resolved, absolute and skipped.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, self.counts)
    }

    /// The number of skipped links by reason.
    #[getter]
    fn skipped(&self) -> BTreeMap<&'static str, usize> {
        self.skipped.clone()
    }

    /// The number of links that led to a file of the folder and became absolute, because the URL of the page is not
    /// that of its file.
    #[getter]
    fn lost(&self) -> usize {
        self.lost
    }

    /// Limits of the conversion: what is not known of the folder.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The files that were not read, not converted or not written.
    #[getter]
    fn problems(&self) -> Vec<FileProblem> {
        self.problems.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "<MirrorReport documents={} changed={} problems={}>",
            self.documents,
            self.changed_files.len(),
            self.problems.len()
        )
    }
}

/// The result for one file.
#[derive(Default)]
pub(super) struct FileResult {
    is_document: bool,
    is_changed: bool,
    is_transferred: bool,
    counts: LinkCounts,
    skipped: BTreeMap<&'static str, usize>,
    lost: usize,
    problems: Vec<String>,
}

impl FileResult {
    /// Returns the result for a document.
    pub(super) fn of_document(event: MirrorEvent<'_>) -> Self {
        match event {
            MirrorEvent::Converted(page) => Self::of_page(&page),
            MirrorEvent::NoUrl => Self {
                is_document: true,
                ..Self::of_problem(
                    "left unchanged: not in a directory named after a host; convert its directory with a URL".to_owned(),
                )
            },
            MirrorEvent::Unsupported(problem) => Self {
                is_transferred: true,
                ..Self::of_problem(format!("left unchanged: {problem}"))
            },
            MirrorEvent::Unread(error) => Self::of_problem(format!("cannot read: {error}")),
            MirrorEvent::Unwritten(error) => Self::of_problem(format!("cannot write: {error}")),
        }
    }

    /// Returns the result for another file.
    pub(super) fn of_copy(copied: Result<(), Unwritten>) -> Self {
        match copied {
            Ok(()) => Self {
                is_transferred: true,
                ..Self::default()
            },
            Err(Unwritten::Failed(error)) => Self::of_problem(format!("cannot copy: {error}")),
            Err(error) => Self::of_problem(format!("cannot write: {error}")),
        }
    }

    fn of_page(page: &ConvertedPage<'_>) -> Self {
        let lost = page.lost_attributes.iter();
        let lost = lost.map(|attribute| format!("{attribute} of the original not kept"));
        let moved = (page.moved > 0).then(|| {
            let moved = page.moved;
            format!("BASE removed, which changes the target of links left unchanged: {moved}")
        });
        let mut result = Self {
            is_document: true,
            is_changed: page.is_changed(),
            counts: page.report.counts,
            lost: page.lost,
            problems: lost.chain(page.report.problem()).chain(moved).collect(),
            ..Self::default()
        };
        count_skipped(page.report, &mut result.skipped);
        result
    }

    fn of_problem(message: String) -> Self {
        Self {
            problems: vec![message],
            ..Self::default()
        }
    }
}

impl MirrorReport {
    /// Creates the report of a conversion with this limit.
    pub(super) fn new(note: Option<MirrorNote>) -> Self {
        Self {
            notes: note.iter().map(ToString::to_string).collect(),
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, path: &Path, result: FileResult) {
        self.documents += usize::from(result.is_document);
        self.others += usize::from(result.is_transferred);
        self.lost += result.lost;
        self.counts += result.counts;
        for (reason, count) in result.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        if result.is_changed {
            self.changed_files.push(path.to_owned());
        }
        for message in result.problems {
            self.add_problem(path, &message);
        }
    }

    pub(super) fn add_problem(&mut self, path: &Path, message: &dyn Display) {
        self.problems.push(FileProblem::new(path, message));
    }
}
