//! The digests of a record: SHA-1, in base32 or in hexadecimal digits.

use sha1::{Digest, Sha1};

/// How a digest is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DigestEncoding {
    Base32,
    Hex,
}

/// The digest of `bytes`, in base32 (RFC 4648 section 6), as WARC records carry it.
pub(super) fn sha1_base32(bytes: &[u8]) -> String {
    ["sha1:", &written(&sha1(bytes), DigestEncoding::Base32)].concat()
}

/// The first 20 bytes of SHA-1.
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// The digest of `bytes` in the same algorithm and notation as `original`, if these are known.
pub(super) fn like(original: &str, bytes: &[u8]) -> Option<String> {
    let (algorithm, value) = original.split_once(':')?;
    if !algorithm.eq_ignore_ascii_case("sha1") && !algorithm.eq_ignore_ascii_case("sha-1") {
        return None;
    }
    let notation = match value.len() {
        32 => DigestEncoding::Base32,
        40 => DigestEncoding::Hex,
        _ => return None,
    };
    let mut digest = written(&sha1(bytes), notation);
    let is_upper = value.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
    if is_upper && !is_lower {
        digest.make_ascii_uppercase();
    } else if is_lower {
        digest.make_ascii_lowercase();
    }
    Some([algorithm, ":", &digest].concat())
}

/// Whether `digest` is that of `bytes`.
pub(super) fn is_of(digest: &str, bytes: &[u8]) -> bool {
    like(digest, bytes).is_some_and(|own| own.eq_ignore_ascii_case(digest))
}

fn written(digest: &[u8; 20], notation: DigestEncoding) -> String {
    match notation {
        DigestEncoding::Hex => hex(digest),
        DigestEncoding::Base32 => digest.chunks_exact(5).flat_map(base32_group).collect(),
    }
}

/// `bytes` in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value & 15)]);
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

/// Five bytes are eight characters.
fn base32_group(group: &[u8]) -> [char; 8] {
    let bits = group
        .iter()
        .fold(0_u64, |bits, &byte| (bits << 8) | u64::from(byte));
    std::array::from_fn(|index| {
        let value = ((bits >> (35 - 5 * index)) & 31).to_le_bytes()[0];
        char::from(match value {
            0..=25 => b'A' + value,
            _ => b'2' + (value - 26),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations() {
        // RFC 3174 section 7.3, test 1; the base32 of it by coreutils' `base32`.
        let hex = "sha1:a9993e364706816aba3e25717850c26c9cd0d89d";
        let base32 = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
        assert_eq!(sha1_base32(b"abc"), base32);
        for known in [hex, base32, &hex.to_uppercase(), &base32.to_lowercase()] {
            assert!(is_of(known, b"abc"), "{known}");
            assert!(!is_of(known, b"abd"), "{known}");
        }
        assert_eq!(like("md5:900150983cd24fb0d6963f7d28e17f72", b"abc"), None);
        assert_eq!(like("sha1:", b"abc"), None);
    }
}
