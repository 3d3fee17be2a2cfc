//! Links of many documents as record batches of Apache Arrow, through the `PyCapsule` interface.

use std::sync::{Arc, Mutex, PoisonError};

use absolve::Profile;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::argument::Argument;
use crate::arrow::{DocumentLinks, Group, schema};
use crate::documents::Documents;
use crate::report::in_units_of_input;
use crate::threads::{self, Capacity, Pool};

/// Links take more memory than their document, so there are fewer bytes than of rewritten documents.
const CAPACITY: Capacity = Capacity {
    jobs: 4,
    bytes: 4 << 20,
};

/// Number of bytes of documents after which a group is complete. A group is one job, and becomes one record batch unless
/// it has very many links.
const GROUP_BYTES: usize = 1 << 20;

/// Number of documents after which a group is complete.
const GROUP_DOCUMENTS: usize = 1024;

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
    documents: Documents,
    /// The number of documents that were read.
    count: i64,
    pool: Pool<Vec<NumberedDocument>, ReadyGroup>,
    /// The group that is being returned.
    ready: Option<ReadyGroup>,
    is_started: bool,
}

/// A document and its number, counted from zero.
type NumberedDocument = (i64, Argument);

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
            if let Some(group) = &mut self.ready
                && let Some(batch) = py.detach(|| group.next_batch())
            {
                return batch.map(Some).map_err(error_of_arrow);
            }
            self.ready = None;
            while self.pool.has_room()
                && let Some((group, bytes)) = self.next_group(py)
            {
                self.pool.push(group, bytes)?;
            }
            match self.pool.next(py)? {
                Some((_, group)) => self.ready = Some(group),
                None => return self.documents.raise_error().map(|()| None),
            }
        }
    }

    /// Reads the documents of a group, and returns them with the number of their bytes; `None` if there are none.
    fn next_group(&mut self, py: Python<'_>) -> Option<(Vec<NumberedDocument>, usize)> {
        let mut group = Vec::new();
        let mut bytes = 0;
        while group.len() < GROUP_DOCUMENTS
            && bytes < GROUP_BYTES
            && let Some(argument) = self.documents.next(py)
        {
            bytes += argument.len();
            group.push((self.count, argument));
            self.count += 1;
        }
        (!group.is_empty()).then_some((group, bytes))
    }
}

/// Finds the links of a group of documents, and makes the first record batch of it.
fn find(settings: &absolve::Rewriter, group: &[NumberedDocument]) -> ReadyGroup {
    let links = group.iter().map(|(number, argument)| {
        let report = settings.links(&argument.document());
        DocumentLinks {
            number: *number,
            url: argument.url().map(Arc::from),
            report: in_units_of_input(report, &argument.offsets()),
        }
    });
    let mut group = Group::new(links.collect());
    ReadyGroup {
        first: group.next_batch(),
        rest: group.into_owned(),
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
    /// Whether there was an interrupt when the last batch was made.
    is_interrupted: bool,
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
        let shared = Arc::clone(self.shared.as_ref()?);
        Python::attach(|py| {
            // The interface has an error number and a text, so an exception is kept. An interrupt is repeated, and the
            // batch is made, because the consumer may return to Python, which raises it. If it is still there when the
            // next batch is wanted, the consumer has not returned.
            let signal = py.check_signals();
            let is_interrupt = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
            let had_interrupt = self.is_interrupted;
            self.is_interrupted = signal.as_ref().is_err_and(is_interrupt);
            if self.is_interrupted {
                repeat_interrupt(py);
            }
            let result = match signal {
                Err(error) if had_interrupt || !self.is_interrupted => Err(error),
                _ => shared.next_batch(py),
            };
            let error = match result {
                Ok(batch) => return batch.map(Ok),
                Err(error) => error,
            };
            // An interrupt that the iterable raised must end the program, too.
            if !self.is_interrupted && is_interrupt(&error) {
                repeat_interrupt(py);
            }
            let text = error.to_string();
            let mut kept = shared.error.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some(error);
            Some(Err(ArrowError::ExternalError(text.into())))
        })
    }
}

/// Makes an interrupt pending again that was raised here.
fn repeat_interrupt(py: Python<'_>) {
    if let Ok(threads) = py.import("_thread") {
        // It fails if there is no handler of the signal. Then nothing is to be repeated.
        let repeated = threads.call_method0("interrupt_main");
        drop(repeated);
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
        let find = move |group: &Vec<NumberedDocument>| find(&settings, group);
        let reader = Reader {
            documents: Documents::new(documents, profile)?,
            count: 0,
            pool: Pool::new(threads::count(threads), CAPACITY, find),
            ready: None,
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
        py.check_signals()?;
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
            is_interrupted: false,
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
