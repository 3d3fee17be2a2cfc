//! Documents in containers, as a run reads them: what they are called, and what is said of what is wrong.

use std::collections::HashSet;
use std::io::Read;

use absolve::archive::{ArchiveSettings, Container, Entity, warc_entities};
use absolve::container::{ContainerError, ContainerErrorKind, Format};

use super::input::Input;
use super::job_result::JobResult;
use super::terminal;

/// What to do with an archive that was compressed as a whole.
pub(super) const BY_RECORD: &str = "compress each record by itself, as warcio recompress does";

/// What stands between the name of a container and that of a document in it.
const BETWEEN: char = '!';

/// Which document it is, for scripts: `path!entity`, or `path` where the document is in no container.
pub(super) fn path(path: &str, entity: Option<&str>) -> String {
    match entity {
        Some(label) => format!("{path}{BETWEEN}{label}"),
        None => path.to_owned(),
    }
}

/// The same for people.
pub(super) fn name(input: &Input, entity: &Entity<'_>) -> String {
    let label = terminal::escape_control(&entity.label);
    format!("{}{BETWEEN}{label}", input.name())
}

/// A document in an archive, or what is wrong there.
pub(super) type EntityResult = Result<Entity<'static>, ContainerError>;

/// Every document in an archive, and between them what is wrong and was not said with one. That it was compressed as a
/// whole is said once.
pub(super) fn in_archive<R: Read + Send>(
    archive: R,
    settings: &ArchiveSettings,
) -> impl Iterator<Item = EntityResult> + Send + use<R> {
    let mut said = None;
    let mut is_whole = false;
    warc_entities(archive, settings).filter_map(move |found| {
        let what_is_wrong = match &found {
            Ok(entity) => entity.remark,
            Err(error) => Some(*error),
        };
        let is_of_whole = what_is_wrong
            .is_some_and(|error| error.kind == ContainerErrorKind::NotCompressedByRecord);
        let is_said = if is_of_whole {
            std::mem::replace(&mut is_whole, true)
        } else {
            std::mem::replace(&mut said, what_is_wrong) == what_is_wrong
        };
        match found {
            Ok(mut entity) => {
                entity.remark = entity.remark.filter(|_| !(is_of_whole && is_said));
                Some(Ok(entity))
            }
            Err(error) => (!is_said).then_some(Err(error)),
        }
    })
}

/// Of how many threads an archive is read: one unpacks, and more than two others would wait for it, with memory of their
/// own.
pub(super) fn threads(threads: usize) -> usize {
    threads.min(3)
}

/// How much memory a document takes until all is told of it.
pub(super) fn weight(found: &EntityResult) -> usize {
    found.as_ref().map_or(0, |entity| entity.bytes.len())
}

/// Says what is wrong with a container that is read.
pub(super) fn report_container_errors(
    input: &Input,
    container: &Container<'_>,
    job_result: &mut JobResult,
) {
    let entities = container.entities();
    if entities.is_empty() && container.remarks().is_empty() {
        job_result.warn(format!(
            "{}: no HTML document and no style sheet in it",
            input.name()
        ));
    }
    let said: HashSet<ContainerError> =
        entities.iter().filter_map(|entity| entity.remark).collect();
    for &error in container
        .remarks()
        .iter()
        .filter(|error| !said.contains(error))
    {
        report_error(&input.name(), error, job_result);
    }
}

/// Says what is wrong with a document, if anything is.
pub(super) fn report_entity_error(input: &Input, entity: &Entity<'_>, job_result: &mut JobResult) {
    if let Some(error) = entity.remark {
        report_error(&name(input, entity), error, job_result);
    }
}

/// Says what is wrong, with what is read.
pub(super) fn report_error(name: &str, error: ContainerError, job_result: &mut JobResult) {
    match error.kind {
        // Most are videos.
        ContainerErrorKind::RecordTooLong => {
            job_result.warn(format!("{name}: {error}; it was passed over"));
        }
        ContainerErrorKind::NoBody => job_result.warn(format!(
            "{name}: {error}; a HEAD request is answered like that"
        )),
        // It was read all the same.
        ContainerErrorKind::WrongContentLength => job_result.warn(format!("{name}: {error}")),
        ContainerErrorKind::NotCompressedByRecord => job_result.warn(format!(
            "{name}: {error}: it can be read and not rewritten; {BY_RECORD}"
        )),
        _ => job_result.error(format!("{name}: {error}; what could be read was read")),
    }
}

/// Says that it is no container of that format.
pub(super) fn report_not_a_container(
    input: &Input,
    format: Format,
    error: ContainerError,
    job_result: &mut JobResult,
) {
    let format = match format {
        Format::Http => "an HTTP dump",
        Format::Mime => "a MIME message",
        _ => "a WARC archive",
    };
    job_result.error(format!(
        "{}: cannot be read as {format}: {error}; say with --input-format what it is",
        input.name()
    ));
}
