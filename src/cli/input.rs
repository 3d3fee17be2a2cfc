//! The documents a run reads.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use absolve::{Findings, Unread};

use super::{Exit, Stop, talk};

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    /// The inputs the arguments name, sorted by path; none means standard input.
    pub(super) fn from_paths(paths: &[PathBuf]) -> Result<Vec<Self>, Stop> {
        if paths.is_empty() {
            return Ok(vec![Self::Stdin]);
        }
        let mut sorted: Vec<&PathBuf> = paths.iter().collect();
        sorted.sort();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let name = talk::visible(&twice[0].to_string_lossy());
            return Err(Stop::Usage(format!(
                "{name} is named twice; name each document once"
            )));
        }
        let input = |path: &PathBuf| {
            if path == Path::new("-") {
                Self::Stdin
            } else {
                Self::File(path.clone())
            }
        };
        Ok(sorted.into_iter().map(input).collect())
    }

    /// The path as it was given; `-` for standard input.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// Whether it is a file whose name ends so, in any case.
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        match self {
            Self::Stdin => false,
            Self::File(path) => path
                .extension()
                .is_some_and(|own| own.eq_ignore_ascii_case(extension)),
        }
    }

    /// The name for people.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => talk::visible(&path.to_string_lossy()),
        }
    }

    /// The whole document; `None` when it cannot be read, which has been said then.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let document = match self {
            Self::Stdin => {
                let mut document = Vec::new();
                io::stdin()
                    .lock()
                    .read_to_end(&mut document)
                    .map(|_| document)
            }
            Self::File(path) => fs::read(path),
        };
        match document {
            Ok(document) => Some(document),
            Err(error) => {
                let what_next = match self {
                    Self::File(path) if path.is_dir() => {
                        "; directories are not read yet, name the files in it"
                    }
                    _ => "",
                };
                talk::say(&format!(
                    "{}: cannot be read: {error}{what_next}",
                    self.name()
                ));
                None
            }
        }
    }

    /// Says so if the document was not read at all.
    pub(super) fn report_unread(&self, findings: &Findings<'_>) -> Exit {
        findings
            .unread
            .map_or(Exit::Done, |unread| self.report(unread))
    }

    /// Says that the document was not read at all.
    pub(super) fn report(&self, unread: Unread) -> Exit {
        let what_next = match unread {
            Unread::NoEncoding => "; name the one it has with --encoding",
            _ => "",
        };
        talk::say(&format!(
            "{}: left as it is: {unread}{what_next}",
            self.name()
        ));
        Exit::Trouble
    }
}
