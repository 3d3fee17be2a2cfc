//! Binary files of Python as readers and writers. The interpreter lock is taken for each call.

use std::io::{self, Read, Write};

use absolve::StreamError;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// Number of bytes to ask a file for, at least: each call has a cost of its own.
const READ_BYTES: usize = 256 << 10;

/// A binary file that is read.
pub(crate) struct PythonReader {
    file: Py<PyAny>,
    /// Bytes that were read and not taken yet.
    buffer: Vec<u8>,
    taken: usize,
}

impl PythonReader {
    /// Creates a reader that calls `file.read`.
    pub(crate) fn new(file: Py<PyAny>) -> Self {
        Self {
            file,
            buffer: Vec::new(),
            taken: 0,
        }
    }
}

impl Read for PythonReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.buffer.len() {
            self.buffer.clear();
            self.taken = 0;
            Python::attach(|py| {
                py.check_signals()?;
                let length = buffer.len().max(READ_BYTES);
                let read = self.file.bind(py).call_method1("read", (length,))?;
                if read.is_none() {
                    let problem = "the file is not ready: read() returned None";
                    return Err(PyValueError::new_err(problem));
                }
                let Ok(bytes) = read.cast::<PyBytes>() else {
                    let kind = read.get_type().name()?;
                    return Err(PyTypeError::new_err(format!(
                        "read() must return bytes, not {kind}; open the file in binary mode"
                    )));
                };
                self.buffer.extend_from_slice(bytes.as_bytes());
                PyResult::Ok(())
            })
            .map_err(io::Error::other)?;
        }
        let rest = &self.buffer[self.taken..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.taken += length;
        Ok(length)
    }
}

/// A binary file that is written.
pub(crate) struct PythonWriter {
    file: Py<PyAny>,
}

impl PythonWriter {
    /// Creates a writer that calls `file.write`.
    pub(crate) fn new(file: Py<PyAny>) -> Self {
        Self { file }
    }
}

impl Write for PythonWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written = self
                .file
                .bind(py)
                .call_method1("write", (PyBytes::new(py, bytes),))?;
            // A raw file may write less than all.
            match written.cast::<PyInt>() {
                Ok(length) => Ok(length.extract::<usize>()?.min(bytes.len())),
                Err(_) => Ok(bytes.len()),
            }
        })
        .map_err(|error: PyErr| io::Error::other(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the exception for an error of a stream: that of the file, if it raised one.
pub(crate) fn error_of_stream(error: StreamError) -> PyErr {
    match error {
        StreamError::Read(error) | StreamError::Write(error) | StreamError::Spool(error) => {
            error_of_io(error)
        }
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Returns the exception that an I/O error wraps, or `OSError`.
pub(crate) fn error_of_io(error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => error.into(),
    }
}
