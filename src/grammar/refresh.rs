//! The content of `<meta http-equiv=refresh>` (and the value of the header `Refresh`): a time and perhaps a URL.

use crate::grammar::cursor::Cursor;
use crate::grammar::single::{is_trimmed, trimmed};
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// The URL that the page is refreshed to, or `None` if there is none or the value is an error.
///
/// Neither quotation marks nor white space around the URL are part of it (the URL parser would strip the latter).
/// Behind `url=` and between quotation marks it may be empty.
///
/// # Source
/// HTML, "shared declarative refresh steps", from step 2 up to where step 11 parses the URL.
pub(crate) fn refresh(value: &str) -> Option<ReferenceToken<'_>> {
    let is_digit = |next: char| next.is_ascii_digit();
    // Step 2.
    let mut cursor = Cursor::new(value);
    // Step 3.
    cursor.skip_white_space();
    // Steps 4 to 7: the time. Without digits it must at least begin with a full stop.
    if cursor.collect(is_digit).is_empty() && cursor.peek() != Some('.') {
        return None;
    }
    // Step 8: a fraction, which is ignored.
    cursor.collect(|next| is_digit(next) || next == '.');
    // Step 10: what parts the time from the URL.
    let mut opening = Opening::WhiteSpace;
    if let Some(next) = cursor.peek() {
        // Step 10.1.
        if !is_delimiter(next) && !next.is_ascii_whitespace() {
            return None;
        }
        // Step 10.2.
        cursor.skip_white_space();
        // Step 10.3.
        if cursor.take(is_delimiter) {
            opening = Opening::Delimiter;
        }
        // Step 10.4.
        cursor.skip_white_space();
    }
    // Step 11: there is a URL if there is anything.
    cursor.peek()?;
    // Steps 11.1 to 11.7: what begins with `url` but has no equals sign is a URL from there on.
    if let Some(behind) = behind_key(cursor) {
        cursor = behind;
        opening = Opening::Key;
    }
    // Step 11.8: skip quotes.
    if let Some(quote) = cursor.peek().filter(|&next| is_quote(next)) {
        cursor.advance();
        opening = Opening::Quote(quote);
    }
    // Steps 11.9 and 11.10: up to the quotation mark, or to the end if there is none.
    let url = match opening {
        Opening::Quote(quote) => cursor.collect(|next| next != quote),
        _ => cursor.rest(),
    };
    // Step 11.11: parse.
    let url: Span = trimmed(value, url);
    Some(ReferenceToken::plain(
        value,
        url,
        Notation::Refresh(opening),
    ))
}

/// What stands right before the URL of a refresh, white space aside; it decides what may stand there instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// Nothing but white space, and the time before it.
    WhiteSpace,
    /// A semicolon or a comma.
    Delimiter,
    /// `url=`.
    Key,
    /// A quotation mark, whether there is another behind the URL or not.
    Quote(char),
}

/// Whether `text` can be the whole URL behind `opening`.
///
/// There must be no white space at its ends, which would not be part of it, and no quotation mark that would be
/// taken for one around it or for the end. Where there is no `url=` it must not be empty (there would be no URL) nor
/// begin with what reads as `url=`; and with white space alone before it, not with what would be taken for the
/// delimiter.
pub(super) fn may_contain(opening: Opening, text: &str) -> bool {
    let is_bare_url = || {
        !text.is_empty() && !text.starts_with(is_quote) && behind_key(Cursor::new(text)).is_none()
    };
    let fits = match opening {
        Opening::WhiteSpace => is_bare_url() && !text.starts_with(is_delimiter),
        Opening::Delimiter => is_bare_url(),
        Opening::Key => !text.starts_with(is_quote),
        Opening::Quote(quote) => !text.contains(quote),
    };
    fits && is_trimmed(text)
}

/// Steps 11.2 to 11.7: the position behind `url`, the equals sign and white space, or `None` if they are not all there.
fn behind_key(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    // Steps 11.2 to 11.4.
    for letter in ['u', 'r', 'l'] {
        if !cursor.take(|next| next.eq_ignore_ascii_case(&letter)) {
            return None;
        }
    }
    // Step 11.5.
    cursor.skip_white_space();
    // Step 11.6.
    if !cursor.take(|next| next == '=') {
        return None;
    }
    // Step 11.7.
    cursor.skip_white_space();
    Some(cursor)
}

fn is_delimiter(character: char) -> bool {
    matches!(character, ';' | ',')
}

fn is_quote(character: char) -> bool {
    matches!(character, '\'' | '"')
}

#[cfg(test)]
#[path = "refresh_tests.rs"]
mod tests;
