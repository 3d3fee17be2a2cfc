//! Errors in containers: a kind and a byte offset.

use std::fmt;
use std::io::{self, Write};

/// An error in a container, with its location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContainerError {
    /// The kind of error.
    pub kind: ContainerErrorKind,
    /// The zero-based offset of the byte at which the error was detected, in the container as it is stored. For a
    /// body that had to be decoded first, the offset at which that body begins.
    pub offset: u64,
    /// The number of bytes from `offset` on that were skipped to continue with the next record of a damaged archive;
    /// otherwise zero.
    pub skipped: u64,
}

/// The kind of an error in a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContainerErrorKind {
    /// A required HTTP status line is missing.
    NotHttp,
    /// The message does not begin with a header field.
    NotMime,
    /// A WARC record must begin here, and none does.
    NotWarc,
    /// The container ends within a header block, body or record.
    Truncated,
    /// The header fields of the last response declare the length of its body, and no body follows. It may answer a
    /// HEAD request.
    NoBody,
    /// A header block exceeds the limit.
    HeadersTooLong,
    /// A record has no valid `Content-Length`.
    NoContentLength,
    /// A record does not end where its `Content-Length` declares.
    WrongContentLength,
    /// A chunk does not begin with its size in hexadecimal digits, or is not followed by a line break.
    BadChunk,
    /// Compressed bytes that cannot be decompressed.
    BadCompression,
    /// A content coding or transfer encoding that is not supported, such as `compress`.
    UnknownCoding,
    /// A decoded body exceeds the limit.
    BodyTooLong,
    /// The compressed parts of the container decode to more than its length justifies.
    DecodedTooMuch,
    /// A record exceeds the limit.
    RecordTooLong,
    /// Entities are nested deeper than the limit.
    TooDeep,
    /// There are more entities than the limit allows.
    TooManyEntities,
    /// Relative URLs in header fields exceed the length limit once they are resolved.
    UrlsTooLong,
    /// A line among the header fields of a message is not one: it has no colon. It is ignored, or the body begins with
    /// it.
    MalformedHeader,
    /// A multipart entity has no `boundary` parameter.
    NoBoundary,
    /// A multipart entity does not contain its boundary.
    BoundaryNotFound,
    /// A multipart entity lacks its closing boundary.
    BoundaryNotClosed,
    /// A new body contains a line that would be read as a boundary.
    BoundaryInBody,
    /// A new body in a mailbox contains a line that would begin another message.
    SeparatorInBody,
    /// The beginning of a new body would be read as header fields, because the empty line before the body is missing.
    NoEmptyLine,
    /// A new body contains bytes above 127, and its transfer encoding declares that there are none.
    NotSevenBit,
    /// A gzip member or a Zstandard frame contains more than one record: the archive was compressed as a whole.
    NotCompressedByRecord,
    /// A record of an archive is a segment of a longer one (WARC 1.1, "Record segmentation").
    Segmented,
    /// A digest of a replaced record was removed, because its algorithm is unknown or it is not that of the payload.
    DigestRemoved,
    /// A `revisit` record refers to a rewritten response from another URL, whose links were resolved against that URL.
    RevisitOfOtherUrl,
    /// The source could not be read.
    Unreadable(io::ErrorKind),
    /// The output could not be written.
    Unwritable(io::ErrorKind),
}

impl ContainerErrorKind {
    /// Returns an error of this kind at `offset`.
    #[must_use]
    pub fn at(self, offset: usize) -> ContainerError {
        self.at_stored(offset as u64)
    }

    /// Returns an error of this kind at `offset` in a container that need not fit into memory.
    pub(crate) fn at_stored(self, offset: u64) -> ContainerError {
        ContainerError {
            kind: self,
            offset,
            skipped: 0,
        }
    }
}

/// Writes `bytes`, which belong to the container at `offset`.
pub(crate) fn write_all(
    output: &mut impl Write,
    bytes: &[u8],
    offset: u64,
) -> Result<(), ContainerError> {
    let written = output.write_all(bytes);
    written.map_err(|error| ContainerErrorKind::Unwritable(error.kind()).at_stored(offset))
}

impl fmt::Display for ContainerErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotHttp => "no HTTP status line",
            Self::NotMime => "no MIME header field",
            Self::NotWarc => "no WARC record",
            Self::Truncated => "unexpected end of input",
            Self::NoBody => "missing body of a response with a Content-Length",
            Self::HeadersTooLong => "header block too long",
            Self::NoContentLength => "record without a valid Content-Length",
            Self::WrongContentLength => "record with a wrong Content-Length",
            Self::BadChunk => "invalid chunk",
            Self::BadCompression => "invalid compressed data",
            Self::UnknownCoding => "unsupported content or transfer encoding",
            Self::BodyTooLong => "decoded body too long",
            Self::DecodedTooMuch => "too many decoded bytes for the length of the container",
            Self::RecordTooLong => "record too long",
            Self::TooDeep => "entities nested too deeply",
            Self::TooManyEntities => "too many entities",
            Self::UrlsTooLong => "ignored header field: relative URL too long when resolved",
            Self::MalformedHeader => "line among header fields that is not a header field",
            Self::NoBoundary => "multipart entity without a boundary parameter",
            Self::BoundaryNotFound => "multipart entity without a boundary line",
            Self::BoundaryNotClosed => "multipart entity without a closing boundary",
            Self::BoundaryInBody => "rewritten body with a boundary line",
            Self::SeparatorInBody => "rewritten body with a line that begins with `From `",
            Self::NoEmptyLine => "rewritten body that would be read as a header field",
            Self::NotSevenBit => "rewritten body with non-ASCII bytes in a 7bit entity",
            Self::NotCompressedByRecord => "gzip member with several records",
            Self::Segmented => "segment of a record",
            Self::DigestRemoved => "removed digest: unknown algorithm, or not that of the payload",
            Self::RevisitOfOtherUrl => {
                "revisit of a response from another URL, against which its links were resolved"
            }
            Self::Unreadable(kind) => return write!(formatter, "read error: {kind}"),
            Self::Unwritable(kind) => return write!(formatter, "write error: {kind}"),
        })
    }
}

impl fmt::Display for ContainerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.kind, self.offset)?;
        match self.skipped {
            0 => Ok(()),
            skipped => write!(formatter, ", {skipped} bytes skipped"),
        }
    }
}

impl std::error::Error for ContainerError {}
