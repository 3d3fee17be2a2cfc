//! Transfer encodings and content codings.

use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::transfer::{
    Coding, decode_base64, decode_chunked, decode_coding, decode_quoted_printable, encode_base64,
    encode_chunked, encode_coding, encode_quoted_printable,
};
use proptest::prelude::*;

const CODINGS: [Coding; 5] = [
    Coding::Gzip,
    Coding::Deflate,
    Coding::RawDeflate,
    Coding::Brotli,
    Coding::Zstandard,
];

#[test]
fn base64_passes_the_vectors_of_rfc_4648_section_10() {
    let vectors: [(&[u8], &[u8]); 7] = [
        (b"", b""),
        (b"f", b"Zg=="),
        (b"fo", b"Zm8="),
        (b"foo", b"Zm9v"),
        (b"foob", b"Zm9vYg=="),
        (b"fooba", b"Zm9vYmE="),
        (b"foobar", b"Zm9vYmFy"),
    ];
    for (plain, encoded) in vectors {
        assert_eq!(encode_base64(plain, b""), encoded);
        assert_eq!(decode_base64(encoded), plain);
    }
    assert_eq!(
        decode_base64(b" Z m\r\n9v!*"),
        b"foo",
        "what is in no alphabet is passed over"
    );
}

#[test]
fn base64_encoding_keeps_line_length_and_line_ending() {
    let original = [[b'A'; 60].as_slice(), b"\n", &[b'A'; 8], b"\n"].concat();
    let encoded = encode_base64(&[b'x'; 50], &original);
    let lines: Vec<_> = encoded
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::len)
        .collect();
    assert_eq!(lines, [60, 8, 0]);
    // RFC 2045 section 6.8: at most 76 characters.
    let encoded = encode_base64(&[b'x'; 100], b"eA==");
    let lines: Vec<_> = encoded
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::len)
        .collect();
    assert_eq!(lines, [77, 60], "CRLF, and no line end at the end");
}

#[test]
fn quoted_printable_decodes_by_rfc_2045() {
    // The example of RFC 2045 section 6.7, rule 5.
    let encoded = b"Now's the time =\r\nfor all folk to come=\r\n to the aid of their country.";
    assert_eq!(
        decode_quoted_printable(encoded),
        b"Now's the time for all folk to come to the aid of their country."
    );
    let cases: [(&[u8], &[u8]); 9] = [
        (b"a=3Db=3d", b"a=b="),
        (b"a \t \r\nb ", b"a\r\nb"),
        (b"a=20\r\nb", b"a \r\nb"),
        (b"a= \t\nb", b"ab"),
        (b"=", b""),
        (b"=\n", b""),
        (b"=4", b"=4"),
        (b"=G1=E9", b"=G1\xE9"),
        (b"caf\xE9", b"caf\xE9"),
    ];
    for (encoded, plain) in cases {
        assert_eq!(
            decode_quoted_printable(encoded),
            plain,
            "{}",
            encoded.escape_ascii()
        );
    }
}

#[test]
fn chunked_decodes_by_rfc_9112() {
    let source =
        b"4\r\nWiki\r\n6;a=b\r\npedia \r\n0E\nin \r\n\r\nchunks.\n000\r\nExpires: x\r\n\r\nrest";
    let chunked = decode_chunked(source, 1000);
    assert_eq!(chunked.bytes, b"Wikipedia in \r\n\r\nchunks.");
    assert_eq!(chunked.error, None);
    assert_eq!(&source[chunked.end..], b"rest");
    assert_eq!(
        &source[chunked.trailers.start..chunked.trailers.end],
        b"Expires: x\r\n"
    );
    let cases: [(&[u8], &[u8], ContainerErrorKind, u64); 6] = [
        (b"", b"", ContainerErrorKind::Truncated, 0),
        (b"5\r\nab", b"ab", ContainerErrorKind::Truncated, 5),
        (b"<html>", b"", ContainerErrorKind::BadChunk, 0),
        (b"2\r\nabc\r\n", b"ab", ContainerErrorKind::BadChunk, 5),
        (b"2\r\nab\r\n-1\r\n", b"ab", ContainerErrorKind::BadChunk, 7),
        (
            b"ffffffffffffffffff\r\n",
            b"",
            ContainerErrorKind::BadChunk,
            0,
        ),
    ];
    for (source, read, kind, offset) in cases {
        let chunked = decode_chunked(source, 1000);
        let error = chunked.error.expect("an error");
        assert_eq!(
            (error.kind, error.offset),
            (kind, offset),
            "{}",
            source.escape_ascii()
        );
        assert_eq!(chunked.bytes, read);
    }
    let chunked = decode_chunked(b"fffffff\r\nabcdef", 4);
    assert_eq!(chunked.bytes, b"abcd");
    assert_eq!(
        chunked.error.map(|error| error.kind),
        Some(ContainerErrorKind::BodyTooLong)
    );
    assert_eq!(
        encode_chunked(b"abc", b"A: b\r\n"),
        b"3\r\nabc\r\n0\r\nA: b\r\n\r\n"
    );
    assert_eq!(encode_chunked(b"", b""), b"0\r\n\r\n");
}

#[test]
fn decode_coding_reads_output_of_other_programs() {
    // printf hello | gzip -n; python3 -c 'zlib.compress(b"hello")', and the same without its first 2 and last 4
    // bytes.
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0";
    let zlib = b"x\x9c\xcbH\xcd\xc9\xc9\x07\0\x06,\x02\x15";
    let raw = &zlib[2..zlib.len() - 4];
    // python3 -c 'brotli.compress(b"hello")'; 'zstandard.ZstdCompressor(write_checksum=True).compress(b"hello")'.
    let brotli = b"\x0b\x02\x80hello\x03";
    let zstd = b"\x28\xb5\x2f\xfd\x24\x05\x29\0\0hello\xa3\x6d\x9f\x88";
    for (name, source, coding) in [
        ("gzip", &gzip[..], Coding::Gzip),
        ("x-GZIP", gzip, Coding::Gzip),
        ("deflate", zlib, Coding::Deflate),
        ("deflate", raw, Coding::RawDeflate),
        ("br", brotli, Coding::Brotli),
        ("Zstd", zstd, Coding::Zstandard),
    ] {
        assert_eq!(Coding::of(name, source), Some(coding));
        let decoded = decode_coding(source, coding, 100);
        assert_eq!(
            (decoded.bytes.as_slice(), decoded.error),
            (&b"hello"[..], None)
        );
        let kinds: Vec<_> = (1..source.len())
            .map(|length| decode_coding(&source[..length], coding, 100))
            .map(|decoded| decoded.error.map(|error| error.kind))
            .collect();
        assert!(
            kinds
                .iter()
                .all(|kind| *kind == Some(ContainerErrorKind::Truncated)),
            "{name}: {kinds:?}"
        );
    }
    for name in ["gzip", "deflate", "br", "zstd"] {
        assert_eq!(Coding::of(name, b"<!DOCTYPE html><p>decoded already"), None);
        assert_eq!(Coding::of(name, b""), None);
    }
    // RFC 1952 section 2.2, RFC 8878 section 3: concatenated members or frames are one file.
    // RFC 8878 section 3.1.2: a skippable frame has no content.
    let skippable = b"\x5f\x2a\x4d\x18\x02\0\0\0ab";
    for (source, coding) in [
        ([&gzip[..], gzip].concat(), Coding::Gzip),
        ([&zstd[..], zstd].concat(), Coding::Zstandard),
        (
            [skippable, &zstd[..], skippable, zstd].concat(),
            Coding::Zstandard,
        ),
    ] {
        let decoded = decode_coding(&source, coding, 100);
        assert_eq!(
            (decoded.bytes.as_slice(), decoded.error),
            (&b"hellohello"[..], None)
        );
    }
    // The last byte belongs to the checksum.
    for (source, at, coding) in [
        (&gzip[..], 16, Coding::Gzip),
        (zstd, zstd.len() - 1, Coding::Zstandard),
    ] {
        let mut damaged = source.to_vec();
        damaged[at] ^= 0xFF;
        let kind = decode_coding(&damaged, coding, 100)
            .error
            .map(|error| error.kind);
        assert_eq!(kind, Some(ContainerErrorKind::BadCompression));
    }
    // RFC 7932 section 9.2: a window of 22 bits, not the last block, no nibbles of length, and the reserved bit is set.
    let kind = decode_coding(b"\xeb\0\0", Coding::Brotli, 100)
        .error
        .map(|error| error.kind);
    assert_eq!(kind, Some(ContainerErrorKind::BadCompression));
}

#[test]
fn decode_coding_counts_the_bytes_after_a_body() {
    for coding in CODINGS {
        let source = [&encode_coding(b"<p>", coding)[..], b"after"].concat();
        let decoded = decode_coding(&source, coding, 100);
        assert_eq!(
            (decoded.error, decoded.trailing_len),
            (None, 5),
            "{coding:?}"
        );
        assert_eq!(decoded.bytes, b"<p>");
    }
}

#[test]
fn a_short_body_that_looks_like_text_may_be_in_brotli() {
    // RFC 7932 section 9.2: `;` is a window of 22 bits and a last block that is empty.
    assert_eq!(Coding::of("br", b";"), Some(Coding::Brotli));
    let decoded = decode_coding(b";", Coding::Brotli, 100);
    assert_eq!(
        (
            decoded.bytes.as_slice(),
            decoded.error,
            decoded.trailing_len
        ),
        (&b""[..], None, 0)
    );
}

#[test]
fn windows_of_bodies_are_limited() {
    // RFC 8878 section 3.1.1.1.2, RFC 9659: a window of 8 MiB is the largest of a body, 16 MiB is one step too many.
    // The frame has an empty last block in place of content.
    let frame = |exponent: u8| [&b"\x28\xb5\x2f\xfd\0"[..], &[exponent << 3, 1, 0, 0]].concat();
    for (exponent, error) in [(13, None), (14, Some(ContainerErrorKind::BadCompression))] {
        let decoded = decode_coding(&frame(exponent), Coding::Zstandard, 100);
        assert_eq!(decoded.error.map(|error| error.kind), error);
    }
    // RFC 7932 section 9.1 reserves the first byte 0x11. A later format uses it for windows of up to 1 GiB.
    let decoded = decode_coding(b"\x11\x1e\x03", Coding::Brotli, 100);
    let kind = decoded.error.map(|error| error.kind);
    assert_eq!(kind, Some(ContainerErrorKind::BadCompression));
}

#[test]
fn decode_coding_stops_at_the_limit() {
    for coding in CODINGS {
        let bomb = encode_coding(&vec![0; 64 << 20], coding);
        assert!(bomb.len() < 100_000, "{coding:?}");
        let decoded = decode_coding(&bomb, coding, 1 << 20);
        assert_eq!(
            decoded.error.map(|error| error.kind),
            Some(ContainerErrorKind::BodyTooLong)
        );
        assert_eq!(decoded.bytes.len(), 1 << 20);
        assert!(decoded.bytes.capacity() <= 2 << 20);
    }
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\r\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b" ".to_vec()),
        Just(b"=".to_vec()),
        Just(b"=\n".to_vec()),
        Just(b"--".to_vec()),
        Just(b"=0A".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..120),
        "[a-z =]{0,100}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn encodings_round_trip(body in bodies(), original in bodies()) {
        let base64 = encode_base64(&body, &original);
        prop_assert_eq!(&decode_base64(&base64), &body);
        let quoted = encode_quoted_printable(&body, &original);
        prop_assert_eq!(&decode_quoted_printable(&quoted), &body);
        prop_assert_eq!(&decode_chunked(&encode_chunked(&body, b""), usize::MAX).bytes, &body);
        for coding in CODINGS {
            let decoded = decode_coding(&encode_coding(&body, coding), coding, usize::MAX);
            prop_assert_eq!(decoded.error, None);
            prop_assert_eq!(&decoded.bytes, &body);
        }
    }

    #[test]
    fn quoted_printable_encoding_reproduces_its_own_output(original in bodies()) {
        // The output of this encoder uses none of the liberties that other encoders take, so encoding again
        // reproduces it.
        let encoded = encode_quoted_printable(&original, b"\r\n");
        prop_assert_eq!(encode_quoted_printable(&original, &encoded), encoded.clone());
        for line in encoded.split(|&byte| byte == b'\n') {
            prop_assert!(line.strip_suffix(b"\r").unwrap_or(line).len() <= 76);
        }
    }

    #[test]
    fn decoders_never_panic(source in bodies(), limit in 0_usize..100) {
        let _ = (decode_base64(&source), decode_quoted_printable(&source));
        prop_assert!(decode_chunked(&source, limit).bytes.len() <= limit);
        for coding in CODINGS {
            prop_assert!(decode_coding(&source, coding, limit).bytes.len() <= limit);
        }
    }
}
