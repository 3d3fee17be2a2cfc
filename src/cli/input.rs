//! The documents a run reads.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use absolve::{Findings, Unread};

use super::fetch::{self, Fetched, Fetcher, Transport};
use super::{Exit, Stop, talk};

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Input {
    Stdin,
    File(PathBuf),
    /// It is fetched.
    Url(String),
}

/// A document as it was read.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) bytes: Vec<u8>,
    /// What the transport says, if it was fetched.
    pub(super) transport: Option<Transport>,
}

impl Input {
    /// The inputs the arguments name, sorted by path; none means standard input.
    pub(super) fn from_paths(paths: &[PathBuf]) -> Result<Vec<Self>, Stop> {
        if paths.is_empty() {
            return Ok(vec![Self::Stdin]);
        }
        let input = |path: &PathBuf| match path.to_str() {
            Some("-") => Self::Stdin,
            Some(url) if fetch::is_url(url) => Self::Url(url.to_owned()),
            _ => Self::File(path.clone()),
        };
        let mut inputs: Vec<Self> = paths.iter().map(input).collect();
        inputs.sort();
        if let Some(twice) = inputs.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Stop::Usage(format!(
                "{} is named twice; name each document once",
                twice[0].name()
            )));
        }
        Ok(inputs)
    }

    /// The path as it was given; `-` for standard input.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.to_string_lossy().into_owned(),
            Self::Url(url) => url.clone(),
        }
    }

    /// Whether it is a file whose name ends so, in any case.
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        match self {
            Self::Stdin | Self::Url(_) => false,
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
            Self::Url(url) => talk::visible(url),
        }
    }

    /// The whole document; `None` when it cannot be read, which has been said then.
    pub(super) fn read(&self, fetcher: &Fetcher) -> Option<Reading> {
        let bytes = match self {
            Self::Url(url) => return self.fetched(fetcher.fetch(url)),
            Self::Stdin => {
                let mut document = Vec::new();
                io::stdin()
                    .lock()
                    .read_to_end(&mut document)
                    .map(|_| document)
            }
            Self::File(path) => fs::read(path),
        };
        match bytes {
            Ok(bytes) => Some(Reading {
                bytes,
                transport: None,
            }),
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

    fn fetched(&self, fetched: Result<Fetched, String>) -> Option<Reading> {
        match fetched {
            Ok(Fetched { bytes, transport }) => Some(Reading {
                bytes,
                transport: Some(transport),
            }),
            Err(what) => {
                talk::say(&format!("{}: cannot be fetched: {what}", self.name()));
                None
            }
        }
    }

    /// Says so if the document was not read at all.
    pub(super) fn report_unread(&self, findings: &Findings<'_>) -> Exit {
        let Some(unread) = findings.unread else {
            return Exit::Done;
        };
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
