//! Detection of the container format.

use std::ffi::OsStr;

use super::headers::{HeaderBlock, MalformedLine};
use super::http::begins_response;
use super::mime::begins_mbox;
use super::transfer::zstandard::{DICTIONARY, skippable_frame};
use super::transfer::{Coding, decode_coding};

/// A container format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A chain of HTTP responses as a client prints it.
    Http,
    /// A MIME message (mail or MHTML), or a mailbox of messages in the mbox format.
    Mime,
    /// A WARC archive, plain or compressed.
    Warc,
}

absolve::names::named_values! { Format, "format of containers":
    Http => "http",
    Mime => "mime",
    Warc => "warc",
}

/// Files of a format, as their names tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileType {
    /// The name on the command line.
    pub name: &'static str,
    /// The format.
    pub format: Format,
    /// The extensions of the names of such files, in lower case and without the dot.
    pub extensions: &'static [&'static str],
}

impl FileType {
    /// Every type of files.
    pub const ALL: &'static [Self] = &[
        Self::new("http", Format::Http, &["http"]),
        Self::new("mhtml", Format::Mime, &["mht", "mhtml"]),
        Self::new("eml", Format::Mime, &["eml"]),
        Self::new("mbox", Format::Mime, &["mbox"]),
        Self::new("warc", Format::Warc, &["warc", "warc.gz", "warc.zst"]),
    ];

    const fn new(name: &'static str, format: Format, extensions: &'static [&'static str]) -> Self {
        Self {
            name,
            format,
            extensions,
        }
    }

    /// Returns the type of the file that a name determines, or `None` for other names.
    ///
    /// HTTP dumps are not among them, because other programs write HTTP requests to files with the extension `.http`.
    #[must_use]
    pub fn of_name(name: &OsStr) -> Option<Self> {
        let mut named = Self::ALL.iter().filter(|of| of.format != Format::Http);
        named.find(|of| has_extension(name, of.extensions)).copied()
    }
}

/// Returns whether `name` ends with a dot and one of `extensions`, in any letter case.
///
/// The file name must have a character before that dot: `.html` is a hidden file without an extension.
#[must_use]
pub fn has_extension(name: &OsStr, extensions: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    extensions.iter().any(|extension| {
        let Some(dot) = name.len().checked_sub(extension.len() + 1) else {
            return false;
        };
        dot > 0
            && !matches!(name[dot - 1], b'/' | b'\\')
            && name[dot] == b'.'
            && name[dot + 1..].eq_ignore_ascii_case(extension.as_bytes())
    })
}

/// Header fields that identify a message. A header block at the beginning of any other file is assumed to contain
/// none of them.
const MESSAGE_FIELDS: &[&str] = &[
    "MIME-Version",
    "Content-Type",
    "Message-ID",
    "Received",
    "Return-Path",
    "From",
];

impl Format {
    /// Returns the noun for a container in this format, with its article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Http => "an HTTP dump",
            Self::Mime => "a MIME message",
            Self::Warc => "a WARC archive",
        }
    }

    /// Returns whether containers in this format are read one record after another, and not as a
    /// [`Container`](crate::Container).
    #[must_use]
    pub fn is_archive(self) -> bool {
        match self {
            Self::Http | Self::Mime => false,
            Self::Warc => true,
        }
    }

    /// Returns the format of the container that begins with `prefix`, or `None` for anything else, such as a
    /// document.
    ///
    /// A few KiB are enough. Only the beginning is examined; damage further on is reported by the reader of the
    /// format.
    #[must_use]
    pub fn detect(prefix: &[u8]) -> Option<Self> {
        if begins_response(prefix) {
            return Some(Self::Http);
        }
        if begins_mbox(prefix) {
            return Some(Self::Mime);
        }
        if begins_warc(prefix) {
            return Some(Self::Warc);
        }
        let fields = HeaderBlock::split(prefix, 0, MalformedLine::EndHeaders);
        let is_message = MESSAGE_FIELDS
            .iter()
            .any(|name| fields.find(name).is_some());
        is_message.then_some(Self::Mime)
    }

    /// Returns the coding of a compressed file that begins with `prefix`, by its signature:
    /// [`Gzip`](Coding::Gzip), [`Zstandard`](Coding::Zstandard), or `None`.
    #[must_use]
    pub fn compression(prefix: &[u8]) -> Option<Coding> {
        ["gzip", "zstd"]
            .iter()
            .find_map(|name| Coding::of(name, prefix))
    }
}

/// Returns whether `prefix` is the beginning of a WARC archive, compressed or not.
fn begins_warc(prefix: &[u8]) -> bool {
    const VERSION: &[u8] = b"WARC/";
    let Some(coding) = Format::compression(prefix) else {
        return prefix.starts_with(VERSION);
    };
    // No other files begin with a dictionary in such a frame, and `prefix` may end within it.
    if matches!(skippable_frame(prefix), Some((DICTIONARY, _))) {
        return true;
    }
    // Any compressed file has the signature of its coding, so the first decoded bytes decide. `prefix` may end within
    // the compressed data: the decoding error is irrelevant.
    let decoded = decode_coding(prefix, coding, VERSION.len());
    // A Zstandard frame is decoded in blocks of up to 128 KiB. If `prefix` ends within the first one, nothing is known.
    let is_unknown = coding == Coding::Zstandard && decoded.bytes.is_empty();
    decoded.bytes.starts_with(VERSION) || is_unknown
}
