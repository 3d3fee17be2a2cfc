//! Detection of common file formats that are not supported, by their first bytes.

use absolve::container::Format;
use absolve::container::transfer::{Coding, decode_coding};

const ZSTANDARD: &str = "unsupported compression (Zstandard); decompress the file first";

/// Returns a message for an input of a known unsupported format, or `None` for all others.
///
/// `prefix` is the beginning of the input.
pub(super) fn describe(prefix: &[u8]) -> Option<&'static str> {
    // The first record of an ARC archive has a URL of this scheme.
    const ARC: &[u8] = b"filedesc://";
    let is_compressed = prefix.starts_with(&[0x1F, 0x8B]);
    if is_compressed && Format::detect(prefix) == Some(Format::Warc) {
        return None;
    }
    if prefix.starts_with(ARC)
        || is_compressed
            && decode_coding(prefix, Coding::Gzip, ARC.len())
                .bytes
                .starts_with(ARC)
    {
        return Some(
            "unsupported format (ARC archive); convert it to WARC, for example with `warcio recompress`",
        );
    }
    if is_compressed {
        return Some(
            "unsupported compression (gzip, and not a WARC archive); decompress the file first",
        );
    }
    let signatures: [(&[u8], &str); 3] = [
        (
            b"PK\x03\x04",
            "unsupported format (ZIP archive, such as WACZ or EPUB); unpack the file first",
        ),
        (b"\x28\xB5\x2F\xFD", ZSTANDARD),
        // The skippable frame with the dictionary, at the beginning of archives that are compressed by record.
        (b"\x5D\x2A\x4D\x18", ZSTANDARD),
    ];
    signatures
        .into_iter()
        .find_map(|(signature, message)| prefix.starts_with(signature).then_some(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use absolve::container::warc::compressed;

    #[test]
    fn describe_returns_none_for_supported_formats() {
        let member = compressed(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n");
        let texts: [&[u8]; 5] = [b"", b"PK", b"filedesc", b"<!DOCTYPE html>", &member];
        for text in texts {
            assert_eq!(describe(text), None, "{text:?}");
        }
    }

    #[test]
    fn describe_names_unsupported_formats() {
        let arc = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 75\n";
        for (bytes, expected) in [
            (arc.to_vec(), "unsupported format (ARC"),
            (compressed(arc), "unsupported format (ARC"),
            (compressed(b"<a href=x>"), "unsupported compression (gzip"),
            (b"\x1F\x8B\x08".to_vec(), "unsupported compression (gzip"),
            (b"PK\x03\x04\x14".to_vec(), "unsupported format (ZIP"),
            (
                b"\x28\xB5\x2F\xFD\x04".to_vec(),
                "unsupported compression (Zstandard)",
            ),
        ] {
            let message = describe(&bytes);
            assert!(
                message.is_some_and(|message| message.starts_with(expected)),
                "{message:?}"
            );
        }
    }
}
