//! Documents in HTTP dumps, mail, MHTML and WARC archives.

use std::io::{Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

use absolve::archive::{ArchiveSettings, Container, WarcEntities, warc_entities};
use absolve::container::{ContainerError, Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::input::Offsets;
use crate::links::Links;
use crate::options::check_base;
use crate::python_io::{PythonReader, error_of_io};
use crate::report::{Rewritten, in_units_of_input};
use crate::rewriter::Rewriter;

/// Number of bytes that are examined to detect the format.
const SNIFF_BYTES: u64 = 4096;

/// The entities that were found, or are still to be read.
enum Source {
    /// Those of an archive, which is read one record after another.
    Warc(WarcEntities<Box<dyn Read + Send>>),
    /// Those of a dump or message.
    Read(std::vec::IntoIter<absolve::archive::Entity<'static>>),
}

/// An iterator over the documents of a container.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Archive {
    source: Mutex<Source>,
    errors: Mutex<Vec<String>>,
    settings: Arc<absolve::Rewriter>,
}

#[pymethods]
impl Archive {
    /// Reads a container: a binary file, or bytes.
    #[new]
    #[pyo3(signature = (file, rewriter, *, url = None, legacy_headers = false))]
    fn new(
        file: &Bound<'_, PyAny>,
        rewriter: &Rewriter,
        url: Option<&str>,
        legacy_headers: bool,
    ) -> PyResult<Self> {
        let mut settings = ArchiveSettings::new().legacy_headers(legacy_headers);
        if let Some(url) = url {
            check_base("url", url, rewriter.profile)?;
            settings = settings.retrieved_from(url);
        }
        let reader: Box<dyn Read + Send> = match file.cast::<PyBytes>() {
            Ok(bytes) => Box::new(Cursor::new(bytes.as_bytes().to_vec())),
            Err(_) => Box::new(PythonReader::new(file.clone().unbind())),
        };
        let (source, errors) = file.py().detach(|| open(reader, &settings))?;
        Ok(Self {
            source: Mutex::new(source),
            errors: Mutex::new(errors.iter().map(ToString::to_string).collect()),
            settings: Arc::clone(&rewriter.settings),
        })
    }

    /// The damage found so far, in the order of the container.
    #[getter]
    fn errors(&self) -> Vec<String> {
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Entity>> {
        py.check_signals()?;
        let next = py.detach(|| {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            match &mut *source {
                Source::Read(entities) => entities.next(),
                Source::Warc(entities) => entities.find_map(|item| match item {
                    Ok(entity) => Some(entity),
                    Err(error) => {
                        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                        errors.push(error.to_string());
                        None
                    }
                }),
            }
        });
        Ok(next.map(|entity| Entity {
            entity,
            settings: Arc::clone(&self.settings),
        }))
    }
}

/// Detects the format of a container, and reads it unless it is an archive.
fn open(
    mut reader: Box<dyn Read + Send>,
    settings: &ArchiveSettings,
) -> PyResult<(Source, Vec<ContainerError>)> {
    let mut bytes = Vec::new();
    let mut prefix = reader.by_ref().take(SNIFF_BYTES);
    prefix.read_to_end(&mut bytes).map_err(error_of_io)?;
    let format = Format::detect(&bytes);
    if format == Some(Format::Warc) {
        let archive: Box<dyn Read + Send> = Box::new(Cursor::new(bytes).chain(reader));
        return Ok((Source::Warc(warc_entities(archive, settings)), Vec::new()));
    }
    reader.read_to_end(&mut bytes).map_err(error_of_io)?;
    let container = match format {
        Some(Format::Http) => Container::http(&bytes, settings),
        Some(_) => Container::mime(&bytes, settings),
        None => {
            let problem = "no container: neither an HTTP dump, a MIME message nor a WARC archive";
            return Err(PyValueError::new_err(problem));
        }
    };
    let container = container.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let entities = container.entities().iter();
    let entities: Vec<_> = entities.map(|entity| entity.clone().into_owned()).collect();
    Ok((
        Source::Read(entities.into_iter()),
        container.errors().to_vec(),
    ))
}

/// A document in a container.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Entity {
    entity: absolve::archive::Entity<'static>,
    settings: Arc<absolve::Rewriter>,
}

#[pymethods]
impl Entity {
    /// The label of the document: the number of its part or response, or the offset of its record.
    #[getter]
    fn label(&self) -> &str {
        &self.entity.label
    }

    /// The offset at which the document begins as stored, or that of its record.
    #[getter]
    fn offset(&self) -> u64 {
        self.entity.offset
    }

    /// The URL of the document; None if it has none.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.entity.url.as_deref()
    }

    /// The language of the document: html or css.
    #[getter]
    fn kind(&self) -> &'static str {
        self.entity.kind.name()
    }

    /// The label of its encoding, if the container declares one.
    #[getter]
    fn encoding(&self) -> Option<&str> {
        self.entity.encoding.as_deref()
    }

    /// The document without the codings in which it is stored.
    #[getter]
    fn document<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.entity.bytes)
    }

    /// The error that prevented complete decoding; None usually.
    #[getter]
    fn error(&self) -> Option<String> {
        self.entity.error.as_ref().map(ToString::to_string)
    }

    /// The base URL of the document.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = py.detach(|| self.settings.links(&self.entity.document()).base);
        crate::base_url::base_url(py, &report)
    }

    /// Returns the links of the document.
    fn links(&self, py: Python<'_>) -> Links {
        let report = py.detach(|| {
            let report = self.settings.links(&self.entity.document());
            in_units_of_input(report, &Offsets::Bytes).into_owned()
        });
        Links::new(Arc::new(report))
    }

    /// Rewrites the document. References to other parts of a message keep working.
    fn rewrite(&self, py: Python<'_>) -> Rewritten {
        let rewritten = py.detach(|| self.entity.rewrite(&self.settings));
        let content = PyBytes::new(py, &rewritten.bytes).into_any();
        Rewritten::new(content, rewritten.edited, rewritten.report, &Offsets::Bytes)
    }

    fn __repr__(&self) -> String {
        format!("<Entity {} url={:?}>", self.entity.label, self.entity.url)
    }
}
