//! An input of a run and how it is read.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use absolve::Unsupported;
use absolve_archive::container::unsupported_format;
use absolve_archive::{ArchivePart, ArchiveSettings, PartReader};
use absolve_site::files::{self, SiteFile};

use crate::exit::Exit;
use crate::inputs::fetch::{Fetcher, Transport};
use crate::inputs::kind::{InputKind, SNIFF_LEN};
use crate::inputs::stdin;
use crate::print::job_result::JobResult;
use crate::print::terminal;

/// Source of a document or container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    Stdin,
    File {
        path: PathBuf,
        /// Path relative to the root of its site: a directory given by name, or `--root`.
        site_path: Option<PathBuf>,
        /// The depth of a [`SiteFile`], if it was found in a directory: it must be a
        /// regular file. One given by name may be a pipe.
        found: Option<usize>,
    },
    /// An `http` or `https` URL to be fetched.
    Url(String),
}

/// An input that is read as a stream, and the metadata of a file from before it was read.
pub(crate) type OpenInput = (Box<dyn Read + Send>, Option<Metadata>);

/// Content of an input.
#[derive(Debug, Default)]
pub(crate) struct LoadedInput {
    pub(crate) bytes: Vec<u8>,
    /// Metadata of a file, from before it was read.
    pub(crate) metadata: Option<Metadata>,
    /// Facts from the HTTP response, if the input was fetched.
    pub(crate) transport: Option<Transport>,
}

impl LoadedInput {
    /// Returns the bytes, and the metadata of a file.
    pub(crate) fn original(&self) -> (&[u8], Option<&Metadata>) {
        (&self.bytes, self.metadata.as_ref())
    }

    /// Returns a message if the format of the input is known and unsupported.
    pub(crate) fn unsupported_format(&self) -> Option<&'static str> {
        unsupported_format(&self.bytes)
    }
}

impl Input {
    /// Returns a file that was given by name.
    pub(crate) fn named(path: &Path) -> Self {
        Self::File {
            path: path.to_owned(),
            site_path: None,
            found: None,
        }
    }

    /// Returns the path or URL as given; `-` for standard input.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File { path, .. } => terminal::path_text(path),
            Self::Url(url) => url.clone(),
        }
    }

    /// Returns the path or URL as given, in the encoding of the file system.
    pub(crate) fn path_bytes(&self) -> &[u8] {
        match self {
            Self::Stdin => b"-",
            Self::File { path, .. } => path.as_os_str().as_encoded_bytes(),
            Self::Url(url) => url.as_bytes(),
        }
    }

    /// Returns the path of a file.
    pub(crate) fn file_path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Url(_) => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// Returns the path relative to the root of its site, or `None` if the input belongs to no site.
    pub(crate) fn site_path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Url(_) => None,
            Self::File { site_path, .. } => site_path.as_deref(),
        }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File { path, .. } => terminal::path(path),
            Self::Url(url) => terminal::escape_control(url),
        }
    }

    /// Reads the whole input, for a verb that only reads.
    ///
    /// Returns `None` if it cannot be read or has an unsupported format. The error is added to `job_result`.
    pub(crate) fn read_supported(
        &self,
        fetcher: &Fetcher,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let loaded = self.read(fetcher, job_result)?;
        let Some(message) = loaded.unsupported_format() else {
            return Some(loaded);
        };
        job_result.error(format!("{}: {message}", self.name()));
        None
    }

    /// Reads the whole input.
    ///
    /// Returns `None` if it cannot be read. The error is added to `job_result`.
    pub(crate) fn read(
        &self,
        fetcher: &Fetcher,
        job_result: &mut JobResult,
    ) -> Option<LoadedInput> {
        let cannot_read = |error: io::Error| {
            let hint = match error.kind() {
                io::ErrorKind::NotFound => self.url_hint(),
                _ => "",
            };
            format!("cannot read {}: {error}{hint}", self.name())
        };
        let loaded = match self {
            Self::Url(url) => fetcher
                .fetch(url, job_result)
                .map(|(bytes, transport)| LoadedInput {
                    bytes,
                    transport: Some(transport),
                    ..LoadedInput::default()
                })
                .map_err(|error| format!("cannot fetch {}: {error}", self.name())),
            Self::Stdin => {
                let mut bytes = Vec::new();
                let read = stdin::reader().read_to_end(&mut bytes);
                read.map_err(cannot_read).map(|_| LoadedInput {
                    bytes,
                    ..LoadedInput::default()
                })
            }
            Self::File { .. } => self.read_file().map_err(cannot_read),
        };
        loaded.map_err(|message| job_result.error(message)).ok()
    }

    /// Returns a hint for a file that does not exist, whose name looks like a URL.
    fn url_hint(&self) -> &'static str {
        let path = self.path();
        let host = path.split('/').next().unwrap_or_default();
        let is_host = host.len() < path.len()
            && host.contains('.')
            && host.starts_with(|first: char| first.is_ascii_alphanumeric());
        match path.split_once("://") {
            Some(_) => "; only http and https URLs are fetched",
            None if is_host => "; a URL begins with https://",
            None => "",
        }
    }

    /// Opens the input for streaming. A URL is not supported, because it is fetched as a whole.
    ///
    /// Returns `None` if it cannot be opened. The error is added to `job_result`.
    pub(crate) fn open(&self, job_result: &mut JobResult) -> Option<OpenInput> {
        let open = || -> io::Result<OpenInput> {
            if *self == Self::Stdin {
                return Ok((Box::new(stdin::reader()), None));
            }
            let file = self.open_file()?;
            let metadata = file.metadata()?;
            Ok((Box::new(file), Some(metadata)))
        };
        open()
            .inspect_err(|error| {
                job_result.error(format!("cannot read {}: {error}", self.name()));
            })
            .ok()
    }

    /// Returns whether the input is a ZIP archive, which may be a WACZ file. Files with the name of another format are
    /// not read for it.
    pub(crate) fn is_zip(&self) -> bool {
        let path = self.file_path();
        path.is_some_and(|path| InputKind::from_name(path.as_os_str()).is_none())
            && (self.file_prefix()).is_some_and(|prefix| ArchivePart::is_zip(&prefix))
    }

    /// Returns the archives in a file: those of a WACZ file, or the file itself.
    ///
    /// # Errors
    /// A message if they cannot be read, or if the format of the file is known and unsupported.
    pub(crate) fn archive_parts(
        &self,
        settings: &ArchiveSettings,
    ) -> Result<Vec<ArchivePart>, String> {
        let name = self.name();
        let cannot_read = |error| format!("cannot read {name}: {error}");
        let prefix = self.file_prefix().unwrap_or_default();
        if ArchivePart::is_zip(&prefix) {
            let file = self.open_file().map_err(cannot_read)?;
            let parts = ArchivePart::in_wacz(file, settings).map_err(cannot_read)?;
            if !parts.is_empty() {
                return Ok(parts);
            }
        }
        match unsupported_format(&prefix) {
            Some(message) => Err(format!("{name}: {message}")),
            None => Ok(vec![ArchivePart::WHOLE]),
        }
    }

    /// Opens a part of a file.
    ///
    /// # Errors
    /// A message if it cannot be read.
    pub(crate) fn open_part(&self, part: &ArchivePart) -> Result<PartReader<File>, String> {
        let opened = self.open_file().and_then(|file| part.reader(file));
        opened.map_err(|error| format!("cannot read {}: {error}", self.name()))
    }

    /// Opens a file.
    pub(crate) fn open_file(&self) -> io::Result<File> {
        match self {
            Self::File {
                path,
                found: Some(depth),
                ..
            } => files::open_regular(path, *depth),
            Self::File { path, .. } => File::open(path),
            Self::Stdin | Self::Url(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Reads a file with its metadata.
    pub(crate) fn read_file(&self) -> io::Result<LoadedInput> {
        let (bytes, metadata) = files::read_all(&self.open_file()?)?;
        Ok(LoadedInput {
            bytes,
            metadata: Some(metadata),
            transport: None,
        })
    }

    /// Returns the first bytes of a file, or `None` if it is not a regular file or cannot be read.
    ///
    /// Bytes read from a pipe would be lost for the actual read.
    pub(crate) fn file_prefix(&self) -> Option<Vec<u8>> {
        let is_file = self.file_path()?.is_file();
        let file = is_file.then(|| self.open_file().ok())??;
        let mut prefix = Vec::new();
        let mut file = file.take(SNIFF_LEN as u64);
        file.read_to_end(&mut prefix).ok().map(|_| prefix)
    }

    /// Returns the file, if the input is one. One that was given by name may be a symbolic link, which is followed.
    pub(crate) fn site_file(&self) -> Option<SiteFile> {
        match self {
            Self::Stdin | Self::Url(_) => None,
            Self::File {
                path,
                site_path,
                found,
            } => Some(SiteFile::new(
                path.clone(),
                site_path.clone().unwrap_or_default(),
                found.unwrap_or(0),
            )),
        }
    }
}

/// Reports that the document `name` is unsupported and was left unchanged, if it is.
///
/// This is an error, except for an ill-formed XML document: the verb determines the exit status.
pub(crate) fn report_unsupported(
    name: &str,
    unsupported: Option<Unsupported>,
    job_result: &mut JobResult,
) {
    let Some(unsupported) = unsupported else {
        return;
    };
    let message = format!("{name}: left unchanged: {unsupported}");
    match unsupported {
        Unsupported::NoEncoding => {
            job_result.error(format!("{message}; set the encoding with --encoding"));
        }
        Unsupported::LimitExceeded(limit) => job_result.error(format!(
            "{message}; raise the limit with --limit {}=NUMBER",
            limit.name()
        )),
        Unsupported::IllFormed(_) => {
            job_result.warn(format!(
                "{message}; correct the document, or read it with --lenient or --input-format html"
            ));
        }
        _ => job_result.error(message),
    }
}

/// Reports that the document `name` is unsupported, if it is, for a verb that only reads: the exit status says so.
pub(crate) fn report_unread(
    name: &str,
    unsupported: Option<Unsupported>,
    job_result: &mut JobResult,
) {
    report_unsupported(name, unsupported, job_result);
    if unsupported.is_some() {
        job_result.exit = job_result.exit.max(Exit::Findings);
    }
}
