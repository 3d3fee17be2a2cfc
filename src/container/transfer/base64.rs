//! The transfer encoding `base64`.

use super::LineStyle;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes `source`. What is not in the alphabet is passed over, padding too.
///
/// # Source
/// RFC 2045 section 6.8.
#[must_use]
pub fn decode_base64(source: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(source.len() / 4 * 3);
    // The bits of the current quantum, and how many there are.
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

/// Encodes `bytes` in lines like those of `original`, its last line end included if it has one.
#[must_use]
pub fn encode_base64(bytes: &[u8], original: &[u8]) -> Vec<u8> {
    let style = LineStyle::of(original);
    let mut encoded = Vec::with_capacity(bytes.len() / 3 * 4 + bytes.len() / 28 + 8);
    let in_line = style.length / 4 * 3;
    for (number, line) in bytes.chunks(in_line).enumerate() {
        if number > 0 {
            encoded.extend_from_slice(style.end);
        }
        for group in line.chunks(3) {
            encoded.extend(quantum(group));
        }
    }
    if original.ends_with(b"\n") {
        encoded.extend_from_slice(style.end);
    }
    encoded
}

/// The four characters for up to three bytes.
fn quantum(group: &[u8]) -> [u8; 4] {
    let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
    let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
    let character = |index: u32| ALPHABET[((bits >> (18 - 6 * index)) & 63) as usize];
    let padded = |index: u32, needs: usize| {
        if group.len() >= needs {
            character(index)
        } else {
            b'='
        }
    };
    [character(0), character(1), padded(2, 2), padded(3, 3)]
}
