//! Inputs that begin as no document and no container does that is read: what they are, and what to do with them.

use absolve::container::Format;
use absolve::container::transfer::{Coding, decode_coding};

const ZSTANDARD: &str = "compressed with Zstandard, which is not read; decompress it first";

/// What an input is that begins like this and that nobody can read here; `None` for all others.
pub(super) fn describe(beginning: &[u8]) -> Option<&'static str> {
    const ARC: &[u8] = b"filedesc://";
    let is_compressed = beginning.starts_with(&[0x1F, 0x8B]);
    if is_compressed && Format::detect(beginning) == Some(Format::Warc) {
        return None;
    }
    if beginning.starts_with(ARC)
        || is_compressed
            && decode_coding(beginning, Coding::Gzip, ARC.len())
                .bytes
                .starts_with(ARC)
    {
        return Some("an ARC archive, which is not read; make it WARC, as warcio recompress does");
    }
    if is_compressed {
        return Some("compressed with gzip, and no WARC archive; decompress it first");
    }
    let others: [(&[u8], &str); 3] = [
        (
            b"PK\x03\x04",
            "a ZIP archive (WACZ, EPUB), which is not read; unpack it first",
        ),
        (b"\x28\xB5\x2F\xFD", ZSTANDARD),
        // The frame with the dictionary, in archives that are compressed by record.
        (b"\x5D\x2A\x4D\x18", ZSTANDARD),
    ];
    others
        .into_iter()
        .find_map(|(first, what)| beginning.starts_with(first).then_some(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use absolve::container::warc::compressed;

    #[test]
    fn what_is_read_is_not_foreign() {
        let member = compressed(b"WARC/1.0\r\nWARC-Type: warcinfo\r\n");
        let texts: [&[u8]; 5] = [b"", b"PK", b"filedesc", b"<!DOCTYPE html>", &member];
        for text in texts {
            assert_eq!(describe(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_read_is_named() {
        let arc = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 75\n";
        for (bytes, expected) in [
            (arc.to_vec(), "an ARC archive"),
            (compressed(arc), "an ARC archive"),
            (compressed(b"<a href=x>"), "compressed with gzip"),
            (b"\x1F\x8B\x08".to_vec(), "compressed with gzip"),
            (b"PK\x03\x04\x14".to_vec(), "a ZIP archive"),
            (
                b"\x28\xB5\x2F\xFD\x04".to_vec(),
                "compressed with Zstandard",
            ),
        ] {
            let what = describe(&bytes);
            assert!(
                what.is_some_and(|what| what.starts_with(expected)),
                "{what:?}"
            );
        }
    }
}
