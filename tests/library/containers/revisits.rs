//! `revisit` records and segments of archives whose responses are rewritten.

use std::fs;

use absolve::Rewriter;
use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::warc::{WarcReader, WarcRecord};
use absolve_archive::{ArchiveSettings, RecordForm, WarcItem, rewrite_warc, warc_entities};

/// A response, and two revisits of it: of its URL, and of another URL with the same payload. Written by warcio.
const REVISITS: &str = "fixtures/containers/revisits.warc";

/// The document in the response.
const PAGE: &str = r#"<!DOCTYPE html><title>x</title><a href="y">y</a>"#;

fn rewrite(archive: &[u8], form: RecordForm) -> (Vec<u8>, Vec<ContainerErrorKind>) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let settings = ArchiveSettings::new();
    let count = rewrite_warc(archive, &mut output, &settings, form, |item| match item {
        WarcItem::Document(entity) => Some(entity.rewrite(&Rewriter::new()).bytes.into_owned()),
        WarcItem::Error(error) => {
            errors.push(error.kind);
            None
        }
        _ => None,
    })
    .expect("written");
    assert_eq!(usize::try_from(count), Ok(records(archive).len()));
    (output, errors)
}

fn records(archive: &[u8]) -> Vec<WarcRecord> {
    let mut reader = WarcReader::new(archive);
    let records = std::iter::from_fn(|| reader.next_record());
    records.map(|record| record.expect("a record")).collect()
}

fn payload_digests(archive: &[u8]) -> Vec<String> {
    let digest = |record: &WarcRecord| record.headers().text("WARC-Payload-Digest");
    let records = records(archive);
    records
        .iter()
        .map(|record| digest(record).expect("a digest"))
        .collect()
}

#[test]
fn revisits_follow_the_digest_of_their_rewritten_response() {
    let source = fs::read(support::root().join(REVISITS)).expect("the fixture");
    let (output, errors) = rewrite(&source, RecordForm::Replaced);
    let (before, after) = (payload_digests(&source), payload_digests(&output));
    assert_eq!(after.len(), 3);
    assert_ne!(after[0], before[0]);
    assert_eq!(after[1..], [after[0].clone(), after[0].clone()]);
    // The second revisit is of another URL: its relative links lead elsewhere now.
    assert_eq!(errors, [ContainerErrorKind::RevisitOfOtherUrl]);
    // The header fields of HTTP are those of the rewritten response, too. Nothing else changes.
    let http = |length: usize| {
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n")
    };
    let (old_len, new_len) = (PAGE.len(), PAGE.len() + "http://a.example/d/".len());
    for (old, new) in records(&source).iter().zip(records(&output)).skip(1) {
        assert_eq!(old.block(), Some(http(old_len).as_bytes()));
        assert_eq!(new.block(), Some(http(new_len).as_bytes()));
        let is_changed = |line: &&str| {
            line.starts_with("WARC-Payload-Digest:") || line.starts_with("WARC-Block-Digest:")
        };
        let others = |head: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(head).into_owned();
            text.lines()
                .filter(|line| !is_changed(line))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(others(&old.head), others(&new.head));
    }
}

#[test]
fn revisits_of_unchanged_responses_are_unchanged() {
    let source = fs::read(support::root().join(REVISITS)).expect("the fixture");
    let text = String::from_utf8(source).expect("text");
    // An absolute link of the same length, so that nothing is rewritten. The digest of the payload does not matter.
    let absolute = text.replace("href=\"y\">y", "id=12345>y");
    let (output, errors) = rewrite(absolute.as_bytes(), RecordForm::Replaced);
    assert_eq!(String::from_utf8(output).expect("text"), absolute);
    assert_eq!(errors, []);
}

#[test]
fn conversions_leave_revisits_as_they_are() {
    let source = fs::read(support::root().join(REVISITS)).expect("the fixture");
    let (output, errors) = rewrite(&source, RecordForm::Conversion);
    let revisits = |archive: &[u8]| -> Vec<WarcRecord> {
        let records = records(archive).into_iter();
        let is_revisit = |record: &WarcRecord| {
            record
                .headers()
                .text("WARC-Type")
                .is_some_and(|kind| kind == "revisit")
        };
        records
            .filter(is_revisit)
            .map(|mut record| {
                record.offset = 0;
                record
            })
            .collect()
    };
    assert_eq!(revisits(&source).len(), 2);
    assert_eq!(revisits(&output), revisits(&source));
    assert_eq!(errors, []);
}

#[test]
fn segments_are_left_as_they_are_and_reported() {
    let source = fs::read(support::root().join(REVISITS)).expect("the fixture");
    let text = String::from_utf8(source).expect("text");
    let segmented = text.replacen(
        "WARC-Type: response\r\n",
        "WARC-Type: response\r\nWARC-Segment-Number: 1\r\n",
        1,
    );
    for form in [RecordForm::Replaced, RecordForm::Conversion] {
        let (output, errors) = rewrite(segmented.as_bytes(), form);
        assert_eq!(String::from_utf8(output).expect("text"), segmented);
        assert_eq!(errors, [ContainerErrorKind::Segmented]);
    }
    let found: Vec<_> = warc_entities(segmented.as_bytes(), &ArchiveSettings::new()).collect();
    let errors: Vec<_> = found
        .into_iter()
        .map(|found| found.expect_err("no document").kind)
        .collect();
    assert_eq!(errors, [ContainerErrorKind::Segmented]);
}

/// A digest that cannot be computed again is removed, which is reported.
#[test]
fn digests_in_unknown_algorithms_are_reported() {
    let source = fs::read(support::root().join(REVISITS)).expect("the fixture");
    let text = String::from_utf8(source).expect("text");
    let unknown = text.replace("sha1:", "blake3:");
    let (output, errors) = rewrite(unknown.as_bytes(), RecordForm::Replaced);
    assert_eq!(errors, [ContainerErrorKind::DigestRemoved]);
    let response = &records(&output)[0];
    assert_eq!(response.headers().text("WARC-Payload-Digest"), None);
}
