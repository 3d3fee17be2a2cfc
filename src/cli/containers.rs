//! Documents in containers, as a run reads them: what they are called, and what is said of what is wrong.

use std::collections::HashSet;
use std::io::Read;

use absolve::archive::{ArchiveSettings, Container, Entity, warc_entities};
use absolve::container::{ContainerError, ContainerErrorKind, Format};

use super::input::Input;
use super::job_result::Answer;
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
    let label = terminal::visible(&entity.label);
    format!("{}{BETWEEN}{label}", input.name())
}

/// A document in an archive, or what is wrong there.
pub(super) type Found = Result<Entity<'static>, ContainerError>;

/// Every document in an archive, and between them what is wrong and was not said with one. That it was compressed as a
/// whole is said once.
pub(super) fn in_archive<R: Read + Send>(
    archive: R,
    settings: &ArchiveSettings,
) -> impl Iterator<Item = Found> + Send + use<R> {
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
pub(super) fn weight(found: &Found) -> usize {
    found.as_ref().map_or(0, |entity| entity.bytes.len())
}

/// Says what is wrong with a container that is read.
pub(super) fn say_what_is_wrong(input: &Input, container: &Container<'_>, answer: &mut Answer) {
    let entities = container.entities();
    if entities.is_empty() && container.remarks().is_empty() {
        answer.remark(format!(
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
        say(&input.name(), error, answer);
    }
}

/// Says what is wrong with a document, if anything is.
pub(super) fn say_of(input: &Input, entity: &Entity<'_>, answer: &mut Answer) {
    if let Some(error) = entity.remark {
        say(&name(input, entity), error, answer);
    }
}

/// Says what is wrong, with what is read.
pub(super) fn say(name: &str, error: ContainerError, answer: &mut Answer) {
    match error.kind {
        // Most are videos.
        ContainerErrorKind::RecordTooLong => {
            answer.remark(format!("{name}: {error}; it was passed over"));
        }
        ContainerErrorKind::NoBody => answer.remark(format!(
            "{name}: {error}; a HEAD request is answered like that"
        )),
        // It was read all the same.
        ContainerErrorKind::WrongContentLength => answer.remark(format!("{name}: {error}")),
        ContainerErrorKind::NotCompressedByRecord => answer.remark(format!(
            "{name}: {error}: it can be read and not rewritten; {BY_RECORD}"
        )),
        _ => answer.trouble(format!("{name}: {error}; what could be read was read")),
    }
}

/// Says that it is no container of that format.
pub(super) fn say_no_container(
    input: &Input,
    format: Format,
    error: ContainerError,
    answer: &mut Answer,
) {
    let format = match format {
        Format::Http => "an HTTP dump",
        Format::Mime => "a MIME message",
        _ => "a WARC archive",
    };
    answer.trouble(format!(
        "{}: cannot be read as {format}: {error}; say with --input-format what it is",
        input.name()
    ));
}
