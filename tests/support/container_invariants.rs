//! Invariants of containers (HTTP responses, MIME messages, WARC archives), shared by the tests and the fuzz target.
//!
//! [`all`] accepts any bytes, so it also tests that nothing panics.

use absolve::{BaseCandidates, BaseSource, Profile};
use absolve_archive::container::ContainerError;
use absolve_archive::{
    ArchiveSettings, ChainStepKind, Container, ContainerLimit, Entity, RecordForm, WarcItem,
    rewrite_warc, warc_entities,
};

/// Settings whose limits are low enough for generated containers to exceed them.
fn settings() -> ArchiveSettings {
    ArchiveSettings::new()
        .retrieved_from("http://retrieval.example/a/b")
        .legacy_headers(true)
        .limit(ContainerLimit::DecodedSize, 1 << 16)
        .limit(ContainerLimit::RecordSize, 1 << 12)
}

/// Asserts every invariant of the bytes, read as an HTTP response, as a MIME message and as a WARC archive.
pub fn all(source: &[u8]) {
    for read in [http as Read, mime] {
        if let Ok(container) = read(source, &settings()) {
            container_round_trip(source, &container, read);
        }
    }
    archive_round_trip(source);
}

fn http<'c>(source: &'c [u8], settings: &ArchiveSettings) -> Result<Container<'c>, ContainerError> {
    Container::http(source, settings)
}

fn mime<'c>(source: &'c [u8], settings: &ArchiveSettings) -> Result<Container<'c>, ContainerError> {
    Container::mime(source, settings)
}

/// Function that reads one kind of container.
type Read = for<'c> fn(&'c [u8], &ArchiveSettings) -> Result<Container<'c>, ContainerError>;

/// Round trip: documents that are written into a container are the documents that are read from it.
///
/// In detail:
/// - offsets are in bounds;
/// - identity: without new documents, or with the documents it has, the container is written as it is;
/// - every rewritten document is read back, or is reported as refused and left unchanged;
/// - labels, URLs and encodings of the entities are unchanged.
fn container_round_trip(source: &[u8], container: &Container<'_>, read: Read) {
    let entities = container.entities();
    let length = source.len() as u64;
    assert!(
        container
            .errors()
            .iter()
            .all(|error| error.offset <= length)
    );
    assert!(entities.iter().all(|entity| entity.offset <= length));
    entities.iter().for_each(chain_ends_in_base);
    for count in [0, entities.len()] {
        let mut output = Vec::new();
        let mut writer = container.writer(&mut output);
        for (index, entity) in entities[..count].iter().enumerate() {
            assert_eq!(writer.put(index, &entity.bytes), Ok(false));
        }
        assert_eq!(writer.finish(), Ok(()));
        assert!(output == source);
    }
    let rewritten = container.rewrite(&crate::recording());
    let Ok(again) = read(&rewritten.bytes, &settings()) else {
        panic!("a container that is rewritten is one")
    };
    assert_eq!(again.entities().len(), entities.len());
    for (index, (old, new)) in entities.iter().zip(again.entities()).enumerate() {
        let is_refused = rewritten
            .refused
            .iter()
            .any(|refused| refused.entity == index);
        if is_refused {
            assert_eq!(old.bytes, new.bytes);
        } else {
            assert_eq!(old.rewrite(&crate::recording()).bytes, new.bytes);
        }
        assert_eq!(
            (&old.label, &old.url, &old.encoding),
            (&new.label, &new.url, &new.encoding)
        );
    }
}

/// Agreement: the last URL of an entity's chain is the base URL that its candidates establish.
///
/// A chain with omitted steps is not checked.
fn chain_ends_in_base(entity: &Entity<'_>) {
    let chain = entity.chain();
    if chain.iter().any(|step| step.kind == ChainStepKind::Omitted) {
        return;
    }
    let last = chain.iter().rev().find_map(|step| match step.kind {
        ChainStepKind::Redirect => Some(step.url.as_deref().unwrap_or_default()),
        _ => step.url.as_deref(),
    });
    let base_of = |candidates: BaseCandidates<'_>| {
        let base = candidates.establish(Profile::Rfc3986);
        base.map(|base| base.url)
    };
    let from_chain = BaseCandidates::new().with(BaseSource::Retrieval, last.unwrap_or_default());
    assert_eq!(base_of(entity.candidates()), base_of(from_chain));
}

/// Round trip: a WARC archive without new documents is copied byte for byte, or rejected with an error.
///
/// After rewriting, it contains as many documents as before, unless it is damaged: a skippable frame whose length is
/// damaged ends after the archive, and is passed as damage, until the records after it are longer.
///
/// Agreement: the number of threads changes neither the output nor the order of the documents and errors.
fn archive_round_trip(source: &[u8]) {
    let run = |threads, form, rewrite: &(dyn Fn(&Entity<'_>) -> Option<Vec<u8>> + Sync)| {
        let mut output = Vec::new();
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        let settings = settings().threads(threads);
        let result = rewrite_warc(source, &mut output, &settings, form, |step| match step {
            WarcItem::Document(entity) => {
                found.push(entity.label.clone());
                rewrite(entity)
            }
            WarcItem::Error(error) => {
                errors.push((found.len(), error));
                None
            }
            _ => None,
        });
        result.map(|records| (output, found, errors, records))
    };
    let entities = warc_entities(source, &settings()).flatten();
    let read = entities
        .inspect(|entity| chain_ends_in_base(entity))
        .count();
    if let Ok((output, found, ..)) = run(1, RecordForm::Replaced, &|_| None) {
        assert!(output == source);
        assert_eq!(found.len(), read);
    }
    let rewriter = crate::recording();
    let rewrite = |entity: &Entity<'_>| Some(entity.rewrite(&rewriter).bytes.into_owned());
    let rewritten = run(1, RecordForm::Replaced, &rewrite);
    if let Ok((output, found, errors, _)) = &rewritten {
        let after = warc_entities(&output[..], &settings()).flatten().count();
        let is_damaged = !errors.is_empty();
        assert!(found.len() == after || is_damaged, "{found:?}, {after}");
    }
    assert!(rewritten == run(3, RecordForm::Replaced, &rewrite));
    let converted = run(1, RecordForm::Conversion, &rewrite);
    assert!(converted == run(3, RecordForm::Conversion, &rewrite));
}
