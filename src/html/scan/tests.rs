//! Reading a document in chunks or segments gives the same tokens as reading it at once.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{BailOut, ScanState, Segments, read, read_chunk};
use crate::html::tap;
use crate::limits::Placement;
use crate::markup::name_set::{AttributeRole, NameSet};
use crate::markup::tokens::{Chunk, ChunkTokens, DuplicateAttributes, Tokens};
use crate::span::Span;
use support::pieces;

fn names() -> NameSet {
    let names = ["href", "src", "style", "content", "xlink:href", "viewbox"];
    let conditions = ["rel", "codebase", "title"].map(|name| (name, AttributeRole::Condition));
    NameSet::new(
        names
            .map(|name| (name, AttributeRole::Link))
            .into_iter()
            .chain(conditions),
    )
}

/// Reads `text` in chunks. Each begins at the end of what was read before, and `lengths`, in a cycle, determines by how
/// much its end advances.
fn read_in_chunks<'t>(
    text: &'t str,
    names: &NameSet,
    lengths: &[usize],
) -> Result<Tokens<'t>, BailOut> {
    let mut whole = Tokens::default();
    let (mut start, mut end) = (0, 0);
    let mut state = ScanState::default();
    for length in lengths.iter().cycle() {
        end = text.len().min(end + length);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let chunk = Chunk {
            text: &text[start..end],
            is_last: end == text.len(),
        };
        let read = read_chunk(&chunk, state, names)?;
        append(&mut whole, read.tokens, start);
        if chunk.is_last {
            assert_eq!(start + read.end, text.len());
            break;
        }
        ChunkTokens { state, .. } = read;
        start += read.end;
    }
    Ok(whole)
}

/// Reads `text` in segments of `segment_tags` start tags.
fn read_in_segments<'t>(
    text: &'t str,
    names: &NameSet,
    segment_tags: usize,
) -> Result<Tokens<'t>, BailOut> {
    let mut whole = Tokens::default();
    let mut segments = Segments::new(text, names);
    segments.scanner.segment_tags = segment_tags;
    while segments.next_segment()?.is_some() {
        let tokens = &mut segments.scanner.tokens;
        // These two are those of the document up to here, and must be left in place.
        let kept = Tokens {
            declared_encoding: tokens.declared_encoding,
            head_start: tokens.head_start,
            ..Tokens::default()
        };
        whole.head_start = None;
        append(&mut whole, std::mem::replace(tokens, kept), 0);
    }
    Ok(whole)
}

/// Appends the tokens of a chunk that begins at `start`.
fn append<'t>(whole: &mut Tokens<'t>, tokens: Tokens<'t>, start: usize) {
    let shift = |span: Span| Span::new(span.start + start, span.end + start);
    let first = whole.attributes.len();
    for mut tag in tokens.start_tags {
        tag.span = shift(tag.span);
        tag.attributes = Span::new(tag.attributes.start + first, tag.attributes.end + first);
        if let Some(text) = &mut tag.text {
            text.span = shift(text.span);
        }
        whole.start_tags.push(tag);
    }
    for mut attribute in tokens.attributes {
        attribute.span = shift(attribute.span);
        attribute.value = shift(attribute.value);
        let mut duplicates = DuplicateAttributes::default();
        for span in attribute.duplicates.spans() {
            duplicates.push(shift(*span));
        }
        attribute.duplicates = duplicates;
        whole.attributes.push(attribute);
    }
    whole.base_elements.extend(tokens.base_elements);
    let comments = tokens.conditional_comments.into_iter().map(shift);
    whole.conditional_comments.extend(comments);
    let noscript_texts = tokens.noscript_texts.into_iter().map(shift);
    whole.noscript_texts.extend(noscript_texts);
    whole.declared_encoding = tokens.declared_encoding;
    if let Some(head_start) = tokens.head_start {
        assert_eq!(whole.head_start, None);
        whole.head_start = Some(head_start + start);
    }
    whole.mismatches += tokens.mismatches;
    whole.tags += tokens.tags;
}

/// Numbers from a run of [`agree_on`].
struct Count {
    /// Number of documents.
    documents: u32,
    /// Number of documents that can be read at once, but not in chunks.
    bail_outs: u32,
}

/// Checks that reading `documents` at once, in segments and in chunks gives the same tokens, or a bail-out.
fn agree_on(documents: impl Strategy<Value = Vec<u8>>) -> Count {
    let config = Config {
        cases: 4_000,
        failure_persistence: None,
        ..Config::default()
    };
    let names = names();
    let lengths = prop_oneof![
        Just(vec![1]),
        prop::collection::vec(0..9_usize, 4).prop_map(|mut lengths| {
            lengths.push(1);
            lengths
        }),
        prop::collection::vec(1..4096_usize, 4),
    ];
    let bail_outs = std::cell::Cell::new(0);
    let result = TestRunner::new(config.clone()).run(&(documents, lengths), |(bytes, lengths)| {
        let text = String::from_utf8_lossy(&bytes);
        let whole = read(&text, &names, usize::MAX);
        let in_segments = read_in_segments(&text, &names, 1 + lengths[0] % 5);
        let is_late_base = matches!(in_segments, Err(BailOut::BaseAfterHead));
        if !is_late_base {
            prop_assert_eq!(format!("{in_segments:#?}"), format!("{whole:#?}"));
        }
        if let Ok(whole) = &whole {
            let mut limits = tap::WorkLimits::of_length(text.len(), Placement::Outermost);
            let reference =
                tap::read(&text, &names, &mut limits).map(|tokens| tokens.declared_encoding);
            prop_assert_eq!(Ok(whole.declared_encoding), reference);
        }
        match (whole, read_in_chunks(&text, &names, &lengths)) {
            (Ok(whole), Ok(in_chunks)) => {
                prop_assert_eq!(format!("{in_chunks:#?}"), format!("{whole:#?}"));
            }
            // The only reasons that apply to chunks alone.
            (Ok(_), Err(BailOut::MisnestedForeignContent | BailOut::NullCharacter)) => {
                bail_outs.set(bail_outs.get() + 1);
            }
            // The reasons may differ if a document has several.
            (Err(_), Err(_)) | (Ok(_), Err(BailOut::BaseAfterHead)) => {}
            (whole, in_chunks) => panic!("{whole:?}, but in chunks {in_chunks:?}"),
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    Count {
        documents: config.cases,
        bail_outs: bail_outs.get(),
    }
}

#[test]
fn read_equals_chunks_and_segments_of_any_length() {
    for kind in [
        &pieces::HEAD,
        &pieces::FOREIGN,
        &pieces::RAW_TEXT,
        &pieces::MARKUP,
        &pieces::BODY,
    ] {
        let Count {
            documents,
            bail_outs,
        } = agree_on(pieces::documents(kind, 14));
        assert!(bail_outs < documents / 10, "{bail_outs} of {documents}");
    }
    agree_on(pieces::mixed_documents(40));
}

#[test]
fn read_chunk_stops_before_unfinished_markup() {
    for (text, end) in [
        ("a<", 1),
        ("a<b", 1),
        ("a<b href='", 1),
        ("a</", 1),
        ("a</b", 1),
        ("a<!", 1),
        ("a<!--b", 1),
        ("a<script>b</script", 1),
        ("a<title>b</title", 1),
        ("a<plaintext><b>", 1),
        ("a<svg><style>b", 6),
        ("a<svg><style>b</style", 6),
        ("a<svg><style>b</style c='>", 6),
        ("a<svg><style>b</style>", 22),
        // Before BODY, text is left to the next chunk, because it may continue there.
        ("a", 0),
        (" <head>&#", 7),
        ("<body>&#", 8),
    ] {
        let chunk = Chunk {
            text,
            is_last: false,
        };
        let read = read_chunk(&chunk, ScanState::default(), &names()).expect(text);
        assert_eq!(read.end, end, "{text}");
    }
}

#[test]
fn read_records_the_duplicates_of_tags_with_very_many_attributes() {
    let names = NameSet::all();
    for count in [63, 64, 65, 300] {
        let attributes: Vec<_> = (0..count).map(|name| format!("a{name}")).collect();
        let attributes = attributes.join(" ");
        // The second tag has attributes of the same names.
        let tag = format!("<b {attributes} {attributes} A0>");
        let text = format!("{tag}{tag}");
        let tokens = read(&text, &names, usize::MAX).expect("no bail-out");
        for tag in &tokens.start_tags {
            let duplicates: Vec<_> = tokens
                .attributes(tag)
                .iter()
                .map(|attribute| attribute.duplicates.spans().len())
                .collect();
            let mut expected = vec![1; count];
            expected[0] = 2;
            assert_eq!(duplicates, expected);
        }
    }
}
