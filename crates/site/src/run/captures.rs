//! The captures of archives as the files of a folder.
//!
//! The archives are read twice: [`Captures::index`] finds the newest capture of each URL and names its file, and the
//! run reads one capture after the other at its offset. A file has the path `ARCHIVE!OFFSET`.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use absolve::Unwrap;
use absolve_archive::container::ContainerError;
use absolve_archive::container::warc::{Capture, WarcIndex, WarcReader};
use absolve_archive::{ArchivePart, ArchiveSettings, CaptureContent, ContainerLimit, read_capture};

use crate::Mirror;
use crate::captures::{CaptureIndex, CapturePlace};
use crate::files::{SiteFile, Walk};

/// The maximum length of a record that is described, in bytes.
pub const MAX_RECORD: usize = 1 << 30;

/// Returns the last timestamp that begins with a date, such as `2026-01-31`; `None` if it is none.
#[must_use]
pub fn last_timestamp(date: &str) -> Option<String> {
    let digits: String = date.chars().filter(char::is_ascii_digit).collect();
    let is_date = |letter: char| letter.is_ascii_digit() || "-:TZ. ".contains(letter);
    let is_valid = (4..=14).contains(&digits.len()) && date.chars().all(is_date);
    is_valid.then(|| digits.clone() + &"99999999999999"[digits.len()..])
}

/// The captures of archives that become files.
#[derive(Debug)]
pub struct Captures {
    archives: Vec<(PathBuf, ArchivePart)>,
    /// By the path of the file.
    places: HashMap<PathBuf, CapturePlace>,
    settings: ArchiveSettings,
}

/// The reason why an archive or a capture does not become files, or not all of them.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureProblem {
    /// The archive cannot be opened.
    Unreadable(io::Error),
    /// It is damaged, and read as far as possible.
    Damaged(ContainerError),
    /// No directory can have the name of the host of the capture.
    NoName,
}

impl fmt::Display for CaptureProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(formatter, "cannot read: {error}"),
            Self::Damaged(error) => write!(formatter, "{error}; read as far as possible"),
            Self::NoName => {
                formatter.write_str("left out: no directory can have the name of its host")
            }
        }
    }
}

impl Captures {
    /// Finds the captures that are not later than the timestamp `until`. Returns also the mirror of their files, and
    /// these as they would be found in a folder. Problems are passed to `problem`, with the path of the archive or
    /// capture.
    pub fn index(
        archives: Vec<(PathBuf, ArchivePart)>,
        until: Option<&str>,
        unwrap: Unwrap,
        settings: &ArchiveSettings,
        mut problem: impl FnMut(&Path, CaptureProblem),
    ) -> (Self, Mirror, Walk) {
        let mut index = CaptureIndex::default();
        for (archive, (path, part)) in archives.iter().enumerate() {
            let opened = File::open(path).and_then(|file| part.reader(file));
            let reader = match opened {
                Ok(reader) => WarcReader::new(reader).limit(MAX_RECORD),
                Err(error) => {
                    problem(path, CaptureProblem::Unreadable(error));
                    continue;
                }
            };
            for place in WarcIndex::describing(reader, Capture::of) {
                match place {
                    Ok(place) => {
                        if let Some(capture) = place.description
                            && until.is_none_or(|until| &*capture.timestamp <= until)
                        {
                            let url = unwrap.original(&capture.url);
                            index.add(url, &capture, (archive, place.offset));
                        }
                    }
                    Err(error) => problem(path, CaptureProblem::Damaged(error)),
                }
            }
        }
        let (mirror, files) = index.into_mirror();
        let mut places = HashMap::with_capacity(files.len());
        let mut directories = BTreeSet::new();
        let mut walk = Walk::default();
        for (name, place) in files {
            let (path, part) = &archives[place.0];
            let mut path = part.path(path).into_os_string();
            path.push(format!("!{}", place.1));
            let path = PathBuf::from(path);
            let Some(name) = name else {
                problem(&path, CaptureProblem::NoName);
                continue;
            };
            let site_path = PathBuf::from(name);
            let parents = site_path.ancestors().skip(1);
            let parents = parents.filter(|parent| parent.parent().is_some());
            directories.extend(parents.map(Path::to_owned));
            places.insert(site_path.clone(), place);
            walk.documents.push(SiteFile {
                path,
                site_path,
                is_link: false,
                depth: 0,
            });
        }
        // A set has each directory after its parent.
        walk.directories = directories.into_iter().collect();
        let settings = settings
            .clone()
            .limit(ContainerLimit::RecordSize, MAX_RECORD);
        let captures = Self {
            archives,
            places,
            settings,
        };
        (captures, mirror, walk)
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// It cannot be read completely.
    pub(super) fn read(&self, site_path: &Path) -> io::Result<CaptureContent> {
        let (archive, offset) = self.places.get(site_path).ok_or(io::ErrorKind::NotFound)?;
        let (path, part) = &self.archives[*archive];
        let reader = part.reader(File::open(path)?)?;
        read_capture(reader, *offset, &self.settings).map_err(io::Error::other)
    }
}
