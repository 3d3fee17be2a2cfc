//! Places of records in WARC archives: the index, and reading from them.

use std::fs;
use std::io::Cursor;

use absolve_archive::container::ContainerErrorKind;
use absolve_archive::container::warc::{RecordPlace, WarcIndex, WarcReader, WarcRecord};

/// Returns the archives of the fixtures and, if there are any, of the corpora.
fn archives() -> Vec<Vec<u8>> {
    let fixtures = support::root().join("fixtures/containers");
    let mut paths = support::files(&fixtures, &["warc", "zst"]);
    if let Some(corpus) = support::corpora("containers") {
        paths.extend(support::files(&corpus.join("warc"), &["warc", "gz", "bad"]));
    }
    let archives: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| fs::read(path).expect("an archive"))
        .collect();
    assert!(archives.len() > 2);
    archives
}

/// Returns the records that the reader returns from its position on.
fn rest(reader: &mut WarcReader<impl std::io::Read>) -> Vec<WarcRecord> {
    std::iter::from_fn(|| reader.next_record())
        .filter_map(Result::ok)
        .collect()
}

/// Returns the places in an archive, and whether it is damaged.
fn index(archive: &[u8]) -> (Vec<RecordPlace>, bool) {
    let (places, errors): (Vec<_>, Vec<_>) =
        WarcIndex::new(WarcReader::new(archive)).partition(Result::is_ok);
    assert!(errors.len() <= 1);
    let places = places.into_iter().filter_map(Result::ok).collect();
    (places, !errors.is_empty())
}

#[test]
fn places_are_adjacent_and_cover_an_undamaged_archive() {
    for archive in archives() {
        let (places, is_damaged) = index(&archive);
        for pair in places.windows(2) {
            assert_eq!(pair[0].offset + pair[0].length, pair[1].offset);
        }
        if let (Some(last), false) = (places.last(), is_damaged) {
            assert_eq!(last.offset + last.length, archive.len() as u64);
        }
    }
}

#[test]
fn every_part_of_an_archive_has_its_records() {
    for archive in archives() {
        let all = rest(&mut WarcReader::new(&archive[..]));
        let (places, _) = index(&archive);
        let mut offsets: Vec<u64> = all.iter().map(|record| record.offset).collect();
        offsets.dedup();
        assert_eq!(
            offsets,
            places.iter().map(|place| place.offset).collect::<Vec<_>>()
        );
        let mut reader = WarcReader::new(Cursor::new(&archive));
        // Backwards, so that the reader cannot just continue.
        for (number, place) in places.iter().enumerate().rev() {
            reader
                .seek(place.offset, place.offset + 1)
                .expect("an offset");
            let expected: Vec<&WarcRecord> = all
                .iter()
                .filter(|record| record.offset == place.offset)
                .collect();
            assert_eq!(
                rest(&mut reader).iter().collect::<Vec<_>>(),
                expected,
                "{number}"
            );
        }
        // Two halves, as two programs would read them.
        let middle = places.get(places.len() / 2).map_or(0, |place| place.offset);
        let mut halves = Vec::new();
        for (start, end) in [(0, middle), (middle, u64::MAX)] {
            let mut reader = WarcReader::new(Cursor::new(&archive));
            reader.seek(start, end).expect("an offset");
            halves.extend(rest(&mut reader));
        }
        assert_eq!(halves, all);
    }
}

#[test]
fn damage_is_reported_with_its_offset() {
    let record = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
    let damaged = [&record[..], b"no record\r\n"].concat();
    let mut reader = WarcReader::new(&damaged[..]);
    assert_eq!(rest(&mut reader).len(), 1);
    let damage = reader.damage().expect("an error");
    assert_eq!(damage.kind, ContainerErrorKind::NotWarc);

    let truncated = &record[..record.len() - 5];
    let mut places = WarcIndex::new(WarcReader::new(truncated));
    let place = places.next().expect("a place").expect("a place");
    assert_eq!((place.offset, place.length), (0, truncated.len() as u64));
    let error = places.next().expect("an item").expect_err("an error");
    assert_eq!(error.kind, ContainerErrorKind::Truncated);
    assert_eq!(places.next(), None);

    // Seeking to damage, and away from it.
    let mut reader = WarcReader::new(Cursor::new(&damaged));
    reader
        .seek(record.len() as u64, u64::MAX)
        .expect("an offset");
    assert_eq!(rest(&mut reader), []);
    assert_eq!(
        reader.damage().map(|error| error.kind),
        Some(ContainerErrorKind::NotWarc)
    );
    reader.seek(0, 1).expect("an offset");
    assert_eq!(rest(&mut reader).len(), 1);
}

#[test]
fn bytes_before_a_sought_record_cannot_be_copied() {
    let record = b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let archive = [&record[..], &record[..]].concat();
    let mut reader = WarcReader::new(Cursor::new(&archive));
    reader
        .seek(record.len() as u64, u64::MAX)
        .expect("an offset");
    reader.next_record().expect("a record").expect("a record");
    let mut copy = Vec::new();
    reader.copy(&mut copy).expect("a copy");
    assert_eq!(copy, record);
    assert!(reader.copy_rest(&mut copy).is_err());
}
