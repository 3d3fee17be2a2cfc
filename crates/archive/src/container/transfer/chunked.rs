//! The chunked transfer coding of HTTP.
//!
//! Hand-written: `httparse::parse_chunk_size` parses the size line only, and bodies stored by clients are often
//! decoded or truncated, so each error must be distinguished.

use absolve::Span;

use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{content_of, line_at};

/// A decoded chunked body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunked {
    /// The data of all chunks.
    pub bytes: Vec<u8>,
    /// The end of the body, after the trailer fields and the empty line; the offset of the error if there is one.
    pub end: usize,
    /// The trailer fields; empty after an error.
    pub trailers: Span,
    /// The error that ended decoding early.
    pub error: Option<ContainerError>,
}

/// Decodes the chunked body at the beginning of `source`. `limit` is the maximum decoded length in bytes.
///
/// # Source
/// RFC 9112 section 7.1. White space after the size is ignored, and lines may end in LF alone.
///
/// # Complexity
/// Linear in the length of `source`.
#[must_use]
pub fn decode_chunked(source: &[u8], limit: usize) -> Chunked {
    let mut bytes = Vec::new();
    let mut position = 0;
    let failed = |bytes, offset: usize, kind: ContainerErrorKind| Chunked {
        bytes,
        end: offset,
        trailers: Span::new(offset, offset),
        error: Some(kind.at(offset)),
    };
    loop {
        let line = line_at(source, position);
        let Some(size) = parse_chunk_size(source, line) else {
            let kind = if line.is_empty() {
                ContainerErrorKind::Truncated
            } else {
                ContainerErrorKind::BadChunk
            };
            return failed(bytes, position, kind);
        };
        if size == 0 {
            return read_trailers(source, bytes, line.end);
        }
        let rest = &source[line.end..];
        let available = size.min(rest.len());
        if bytes.len().saturating_add(available) > limit {
            let remaining = limit.saturating_sub(bytes.len()).min(available);
            bytes.extend_from_slice(&rest[..remaining]);
            return failed(bytes, line.end, ContainerErrorKind::BodyTooLong);
        }
        bytes.extend_from_slice(&rest[..available]);
        position = line.end + available;
        let tail = &source[position..];
        if available < size || tail.is_empty() {
            return failed(bytes, position, ContainerErrorKind::Truncated);
        }
        position += match tail {
            [b'\r', b'\n', ..] => 2,
            [b'\n', ..] => 1,
            _ => return failed(bytes, position, ContainerErrorKind::BadChunk),
        };
    }
}

/// Reads the trailer fields and the empty line after the last chunk.
fn read_trailers(source: &[u8], bytes: Vec<u8>, start: usize) -> Chunked {
    let mut position = start;
    loop {
        let line = line_at(source, position);
        let content = content_of(source, line);
        if content.is_empty() {
            return Chunked {
                bytes,
                end: line.end,
                trailers: Span::new(start, line.start),
                // The data is complete, so a missing empty line after the trailer fields is not an error.
                error: None,
            };
        }
        position = line.end;
    }
}

/// Returns the chunk size at the beginning of a line; chunk extensions after it are ignored.
fn parse_chunk_size(source: &[u8], line: Span) -> Option<usize> {
    let content = content_of(source, line);
    let text = &source[content.start..content.end];
    let digits = text
        .iter()
        .position(|byte| !byte.is_ascii_hexdigit())
        .unwrap_or(text.len());
    let is_followed_well = matches!(text.get(digits), None | Some(b';' | b' ' | b'\t'));
    if !is_followed_well {
        return None;
    }
    let digits = std::str::from_utf8(&text[..digits]).ok()?;
    usize::from_str_radix(digits, 16).ok()
}

/// Encodes `bytes` as a single chunk. `trailers` are complete lines, or empty.
#[must_use]
pub fn encode_chunked(bytes: &[u8], trailers: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(bytes.len() + trailers.len() + 32);
    // A chunk of size zero would be the last one.
    if !bytes.is_empty() {
        encoded.extend_from_slice(format!("{:x}\r\n", bytes.len()).as_bytes());
        encoded.extend_from_slice(bytes);
        encoded.extend_from_slice(b"\r\n");
    }
    encoded.extend_from_slice(b"0\r\n");
    encoded.extend_from_slice(trailers);
    encoded.extend_from_slice(b"\r\n");
    encoded
}
