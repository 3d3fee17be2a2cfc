//! The report of a conversion.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

use absolve_site::files::Walk;
use absolve_site::run::{ConvertedPage, MirrorEvent, MirrorNote, Unwritten};
use pyo3::prelude::*;

use crate::file_problem::{self, FileProblem};
use crate::report::{Counts, count_skipped};

/// The result of converting a folder.
#[pyclass(frozen, get_all, new = "from_fields", module = "absolve")]
#[derive(Default)]
pub(crate) struct MirrorReport {
    /// The number of documents.
    documents: usize,
    /// The paths of the documents that changed, or would change.
    changed_files: Vec<OsString>,
    /// The number of other files that were copied, or got a hard link.
    others: usize,
    /// The number of links that are resolved, absolute and skipped.
    counts: Counts,
    /// The number of skipped links by reason.
    skipped: BTreeMap<String, usize>,
    /// The number of links that led to a file of the folder and became absolute, because the URL of the page is not
    /// that of its file.
    lost: usize,
    /// Limits of the conversion: what is not known of the folder.
    notes: Vec<String>,
    /// The files that were not read, not converted or not written.
    problems: Vec<FileProblem>,
}

#[pymethods]
impl MirrorReport {
    fn __repr__(&self) -> String {
        let (documents, problems) = (self.documents, self.problems.len());
        let changed = self.changed_files.len();
        format!("<MirrorReport documents={documents} changed={changed} problems={problems}>")
    }
}

impl MirrorReport {
    /// Creates the report of a conversion with this limit, of what was found in a folder.
    pub(super) fn new(note: Option<MirrorNote>, walk: &Walk) -> Self {
        Self {
            notes: note.iter().map(ToString::to_string).collect(),
            problems: file_problem::of_walk(walk),
            ..Self::default()
        }
    }

    /// Returns the report of one document.
    pub(super) fn of_document(path: &Path, event: MirrorEvent<'_>) -> Self {
        let problem = |message: String| Self::of_problem(path, &message);
        match event {
            MirrorEvent::Converted(page) => Self::of_page(path, &page),
            MirrorEvent::NoUrl => Self {
                documents: 1,
                ..problem("left unchanged: not in a directory named after a host; convert its directory with a URL".to_owned())
            },
            MirrorEvent::Unsupported(reason) => Self {
                others: 1,
                ..problem(format!("left unchanged: {reason}"))
            },
            MirrorEvent::Copied => Self::of_copy(path, Ok(())),
            MirrorEvent::Unread(error) | MirrorEvent::NotCaptured(error) => {
                problem(format!("cannot read: {error}"))
            }
            MirrorEvent::Unwritten(error) => problem(format!("cannot write: {error}")),
        }
    }

    /// Returns the report of one of the other files.
    pub(super) fn of_copy(path: &Path, copied: Result<(), Unwritten>) -> Self {
        match copied {
            Ok(()) => Self {
                others: 1,
                ..Self::default()
            },
            Err(Unwritten::Failed(error)) => {
                Self::of_problem(path, &format!("cannot copy: {error}"))
            }
            Err(error) => Self::of_problem(path, &format!("cannot write: {error}")),
        }
    }

    fn of_page(path: &Path, page: &ConvertedPage<'_>) -> Self {
        let lost = page.lost_attributes.iter();
        let lost = lost.map(|attribute| format!("{attribute} of the original not kept"));
        let moved = (page.moved > 0).then(|| {
            let moved = page.moved;
            format!("BASE removed, which changes the target of links left unchanged: {moved}")
        });
        let problems = lost.chain(page.report.problem()).chain(moved);
        let mut report = Self {
            documents: 1,
            changed_files: page.is_changed().then(|| path.into()).into_iter().collect(),
            counts: Counts(page.report.counts),
            lost: page.lost,
            problems: problems
                .map(|problem| FileProblem::new(path, &problem))
                .collect(),
            ..Self::default()
        };
        count_skipped(page.report, &mut report.skipped);
        report
    }

    /// Returns the report of a file or directory with a problem.
    pub(super) fn of_problem(path: &Path, message: &dyn Display) -> Self {
        Self {
            problems: vec![FileProblem::new(path, message)],
            ..Self::default()
        }
    }

    /// Adds the report of a file.
    pub(super) fn add(&mut self, file: Self) {
        self.documents += file.documents;
        self.others += file.others;
        self.lost += file.lost;
        self.counts.0 += file.counts.0;
        for (reason, count) in file.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.changed_files.extend(file.changed_files);
        self.problems.extend(file.problems);
    }
}
