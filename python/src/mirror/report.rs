//! The report of a conversion.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use absolve::{LinkCounts, Report};
use absolve_site::files::SiteFile;
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
    pub(super) is_document: bool,
    is_changed: bool,
    pub(super) is_transferred: bool,
    counts: LinkCounts,
    skipped: BTreeMap<&'static str, usize>,
    lost: usize,
    problems: Vec<String>,
}

impl FileResult {
    pub(super) fn add(&mut self, report: &Report<'_>, is_changed: bool, lost: usize) {
        self.lost = lost;
        self.is_document = true;
        self.is_changed = is_changed;
        self.counts = report.counts;
        count_skipped(report, &mut self.skipped);
        if let Some(message) = report.problem() {
            self.problems.push(message);
        }
    }

    pub(super) fn add_problem(&mut self, message: &dyn Display) {
        self.problems.push(message.to_string());
    }
}

impl MirrorReport {
    pub(super) fn add(&mut self, file: &SiteFile, result: FileResult) {
        self.documents += usize::from(result.is_document);
        self.others += usize::from(result.is_transferred);
        self.lost += result.lost;
        self.counts += result.counts;
        for (reason, count) in result.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        if result.is_changed {
            self.changed_files.push(file.path.clone());
        }
        for message in result.problems {
            self.add_problem(&file.path, &message);
        }
    }

    pub(super) fn add_problem(&mut self, path: &Path, message: &dyn Display) {
        self.problems.push(FileProblem::new(path, message));
    }
}
