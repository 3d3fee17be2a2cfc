//! The tokens of CSS that matter to the reader: their ends, in bytes.
//!
//! cssparser has them, too, but its positions and values are those of whole tokens. Here, the content of a string or
//! url is needed with its span, and the rest of a text is skipped without tokens. The tests compare the two.
//!
//! The standard replaces CR, form feed and CR LF by newlines and NUL by U+FFFD before it reads tokens. All bytes are
//! kept here, so each function treats them as if they were replaced.

use crate::find::{Block, WIDTH, memchr_near};
use crate::grammar::notation::{Notation, Quote};
use crate::span::Span;

/// A string or an unquoted url, valid or bad.
pub(super) struct CssContent {
    /// The content, without delimiters and the white space around it.
    pub(super) span: Span,
    /// Offset after the whole token, or after the remnants of a bad one.
    pub(super) token_end: usize,
    pub(super) notation: Notation,
    /// Whether the token is a string or url, not a bad string or bad url.
    pub(super) is_valid: bool,
    /// Whether every character of the content is literal.
    pub(super) is_literal: bool,
}

/// Returns the string that begins with `quote` at `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.5.
pub(super) fn string(bytes: &[u8], start: usize, quote: Quote) -> CssContent {
    let delimiter = quote.byte();
    let mut is_literal = true;
    let mut pos = start + 1;
    let (token_end, is_valid) = loop {
        // Stops at the quote, at a backslash and at all control characters up to CR, which include newlines and NUL.
        pos = skip_to(bytes, pos, |block| {
            let control = block.le(b'\x0d');
            control.or(block.equal(delimiter)).or(block.equal(b'\\'))
        });
        match bytes.get(pos) {
            // A string that the text ends in is valid.
            None => break (pos, true),
            Some(b'\\') => {
                is_literal = false;
                pos = escape_end(bytes, pos);
            }
            Some(&byte) if byte == delimiter => break (pos + 1, true),
            // A bad string. The newline is not part of it.
            Some(&byte) if is_newline(byte) => break (pos, false),
            // NUL is read as U+FFFD; the other control characters are literal.
            Some(&byte) => {
                is_literal &= byte != 0;
                pos += 1;
            }
        }
    };
    CssContent {
        span: Span::new(start + 1, pos),
        token_end,
        notation: Notation::CssString(quote),
        is_valid,
        is_literal,
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
        Some(&byte) if end == start || byte.is_ascii_whitespace() => end + 1,
        _ => end,
    }
}

/// Returns whether `byte` is a newline before CSS's preprocessing, which replaces CR and form feed.
pub(super) fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\x0c')
}

/// Returns the offset of the first byte from `pos` on that is not white space.
pub(super) fn skip_white_space(bytes: &[u8], mut pos: usize) -> usize {
    while bytes.get(pos).is_some_and(u8::is_ascii_whitespace) {
        pos += 1;
    }
    pos
}

/// Returns whether a valid escape begins at `pos`, outside strings.
///
/// # Source
/// CSS Syntax 3, 4.3.8. The end of the text counts: it is escaped as U+FFFD.
pub(super) fn is_escape(bytes: &[u8], pos: usize) -> bool {
    let is_newline_next = || bytes.get(pos + 1).is_some_and(|&byte| is_newline(byte));
    bytes.get(pos) == Some(&b'\\') && !is_newline_next()
}

/// Returns whether an identifier begins at `pos`.
///
/// # Source
/// CSS Syntax 3, 4.3.9.
pub(super) fn is_identifier(bytes: &[u8], pos: usize) -> bool {
    let begins = |pos| {
        let byte = bytes.get(pos).copied().unwrap_or(b' ');
        (is_in_name(byte) && byte != b'-' && !byte.is_ascii_digit()) || is_escape(bytes, pos)
    };
    match bytes.get(pos) {
        Some(b'-') => bytes.get(pos + 1) == Some(&b'-') || begins(pos + 1),
        _ => begins(pos),
    }
}

/// Returns the offset after the name, or the rest of it, that begins at `pos`.
///
/// # Source
/// CSS Syntax 3, 4.3.11.
pub(super) fn name_end(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        if is_escape(bytes, pos) {
            pos = escape_end(bytes, pos);
        } else if bytes.get(pos).is_some_and(|&byte| is_in_name(byte)) {
            pos += 1;
        } else {
            return pos;
        }
    }
}

/// Returns whether an unescaped `byte` is part of a name.
///
/// # Source
/// CSS Syntax 3, 4.2, "ident code point". U+0000 counts, because it is read as U+FFFD.
pub(super) fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0 | 0x80..)
}

/// Returns the offset after the comment that begins at `start`.
pub(super) fn comment_end(bytes: &[u8], start: usize) -> usize {
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

/// Returns the unquoted url whose parenthesis ends before `start`.
///
/// # Source
/// CSS Syntax 3, 4.3.6 and 4.3.14.
pub(super) fn url(bytes: &[u8], start: usize) -> CssContent {
    let start = skip_white_space(bytes, start);
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
            Some(&byte) if byte.is_ascii_whitespace() => {
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
    CssContent {
        span: Span::new(start, content_end.unwrap_or(end)),
        token_end,
        notation: Notation::CssUrl,
        is_valid,
        is_literal,
    }
}
