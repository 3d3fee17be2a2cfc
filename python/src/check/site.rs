//! Checking the documents of a directory that is published as a site, as `absolve check DIR` does.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use absolve::check::Rule;
use absolve::{Document, DocumentKind, TextOffsets, TextUnit};
use absolve_site::files::{self, SiteFile, Walk, site_path_bytes};
use absolve_site::{Site, SiteCheckReport, SiteTargets, document_kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::finding::{Finding, RuleSelection};
use crate::facts::Facts;
use crate::file_problem::FileProblem;
use crate::options::{UNKNOWN_ORIGIN, folder_url, invalid, thread_count, walk_options};
use crate::python_io::error_of_file;
use crate::report::Counts;
use crate::rewriter::Rewriter;
use crate::threads;

/// The rules about the files of the directory.
const TARGET_RULES: [Rule; 2] = [Rule::MissingTarget, Rule::MissingFragment];

/// The result of checking the documents of a directory.
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Default)]
pub(crate) struct SiteReport {
    /// The problems, in the order of the paths, and in document order.
    findings: Vec<Finding>,
    /// The number of documents that were checked.
    documents: usize,
    /// The number of problems that comments in the documents suppress.
    suppressed: usize,
    /// The number of links to files that the directory lacks, and that the server may send.
    left_to_server: usize,
    /// The number of links to paths of the same host that are outside the site, and are not checked.
    outside: usize,
    /// The number of links that are resolved, absolute and skipped.
    counts: Counts,
    /// The files that were not checked.
    problems: Vec<FileProblem>,
}

#[pymethods]
impl SiteReport {
    fn __repr__(&self) -> String {
        format!(
            "<SiteReport documents={} findings={} problems={}>",
            self.documents,
            self.findings.len(),
            self.problems.len()
        )
    }
}

/// The settings that all documents of a run share.
struct SiteCheck {
    rewriter: Arc<absolve::Rewriter>,
    facts: Facts,
    selection: RuleSelection,
    /// `None` if the URL of the directory is unknown.
    site: Option<Site>,
}

/// Checks the documents of a directory. The options have the names of those of the command.
#[pyfunction]
#[pyo3(signature = (
    folder, rewriter, url = None, *, base_path = None, clean_urls = false, select = None, ignore = None, warn = None,
    include = None, exclude = None, ignore_files = false, follow = false, threads = 0, **facts,
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn check_site(
    py: Python<'_>,
    folder: PathBuf,
    rewriter: &Rewriter,
    url: Option<&str>,
    base_path: Option<&str>,
    clean_urls: bool,
    select: Option<&Bound<'_, PyAny>>,
    ignore: Option<&Bound<'_, PyAny>>,
    warn: Option<&Bound<'_, PyAny>>,
    include: Option<&Bound<'_, PyAny>>,
    exclude: Option<&Bound<'_, PyAny>>,
    ignore_files: bool,
    follow: bool,
    #[pyo3(from_py_with = thread_count)] threads: usize,
    facts: Option<&Bound<'_, PyDict>>,
) -> PyResult<SiteReport> {
    let check = SiteCheck {
        rewriter: Arc::clone(&rewriter.settings),
        facts: Facts::new(None, facts, rewriter.profile)?,
        selection: RuleSelection::new(select, ignore, warn)?,
        site: match (url, base_path) {
            (None, None) => site(None, default_path(facts)?)?,
            _ => site(url, base_path)?,
        },
    };
    let options = walk_options(include, exclude)?
        .ignore_files(ignore_files)
        .follow_links(follow);
    let walk = py.detach(|| {
        fs::read_dir(&folder).map_err(|error| error_of_file(error, &folder))?;
        let mut walk = files::walk(&folder, &options);
        walk.set_documents(|file| {
            // A file that cannot be read has no kind: it is not checked.
            let prefix = || file.read_prefix(DocumentKind::SNIFF_LEN as u64);
            document_kind(&file.path, || prefix().unwrap_or_default()).is_some()
        });
        Ok::<_, PyErr>(walk)
    })?;
    let threads = threads::count(threads);
    let targets = check.targets(py, &walk, threads)?;
    let targets = targets.map(|targets| targets.clean_urls(clean_urls));
    let mut report = SiteReport::default();
    for error in &walk.errors {
        report.add(SiteReport::of_problem(error.path(), error));
    }
    let documents = walk.documents.iter();
    let work = |file: &SiteFile| check.check(file, targets.as_ref());
    threads::for_each_file(py, documents, threads, work, |file| report.add(file))?;
    Ok(report)
}

/// Returns the path of a folder without its URL: the root of a host, unless its documents have a base URL of their own.
fn default_path(facts: Option<&Bound<'_, PyDict>>) -> PyResult<Option<&'static str>> {
    for name in ["default_base", "enclosing_base"] {
        let fact = facts.map(|facts| facts.get_item(name)).transpose()?;
        if fact.flatten().is_some_and(|value| !value.is_none()) {
            return Ok(None);
        }
    }
    Ok(Some("/"))
}

/// Returns the site that has a URL, or a path on any host.
///
/// # Errors
/// `ValueError`: a value is invalid, or both are given.
fn site(url: Option<&str>, base_path: Option<&str>) -> PyResult<Option<Site>> {
    let Some(of_folder) = folder_url(url, base_path)? else {
        return Ok(None);
    };
    let option = if url.is_some() { "url" } else { "base_path" };
    let hint =
        "use the URL that the directory is published under, such as 'https://example.org/docs/'";
    let site = Site::new(&of_folder).map_err(|error| invalid(option, &of_folder, error, hint))?;
    Ok(Some(site))
}

impl SiteCheck {
    /// Returns the files of the directory and the fragments of its documents, each of which is read; `None` if the URL
    /// of the directory is unknown, or no rule needs them.
    ///
    /// Files that cannot be read are skipped here, and reported when they are checked.
    ///
    /// # Errors
    /// The exception of a signal handler.
    fn targets(
        &self,
        py: Python<'_>,
        walk: &Walk,
        threads: usize,
    ) -> PyResult<Option<SiteTargets>> {
        let site = self.site.as_ref();
        let Some(site) = site.filter(|_| self.selection.has_any(&TARGET_RULES)) else {
            return Ok(None);
        };
        let mut targets = py.detach(|| {
            let left_out = walk.left_out.iter().map(PathBuf::as_path);
            let paths = walk.site_paths().chain(left_out);
            let mut targets = SiteTargets::new(site.url(), paths.map(site_path_bytes));
            targets.add_rules_of(&walk.files);
            targets
        });
        let fragments = |file: &SiteFile| {
            let fragments = self.read(file, SiteTargets::fragments_of).ok()?;
            Some((site_path_bytes(&file.site_path), fragments))
        };
        let documents = walk.documents.iter();
        threads::for_each_file(py, documents, threads, fragments, |found| {
            if let Some((path, fragments)) = found {
                targets.add_fragments(path, fragments);
            }
        })?;
        Ok(Some(targets))
    }

    /// Reads the document in a file, and calls `visit` with it.
    fn read<R>(&self, file: &SiteFile, visit: impl FnOnce(&Document<'_>) -> R) -> io::Result<R> {
        let (bytes, _) = file.read()?;
        let prefix = || bytes[..bytes.len().min(DocumentKind::SNIFF_LEN)].to_owned();
        let kind = document_kind(&file.path, prefix).unwrap_or(DocumentKind::Html);
        let document = self.facts.document_of_kind(kind, &bytes);
        let site = self.site.as_ref();
        Ok(match site.and_then(|site| site.url_of(&file.site_path)) {
            Some(url) => visit(&document.retrieved_from(&url)),
            None => visit(&document),
        })
    }

    /// Checks a document.
    fn check(&self, file: &SiteFile, targets: Option<&SiteTargets>) -> SiteReport {
        let checked = self.read(file, |document| self.checked(&file.path, document, targets));
        let unread = |error| SiteReport::of_problem(&file.path, &format!("cannot read: {error}"));
        checked.unwrap_or_else(unread)
    }

    fn checked(
        &self,
        path: &Path,
        document: &Document<'_>,
        targets: Option<&SiteTargets>,
    ) -> SiteReport {
        let SiteCheckReport {
            mut report,
            left_to_server,
            outside,
            ..
        } = match targets {
            Some(targets) => targets.check(&self.rewriter, document),
            None => self.rewriter.check(document, |_| None).into(),
        };
        if let Some(unsupported) = report.unsupported {
            return SiteReport::of_problem(path, &format!("not checked: {unsupported}"));
        }
        let found = report.findings.iter_mut();
        found.for_each(|finding| finding.remove_origin(UNKNOWN_ORIGIN));
        let (suppressed, counts) = (report.suppressed, Counts(report.counts));
        let offsets = TextOffsets::new(document.bytes(), TextUnit::Byte);
        let mut findings = self.selection.findings(report, document, &offsets);
        for finding in &mut findings {
            finding.path = Some(path.into());
        }
        SiteReport {
            findings,
            documents: 1,
            suppressed,
            left_to_server,
            outside,
            counts,
            problems: Vec::new(),
        }
    }
}

impl SiteReport {
    /// Returns the report of a file or directory that is not checked.
    fn of_problem(path: &Path, message: &dyn Display) -> Self {
        Self {
            problems: vec![FileProblem::new(path, message)],
            ..Self::default()
        }
    }

    /// Adds the report of a file.
    fn add(&mut self, file: Self) {
        self.documents += file.documents;
        self.suppressed += file.suppressed;
        self.left_to_server += file.left_to_server;
        self.outside += file.outside;
        self.counts.0 += file.counts.0;
        self.findings.extend(file.findings);
        self.problems.extend(file.problems);
    }
}
