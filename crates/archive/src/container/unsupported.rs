//! Detection of common file formats that are not supported, by their first bytes.

use absolve::DocumentKind;

use super::format::Format;
use super::transfer::{Coding, decode_coding};

/// Returns a message for a file of a known unsupported format, or `None` for all others.
///
/// Only the beginning of `bytes` is examined.
#[must_use]
pub fn unsupported_format(bytes: &[u8]) -> Option<&'static str> {
    // The first record of an ARC archive has a URL of this scheme.
    const ARC: &[u8] = b"filedesc://";
    // Files that are named by mistake, or by `find`.
    const OTHER: [(&[u8], &str); 6] = [
        (b"\x89PNG\r\n", "not a document (PNG image)"),
        (b"\xFF\xD8\xFF", "not a document (JPEG image)"),
        (b"GIF8", "not a document (GIF image)"),
        (b"%PDF-", "not a document that is read (PDF)"),
        (b"\x7FELF", "not a document (program)"),
        (b"wOF", "not a document (font)"),
    ];
    let prefix = &bytes[..bytes.len().min(DocumentKind::SNIFF_LEN)];
    let compression = Format::compression(prefix);
    if compression.is_some() && Format::detect(prefix) == Some(Format::Warc) {
        return None;
    }
    let decoded = compression.map(|coding| decode_coding(prefix, coding, ARC.len()).bytes);
    if decoded.as_deref().unwrap_or(prefix).starts_with(ARC) {
        return Some(
            "unsupported format (ARC archive); convert it to WARC, for example with `warcio recompress`",
        );
    }
    if prefix.starts_with(b"PK\x03\x04") {
        return Some(
            "unsupported format (ZIP archive, such as EPUB, or a WACZ file that is damaged or to be rewritten); unpack the file first",
        );
    }
    if let Some((_, message)) = OTHER.iter().find(|(magic, _)| prefix.starts_with(magic)) {
        return Some(message);
    }
    Some(match compression? {
        Coding::Gzip => {
            "unsupported compression (gzip, and not a WARC archive); decompress the file first"
        }
        _ => {
            "unsupported compression (Zstandard, and not a WARC archive); decompress the file first"
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::transfer::encode_coding;

    #[test]
    fn unsupported_format_returns_none_for_supported_formats() {
        let head = b"WARC/1.0\r\nWARC-Type: warcinfo\r\n";
        let member = encode_coding(head, Coding::Gzip);
        let frame = encode_coding(head, Coding::Zstandard);
        let dictionary = b"\x5D\x2A\x4D\x18\x00\x00\x01\x00";
        let texts: [&[u8]; 7] = [
            b"",
            b"PK",
            b"filedesc",
            b"<!DOCTYPE html>",
            &member,
            &frame,
            dictionary,
        ];
        for text in texts {
            assert_eq!(unsupported_format(text), None, "{text:?}");
        }
    }

    #[test]
    fn unsupported_format_names_unsupported_formats() {
        let arc = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 75\n";
        for (bytes, expected) in [
            (arc.to_vec(), "unsupported format (ARC"),
            (encode_coding(arc, Coding::Gzip), "unsupported format (ARC"),
            (
                encode_coding(arc, Coding::Zstandard),
                "unsupported format (ARC",
            ),
            (
                encode_coding(b"<a href=x>", Coding::Gzip),
                "unsupported compression (gzip",
            ),
            (
                encode_coding(b"<a href=x>", Coding::Zstandard),
                "unsupported compression (Zstandard",
            ),
            (b"\x1F\x8B\x08".to_vec(), "unsupported compression (gzip"),
            (b"PK\x03\x04\x14".to_vec(), "unsupported format (ZIP"),
            (b"\x89PNG\r\n\x1A\n".to_vec(), "not a document (PNG"),
            (b"%PDF-1.7".to_vec(), "not a document that is read (PDF)"),
        ] {
            let message = unsupported_format(&bytes);
            assert!(
                message.is_some_and(|message| message.starts_with(expected)),
                "{message:?}"
            );
        }
    }
}
