//! The places of the records in a WARC archive.

use absolve_archive::container::warc;
use pyo3::prelude::*;

use crate::container::{Source, SourceItems};
use crate::python_io::{self, FirstError};

/// An iterator over the places of the records: pairs of offset and length in bytes.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct WarcIndex {
    places: SourceItems<warc::WarcIndex<Source>>,
}

#[pymethods]
impl WarcIndex {
    /// Reads an archive: `bytes`, the path of a file, or a binary file.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let source_error = FirstError::default();
        let reader = warc::WarcReader::new(source_error.of(python_io::open(source)?));
        let places = warc::WarcIndex::new(reader);
        Ok(Self {
            places: SourceItems::new(places, Vec::new(), source_error),
        })
    }

    /// The first error in the archive, so far; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        self.places.errors().first().map(ToString::to_string)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        let place = self.places.next(py)?;
        Ok(place.map(|place| (place.offset, place.length)))
    }
}
