//! Reading in windows, or in parts, gives what reading at once gives.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{BailOut, Chunk, ChunkTokens, ScanState, Segments, read, read_chunk};
use crate::html::name_set::{AttributeRole, NameSet};
use crate::html::tokens::Tokens;
use crate::span::Span;

#[path = "../../../tests/support/pieces.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod pieces;

fn names() -> NameSet {
    let names = ["href", "src", "style", "content", "xlink:href", "viewbox"];
    let telling = ["rel", "codebase", "title"].map(|name| (name, AttributeRole::Condition));
    NameSet::new(
        names
            .map(|name| (name, AttributeRole::Link))
            .into_iter()
            .chain(telling),
    )
}

/// As [`read`], a window at a time: from where the one before was read up to, longer by as much as `lengths` says next.
fn read_in_windows<'t>(
    text: &'t str,
    names: &NameSet,
    lengths: &[usize],
) -> Result<Tokens<'t>, BailOut> {
    let mut whole = Tokens::default();
    let (mut start, mut until) = (0, 0);
    let mut state = ScanState::default();
    for length in lengths.iter().cycle() {
        until = text.len().min(until + length);
        while !text.is_char_boundary(until) {
            until += 1;
        }
        let window = Chunk {
            text: &text[start..until],
            is_last: until == text.len(),
        };
        let part = read_chunk(&window, state, names)?;
        add(&mut whole, part.tokens, start);
        if window.is_last {
            assert_eq!(start + part.end, text.len());
            break;
        }
        ChunkTokens { state, .. } = part;
        start += part.end;
    }
    Ok(whole)
}

/// As [`read`], part by part, each of `segment_tags` start tags or more.
fn read_in_parts<'t>(
    text: &'t str,
    names: &NameSet,
    segment_tags: usize,
) -> Result<Tokens<'t>, BailOut> {
    let mut whole = Tokens::default();
    let mut parts = Segments::new(text, names);
    parts.scanner.segment_tags = segment_tags;
    while parts.next()?.is_some() {
        let part = &mut parts.scanner.tokens;
        let rest = Tokens {
            declared_encoding: part.declared_encoding,
            head_start: part.head_start,
            ..Tokens::default()
        };
        whole.head_start = None;
        add(&mut whole, std::mem::replace(part, rest), 0);
    }
    Ok(whole)
}

/// Adds what was found in a window that begins at `start`.
fn add<'t>(whole: &mut Tokens<'t>, part: Tokens<'t>, start: usize) {
    let moved = |span: Span| Span::new(span.start + start, span.end + start);
    let first = whole.attributes.len();
    for mut tag in part.start_tags {
        tag.span = moved(tag.span);
        tag.attributes = Span::new(tag.attributes.start + first, tag.attributes.end + first);
        if let Some(text) = &mut tag.text {
            text.span = moved(text.span);
        }
        whole.start_tags.push(tag);
    }
    for mut attribute in part.attributes {
        attribute.span = moved(attribute.span);
        attribute.value = moved(attribute.value);
        attribute.repeats = attribute
            .repeats
            .spans()
            .iter()
            .copied()
            .map(moved)
            .collect();
        whole.attributes.push(attribute);
    }
    whole.base_elements.extend(part.base_elements);
    let comments = part.conditional_comments.into_iter().map(moved);
    whole.conditional_comments.extend(comments);
    whole.declared_encoding = part.declared_encoding;
    if let Some(head_start) = part.head_start {
        assert_eq!(whole.head_start, None);
        whole.head_start = Some(head_start + start);
    }
    whole.mismatches += part.mismatches;
    whole.tags += part.tags;
}

/// How many of the documents there are, and of how many of those that can be read fast that is not so in windows.
struct Count {
    documents: u32,
    bail_outs: u32,
}

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
        let whole = read(&text, &names);
        let in_parts = read_in_parts(&text, &names, 1 + lengths[0] % 5);
        prop_assert_eq!(format!("{in_parts:#?}"), format!("{whole:#?}"));
        match (whole, read_in_windows(&text, &names, &lengths)) {
            (Ok(whole), Ok(in_windows)) => {
                prop_assert_eq!(format!("{in_windows:#?}"), format!("{whole:#?}"));
            }
            (Ok(_), Err(BailOut::MisnestedForeignContent | BailOut::NullCharacter)) => {
                bail_outs.set(bail_outs.get() + 1);
            }
            // There may be several reasons.
            (Err(_), Err(_)) => {}
            (whole, in_windows) => panic!("{whole:?}, but in windows {in_windows:?}"),
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
fn windows_and_parts_of_any_length_give_what_the_whole_gives() {
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
fn what_does_not_end_in_a_window_is_read_again() {
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
        // Where there is no BODY, all of the text up to the next tag has to be known.
        ("a", 0),
        (" <head>&#", 7),
        ("<body>&#", 8),
    ] {
        let window = Chunk {
            text,
            is_last: false,
        };
        let part = read_chunk(&window, ScanState::default(), &names()).expect(text);
        assert_eq!(part.end, end, "{text}");
    }
}
