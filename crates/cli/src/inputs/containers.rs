//! Documents inside containers: their names in output and messages, and the messages about damaged containers.

use std::io::Read;

use absolve_archive::container::{ContainerError, ContainerErrorKind, Format};
use absolve_archive::{ArchiveSettings, Container, Entity, NewErrors, warc_entities};

use crate::inputs::input::Input;
use crate::print::job_result::JobResult;
use crate::print::terminal;

/// Hint for an archive that is compressed as a whole.
const BY_RECORD: &str = "compress each record separately, for example with `warcio recompress`";

/// Separator between the path of a container and the label of a document in it.
const SEPARATOR: char = '!';

/// Returns the name of a document in machine-readable output: `path!entity`, or `path` outside of containers.
pub(crate) fn path(path: &str, entity: Option<&str>) -> String {
    match entity {
        Some(label) => format!("{path}{SEPARATOR}{label}"),
        None => path.to_owned(),
    }
}

/// Returns the name of a document in a container, whose path is in the encoding of the file system.
pub(crate) fn path_bytes(path: &[u8], entity: &str) -> Vec<u8> {
    [path, SEPARATOR.to_string().as_bytes(), entity.as_bytes()].concat()
}

/// Returns the name of a document in messages, with control characters escaped.
pub(crate) fn name(input: &Input, entity: &Entity<'_>) -> String {
    let label = terminal::escape_control(&entity.label);
    format!("{}{SEPARATOR}{label}", input.name())
}

/// A document in an archive, or an error in its place.
pub(crate) type EntityResult = Result<Entity<'static>, ContainerError>;

/// Returns the documents in an archive and the errors between them, without repetitions: see [`NewErrors`].
pub(crate) fn in_archive<R: Read + Send>(
    archive: R,
    settings: &ArchiveSettings,
) -> impl Iterator<Item = EntityResult> + Send + use<R> {
    let mut errors = NewErrors::default();
    warc_entities(archive, settings).filter_map(move |found| match found {
        Ok(mut entity) => {
            entity.error = errors.of_document(entity.error);
            Some(Ok(entity))
        }
        Err(error) => errors.of_archive(error).map(Err),
    })
}

/// Returns the number of threads to use for one archive, of `threads` available ones. One thread reads records at any
/// time, and more than two others would be idle.
pub(crate) fn threads(threads: usize) -> usize {
    threads.min(3)
}

/// Returns the memory that a document occupies until its result is printed, in bytes.
pub(crate) fn weight(found: &EntityResult) -> usize {
    found.as_ref().map_or(0, |entity| entity.bytes.len())
}

/// Returns the container that was parsed from `input`, or `None` if the input is not a container of that format.
///
/// Reports the errors that do not belong to one of its documents. Warns about a container that has neither documents
/// nor errors.
pub(crate) fn checked<'c>(
    input: &Input,
    format: Format,
    parsed: Result<Container<'c>, ContainerError>,
    job_result: &mut JobResult,
) -> Option<Container<'c>> {
    let name = input.name();
    let container = match parsed {
        Ok(container) => container,
        Err(error) => {
            let format = format.noun();
            job_result.error(format!(
                "cannot read {name} as {format}: {error}; set the format with --input-format"
            ));
            return None;
        }
    };
    if container.entities().is_empty() && container.errors().is_empty() {
        job_result.warn(format!("{name}: no HTML documents or style sheets found"));
    }
    for error in container.other_errors() {
        report_error(&name, error, Access::Read, job_result);
    }
    Some(container)
}

/// Use of a container, which decides whether an error in it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its documents are read.
    Read,
    /// Its records are rewritten, too.
    Rewrite,
}

/// Reports the error of a document, if it has one.
pub(crate) fn report_entity_error(
    input: &Input,
    entity: &Entity<'_>,
    access: Access,
    job_result: &mut JobResult,
) {
    if let Some(error) = entity.error {
        report_error(&name(input, entity), error, access, job_result);
    }
}

/// Reports an error in a container whose other contents were processed.
///
/// Every verb reports the parts that could not be read with the same message and exit status.
pub(crate) fn report_error(
    name: &str,
    error: ContainerError,
    access: Access,
    job_result: &mut JobResult,
) {
    match error.kind {
        ContainerErrorKind::NotCompressedByRecord if access == Access::Rewrite => {
            job_result.error(format!("{name}: {error}; left unchanged; {BY_RECORD}"));
        }
        ContainerErrorKind::WrongContentLength if access == Access::Rewrite => {
            job_result.error(format!("{name}: {error}; left unchanged"));
        }
        // A warning, not an error: most records of that size are videos.
        ContainerErrorKind::RecordTooLong => {
            job_result.warn(format!("{name}: {error}; skipped"));
        }
        ContainerErrorKind::NoBody => job_result.warn(format!(
            "{name}: {error}; possibly the response to a HEAD request"
        )),
        // Warnings, not errors: the contents were read or written nevertheless.
        ContainerErrorKind::WrongContentLength
        | ContainerErrorKind::MalformedHeader
        | ContainerErrorKind::DigestRemoved
        | ContainerErrorKind::RevisitOfOtherUrl => {
            job_result.warn(format!("{name}: {error}"));
        }
        ContainerErrorKind::NotCompressedByRecord => {
            job_result.warn(format!(
                "{name}: {error}; to rewrite this archive, {BY_RECORD}"
            ));
        }
        _ => job_result.error(format!("{name}: {error}; processed as far as possible")),
    }
}
