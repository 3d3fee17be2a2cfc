//! Transfer encodings and content codings.

use absolve::container::ContainerErrorKind;
use absolve::container::transfer::{
    Coding, decode_base64, decode_chunked, decode_coding, decode_quoted_printable, encode_base64,
    encode_chunked, encode_coding, encode_quoted_printable,
};
use proptest::prelude::*;

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
    for (name, source, coding) in [
        ("gzip", &gzip[..], Coding::Gzip),
        ("x-GZIP", gzip, Coding::Gzip),
        ("deflate", zlib, Coding::Deflate),
        ("deflate", raw, Coding::RawDeflate),
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
    for name in ["gzip", "deflate", "br"] {
        assert_eq!(Coding::of(name, b"<!DOCTYPE html><p>decoded already"), None);
    }
    // RFC 1952 section 2.2: concatenated members are one file.
    let twice = [&gzip[..], gzip].concat();
    assert_eq!(
        decode_coding(&twice, Coding::Gzip, 100).bytes,
        b"hellohello"
    );
    let mut damaged = gzip.to_vec();
    damaged[16] ^= 0xFF;
    let kind = decode_coding(&damaged, Coding::Gzip, 100)
        .error
        .map(|error| error.kind);
    assert_eq!(kind, Some(ContainerErrorKind::BadCompression));
}

#[test]
fn decode_coding_stops_at_the_limit() {
    let bomb = encode_coding(&vec![0; 64 << 20], Coding::Gzip);
    assert!(bomb.len() < 100_000);
    let decoded = decode_coding(&bomb, Coding::Gzip, 1 << 20);
    assert_eq!(
        decoded.error.map(|error| error.kind),
        Some(ContainerErrorKind::BodyTooLong)
    );
    assert_eq!(decoded.bytes.len(), 1 << 20);
    assert!(decoded.bytes.capacity() <= 2 << 20);
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
        for coding in [Coding::Gzip, Coding::Deflate, Coding::RawDeflate] {
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
        for coding in [Coding::Gzip, Coding::Deflate, Coding::RawDeflate] {
            prop_assert!(decode_coding(&source, coding, limit).bytes.len() <= limit);
        }
    }
}
