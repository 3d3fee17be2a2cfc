//! Containers: how they are opened, and in which format.

use std::io::{self, Cursor, Read};
use std::mem;

use absolve::{DocumentKind, Profile};
use absolve_archive::container::Format;
use absolve_archive::{ArchiveSettings, Container};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::options::check_base;
use crate::python_io::{Input, Watched};

/// A container that is read: `bytes`, or a file.
pub(crate) type Source = Watched<Box<dyn Input>>;

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
    let Some(url) = url else {
        return Ok(settings);
    };
    check_base("url", url, profile)?;
    Ok(settings.retrieved_from(url))
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
