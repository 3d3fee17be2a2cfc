//! The reader of CSS: moves from one byte that may matter to the next, without reading the tokens between them.
//!
//! # The idea
//!
//! In most style sheets, `url()` is the only construct that contains references. Such a reference counts wherever it
//! appears outside comments and strings, so blocks, rules and declarations need not be tracked. It is enough to find
//! six bytes ([`is_delimiter`]): quotes begin strings, `/` may begin a comment, `(` may follow `url`, `@` may begin a
//! rule that matters, and `\` begins an escape. [`ByteMatches`] finds them many at a time. At each of them, the reader
//! decides what begins there and skips to its end.
//!
//! # Blocks
//!
//! Around some constructs the context matters: strings in a function such as `image-set()`, an `@import` followed by a
//! string, and `@namespace`. The reader ends at the first of them, and a reader with [`Blocks`] begins again. It is the
//! same, but stops at brackets and semicolons as well ([`is_delimiter_or_bracket`]), and reports each component to the
//! blocks.
//!
//! # Names
//!
//! A name is read from its end, at the `(` that follows it, because most names need not be read at all. A name with an
//! escape is read as a whole at its first backslash, so the bytes between the token read last and a `(` contain no
//! escape.
//!
//! # Cost
//!
//! Linear in the length of the text. Each byte is compared once to find delimiters; the content of strings, comments,
//! urls and names with escapes is scanned once more.

use std::borrow::Cow;

use super::blocks::{Blocks, Construct, CssPart, Shape, Strings};
use super::notation;
use super::tokens::{self, CssContent};
use crate::find::{Block, ByteMatches};
use crate::grammar::notation::{Notation, Quote};
use crate::grammar::token::ReferenceToken;

/// A reference in CSS.
pub(super) struct CssReference {
    pub(super) content: CssContent,
    /// The construct around the reference.
    construct: &'static str,
}

impl CssReference {
    /// Decodes the reference.
    fn token<'t>(&self, text: &'t str) -> ReferenceToken<'t> {
        let CssContent { span, notation, .. } = self.content;
        let token = if self.content.is_literal {
            ReferenceToken::literal(text, span, notation)
        } else {
            notation::read(&text[span.start..span.end], span.start, notation)
        };
        token.in_construct(self.construct)
    }
}

/// Returns the first `max` references in `text`, whichever constructs they are in.
pub(super) fn references(text: &str, part: CssPart, max: usize) -> Vec<ReferenceToken<'_>> {
    let mut reader = CssReader::new(text, is_delimiter, None);
    let found = reader.by_ref().take(max);
    let references = found.map(|found| found.token(text)).collect();
    if reader.needs_blocks {
        nested_references(text, part, max)
    } else {
        references
    }
}

/// Returns the first `max` references in `text`, with blocks tracked from the start.
pub(super) fn nested_references(text: &str, part: CssPart, max: usize) -> Vec<ReferenceToken<'_>> {
    let reader = CssReader::new(text, is_delimiter_or_bracket, Some(Blocks::new(part)));
    let found = reader.take(max);
    found.map(|found| found.token(text)).collect()
}

/// An iterator over the references in a text, in order. It stops at the bytes of `S`.
///
/// # Source
/// CSS Syntax 3, 4.3.
pub(super) struct CssReader<'t, S> {
    text: &'t str,
    bytes: &'t [u8],
    delimiters: ByteMatches<'t, S>,
    /// Offset after the token read last, from which the search for the next delimiter continues.
    pos: usize,
    /// The open blocks; `None` if they are not tracked.
    blocks: Option<Blocks>,
    /// Whether the iterator ended early, at a construct for which the blocks around it matter.
    pub(super) needs_blocks: bool,
}

/// The functions in which strings are references, apart from `url()`.
const FUNCTIONS: [(&str, Strings); 4] = [
    ("src", Strings::Next(Construct::Src)),
    ("image", Strings::All(Construct::Image)),
    ("image-set", Strings::All(Construct::ImageSet)),
    ("-webkit-image-set", Strings::All(Construct::ImageSet)),
];

impl<S: Fn(Block) -> Block + Copy> Iterator for CssReader<'_, S> {
    type Item = CssReference;

    #[inline]
    fn next(&mut self) -> Option<CssReference> {
        while !self.needs_blocks {
            let offset = self.delimiters.next()?;
            let found = self.delimiter(offset);
            self.delimiters.advance_to(self.pos);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

// Each method reads what begins at an offset, advances `pos` to its end, and returns the reference in it.
impl<'t, S: Fn(Block) -> Block + Copy> CssReader<'t, S> {
    /// Creates a reader at the start of `text`, which stops at `delimiters`: [`is_delimiter`] without blocks.
    pub(super) fn new(text: &'t str, delimiters: S, blocks: Option<Blocks>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            delimiters: ByteMatches::new(text.as_bytes(), 0, delimiters),
            pos: 0,
            blocks,
            needs_blocks: false,
        }
    }

    /// Reads what begins with the delimiter at `offset`.
    #[inline]
    fn delimiter(&mut self, offset: usize) -> Option<CssReference> {
        let previous_end = self.pos;
        if let Some(blocks) = &mut self.blocks {
            blocks.text(&self.bytes[previous_end..offset]);
        }
        // A delimiter that begins nothing is skipped alone; the methods below advance further.
        self.pos = offset + 1;
        let byte = self.bytes[offset];
        if let Some(quote) = Quote::of(byte) {
            let construct = self.blocks.as_mut().and_then(Blocks::string);
            let string = tokens::string(self.bytes, offset, quote);
            return self.content(string, construct);
        }
        match byte {
            b'/' if self.bytes.get(offset + 1) == Some(&b'*') => {
                self.pos = tokens::comment_end(self.bytes, offset);
            }
            b'(' => {
                let before = &self.bytes[previous_end..offset];
                return self.function(|name| ends_with_name(before, name));
            }
            b'\\' if tokens::is_escape(self.bytes, offset) => {
                return self.escaped_name(offset, previous_end);
            }
            b'@' if tokens::is_identifier(self.bytes, offset + 1) => self.at_keyword(offset + 1),
            _ => self.report(|blocks| match byte {
                b'[' => blocks.open(Shape::Square, Strings::None),
                b'{' => blocks.open(Shape::Curly, Strings::None),
                b')' => blocks.close(Shape::Parentheses),
                b']' => blocks.close(Shape::Square),
                b'}' => blocks.close(Shape::Curly),
                b';' => blocks.semicolon(),
                _ => {
                    blocks.component();
                }
            }),
        }
        None
    }

    /// Reports a component to the blocks, if they are tracked.
    #[inline]
    fn report<R>(&mut self, component: impl FnOnce(&mut Blocks) -> R) {
        if let Some(blocks) = &mut self.blocks {
            component(blocks);
        }
    }

    /// Skips a string or url, which is a reference if it is valid and has a construct.
    fn content(
        &mut self,
        content: CssContent,
        construct: Option<&'static str>,
    ) -> Option<CssReference> {
        self.pos = content.token_end;
        let construct = construct.filter(|_| content.is_valid)?;
        Some(CssReference { content, construct })
    }

    /// Reads the name of an at-keyword at `start`.
    fn at_keyword(&mut self, start: usize) {
        self.pos = tokens::name_end(self.bytes, start);
        let name = self.name(start, self.pos);
        match &mut self.blocks {
            Some(blocks) => blocks.at_keyword(&name),
            // An `@import` with `url()` needs no blocks: its url is a reference anywhere.
            None => {
                self.needs_blocks = name.eq_ignore_ascii_case("namespace")
                    || (name.eq_ignore_ascii_case("import") && self.precedes_string(self.pos));
            }
        }
    }

    /// Returns the name at `start..end` with its escapes decoded.
    fn name(&self, start: usize, end: usize) -> Cow<'t, str> {
        // Names have the escapes of unquoted urls.
        notation::read(&self.text[start..end], start, Notation::CssUrl).reference
    }

    /// Returns whether a string follows at `pos`, after any white space and comments.
    fn precedes_string(&self, mut pos: usize) -> bool {
        loop {
            pos = tokens::skip_white_space(self.bytes, pos);
            if !self.bytes[pos..].starts_with(b"/*") {
                return matches!(self.bytes.get(pos), Some(b'"' | b'\''));
            }
            pos = tokens::comment_end(self.bytes, pos);
        }
    }

    /// Reads the name that contains the escape at `offset`, after the token that ends at `previous_end`.
    fn escaped_name(&mut self, offset: usize, previous_end: usize) -> Option<CssReference> {
        let before = self.bytes[previous_end..offset].iter().rev();
        let mut start = offset - before.take_while(|&&byte| tokens::is_in_name(byte)).count();
        let before = &self.bytes[previous_end..start];
        // These hyphens are the end of the token `<!--`.
        if before.ends_with(b"<!") && self.bytes[start..].starts_with(b"--") {
            start += 2;
        }
        self.pos = tokens::name_end(self.bytes, offset);
        // A hash is no function, even if a parenthesis follows.
        if before.ends_with(b"#") || self.bytes.get(self.pos) != Some(&b'(') {
            self.report(Blocks::component);
            return None;
        }
        let name = self.name(start, self.pos);
        self.pos += 1;
        self.function(|function| name.eq_ignore_ascii_case(function))
    }

    /// Reads the start of the function whose name `is_name` recognizes, and whose parenthesis was read.
    #[inline]
    fn function(&mut self, is_name: impl Fn(&'static str) -> bool) -> Option<CssReference> {
        if is_name("url") {
            return self.url();
        }
        let strings = FUNCTIONS.iter().find(|(name, _)| is_name(name));
        self.needs_blocks = strings.is_some() && self.blocks.is_none();
        let strings = strings.map_or(Strings::None, |&(_, strings)| strings);
        self.report(|blocks| blocks.open(Shape::Parentheses, strings));
        None
    }

    /// Reads the rest of a `url()` whose parenthesis was read.
    fn url(&mut self) -> Option<CssReference> {
        let start = tokens::skip_white_space(self.bytes, self.pos);
        // With a string it is a function, otherwise a token.
        let quote = self.bytes.get(start).and_then(|&byte| Quote::of(byte));
        let is_name = self.blocks.as_ref().is_some_and(Blocks::is_in_namespace);
        let construct = if is_name {
            None
        } else {
            Some(Construct::Url.name())
        };
        let content = if let Some(quote) = quote {
            self.report(|blocks| blocks.open(Shape::Parentheses, Strings::None));
            tokens::string(self.bytes, start, quote)
        } else {
            self.report(Blocks::component);
            tokens::url(self.bytes, start)
        };
        self.content(content, construct)
    }
}

/// Returns whether `text`, which ends before a parenthesis and contains no escape, ends with the function `name`.
#[inline]
fn ends_with_name(text: &[u8], name: &str) -> bool {
    let Some(start) = text.len().checked_sub(name.len()) else {
        return false;
    };
    let (before, candidate) = text.split_at(start);
    if !candidate.eq_ignore_ascii_case(name.as_bytes()) {
        return false;
    }
    match before.last() {
        // After one of these bytes, the candidate is the end of a longer name or of a hash; except after the hyphens
        // of the token `<!--`.
        Some(&byte) => (!tokens::is_in_name(byte) && byte != b'#') || before.ends_with(b"<!--"),
        None => true,
    }
}

/// The bytes at which the reader stops without blocks: those that begin a string, comment, at-keyword or escape, and
/// `(`.
#[inline]
pub(super) fn is_delimiter(block: Block) -> Block {
    let quotes = block.equal(b'"').or(block.equal(b'\''));
    let quotes = quotes.or(block.equal(b'('));
    let others = block.equal(b'/').or(block.equal(b'@'));
    quotes.or(others).or(block.equal(b'\\'))
}

/// The bytes at which the reader stops with blocks: [`is_delimiter`], other brackets and semicolons.
#[inline]
fn is_delimiter_or_bracket(block: Block) -> Block {
    let square = block.equal(b'[').or(block.equal(b']'));
    let curly = block.equal(b'{').or(block.equal(b'}'));
    let others = block.equal(b')').or(block.equal(b';'));
    is_delimiter(block).or(square).or(curly).or(others)
}
