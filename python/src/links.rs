//! Lists of links. Python objects are created when they are accessed.

use std::sync::Arc;

use absolve::{Decision, LinkReport, Report, SkipReason, TextOffsets};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyEllipsis, PyIterator, PyRange, PyString, PyTuple};

use crate::base_url::base_url;

/// The links of a document, in document order.
#[pyclass(frozen, sequence, from_py_object, module = "absolve")]
#[derive(Clone)]
pub(crate) struct Links {
    source: Arc<Source>,
}

/// The place that links come from.
enum Source {
    Report(Report<'static>),
    /// A pickle.
    Values {
        links: Vec<Py<PyTuple>>,
        base: Py<PyAny>,
        problem: Option<String>,
    },
}

impl Links {
    /// Creates the list of the links in a report on a document with these offsets.
    pub(crate) fn new(mut report: Report<'_>, offsets: &TextOffsets<'_>) -> Self {
        for link_report in &mut report.links {
            link_report.link.span = link_report.link.span.map(|span| offsets.span(span));
        }
        Self {
            source: Arc::new(Source::Report(report.into_owned())),
        }
    }

    fn link(&self, index: usize) -> Option<Link> {
        (index < self.__len__()).then(|| Link {
            source: Arc::clone(&self.source),
            index,
        })
    }
}

#[pymethods]
impl Links {
    /// Returns links that have these values, which are those of a pickle.
    #[new]
    fn with_values(links: Vec<Py<PyTuple>>, base: Py<PyAny>, problem: Option<String>) -> Self {
        Self {
            source: Arc::new(Source::Values {
                links,
                base,
                problem,
            }),
        }
    }

    /// The base URL of the document.
    #[getter]
    pub(crate) fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &*self.source {
            Source::Report(report) => base_url(py, &report.base),
            Source::Values { base, .. } => Ok(base.bind(py).clone()),
        }
    }

    /// The reason why the document was not parsed; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        match &*self.source {
            Source::Report(report) => report.unsupported.as_ref().map(ToString::to_string),
            Source::Values { problem, .. } => problem.clone(),
        }
    }

    fn __len__(&self) -> usize {
        match &*self.source {
            Source::Report(report) => report.links.len(),
            Source::Values { links, .. } => links.len(),
        }
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
        let links = selected.try_iter()?;
        let links = links.map(|index| Ok(self.link(index?.extract()?)));
        let links = links.collect::<PyResult<Vec<_>>>()?;
        links.into_pyobject(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let links = (0..self.__len__()).map(|index| self.link(index));
        PyTuple::new(py, links)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<Links: {}>", self.__len__())
    }
}

/// A link of a document.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Link {
    source: Arc<Source>,
    index: usize,
}

impl Link {
    /// Returns the value of a column, which `of_report` reads, or which is at an index of a tuple.
    fn value<'l, 'py, T: IntoPyObjectExt<'py>>(
        &'l self,
        py: Python<'py>,
        column: usize,
        of_report: impl FnOnce(&'l LinkReport<'static>) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        match &*self.source {
            Source::Report(report) => of_report(&report.links[self.index]).into_bound_py_any(py),
            Source::Values { links, .. } => links[self.index].bind(py).get_item(column),
        }
    }
}

#[pymethods]
impl Link {
    /// Returns a link that has these values, which are those of a pickle.
    #[new]
    #[pyo3(signature = (*values))]
    fn with_values(py: Python<'_>, values: Py<PyTuple>) -> Self {
        let Links { source } = Links::with_values(vec![values], py.None(), None);
        Self { source, index: 0 }
    }

    /// The local name of the element, with the prefix svg: or math: in SVG and MathML.
    #[getter]
    fn element<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 0, |link| &*link.link.element)
    }

    /// The name of the attribute, or #text.
    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 1, |link| &*link.link.attribute)
    }

    /// The syntax of the value that contains the reference.
    #[getter]
    fn grammar<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 2, |link| link.link.grammar.name())
    }

    /// The purpose of the link.
    #[getter]
    fn role<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 3, |link| link.link.role.name())
    }

    /// The reference, decoded.
    #[getter]
    fn reference<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 4, |link| &*link.link.reference)
    }

    /// The target; None if the link is skipped.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 5, LinkReport::target)
    }

    /// The base URL that the reference resolves against; None if it is unknown.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 6, |link| link.base.as_ref().map(|base| &*base.url))
    }

    /// The source of that base URL.
    #[getter]
    fn base_source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 7, |link| {
            link.base.as_ref().map(|base| base.source.name())
        })
    }

    /// The status of the link: resolved, absolute or skipped.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 8, |link| link.outcome.name())
    }

    /// The reason why the link is skipped.
    #[getter]
    fn reason<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 9, |link| link.skip_reason().map(SkipReason::name))
    }

    /// The offset of the reference as written, in bytes, or in characters of a str.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 10, |link| link.link.span.map(|span| span.start))
    }

    /// The offset after it.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 11, |link| link.link.span.map(|span| span.end))
    }

    /// The number of nested documents (srcdoc) around the link.
    #[getter]
    fn depth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, 12, |link| link.depth)
    }

    /// Unpacks as (element, attribute, reference, start), similar to the tuples of lxml.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let link = [
            self.element(py)?,
            self.attribute(py)?,
            self.reference(py)?,
            self.start(py)?,
        ];
        Ok(PyTuple::new(py, link)?.try_iter()?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let reference: String = self.reference(py)?.extract()?;
        let result = match self.target(py)?.extract::<Option<String>>()? {
            Some(target) => format!("-> {target:?}"),
            None => format!("({})", self.reason(py)?),
        };
        let (element, attribute) = (self.element(py)?, self.attribute(py)?);
        Ok(format!(
            "<Link {element}[{attribute}] {reference:?} {result}>"
        ))
    }
}

/// Asks `function` about a link, or that which a dict has for its grammar: without any, the link is resolved.
pub(crate) fn decision(
    function: &Bound<'_, PyAny>,
    link_report: &LinkReport<'_>,
    offsets: &TextOffsets<'_>,
) -> PyResult<Decision> {
    let function = match function.cast::<PyDict>() {
        Ok(functions) => functions.get_item(link_report.link.grammar.name())?,
        Err(_) => Some(function.clone()),
    };
    let Some(function) = function else {
        return Ok(Decision::Resolve);
    };
    let mut report = Report::default();
    report.links.push(link_report.clone());
    let answer = function.call1((Links::new(report, offsets).link(0),))?;
    if answer.is_none() {
        return Ok(Decision::Remove);
    }
    if let Ok(text) = answer.cast::<PyString>() {
        return Ok(Decision::Replace(text.to_str()?.to_owned()));
    }
    if let Ok(answer) = answer.cast::<PyTuple>() {
        let (text, added): (String, Bound<'_, PyDict>) = answer.extract()?;
        return Ok(Decision::ReplaceAdding(text, added.items().extract()?));
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
        "the function must return a str, a str and a dict, None, KEEP or RESOLVE, not {kind}"
    )))
}
