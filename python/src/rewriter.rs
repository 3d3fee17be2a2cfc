//! [`Rewriter`]: settings, and the methods that process one document.

use std::sync::{Arc, LazyLock};

use absolve::tree::rewrite_document;
use absolve::{Decision, DocumentKind, Profile, TextOffsets};
use absolve_archive::{ArchiveSettings, ContainerLimit, RecordForm};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::archive_report::ArchiveReport;
use crate::argument::{Argument, changed};
use crate::check::{Finding, RuleSelection};
use crate::container;
use crate::document_batches::DocumentReader;
use crate::facts::Facts;
use crate::link_batches::LinkBatches;
use crate::links::{Links, decision};
use crate::many::RewrittenMany;
use crate::options::{self, choice, extract, invalid, thread_count};
use crate::python_io::{self, error_of_io, error_of_stream};
use crate::report::{Rewritten, StreamReport};
use crate::rewrite_archive::ArchiveRewrite;
use crate::warc_batches::WarcLinkBatches;

/// Settings for documents. One rewriter serves any number of documents, on any number of threads.
///
/// All options have the names of the options of the command `absolve rewrite`.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Rewriter {
    pub(crate) settings: Arc<absolve::Rewriter>,
    pub(crate) profile: Profile,
    pub(crate) containers: ArchiveSettings,
    /// Pairs of the name of an option and its value, or the items of it: all of them, in the order of the arguments.
    options: Py<PyTuple>,
}

/// The rewriter without options.
static DEFAULT: LazyLock<absolve::Rewriter> = LazyLock::new(absolve::Rewriter::new);

/// Rewriters by their options: compiling a selector takes longer than rewriting a short page.
static RECENT: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Number of rewriters after which [`RECENT`] is emptied.
const RECENT_LEN: usize = 16;

#[pymethods]
impl Rewriter {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, profile='rfc1808', base_scope=None, base_origin='any', unwrap='none', to='absolute', \
            fragments='resolve', base_element='absolutize', escape='url', normalize=False, lenient=False, limit=None, \
            map=None, map_url=None, preset=None, link=None, skip=None, placeholders=None, remove=None, \
            remove_attribute=None, insert=None, keep_original=None)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Py<Self>> {
        let options = options::complete(py, options)?;
        let recent = RECENT.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
        // Values that have no hash are invalid, which the following finds.
        if let Ok(Some(known)) = recent.get_item(&options) {
            return Ok(known.cast_into()?.unbind());
        }
        let (settings, profile, containers) = options::rewriter(&options)?;
        let rewriter = Self {
            settings: Arc::new(settings),
            profile,
            containers,
            options: options.clone().unbind(),
        };
        let rewriter = Py::new(py, rewriter)?;
        if recent.len() == RECENT_LEN {
            recent.clear();
        }
        recent.set_item(options, &rewriter)?;
        Ok(rewriter)
    }

    /// Returns the arguments of `__new__` for an equal rewriter, which pickle and copy call.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), PyDict::from_sequence(self.options.bind(py))?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.options.bind(py).eq(&other.options)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.options.bind(py).hash()
    }

    /// Rewrites a document.
    ///
    /// `emit="tree"` returns the serialized tree of an HTML document, with normalized quotes, letter case and white
    /// space in tags.
    #[pyo3(signature = (html, url = None, *, emit = "source", **facts))]
    fn rewrite(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        emit: &str,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Rewritten> {
        let argument = Argument::new(html, url, facts, self.profile)?;
        if choice("emit", emit, &["source", "tree"])? == 1 {
            return self.rewrite_tree(&argument, html.py());
        }
        let (rewritten, offsets) = html.py().detach(|| {
            let rewritten = self.settings.rewrite(&argument.document());
            // Only spans need them.
            let offsets = rewritten.report.links.first();
            let offsets = offsets.map(|_| argument.input.offsets());
            (rewritten, offsets.unwrap_or_default())
        });
        let changed = changed(rewritten.bytes);
        let output = argument.input.output(html.py(), changed.as_deref())?;
        let (edited, report) = (rewritten.edited, rewritten.report);
        Ok(Rewritten::new(output, edited > 0, edited, report, &offsets))
    }

    /// Returns the links of a document.
    #[pyo3(signature = (html, url = None, **facts))]
    fn links(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Links> {
        let argument = Argument::new(html, url, facts, self.profile)?;
        Ok(html.py().detach(|| {
            let report = self.settings.links(&argument.document());
            Links::new(report, &argument.input.offsets())
        }))
    }

    /// Returns the base URL of a document: a str that knows where it comes from.
    #[pyo3(signature = (html, url = None, **facts))]
    fn base<'py>(
        &self,
        html: &Bound<'py, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let argument = Argument::new(html, url, facts, self.profile)?;
        let report = html
            .py()
            .detach(|| self.settings.links(&argument.document()).base);
        crate::base_url::base_url(html.py(), &report)
    }

    /// Returns the problems of a document with its base URL and its links.
    ///
    /// Only the rules in `select` are checked, by default all, without those in `ignore`. Findings of those in `warn`
    /// are warnings.
    #[pyo3(signature = (html, url = None, *, select = None, ignore = None, warn = None, **facts))]
    fn check(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        select: Option<&Bound<'_, PyAny>>,
        ignore: Option<&Bound<'_, PyAny>>,
        warn: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Finding>> {
        let argument = Argument::new(html, url, facts, self.profile)?;
        let selection = RuleSelection::new(select, ignore, warn)?;
        Ok(html.py().detach(|| {
            let document = argument.document();
            let checked = selection.run().check(&self.settings, &document);
            let (found, offsets) = (checked.report.findings, argument.input.offsets());
            selection.findings((None, None), found, &document, &offsets)
        }))
    }

    /// Rewrites a document as a function decides, which is called with each link, or as a dict of functions by grammars
    /// decides, whose other links are resolved.
    ///
    /// It returns a str to write in place of the reference, a pair of that and a dict of attributes to add, None to
    /// remove the attribute, `KEEP` to leave the link as it is, or `RESOLVE` to write its target. The interpreter lock
    /// is held throughout. An exception of the function ends the rewrite.
    #[pyo3(signature = (html, function, url = None, **facts))]
    fn rewrite_links<'py>(
        &self,
        html: &Bound<'py, PyAny>,
        function: &Bound<'py, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let argument = Argument::new(html, url, facts, self.profile)?;
        let offsets = argument.input.offsets();
        let mut result = Ok(());
        let document = argument.document();
        let rewritten = self.settings.rewrite_with(&document, |link_report| {
            if result.is_err() {
                return Decision::Keep;
            }
            decision(function, link_report, &offsets).unwrap_or_else(|raised| {
                result = Err(raised);
                Decision::Keep
            })
        });
        result?;
        (argument.input).output(html.py(), changed(rewritten.bytes).as_deref())
    }

    /// Rewrites a document while it is read, in bounded memory.
    ///
    /// Source and destination are paths or binary files; the source may be bytes. A file at a destination path is
    /// replaced when its new content is complete. An exception of a file ends the rewrite; what was written to a binary
    /// file before it is correct, but incomplete.
    #[pyo3(signature = (source, destination, url = None, **facts))]
    fn rewrite_stream(
        &self,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<StreamReport> {
        let facts = Facts::new(url, facts, self.profile)?;
        let mut input = python_io::open(source)?;
        let destination = python_io::destination(destination)?;
        let report = source.py().detach(|| {
            let sniffed = facts.take_sniffed(&mut input).map_err(error_of_io)?;
            let document = facts.document(&sniffed, false);
            destination.write(|output| {
                let (settings, spool) = (&self.settings, tempfile::tempfile);
                let report = settings.rewrite_stream(&document, input, spool, output);
                report.map_err(error_of_stream)
            })
        });
        StreamReport::new(source.py(), &report?)
    }

    /// Rewrites documents on several threads, and yields the results in order.
    ///
    /// The documents are pairs of a document and its URL, read from any iterable as they are needed. `threads=0` means
    /// one for each processor.
    #[pyo3(signature = (documents, *, threads = 0))]
    fn rewrite_many(
        &self,
        documents: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = thread_count)] threads: usize,
    ) -> PyResult<RewrittenMany> {
        let settings = Arc::clone(&self.settings);
        RewrittenMany::new(settings, self.profile, documents, threads)
    }

    /// Rewrites the documents in an HTTP dump, a MIME message or a WARC archive, and copies all other bytes.
    ///
    /// Source and destination are paths or binary files; the source may be bytes. A file at a destination path is
    /// replaced when its new content is complete. After an exception of a file, what was written before it is correct,
    /// but incomplete.
    #[pyo3(signature = (
        source, destination, url = None, *, in_records = false, legacy_headers = false, **facts
    ))]
    fn rewrite_archive(
        &self,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
        url: Option<&str>,
        in_records: bool,
        legacy_headers: bool,
        facts: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ArchiveReport> {
        let record_form = if in_records {
            RecordForm::Replaced
        } else {
            RecordForm::Conversion
        };
        let rewrite = ArchiveRewrite {
            rewriter: &self.settings,
            facts: Facts::new(None, facts, self.profile)?,
            settings: container::settings(url, legacy_headers, &self.containers, self.profile)?,
            record_form,
        };
        rewrite.run(source, destination)
    }

    /// Finds the links of documents on several threads, as record batches of Apache Arrow.
    ///
    /// The documents are pairs of a document and its URL, read from any iterable as they are needed. `threads=0` means
    /// one for each processor. With `element_text`, the table has the columns `text`, `rel` and `alt`.
    #[pyo3(signature = (documents, *, threads = 0, element_text = false))]
    fn links_arrow(
        &self,
        documents: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = thread_count)] threads: usize,
        element_text: bool,
    ) -> PyResult<LinkBatches> {
        let settings = Arc::clone(&self.settings);
        DocumentReader::batches(settings, self.profile, documents, threads, element_text)
    }

    /// Finds the links of the documents in a WARC archive, as record batches of Apache Arrow.
    ///
    /// The source is a path, bytes, or a binary file, which is read from its position as it is needed. `name` is the
    /// value of the column `warc`. `parts` are pairs of offsets, in order: only records are read that begin at the
    /// first one or after it, and before the second one. The source must be able to seek then. With `element_text`, the
    /// table has the columns `text`, `rel` and `alt`.
    #[pyo3(signature = (
        source, *, name = "", parts = None, url = None, legacy_headers = false, document_limit = None,
        record_limit = None, element_text = false,
    ))]
    fn warc_links_arrow(
        &self,
        source: &Bound<'_, PyAny>,
        name: &str,
        parts: Option<&Bound<'_, PyAny>>,
        url: Option<&str>,
        legacy_headers: bool,
        document_limit: Option<&Bound<'_, PyAny>>,
        record_limit: Option<&Bound<'_, PyAny>>,
        element_text: bool,
    ) -> PyResult<Py<WarcLinkBatches>> {
        let mut settings =
            container::settings(url, legacy_headers, &self.containers, self.profile)?
                .header_links(true);
        if let Some(bytes) = document_limit {
            settings = settings.limit(
                ContainerLimit::DecodedSize,
                extract("document_limit", bytes)?,
            );
        }
        if let Some(bytes) = record_limit {
            settings = settings.limit(ContainerLimit::RecordSize, extract("record_limit", bytes)?);
        }
        let parts = parts.map(|parts| extract("parts", parts)).transpose()?;
        let rewriter = Arc::clone(&self.settings);
        let input = python_io::open(source)?;
        let batches = WarcLinkBatches::new(rewriter, name, input, &settings, parts, element_text);
        Py::new(source.py(), batches)
    }

    fn __repr__(&self) -> String {
        format!("<Rewriter profile={}>", self.profile.name())
    }
}

impl Rewriter {
    /// Rewrites the tree of a document, and serializes it, unless the document or markup within it is unsupported.
    ///
    /// # Errors
    /// `ValueError`: the document is not HTML.
    fn rewrite_tree(&self, argument: &Argument, py: Python<'_>) -> PyResult<Rewritten> {
        let bytes = argument.input.bytes();
        let document = argument.document();
        if document.kind() != DocumentKind::Html {
            let hint = "use 'source'";
            return Err(invalid("emit", "tree", "only HTML has a tree", hint));
        }
        let rewritten = py.detach(|| rewrite_document(&self.settings, &document));
        let changed = Some(&*rewritten.bytes).filter(|serialized| *serialized != bytes);
        let output = argument.input.output(py, changed)?;
        Ok(Rewritten::new(
            output,
            changed.is_some(),
            rewritten.edited,
            rewritten.report,
            &TextOffsets::default(),
        ))
    }
}

/// Returns a document with absolute links: `bytes` for `bytes`, and `str` for `str`.
///
/// The document is returned itself if nothing changes.
#[pyfunction]
pub(crate) fn make_links_absolute<'py>(
    html: &Bound<'py, PyAny>,
    base_url: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let argument = Argument::new(html, Some(base_url), None, Profile::default())?;
    let rewritten = html.py().detach(|| DEFAULT.rewrite(&argument.document()));
    argument
        .input
        .output(html.py(), changed(rewritten.bytes).as_deref())
}
