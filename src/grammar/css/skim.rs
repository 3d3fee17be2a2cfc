//! Goes through a CSS text from one byte that may matter to the next, without reading all its tokens: for the texts in
//! which `url()` is all that holds references.
//!
//! Such a reference is one wherever it stands outside of comments and strings, so blocks need no account. Where it
//! takes more than that to tell it gives up, and [`super::scan`] reads the text: at a function in which strings are
//! references, at `@namespace` and at `@import` with a string, and where an escape may be part of the name of any of them.

use super::notation::{self, Quote};
use crate::find::{Block, ByteMatches, ByteSet, WIDTH, memchr_near};
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// The references in `text`, as [`super::scan::scan`] gives them; `None` if that has to be asked.
pub(super) fn scan_references(text: &str) -> Option<Vec<ReferenceToken<'_>>> {
    let mut references = Vec::new();
    each(text, |found| {
        references.push(found.written(text));
        Some(())
    })?;
    Some(references)
}

/// Gives the references in `text` to `found`, as long as it gives something; `None` if it did not for all, or if
/// [`super::scan::scan`] has to be asked.
///
/// # Source
/// CSS Syntax 3, 4.3.
///
/// # Complexity
/// Linear in the length of `text`.
pub(super) fn each<F>(text: &str, found: F) -> Option<()>
where
    F: FnMut(&CssReference) -> Option<()>,
{
    let mut scanner = FastScanner {
        bytes: text.as_bytes(),
        at: 0,
        escape: None,
        found,
    };
    let mut places = ByteMatches::<CssDelimiters>::new(scanner.bytes, 0);
    while let Some(at) = places.next() {
        scanner.at = at + 1;
        match scanner.bytes[at] {
            quote @ (b'"' | b'\'') => scanner.at = string_end(scanner.bytes, at + 1, quote).token,
            b'/' => scanner.comment(at),
            b'(' => scanner.parenthesis(at)?,
            b'@' => scanner.at_keyword(at)?,
            _ => scanner.backslash(at),
        }
        places.go_to(scanner.at);
    }
    Some(())
}

/// A reference that was found.
pub(super) struct CssReference {
    pub(super) span: Span,
    pub(super) notation: Notation,
    /// Whether every character stands for itself.
    pub(super) is_plain: bool,
}

impl CssReference {
    fn written<'t>(&self, text: &'t str) -> ReferenceToken<'t> {
        let &Self { span, notation, .. } = self;
        let written = if self.is_plain {
            ReferenceToken::plain(text, span, notation)
        } else {
            notation::read(&text[span.start..span.end], span.start, notation, |_| false)
        };
        written.within(super::URL)
    }
}

struct FastScanner<'t, F> {
    bytes: &'t [u8],
    at: usize,
    /// Where the last escape outside of strings and urls begins.
    escape: Option<usize>,
    found: F,
}

/// What ends a string, a url, or what is left of a bad one.
struct TokenEnd {
    /// Behind the content.
    content: usize,
    /// Behind all of it.
    token: usize,
    /// Whether it is what it began as.
    is_good: bool,
    /// Whether every character of the content stands for itself.
    is_plain: bool,
}

/// What ends the string whose first character would stand at `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.5.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> TokenEnd {
    let mut is_plain = true;
    let mut at = start;
    loop {
        at = behind_plain(bytes, at, |block| {
            block
                .le(b'\x0d')
                .or(block.equal(quote))
                .or(block.equal(b'\\'))
        });
        let end = |token, is_good| TokenEnd {
            content: at,
            token,
            is_good,
            is_plain,
        };
        match bytes.get(at) {
            None => return end(at, true),
            Some(b'\\') => {
                is_plain = false;
                at = escape_end(bytes, at);
            }
            Some(&byte) if byte == quote => return end(at + 1, true),
            Some(&byte) if is_newline(byte) => return end(at, false),
            Some(&byte) => {
                is_plain &= byte != 0;
                at += 1;
            }
        }
    }
}

/// The first offset from `at` on of a byte that is in `stops`, or is near the end.
#[inline]
fn behind_plain(bytes: &[u8], mut at: usize, stops: impl Fn(Block) -> Block) -> usize {
    while let Some(block) = Block::at(bytes, at) {
        let mask = stops(block).mask();
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    at
}

/// Behind the escape whose backslash is at `at`, in a string or a url.
///
/// # Source
/// CSS Syntax 3, 4.3.7; a newline behind the backslash is one for strings only.
fn escape_end(bytes: &[u8], at: usize) -> usize {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let start = at + 1;
    let mut end = start;
    while end < start + 6 && is_digit(end) {
        end += 1;
    }
    match bytes.get(end) {
        Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => end + 2,
        // What ends the digits is part of the escape if it is white space.
        Some(&byte) if end == start || is_space(byte) => end + 1,
        _ => end,
    }
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\x0c')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t') || is_newline(byte)
}

/// The first offset from `at` on that has no white space.
fn behind_spaces(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

/// Whether a byte is part of a name, unescaped.
///
/// # Source
/// CSS Syntax 3, 4.2, "ident code point"; U+0000 is read as U+FFFD.
fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0 | 0x80..)
}

/// Behind the comment that begins at `at`.
fn comment_end(bytes: &[u8], at: usize) -> usize {
    let inner = at + "/*".len();
    let mut end = inner;
    loop {
        let Some(slash) = memchr_near(b'/', bytes, end) else {
            return bytes.len();
        };
        end = slash + 1;
        if bytes[inner..slash].ends_with(b"*") {
            return end;
        }
    }
}

/// The longest name of a function that holds references, each byte of it written as an escape of eight.
const LONGEST_NAME: usize = "-webkit-image-set".len() * 8;

impl<F: FnMut(&CssReference) -> Option<()>> FastScanner<'_, F> {
    /// A slash at `at`, which may begin a comment.
    fn comment(&mut self, at: usize) {
        if self.bytes.get(at + 1) == Some(&b'*') {
            self.at = comment_end(self.bytes, at);
        }
    }

    /// A backslash at `at`.
    fn backslash(&mut self, at: usize) {
        match self.bytes.get(at + 1) {
            // A delimiter.
            Some(&byte) if is_newline(byte) => {}
            _ => {
                self.escape = Some(at);
                self.at = at + 2;
            }
        }
    }

    /// An at sign at `at`; `None` if the rule it begins is one of those that matter, or may be.
    fn at_keyword(&mut self, at: usize) -> Option<()> {
        let start = at + 1;
        let rest = self.bytes.get(start..)?;
        let length = rest.iter().position(|&byte| !is_in_name(byte));
        let end = length.map_or(self.bytes.len(), |length| start + length);
        let name = &self.bytes[start..end];
        let matters = name.eq_ignore_ascii_case(b"namespace")
            || (name.eq_ignore_ascii_case(b"import") && self.is_before_string(end));
        let is_known = !matters && self.bytes.get(end) != Some(&b'\\');
        self.at = end;
        is_known.then_some(())
    }

    /// Whether the next component behind `at` is a string.
    fn is_before_string(&self, mut at: usize) -> bool {
        loop {
            at = behind_spaces(self.bytes, at);
            if !self.bytes[at..].starts_with(b"/*") {
                return matches!(self.bytes.get(at), Some(b'"' | b'\''));
            }
            at = comment_end(self.bytes, at);
        }
    }

    /// An opening parenthesis at `at`; `None` if what it opens is a function whose strings may be references.
    fn parenthesis(&mut self, at: usize) -> Option<()> {
        if self.may_be_escaped(at) {
            return None;
        }
        if self.is_behind(b"url", at)? {
            return self.url(at);
        }
        let has_strings = self.is_behind(b"src", at)?
            || self.is_behind(b"image", at)?
            || self.is_behind(b"image-set", at)?
            || self.is_behind(b"-webkit-image-set", at)?;
        (!has_strings).then_some(())
    }

    /// Whether what opens at `at` is the function of that name; `None` if that cannot be told.
    #[inline]
    fn is_behind(&self, name: &[u8], at: usize) -> Option<bool> {
        let Some(start) = at.checked_sub(name.len()) else {
            return Some(false);
        };
        let (before, own) = self.bytes[..at].split_at(start);
        if !own.eq_ignore_ascii_case(name) {
            return Some(false);
        }
        match before.last() {
            // The end of "<!--" is no name.
            Some(b'-') if before.ends_with(b"<!--") => None,
            // A longer name, a hash or an at-keyword.
            Some(&byte) => Some(!is_in_name(byte) && !matches!(byte, b'#' | b'@')),
            None => Some(true),
        }
    }

    /// Whether an escape may be part of the name that ends at `end`.
    fn may_be_escaped(&self, end: usize) -> bool {
        let Some(escape) = self.escape else {
            return false;
        };
        if end - escape > LONGEST_NAME {
            return false;
        }
        // What is escaped is the byte behind the backslash; a byte behind that one which is in no name, and does not end
        // an escape, is between the two.
        let behind = self.bytes.get(escape + 2..end).unwrap_or_default();
        !behind
            .iter()
            .any(|&byte| !is_in_name(byte) && !is_space(byte))
    }

    /// The parenthesis at `at` behind "url".
    fn url(&mut self, at: usize) -> Option<()> {
        let start = behind_spaces(self.bytes, at + 1);
        match self.bytes.get(start) {
            Some(&quote @ (b'"' | b'\'')) => self.string(start, quote),
            _ => self.unquoted(start),
        }
    }

    /// The string at `start`, which `url(` begins with.
    fn string(&mut self, start: usize, quote: u8) -> Option<()> {
        let end = string_end(self.bytes, start + 1, quote);
        let quote = if quote == b'"' {
            Quote::Double
        } else {
            Quote::Single
        };
        self.reference(start + 1, &end, Notation::CssString(quote))
    }

    /// The unquoted url whose content begins at `start`.
    fn unquoted(&mut self, start: usize) -> Option<()> {
        let end = url_end(self.bytes, start);
        self.reference(start, &end, Notation::CssUrl)
    }

    /// The reference whose content begins at `start`, if it is not in a bad string or url.
    fn reference(&mut self, start: usize, end: &TokenEnd, notation: Notation) -> Option<()> {
        self.at = end.token;
        if !end.is_good {
            return Some(());
        }
        (self.found)(&CssReference {
            span: Span::new(start, end.content),
            notation,
            is_plain: end.is_plain,
        })
    }
}

/// Behind the url, good or bad, that stands at `start` of `text`.
pub(super) fn behind_url(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    // The function's name may hold escapes, but not of a parenthesis.
    let parenthesis = memchr_near(b'(', bytes, start).unwrap_or(bytes.len());
    url_end(bytes, behind_spaces(bytes, parenthesis + 1)).token
}

/// What ends the unquoted url whose first character would stand at `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.6 and 4.3.14.
fn url_end(bytes: &[u8], start: usize) -> TokenEnd {
    let mut content = None;
    let mut is_good = true;
    let mut is_plain = true;
    let mut at = start;
    let (end, token) = loop {
        at = behind_plain(bytes, at, |block| {
            let quotes = block.le(b' ').or(block.equal(b'"')).or(block.equal(b'\''));
            let parentheses = block.equal(b'(').or(block.equal(b')'));
            let others = block.equal(b'\\').or(block.equal(0x7f));
            quotes.or(parentheses).or(others)
        });
        match bytes.get(at) {
            None => break (at, at),
            Some(b')') => break (at, at + 1),
            Some(&byte) if is_space(byte) => {
                content = content.or(Some(at));
                at = behind_spaces(bytes, at);
                is_good &= matches!(bytes.get(at), None | Some(b')'));
                continue;
            }
            Some(b'\\') => {
                is_plain = false;
                if bytes.get(at + 1).is_none_or(|&byte| !is_newline(byte)) {
                    at = escape_end(bytes, at);
                    continue;
                }
                is_good = false;
            }
            Some(0) => is_plain = false,
            Some(b'"' | b'\'' | b'(' | 0x01..=0x1f | 0x7f) => is_good = false,
            Some(_) => {}
        }
        at += 1;
    };
    TokenEnd {
        content: content.unwrap_or(end),
        token,
        is_good,
        is_plain,
    }
}

/// The bytes that may matter.
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
