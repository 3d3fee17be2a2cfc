//! How bodies are written for transfer: decoded for reading, and encoded again after a change.
//!
//! Every decoder has a limit, and gives what it could read together with what stopped it. Offsets in errors count from
//! the beginning of the bytes that were given.

mod base64;
mod chunked;
mod coding;
mod quoted_printable;

pub use base64::{decode_base64, encode_base64};
pub use chunked::{Chunked, decode_chunked, encode_chunked};
pub use coding::{Coding, decode_coding, encode_coding};
pub use quoted_printable::{decode_quoted_printable, encode_quoted_printable};

use super::error::ContainerError;

/// What was decoded, and what stopped it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecodedBody {
    /// What could be read.
    pub bytes: Vec<u8>,
    /// Why that is not all, if it is not.
    pub error: Option<ContainerError>,
}

/// How the lines of an encoded body are written, so that a new one looks like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct LineStyle {
    /// The longest line, its end not counted.
    length: usize,
    end: &'static [u8],
}

impl LineStyle {
    /// RFC 2045 allows 76 characters a line, in base64 and in quoted-printable. Shorter lines than these say nothing
    /// about how long others may be.
    const LENGTHS: std::ops::RangeInclusive<usize> = 40..=76;

    /// The style of `encoded`, and of RFC 2045 for what it does not show.
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

/// The byte that two hexadecimal digits name.
pub(super) fn hex_pair(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
