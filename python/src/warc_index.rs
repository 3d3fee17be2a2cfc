//! The places of the records in a WARC archive.

use std::sync::Mutex;

use absolve_archive::container::ContainerError;
use absolve_archive::container::warc::WarcReader;
use pyo3::prelude::*;

use crate::container::Source;
use crate::lock::lock;
use crate::python_io::{self, FirstError, error_of_io};

/// An iterator over the places of the records: pairs of offset and length in bytes.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct WarcIndex {
    index: Mutex<absolve_archive::container::warc::WarcIndex<Source>>,
    problem: Mutex<Option<ContainerError>>,
    source_error: FirstError,
}

#[pymethods]
impl WarcIndex {
    /// Reads an archive: `bytes`, the path of a file, or a binary file.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let source_error = FirstError::default();
        let reader = WarcReader::new(source_error.of(python_io::open(source)?));
        Ok(Self {
            index: Mutex::new(absolve_archive::container::warc::WarcIndex::new(reader)),
            problem: Mutex::new(None),
            source_error,
        })
    }

    /// The first error in the archive, so far; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        lock(&self.problem).map(|error| error.to_string())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        py.check_signals()?;
        let next = py.detach(|| {
            // Places may follow an error.
            lock(&self.index).find_map(|place| match place {
                Ok(place) => Some((place.offset, place.length)),
                Err(error) => {
                    lock(&self.problem).get_or_insert(error);
                    None
                }
            })
        });
        self.source_error
            .take()
            .map_or(Ok(next), |error| Err(error_of_io(error)))
    }
}
