//! The transfer encoding `base64`.
//!
//! The encoder is that of `data-encoding`. The decoder is hand-written because RFC 2045 requires stray bytes to be
//! ignored, while the decoders of crates reject them.

use data_encoding::BASE64;

use super::LineStyle;

/// Decodes `source`. Bytes outside of the alphabet are ignored; `=` ends a quantum, and decoding continues after it.
///
/// # Source
/// RFC 2045 section 6.8.
#[must_use]
pub fn decode_base64(source: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(source.len() / 4 * 3);
    // The undecoded bits of the current quantum, and their number.
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &byte in source {
        let Some(value) = sextet(byte) else {
            if byte == b'=' {
                // The quantum ends; bits that are left over are padding.
                (bits, count) = (0, 0);
            }
            continue;
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(low_byte(bits >> count));
            bits &= (1 << count) - 1;
        }
    }
    bytes
}

fn low_byte(bits: u32) -> u8 {
    bits.to_le_bytes()[0]
}

/// Returns the value of a character of the alphabet.
fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// Encodes `bytes` in lines like those of `original`, with a line end after the last one if `original` has one.
#[must_use]
pub fn encode_base64(bytes: &[u8], original: &[u8]) -> Vec<u8> {
    let style = LineStyle::of(original);
    // Four characters for three bytes, and CRLF after each full line of 76 characters (57 bytes).
    let mut encoded = Vec::with_capacity(bytes.len() / 3 * 4 + bytes.len() / 28 + 8);
    let bytes_per_line = style.length / 4 * 3;
    for (number, line) in bytes.chunks(bytes_per_line).enumerate() {
        if number > 0 {
            encoded.extend_from_slice(style.end);
        }
        encoded.extend_from_slice(BASE64.encode(line).as_bytes());
    }
    if original.ends_with(b"\n") {
        encoded.extend_from_slice(style.end);
    }
    encoded
}
