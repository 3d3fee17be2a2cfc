//! Files of the caller as readers and writers: binary files of Python, and paths.
//!
//! The interpreter lock is taken for each call.

use std::fs;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use absolve::stream::StreamError;
use absolve_site::files::{self, Durability};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyInt};

use crate::lock::lock;

/// Number of bytes to ask a file for, at least: each call has a cost of its own.
const READ_BYTES: usize = 256 << 10;

/// A binary file that is read.
pub(crate) struct PythonReader {
    file: Py<PyAny>,
    /// Bytes that were read and not taken yet.
    buffer: Vec<u8>,
    taken: usize,
    /// The number of bytes before the next one, from the position that the file had first.
    position: u64,
    /// Whether the file was opened here, and is closed when it is no longer read.
    is_owned: bool,
}

impl Drop for PythonReader {
    fn drop(&mut self) {
        if self.is_owned {
            // Nothing was written, so an error has no consequence.
            let _ = Python::attach(|py| self.file.call_method0(py, "close"));
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
        self.position += length as u64;
        Ok(length)
    }
}

/// Archives are sought from the current position only.
impl Seek for PythonReader {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Current(distance) = position else {
            return Err(ErrorKind::Unsupported.into());
        };
        let target = self.position.checked_add_signed(distance);
        let target = target.ok_or(ErrorKind::InvalidInput)?;
        let in_buffer = i128::from(distance) + self.taken as i128;
        match usize::try_from(in_buffer) {
            Ok(taken) if taken <= self.buffer.len() => self.taken = taken,
            _ => {
                // The file is at the end of the buffer.
                let distance = in_buffer - self.buffer.len() as i128;
                Python::attach(|py| self.file.call_method1(py, "seek", (distance, 1)))
                    .map_err(io::Error::other)?;
                self.buffer.clear();
                self.taken = 0;
            }
        }
        self.position = target;
        Ok(target)
    }
}

/// A binary file that is written, by calls of `file.write`.
pub(crate) struct PythonWriter {
    file: Py<PyAny>,
}

impl Write for PythonWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let file = self.file.bind(py);
            let written = file.call_method1("write", (PyBytes::new(py, bytes),))?;
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

/// An input that the caller passes. Only parts of archives need it to seek.
pub(crate) trait Input: Read + Seek + Send {}

impl<R: Read + Seek + Send> Input for R {}

/// Returns a reader of `source`: `bytes`, the path of a file, or a binary file.
///
/// # Errors
/// `OSError`: the file cannot be opened.
pub(crate) fn open(source: &Bound<'_, PyAny>) -> PyResult<Box<dyn Input>> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Box::new(Cursor::new(PyBackedBytes::from(bytes.clone()))));
    }
    let is_owned = source.extract::<PathBuf>().is_ok();
    let file = if is_owned {
        // Opened by Python, so that a signal can end the wait for a pipe. `PythonReader` has the only buffer.
        let io = source.py().import("io")?;
        io.call_method1("open", (source, "rb", 0))?
    } else {
        require(source, "source", "a path, bytes or a file with", "read")?;
        source.clone()
    };
    Ok(Box::new(PythonReader {
        file: file.unbind(),
        buffer: Vec::new(),
        taken: 0,
        position: 0,
        is_owned,
    }))
}

/// The place of an output.
pub(crate) enum Destination {
    Path(PathBuf),
    File(PythonWriter),
}

impl Destination {
    /// Writes to the binary file, or replaces the file at the path by what `write` writes.
    ///
    /// # Errors
    /// The exception that the error of `write` wraps, or `OSError`.
    pub(crate) fn write<T>(
        self,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> PyResult<T> {
        match self {
            Self::Path(path) => {
                replace_file(&path, write).map_err(|error| error_of_file(error, &path))
            }
            Self::File(mut file) => write(&mut file).map_err(error_of_io),
        }
    }
}

/// Returns the path that `destination` is, or a writer of the binary file that it is.
///
/// # Errors
/// `TypeError`: it is neither.
pub(crate) fn destination(destination: &Bound<'_, PyAny>) -> PyResult<Destination> {
    if let Ok(path) = destination.extract() {
        return Ok(Destination::Path(path));
    }
    require(destination, "destination", "a path or a file with", "write")?;
    let file = destination.clone().unbind();
    Ok(Destination::File(PythonWriter { file }))
}

/// Checks that an argument has a method.
fn require(object: &Bound<'_, PyAny>, name: &str, kinds: &str, method: &str) -> PyResult<()> {
    if object.hasattr(method)? {
        return Ok(());
    }
    let kind = object.get_type().name()?;
    let problem = format!("{name}: must be {kinds} {method}(), not {kind}");
    Err(PyTypeError::new_err(problem))
}

/// Replaces the file at `path` by what `write` writes, as [`files::write_file`] does. Like `open`, it makes no folders.
fn replace_file<T>(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    // Otherwise, the rename would fail, after all the work.
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        fs::metadata(folder)?;
    }
    files::write_file(path, Durability::Cached, write)
}

/// Runs the signal handlers of Python if a signal has arrived.
///
/// # Errors
/// The exception of a handler, such as `KeyboardInterrupt`.
pub(crate) fn check_signals() -> io::Result<()> {
    Python::attach(|py| py.check_signals().map_err(io::Error::other))
}

/// The first error of a file, for callers to whom the library returns only its kind. It is taken once.
#[derive(Clone, Default)]
pub(crate) struct FirstError(Arc<OnceLock<Mutex<Option<io::Error>>>>);

/// A file whose first error is kept. It is not used after that.
pub(crate) struct Watched<F> {
    file: F,
    first_error: FirstError,
}

impl FirstError {
    /// Keeps the error of `file` when it occurs.
    pub(crate) fn of<F>(&self, file: F) -> Watched<F> {
        Watched {
            file,
            first_error: self.clone(),
        }
    }

    /// Keeps `error`, unless there was one before. The file fails from now on.
    pub(crate) fn keep(&self, error: io::Error) {
        let _ = self.0.set(Mutex::new(Some(error)));
    }

    /// Returns the error, if there was one.
    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.get().and_then(|error| lock(error).take())
    }
}

impl<F> Watched<F> {
    fn call<T>(&mut self, call: impl FnOnce(&mut F) -> io::Result<T>) -> io::Result<T> {
        if self.first_error.0.get().is_some() {
            return Err(ErrorKind::Other.into());
        }
        call(&mut self.file).map_err(|error| {
            let kind = error.kind();
            // After an interruption, the caller tries again.
            if kind != ErrorKind::Interrupted {
                self.first_error.keep(error);
            }
            kind.into()
        })
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.call(|file| file.read(buffer))
    }
}

impl<S: Seek> Seek for Watched<S> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.call(|file| file.seek(position))
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.call(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call(Write::flush)
    }
}

/// Writes a file of a plugin, which is replaced when its new content is complete.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    py.detach(|| Destination::Path(path).write(|output| output.write_all(content)))
}

/// Returns an error of a stream for [`Destination::write`]: that of the output, or one that wraps an exception.
pub(crate) fn error_of_stream(error: StreamError) -> io::Error {
    io::Error::other(match error {
        StreamError::Write(error) => return error,
        StreamError::Read(error) | StreamError::Spool(error) => error_of_io(error),
        error => PyRuntimeError::new_err(error.to_string()),
    })
}

/// Returns the exception that an I/O error wraps, or `OSError`.
pub(crate) fn error_of_io(error: io::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => error.into(),
    }
}

/// Returns the exception that an I/O error wraps, or an `OSError` about the file at `path`.
pub(crate) fn error_of_file(error: io::Error, path: &Path) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => match error.raw_os_error() {
            Some(code) => {
                let text = error.to_string();
                let reason = text.split(" (os error").next().unwrap_or(&text).to_owned();
                // The last argument is for Windows, whose codes are not those of `errno`.
                PyOSError::new_err((code, reason, path.as_os_str().to_owned(), code))
            }
            None => io::Error::new(error.kind(), format!("{error}: {}", path.display())).into(),
        },
    }
}
