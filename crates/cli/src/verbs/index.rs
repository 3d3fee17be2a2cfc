//! `absolve index`.

use std::io::{self, BufWriter, Write};

use absolve_archive::container::unsupported_format;
use absolve_archive::container::warc::{WarcIndex, WarcReader};
use serde::Serialize;

use crate::args::IndexArgs;
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

pub(crate) fn run(args: &IndexArgs) -> Result<Exit, Abort> {
    let mut exit = Exit::Done;
    let mut stdout = BufWriter::new(io::stdout().lock());
    for path in &args.files {
        let name = terminal::path(path);
        let mut fail = |message: &str| {
            terminal::print_message(message);
            exit = Exit::Error;
        };
        let input = Input::File {
            path: path.clone(),
            site_path: None,
            found: None,
        };
        let archive = match input.open_file() {
            Ok(archive) => archive,
            Err(error) => {
                fail(&format!("cannot read {name}: {error}"));
                continue;
            }
        };
        let prefix = input.file_prefix().unwrap_or_default();
        if let Some(message) = unsupported_format(&prefix) {
            fail(&format!("{name}: {message}"));
            continue;
        }
        let filename = terminal::path_text(path);
        for place in WarcIndex::new(WarcReader::new(archive)) {
            match place {
                Ok(place) => {
                    let entry = IndexEntry {
                        filename: &filename,
                        offset: place.offset,
                        length: place.length,
                    };
                    format::write_json(&entry, &mut stdout)?;
                }
                Err(error) => fail(&format!("{name}: {error}; indexed as far as possible")),
            }
        }
    }
    stdout.flush()?;
    Ok(exit)
}
