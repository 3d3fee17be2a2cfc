//! The digests of a record: SHA-1 in base32 or hexadecimal.

use data_encoding::{BASE32, HEXLOWER};
use sha1::{Digest, Sha1};

/// Returns the SHA-1 digest of `bytes` in base32 (RFC 4648 section 6), as WARC records carry it.
pub(super) fn sha1_base32(bytes: &[u8]) -> String {
    ["sha1:", &BASE32.encode(&sha1(bytes))].concat()
}

/// Returns the SHA-1 digest of `bytes`.
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// Returns the digest of `bytes` in the algorithm, notation and letter case of `original`, or `None` if these are
/// unknown.
pub(super) fn recompute(original: &str, bytes: &[u8]) -> Option<String> {
    let (algorithm, value) = original.split_once(':')?;
    if !algorithm.eq_ignore_ascii_case("sha1") && !algorithm.eq_ignore_ascii_case("sha-1") {
        return None;
    }
    // A digest has 160 bits: 32 characters of five bits, or 40 of four.
    let notation = match value.len() {
        32 => BASE32,
        40 => HEXLOWER,
        _ => return None,
    };
    let mut digest = notation.encode(&sha1(bytes));
    let is_upper = value.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_lower = value.bytes().any(|byte| byte.is_ascii_lowercase());
    if is_upper && !is_lower {
        digest.make_ascii_uppercase();
    } else if is_lower {
        digest.make_ascii_lowercase();
    }
    Some([algorithm, ":", &digest].concat())
}

/// Returns whether `digest` is a known digest of `bytes`.
pub(super) fn matches_digest(digest: &str, bytes: &[u8]) -> bool {
    recompute(digest, bytes).is_some_and(|computed| computed.eq_ignore_ascii_case(digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recompute_and_matches_digest_know_base32_and_hex() {
        // RFC 3174 section 7.3, test 1; the base32 of it by coreutils' `base32`.
        let hex = "sha1:a9993e364706816aba3e25717850c26c9cd0d89d";
        let base32 = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";
        assert_eq!(sha1_base32(b"abc"), base32);
        for known in [hex, base32, &hex.to_uppercase(), &base32.to_lowercase()] {
            assert!(matches_digest(known, b"abc"), "{known}");
            assert!(!matches_digest(known, b"abd"), "{known}");
        }
        assert_eq!(
            recompute("md5:900150983cd24fb0d6963f7d28e17f72", b"abc"),
            None
        );
        assert_eq!(recompute("sha1:", b"abc"), None);
    }
}
