//! Detection of the container format.

use super::headers::{HeaderBlock, MalformedLine};
use super::http::begins_response;
use super::mime::begins_mbox;
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
        // Any gzip file has this signature, so the first decoded bytes decide. `prefix` may end within the compressed
        // data: the decoding error is irrelevant.
        let is_compressed = prefix.starts_with(&[0x1F, 0x8B]);
        let is_warc = if is_compressed {
            decode_coding(prefix, Coding::Gzip, 16)
                .bytes
                .starts_with(b"WARC/")
        } else {
            prefix.starts_with(b"WARC/")
        };
        if is_warc {
            return Some(Self::Warc);
        }
        let fields = HeaderBlock::split(prefix, 0, MalformedLine::EndHeaders);
        let is_message = MESSAGE_FIELDS
            .iter()
            .any(|name| fields.find(name).is_some());
        is_message.then_some(Self::Mime)
    }
}
