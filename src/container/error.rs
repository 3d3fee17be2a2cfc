//! What is wrong with a container, and where.

use std::{fmt, io};

/// What is wrong with a container, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContainerError {
    /// What is wrong.
    pub kind: ContainerErrorKind,
    /// Where it was noticed: a byte, counted from zero, of the container as it is stored. In a body that had to be
    /// decoded first, where that body begins.
    pub offset: u64,
}

/// What is wrong with a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContainerErrorKind {
    /// There is no HTTP status line where one must be.
    NotHttp,
    /// There is no header field where a message begins.
    NotMime,
    /// There is no WARC record where one must begin.
    NotWarc,
    /// The container ends in the middle of something.
    Truncated,
    /// The header fields of the last response say how long its body is, and there is none: it may answer a HEAD request.
    NoBody,
    /// A header block is longer than is read.
    HeadersTooLong,
    /// A record has no usable `Content-Length`.
    NoContentLength,
    /// A record does not end where its `Content-Length` says.
    WrongContentLength,
    /// A chunk does not begin with its size in hexadecimal digits, or does not end where it should.
    BadChunk,
    /// Compressed bytes that cannot be decompressed.
    BadCompression,
    /// A content coding or transfer encoding that is not read, such as `br`.
    UnknownCoding,
    /// A decoded body is longer than is read.
    BodyTooLong,
    /// A record is longer than is read.
    RecordTooLong,
    /// Entities in entities, deeper than is read.
    TooDeep,
    /// More entities than are read.
    TooManyEntities,
    /// Relative URLs in header fields that make longer ones than are worked out.
    UrlsTooLong,
    /// A multipart entity without a `boundary`.
    NoBoundary,
    /// A multipart entity in which its boundary does not occur.
    BoundaryNotFound,
    /// A multipart entity whose last boundary is missing.
    BoundaryNotClosed,
    /// A new body would hold a line that is a boundary.
    BoundaryInBody,
    /// A new body would be taken for header fields, because the empty line before it is missing.
    NoEmptyLine,
    /// A new body has bytes above 127, and its transfer encoding says there are none.
    NotSevenBit,
    /// A gzip member that holds more than one record: the archive was compressed as a whole.
    NotCompressedByRecord,
    /// The bytes could not be read at all.
    Unreadable(io::ErrorKind),
    /// The bytes could not be written.
    Unwritable(io::ErrorKind),
}

impl ContainerErrorKind {
    /// The error, at an offset.
    #[must_use]
    pub fn at(self, offset: usize) -> ContainerError {
        ContainerError {
            kind: self,
            offset: u64::try_from(offset).unwrap_or(u64::MAX),
        }
    }
}

impl fmt::Display for ContainerErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotHttp => "no HTTP status line",
            Self::NotMime => "no header field of a message",
            Self::NotWarc => "no WARC record",
            Self::Truncated => "end in the middle of an entity",
            Self::NoBody => "response without the body that its Content-Length announces",
            Self::HeadersTooLong => "header block longer than is read",
            Self::NoContentLength => "record without a usable Content-Length",
            Self::WrongContentLength => "record that does not end where its Content-Length says",
            Self::BadChunk => "chunk whose size and length do not agree",
            Self::BadCompression => "compressed bytes that cannot be decompressed",
            Self::UnknownCoding => "coding that is not read",
            Self::BodyTooLong => "decoded body longer than is read",
            Self::RecordTooLong => "record longer than is read",
            Self::TooDeep => "entities nested deeper than is read",
            Self::TooManyEntities => "more entities than are read",
            Self::UrlsTooLong => {
                "relative URL without effect, too long once resolved, in a header field"
            }
            Self::NoBoundary => "multipart entity without a boundary",
            Self::BoundaryNotFound => "multipart entity in which its boundary does not occur",
            Self::BoundaryNotClosed => "multipart entity whose last boundary is missing",
            Self::BoundaryInBody => "new body with a line that is a boundary",
            Self::NoEmptyLine => {
                "new body that begins like a header field, with no empty line before it"
            }
            Self::NotSevenBit => "new body with bytes above 127 in a 7bit entity",
            Self::NotCompressedByRecord => "gzip member with more than one record",
            Self::Unreadable(kind) => {
                return write!(formatter, "bytes that cannot be read: {kind}");
            }
            Self::Unwritable(kind) => {
                return write!(formatter, "bytes that cannot be written: {kind}");
            }
        })
    }
}

impl fmt::Display for ContainerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for ContainerError {}
