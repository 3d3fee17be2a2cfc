//! The fast search for references in CSS: moves from one byte that may matter to the next, without reading the tokens
//! between them.
//!
//! # The idea
//!
//! In most style sheets, `url()` is the only construct that contains references. Such a reference counts wherever it
//! appears outside comments and strings, so blocks, rules and declarations need not be tracked. It is enough to find
//! six bytes ([`CssDelimiters`]): quotes begin strings, `/` may begin a comment, `(` may follow `url`, `@` may begin a
//! rule that matters, and `\` begins an escape. [`ByteMatches`] finds them many at a time. At each of them, the search
//! decides what begins there and skips to its end.
//!
//! # When the search gives up
//!
//! The search returns `None`, and [`super::scan`] reads the whole text, if the text contains one of these:
//!
//! * a function in which strings are references: `src()`, `image()`, `image-set()` and `-webkit-image-set()`;
//! * `@import` followed by a string, which is a reference only at the top level;
//! * `@namespace`, whose `url()` is not a reference;
//! * an escape that may be part of the name of any of these or of `url`;
//! * a name that may begin after `<!--`, which only a tokenizer can distinguish from a name that begins with the
//!   hyphens.
//!
//! # Invariants
//!
//! The references returned are exactly those of [`super::scan::scan`], in a style sheet as well as in a value; a
//! property test compares the two. Giving up is always correct and costs only the time spent so far.
//!
//! # Cost
//!
//! Linear in the length of the text. Each byte is compared once to find delimiters; the content of strings, comments
//! and urls is scanned once more.

use super::notation::{self, Quote};
use crate::find::{Block, ByteMatches, ByteSet, WIDTH, memchr_near};
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// Returns the references in `text`, or `None` if [`super::scan::scan`] must find them.
pub(super) fn scan_references(text: &str) -> Option<Vec<ReferenceToken<'_>>> {
    let mut references = Vec::new();
    each_reference(text, |reference| {
        references.push(reference.token(text));
        Some(())
    })?;
    Some(references)
}

/// Calls `visit` with each reference in `text`, in order.
///
/// Returns `None` if `visit` did, or if [`super::scan::scan`] must find the references; `visit` may have been called
/// for some references by then.
///
/// # Source
/// CSS Syntax 3, 4.3.
///
/// # Complexity
/// Linear in the length of `text`.
pub(super) fn each_reference<F>(text: &str, visit: F) -> Option<()>
where
    F: FnMut(&CssReference) -> Option<()>,
{
    let mut scanner = FastScanner {
        bytes: text.as_bytes(),
        pos: 0,
        escape: None,
        visit,
    };
    let mut delimiters = ByteMatches::<CssDelimiters>::new(scanner.bytes, 0);
    while let Some(offset) = delimiters.next() {
        // A delimiter that begins nothing is skipped alone; the methods below advance further.
        scanner.pos = offset + 1;
        match scanner.bytes[offset] {
            quote @ (b'"' | b'\'') => {
                scanner.pos = string_end(scanner.bytes, offset + 1, quote).after_token;
            }
            b'/' => scanner.comment(offset),
            b'(' => scanner.parenthesis(offset)?,
            b'@' => scanner.at_keyword(offset)?,
            _ => scanner.backslash(offset),
        }
        delimiters.advance_to(scanner.pos);
    }
    Some(())
}

/// A reference in `url()`.
pub(super) struct CssReference {
    pub(super) span: Span,
    pub(super) notation: Notation,
    /// Whether every character of the reference is literal.
    pub(super) is_literal: bool,
}

impl CssReference {
    /// Decodes the reference.
    fn token<'t>(&self, text: &'t str) -> ReferenceToken<'t> {
        let &Self { span, notation, .. } = self;
        let token = if self.is_literal {
            ReferenceToken::literal(text, span, notation)
        } else {
            // The span ends where the reference does, so no character ends it earlier.
            notation::read(&text[span.start..span.end], span.start, notation, |_| false)
        };
        token.in_construct(super::URL)
    }
}

/// The state of a scan over the bytes of a text.
struct FastScanner<'t, F> {
    bytes: &'t [u8],
    /// Offset at which the search for the next delimiter continues.
    pos: usize,
    /// Offset of the last escape outside strings and urls.
    escape: Option<usize>,
    visit: F,
}

/// The end of a string or an unquoted url, valid or bad.
struct TokenEnd {
    /// Offset after the content, without the closing delimiter and the white space before it.
    after_content: usize,
    /// Offset after the whole token, or after the remnants of a bad one.
    after_token: usize,
    /// Whether the token is a string or url, not a bad string or bad url.
    is_valid: bool,
    /// Whether every character of the content is literal.
    is_literal: bool,
}

/// Returns the end of the string whose content begins at `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.5.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> TokenEnd {
    let mut is_literal = true;
    let mut pos = start;
    loop {
        // Stops at the quote, at a backslash and at all control characters up to CR, which include newlines and NUL.
        pos = skip_to(bytes, pos, |block| {
            block
                .le(b'\x0d')
                .or(block.equal(quote))
                .or(block.equal(b'\\'))
        });
        let end = |after_token, is_valid| TokenEnd {
            after_content: pos,
            after_token,
            is_valid,
            is_literal,
        };
        match bytes.get(pos) {
            // A string that the text ends in is valid.
            None => return end(pos, true),
            Some(b'\\') => {
                is_literal = false;
                pos = escape_end(bytes, pos);
            }
            Some(&byte) if byte == quote => return end(pos + 1, true),
            // A bad string. The newline is not part of it.
            Some(&byte) if is_newline(byte) => return end(pos, false),
            // NUL is read as U+FFFD; the other control characters are literal.
            Some(&byte) => {
                is_literal &= byte != 0;
                pos += 1;
            }
        }
    }
}

/// Returns the offset of the first byte from `pos` on that is in `stops`.
///
/// Near the end of `bytes`, where no whole block can be loaded, the result may be an earlier offset, so the caller must
/// test the byte there.
#[inline]
fn skip_to(bytes: &[u8], mut pos: usize, stops: impl Fn(Block) -> Block) -> usize {
    while let Some(block) = Block::at(bytes, pos) {
        let mask = stops(block).mask();
        if mask != 0 {
            return pos + mask.trailing_zeros() as usize;
        }
        pos += WIDTH;
    }
    pos
}

/// Returns the offset after the escape in a string or url whose backslash is at `backslash`.
///
/// # Source
/// CSS Syntax 3, 4.3.7. A backslash before a newline is an escape in strings only; for urls, the caller must test it.
fn escape_end(bytes: &[u8], backslash: usize) -> usize {
    let is_digit = |pos: usize| bytes.get(pos).is_some_and(u8::is_ascii_hexdigit);
    let start = backslash + 1;
    let mut end = start;
    // At most six digits.
    while end < start + 6 && is_digit(end) {
        end += 1;
    }
    match bytes.get(end) {
        Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => end + 2,
        // Without digits, the escape ends after the escaped byte. That may be the first of several bytes of a
        // character, but the other bytes are literal anyway. After digits, one white space character is part of the
        // escape.
        Some(&byte) if end == start || is_space(byte) => end + 1,
        _ => end,
    }
}

/// Returns whether `byte` is a newline before CSS's preprocessing, which replaces CR and form feed.
fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\x0c')
}

/// Returns whether `byte` is CSS white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t') || is_newline(byte)
}

/// Returns the offset of the first byte from `pos` on that is not white space.
fn skip_white_space(bytes: &[u8], mut pos: usize) -> usize {
    while bytes.get(pos).is_some_and(|&byte| is_space(byte)) {
        pos += 1;
    }
    pos
}

/// Returns whether an unescaped `byte` is part of a name.
///
/// # Source
/// CSS Syntax 3, 4.2, "ident code point". U+0000 counts, because it is read as U+FFFD.
fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0 | 0x80..)
}

/// Returns the offset after the comment that begins at `start`.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let inner = start + "/*".len();
    let mut end = inner;
    loop {
        // Searching for the slash avoids a stop at each asterisk of a comment that begins with `/*****`.
        let Some(slash) = memchr_near(b'/', bytes, end) else {
            return bytes.len();
        };
        end = slash + 1;
        // The asterisk must come after the opening "/*": "/*/" is not a whole comment.
        if bytes[inner..slash].ends_with(b"*") {
            return end;
        }
    }
}

/// An upper bound of the length of a function name that matters, from its last escape on.
///
/// This is the longest name with every byte written as an escape of eight bytes: a backslash, six digits, a space.
const LONGEST_NAME: usize = "-webkit-image-set".len() * 8;

impl<F: FnMut(&CssReference) -> Option<()>> FastScanner<'_, F> {
    /// Skips the comment that the slash at `offset` may begin.
    fn comment(&mut self, offset: usize) {
        if self.bytes.get(offset + 1) == Some(&b'*') {
            self.pos = comment_end(self.bytes, offset);
        }
    }

    /// Records the escape that the backslash at `offset` may begin, and skips its first byte.
    fn backslash(&mut self, offset: usize) {
        match self.bytes.get(offset + 1) {
            // Before a newline, outside a string, a backslash is a delimiter token.
            Some(&byte) if is_newline(byte) => {}
            _ => {
                // The byte after it may be a delimiter, but is escaped. Further digits need not be skipped, because
                // they are not delimiters.
                self.escape = Some(offset);
                self.pos = offset + 2;
            }
        }
    }

    /// Skips the at-keyword at `offset`; returns `None` if it is, or may be, one that matters.
    fn at_keyword(&mut self, offset: usize) -> Option<()> {
        let start = offset + 1;
        let rest = self.bytes.get(start..)?;
        let length = rest.iter().position(|&byte| !is_in_name(byte));
        let end = length.map_or(self.bytes.len(), |length| start + length);
        let name = &self.bytes[start..end];
        // An `@import` with `url()` needs no special treatment: its url is a reference anywhere.
        let matters = name.eq_ignore_ascii_case(b"namespace")
            || (name.eq_ignore_ascii_case(b"import") && self.precedes_string(end));
        // An escape may continue the name.
        let is_harmless = !matters && self.bytes.get(end) != Some(&b'\\');
        self.pos = end;
        is_harmless.then_some(())
    }

    /// Returns whether a string follows at `pos`, after any white space and comments.
    fn precedes_string(&self, mut pos: usize) -> bool {
        loop {
            pos = skip_white_space(self.bytes, pos);
            if !self.bytes[pos..].starts_with(b"/*") {
                return matches!(self.bytes.get(pos), Some(b'"' | b'\''));
            }
            pos = comment_end(self.bytes, pos);
        }
    }

    /// Handles the opening parenthesis at `offset`.
    ///
    /// Returns `None` if strings in its function are references, if only a tokenizer can recognize the function, or if
    /// `visit` returned `None`.
    fn parenthesis(&mut self, offset: usize) -> Option<()> {
        if self.may_contain_escape(offset) {
            return None;
        }
        if self.opens_function(b"url", offset)? {
            return self.url(offset);
        }
        let has_strings = self.opens_function(b"src", offset)?
            || self.opens_function(b"image", offset)?
            || self.opens_function(b"image-set", offset)?
            || self.opens_function(b"-webkit-image-set", offset)?;
        (!has_strings).then_some(())
    }

    /// Returns whether the parenthesis at `offset` opens the function `name`; `None` if only a tokenizer can decide.
    #[inline]
    fn opens_function(&self, name: &[u8], offset: usize) -> Option<bool> {
        let Some(start) = offset.checked_sub(name.len()) else {
            return Some(false);
        };
        let (before, candidate) = self.bytes[..offset].split_at(start);
        if !candidate.eq_ignore_ascii_case(name) {
            return Some(false);
        }
        match before.last() {
            // These hyphens may be the end of the token "<!--" or part of the name.
            Some(b'-') if before.ends_with(b"<!--") => None,
            // After one of these bytes, the candidate is the end of a longer name, a hash or an at-keyword.
            Some(&byte) => Some(!is_in_name(byte) && !matches!(byte, b'#' | b'@')),
            None => Some(true),
        }
    }

    /// Returns whether an escape may be part of the name that ends at `end`.
    fn may_contain_escape(&self, end: usize) -> bool {
        let Some(escape) = self.escape else {
            return false;
        };
        // The name would be too long to matter.
        if end - escape > LONGEST_NAME {
            return false;
        }
        // The byte after the backslash is escaped, whatever it is. The name and the escape are separate if any byte
        // after that one is not part of a name. White space does not count, because it may end the escape.
        let tail = self.bytes.get(escape + 2..end).unwrap_or_default();
        !tail
            .iter()
            .any(|&byte| !is_in_name(byte) && !is_space(byte))
    }

    /// Handles the parenthesis at `offset` that follows `url`.
    fn url(&mut self, offset: usize) -> Option<()> {
        let start = skip_white_space(self.bytes, offset + 1);
        match self.bytes.get(start) {
            Some(&quote @ (b'"' | b'\'')) => self.string(start, quote),
            _ => self.unquoted(start),
        }
    }

    /// Handles the string at `start`, the first component of `url()`.
    fn string(&mut self, start: usize, quote: u8) -> Option<()> {
        let end = string_end(self.bytes, start + 1, quote);
        let quote = if quote == b'"' {
            Quote::Double
        } else {
            Quote::Single
        };
        self.reference(start + 1, &end, Notation::CssString(quote))
    }

    /// Handles the unquoted url whose content begins at `start`.
    fn unquoted(&mut self, start: usize) -> Option<()> {
        let end = url_end(self.bytes, start);
        self.reference(start, &end, Notation::CssUrl)
    }

    /// Reports the reference whose content begins at `start`, unless it is a bad string or url, and skips to its end.
    fn reference(&mut self, start: usize, end: &TokenEnd, notation: Notation) -> Option<()> {
        self.pos = end.after_token;
        if !end.is_valid {
            return Some(());
        }
        (self.visit)(&CssReference {
            span: Span::new(start, end.after_content),
            notation,
            is_literal: end.is_literal,
        })
    }
}

/// Returns the offset after the unquoted url token, valid or bad, that begins at `start` of `text`.
pub(super) fn url_token_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    // The name of the function may contain escapes, but not an escaped parenthesis, which would be part of the name.
    let parenthesis = memchr_near(b'(', bytes, start).unwrap_or(bytes.len());
    url_end(bytes, skip_white_space(bytes, parenthesis + 1)).after_token
}

/// Returns the end of the unquoted url whose content begins at `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.6 and 4.3.14.
fn url_end(bytes: &[u8], start: usize) -> TokenEnd {
    // Set at the first white space; only the closing parenthesis may follow it.
    let mut content_end = None;
    let mut is_valid = true;
    let mut is_literal = true;
    let mut pos = start;
    let (end, token_end) = loop {
        // Stops at control characters, space, quotes, parentheses, backslash and DEL.
        pos = skip_to(bytes, pos, |block| {
            let quotes = block.le(b' ').or(block.equal(b'"')).or(block.equal(b'\''));
            let parentheses = block.equal(b'(').or(block.equal(b')'));
            let others = block.equal(b'\\').or(block.equal(0x7f));
            quotes.or(parentheses).or(others)
        });
        // A bad url extends to the closing parenthesis, too, so scanning continues after an error.
        match bytes.get(pos) {
            // A url that the text ends in is valid.
            None => break (pos, pos),
            Some(b')') => break (pos, pos + 1),
            Some(&byte) if is_space(byte) => {
                content_end = content_end.or(Some(pos));
                pos = skip_white_space(bytes, pos);
                is_valid &= matches!(bytes.get(pos), None | Some(b')'));
                continue;
            }
            Some(b'\\') => {
                is_literal = false;
                if bytes.get(pos + 1).is_none_or(|&byte| !is_newline(byte)) {
                    pos = escape_end(bytes, pos);
                    continue;
                }
                is_valid = false;
            }
            // NUL is read as U+FFFD.
            Some(0) => is_literal = false,
            // Quotes, an opening parenthesis and the non-printable code points make the url a bad one.
            Some(b'"' | b'\'' | b'(' | 0x01..=0x1f | 0x7f) => is_valid = false,
            Some(_) => {}
        }
        pos += 1;
    };
    TokenEnd {
        after_content: content_end.unwrap_or(end),
        after_token: token_end,
        is_valid,
        is_literal,
    }
}

/// The bytes at which [`each_reference`] stops: those that begin a string, comment, at-keyword or escape, and `(`.
struct CssDelimiters;

impl ByteSet for CssDelimiters {
    #[inline]
    fn matches(block: Block) -> Block {
        let quotes = block.equal(b'"').or(block.equal(b'\''));
        let quotes = quotes.or(block.equal(b'('));
        let others = block.equal(b'/').or(block.equal(b'@'));
        quotes.or(others).or(block.equal(b'\\'))
    }
}
