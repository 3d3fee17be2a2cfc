//! Containers that other programs made: reading them, their base URLs, truncation at any offset, and rewriting.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use absolve::Base;
use absolve_archive::container::ContainerErrorKind::{
    self, BoundaryNotClosed, BoundaryNotFound, MalformedHeader, NoBody, NoBoundary,
    NotCompressedByRecord, NotHttp, Truncated, WrongContentLength,
};
use absolve_archive::container::{ContainerError, Format};
use absolve_archive::{
    ArchiveSettings, Container, Entity, RecordForm, WarcItem, rewrite_warc, warc_entities,
};

/// The errors in samples, by file name. Most were damaged on purpose.
const DAMAGED: &[(&str, &[ContainerErrorKind])] = &[
    ("malformed.eml", &[MalformedHeader]),
    ("mailparser_malformed_008.eml", &[BoundaryNotClosed]),
    // A line of the body is among the header fields of a part.
    (
        "mailparser_malformed_019.eml",
        &[MalformedHeader, BoundaryNotClosed],
    ),
    ("mailparser_malformed_020.eml", &[BoundaryNotClosed]),
    ("mailparser_malformed_021.eml", &[BoundaryNotClosed]),
    ("mhtml2html_missing_boundary.mhtml", &[BoundaryNotFound]),
    ("mhtml2html_missing_boundary_header.mhtml", &[NoBoundary]),
    ("mhtml2html_missing_headers.mhtml", &[BoundaryNotClosed]),
    ("mhtml2html_unexpected_eof.mhtml", &[BoundaryNotClosed]),
    // Compressed as a whole.
    ("pywb_example-bad.warc.gz.bad", &[NotCompressedByRecord]),
    ("warcio_example-bad.warc.gz.bad", &[NotCompressedByRecord]),
    (
        "warcio_example-bad-non-chunked.warc.gz",
        &[NotCompressedByRecord],
    ),
    // `HTTPX/1.1 200 OK`.
    ("pywb_example-extra.warc", &[NotHttp]),
    // Content-Length: 320 for a block of 321 bytes, and 973 for one of 975.
    ("pywb_example.warc", &[WrongContentLength]),
    (
        "warcio_example-trunc.warc",
        &[WrongContentLength, Truncated],
    ),
    ("warcio_example-trunc_warc_000.http", &[Truncated]),
    // A gzip member ends between the header fields and the body of a response.
    ("warcio_example-wrong-chunks.warc.gz", &[Truncated]),
    // The dump made from it contains the header fields only.
    ("warcio_example-wrong-chunks_warc_gz_000.http", &[NoBody]),
];

/// Returns all samples of supported formats from the corpora, and those in `fixtures`.
fn samples() -> Vec<PathBuf> {
    let fixtures = support::root().join("fixtures/containers");
    let mut paths = support::files(&fixtures, &["eml", "http", "mbox", "warc", "zst"]);
    if let Some(corpora) = support::corpora("containers") {
        for (folder, extensions) in [
            ("http", &["http"][..]),
            ("mhtml", &["mht", "mhtml"]),
            ("eml", &["eml", "txt"]),
            ("warc", &["warc", "gz", "bad"]),
        ] {
            let found = support::files(&corpora.join(folder), extensions);
            assert!(!found.is_empty(), "{folder}");
            paths.extend(found);
        }
    }
    paths
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

fn is_warc(path: &Path) -> bool {
    name(path).contains(".warc")
}

/// Returns the documents in a container, and the errors in it.
fn read(
    path: &Path,
    source: &[u8],
    settings: &ArchiveSettings,
) -> (Vec<Entity<'static>>, Vec<ContainerError>) {
    if is_warc(path) {
        let (mut entities, mut errors) = (Vec::new(), Vec::new());
        for found in warc_entities(source, settings) {
            match found {
                Ok(entity) => entities.push(entity),
                Err(error) => errors.push(error),
            }
        }
        return (entities, errors);
    }
    match open(path, source, settings) {
        Ok(container) => {
            let owned = container.entities().iter().cloned().map(Entity::into_owned);
            (owned.collect(), container.errors().to_vec())
        }
        Err(error) => (Vec::new(), vec![error]),
    }
}

fn open<'c>(
    path: &Path,
    source: &'c [u8],
    settings: &ArchiveSettings,
) -> Result<Container<'c>, ContainerError> {
    if path
        .extension()
        .is_some_and(|extension| extension == "http")
    {
        Container::http(source, settings)
    } else {
        Container::mime(source, settings)
    }
}

fn base(entity: &Entity<'_>) -> Option<Base> {
    support::recording().links(&entity.document()).base.base
}

#[test]
fn entities_have_the_expected_base_urls() {
    let corpora = support::corpora("containers");
    let fixtures = support::root().join("fixtures/containers");
    let mut expected: BTreeMap<(String, String), Vec<[String; 3]>> = BTreeMap::new();
    for row in support::table("fixtures/containers/entities.tsv") {
        let entities = expected
            .entry((row[0].clone(), row[1].clone()))
            .or_default();
        if row[2] != "-" {
            entities.push([row[2].clone(), row[3].clone(), row[4].clone()]);
        }
    }
    let mut checked = 0;
    for ((container, retrieved_from), mut expected) in expected {
        let path = match (container.strip_prefix("own/"), &corpora) {
            (Some(file), _) => fixtures.join(file),
            (None, Some(corpora)) => corpora.join(&container),
            (None, None) => continue,
        };
        let mut settings = ArchiveSettings::new();
        let url = match retrieved_from.strip_prefix("legacy ") {
            Some(url) => {
                settings = settings.legacy_headers(true);
                url
            }
            None => &retrieved_from,
        };
        if url != "-" {
            settings = settings.retrieved_from(url);
        }
        let source = fs::read(&path).expect(&container);
        let mut found: Vec<_> = read(&path, &source, &settings)
            .0
            .iter()
            .map(|entity| {
                let base = base(entity);
                let source = base.as_ref().map_or("-", |base| base.source.name());
                let url = base.as_ref().map_or("-", |base| &base.url);
                [entity.label.clone(), url.to_owned(), source.to_owned()]
            })
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{container}, from {retrieved_from}");
        checked += found.len();
    }
    assert!(corpora.is_none() || checked >= 140, "{checked}");
    assert!(checked >= 27, "{checked}");
}

#[test]
fn detect_recognizes_containers_by_their_first_bytes() {
    for path in samples() {
        let source = fs::read(&path).expect("a sample");
        let expected = if is_warc(&path) {
            Format::Warc
        } else if path
            .extension()
            .is_some_and(|extension| extension == "http")
        {
            Format::Http
        } else {
            Format::Mime
        };
        let head = &source[..source.len().min(4096)];
        assert_eq!(Format::detect(head), Some(expected), "{}", path.display());
    }
    for document in [
        &b""[..],
        b"<html>",
        b"\xEF\xBB\xBF<!DOCTYPE html>",
        b"@charset 'utf-8'; a:b { }",
        b"a: b\n\n<p>",
        b"\x1f\x8b",
        b"http://h/",
    ] {
        assert_eq!(
            Format::detect(document),
            None,
            "{}",
            document.escape_ascii()
        );
    }
    let Some(pages) = support::corpora("pages") else {
        return;
    };
    let mut checked = 0;
    for page in support::files(&pages, &["html", "htm", "css"]) {
        let source = fs::read(&page).expect("a page");
        assert_eq!(Format::detect(&source), None, "{}", page.display());
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn read_reports_errors_for_damaged_samples_only() {
    let mut documents = 0;
    let mut unexpected = Vec::new();
    for path in samples() {
        let source = fs::read(&path).expect("a sample");
        let (entities, errors) = read(&path, &source, &ArchiveSettings::new());
        documents += entities.len();
        let mut kinds: Vec<_> = errors.iter().map(|error| error.kind).collect();
        for entity in &entities {
            kinds.extend(entity.error.map(|error| error.kind));
        }
        kinds.dedup();
        let name = name(&path);
        let known = DAMAGED.iter().find(|(damaged, _)| *damaged == name);
        if kinds != known.map_or(&[][..], |(_, kinds)| kinds) {
            unexpected.push(format!("{name}: {kinds:?}"));
        }
        for error in errors {
            assert!(error.offset <= source.len() as u64, "{name}: {error}");
        }
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
    support::print_line(&format!("containers: {documents} documents in samples"));
}

/// Returns the container with every document replaced by the result of `rewrite`.
fn rewritten(
    path: &Path,
    source: &[u8],
    form: RecordForm,
    mut rewrite: impl FnMut(&Entity<'_>) -> Option<Vec<u8>> + Send,
) -> Vec<u8> {
    let settings = ArchiveSettings::new().retrieved_from("http://retrieval.example/a/b");
    if is_warc(path) {
        let mut output = Vec::new();
        rewrite_warc(source, &mut output, &settings, form, |found| match found {
            WarcItem::Document(entity) => rewrite(entity),
            _ => None,
        })
        .expect("copied");
        return output;
    }
    let Ok(container) = open(path, source, &settings) else {
        return source.to_vec();
    };
    let mut output = Vec::new();
    let mut writer = container.writer(&mut output);
    for (index, entity) in container.entities().iter().enumerate() {
        if let Some(document) = rewrite(entity) {
            // A document that is refused stays as it is.
            let _ = writer.put(index, &document);
        }
    }
    writer.finish().expect("written");
    output
}

#[test]
fn identity_holds_for_samples() {
    for path in samples() {
        let source = fs::read(&path).expect("a sample");
        for form in [RecordForm::Replaced, RecordForm::Conversion] {
            let kept = rewritten(&path, &source, form, |_| None);
            assert!(kept == source, "{}", path.display());
            // Replacing a document by itself is not a change.
            let same = rewritten(&path, &source, form, |entity| Some(entity.bytes.to_vec()));
            assert!(same == source, "{}", path.display());
        }
    }
}

#[test]
fn rewrite_round_trips_documents_and_changes_nothing_else() {
    let settings = ArchiveSettings::new().retrieved_from("http://retrieval.example/a/b");
    let mut changed = 0;
    for path in samples() {
        let source = fs::read(&path).expect("a sample");
        let before = read(&path, &source, &settings).0;
        let mut documents = Vec::new();
        let output = rewritten(&path, &source, RecordForm::Replaced, |entity| {
            let new = entity.rewrite(&support::recording()).bytes.into_owned();
            let is_damaged = entity.error.is_some();
            documents.push(if is_damaged {
                entity.bytes.to_vec()
            } else {
                new.clone()
            });
            Some(new)
        });
        let after: Vec<_> = read(&path, &output, &settings).0;
        assert_eq!(before.len(), after.len(), "{}", path.display());
        for ((old, new), expected) in before.iter().zip(&after).zip(&documents) {
            let context = format!("{} {}", path.display(), old.label);
            assert!(*new.bytes == **expected, "{context}");
            assert_eq!(
                (new.kind, &new.url, &new.encoding),
                (old.kind, &old.url, &old.encoding),
                "{context}"
            );
            assert_eq!(
                base(new).map(|base| base.url),
                base(old).map(|base| base.url),
                "{context}"
            );
            changed += usize::from(old.bytes != new.bytes);
        }
        // Idempotence: rewriting again changes nothing.
        let again = rewritten(&path, &output, RecordForm::Replaced, |entity| {
            Some(entity.rewrite(&support::recording()).bytes.into_owned())
        });
        assert!(again == output, "{}", path.display());
    }
    assert!(changed >= 2, "{changed}");
    support::print_line(&format!(
        "containers: {changed} documents were rewritten in place"
    ));
}

#[test]
fn read_recovers_entities_of_truncated_samples() {
    let settings = ArchiveSettings::new();
    let mut cuts = 0;
    for path in samples() {
        let source = fs::read(&path).expect("a sample");
        let (whole, errors) = read(&path, &source, &settings);
        // In an archive that is compressed as a whole, offsets do not show which documents precede the cut.
        let has_offsets = errors
            .iter()
            .all(|error| error.kind != NotCompressedByRecord);
        // Cuts after each of the first 50 bytes, then at equal distances.
        let ends = (0..200_usize).map(|part| match part {
            0..50 => part.min(source.len()),
            _ => source.len() * (part - 49) / 151,
        });
        for end in ends {
            let (entities, errors) = read(&path, &source[..end], &settings);
            let context = format!("{} cut at {end}", path.display());
            assert!(entities.len() <= whole.len() + 1, "{context}");
            for error in &errors {
                assert!(error.offset <= end as u64, "{context}: {error}");
            }
            let ends_in_time = |entity: &&Entity<'_>| has_offsets && entity.offset < end as u64;
            let readable = whole.iter().filter(ends_in_time).count().saturating_sub(1);
            assert!(
                entities.len() >= readable,
                "{context}: {} of {readable}",
                entities.len()
            );
            if is_warc(&path) {
                let kept = rewritten(&path, &source[..end], RecordForm::Replaced, |_| None);
                assert!(kept == source[..end], "{context}");
            }
            cuts += 1;
        }
    }
    support::print_line(&format!("containers: {cuts} cuts"));
}
