//! Generators of documents that are hard to scan without a tree, and of mutated real pages.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::select;

/// Fragments of markup from which documents are generated.
pub type Pieces = LazyLock<Vec<Vec<u8>>>;

/// Includes the pieces of a file in the format of fuzzing dictionaries.
macro_rules! pieces {
    ($path:literal) => {
        LazyLock::new(|| words(include_str!($path)))
    };
}

/// Content before, in and after HEAD.
pub static HEAD: Pieces = pieces!("../../fixtures/pieces/head.dict");

/// SVG and MathML, and tags that end them or seem to.
pub static FOREIGN: Pieces = pieces!("../../fixtures/pieces/foreign.dict");

/// Elements with raw text, and near misses of their end tags.
pub static RAW_TEXT: Pieces = pieces!("../../fixtures/pieces/raw-text.dict");

/// Incomplete tags, comments of every form, and bogus comments.
pub static MARKUP: Pieces = pieces!("../../fixtures/pieces/markup.dict");

/// Content of BODY that the tree builder treats specially, but that must not affect the fast reader.
pub static BODY: Pieces = pieces!("../../fixtures/pieces/body.dict");

/// Parts of references, and values with several references.
pub static VALUES: Pieces = pieces!("../../fixtures/pieces/values.dict");

/// Escape sequences, byte order marks, lead bytes and other bytes that are special in an encoding.
static BYTES: Pieces = pieces!("../../fixtures/pieces/bytes.dict");

/// Dictionary of the fuzz targets.
static WORDS: Pieces = pieces!("../../fuzz/html.dict");

/// Generates mostly `pieces`, and some of other kinds between them.
fn piece(pieces: &'static Pieces) -> impl Strategy<Value = Vec<u8>> {
    let select = |pieces: &'static Pieces| select(&pieces[..]);
    prop_oneof![
        24 => select(pieces),
        3 => select(&MARKUP),
        1 => select(&BODY),
        1 => select(&BYTES),
    ]
}

/// Generates documents of fewer than `length` pieces, most of them from `pieces`.
pub fn documents(pieces: &'static Pieces, length: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(pieces), 0..length).prop_map(|pieces| pieces.concat())
}

/// Generates documents of fewer than `length` pieces of any kind.
pub fn mixed_documents(length: usize) -> impl Strategy<Value = Vec<u8>> {
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

/// A way to declare the encoding of a document.
#[derive(Debug, Clone, Copy)]
pub enum Encoded {
    /// No declaration, unless the document happens to contain one.
    AsItIs,
    /// The transport declares it.
    ByTransport(&'static str),
    /// A `meta` at the beginning of the document declares it.
    ByMeta(&'static str),
    /// The document is converted to UTF-16LE with a byte order mark.
    InUtf16,
}

/// Generates ASCII-compatible encodings and others.
pub fn encodings() -> impl Strategy<Value = Encoded> {
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
    /// Returns the document with the declaration, and the encoding that the transport declares.
    pub fn apply(self, document: Vec<u8>) -> (Vec<u8>, Option<&'static str>) {
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

/// A change of a page.
///
/// Positions are thousandths of the length of the page; lengths are in bytes.
#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize, usize),
    Repeat(usize, usize, usize),
    Swap(usize, usize),
    Insert(usize, Vec<u8>),
    /// Replaces the next tag.
    Replace(usize, Vec<u8>),
    Truncate(usize),
}

/// Generates parts of real pages, each with up to five mutations.
pub fn mutated(pages: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    const MAX_LEN: usize = 3_000;
    let pos = 0..1000_usize;
    let length = 1..60_usize;
    let word = prop_oneof![
        1 => select(&WORDS[..]),
        2 => prop_oneof![piece(&HEAD), piece(&FOREIGN), piece(&RAW_TEXT), piece(&MARKUP), piece(&BODY)],
    ]
    .boxed();
    let mutation = prop_oneof![
        1 => (pos.clone(), length.clone()).prop_map(|(pos, length)| Mutation::Delete(pos, length)),
        1 => (pos.clone(), length, pos.clone())
            .prop_map(|(from, length, to)| Mutation::Repeat(from, length, to)),
        1 => (pos.clone(), pos.clone()).prop_map(|(a, b)| Mutation::Swap(a, b)),
        3 => (pos.clone(), word.clone()).prop_map(|(pos, word)| Mutation::Insert(pos, word)),
        3 => (pos.clone(), word).prop_map(|(pos, word)| Mutation::Replace(pos, word)),
        1 => pos.clone().prop_map(Mutation::Truncate),
    ];
    let part = prop_oneof![Just(0), pos];
    (
        0..pages.len(),
        part,
        1..MAX_LEN,
        prop::collection::vec(mutation, 0..6),
    )
        .prop_map(move |(page, part, length, mutations)| {
            let page = &pages[page];
            let start = page.len() * part / 1000;
            let end = page.len().min(start + length);
            mutations
                .iter()
                .fold(page[start..end].to_vec(), |page, mutation| {
                    mutation.apply(&page)
                })
        })
}

impl Mutation {
    fn apply(&self, page: &[u8]) -> Vec<u8> {
        let offset = |pos: usize| page.len() * pos / 1000;
        let part = |pos, length: usize| &page[offset(pos)..page.len().min(offset(pos) + length)];
        let replace = |pos: usize, length: usize, word: &[u8]| {
            let end = page.len().min(offset(pos) + length);
            [&page[..offset(pos)], word, &page[end..]].concat()
        };
        match self {
            Self::Delete(pos, length) => replace(*pos, *length, &[]),
            Self::Repeat(from, length, to) => replace(*to, 0, part(*from, *length)),
            Self::Swap(a, b) => {
                let (a, b) = (offset(*a.min(b)), offset(*a.max(b)));
                [&page[a..b], &page[..a], &page[b..]].concat()
            }
            Self::Insert(pos, word) => replace(*pos, 0, word),
            Self::Replace(pos, word) => {
                let rest = &page[offset(*pos)..];
                let start = rest.iter().position(|&byte| byte == b'<');
                let start = offset(*pos) + start.unwrap_or_default();
                let length = page[start..].iter().position(|&byte| byte == b'>');
                let end = page.len().min(start + length.unwrap_or_default() + 1);
                [&page[..start], word, &page[end..]].concat()
            }
            Self::Truncate(pos) => page[..offset(*pos)].to_vec(),
        }
    }
}

/// Returns the words of a fuzzing dictionary, with `\x` escapes decoded.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let words: Vec<Vec<u8>> = dictionary
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'))
        .map(unescape)
        .collect();
    assert!(words.len() > 30, "{} words", words.len());
    words
}

fn unescape(word: &str) -> Vec<u8> {
    let mut parts = word.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
