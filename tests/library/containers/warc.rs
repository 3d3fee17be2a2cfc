//! WARC archives.

use std::io::Read;

use absolve_archive::container::transfer::{Coding, encode_coding};
use absolve_archive::container::warc::{NewRecord, RecordBlock, RecordKind, WarcReader};
use absolve_archive::container::{ContainerError, ContainerErrorKind};

fn record(fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.1\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

type Copied = (
    Vec<(RecordKind, Option<String>, usize)>,
    Vec<ContainerError>,
    Vec<u8>,
);

/// Returns the kind, target and block length of each record, the errors, and a copy of the archive.
fn read(archive: &[u8], limit: usize) -> Copied {
    let mut reader = WarcReader::new(archive).limit(limit);
    let (mut records, mut errors, mut copy) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(next) = reader.next_record() {
        match next {
            Ok(record) => {
                let length = match &record.block {
                    RecordBlock::Whole(block) => block.len(),
                    RecordBlock::TooLong(length) => usize::try_from(*length).expect("small"),
                };
                records.push((record.kind(), record.target_uri(), length));
                errors.extend(record.error);
                errors.extend(reader.copy(&mut copy).err());
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(reader.copy_rest(&mut copy).err());
    (records, errors, copy)
}

/// Returns an archive three times: not compressed, with gzip members and with Zstandard frames.
fn archives() -> [Vec<u8>; 3] {
    let records = [
        record("WARC-Type: warcinfo\r\n", b"software: x\r\n"),
        record(
            "WARC-Type: response\r\nWARC-Target-URI: <http://a/b c>\r\n",
            &[b'x'; 5000],
        ),
        record(
            "warc-type:  Resource\r\nWARC-Target-URI: http://a/\r\n",
            b"",
        ),
    ];
    let compressed = |coding| {
        records
            .each_ref()
            .map(|record| encode_coding(record, coding))
            .concat()
    };
    let [gzip, zstandard] = [Coding::Gzip, Coding::Zstandard].map(compressed);
    [records.concat(), gzip, zstandard]
}

#[test]
fn warc_reads_and_copies_records() {
    for archive in archives() {
        for limit in [10_000, 100, 0] {
            let (records, errors, copy) = read(&archive, limit);
            assert_eq!(
                records,
                [
                    (RecordKind::Other, None, 13),
                    (RecordKind::Response, Some("http://a/b c".to_owned()), 5000),
                    (RecordKind::Resource, Some("http://a/".to_owned()), 0),
                ]
            );
            assert_eq!(errors, []);
            assert_eq!(copy, archive, "limit {limit}");
        }
    }
}

#[test]
fn warc_reads_from_a_one_byte_reader() {
    struct Slow<'a>(&'a [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }
    for archive in archives() {
        let mut reader = WarcReader::new(Slow(&archive));
        let mut copy = Vec::new();
        while let Some(record) = reader.next_record() {
            record.expect("a record");
            reader.copy(&mut copy).expect("copied");
        }
        assert_eq!(copy, archive);
    }
}

#[test]
fn warc_reports_and_copies_damaged_records() {
    let good = record("WARC-Type: resource\r\n", b"<p>");
    let bad_start = good.len() as u64;
    let cases: [(&[u8], ContainerErrorKind, u64); 5] = [
        (b"<html>", ContainerErrorKind::NotWarc, 6),
        (
            b"WARC/1.0\r\nA: b\r\n\r\n",
            ContainerErrorKind::NoContentLength,
            19,
        ),
        (
            b"WARC/1.0\r\nContent-Length: -3\r\n\r\n",
            ContainerErrorKind::NoContentLength,
            32,
        ),
        (b"WARC/1.0\r\nContent-Le", ContainerErrorKind::Truncated, 20),
        (
            b"WARC/1.0\r\nContent-Length: 5\r\n\r\nabc",
            ContainerErrorKind::Truncated,
            34,
        ),
    ];
    for (bad, kind, offset) in cases {
        let archive = [&good, bad, b"\n\n", &good].concat();
        // Bytes after a truncated record would be read as its block.
        let archive = if kind == ContainerErrorKind::Truncated {
            [&good, bad].concat()
        } else {
            archive
        };
        for limit in [1000, 1] {
            let (records, errors, copy) = read(&archive, limit);
            assert!(!records.is_empty());
            assert_eq!(errors.len(), 1, "{}", bad.escape_ascii());
            assert_eq!(errors[0].kind, kind);
            assert!(
                (bad_start..=bad_start + offset + 1).contains(&errors[0].offset),
                "{errors:?}"
            );
            assert_eq!(copy, archive, "{}", bad.escape_ascii());
        }
    }
    let long = [b"WARC/1.0\r\nA: ".as_slice(), &vec![b'x'; 10 << 20]].concat();
    let (_, errors, copy) = read(&long, 1000);
    assert_eq!(errors[0].kind, ContainerErrorKind::HeadersTooLong);
    assert_eq!(copy.len(), long.len());
}

#[test]
fn warc_finds_the_next_record_after_a_wrong_content_length() {
    let good = record("WARC-Type: resource\r\n", b"<p>");
    let bad = b"WARC/1.0\r\r\nWARC-Type: revisit\r\r\nContent-Length: 2\r\r\n\r\r\nabc\r\n\r\n";
    let archive = [&bad[..], &good].concat();
    for limit in [1000, 1] {
        let (records, errors, copy) = read(&archive, limit);
        let kinds: Vec<_> = records.iter().map(|(kind, ..)| *kind).collect();
        assert_eq!(kinds, [RecordKind::Revisit, RecordKind::Resource]);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].kind, ContainerErrorKind::WrongContentLength);
        assert_eq!(copy, archive);
    }
}

#[test]
fn warc_reports_and_copies_damaged_compression() {
    let [_, gzip, zstandard] = archives();
    for archive in [gzip, zstandard] {
        for length in 1..archive.len() {
            let (_, errors, copy) = read(&archive[..length], 10_000);
            assert_eq!(copy, archive[..length], "cut at {length}");
            assert!(errors.len() <= 1, "{errors:?}");
        }
        for at in 0..archive.len() {
            let mut damaged = archive.clone();
            damaged[at] ^= 0x55;
            let (_, _, copy) = read(&damaged, 10_000);
            assert_eq!(copy, damaged, "damaged at {at}");
        }
    }
    // Blocks without a byte in them: stored ones of deflate, and of Zstandard after a header with a window of 1 KiB.
    let headers = [
        &[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3][..],
        b"\x28\xb5\x2f\xfd\0\0",
    ];
    let blocks = [&[0, 0, 0, 0xFF, 0xFF][..], &[0, 0, 0]];
    for (header, block) in headers.into_iter().zip(blocks) {
        let endless = [header, &block.repeat(3_000_000)].concat();
        let (_, errors, copy) = read(&endless, 1000);
        assert_eq!(errors[0].kind, ContainerErrorKind::RecordTooLong);
        assert_eq!(copy.len(), endless.len());
    }
}

/// Returns a skippable frame of Zstandard with an identifier of four bits.
fn skippable(identifier: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("short");
    let magic = [0x50 | identifier, 0x2A, 0x4D, 0x18];
    [&magic, &length.to_le_bytes()[..], content].concat()
}

#[test]
fn warc_copies_skippable_frames() {
    let record = encode_coding(
        &record("WARC-Type: resource\r\n", b"<p>"),
        Coding::Zstandard,
    );
    let inner = [
        &skippable(3, b""),
        &record[..],
        &skippable(15, &vec![b'x'; 100_000]),
        &record,
    ]
    .concat();
    for archive in [inner.clone(), [&inner[..], &skippable(0, b"end")].concat()] {
        for limit in [1000, 1] {
            let (records, errors, copy) = read(&archive, limit);
            assert_eq!((records.len(), &*errors), (2, &[][..]));
            assert_eq!(copy, archive, "limit {limit}");
        }
    }
    // A frame that is cut off. Nothing follows that could be a record.
    let cut = &skippable(0, b"end")[..10];
    let archive = [&inner[..], cut].concat();
    let (records, errors, copy) = read(&archive, 1000);
    assert_eq!(records.len(), 2);
    assert_eq!(errors[0].kind, ContainerErrorKind::Truncated);
    assert_eq!(copy, archive);
}

#[test]
fn warc_refuses_a_dictionary_that_is_none() {
    let record = encode_coding(
        &record("WARC-Type: resource\r\n", b"<p>"),
        Coding::Zstandard,
    );
    for dictionary in [
        &b"<p>"[..],
        b"",
        b"\x37\xa4\x30\xec",
        &record,
        &encode_coding(&vec![0; 64 << 20], Coding::Zstandard),
    ] {
        let archive = [skippable(13, dictionary), record.clone()].concat();
        let (records, errors, copy) = read(&archive, 1000);
        assert_eq!(records, []);
        assert!(!errors.is_empty());
        assert_eq!(copy, archive);
    }
}

#[test]
fn warc_copies_an_archive_compressed_as_a_whole() {
    let [plain, by_record, _] = archives();
    let whole = encode_coding(&plain, Coding::Gzip);
    for archive in [whole.clone(), [by_record.clone(), whole.clone()].concat()] {
        let (records, errors, copy) = read(&archive, 10_000);
        assert!(records.len() >= 3);
        let refused = errors
            .iter()
            .all(|error| error.kind == ContainerErrorKind::NotCompressedByRecord);
        assert!(refused && !errors.is_empty(), "{errors:?}");
        assert_eq!(copy, archive);
    }
    // If records follow the member, it was dropped, and the copy would have a gap: that is an error.
    let archive = [whole, by_record].concat();
    let (records, errors, _) = read(&archive, 10_000);
    assert_eq!(records.len(), 6);
    let last = errors.last().map(|error| error.kind);
    assert_eq!(last, Some(ContainerErrorKind::NotCompressedByRecord));
}

fn only(archive: &[u8]) -> absolve_archive::container::warc::WarcRecord {
    WarcReader::new(archive)
        .next_record()
        .expect("one")
        .expect("read")
}

fn written(record: &NewRecord<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    record.write(&mut bytes, None).expect("a vector");
    bytes
}

#[test]
fn warc_replacing_a_block_updates_lengths_and_digests() {
    let old = b"HTTP/1.1 200 OK\r\n\r\n<p>";
    let new = b"HTTP/1.1 200 OK\r\n\r\n<p>new";
    let head = "WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n";
    let source = record(
        &format!(
            "{head}WARC-Block-Digest: sha1:{OLD_BLOCK}\r\nWARC-Payload-Digest: sha1:{OLD_BODY}\r\nX: y\r\n"
        ),
        old,
    );
    let expected = record(
        &format!(
            "{head}WARC-Block-Digest: sha1:{NEW_BLOCK}\r\nWARC-Payload-Digest: sha1:{NEW_BODY}\r\nX: y\r\n"
        ),
        new,
    );
    let bytes = written(&only(&source).with_block(new).record);
    assert_eq!(
        bytes.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );

    // A digest in an unknown algorithm, or of unknown bytes, is removed.
    let source = record(
        &format!("{head}WARC-Block-Digest: md5:x\r\nWARC-Payload-Digest: sha1:{OLD_BLOCK}\r\n"),
        old,
    );
    assert_eq!(
        written(&only(&source).with_block(new).record),
        record(head, new)
    );
}

/// The digest of `HTTP/1.1 200 OK\r\n\r\n<p>` in base32, computed by Python's `hashlib` and `base64` like the others.
const OLD_BLOCK: &str = "B4HG5ACMSYVF4C4URDHCHBGE2SYEQZRT";
/// The digest of `<p>` in hexadecimal.
const OLD_BODY: &str = "63ada55c0ba212a5b1f8d5a70890788f00972bf4";
const NEW_BLOCK: &str = "XEGI5JJ2EDJKCCFRLIWUPCWY5KJFS7XJ";
const NEW_BODY: &str = "427b9939beb47441438208d72d455af9993adb33";

#[test]
fn warc_conversion_refers_to_its_original() {
    let source = record(
        "WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>\r\n\
         WARC-Target-URI: http://a/\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Payload-Digest: sha1:x\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n<p>",
    );
    let original = only(&source);
    let bytes = written(&original.conversion(b"<p>", "text/html; charset=utf-8"));
    assert_eq!(
        bytes,
        written(&original.conversion(b"<p>", "text/html; charset=utf-8"))
    );
    let conversion = only(&bytes);
    assert_eq!(conversion.kind(), RecordKind::Conversion);
    assert_eq!(conversion.target_uri().as_deref(), Some("http://a/"));
    assert_eq!(conversion.block(), Some(&b"<p>"[..]));
    let text = |name| conversion.headers().text(name).unwrap_or_default();
    assert_eq!(
        text("WARC-Refers-To"),
        "<urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>"
    );
    assert_eq!(text("WARC-Date"), "2026-01-02T03:04:05Z");
    assert_eq!(text("Content-Type"), "text/html; charset=utf-8");
    assert_eq!(text("WARC-Payload-Digest"), "");
    let id = text("WARC-Record-ID");
    assert!(id.starts_with("<urn:uuid:") && id.len() == 47, "{id}");
    // Python: uuid.uuid5(UUID("f957b55e-a882-4846-8165-e17e5d32718f"), name), with the name as `conversion_id` defines it.
    assert_eq!(id, "<urn:uuid:318c1acf-e12b-5d59-a19a-2fd92e10dbf9>");
    let different = only(&written(&original.conversion(b"<q>", "text/html")));
    assert_ne!(different.headers().text("WARC-Record-ID"), Some(id));
}
