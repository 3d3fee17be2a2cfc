//! The places of the records in a WARC archive.

use std::sync::{Mutex, PoisonError};

use absolve_archive::container::ContainerError;
use absolve_archive::container::warc::WarcReader;
use pyo3::prelude::*;

use crate::container::Source;
use crate::python_io::{self, FirstError, error_of_io};

/// An iterator over the places of the records: pairs of offset and length in bytes.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct WarcIndex {
    index: Mutex<absolve_archive::container::warc::WarcIndex<Source>>,
    damage: Mutex<Option<ContainerError>>,
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
            damage: Mutex::new(None),
            source_error,
        })
    }

    /// The error that ended reading before the end of the archive; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        let damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.map(|error| error.to_string())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        py.check_signals()?;
        let next = py.detach(|| {
            let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
            index.next()
        });
        if let Some(error) = self.source_error.take() {
            return Err(error_of_io(error));
        }
        Ok(match next {
            Some(Ok(place)) => Some((place.offset, place.length)),
            Some(Err(error)) => {
                *self.damage.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            }
            None => None,
        })
    }
}
