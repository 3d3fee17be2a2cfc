//! Links of the documents in a WARC archive, or in parts of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use absolve::TextOffsets;
use absolve_archive::container::{ContainerError, ContainerErrorKind};
use absolve_archive::{
    ArchiveSettings, Entity, NewErrors, RecordProperties, WarcEntities, warc_entities,
};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::prelude::*;

use crate::arrow::{Column, DocumentLinks, Origin, Rows};
use crate::container::Source;
use crate::link_batches::{LinkBatches, error_of_arrow};
use crate::link_buffer::LinkBuffer;
use crate::lock::lock;
use crate::python_io::{FirstError, Input, error_of_io};

/// The record that contains a document.
struct RecordOrigin {
    warc: Arc<str>,
    offset: u64,
    record: Option<RecordProperties>,
    page_url: Option<Arc<str>>,
}

impl Origin for RecordOrigin {
    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::<Self>::names("warc", |row| Some(&*row.origin.warc)),
            Column::<Self>::integers("record_offset", |row| Some(row.origin.offset)),
            Column::<Self>::integers("record_number", |row| {
                Some(row.origin.record.as_ref().map_or(1, |record| record.number))
            }),
            Column::<Self>::texts("record_id", |row| row.origin.record.as_ref()?.id.as_deref())
                .or_null(),
            Column::<Self>::texts("date", |row| row.origin.record.as_ref()?.date.as_deref())
                .or_null(),
            Column::<Self>::texts("page_url", |row| row.origin.page_url.as_deref()).or_null(),
        ]
    }
}

/// A part of an archive: the records that begin at the first offset or after it, and before the second one.
pub(crate) type Part = (u64, Option<u64>);

/// The progress of a reader.
#[derive(Default)]
struct Progress {
    is_ended: bool,
    records: u64,
    documents: u64,
    links: u64,
    problems: u64,
    skipped: u64,
    /// The first problem that did not end reading.
    first_problem: Option<String>,
    /// The error that ended reading.
    damage: Option<ContainerError>,
}

impl Progress {
    fn add_problem(&mut self, text: &impl ToString) {
        self.problems += 1;
        self.first_problem.get_or_insert_with(|| text.to_string());
    }
}

/// The archive, and the links that are no rows yet.
struct WarcLinkReader {
    settings: Arc<absolve::Rewriter>,
    reads_element_text: bool,
    name: Arc<str>,
    entities: WarcEntities<Source>,
    /// The parts that are still to be read.
    parts: VecDeque<Part>,
    /// Whether the archive is read as a whole, or a part of it is.
    is_reading: bool,
    source_error: FirstError,
    errors: NewErrors,
    rows: Rows<RecordOrigin>,
    /// The document of the next row.
    document: Option<DocumentLinks<RecordOrigin>>,
    progress: Arc<Mutex<Progress>>,
}

impl WarcLinkReader {
    /// Returns the next record batch; `None` after the last one.
    fn fill(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if let Some(document) = &mut self.document
                && !self.rows.fill(document)?
            {
                return self.rows.finish();
            }
            self.document = self.next_document();
            if self.document.is_none() {
                return self.rows.finish();
            }
        }
    }

    /// Returns the links of the next document, and counts the problems up to it; `None` at the end.
    fn next_document(&mut self) -> Option<DocumentLinks<RecordOrigin>> {
        let document = self.document.take();
        let new = || LinkBuffer::new(self.reads_element_text);
        let mut links = document.map_or_else(new, |document| document.links);
        loop {
            let find = |entity: Entity<'_>| {
                let bytes = TextOffsets::default();
                let report = links.find(&self.settings, &entity.document(), &bytes);
                let problem = report.problem();
                let origin = RecordOrigin {
                    warc: Arc::clone(&self.name),
                    offset: entity.offset,
                    record: entity.record,
                    page_url: entity.url,
                };
                (origin, entity.error, problem)
            };
            let found = if self.is_reading {
                self.entities.next_with(find)
            } else {
                None
            };
            let mut progress = lock(&self.progress);
            progress.records = self.entities.records();
            match found {
                Some(Ok((origin, error, problem))) => {
                    progress.documents += 1;
                    progress.links += links.links.len() as u64;
                    if let Some(error) = self.errors.of_document(error) {
                        progress.skipped += error.skipped;
                        progress.add_problem(&error);
                    } else if let Some(problem) = problem {
                        progress.add_problem(&format!("{problem} at byte {}", origin.offset));
                    }
                    return Some(DocumentLinks::new(origin, links));
                }
                Some(Err(error)) => {
                    if let Some(error) = self.errors.of_archive(error) {
                        progress.skipped += error.skipped;
                        progress.add_problem(&error);
                    }
                }
                None => {
                    progress.damage = self.entities.damage();
                    let Some((start, end)) = self.parts.pop_front() else {
                        progress.is_ended = true;
                        return None;
                    };
                    self.is_reading = true;
                    // An error is that of the source, which is raised, or the damage of the next call.
                    let _ = self.entities.seek(start, end.unwrap_or(u64::MAX));
                }
            }
        }
    }

    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        py.check_signals()?;
        let batch = py.detach(|| self.fill());
        match self.source_error.take() {
            Some(error) => Err(error_of_io(error)),
            None => batch.map_err(error_of_arrow),
        }
    }
}

/// The links of an archive as record batches, and the progress of reading it.
#[pyclass(frozen, extends = LinkBatches, module = "absolve")]
pub(crate) struct WarcLinkBatches {
    progress: Arc<Mutex<Progress>>,
}

impl WarcLinkBatches {
    /// Prepares the documents of an archive. With `parts`, which must be in order and disjoint, only those are read.
    /// With `reads_element_text`, it has the columns `text`, `rel` and `alt`.
    pub(crate) fn new(
        rewriter: Arc<absolve::Rewriter>,
        name: &str,
        source: Box<dyn Input>,
        settings: &ArchiveSettings,
        parts: Option<Vec<Part>>,
        reads_element_text: bool,
    ) -> PyClassInitializer<Self> {
        let source_error = FirstError::default();
        let source = source_error.of(source);
        let progress = Arc::new(Mutex::new(Progress::default()));
        let mut reader = WarcLinkReader {
            settings: rewriter,
            reads_element_text,
            name: Arc::from(name),
            entities: warc_entities(source, settings),
            is_reading: parts.is_none(),
            parts: parts.map(VecDeque::from).unwrap_or_default(),
            source_error,
            errors: NewErrors::default(),
            rows: Rows::new(reads_element_text),
            document: None,
            progress: Arc::clone(&progress),
        };
        let schema = reader.rows.schema();
        let next_batch = move |py: Python<'_>| reader.next_batch(py);
        let batches = LinkBatches::new(schema, "warc_links_arrow", next_batch);
        PyClassInitializer::from(batches).add_subclass(Self { progress })
    }
}

#[pymethods]
impl WarcLinkBatches {
    /// The state of the archive, when the last batch was read: ok, truncated or failed; None before.
    #[getter]
    fn status(&self) -> Option<&'static str> {
        let progress = lock(&self.progress);
        progress.is_ended.then(|| match progress.damage {
            None => "ok",
            Some(error) if error.kind == ContainerErrorKind::Truncated => "truncated",
            Some(_) => "failed",
        })
    }

    /// The offset in bytes at which reading ended before the end of the archive; None usually.
    #[getter]
    fn damaged_at(&self) -> Option<u64> {
        lock(&self.progress).damage.map(|error| error.offset)
    }

    /// The error that ended reading, or else the first problem; None usually.
    #[getter]
    fn problem(&self) -> Option<String> {
        let progress = lock(&self.progress);
        let damage = progress.damage.map(|error| error.to_string());
        damage.or_else(|| progress.first_problem.clone())
    }

    /// The number of problems: records and documents that were not read, or not completely.
    #[getter]
    fn problems(&self) -> u64 {
        lock(&self.progress).problems
    }

    /// The number of bytes that were skipped after damage.
    #[getter]
    fn skipped(&self) -> u64 {
        lock(&self.progress).skipped
    }

    /// The number of records that were read so far.
    #[getter]
    fn records(&self) -> u64 {
        lock(&self.progress).records
    }

    /// The number of documents that were read so far.
    #[getter]
    fn documents(&self) -> u64 {
        lock(&self.progress).documents
    }

    /// The number of links in them.
    #[getter]
    fn links(&self) -> u64 {
        lock(&self.progress).links
    }
}
