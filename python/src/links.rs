//! Lists of links. Python objects are created when they are accessed.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use absolve::{Decision, LinkReport, Report, SkipReason, TextOffsets};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyString, PyTuple};

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
        let is_valid = index < self.report.links.len();
        is_valid.then(|| Link {
            place: Place::Listed(Arc::clone(&self.report), index),
        })
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
        let length = self.__len__();
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(isize::try_from(length)?)?;
            let positions = (0..indices.slicelength).map(|number| {
                // Within the list, by the definition of `indices`.
                (indices.start + number.cast_signed() * indices.step).cast_unsigned()
            });
            let links: Vec<Link> = positions.filter_map(|index| self.link(index)).collect();
            return links.into_pyobject(py);
        }
        let index: isize = index.extract()?;
        let from_start = if index < 0 {
            length.checked_add_signed(index)
        } else {
            Some(index.cast_unsigned())
        };
        let link = from_start.and_then(|index| self.link(index));
        let link = link.ok_or_else(|| PyIndexError::new_err("index out of range"))?;
        Ok(Bound::new(py, link)?.into_any())
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
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Link {
    place: Place,
}

/// The location of a [`LinkReport`].
enum Place {
    /// At an index of a report.
    Listed(Arc<Report<'static>>, usize),
    /// A link for a callback.
    Single(Box<LinkReport<'static>>),
}

impl Link {
    /// Creates the link that a callback gets.
    fn single(link_report: LinkReport<'static>) -> Self {
        Self {
            place: Place::Single(Box::new(link_report)),
        }
    }
}

impl Deref for Link {
    type Target = LinkReport<'static>;

    fn deref(&self) -> &LinkReport<'static> {
        match &self.place {
            Place::Listed(report, index) => &report.links[*index],
            Place::Single(link_report) => link_report,
        }
    }
}

#[pymethods]
impl Link {
    /// The local name of the element, with the prefix svg: or math: in SVG and MathML.
    #[getter]
    fn element(&self) -> &str {
        &self.link.element
    }

    /// The name of the attribute, or #text.
    #[getter]
    fn attribute(&self) -> &str {
        &self.link.attribute
    }

    /// The syntax of the value that contains the reference.
    #[getter]
    fn grammar(&self) -> &'static str {
        self.link.grammar.name()
    }

    /// The purpose of the link.
    #[getter]
    fn role(&self) -> &'static str {
        self.link.role.name()
    }

    /// The reference, decoded.
    #[getter]
    fn reference(&self) -> &str {
        &self.link.reference
    }

    /// The target; None if the link is skipped.
    #[getter]
    fn target(&self) -> Option<&str> {
        LinkReport::target(self)
    }

    /// The base URL that the reference resolves against; None if it is unknown.
    #[getter]
    fn base(&self) -> Option<&str> {
        self.base.as_ref().map(|base| &*base.url)
    }

    /// The source of that base URL.
    #[getter]
    fn base_source(&self) -> Option<&'static str> {
        self.base.as_ref().map(|base| base.source.name())
    }

    /// The status of the link: resolved, absolute or skipped.
    #[getter]
    fn status(&self) -> &'static str {
        self.outcome.name()
    }

    /// The reason why the link is skipped.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.skip_reason().map(SkipReason::name)
    }

    /// The offset of the reference as written, in bytes, or in characters of a str.
    #[getter]
    fn start(&self) -> Option<usize> {
        self.link.span.map(|span| span.start)
    }

    /// The offset after it.
    #[getter]
    fn end(&self) -> Option<usize> {
        self.link.span.map(|span| span.end)
    }

    /// The number of nested documents (srcdoc) around the link.
    #[getter]
    fn depth(&self) -> usize {
        self.depth
    }

    /// Unpacks as (element, attribute, reference, start), similar to the tuples of lxml.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let link = (
            self.element(),
            self.attribute(),
            self.reference(),
            self.start(),
        );
        let tuple: Bound<'py, PyTuple> = link.into_pyobject(py)?;
        Ok(tuple.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        let (element, attribute) = (self.element(), self.attribute());
        let reference = self.reference();
        match (self.target(), self.reason()) {
            (Some(target), _) => {
                format!("<Link {element}[{attribute}] {reference:?} -> {target:?}>")
            }
            (None, reason) => {
                let reason = reason.unwrap_or("skipped");
                format!("<Link {element}[{attribute}] {reference:?} ({reason})>")
            }
        }
    }
}

/// Asks `function` about a link.
pub(crate) fn decision(
    function: &Bound<'_, PyAny>,
    link_report: &LinkReport<'_>,
    offsets: &TextOffsets<'_>,
) -> PyResult<Decision> {
    let mut link_report = link_report.clone().into_owned();
    link_report.link.span = link_report.link.span.map(|span| offsets.span(span));
    let answer = function.call1((Link::single(link_report),))?;
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
