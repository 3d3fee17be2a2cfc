//! Transfer and content codings: decoding, and encoding after a change.
//!
//! Every decoder that can multiply its input has a limit. It returns what it could decode together with the error
//! that stopped it. Offsets in errors are relative to the bytes that were passed.

mod base64;
mod brotli;
mod chunked;
mod coding;
pub(super) mod gzip;
mod quoted_printable;
pub(super) mod zstandard;

pub(crate) use base64::is_base64_cut_off;
pub use base64::{decode_base64, encode_base64};
pub use chunked::{Chunked, decode_chunked, encode_chunked};
pub(crate) use coding::encode_slices;
pub use coding::{Coding, decode_coding, encode_coding};
pub(super) use coding::{is_known, looks_like_text};
pub use quoted_printable::{decode_quoted_printable, encode_quoted_printable};

use std::io::{ErrorKind, Read};

use super::error::{ContainerError, ContainerErrorKind};

/// Decoded bytes, and the error that ended decoding early.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecodedBody {
    /// The bytes decoded before the error, if there is one.
    pub bytes: Vec<u8>,
    /// The error that ended decoding early.
    pub error: Option<ContainerError>,
    /// The number of bytes after the encoded data, which belong to nothing. Some servers append them to compressed
    /// bodies, and clients ignore them.
    pub trailing_len: usize,
}

impl DecodedBody {
    /// Reads up to `limit` bytes. After an error, the bytes before it are returned.
    fn read_to_limit(mut reader: impl Read, limit: usize) -> Self {
        let mut decoded = Self::default();
        let bytes = &mut decoded.bytes;
        let mut buffer = vec![0; 32 * 1024];
        let kind = loop {
            match reader.read(&mut buffer) {
                Ok(0) => return decoded,
                Ok(read) => {
                    let remaining = limit.saturating_sub(bytes.len());
                    bytes.extend_from_slice(&buffer[..read.min(remaining)]);
                    if read > remaining {
                        break ContainerErrorKind::BodyTooLong;
                    }
                }
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    break ContainerErrorKind::Truncated;
                }
                Err(_) => break ContainerErrorKind::BadCompression,
            }
        };
        decoded.error = Some(kind.at(0));
        decoded
    }
}

/// The line length and line end of an encoded body, so that a new body looks like the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct LineStyle {
    /// The length of the longest line without its end.
    length: usize,
    end: &'static [u8],
}

impl LineStyle {
    /// The lengths of the longest line that are taken for the maximum of the writer. For any other length, the
    /// maximum is 76, which RFC 2045 allows in base64 and quoted-printable: a shorter line does not show the maximum
    /// of the writer.
    const LENGTHS: std::ops::RangeInclusive<usize> = 40..=76;

    /// Returns the style of `encoded`. Properties that it does not show have the values of RFC 2045.
    fn of(encoded: &[u8]) -> Self {
        let mut longest = 0;
        let mut end: Option<&'static [u8]> = None;
        for line in encoded.split_inclusive(|&byte| byte == b'\n') {
            let text = line.strip_suffix(b"\n").map(|text| {
                let (text, style): (&[u8], &'static [u8]) = match text.strip_suffix(b"\r") {
                    Some(text) => (text, b"\r\n"),
                    None => (text, b"\n"),
                };
                end.get_or_insert(style);
                text
            });
            longest = longest.max(text.unwrap_or(line).len());
        }
        Self {
            length: if Self::LENGTHS.contains(&longest) {
                longest
            } else {
                *Self::LENGTHS.end()
            },
            end: end.unwrap_or(b"\r\n"),
        }
    }
}
