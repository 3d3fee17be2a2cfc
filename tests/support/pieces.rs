//! Generated documents that are hard to read without a tree, and real pages with something done to them.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of documents.
pub(crate) type Pieces = LazyLock<Vec<Vec<u8>>>;

/// The pieces in a file in the form of the fuzzers' dictionaries.
macro_rules! pieces {
    ($path:literal) => {
        LazyLock::new(|| words(include_str!($path)))
    };
}

/// What may stand before, in and behind HEAD.
pub(crate) static HEAD: Pieces = pieces!("../../fixtures/pieces/head.dict");

/// SVG and MathML, and what ends them or not.
pub(crate) static FOREIGN: Pieces = pieces!("../../fixtures/pieces/foreign.dict");

/// Text without markup, and what nearly ends it.
pub(crate) static RAW_TEXT: Pieces = pieces!("../../fixtures/pieces/raw-text.dict");

/// Tags in pieces, comments of all shapes, and what is neither.
pub(crate) static MARKUP: Pieces = pieces!("../../fixtures/pieces/markup.dict");

/// What the tree builder minds in BODY and the fast reader must not.
pub(crate) static BODY: Pieces = pieces!("../../fixtures/pieces/body.dict");

/// What references are made of, and values with several.
pub(crate) static VALUES: Pieces = pieces!("../../fixtures/pieces/values.dict");

/// Escape sequences, marks, lead bytes and other bytes of encodings.
static BYTES: Pieces = pieces!("../../fixtures/pieces/bytes.dict");

/// The words of the fuzz targets.
static WORDS: Pieces = pieces!("../../fuzz/html.dict");

fn piece(own: &'static Pieces) -> impl Strategy<Value = Vec<u8>> {
    let select = |pieces: &'static Pieces| select(&pieces[..]);
    prop_oneof![
        24 => select(own),
        3 => select(&MARKUP),
        1 => select(&BODY),
        1 => select(&BYTES),
    ]
}

/// Documents of up to that many pieces, most of them of one kind.
pub(crate) fn documents(own: &'static Pieces, length: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(own), 0..length).prop_map(|pieces| pieces.concat())
}

/// Documents of up to that many pieces of any kind.
pub(crate) fn mixed_documents(length: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => piece(&HEAD),
        2 => piece(&FOREIGN),
        2 => piece(&RAW_TEXT),
        3 => piece(&MARKUP),
        3 => piece(&BODY),
        1 => select(&BYTES[..]),
    ];
    prop::collection::vec(piece, 0..length).prop_map(|pieces| pieces.concat())
}

/// How a document tells its encoding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoded {
    /// Not at all, unless it happens to.
    AsItIs,
    /// The transport does.
    ByTransport(&'static str),
    /// A `meta` at its beginning does.
    ByMeta(&'static str),
    /// Its byte order mark does, and it is written that way.
    InUtf16,
}

/// Encodings that ASCII is a part of, and others.
pub(crate) fn encodings() -> impl Strategy<Value = Encoded> {
    const LABELS: &[&str] = &[
        "windows-1251",
        "windows-1252",
        "shift_jis",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "euc-jp",
        "iso-2022-jp",
        "utf-8",
        "utf-16le",
        "x-user-defined",
        "hz",
    ];
    prop_oneof![
        6 => Just(Encoded::AsItIs),
        3 => select(LABELS).prop_map(Encoded::ByTransport),
        1 => select(LABELS).prop_map(Encoded::ByMeta),
        1 => Just(Encoded::InUtf16),
    ]
}

impl Encoded {
    /// The document that tells it, and what the transport says.
    pub(crate) fn apply(self, document: Vec<u8>) -> (Vec<u8>, Option<&'static str>) {
        match self {
            Self::AsItIs => (document, None),
            Self::ByTransport(label) => (document, Some(label)),
            Self::ByMeta(label) => {
                let meta = format!("<meta charset={label}>");
                ([meta.as_bytes(), &document].concat(), None)
            }
            Self::InUtf16 => {
                let text = String::from_utf8_lossy(&document);
                let units = std::iter::once(0xfeff).chain(text.encode_utf16());
                (units.flat_map(u16::to_le_bytes).collect(), None)
            }
        }
    }
}

/// What is done to a page; places and lengths are of a thousand of its length.
#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize, usize),
    Repeat(usize, usize, usize),
    Swap(usize, usize),
    Insert(usize, Vec<u8>),
    /// In the place of the next tag.
    Replace(usize, Vec<u8>),
    CutOff(usize),
}

/// Parts of real pages with a few things done to them.
pub(crate) fn mutated(pages: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    const LONGEST: usize = 3_000;
    let place = 0..1000_usize;
    let length = 1..60_usize;
    let word = prop_oneof![
        1 => select(&WORDS[..]),
        2 => prop_oneof![piece(&HEAD), piece(&FOREIGN), piece(&RAW_TEXT), piece(&MARKUP), piece(&BODY)],
    ]
    .boxed();
    let mutation = prop_oneof![
        1 => (place.clone(), length.clone()).prop_map(|(at, length)| Mutation::Delete(at, length)),
        1 => (place.clone(), length, place.clone())
            .prop_map(|(at, length, to)| Mutation::Repeat(at, length, to)),
        1 => (place.clone(), place.clone()).prop_map(|(one, other)| Mutation::Swap(one, other)),
        3 => (place.clone(), word.clone()).prop_map(|(at, word)| Mutation::Insert(at, word)),
        3 => (place.clone(), word).prop_map(|(at, word)| Mutation::Replace(at, word)),
        1 => place.clone().prop_map(Mutation::CutOff),
    ];
    let part = prop_oneof![Just(0), place];
    (
        0..pages.len(),
        part,
        1..LONGEST,
        prop::collection::vec(mutation, 0..6),
    )
        .prop_map(move |(page, part, length, mutations)| {
            let page = &pages[page];
            let start = page.len() * part / 1000;
            let end = page.len().min(start + length);
            mutations
                .iter()
                .fold(page[start..end].to_vec(), |page, one| one.apply(&page))
        })
}

impl Mutation {
    fn apply(&self, page: &[u8]) -> Vec<u8> {
        let at = |place: usize| page.len() * place / 1000;
        let part = |place, length: usize| &page[at(place)..page.len().min(at(place) + length)];
        let insert = |place: usize, length: usize, word: &[u8]| {
            let end = page.len().min(at(place) + length);
            [&page[..at(place)], word, &page[end..]].concat()
        };
        match self {
            Self::Delete(place, length) => insert(*place, *length, &[]),
            Self::Repeat(from, length, to) => insert(*to, 0, part(*from, *length)),
            Self::Swap(one, other) => {
                let (one, other) = (at(*one.min(other)), at(*one.max(other)));
                [&page[one..other], &page[..one], &page[other..]].concat()
            }
            Self::Insert(place, word) => insert(*place, 0, word),
            Self::Replace(place, word) => {
                let rest = &page[at(*place)..];
                let start = rest.iter().position(|&byte| byte == b'<');
                let start = at(*place) + start.unwrap_or_default();
                let length = page[start..].iter().position(|&byte| byte == b'>');
                let end = page.len().min(start + length.unwrap_or_default() + 1);
                [&page[..start], word, &page[end..]].concat()
            }
            Self::CutOff(place) => page[..at(*place)].to_vec(),
        }
    }
}

/// The words of a dictionary of the fuzzers, with their `\x` escapes read.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let words: Vec<Vec<u8>> = dictionary
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'))
        .map(unescaped)
        .collect();
    assert!(words.len() > 30, "{} words", words.len());
    words
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut parts = word.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
