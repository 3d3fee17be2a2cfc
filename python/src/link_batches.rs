//! Links of many documents as record batches of Apache Arrow, through the `PyCapsule` interface.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use absolve::Profile;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::argument::{Argument, Content};
use crate::arrow::{DocumentLinks, Group, schema};
use crate::documents::{BatchSize, Documents};
use crate::report::in_units_of_input;

/// Links take more memory than their document, so a batch has fewer bytes than one of rewritten documents.
const BATCH: BatchSize = BatchSize {
    documents: 1024,
    bytes: 4 << 20,
};

/// Number of bytes of documents after which a group is complete. A group is the work of one thread at a time, and becomes
/// one record batch unless it has very many links.
const GROUP_BYTES: usize = 1 << 20;

/// The links of the documents of an iterable, as record batches.
///
/// It is an Arrow stream, and an iterator over record batches. Both read the documents as they are needed.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct LinkBatches {
    shared: Arc<Shared>,
}

/// The state that streams share with the object that they came from.
struct Shared {
    /// `None` while a batch is made.
    reader: Mutex<Option<Reader>>,
    /// The exception that ended a stream.
    error: Mutex<Option<PyErr>>,
}

/// The documents, and the links of those that were read.
struct Reader {
    settings: Arc<absolve::Rewriter>,
    documents: Documents,
    /// The number of documents that were read.
    count: i64,
    ready: VecDeque<ReadyGroup>,
    is_started: bool,
}

/// A group of documents with its first record batch. Further ones are made when they are needed: the text of a batch may
/// be much longer than the documents, because each row has the base URL.
struct ReadyGroup {
    first: Option<Result<RecordBatch, ArrowError>>,
    rest: Group<'static>,
}

impl ReadyGroup {
    fn next_batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.first.take().or_else(|| self.rest.next_batch())
    }
}

impl Reader {
    /// Returns the next record batch; `None` after the last one.
    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        self.is_started = true;
        loop {
            while let Some(group) = self.ready.front_mut() {
                match py.detach(|| group.next_batch()) {
                    Some(batch) => return batch.map(Some).map_err(error_of_arrow),
                    None => drop(self.ready.pop_front()),
                }
            }
            let batch = self.documents.next_batch(py, BATCH)?;
            if batch.is_empty() {
                return Ok(None);
            }
            self.read(py, &batch)?;
        }
    }

    /// Finds the links of documents.
    fn read(&mut self, py: Python<'_>, batch: &[Argument<'_>]) -> PyResult<()> {
        let mut groups = Vec::new();
        let mut group = Vec::new();
        let mut bytes = 0;
        for argument in batch {
            let content = argument.content()?;
            bytes += content.bytes.len();
            group.push((self.count, content));
            self.count += 1;
            if bytes >= GROUP_BYTES {
                groups.push(std::mem::take(&mut group));
                bytes = 0;
            }
        }
        groups.push(group);
        let settings = &*self.settings;
        let find = |group: &Vec<(i64, Content<'_>)>| {
            let links = group.iter().map(|(number, content)| {
                let report = settings.links(&content.document());
                DocumentLinks {
                    number: *number,
                    url: content.url().map(Arc::from),
                    report: in_units_of_input(report, &content.offsets()),
                }
            });
            let mut group = Group::new(links.collect());
            ReadyGroup {
                first: group.next_batch(),
                rest: group.into_owned(),
            }
        };
        self.documents.process(py, &groups, find, |group| {
            self.ready.push_back(group);
            Ok(())
        })
    }
}

impl Shared {
    /// Returns the next record batch; `None` after the last one.
    fn next_batch(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        // Nobody waits for the mutex with the interpreter lock: it is held for a moment only.
        let lock = || self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = lock().take();
        let Some(mut reader) = taken else {
            let problem =
                "the next batch is being read already, by another thread or by the iterable itself";
            return Err(PyRuntimeError::new_err(problem));
        };
        let batch = reader.next_batch(py);
        *lock() = Some(reader);
        batch
    }
}

/// An Arrow stream, which its consumer reads from any thread.
struct Stream {
    /// `None` while the stream is dropped.
    shared: Option<Arc<Shared>>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        // The iterable is released at once. Without the interpreter lock, that would be left to a later call.
        let released = Python::try_attach(|_| drop(self.shared.take()));
        // `None`: the interpreter is ending.
        let _ = released;
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let shared = self.shared.as_ref()?;
        Python::attach(|py| {
            let error = match shared.next_batch(py) {
                Ok(batch) => return batch.map(Ok),
                Err(error) => error,
            };
            // The interface has an error number and a text. So the exception is kept, and an interrupt is repeated: it
            // must end the program as if it came a moment later.
            let text = error.to_string();
            if error.is_instance_of::<PyKeyboardInterrupt>(py)
                && let Ok(threads) = py.import("_thread")
            {
                let repeated = threads.call_method0("interrupt_main");
                drop(repeated);
            }
            let mut kept = shared.error.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some(error);
            Some(Err(ArrowError::ExternalError(text.into())))
        })
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        schema()
    }
}

impl LinkBatches {
    /// Prepares the documents of an iterable. `threads` may be zero, for one on each processor.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn new(
        settings: Arc<absolve::Rewriter>,
        profile: Profile,
        documents: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Self> {
        let reader = Reader {
            settings,
            documents: Documents::new(documents, profile, threads)?,
            count: 0,
            ready: VecDeque::new(),
            is_started: false,
        };
        Ok(Self {
            shared: Arc::new(Shared {
                reader: Mutex::new(Some(reader)),
                error: Mutex::new(None),
            }),
        })
    }
}

#[pymethods]
impl LinkBatches {
    /// The exception of the iterable that ended a stream; None usually. Iterating raises it instead.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        let error = self
            .shared
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        error.as_ref().map(|error| error.clone_ref(py))
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<LinkBatch>> {
        let batch = self.shared.next_batch(py)?;
        Ok(batch.map(|batch| LinkBatch { batch }))
    }

    /// Exports the schema of the record batches.
    #[expect(clippy::unused_self, reason = "a method of Python")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let exported = FFI_ArrowSchema::try_from(&*schema()).map_err(error_of_arrow)?;
        PyCapsule::new_with_value(py, exported, c"arrow_schema")
    }

    /// Exports the record batches. Documents are read once, so a stream that begins later is refused.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The consumer has to convert the columns if it wants other types.
        let _ = requested_schema;
        let reader = self
            .shared
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if reader.as_ref().is_none_or(|reader| reader.is_started) {
            let problem = "the documents are read already; call links_arrow for each stream";
            return Err(PyValueError::new_err(problem));
        }
        drop(reader);
        let stream = Stream {
            shared: Some(Arc::clone(&self.shared)),
        };
        let exported = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(py, exported, c"arrow_array_stream")
    }
}

/// A record batch of links.
#[pyclass(frozen, module = "absolve")]
pub(crate) struct LinkBatch {
    batch: RecordBatch,
}

#[pymethods]
impl LinkBatch {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Exports the schema of the record batch.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let exported = FFI_ArrowSchema::try_from(&*self.batch.schema()).map_err(error_of_arrow)?;
        PyCapsule::new_with_value(py, exported, c"arrow_schema")
    }

    /// Exports the record batch.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // As for a stream.
        let _ = requested_schema;
        let columns = StructArray::from(self.batch.clone());
        let (array, schema): (FFI_ArrowArray, FFI_ArrowSchema) =
            to_ffi(&columns.to_data()).map_err(error_of_arrow)?;
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}

/// Returns the exception for an error of Arrow.
fn error_of_arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
