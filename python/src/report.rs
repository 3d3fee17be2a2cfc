//! Results: rewritten documents and streams.

use std::collections::BTreeMap;

use absolve::{LinkCounts, LinkReport, Report, TextOffsets};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::base_url::base_url;
use crate::links::Links;

/// A rewritten document and its report.
#[pyclass(frozen, generic, get_all, new = "from_fields", module = "absolve")]
pub(crate) struct Rewritten {
    /// The document: an object of the type of the input, and the input itself if nothing changed.
    content: Py<PyAny>,
    /// The number of edits.
    edited: usize,
    /// Whether the document differs from the input.
    changed: bool,
    /// The links that were left as they were, each with its reason.
    skipped: Links,
    /// The number of links that are resolved, absolute and skipped.
    counts: Counts,
    /// The reason why the document was not parsed, or why none of its edits could be written; None usually.
    problem: Option<String>,
}

impl Rewritten {
    /// Creates the result for a document whose offsets are `offsets`.
    pub(crate) fn new(
        content: Bound<'_, PyAny>,
        changed: bool,
        edited: usize,
        report: Report<'_>,
        offsets: &TextOffsets<'_>,
    ) -> Self {
        Self {
            content: content.unbind(),
            edited,
            changed,
            counts: Counts(report.counts),
            problem: report.problem(),
            skipped: Links::new(report, offsets),
        }
    }
}

/// The number of links by outcome, which is a dictionary in Python.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts(pub(crate) LinkCounts);

/// The name of an outcome in Python, and its number.
type Count = (&'static str, fn(&mut LinkCounts) -> &mut usize);

/// All outcomes.
const COUNTS: [Count; 5] = [
    ("resolved", |counts| &mut counts.resolved),
    ("absolute", |counts| &mut counts.absolute),
    ("skipped", |counts| &mut counts.skipped),
    ("beside", |counts| &mut counts.beside),
    ("left", |counts| &mut counts.left),
];

impl<'py> IntoPyObject<'py> for Counts {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut counts = self.0;
        let counts = COUNTS.map(|(outcome, count)| (outcome, *count(&mut counts)));
        counts.into_py_dict(py)
    }
}

impl FromPyObject<'_, '_> for Counts {
    type Error = PyErr;

    fn extract(counts: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let mut counted = LinkCounts::default();
        for (outcome, count) in COUNTS {
            *count(&mut counted) = counts.get_item(outcome)?.extract()?;
        }
        Ok(Self(counted))
    }
}

/// Adds the number of skipped links by reason to `skipped`.
pub(crate) fn count_skipped(report: &Report<'_>, skipped: &mut BTreeMap<String, usize>) {
    for reason in report.links.iter().filter_map(LinkReport::skip_reason) {
        *skipped.entry(reason.name().to_owned()).or_default() += 1;
    }
}

#[pymethods]
impl Rewritten {
    /// The base URL of the document.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.skipped.base(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let base: String = self.base(py)?.extract()?;
        Ok(format!("<Rewritten edited={} base={base:?}>", self.edited))
    }
}

/// The result of rewriting a stream.
#[pyclass(frozen, get_all, new = "from_fields", module = "absolve")]
pub(crate) struct StreamReport {
    /// Whether the output differs from the input.
    changed: bool,
    /// The number of edits.
    edited: usize,
    /// The number of bytes that were read.
    read: u64,
    /// The number of bytes that were written.
    written: u64,
    /// The base URL of the document.
    base: Py<PyAny>,
    /// The number of links that are resolved, absolute and skipped.
    counts: Counts,
    /// The number of skipped links by reason.
    skipped: BTreeMap<String, usize>,
    /// The reason why the document was held in memory as a whole; None if it was streamed.
    buffered: Option<String>,
}

impl StreamReport {
    pub(crate) fn new(py: Python<'_>, report: &absolve::stream::StreamReport) -> PyResult<Self> {
        let skipped = report.skipped.iter();
        let skipped = skipped.map(|count| (count.reason.name().to_owned(), count.count));
        Ok(Self {
            changed: report.is_changed,
            edited: report.edited,
            read: report.read,
            written: report.written,
            base: base_url(py, &report.report.base)?.unbind(),
            counts: Counts(report.report.counts),
            skipped: skipped.collect(),
            buffered: report.buffered.map(|reason| reason.to_string()),
        })
    }
}

#[pymethods]
impl StreamReport {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (edited, base) = (self.edited, self.base.extract::<String>(py)?);
        Ok(format!("<StreamReport edited={edited} base={base:?}>"))
    }
}
