//! The fast reader: a scanner over the bytes of a document's text, for documents whose tags do not depend on more of the
//! tree than it can follow.
//!
//! It goes from one `<` to the next and looks closely at few elements and at the attributes it was told of. What it
//! finds is what the reference reader ([`super::tap`]) finds, but for tags and attributes that cannot matter. Where
//! only a tree could tell it gives up, and the reference reader reads the document: [`BailOut`] lists every such case,
//! with the reason.
//!
//! What follows from the tokens alone is followed: which text is raw, where HEAD ends ([`head`]), and elements of SVG and
//! MathML that are well nested ([`foreign`]). That is little, so a document may be read one [`Chunk`] after the other:
//! what the text behind one has to know of it is a [`ScanState`]. Or, if all of the text is there, in [`Segments`]. In BODY most
//! tags are [`usual`], and read by what is known of where brackets and quotes stand.

mod any_tag;
mod attributes;
mod bail_out;
mod body;
mod element;
mod foreign;
mod head;
mod markup_declaration;
mod meta;
mod raw_text;
mod structural_index;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memchr;

pub use bail_out::BailOut;

use super::charref;
use super::name_set::NameSet;
use super::tag;
use super::tokens::{MetaDeclaration, Tokens};
use crate::find::memchr_near;
use foreign::ForeignElements;
use head::Phase;

/// Reads `text` as a document, as far as tags with attributes in `names` go, and STYLE, SCRIPT, BASE and NOSCRIPT.
///
/// # Source
/// HTML, "parsing HTML documents", scripting off.
///
/// # Errors
/// A tree is needed to read it.
///
/// # Complexity
/// Linear. Memory for what is found alone.
pub(crate) fn read<'t>(text: &'t str, names: &NameSet) -> Result<Tokens<'t>, BailOut> {
    let window = Chunk {
        text,
        is_last: true,
    };
    Ok(read_chunk(&window, ScanState::default(), names)?.tokens)
}

/// Reads a document part by part, so that what is read of it does not have to be remembered for all of it.
pub(crate) struct Segments<'t, 'n> {
    scanner: Scanner<'t, 'n>,
    /// Up to where the text was read.
    end: usize,
    is_over: bool,
}

impl<'t, 'n> Segments<'t, 'n> {
    /// The parts of `text`, read as by [`read`].
    pub(crate) fn new(text: &'t str, names: &'n NameSet) -> Self {
        let window = Chunk {
            text,
            is_last: true,
        };
        let mut scanner = Scanner::new(&window, ScanState::default(), names);
        scanner.segment_tags = SEGMENT_TAGS;
        Self {
            scanner,
            end: 0,
            is_over: false,
        }
    }

    /// The next part; the first one goes beyond HEAD. Spans are bytes of the whole text, and `declared_encoding` and
    /// `head_start` are those of all of it up to there.
    ///
    /// # Errors
    /// A tree is needed to read the document. What was read before does not count then.
    ///
    /// # Complexity
    /// Linear in all parts together.
    pub(crate) fn next(&mut self) -> Result<Option<&Tokens<'t>>, BailOut> {
        if self.is_over {
            return Ok(None);
        }
        self.scanner.tokens.clear();
        self.end = self.scanner.window(self.end)?;
        self.is_over = self.end == self.scanner.bytes.len();
        if self.is_over {
            self.scanner.finish()?;
        }
        Ok(Some(&self.scanner.tokens))
    }
}

/// How many start tags that may hold links a part has, or a few more, if there are so many; the first part, those of HEAD
/// at least.
const SEGMENT_TAGS: usize = 128;

/// A part of the text of a document, which begins where the one before it was read up to.
pub(crate) struct Chunk<'t> {
    pub(crate) text: &'t str,
    /// Whether the document ends with it.
    pub(crate) is_last: bool,
}

/// What reading a [`Chunk`] gives.
pub(crate) struct ChunkTokens<'t> {
    /// What is in it, up to `end`; but that `declared_encoding` is that of the whole document up to there. Spans are
    /// bytes of the window.
    pub(crate) tokens: Tokens<'t>,
    /// Up to where it was read: what is behind is the beginning of something that does not end in the window, and the
    /// next window has to begin with it, and to be longer.
    pub(crate) end: usize,
    /// What has to be known behind `end`.
    pub(crate) state: ScanState,
}

/// Whether there was a TEMPLATE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Template {
    #[default]
    None,
    InBody,
    /// HEAD may go on behind it.
    InHead,
}

/// What has to be known of all that was read to read on.
#[derive(Debug, Default)]
pub(crate) struct ScanState {
    phase: Phase,
    foreign: ForeignElements,
    has_frameset: bool,
    template: Template,
    declared_encoding: MetaDeclaration,
    /// Whether there was text that is not at hand any more.
    is_behind_text: bool,
    /// How often all that was read was searched for a start tag.
    searches: usize,
}

impl ScanState {
    /// Whether HEAD is over; but for a TEMPLATE in HEAD, which counts as the body.
    pub(crate) fn is_behind_head(&self) -> bool {
        self.phase == Phase::Body
    }

    pub(crate) fn has_template_in_head(&self) -> bool {
        self.template == Template::InHead
    }
}

/// Reads a part of a document, in the state in which the reader was behind the one before it; otherwise as [`read`].
///
/// # Errors
/// A tree is needed to read the document; [`read`] may find that there is no need, because it has all of the text.
pub(crate) fn read_chunk<'t>(
    window: &Chunk<'t>,
    state: ScanState,
    names: &NameSet,
) -> Result<ChunkTokens<'t>, BailOut> {
    let mut scanner = Scanner::new(window, state, names);
    let end = scanner.window(0)?;
    scanner.finish()?;
    let Scanner {
        tokens, mut state, ..
    } = scanner;
    state.declared_encoding = tokens.declared_encoding;
    state.is_behind_text |= end > 0;
    Ok(ChunkTokens { tokens, end, state })
}

struct Scanner<'t, 'n> {
    text: &'t str,
    bytes: &'t [u8],
    /// Whether the document ends with the text.
    is_last: bool,
    names: &'n NameSet,
    tokens: Tokens<'t>,
    state: ScanState,
    /// The names of the attributes that are kept of a tag that has very many, and which they are.
    many_names: HashMap<String, usize>,
    /// Whether an attribute that is kept has a name that is not what is written.
    has_null_in_name: bool,
    /// With how many start tags that are kept to stop, once in BODY.
    segment_tags: usize,
}

/// What ends a piece of markup: where the text behind it begins, or `None` if the text ends in its midst.
type TagEnd = Result<Option<usize>, BailOut>;

/// What there was before a piece of markup that may turn out not to end in the window.
struct Checkpoint {
    phase: Phase,
    open_elements: usize,
    has_frameset: bool,
    template: Template,
    has_null_in_name: bool,
    declared_encoding: MetaDeclaration,
    head_start: Option<usize>,
    tags: usize,
    start_tags: usize,
    attributes: usize,
    base_elements: usize,
}

impl<'t, 'n> Scanner<'t, 'n> {
    fn new(window: &Chunk<'t>, state: ScanState, names: &'n NameSet) -> Self {
        let Chunk { text, is_last } = *window;
        let tokens = Tokens {
            declared_encoding: state.declared_encoding,
            ..Tokens::default()
        };
        Self {
            text,
            bytes: text.as_bytes(),
            is_last,
            names,
            tokens,
            state,
            many_names: HashMap::new(),
            has_null_in_name: false,
            segment_tags: usize::MAX,
        }
    }

    /// Reads the text from `start` on, up to the offset that is given.
    fn window(&mut self, start: usize) -> Result<usize, BailOut> {
        // Most documents have no more than that; what is not used costs nothing.
        let length = self.bytes.len() - start;
        let tokens = &mut self.tokens;
        tokens
            .start_tags
            .reserve(self.segment_tags.min(length / 256) + 16);
        tokens
            .attributes
            .reserve(self.segment_tags.min(length / 192) + 16);
        let mut at = start;
        loop {
            if self.state.phase == Phase::Body {
                if self.state.foreign.is_empty() {
                    at = self.usual_tags(at)?;
                }
                if self.segment_is_full() {
                    return Ok(at);
                }
            }
            let Some(start) = memchr_near(b'<', self.bytes, at) else {
                break;
            };
            if self.state.phase != Phase::Body {
                self.text_before_body(at, start)?;
            }
            let before = (!self.is_last).then(|| self.before());
            let end = match self.bytes.get(start + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(start)?,
                Some(b'/') => self.end_tag(start)?,
                Some(b'!') => self.declaration(start),
                Some(b'?') => self.behind(start, b'>'),
                None if !self.is_last => None,
                _ => Some(self.less_than_sign(start)),
            };
            let Some(end) = end else {
                if let Some(before) = before {
                    self.undo(&before);
                    return Ok(start);
                }
                self.end_in(start);
                return Ok(self.bytes.len());
            };
            at = end;
        }
        if self.state.phase != Phase::Body {
            if !self.is_last {
                return Ok(at);
            }
            self.text_before_body(at, self.bytes.len())?;
        }
        Ok(self.bytes.len())
    }

    /// Whether so much was read that it is time for the next part.
    #[inline]
    fn segment_is_full(&self) -> bool {
        self.tokens.start_tags.len() >= self.segment_tags
    }

    /// What is left to be said once the text was read.
    fn finish(&mut self) -> Result<(), BailOut> {
        if self.is_last {
            if !self.state.phase.has_head() {
                self.tokens.head_start.get_or_insert(self.text.len());
            }
        } else if self.has_null_in_name {
            // It would have to be known behind the window, and is in no document.
            return Err(BailOut::NullCharacter);
        }
        Ok(())
    }

    fn before(&self) -> Checkpoint {
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

    /// Forgets what was read since then. Comments are kept once they are whole, and what is open in SVG or MathML ends
    /// with a whole tag only.
    fn undo(&mut self, before: &Checkpoint) {
        let Self { tokens, state, .. } = self;
        state.phase = before.phase;
        state.foreign.truncate(before.open_elements);
        state.has_frameset = before.has_frameset;
        state.template = before.template;
        self.has_null_in_name = before.has_null_in_name;
        tokens.declared_encoding = before.declared_encoding;
        tokens.head_start = before.head_start;
        tokens.tags = before.tags;
        tokens.start_tags.truncate(before.start_tags);
        tokens.attributes.truncate(before.attributes);
        tokens.base_elements.truncate(before.base_elements);
    }

    /// The document ends in the markup that begins at `start`. If that is a tag, it does not count, and HEAD, if there is
    /// none yet, begins before it; a comment or a DOCTYPE counts.
    fn end_in(&mut self, start: usize) {
        let slash = usize::from(self.bytes.get(start + 1) == Some(&b'/'));
        let name = self.bytes.get(start + 1 + slash);
        if name.is_some_and(u8::is_ascii_alphabetic) {
            self.head_begins(start);
        }
    }

    /// A `<` that is text; behind it.
    fn less_than_sign(&mut self, start: usize) -> usize {
        self.body_begins(start);
        start + 1
    }

    /// The text from `start` to `end`, where there is no BODY yet: white space changes nothing.
    fn text_before_body(&mut self, start: usize, end: usize) -> Result<(), BailOut> {
        let bytes = &self.bytes[start..end];
        let Some(offset) = bytes.iter().position(|&byte| !tag::is_space(byte)) else {
            return Ok(());
        };
        match (bytes[offset], bytes.get(offset + 1)) {
            (0, _) => Err(BailOut::NullCharacter),
            (b'&', _) if charref::begins_with_space(&self.text[start + offset..end]) => {
                Err(BailOut::ReferenceBeforeBody)
            }
            _ => {
                self.body_begins(start + offset);
                Ok(())
            }
        }
    }

    /// What stands at `start` is in BODY if anything is.
    fn body_begins(&mut self, start: usize) {
        self.head_begins(start);
        self.state.phase = Phase::Body;
    }

    /// HEAD begins at `start`, unless there is one.
    fn head_begins(&mut self, start: usize) {
        if !self.state.phase.has_head() {
            self.tokens.head_start.get_or_insert(start);
        }
    }

    /// The offset behind the next `last` behind `start`.
    fn behind(&self, start: usize, last: u8) -> Option<usize> {
        memchr(last, &self.bytes[start..]).map(|offset| start + offset + 1)
    }
}

/// A name in lower case.
fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}
