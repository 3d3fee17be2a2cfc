//! Checking the documents of a directory that is published as a site, as `absolve check DIR` does.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use absolve::{Document, DocumentKind, TextOffsets};
use absolve_archive::ArchiveSettings;
use absolve_archive::container::{FileType, unsupported_format};
use absolve_site::files::{self, SiteFile, Walk, site_path_bytes};
use absolve_site::run::CheckRun;
use absolve_site::{Site, SiteCheckReport, SiteTargets, document_kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::finding::{Finding, RuleSelection};
use crate::archive;
use crate::facts::Facts;
use crate::file_problem::{self, FileProblem};
use crate::options::{folder_url, invalid, thread_count, walk_options};
use crate::python_io::{FirstError, Input, check_signals, error_of_file, error_of_io};
use crate::report::Counts;
use crate::rewriter::Rewriter;
use crate::threads;

/// The result of checking the documents of a directory.
#[pyclass(frozen, get_all, new = "from_fields", module = "absolve")]
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
        let (documents, problems) = (self.documents, self.problems.len());
        let findings = self.findings.len();
        format!("<SiteReport documents={documents} findings={findings} problems={problems}>")
    }
}

/// The result for a document. Its findings are objects of Python already, apart from the others.
type CheckedDocument = Result<(Vec<Finding>, SiteCheckReport), FileProblem>;

/// The settings that all documents of a run share.
struct SiteCheck {
    rewriter: Arc<absolve::Rewriter>,
    facts: Facts,
    selection: RuleSelection,
    run: CheckRun,
    containers: ArchiveSettings,
    /// `None` if the URL of the directory is unknown.
    site: Option<Site>,
}

/// Checks the documents of a directory. The options have the names of those of the command.
#[pyfunction]
#[pyo3(signature = (
    folder, rewriter, url = None, *, base_path = None, clean_urls = false, select = None, ignore = None, warn = None,
    include = None, exclude = None, ignore_files = false, follow = false, threads = 0, **facts,
))]
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
    let facts = Facts::new(None, facts, rewriter.profile)?;
    // Without its URL, the folder is the root of a host, unless its documents have a base URL of their own.
    let is_root = url.is_none() && base_path.is_none() && facts.base_urls.is_empty();
    let base_path = if is_root { Some("/") } else { base_path };
    let site = folder_url(url, base_path)?.map(|of_folder| {
        let option = if url.is_some() { "url" } else { "base_path" };
        let hint = "use the URL that the directory is published under, such as 'https://example.org/docs/'";
        Site::new(&of_folder).map_err(|error| invalid(option, &of_folder, error, hint))
    });
    let selection = RuleSelection::new(select, ignore, warn)?;
    let mut check = SiteCheck {
        rewriter: Arc::clone(&rewriter.settings),
        site: site.transpose()?,
        facts,
        run: selection.run(),
        containers: rewriter.containers.clone(),
        selection,
    };
    let options = walk_options(include, exclude)?
        .ignore_files(ignore_files)
        .follow_links(follow);
    let threads = threads::count(threads);
    let walk = py.detach(|| {
        fs::read_dir(&folder).map_err(|error| error_of_file(error, &folder))?;
        let mut walk = files::walk(&folder, &options);
        walk.set_documents(|file| document_kind(file).is_some() || is_container(file));
        check.run = check.read_site(&walk, clean_urls, threads)?;
        Ok::<_, PyErr>(walk)
    })?;
    let mut report = SiteReport {
        problems: file_problem::of_walk(&walk),
        ..SiteReport::default()
    };
    let documents = walk.documents.iter();
    let check_file = |file: &SiteFile| check.check(file);
    let add = |file: Vec<_>| file.into_iter().for_each(|checked| report.add(checked));
    threads::for_each_file(py, documents, threads, check_file, add)?;
    Ok(report)
}

impl SiteCheck {
    /// Returns a check that knows the files of the directory if its URL is known, and a rule is about them.
    ///
    /// # Errors
    /// The exception of a signal handler.
    fn read_site(&self, walk: &Walk, clean_urls: bool, threads: usize) -> PyResult<CheckRun> {
        let mut run = self.selection.run();
        let Some(site) = self.site.as_ref().filter(|_| run.follows_links()) else {
            return Ok(run);
        };
        let left_out = walk.left_out.iter().map(PathBuf::as_path);
        let paths = walk.site_paths().chain(left_out);
        let targets = SiteTargets::new(site.url(), paths.map(site_path_bytes));
        let fragments = |file: &SiteFile| {
            let file = Some(file).filter(|file| !is_container(file))?;
            let fragments = self.read(file, SiteTargets::fragments_of).ok()?;
            Some((site_path_bytes(&file.site_path), fragments))
        };
        run.read_site(
            targets.clean_urls(clean_urls).with_rules_of(&walk.files),
            walk.documents.iter(),
            (threads, &AtomicBool::new(false)),
            fragments,
            || check_signals().map_err(error_of_io),
        )?;
        Ok(run)
    }

    /// Reads the document in a file, and calls `visit` with it.
    ///
    /// # Errors
    /// The problem with the file.
    fn read<R>(
        &self,
        file: &SiteFile,
        visit: impl FnOnce(&Document<'_>) -> R,
    ) -> Result<R, String> {
        let (bytes, _) = file
            .read()
            .map_err(|error| format!("cannot read: {error}"))?;
        if let Some(problem) = unsupported_format(&bytes) {
            return Err(format!("not checked: {problem}"));
        }
        let kind = document_kind(file).unwrap_or(DocumentKind::Html);
        let document = self.facts.document_of_kind(kind, &bytes);
        Ok(match self.url_of(file) {
            Some(url) => visit(&document.retrieved_from(&url)),
            None => visit(&document),
        })
    }

    /// Returns the URL of a file; `None` if that of the directory is unknown.
    fn url_of(&self, file: &SiteFile) -> Option<String> {
        let site = self.site.as_ref()?;
        site.url_of(&file.site_path)
    }

    /// Checks the documents in a file.
    fn check(&self, file: &SiteFile) -> Vec<CheckedDocument> {
        let checked = if is_container(file) {
            self.check_container(file)
        } else {
            let check = |document: &Document<'_>| self.check_document(file, None, document);
            self.read(file, check).map(|checked| vec![checked])
        };
        checked.unwrap_or_else(|reason| vec![Err(problem(file, None, &reason))])
    }

    /// Checks the documents in a container.
    ///
    /// # Errors
    /// The reason why it is not checked.
    fn check_container(&self, file: &SiteFile) -> Result<Vec<CheckedDocument>, String> {
        let opened = fs::File::open(&file.path).map_err(|error| format!("cannot read: {error}"));
        let (url, settings) = (self.url_of(file), self.containers.clone());
        let settings = url.iter().fold(settings, |to, url| to.retrieved_from(url));
        let source: Box<dyn Input> = Box::new(opened?);
        let (entities, errors) = archive::entities(FirstError::default().of(source), &settings)
            .map_err(|error| format!("not checked: {error}"))?;
        let mut checked = Vec::new();
        for entity in entities.chain(errors.into_iter().map(Err)) {
            let (label, error) = match entity {
                Ok(entity) => {
                    let (candidates, encoding) = (self.facts.candidates(), &self.facts.encoding);
                    let document = entity.document_with(&candidates, encoding.as_deref());
                    checked.push(self.check_document(file, Some(&entity.label), &document));
                    (Some(entity.label), entity.error)
                }
                Err(error) => (None, Some(error)),
            };
            checked.extend(error.map(|error| Err(problem(file, label.as_deref(), &error))));
        }
        Ok(checked)
    }

    /// Checks a document, which may be in a container.
    fn check_document(
        &self,
        file: &SiteFile,
        entity: Option<&str>,
        document: &Document<'_>,
    ) -> CheckedDocument {
        let mut site = self.run.check(&self.rewriter, document);
        if let Some(unsupported) = site.report.unsupported {
            return Err(problem(
                file,
                entity,
                &format!("not checked: {unsupported}"),
            ));
        }
        let found = mem::take(&mut site.report.findings);
        let (place, offsets) = ((Some(&*file.path), entity), TextOffsets::default());
        let findings = self.selection.findings(place, found, document, &offsets);
        Ok((findings, site))
    }
}

/// Returns a problem of a file, or of a document in it.
fn problem(file: &SiteFile, entity: Option<&str>, message: &dyn Display) -> FileProblem {
    let mut path = file.path.clone().into_os_string();
    path.extend(entity.map(|label| OsString::from(format!("!{label}"))));
    FileProblem::new(Path::new(&path), message)
}

/// Returns whether a file is a container by its name.
fn is_container(file: &SiteFile) -> bool {
    FileType::of_name(file.path.as_os_str()).is_some()
}

impl SiteReport {
    /// Adds the result for a document.
    fn add(&mut self, checked: CheckedDocument) {
        match checked {
            Ok((findings, site)) => {
                self.findings.extend(findings);
                self.documents += 1;
                self.suppressed += site.report.suppressed;
                self.left_to_server += site.left_to_server;
                self.outside += site.outside;
                self.counts.0 += site.report.counts;
            }
            Err(problem) => self.problems.push(problem),
        }
    }
}
