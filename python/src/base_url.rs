//! Base URLs as `absolve.BaseUrl`, a subclass of `str` that is written in Python.

use absolve::BaseReport;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

static BASE_URL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the base URL of a document with all candidates for it; an empty string if there is none.
pub(crate) fn base_url<'py>(py: Python<'py>, report: &BaseReport) -> PyResult<Bound<'py, PyAny>> {
    let class = BASE_URL.get_or_try_init(py, || {
        PyResult::Ok(py.import("absolve._base_url")?.getattr("BaseUrl")?.unbind())
    })?;
    let candidates = report.candidates.iter().map(|candidate| {
        (
            candidate.source.name(),
            &*candidate.value,
            candidate.status.is_used(),
            candidate.status.is_completing(),
            candidate.status.to_string(),
        )
    });
    let candidates: Vec<_> = candidates.collect();
    let base = report.base.as_ref();
    let url = base.map_or("", |base| &*base.url);
    let source = base.map(|base| base.source.name());
    class.bind(py).call1((url, source, candidates))
}
