//! Containers: how they are opened, and in which format.

use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::Mutex;

use absolve::{DocumentKind, Profile};
use absolve_archive::container::{ContainerError, Format};
use absolve_archive::{ArchiveSettings, Container};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::lock::lock;
use crate::options::check_base;
use crate::python_io::{FirstError, Input, Watched, error_of_io};

/// A container that is read: `bytes`, or a file.
pub(crate) type Source = Watched<Box<dyn Input>>;

/// The items of a container, of which more may follow an error.
pub(crate) struct SourceItems<I> {
    items: Mutex<I>,
    errors: Mutex<Vec<ContainerError>>,
    /// The error of the source.
    source_error: FirstError,
}

impl<T: Send, I: Iterator<Item = Result<T, ContainerError>> + Send> SourceItems<I> {
    /// Creates the items of a source in which there are `errors` already.
    pub(crate) fn new(items: I, errors: Vec<ContainerError>, source_error: FirstError) -> Self {
        Self {
            items: Mutex::new(items),
            errors: Mutex::new(errors),
            source_error,
        }
    }

    /// Returns the next item.
    ///
    /// # Errors
    /// The exception of a signal handler, or of the source.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        py.check_signals()?;
        let next = py.detach(|| {
            lock(&self.items)
                .find_map(|item| item.map_err(|error| lock(&self.errors).push(error)).ok())
        });
        let source_error = self.source_error.take();
        source_error.map_or(Ok(next), |error| Err(error_of_io(error)))
    }

    /// Returns the errors so far.
    pub(crate) fn errors(&self) -> Vec<ContainerError> {
        lock(&self.errors).clone()
    }
}

/// Returns `settings` for reading a container of a document's `profile`.
///
/// # Errors
/// `ValueError`: `url` cannot be a base URL.
pub(crate) fn settings(
    url: Option<&str>,
    legacy_headers: bool,
    settings: &ArchiveSettings,
    profile: Profile,
) -> PyResult<ArchiveSettings> {
    let settings = settings.clone().legacy_headers(legacy_headers);
    url.map_or(Ok(()), |url| check_base("url", url, profile))?;
    Ok(url
        .into_iter()
        .fold(settings, ArchiveSettings::retrieved_from))
}

/// A container that is open for reading.
pub(crate) enum Opened<'b> {
    Archive(io::Chain<Cursor<Vec<u8>>, Source>),
    Parsed(Format, Container<'b>),
}

/// Detects the format of a container, and reads it to `bytes` unless it is an archive.
///
/// # Errors
/// That of the reader, or one that wraps a `ValueError`: it is no container, or damaged at its beginning.
pub(crate) fn open<'b>(
    mut reader: Source,
    bytes: &'b mut Vec<u8>,
    settings: &ArchiveSettings,
) -> io::Result<Opened<'b>> {
    let prefix_len = DocumentKind::SNIFF_LEN as u64;
    reader.by_ref().take(prefix_len).read_to_end(bytes)?;
    let Some(format) = Format::detect(bytes) else {
        let nouns: Vec<_> = Format::ALL.iter().map(|format| format.noun()).collect();
        return Err(invalid(&format!(
            "no container, such as {}",
            nouns.join(", ")
        )));
    };
    if format.is_archive() {
        let archive = Cursor::new(mem::take(bytes)).chain(reader);
        return Ok(Opened::Archive(archive));
    }
    reader.read_to_end(bytes)?;
    let container = Container::of_format(format, bytes, settings);
    let container = container.expect("not an archive");
    let container = container.map_err(|error| invalid(&error.to_string()))?;
    Ok(Opened::Parsed(format, container))
}

/// Returns an error that wraps a `ValueError`.
pub(crate) fn invalid(problem: &str) -> io::Error {
    io::Error::other(PyValueError::new_err(problem.to_owned()))
}
