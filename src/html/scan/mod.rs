//! The scanner, or fast reader: reads the tags of a document from its bytes, without a tree.
//!
//! # Problem
//!
//! In general, HTML cannot be tokenized without a tree builder. The tree builder switches the tokenizer to raw text,
//! allows CDATA sections in SVG and MathML only, and drops or moves elements. Each of these may depend on elements
//! opened arbitrarily far before. The reference reader ([`super::tap`]) therefore runs html5ever, which builds a tree
//! only to read a few attributes. In most documents, however, the tree makes no difference to the result.
//!
//! # Tags, not elements
//!
//! The result is a list of start tags as the tokenizer emits them, not a list of elements. [`super::tap`] also records
//! a tag that the tree builder ignores, or whose element it inserts somewhere else: the `a` of `<frameset><a href=x>`
//! creates no element, and both readers record it. So the scanner need not know what becomes of a tag, unless that
//! changes one of these:
//!
//! - the tokenizer's mode after the tag: the content of a STYLE is markup if the tag is ignored, and CDATA sections
//!   exist in SVG and MathML only;
//! - HEAD: where it begins, and which BASE elements are in it;
//! - the name or namespace of a recorded element, which determine its links: an IMAGE becomes an `img`;
//! - the text of a recorded STYLE, which is not a single span if there is markup in it, as SVG allows.
//!
//! # Approach
//!
//! The scanner searches for the next `<`, reads one piece of markup as the standard's tokenizer does, and repeats. A
//! *piece of markup* is a tag, comment, DOCTYPE or CDATA section; the start tag of an HTML element with raw text forms
//! one piece with the text and the end tag. The text of a NOSCRIPT is raw, and then read as a fragment of its own
//! ([`Scanner::noscript`]).
//!
//! The scanner records a start tag if one of its attributes may be a link, according to a [`NameSet`]. It records the
//! start tags of a few elements whatever their attributes are ([`read`]). It tracks only the facts about the tree that
//! follow from the tokens:
//!
//! - which elements have raw text ([`element`], [`raw_text`]);
//! - the insertion modes from "initial" to "in body", and so where HEAD begins and ends ([`phase`]);
//! - the open elements of SVG and MathML, as long as they are well nested ([`foreign`]);
//! - whether there was a FRAMESET or a TEMPLATE, after which some tags may be ignored.
//!
//! The stack of HTML elements is not tracked. In BODY, tags that affect none of these facts take a vectorized path
//! ([`body`]); all other markup takes the general path ([`any_tag`], [`markup_declaration`]).
//!
//! # Bail-outs
//!
//! The scanner does not guess where the result may depend on more of the tree. It stops with a [`BailOut`], which lists
//! every such case. The caller then discards the tokens. It reads the whole text with html5ever, or, if the text is a
//! skeleton or a chunk, starts over with the whole document. The test for such a case may be too strict, which costs
//! time, but never too lax.
//!
//! # Segments and chunks
//!
//! The tracked facts fit in a [`ScanState`], so that a document can be read in parts. [`Segments`] needs all of the
//! text, and yields the tokens of a limited number of tags at a time, so that memory does not grow with the number of
//! links. [`read_chunk`], for streams, needs only a part of the text. It returns the state in which the next [`Chunk`]
//! must be read.
//!
//! A chunk may end within a piece of markup. Unless the chunk is the last one, a [`Checkpoint`] is taken before each
//! piece that the general path reads. If the piece does not end in the chunk, the scanner rolls back to the
//! checkpoint, and the next chunk has to begin with that piece.
//!
//! # Invariants
//!
//! - Equivalence: for every document the result is that of html5ever, without the tags and attributes that the
//!   `NameSet` rules out, or it is a bail-out.
//! - Segments and chunks of any length give the tokens that one call of [`read`] gives. They bail out more often: the
//!   base URL must be known before the first link is resolved, so they have no BASE after HEAD.
//!
//! # Cost
//!
//! Linear time, and memory for the tokens of the current segment or chunk, and for the open SVG and MathML elements.

mod any_tag;
mod attributes;
mod bail_out;
mod body;
mod element;
pub(in crate::html) mod foreign;
pub(crate) mod markup_declaration;
mod phase;
pub(crate) mod raw_text;
mod structural_index;
mod tag_searches;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use encoding_rs::Encoding;
use memchr::memchr;

pub use bail_out::BailOut;

use super::charref;
use crate::find::memchr_near;
use crate::markup::name_set::NameSet;
use crate::markup::tokens::{BaseElement, Chunk, ChunkTokens, Tokens};
use crate::span::Span;
use foreign::ForeignElements;
use phase::Phase;
use tag_searches::TagSearches;

/// Reads `text` as a document.
///
/// The tokens contain every start tag with an attribute that is a link according to `names`, and all of its attributes
/// in `names`. They also contain every start tag of the HTML elements
/// SCRIPT, STYLE, NOSCRIPT and BASE and of the SVG element STYLE, and all attributes of a BASE.
///
/// # Source
/// HTML, "parsing HTML documents", scripting on. The text of a NOSCRIPT is read as a fragment, scripting off.
///
/// # Errors
/// The reason, if the document cannot be read without a tree.
///
/// # Complexity
/// Linear in the length of `text`. Allocates for the tokens only, which have about `max_kept` attributes at most.
pub(crate) fn read<'t>(
    text: &'t str,
    names: &NameSet,
    max_kept: usize,
) -> Result<Tokens<'t>, BailOut> {
    let chunk = Chunk {
        text,
        is_last: true,
    };
    let mut scanner = Scanner::new(&chunk, ScanState::default(), names);
    scanner.unit = ScanUnit::Document;
    scanner.max_kept = max_kept;
    scanner.scan(0)?;
    scanner.finish()?;
    Ok(scanner.tokens)
}

/// Reads `text` as the text of a NOSCRIPT element; otherwise like [`read`]. No BASE in it takes effect.
///
/// # Source
/// HTML, "parsing HTML fragments", scripting off, the context element a DIV.
///
/// # Errors
/// Those of [`read`].
pub(crate) fn read_noscript<'t>(text: &'t str, names: &NameSet) -> Result<Tokens<'t>, BailOut> {
    let chunk = Chunk {
        text,
        is_last: true,
    };
    let mut scanner = Scanner::new(&chunk, ScanState::in_body(), names);
    scanner.unit = ScanUnit::Noscript;
    scanner.tokens.noscript_texts.push(Span::new(0, text.len()));
    scanner.scan(0)?;
    Ok(scanner.tokens)
}

/// A document that is read one segment after the other, so that the tokens of all of it need not be kept.
pub(crate) struct Segments<'t, 'n> {
    scanner: Scanner<'t, 'n>,
    /// The end of the current segment.
    end: usize,
    is_over: bool,
}

impl<'t, 'n> Segments<'t, 'n> {
    /// Returns the segments of `text`, which is read as by [`read`], but without BASE elements after HEAD.
    pub(crate) fn new(text: &'t str, names: &'n NameSet) -> Self {
        Self::of_unit(ScanUnit::Part, text, names)
    }

    /// Returns the segments of `text`, which is read as by [`read`], and which may have BASE elements after HEAD: the
    /// caller knows them already.
    pub(crate) fn with_known_bases(text: &'t str, names: &'n NameSet) -> Self {
        Self::of_unit(ScanUnit::Document, text, names)
    }

    fn of_unit(unit: ScanUnit, text: &'t str, names: &'n NameSet) -> Self {
        let chunk = Chunk {
            text,
            is_last: true,
        };
        let mut scanner = Scanner::new(&chunk, ScanState::default(), names);
        scanner.segment_tags = SEGMENT_TAGS;
        scanner.unit = unit;
        Self {
            scanner,
            end: 0,
            is_over: false,
        }
    }

    /// Returns the tokens of the next segment, or `None` after the last one.
    ///
    /// The first segment contains all of HEAD. Spans are bytes of the whole text; `declared_encoding` and
    /// `head_start` are those of the document up to the end of the segment.
    ///
    /// # Errors
    /// The reason, if the document cannot be read without a tree. The caller must then discard all earlier segments.
    ///
    /// # Complexity
    /// Linear in the length of the text, over all segments together.
    pub(crate) fn next_segment(&mut self) -> Result<Option<&Tokens<'t>>, BailOut> {
        if self.is_over {
            return Ok(None);
        }
        self.scanner.tokens.clear();
        self.end = self.scanner.scan(self.end)?;
        self.is_over = self.end == self.scanner.bytes.len();
        if self.is_over {
            self.scanner.finish()?;
        }
        Ok(Some(&self.scanner.tokens))
    }
}

/// HEAD of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// The offset after its start tag, or of the token that implies it.
    pub(crate) start: usize,
    /// The offset of its end tag, or of the token that implies it; `None` if there is a TEMPLATE in it.
    pub(crate) end: Option<usize>,
    /// An offset from which on all is in BODY or after it; `None` if there is no BODY, or if a TEMPLATE precedes it.
    pub(crate) body: Option<usize>,
}

/// Returns HEAD of `text`, a document. Returns `None` if it is not known without a tree.
///
/// # Complexity
/// Linear.
pub(crate) fn head(text: &str) -> Option<Head> {
    let names = NameSet::default();
    let mut segments = Segments::new(text, &names);
    segments.scanner.segment_tags = 0;
    segments.next_segment().ok()?;
    let body = segments.end;
    let Scanner { tokens, state, .. } = segments.scanner;
    let end = state.head_end.unwrap_or(text.len());
    let end = (!state.has_template_in_head()).then_some(end);
    Some(Head {
        start: tokens.head_start?,
        end,
        body: Some(body).filter(|_| end.is_some() && state.is_after_head()),
    })
}

/// Returns the BASE elements of `text` that have an `href`, in tree order.
///
/// # Errors
/// Those of [`read`] with the same `names`. [`BailOut::ManyTags`] applies to each segment, and to the BASE elements.
///
/// # Complexity
/// Linear in the length of `text`. Memory does not grow with it.
pub(crate) fn base_elements(text: &str, names: &NameSet) -> Result<Vec<BaseElement>, BailOut> {
    let mut segments = Segments::with_known_bases(text, names);
    let mut elements = Vec::new();
    while let Some(tokens) = segments.next_segment()? {
        elements.extend_from_slice(&tokens.base_elements);
        if elements.len() > MANY_BASES {
            return Err(BailOut::ManyTags);
        }
    }
    Ok(elements)
}

/// Number of recorded start tags after which a segment ends, once HEAD is over.
///
/// The first segment has more if HEAD has more. The last one may have fewer.
const SEGMENT_TAGS: usize = 128;

/// Number of kept attributes of one segment from which the scanner bails out.
const MANY_KEPT: usize = 1 << 16;

/// Number of BASE elements from which the scanner bails out.
const MANY_BASES: usize = 1 << 10;

/// Number of bytes from which memory for tokens is reserved.
const SHORT_TEXT: usize = 1 << 12;

/// The position of the first TEMPLATE element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Template {
    /// There was no TEMPLATE.
    #[default]
    None,
    /// In BODY.
    InBody,
    /// Before BODY. HEAD may continue after it.
    InHead,
}

/// The facts about the text read so far that the rest of the document depends on.
#[derive(Debug, Default)]
pub(crate) struct ScanState {
    phase: Phase,
    /// The end of HEAD, for [`head`].
    head_end: Option<usize>,
    foreign: ForeignElements,
    has_frameset: bool,
    /// Whether there was a BASE with an `href` in BODY.
    has_base_in_body: bool,
    template: Template,
    declared_encoding: Option<&'static Encoding>,
    searches: TagSearches,
}

impl ScanState {
    /// Returns the state at the beginning of a fragment in BODY.
    fn in_body() -> Self {
        Self {
            phase: Phase::Body,
            ..Self::default()
        }
    }

    /// Returns whether HEAD is over. A TEMPLATE in HEAD counts as the beginning of BODY.
    pub(crate) fn is_after_head(&self) -> bool {
        self.phase == Phase::Body
    }

    /// Returns whether there was a TEMPLATE before BODY.
    pub(crate) fn has_template_in_head(&self) -> bool {
        self.template == Template::InHead
    }
}

/// Reads a chunk of a document in the state that the chunk before it ended in; otherwise like [`read`].
///
/// # Errors
/// The reason, if the document cannot be read without a tree. [`read`] may succeed nevertheless, because it can search
/// all of the text.
pub(crate) fn read_chunk<'t>(
    chunk: &Chunk<'t>,
    state: ScanState,
    names: &NameSet,
) -> Result<ChunkTokens<'t, ScanState>, BailOut> {
    let mut scanner = Scanner::new(chunk, state, names);
    let end = scanner.scan(0)?;
    scanner.finish()?;
    let Scanner {
        tokens, mut state, ..
    } = scanner;
    state.declared_encoding = tokens.declared_encoding;
    state.searches.has_earlier_text |= end > 0;
    Ok(ChunkTokens { tokens, end, state })
}

/// Unit of text that tokens are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanUnit {
    /// A document whose BASE elements may be anywhere, because they are found before any link is resolved.
    Document,
    /// A segment or chunk of a document, whose links are resolved before the rest is read.
    Part,
    /// The text of a NOSCRIPT element. No BASE, META or FRAMESET in it takes effect.
    Noscript,
}

/// The state of the scanner while it reads one chunk, or a whole document.
struct Scanner<'t, 'n> {
    text: &'t str,
    bytes: &'t [u8],
    /// Whether the document ends with the text.
    is_last: bool,
    unit: ScanUnit,
    names: &'n NameSet,
    tokens: Tokens<'t>,
    state: ScanState,
    /// The index of each attribute kept of the current tag, by its name, if the tag has very many; empty otherwise.
    many_names: HashMap<String, usize>,
    /// Whether U+0000 is in the name of an attribute that was kept, even if its tag was not recorded later.
    ///
    /// The tokenizer replaces U+0000, so the name differs from the written one. Once this is set, the scanner bails out
    /// at the next tag to record. Only [`rollback`](Self::rollback) resets it.
    has_null_in_name: bool,
    /// Number of recorded start tags after which to stop, once in BODY.
    segment_tags: usize,
    /// Number of kept attributes from which the next recorded tag is a reason to bail out.
    max_kept: usize,
}

/// The offset after a piece of markup (see the [module](self)), or `None` if the text ends within it.
type MarkupEnd = Result<Option<usize>, BailOut>;

/// The state before a piece of markup that may turn out not to end in the chunk. See [`Scanner::rollback`].
struct Checkpoint {
    phase: Phase,
    open_elements: usize,
    has_frameset: bool,
    template: Template,
    has_null_in_name: bool,
    declared_encoding: Option<&'static Encoding>,
    head_start: Option<usize>,
    tags: usize,
    start_tags: usize,
    attributes: usize,
    base_elements: usize,
}

impl<'t, 'n> Scanner<'t, 'n> {
    fn new(chunk: &Chunk<'t>, state: ScanState, names: &'n NameSet) -> Self {
        let Chunk { text, is_last } = *chunk;
        let tokens = Tokens {
            declared_encoding: state.declared_encoding,
            ..Tokens::default()
        };
        Self {
            text,
            bytes: text.as_bytes(),
            is_last,
            unit: ScanUnit::Part,
            names,
            tokens,
            state,
            many_names: HashMap::new(),
            has_null_in_name: false,
            segment_tags: usize::MAX,
            max_kept: MANY_KEPT,
        }
    }

    /// Reads the text from `start` to the end of a segment or chunk, and returns that offset.
    fn scan(&mut self, start: usize) -> Result<usize, BailOut> {
        // Most documents do not have more tags and attributes per byte, so the lists need not grow. Memory that is
        // reserved and never written costs next to nothing.
        let length = self.bytes.len() - start;
        // A short one, such as an item of a feed, would spend more time on allocating than on growing.
        if length >= SHORT_TEXT {
            let tags = self.segment_tags.min(length / 256) + 16;
            self.tokens.start_tags.reserve(tags);
            self.tokens.attributes.reserve(tags + tags / 2);
        }
        let mut pos = start;
        loop {
            if self.state.phase == Phase::Body {
                if self.state.foreign.is_empty() {
                    pos = self.body_tags(pos)?;
                }
                if self.segment_is_full() {
                    return Ok(pos);
                }
            }
            let Some(start) = memchr_near(b'<', self.bytes, pos) else {
                break;
            };
            // In BODY, text changes nothing that is tracked.
            if self.state.phase != Phase::Body {
                self.text_before_body(pos, start)?;
            }
            // In the last chunk there is nothing to roll back to: unfinished markup ends with the document.
            let checkpoint = (!self.is_last).then(|| self.checkpoint());
            // Tag open state: the byte after "<" determines the kind of markup.
            let end = match self.bytes.get(start + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(start)?,
                Some(b'/') => self.end_tag(start)?,
                Some(b'!') => self.markup_declaration(start),
                // A bogus comment.
                Some(b'?') => self.find_after(start, b'>'),
                // The chunk ends with "<", and the next byte decides.
                None if !self.is_last => None,
                // A literal "<".
                _ => {
                    self.start_body(start);
                    Some(start + 1)
                }
            };
            let Some(end) = end else {
                if let Some(checkpoint) = checkpoint {
                    self.rollback(&checkpoint);
                    return Ok(start);
                }
                self.end_of_document_in_markup(start);
                return Ok(self.bytes.len());
            };
            pos = end;
        }
        if self.state.phase != Phase::Body {
            // The text may continue in the next chunk, with the rest of a character reference for example.
            if !self.is_last {
                return Ok(pos);
            }
            self.text_before_body(pos, self.bytes.len())?;
        }
        Ok(self.bytes.len())
    }

    /// Returns whether enough start tags were recorded to end the segment.
    #[inline]
    fn segment_is_full(&self) -> bool {
        // Never true outside of `Segments`, where the limit is `usize::MAX`.
        self.tokens.start_tags.len() >= self.segment_tags
    }

    /// Completes the tokens at the end of the document, or checks that they can be handed over at the end of a chunk.
    fn finish(&mut self) -> Result<(), BailOut> {
        if self.is_last {
            // At the end of the document the parser creates the HEAD that no tag has created.
            if !self.state.phase.has_head() {
                self.tokens.head_start.get_or_insert(self.text.len());
            }
        } else if self.has_null_in_name {
            // The state has no field for it, because real documents do not have such names.
            return Err(BailOut::NullCharacter);
        }
        Ok(())
    }

    fn checkpoint(&self) -> Checkpoint {
        let Self { tokens, state, .. } = self;
        Checkpoint {
            phase: state.phase,
            open_elements: state.foreign.len(),
            has_frameset: state.has_frameset,
            template: state.template,
            has_null_in_name: self.has_null_in_name,
            declared_encoding: tokens.declared_encoding,
            head_start: tokens.head_start,
            tags: tokens.tags,
            start_tags: tokens.start_tags.len(),
            attributes: tokens.attributes.len(),
            base_elements: tokens.base_elements.len(),
        }
    }

    /// Restores the state and the tokens as they were at `checkpoint`.
    ///
    /// Lengths suffice to restore the lists, because markup that does not end in the chunk only appends to them. It
    /// closes no SVG or MathML element: only a complete tag does, and no start tag that does begins raw text, which
    /// might not end in the chunk. The list of comments needs no length: a comment that does not end in the chunk is
    /// not recorded. Neither does that of the texts of NOSCRIPT elements.
    fn rollback(&mut self, checkpoint: &Checkpoint) {
        let Self { tokens, state, .. } = self;
        state.phase = checkpoint.phase;
        state.foreign.truncate(checkpoint.open_elements);
        state.has_frameset = checkpoint.has_frameset;
        state.template = checkpoint.template;
        self.has_null_in_name = checkpoint.has_null_in_name;
        tokens.declared_encoding = checkpoint.declared_encoding;
        tokens.head_start = checkpoint.head_start;
        tokens.tags = checkpoint.tags;
        tokens.start_tags.truncate(checkpoint.start_tags);
        tokens.attributes.truncate(checkpoint.attributes);
        tokens.base_elements.truncate(checkpoint.base_elements);
    }

    /// Handles the end of the document within the markup that begins at `start`.
    ///
    /// Only matters if there is no HEAD yet. The tokenizer drops an unfinished tag, so HEAD begins where the tag does.
    /// It does not drop an unfinished comment or DOCTYPE, so HEAD begins after it, at the end of the document.
    fn end_of_document_in_markup(&mut self, start: usize) {
        // The name of an end tag begins one byte later.
        let slash = usize::from(self.bytes.get(start + 1) == Some(&b'/'));
        let name = self.bytes.get(start + 1 + slash);
        if name.is_some_and(u8::is_ascii_alphabetic) {
            self.start_head(start);
        }
    }

    /// Handles the text from `start` to `end` before BODY. White space is ignored there; anything else begins BODY.
    fn text_before_body(&mut self, start: usize, end: usize) -> Result<(), BailOut> {
        let bytes = &self.bytes[start..end];
        let Some(offset) = bytes.iter().position(|&byte| !byte.is_ascii_whitespace()) else {
            return Ok(());
        };
        if bytes[offset] == b'&' && charref::begins_with_space(&self.text[start + offset..end]) {
            return Err(BailOut::ReferenceBeforeBody);
        }
        self.start_body(start + offset);
        Ok(())
    }

    /// Begins BODY at `start`, and HEAD too if there is none yet.
    fn start_body(&mut self, start: usize) {
        self.start_head(start);
        self.state.head_end.get_or_insert(start);
        self.state.phase = Phase::Body;
    }

    /// Begins HEAD at `start`, unless there is one.
    fn start_head(&mut self, start: usize) {
        if !self.state.phase.has_head() {
            self.tokens.head_start.get_or_insert(start);
        }
    }

    /// Returns the offset after the first `byte` at or after `start`.
    fn find_after(&self, start: usize, byte: u8) -> Option<usize> {
        memchr(byte, &self.bytes[start..]).map(|offset| start + offset + 1)
    }
}

/// Returns `name` in ASCII lower case.
pub(crate) fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
