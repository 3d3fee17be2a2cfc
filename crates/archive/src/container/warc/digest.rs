//! The digests of a record: SHA-1, SHA-2 and MD5, in base32 or hexadecimal.

use data_encoding::{BASE32, BASE32_NOPAD, Encoding, HEXLOWER};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};

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
    let hash = match algorithm.to_ascii_lowercase().replace('-', "").as_str() {
        "sha1" => sha1(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        "md5" => Md5::digest(bytes).to_vec(),
        _ => return None,
    };
    // Only base32 has padding. Without it, the notations of a digest differ in length.
    let notations: &[Encoding] = if value.ends_with('=') {
        &[BASE32]
    } else {
        &[HEXLOWER, BASE32_NOPAD]
    };
    let fits = |notation: &&Encoding| notation.encode_len(hash.len()) == value.len();
    let notation = notations.iter().find(fits)?;
    let mut digest = notation.encode(&hash);
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
        assert_eq!(recompute("sha1:", b"abc"), None);
        assert_eq!(recompute("crc32:352441c2", b"abc"), None);
    }

    /// FIPS 180-4, the examples of NIST for "abc"; RFC 1321 appendix A.5. Base32 by Python's `base64`.
    #[test]
    fn recompute_knows_the_algorithms_of_other_writers() {
        for digest in [
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "md5:SAAVBGB42JH3BVUWH56SRYL7OI======",
            "md5:SAAVBGB42JH3BVUWH56SRYL7OI",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "SHA-256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
            "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
             454d4423643ce80e2a9ac94fa54ca49f",
        ] {
            assert_eq!(recompute(digest, b"abc").as_deref(), Some(digest));
        }
    }
}
