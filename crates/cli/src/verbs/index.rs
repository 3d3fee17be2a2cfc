//! `absolve index`.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use absolve_archive::container::warc::{
    Capture, RecordKind, RecordPlace, WarcIndex, WarcReader, WarcRecord,
};
use absolve_archive::{ArchiveSettings, surt};
use absolve_site::run::MAX_RECORD;
use serde::Serialize;

use crate::args::{IndexArgs, IndexFormat};
use crate::exit::{Abort, Exit};
use crate::inputs::input::Input;
use crate::print::{format, terminal};

/// A place of records in JSON Lines. The names of the fields are part of the contract; CDXJ has the same ones.
#[derive(Serialize)]
struct IndexEntry<'f> {
    filename: &'f str,
    offset: u64,
    length: u64,
}

/// A capture in CDXJ, after its key and its timestamp. All values are text, as pywb writes them.
#[derive(Serialize)]
struct CdxjEntry<'c> {
    url: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'c str>,
    length: String,
    offset: String,
    filename: &'c str,
}

/// Writes the line of a place, if the format has one.
fn write_place(
    place: &RecordPlace<Option<Capture>>,
    path: &Path,
    format: IndexFormat,
    to: &mut impl Write,
) -> io::Result<()> {
    let (offset, length) = (place.offset, place.length);
    if format == IndexFormat::JsonLines {
        let filename = &terminal::path_text(path);
        let entry = IndexEntry {
            filename,
            offset,
            length,
        };
        return format::write_json(&entry, to);
    }
    let Some(capture) = &place.description else {
        return Ok(());
    };
    let revisit = (capture.kind == RecordKind::Revisit).then_some("warc/revisit");
    write!(to, "{} {} ", surt(&capture.url), capture.timestamp)?;
    let entry = CdxjEntry {
        url: &capture.url,
        mime: revisit.or(capture.media_type.as_deref()),
        status: capture.status.map(|status| status.to_string()),
        digest: capture.digest.as_deref(),
        length: length.to_string(),
        offset: offset.to_string(),
        filename: &terminal::path_text(Path::new(path.file_name().unwrap_or_default())),
    };
    format::write_json(&entry, to)
}

pub(crate) fn run(args: &IndexArgs) -> Result<Exit, Abort> {
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    for path in &args.files {
        let mut fail = |message: &str| {
            terminal::print_message(message);
            exit = Exit::Error;
        };
        let input = Input::named(path);
        let parts = input.archive_parts(&ArchiveSettings::new());
        let parts = parts.map_err(|message| fail(&message)).unwrap_or_default();
        for part in parts {
            let path = part.path(path);
            let archive = match input.open_part(&part) {
                Ok(archive) => archive,
                Err(message) => {
                    fail(&message);
                    continue;
                }
            };
            let mut reader = WarcReader::new(archive);
            let mut describe: fn(&WarcRecord) -> Option<Capture> = |_| None;
            if args.format == IndexFormat::Cdxj {
                (reader, describe) = (reader.limit(MAX_RECORD), Capture::of);
            }
            for place in WarcIndex::describing(reader, describe) {
                match place {
                    Ok(place) => write_place(&place, &path, args.format, &mut stdout)?,
                    Err(error) => {
                        let name = terminal::path(&path);
                        fail(&format!("{name}: {error}; indexed as far as possible"));
                    }
                }
            }
        }
    }
    stdout.flush()?;
    Ok(exit)
}
