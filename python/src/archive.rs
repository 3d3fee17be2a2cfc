//! Documents in HTTP dumps, mail, MHTML and WARC archives.

use std::io;
use std::sync::Arc;

use absolve::TextOffsets;
use absolve_archive::container::ContainerError;
use absolve_archive::{ArchiveSettings, warc_entities};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::container::{self, Opened, Source, SourceItems, open};
use crate::links::Links;
use crate::python_io::{self, FirstError, error_of_io};
use crate::report::Rewritten;
use crate::rewriter::Rewriter;

/// An iterator over the documents of a container.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Archive {
    entities: SourceItems<Entities>,
    settings: Arc<absolve::Rewriter>,
}

/// The entities that were found, or are still to be read.
pub(crate) type Entities =
    Box<dyn Iterator<Item = Result<absolve_archive::Entity<'static>, ContainerError>> + Send>;

#[pymethods]
impl Archive {
    /// Reads a container: `bytes`, the path of a file, or a binary file.
    #[new]
    #[pyo3(signature = (source, rewriter, *, url = None, legacy_headers = false))]
    fn new(
        source: &Bound<'_, PyAny>,
        rewriter: &Rewriter,
        url: Option<&str>,
        legacy_headers: bool,
    ) -> PyResult<Self> {
        let containers = &rewriter.containers;
        let settings = container::settings(url, legacy_headers, containers, rewriter.profile)?
            .header_links(true);
        let source_error = FirstError::default();
        let reader = source_error.of(python_io::open(source)?);
        let opened = source.py().detach(|| entities(reader, &settings));
        let (entities, errors) =
            opened.map_err(|error| error_of_io(source_error.take().unwrap_or(error)))?;
        Ok(Self {
            entities: SourceItems::new(entities, errors, source_error),
            settings: Arc::clone(&rewriter.settings),
        })
    }

    /// The damage found so far, in the order of the container.
    #[getter]
    fn errors(&self) -> Vec<String> {
        let errors = self.entities.errors();
        errors.iter().map(ToString::to_string).collect()
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Entity>> {
        let entity = self.entities.next(py)?;
        Ok(entity.map(|entity| Entity {
            entity,
            settings: Arc::clone(&self.settings),
        }))
    }
}

/// Returns the entities of a container, and its errors unless it is an archive.
pub(crate) fn entities(
    reader: Source,
    settings: &ArchiveSettings,
) -> io::Result<(Entities, Vec<ContainerError>)> {
    let mut bytes = Vec::new();
    let container = match open(reader, &mut bytes, settings)? {
        Opened::Parsed(_, container) => container,
        Opened::Archive(archive) => {
            return Ok((Box::new(warc_entities(archive, settings)), Vec::new()));
        }
    };
    let entities = container.entities().iter();
    let entities: Vec<_> = entities
        .map(|entity| Ok(entity.clone().into_owned()))
        .collect();
    Ok((Box::new(entities.into_iter()), container.errors().to_vec()))
}

/// A document in a container.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct Entity {
    entity: absolve_archive::Entity<'static>,
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
        py.detach(|| {
            let report = self.settings.links(&self.entity.document());
            Links::new(report, &TextOffsets::default())
        })
    }

    /// Rewrites the document. References to other parts of a message keep working.
    fn rewrite(&self, py: Python<'_>) -> Rewritten {
        let rewritten = py.detach(|| self.entity.rewrite(&self.settings));
        let content = PyBytes::new(py, &rewritten.bytes).into_any();
        let (edited, offsets) = (rewritten.edited, TextOffsets::default());
        Rewritten::new(content, edited > 0, edited, rewritten.report, &offsets)
    }

    fn __repr__(&self) -> String {
        let url = self.entity.url.as_deref().unwrap_or_default();
        format!("<Entity {} url={url:?}>", self.entity.label)
    }
}
