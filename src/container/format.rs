//! Which container some bytes are.

use super::headers::{HeaderBlock, MalformedLine};
use super::http::begins_response;
use super::transfer::{Coding, decode_coding};

/// A kind of container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// HTTP responses as a client prints them.
    Http,
    /// A MIME message: mail, MHTML.
    Mime,
    /// A WARC archive, compressed or not.
    Warc,
}

/// Header fields that a file which is no message does not begin with.
const TELLING: &[&str] = &[
    "MIME-Version",
    "Content-Type",
    "Message-ID",
    "Received",
    "Return-Path",
    "From",
];

impl Format {
    /// The kind of container that begins with these bytes; `None` for a document. A few kilobytes are enough.
    ///
    /// It may be damaged further on: that is for its reader to say.
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Self> {
        if begins_response(head) {
            return Some(Self::Http);
        }
        let is_compressed = head.starts_with(&[0x1F, 0x8B]);
        let is_warc = if is_compressed {
            decode_coding(head, Coding::Gzip, 16)
                .bytes
                .starts_with(b"WARC/")
        } else {
            head.starts_with(b"WARC/")
        };
        if is_warc {
            return Some(Self::Warc);
        }
        let fields = HeaderBlock::split(head, 0, MalformedLine::EndHeaders);
        let is_message = TELLING.iter().any(|name| fields.find(name).is_some());
        is_message.then_some(Self::Mime)
    }
}
