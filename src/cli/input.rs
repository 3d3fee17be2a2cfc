//! A document a run reads.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use absolve::{Report, Unsupported};

use super::fetch::{Fetched, Fetcher, Transport};
use super::job_result::JobResult;
use super::{Exit, input_kind, stdin, terminal, unsupported_input};

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    Stdin,
    File {
        path: PathBuf,
        /// Where it is in its site, if it belongs to one.
        below: Option<PathBuf>,
    },
    /// It is fetched.
    Url(String),
}

/// A document as it was read.
#[derive(Debug)]
pub(super) struct LoadedInput {
    pub(super) bytes: Vec<u8>,
    /// Of the file, from before it was read.
    pub(super) metadata: Option<Metadata>,
    /// What the transport says, if it was fetched.
    pub(super) transport: Option<Transport>,
}

impl Input {
    /// The path as it was given; `-` for standard input.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
            Self::Url(url) => url.clone(),
        }
    }

    /// Where it is in its site, if it belongs to one.
    pub(super) fn below(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Url(_) => None,
            Self::File { below, .. } => below.as_deref(),
        }
    }

    /// The name for people.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File { path, .. } => terminal::escape_control(&path.to_string_lossy()),
            Self::Url(url) => terminal::escape_control(url),
        }
    }

    /// The whole document; `None` when it cannot be read, which the answer says then.
    pub(super) fn read(
        &self,
        fetcher: &Fetcher,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let loaded = match self {
            Self::Url(url) => return self.fetched(fetcher.fetch(url), job_result),
            Self::Stdin => {
                let mut bytes = Vec::new();
                let read = stdin::reader().read_to_end(&mut bytes);
                read.map(|_| LoadedInput {
                    bytes,
                    metadata: None,
                    transport: None,
                })
            }
            Self::File { path, .. } => read_file(path),
        };
        match loaded {
            Ok(loaded) => self.told_of_foreign(loaded, job_result),
            Err(error) => {
                job_result.error(format!("{}: cannot be read: {error}", self.name()));
                None
            }
        }
    }

    /// What reads it piece by piece; what is fetched is read as a whole.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Stdin => Box::new(stdin::reader()),
            Self::File { path, .. } => Box::new(File::open(path)?),
            Self::Url(_) => return Err(io::ErrorKind::Unsupported.into()),
        })
    }

    fn fetched(
        &self,
        fetched: Result<Fetched, String>,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        match fetched {
            Ok(Fetched { bytes, transport }) => {
                let loaded = LoadedInput {
                    bytes,
                    metadata: None,
                    transport: Some(transport),
                };
                self.told_of_foreign(loaded, job_result)
            }
            Err(what) => {
                job_result.error(format!("{}: cannot be fetched: {what}", self.name()));
                None
            }
        }
    }

    /// What was read; if it is nothing that is read here, this is said. What only stands among others is left as it is.
    fn told_of_foreign(
        &self,
        loaded: LoadedInput,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let length = loaded.bytes.len().min(input_kind::LOOKED_AT);
        let what =
            unsupported_input::describe(&loaded.bytes[..length]).filter(|_| self.below().is_none());
        let Some(what) = what else {
            return Some(loaded);
        };
        job_result.error(format!("{}: {what}", self.name()));
        None
    }

    /// Says so if the document was not read at all.
    pub(super) fn report_unsupported(&self, report: &Report<'_>, job_result: &mut JobResult) {
        report_unsupported(&self.name(), report, job_result);
    }
}

/// Says so if the document of that name was not read at all.
pub(super) fn report_unsupported(name: &str, report: &Report<'_>, job_result: &mut JobResult) {
    if let Some(unsupported) = report.unsupported {
        report_reason(name, unsupported, job_result);
    }
}

/// Says that the document of that name was not read at all.
pub(super) fn report_reason(name: &str, unsupported: Unsupported, job_result: &mut JobResult) {
    let what_next = match unsupported {
        Unsupported::NoEncoding => "; name the one it has with --encoding",
        _ => "",
    };
    job_result.error(format!("{name}: left as it is: {unsupported}{what_next}"));
    job_result.exit = Exit::Error;
}

fn read_file(path: &Path) -> io::Result<LoadedInput> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let length = usize::try_from(metadata.len()).unwrap_or(0);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(length)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    let is_file = metadata.is_file();
    (&file).take(metadata.len()).read_to_end(&mut bytes)?;
    // A pipe has no length, and a file may have grown; what is as long as it was said to be is whole.
    if !is_file || bytes.len() != length {
        (&file).read_to_end(&mut bytes)?;
    }
    Ok(LoadedInput {
        bytes,
        metadata: Some(metadata),
        transport: None,
    })
}
