//! Checking the documents of a directory that is published as a site, as `absolve check DIR` does.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use absolve::{DocumentKind, LinkCounts, Rule, TextOffsets, TextUnit};
use absolve_site::files::{self, SiteFile, Walk, site_path_bytes};
use absolve_site::{FragmentSet, Site, SiteCheckReport, SiteTargets};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Finding, RuleSelection};
use crate::facts::Facts;
use crate::file_problem::FileProblem;
use crate::options::{UNKNOWN_ORIGIN, folder_url, invalid, thread_count, walk_options};
use crate::python_io::error_of_file;
use crate::report::counts;
use crate::rewriter::Rewriter;
use crate::threads;

/// The rules about the files of the directory.
const TARGET_RULES: [Rule; 2] = [Rule::MissingTarget, Rule::MissingFragment];

/// The result of checking the documents of a directory.
#[pyclass(frozen, module = "absolve")]
#[derive(Default)]
pub(crate) struct SiteReport {
    findings: Vec<Finding>,
    documents: usize,
    suppressed: usize,
    left_to_server: usize,
    counts: LinkCounts,
    problems: Vec<FileProblem>,
}

#[pymethods]
impl SiteReport {
    /// The problems, in the order of the paths, and in document order.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }

    /// The number of documents that were checked.
    #[getter]
    fn documents(&self) -> usize {
        self.documents
    }

    /// The number of problems that comments in the documents suppress.
    #[getter]
    fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// The number of links to files that the directory lacks, and that the server may send.
    #[getter]
    fn left_to_server(&self) -> usize {
        self.left_to_server
    }

    /// The number of links that are resolved, absolute and skipped.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, self.counts)
    }

    /// The files that were not checked.
    #[getter]
    fn problems(&self) -> Vec<FileProblem> {
        self.problems.clone()
    }

    fn __repr__(&self) -> String {
        format!(
            "<SiteReport documents={} findings={} problems={}>",
            self.documents,
            self.findings.len(),
            self.problems.len()
        )
    }
}

/// A document of the directory.
struct SiteDocument {
    file: SiteFile,
    kind: DocumentKind,
}

/// The settings that all documents of a run share.
struct SiteCheck {
    rewriter: Arc<absolve::Rewriter>,
    facts: Facts,
    selection: RuleSelection,
    /// `None` if the URL of the directory is unknown.
    site: Option<Site>,
}

/// The result for one document, or the reason why it was not checked.
type Checked = Result<CheckedDocument, String>;

struct CheckedDocument {
    findings: Vec<Finding>,
    suppressed: usize,
    left_to_server: usize,
    counts: LinkCounts,
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
    let (walk, documents, others) = py.detach(|| {
        fs::read_dir(&folder).map_err(|error| error_of_file(error, &folder))?;
        let mut walk = files::walk(&folder, &options);
        let (documents, others) = classified(&mut walk);
        Ok::<_, PyErr>((walk, documents, others))
    })?;
    let threads = threads::count(threads);
    let targets = check.targets(py, &walk, &documents, &others, threads)?;
    let targets = targets.map(|targets| targets.clean_urls(clean_urls));
    let mut report = SiteReport::default();
    for error in &walk.errors {
        report.problems.push(FileProblem::new(error.path(), error));
    }
    let work = |document| (document, check.check(document, targets.as_ref()));
    let documents = documents.iter();
    threads::for_each_file(py, documents, threads, work, |(document, checked)| {
        report.add(&document.file.path, checked);
    })?;
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

/// Takes the files of a walk: documents, and others.
fn classified(walk: &mut Walk) -> (Vec<SiteDocument>, Vec<SiteFile>) {
    let (mut documents, mut others) = (Vec::new(), Vec::new());
    for file in std::mem::take(&mut walk.files) {
        match kind_of(&file) {
            Some(kind) => documents.push(SiteDocument { file, kind }),
            None => others.push(file),
        }
    }
    (documents, others)
}

/// Returns the language of a file; `None` if it is not a document, or a symbolic link that is not followed.
///
/// The extensions are those of the command.
fn kind_of(file: &SiteFile) -> Option<DocumentKind> {
    let extension = file.path.extension().filter(|_| !file.is_link)?.to_str()?;
    let general = DocumentKind::ALL.iter().find(|kind| {
        let general = kind.general_extension();
        general.is_some_and(|general| general.eq_ignore_ascii_case(extension))
    });
    let of_content = |kind: &&DocumentKind| sniffed(file) == Some(**kind);
    let of_extension = DocumentKind::of_extension(extension);
    of_extension.or_else(|| general.filter(of_content).copied())
}

/// Returns the language that the beginning of a file has. A file that cannot be read has none: it is not checked.
fn sniffed(file: &SiteFile) -> Option<DocumentKind> {
    let read = || -> io::Result<Vec<u8>> {
        let mut prefix = Vec::new();
        let file = files::open_regular(&file.path, file.depth)?;
        file.take(DocumentKind::SNIFF_LEN as u64)
            .read_to_end(&mut prefix)?;
        Ok(prefix)
    };
    read().ok().map(|prefix| DocumentKind::sniff(&prefix))
}

fn read(file: &SiteFile) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open_regular(&file.path, file.depth)?.read_to_end(&mut bytes)?;
    Ok(bytes)
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
        documents: &[SiteDocument],
        others: &[SiteFile],
        threads: usize,
    ) -> PyResult<Option<SiteTargets>> {
        let Some(site) = self.site.as_ref() else {
            return Ok(None);
        };
        if !self.selection.has_any(&TARGET_RULES) {
            return Ok(None);
        }
        let mut targets = py.detach(|| {
            let paths = documents.iter().map(|document| &*document.file.site_path);
            // A symbolic link to a file counts as a file.
            let files = others
                .iter()
                .filter(|file| !file.is_link || file.path.is_file());
            let paths = paths.chain(files.map(|file| &*file.site_path));
            let paths = paths.chain(walk.left_out.iter().map(PathBuf::as_path));
            let mut targets = SiteTargets::new(site.url(), paths.map(site_path_bytes));
            targets.add_rules_of(others);
            targets
        });
        let work = |document: &SiteDocument| {
            let path = site_path_bytes(&document.file.site_path);
            Some((path, self.fragments(document)?))
        };
        let documents = documents.iter();
        threads::for_each_file(py, documents, threads, work, |found| {
            if let Some((path, fragments)) = found {
                targets.add_fragments(path, fragments);
            }
        })?;
        Ok(Some(targets))
    }

    /// Returns the fragments of a document; `None` if it cannot be read.
    fn fragments(&self, document: &SiteDocument) -> Option<FragmentSet> {
        let bytes = read(&document.file).ok()?;
        let document = self.facts.document_of_kind(document.kind, &bytes);
        Some(SiteTargets::fragments_of(&document))
    }

    /// Checks a document.
    fn check(&self, document: &SiteDocument, targets: Option<&SiteTargets>) -> Checked {
        let bytes = read(&document.file).map_err(|error| format!("cannot read: {error}"))?;
        let site = self.site.as_ref();
        let url = site.and_then(|site| site.url_of(&document.file.site_path));
        let read = self.facts.document_of_kind(document.kind, &bytes);
        let read = match &url {
            Some(url) => read.retrieved_from(url),
            None => read,
        };
        let SiteCheckReport {
            mut report,
            left_to_server,
            ..
        } = match targets {
            Some(targets) => targets.check(&self.rewriter, &read),
            None => self.rewriter.check(&read).into(),
        };
        if let Some(unsupported) = report.unsupported {
            return Err(format!("not checked: {unsupported}"));
        }
        let found = report.findings.iter_mut();
        found.for_each(|finding| finding.remove_origin(UNKNOWN_ORIGIN));
        let (suppressed, counts) = (report.suppressed, report.counts);
        let offsets = TextOffsets::new(&bytes, TextUnit::Byte);
        let mut findings = self.selection.findings(report, &read, &offsets);
        for finding in &mut findings {
            finding.path = Some(document.file.path.clone());
        }
        Ok(CheckedDocument {
            findings,
            suppressed,
            left_to_server,
            counts,
        })
    }
}

impl SiteReport {
    fn add(&mut self, path: &Path, checked: Checked) {
        match checked {
            Ok(checked) => {
                self.documents += 1;
                self.suppressed += checked.suppressed;
                self.left_to_server += checked.left_to_server;
                self.counts += checked.counts;
                self.findings.extend(checked.findings);
            }
            Err(problem) => self.problems.push(FileProblem::new(path, &problem)),
        }
    }
}
