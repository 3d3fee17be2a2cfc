//! `absolve mirror` with archives: each captured URL becomes a file.
//!
//! The archives are read twice: [`Captures::index`] finds the newest capture of each URL and names its file, and each
//! job reads one capture at its offset. A job is a document of the plan like any other, with the name `ARCHIVE!OFFSET`.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use absolve::Document;
use absolve_archive::container::Format;
use absolve_archive::container::warc::{Capture, RecordKind, RecordPlace, WarcIndex, WarcReader};
use absolve_archive::{ArchivePart, ArchiveSettings, ContainerLimit, read_capture};
use absolve_site::run::{MirrorEvent, MirrorRun, OutputWriter};
use absolve_site::{CaptureIndex, CapturedContent, Mirror};

use crate::args::MirrorArgs;
use crate::inputs::Inputs;
use crate::inputs::input::Input;
use crate::inputs::kind::InputKind;
use crate::plan::DocumentJob;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::tally::Counted;
use crate::print::terminal;
use crate::verbs::index::MAX_RECORD;

/// The place of a capture: the index of its archive, and its offset.
type CapturePlace = (usize, u64);

/// A timestamp after those of all captures.
const LAST: &str = "99999999999999";

/// The captures of archives that become files.
pub(super) struct Captures {
    archives: Vec<(Input, ArchivePart)>,
    /// By the path of the file.
    places: HashMap<PathBuf, CapturePlace>,
    settings: ArchiveSettings,
}

impl Captures {
    /// Finds the captures of archives that are not later than `--at`. Returns also the mirror of their files, and the
    /// inputs of the run. Errors are messages of these.
    pub(super) fn index(args: &MirrorArgs, settings: &ArchiveSettings) -> (Self, Mirror, Inputs) {
        let until = args.at.as_deref().unwrap_or(LAST);
        let mut inputs = Inputs {
            is_site: true,
            roots: args.folders.clone(),
            // The directories of files are not those of an archive.
            has_prefix: true,
            ..Inputs::default()
        };
        let mut index = CaptureIndex::default();
        let mut archives = Vec::new();
        for path in &args.folders {
            let input = Input::named(path);
            match input.archive_parts(settings) {
                Ok(parts) => archives.extend(parts.into_iter().map(|part| (input.clone(), part))),
                Err(message) => inputs.messages.error(message),
            }
        }
        for (archive, (input, part)) in archives.iter().enumerate() {
            let mut add = |place: RecordPlace<Option<Capture>>| {
                let capture = place
                    .description
                    .filter(|capture| &*capture.timestamp <= until);
                if let Some(capture) = capture
                    && let Some(content) = content_of(&capture, (archive, place.offset))
                {
                    let url = args.common.unwrap.original(&capture.url);
                    index.add(url, &capture.timestamp, content);
                }
            };
            read_index(input, part, &mut add, &mut inputs.messages);
        }
        let (mirror, files) = index.into_mirror();
        let mut places = HashMap::with_capacity(files.len());
        let mut directories = BTreeSet::new();
        for (name, place) in files {
            let (input, part) = &archives[place.0];
            let path = part.path(input.file_path().unwrap_or(Path::new("")));
            let mut path = path.into_os_string();
            path.push(format!("!{}", place.1));
            let Some(name) = name else {
                let name = terminal::path(Path::new(&path));
                inputs.messages.note(format!(
                    "{name}: left out: no directory can have the name of its host"
                ));
                continue;
            };
            let site_path = PathBuf::from(name);
            let parents = site_path.ancestors().skip(1);
            directories.extend(
                parents
                    .filter(|path| path.parent().is_some())
                    .map(Path::to_owned),
            );
            inputs.documents.push(Input::File {
                path: PathBuf::from(path),
                site_path: Some(site_path.clone()),
                found: Some(0),
            });
            places.insert(site_path, place);
        }
        // A set has each directory after its parent.
        inputs.directories = directories.into_iter().collect();
        let captures = Self {
            archives,
            places,
            settings: settings
                .clone()
                .limit(ContainerLimit::RecordSize, MAX_RECORD),
        };
        (captures, mirror, inputs)
    }

    /// Reads the capture of a job, and writes its file. Documents are converted, and reported by `report`.
    pub(super) fn convert(
        &self,
        job: &DocumentJob,
        (mirror, writer): (&MirrorRun<'_>, &OutputWriter),
        sink: &mut JobSink<'_>,
        report: impl Fn(MirrorEvent<'_>, &mut JobSink<'_>),
    ) {
        let name = job.input.name();
        let Some(file) = job.input.site_file() else {
            return;
        };
        let Some(&(archive, offset)) = self.places.get(&file.site_path) else {
            return;
        };
        let (input, part) = &self.archives[archive];
        let archive = match input.open_part(part) {
            Ok(archive) => archive,
            Err(message) => return sink.error(message),
        };
        let content = match read_capture(archive, offset, &self.settings) {
            Ok(content) => content,
            Err(error) => return sink.error(format!("{name}: not written: {error}")),
        };
        let write = |bytes: &[u8]| {
            let checked = writer.output.counterpart(&file.site_path);
            checked.map_or(Ok(()), |path| writer.check(&path))?;
            let written = writer.write(&file, (&[], None), bytes);
            written.map_err(|error| writer.unwritten(error))
        };
        let Some(kind) = content.kind else {
            return match write(&content.bytes) {
                Ok(_) => sink.tally.count(Counted::Others, 1),
                Err(error) => report(MirrorEvent::Unwritten(error), sink),
            };
        };
        let encoding = content.encoding.as_deref().into_iter();
        let document = Document::of_kind(kind, &content.bytes);
        let document = encoding.fold(document, Document::encoding);
        mirror.convert_document(&file.site_path, &document, write, |event| {
            report(event, sink);
        });
    }
}

/// Returns whether a file is an archive, by its name or its content, or a ZIP archive.
pub(super) fn is_archive(path: &Path) -> bool {
    if Input::named(path).is_zip() {
        return true;
    }
    let sniffed = || Some(InputKind::sniff(&Input::named(path).file_prefix()?));
    let kind = InputKind::from_name(path.as_os_str()).or_else(sniffed);
    path.is_file() && kind == Some(InputKind::Container(Format::Warc))
}

/// Reads the captures of an archive. Errors are reported to `messages`.
fn read_index(
    input: &Input,
    part: &ArchivePart,
    add: &mut impl FnMut(RecordPlace<Option<Capture>>),
    messages: &mut JobResult,
) {
    let archive = match input.open_part(part) {
        Ok(archive) => archive,
        Err(message) => return messages.error(message),
    };
    let reader = WarcReader::new(archive).limit(MAX_RECORD);
    for place in WarcIndex::describing(reader, Capture::of) {
        match place {
            Ok(place) => add(place),
            Err(error) => {
                let name = input.name();
                messages.error(format!("{name}: {error}; read as far as possible"));
            }
        }
    }
}

/// Returns what a capture contributes to a mirror; `None` if it is an error of the server, no content of a URL, or not
/// complete.
fn content_of(capture: &Capture, place: CapturePlace) -> Option<CapturedContent<CapturePlace>> {
    if let Some(location) = &capture.location {
        return Some(CapturedContent::Redirect(location.clone()));
    }
    let digest = capture
        .digest
        .as_ref()
        .map(|digest| digest.to_ascii_lowercase());
    match (capture.kind, capture.status) {
        _ if !capture.is_complete => None,
        (RecordKind::Revisit, None | Some(200 | 304)) => digest.map(CapturedContent::Revisit),
        (RecordKind::Response, Some(200)) | (RecordKind::Resource, _) => {
            let media_type = capture.media_type.as_ref();
            Some(CapturedContent::Stored {
                place,
                media_type: media_type.map(|media_type| media_type.to_ascii_lowercase()),
                digest,
            })
        }
        _ => None,
    }
}
