//! Lists of links. Python objects are created when they are accessed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use absolve::{Decision, LinkReport, Report, Span, TextOffsets};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyRange, PyString, PyTuple};

use crate::base_url::base_url;

/// The links of a document, in document order.
#[pyclass(frozen, sequence, module = "absolve")]
pub(crate) struct Links {
    report: Arc<Report<'static>>,
}

impl Links {
    /// Creates the list of the links in a report.
    pub(crate) fn new(report: Arc<Report<'static>>) -> Self {
        Self { report }
    }

    fn link(&self, index: usize) -> Option<Link> {
        let link_report = self.report.links.get(index)?;
        Some(Link::new(link_report, link_report.link.span))
    }
}

#[pymethods]
impl Links {
    /// The base URL of the document.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        base_url(py, &self.report.base)
    }

    /// The reason why the document was not parsed; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        self.report.unsupported.as_ref().map(ToString::to_string)
    }

    fn __len__(&self) -> usize {
        self.report.links.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Some(link) = index.extract().ok().and_then(|index| self.link(index)) {
            return link.into_bound_py_any(py);
        }
        // A range of the same length knows what another index or a slice selects.
        let range = PyRange::new(py, 0, isize::try_from(self.__len__())?)?;
        let selected = range.get_item(index)?;
        if let Ok(index) = selected.extract() {
            return self.link(index).into_bound_py_any(py);
        }
        let mut links = Vec::new();
        for index in selected.try_iter()? {
            links.extend(self.link(index?.extract()?));
        }
        links.into_pyobject(py)
    }

    fn __iter__(&self) -> LinkIterator {
        LinkIterator {
            links: Self::new(Arc::clone(&self.report)),
            next: AtomicUsize::new(0),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Links: {}>", self.__len__())
    }
}

/// An iterator over [`Links`].
#[pyclass(frozen, module = "absolve")]
struct LinkIterator {
    links: Links,
    next: AtomicUsize,
}

#[pymethods]
impl LinkIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> Option<Link> {
        self.links.link(self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn __length_hint__(&self) -> usize {
        let next = self.next.load(Ordering::Relaxed);
        self.links.__len__().saturating_sub(next)
    }
}

/// A link of a document.
#[pyclass(frozen, get_all, module = "absolve")]
pub(crate) struct Link {
    /// The local name of the element, with the prefix svg: or math: in SVG and MathML.
    element: String,
    /// The name of the attribute, or #text.
    attribute: String,
    /// The syntax of the value that contains the reference.
    grammar: &'static str,
    /// The purpose of the link.
    role: &'static str,
    /// The reference, decoded.
    reference: String,
    /// The target; None if the link is skipped.
    target: Option<String>,
    /// The base URL that the reference resolves against; None if it is unknown.
    base: Option<String>,
    /// The source of that base URL.
    base_source: Option<&'static str>,
    /// The status of the link: resolved, absolute or skipped.
    status: &'static str,
    /// The reason why the link is skipped.
    reason: Option<&'static str>,
    /// The offset of the reference as written, in bytes, or in characters of a str.
    start: Option<usize>,
    /// The offset after it.
    end: Option<usize>,
    /// The number of nested documents (srcdoc) around the link.
    depth: usize,
}

impl Link {
    /// Creates a link, whose span is in the unit of the input.
    fn new(link_report: &LinkReport<'_>, span: Option<Span>) -> Self {
        let row = link_report.row();
        Self {
            element: row.element.to_owned(),
            attribute: row.attribute.to_owned(),
            grammar: row.grammar,
            role: row.role,
            reference: row.reference.to_owned(),
            target: row.target.map(str::to_owned),
            base: row.base.map(str::to_owned),
            base_source: row.base_source,
            status: row.status,
            reason: row.reason,
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            depth: link_report.depth,
        }
    }
}

#[pymethods]
impl Link {
    /// Unpacks as (element, attribute, reference, start), similar to the tuples of lxml.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let link = (&self.element, &self.attribute, &self.reference, self.start);
        let tuple: Bound<'py, PyTuple> = link.into_pyobject(py)?;
        Ok(tuple.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        let result = match (&self.target, self.reason) {
            (Some(target), _) => format!("-> {target:?}"),
            (None, reason) => format!("({})", reason.unwrap_or("skipped")),
        };
        let (element, attribute) = (&self.element, &self.attribute);
        format!(
            "<Link {element}[{attribute}] {:?} {result}>",
            self.reference
        )
    }
}

/// Asks `function` about a link.
pub(crate) fn decision(
    function: &Bound<'_, PyAny>,
    link_report: &LinkReport<'_>,
    offsets: &TextOffsets<'_>,
) -> PyResult<Decision> {
    let span = link_report.link.span.map(|span| offsets.span(span));
    let answer = function.call1((Link::new(link_report, span),))?;
    if answer.is_none() {
        return Ok(Decision::Remove);
    }
    if let Ok(text) = answer.cast::<PyString>() {
        return Ok(Decision::Replace(text.to_str()?.to_owned()));
    }
    // The constants of the package: `KEEP` is `...`, and `RESOLVE` is `True`.
    if answer.is_instance_of::<PyEllipsis>() {
        return Ok(Decision::Keep);
    }
    if answer.is_exact_instance_of::<PyBool>() && answer.is_truthy()? {
        return Ok(Decision::Resolve);
    }
    let kind = answer.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "the function must return a str, None, KEEP or RESOLVE, not {kind}"
    )))
}
