//! The transfer encoding `base64`.
//!
//! RFC 2045 requires stray bytes to be ignored, while the decoders of crates reject them. They are removed before the
//! rest is decoded.

use std::sync::LazyLock;

use data_encoding::{BASE64, BASE64_NOPAD, Encoding};

use super::LineStyle;

/// Decodes `source`. Bytes outside of the alphabet are ignored; `=` ends a quantum, and decoding continues after it.
///
/// # Source
/// RFC 2045 section 6.8.
#[must_use]
pub fn decode_base64(source: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(source.len() / 4 * 3);
    for quanta in source.split(|&byte| byte == b'=') {
        let mut digits: Vec<u8> = quanta
            .iter()
            .copied()
            .filter(|&byte| is_digit(byte))
            .collect();
        // A single digit of a quantum has six bits, which is less than a byte.
        if digits.len() % 4 == 1 {
            digits.pop();
        }
        // Decoding succeeds, because nothing but digits is left.
        bytes.extend(LENIENT.decode(&digits).unwrap_or_default());
    }
    bytes
}

/// Returns whether the last digit of `source` encodes less than a byte, so that decoding drops it. The rest of the body
/// is missing.
pub(crate) fn is_base64_cut_off(source: &[u8]) -> bool {
    let quanta = source.rsplit(|&byte| byte == b'=').next();
    let digits = quanta.map_or(0, |quanta| {
        quanta.iter().filter(|&&byte| is_digit(byte)).count()
    });
    digits % 4 == 1
}

/// Returns whether `byte` is in the alphabet of RFC 2045.
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/".contains(&byte)
}

/// The alphabet of RFC 2045; bits that are left over in the last digit of a quantum are padding and may have any value.
static LENIENT: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = BASE64_NOPAD.specification();
    specification.check_trailing_bits = false;
    let encoding = specification.encoding();
    encoding.expect("only a check of a valid specification is off")
});

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
