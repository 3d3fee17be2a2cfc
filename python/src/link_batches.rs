//! Links as record batches of Apache Arrow, through the `PyCapsule` interface.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::lock::lock;

/// Returns the next record batch; `None` after the last one.
///
/// # Errors
/// An exception of the source of the documents, or `ValueError`: a value is longer than a column can hold.
type NextBatch = dyn FnMut(Python<'_>) -> PyResult<Option<RecordBatch>> + Send;

/// Links as record batches.
///
/// It is an Arrow stream, and an iterator over record batches. Both read the documents as they are needed.
#[pyclass(frozen, subclass, module = "absolve")]
pub(crate) struct LinkBatches {
    shared: Arc<Shared>,
}

/// The state that streams share with the object that they came from.
struct Shared {
    schema: SchemaRef,
    /// The name of the function that returns such streams.
    function: &'static str,
    /// `None` while a batch is made.
    reader: Mutex<Option<Box<NextBatch>>>,
    /// Whether a record batch was read already.
    is_started: AtomicBool,
    /// The exception that ended a stream.
    error: Mutex<Option<PyErr>>,
}

impl Shared {
    /// Returns the next record batch; `None` after the last one.
    fn next_batch(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        // Nobody waits for the mutex with the interpreter lock: it is held for a moment only.
        let taken = lock(&self.reader).take();
        let Some(mut next_batch) = taken else {
            let problem =
                "the next batch is being read already, by another thread or by the source itself";
            return Err(PyRuntimeError::new_err(problem));
        };
        self.is_started.store(true, Ordering::Relaxed);
        let batch = next_batch(py);
        *lock(&self.reader) = Some(next_batch);
        batch
    }
}

/// An Arrow stream, which its consumer reads from any thread.
struct Stream {
    schema: SchemaRef,
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
            // An interrupt that the source raised must end the program, too.
            if !self.is_interrupted && is_interrupt(&error) {
                repeat_interrupt(py);
            }
            let text = error.to_string();
            *lock(&shared.error) = Some(error);
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
        Arc::clone(&self.schema)
    }
}

impl LinkBatches {
    /// Creates the batches with this schema, which a `function` of the package returns.
    pub(crate) fn new(
        schema: SchemaRef,
        function: &'static str,
        next_batch: impl FnMut(Python<'_>) -> PyResult<Option<RecordBatch>> + Send + 'static,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                schema,
                function,
                reader: Mutex::new(Some(Box::new(next_batch))),
                is_started: AtomicBool::new(false),
                error: Mutex::new(None),
            }),
        }
    }
}

#[pymethods]
impl LinkBatches {
    /// The exception of the source that ended a stream; None usually. Iterating raises it instead.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        let error = lock(&self.shared.error);
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
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = &*self.shared.schema;
        let exported = FFI_ArrowSchema::try_from(schema).map_err(error_of_arrow)?;
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
        if self.shared.is_started.load(Ordering::Relaxed) {
            let function = self.shared.function;
            let problem =
                format!("the documents are read already; call {function} for each stream");
            return Err(PyValueError::new_err(problem));
        }
        let stream = Stream {
            schema: Arc::clone(&self.shared.schema),
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
pub(crate) fn error_of_arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
