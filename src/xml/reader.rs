//! The reader: checks that a document is well-formed, and yields its start tags with their attributes and texts.
//!
//! One pass over the text, with a stack of the open elements. A construct is checked when it is met, so the error that
//! is reported is the first one in the document.
//!
//! # Lenient reading
//!
//! With [`ReadOptions::is_lenient`], most errors are passed over in the way that feed readers and browsers with error
//! recovery do: a stray `<` or `&` is text, an end tag closes the nearest element of that name or nothing, the first of
//! two equal attributes counts, unknown entities are skipped. Markup that is never closed ends the reading.
//!
//! # Complexity
//!
//! Linear. The stack takes memory for each open element and its name.

use std::collections::HashMap;
use std::mem;

use memchr::{memchr_iter, memmem};

use super::characters::{find_forbidden, is_space, may_have_forbidden, name_end, skip_space};
use super::doctype::{self, GeneralEntity};
use super::error::{ReadError, ill_formed};
use super::state::XmlState;
use super::tag;
use super::text::{self, CDATA_CLOSE, CDATA_OPEN, TextReference};
use crate::find::{Block, contains_any, memchr_near};
use crate::markup::Namespace;
use crate::markup::attribute::RawAttribute;
use crate::markup::name::NameKey;
use crate::markup::name_set::NameSet;
use crate::markup::tokens::{
    Attribute, Chunk, ChunkTokens, DuplicateAttributes, StartTag, Syntax, Tokens,
};
use crate::span::Span;
use crate::unsupported::{IllFormed, IllFormedReason};

/// The names of the start tags that stand for the processing instructions that refer to other files.
const INSTRUCTIONS: [&str; 2] = ["?xml-stylesheet", "?xml-model"];

/// The bytes of a text that may be an error.
#[inline]
fn is_text_delimiter(block: Block) -> Block {
    block.equal(b']').or(block.equal(b'&'))
}

/// The settings of a read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadOptions<'n> {
    /// The names of attributes that may be links. Others may be omitted.
    pub(crate) names: &'n NameSet,
    /// Whether `xml:base` sets the base URL of an element.
    pub(crate) honors_xml_base: bool,
    /// Whether errors are passed over where possible.
    pub(crate) is_lenient: bool,
}

/// Reads `text` as a document.
///
/// # Errors
/// The first error, unless the reading is lenient.
pub(crate) fn read<'t>(text: &'t str, options: ReadOptions<'_>) -> Result<Tokens<'t>, IllFormed> {
    let mut reader = XmlReader::new(text, options);
    match reader.run(0) {
        Ok(_) => Ok(reader.tokens),
        Err(error) => Err(first_error(text, options, error)),
    }
}

/// Returns the first error of `text`, given the one that ended the reading.
pub(super) fn first_error(text: &str, options: ReadOptions<'_>, error: ReadError) -> IllFormed {
    let error = match error {
        ReadError::IllFormed(offset, reason) => (offset, reason),
        ReadError::Incomplete => (text.len(), IllFormedReason::UnexpectedEnd),
    };
    let (offset, reason) = match find_forbidden(text).filter(|_| !options.is_lenient) {
        // An earlier error of another kind is reported instead.
        Some(offset) => match XmlReader::new(&text[..offset], options).run(0) {
            Err(ReadError::IllFormed(other, reason)) if other < offset => (other, reason),
            _ => (offset, IllFormedReason::Character),
        },
        None => error,
    };
    ill_formed(text, offset, reason)
}

/// Reads a chunk of a document that begins in `state`.
///
/// Elements whose text may be a link, and the items of feeds, are read as a whole: the chunk ends before one that does
/// not end in it. Returns `None` if the document must be read as a whole: it is not well-formed, or such an element
/// does not end where it seems to.
pub(crate) fn read_chunk<'t>(
    &Chunk { text, is_last }: &Chunk<'t>,
    state: XmlState,
    options: ReadOptions<'_>,
) -> Option<ChunkTokens<'t, XmlState>> {
    let mut reader = XmlReader::resume(text, state, options);
    reader.is_last = is_last;
    let end = reader.run(0).ok()?;
    let XmlReader {
        tokens, mut state, ..
    } = reader;
    if state.pending > 0 && !is_last {
        return None;
    }
    state.keep_scopes(&tokens.scopes);
    state.is_start &= end == 0;
    Some(ChunkTokens { tokens, end, state })
}

/// The state of a read.
pub(super) struct XmlReader<'t, 'n> {
    pub(super) text: &'t str,
    pub(super) options: ReadOptions<'n>,
    /// Whether the document ends with the text.
    pub(super) is_last: bool,
    pub(super) tokens: Tokens<'t>,
    pub(super) state: XmlState,
    /// The attributes of the current tag.
    pub(super) attributes: Vec<RawAttribute>,
    /// The first end tag, after the last place where one was searched for, of each qualified name.
    pub(super) end_tags: HashMap<&'t str, usize>,
    /// The last CDATA section, with its delimiters.
    pub(super) last_section: Span,
    /// Number of start tags after which a segment may end; see [`is_segment_full`](Self::is_segment_full).
    pub(super) segment_tags: usize,
    /// The end of the text that was searched for forbidden characters.
    checked: usize,
}

impl<'t, 'n> XmlReader<'t, 'n> {
    pub(super) fn new(text: &'t str, options: ReadOptions<'n>) -> Self {
        Self::resume(text, XmlState::new(None), options)
    }

    fn resume(text: &'t str, mut state: XmlState, options: ReadOptions<'n>) -> Self {
        Self {
            text,
            options,
            is_last: true,
            tokens: Tokens {
                syntax: Syntax::Xml,
                scopes: mem::take(&mut state.scopes),
                ..Tokens::default()
            },
            state,
            attributes: Vec::new(),
            end_tags: HashMap::new(),
            last_section: Span::default(),
            segment_tags: usize::MAX,
            checked: 0,
        }
    }

    /// Returns the index of the innermost scope.
    pub(super) fn scope(&self) -> u32 {
        self.state.scope_path.last().copied().unwrap_or_default()
    }

    /// Returns whether the segment may end here, and has enough start tags.
    ///
    /// It may where no element has a base URL of its own, no text or item of a feed is incomplete, and HEAD is closed.
    #[inline]
    fn is_segment_full(&self) -> bool {
        self.tokens.start_tags.len() >= self.segment_tags
            && self.state.pending == 0
            && self.state.scope_path.len() == 1
            && !self.state.is_in_head
    }

    /// Reads the text from `start` up to the end of the segment, of the text, or to the beginning of what does not end
    /// in it, and returns that offset.
    pub(super) fn run(&mut self, start: usize) -> Result<usize, ReadError> {
        let bytes = self.text.as_bytes();
        let mut pos = start;
        while let Some(start) = memchr_near(b'<', bytes, pos) {
            self.check_characters(start)?;
            self.check_text(Span::new(pos, start))?;
            pos = match self.markup(start) {
                Ok(end) => end,
                Err(error @ ReadError::IllFormed(_, IllFormedReason::TooDeep)) => {
                    return Err(error);
                }
                // A literal `<`.
                Err(ReadError::IllFormed(..)) if self.options.is_lenient => start + 1,
                Err(error @ ReadError::IllFormed(..)) => return Err(error),
                Err(ReadError::Incomplete) if !self.is_last => return Ok(start),
                // Nothing closes it, so it extends to the end.
                Err(ReadError::Incomplete) if self.options.is_lenient => bytes.len(),
                Err(ReadError::Incomplete) => {
                    return Err(ReadError::at(start, IllFormedReason::UnexpectedEnd));
                }
            };
            // At the end of the text, the document is checked below.
            if self.is_segment_full() && pos < bytes.len() {
                return Ok(pos);
            }
        }
        self.check_characters(if self.is_last { bytes.len() } else { pos })?;
        if !self.is_last {
            // A reference in the text may continue in the next chunk.
            return Ok(pos);
        }
        self.check_text(Span::new(pos, bytes.len()))?;
        if !self.state.open.is_empty() {
            self.reject(bytes.len(), IllFormedReason::UnclosedElement)?;
        }
        if !self.state.has_root {
            self.reject(bytes.len(), IllFormedReason::NoRoot)?;
        }
        Ok(bytes.len())
    }

    /// Checks the characters of the text, at least up to `end`.
    ///
    /// They are checked some way ahead of the reading, so that both find the text in the cache.
    ///
    /// # Errors
    /// There may be a character that no document may contain; the offset is not that of the character.
    #[inline]
    fn check_characters(&mut self, end: usize) -> Result<(), ReadError> {
        const AHEAD: usize = 1 << 14;
        if end <= self.checked || self.options.is_lenient {
            return Ok(());
        }
        let bytes = self.text.as_bytes();
        // A forbidden character of three bytes may begin before the last end.
        let start = self.checked.saturating_sub(2);
        self.checked = bytes.len().min(end + AHEAD);
        if may_have_forbidden(&bytes[start..self.checked]) {
            return Err(ReadError::at(end, IllFormedReason::Character));
        }
        Ok(())
    }

    /// Reports an error, unless the reading is lenient.
    pub(super) fn reject(&self, offset: usize, reason: IllFormedReason) -> Result<(), ReadError> {
        if self.options.is_lenient {
            Ok(())
        } else {
            Err(ReadError::at(offset, reason))
        }
    }

    /// Reads the markup that begins with the `<` at `start`, and returns its end.
    fn markup(&mut self, start: usize) -> Result<usize, ReadError> {
        let rest = &self.text[start..];
        match rest.as_bytes().get(1) {
            None => Err(ReadError::Incomplete),
            Some(b'/') => self.end_tag(start),
            Some(b'?') => self.instruction(start),
            Some(b'!') if rest.starts_with("<!--") => self.comment(start),
            Some(b'!') if rest.starts_with(CDATA_OPEN) => self.cdata(start),
            Some(b'!') if rest.starts_with("<!DOCTYPE") => self.doctype(start),
            Some(b'!') => Err(ReadError::at(start, IllFormedReason::LessThan)),
            Some(_) => self.start_tag(start),
        }
    }

    /// Checks text between markup.
    fn check_text(&self, span: Span) -> Result<(), ReadError> {
        if span.is_empty() {
            return Ok(());
        }
        let text = &self.text[span.start..span.end];
        if self.state.open.is_empty() {
            let offset = text.bytes().position(|byte| !is_space(byte));
            return match offset {
                None => Ok(()),
                Some(offset) => self.reject(span.start + offset, IllFormedReason::OutsideRoot),
            };
        }
        // Most texts have neither.
        if !contains_any(text.as_bytes(), is_text_delimiter) {
            return Ok(());
        }
        if let Some(offset) = text::find_cdata_end(text) {
            // An earlier error is reported first.
            self.check_references(Span::new(span.start, span.start + offset))?;
            self.reject(span.start + offset, IllFormedReason::CdataEnd)?;
        }
        self.check_references(span)
    }

    /// Checks the references in a text or an attribute value.
    pub(super) fn check_references(&self, span: Span) -> Result<(), ReadError> {
        let text = &self.text[span.start..span.end];
        for ampersand in memchr_iter(b'&', text.as_bytes()) {
            let offset = span.start + ampersand;
            match text::reference(&text[ampersand..]) {
                Some((TextReference::Character(_), _)) => {}
                Some((TextReference::Entity(name), _)) => match self.state.entities.get(name) {
                    Some(GeneralEntity::Text(_) | GeneralEntity::External) => {}
                    Some(GeneralEntity::Markup) => {
                        self.reject(offset, IllFormedReason::EntityMarkup)?;
                    }
                    None if self.state.entities.may_be_external => {}
                    None => self.reject(offset, IllFormedReason::UndeclaredEntity)?,
                },
                None => self.reject(offset, IllFormedReason::Ampersand)?,
            }
        }
        Ok(())
    }

    fn comment(&mut self, start: usize) -> Result<usize, ReadError> {
        let bytes = self.text.as_bytes();
        let mut pos = start + "<!--".len();
        loop {
            let found = memmem::find(&bytes[pos..], b"--").ok_or(ReadError::Incomplete)?;
            pos += found;
            match bytes.get(pos + 2) {
                None => return Err(ReadError::Incomplete),
                Some(b'>') => return Ok(pos + 3),
                Some(_) => self.reject(pos, IllFormedReason::Comment)?,
            }
            pos += 1;
        }
    }

    fn cdata(&mut self, start: usize) -> Result<usize, ReadError> {
        if self.state.open.is_empty() {
            self.reject(start, IllFormedReason::OutsideRoot)?;
        }
        let inner = start + CDATA_OPEN.len();
        let found = text::find_cdata_end(&self.text[inner..]);
        let length = found.ok_or(ReadError::Incomplete)?;
        let end = inner + length + CDATA_CLOSE.len();
        self.last_section = Span::new(start, end);
        Ok(end)
    }

    fn doctype(&mut self, start: usize) -> Result<usize, ReadError> {
        if self.state.has_root || self.state.has_doctype {
            return Err(ReadError::at(start, IllFormedReason::Doctype));
        }
        self.state.has_doctype = true;
        doctype::read(self.text, start, &mut self.state.entities)
    }

    /// Reads a processing instruction or the XML declaration.
    fn instruction(&mut self, start: usize) -> Result<usize, ReadError> {
        let error = Err(ReadError::at(start, IllFormedReason::Instruction));
        let name_start = start + "<?".len();
        let length = memmem::find(&self.text.as_bytes()[name_start..], b"?>");
        let close = name_start + length.ok_or(ReadError::Incomplete)?;
        let end = close + "?>".len();
        let Some(name_end) = name_end(self.text, name_start) else {
            return error;
        };
        let target = &self.text[name_start..name_end];
        if name_end != close && !is_space(self.text.as_bytes()[name_end]) {
            return error;
        }
        if target.eq_ignore_ascii_case("xml")
            && (target != "xml" || start > 0 || !self.state.is_start)
        {
            return error;
        }
        let known = INSTRUCTIONS.into_iter().find(|name| target == &name[1..]);
        if let Some(name) = known.filter(|_| !self.state.has_root) {
            let attributes = Span::new(name_end, close);
            self.known_instruction(name, Span::new(start, end), attributes);
        }
        Ok(end)
    }

    /// Adds the processing instruction of that name, whose pseudo-attributes are at `attributes`.
    ///
    /// # Source
    /// Associating Style Sheets with XML documents 1.0, section 3. An instruction with a syntax error is ignored.
    fn known_instruction(&mut self, name: &'static str, span: Span, attributes: Span) {
        let bytes = self.text.as_bytes();
        let mut raw = Vec::new();
        let mut pos = skip_space(bytes, attributes.start);
        while pos < attributes.end {
            match tag::attribute(self.text, pos, &mut raw) {
                Ok(end) if end <= attributes.end => pos = skip_space(bytes, end),
                _ => return,
            }
        }
        let first = self.tokens.attributes.len();
        for attribute in &raw {
            let is_link = &self.text[attribute.name.start..attribute.name.end] == "href";
            self.push_attribute(attribute, None, is_link);
        }
        self.push_start_tag(Namespace::Other, name, span, first);
    }

    /// Appends an attribute of the tag that is being read.
    pub(super) fn push_attribute(
        &mut self,
        raw: &RawAttribute,
        key: Option<NameKey>,
        may_be_link: bool,
    ) {
        let name = &self.text[raw.name.start..raw.name.end];
        self.tokens.attributes.push(Attribute {
            name: name.into(),
            key,
            may_be_link,
            // The closing quote.
            span: Span::new(raw.name.start, raw.value.end + 1),
            value: raw.value,
            quoting: raw.quoting,
            duplicates: DuplicateAttributes::default(),
        });
    }

    /// Appends a start tag whose attributes begin at index `first`, and returns its index.
    pub(super) fn push_start_tag(
        &mut self,
        namespace: Namespace,
        name: &'t str,
        span: Span,
        first: usize,
    ) -> usize {
        self.tokens.start_tags.push(StartTag {
            namespace,
            name: name.into(),
            key: NameKey::of(name.as_bytes()),
            span,
            attributes: Span::new(first, self.tokens.attributes.len()),
            text: None,
            is_child_of_head: false,
            scope: self.scope(),
        });
        self.tokens.start_tags.len() - 1
    }
}
