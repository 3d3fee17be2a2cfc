//! The chunked transfer coding of HTTP.

use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{content_of, line_at};
use crate::span::Span;

/// A chunked body, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunked {
    /// The data of the chunks.
    pub bytes: Vec<u8>,
    /// Where the body ends, behind the trailer fields and the empty line.
    pub end: usize,
    /// The trailer fields.
    pub trailers: Span,
    /// Why that is not all, if it is not.
    pub error: Option<ContainerError>,
}

/// Decodes a chunked body that begins with `source`; `limit` is for the decoded length.
///
/// # Source
/// RFC 9112 section 7.1. White space behind the size is passed over, lines may end in LF alone.
///
/// # Complexity
/// Linear in the length of `source`.
#[must_use]
pub fn decode_chunked(source: &[u8], limit: usize) -> Chunked {
    let mut bytes = Vec::new();
    let mut position = 0;
    let stopped = |bytes, at: usize, kind: ContainerErrorKind| Chunked {
        bytes,
        end: at,
        trailers: Span::new(at, at),
        error: Some(kind.at(at)),
    };
    loop {
        let line = line_at(source, position);
        let Some(size) = size_of(source, line) else {
            let kind = if line.is_empty() {
                ContainerErrorKind::Truncated
            } else {
                ContainerErrorKind::BadChunk
            };
            return stopped(bytes, position, kind);
        };
        if size == 0 {
            return with_trailers(source, bytes, line.end);
        }
        let rest = &source[line.end..];
        let available = size.min(rest.len());
        if bytes.len().saturating_add(available) > limit {
            let room = limit.saturating_sub(bytes.len()).min(available);
            bytes.extend_from_slice(&rest[..room]);
            return stopped(bytes, line.end, ContainerErrorKind::BodyTooLong);
        }
        bytes.extend_from_slice(&rest[..available]);
        position = line.end + available;
        let behind = &source[position..];
        if available < size || behind.is_empty() {
            return stopped(bytes, position, ContainerErrorKind::Truncated);
        }
        position += match behind {
            [b'\r', b'\n', ..] => 2,
            [b'\n', ..] => 1,
            _ => return stopped(bytes, position, ContainerErrorKind::BadChunk),
        };
    }
}

/// What follows the last chunk: fields, and an empty line.
fn with_trailers(source: &[u8], bytes: Vec<u8>, start: usize) -> Chunked {
    let mut position = start;
    loop {
        let line = line_at(source, position);
        let content = content_of(source, line);
        if content.is_empty() {
            return Chunked {
                bytes,
                end: line.end,
                trailers: Span::new(start, line.start),
                // The data is complete; that the empty line behind it is missing harms nobody.
                error: None,
            };
        }
        position = line.end;
    }
}

/// The size at the beginning of a line. Extensions behind it are passed over.
fn size_of(source: &[u8], line: Span) -> Option<usize> {
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

/// Encodes `bytes` as one chunk, with these trailer fields (lines with their ends, or nothing).
#[must_use]
pub fn encode_chunked(bytes: &[u8], trailers: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(bytes.len() + trailers.len() + 32);
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
