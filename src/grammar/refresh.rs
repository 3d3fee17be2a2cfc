//! The content of `<meta http-equiv=refresh>` (and the value of the header `Refresh`): a time and perhaps a URL.

use crate::grammar::cursor::Cursor;
use crate::grammar::notation::{Notation, Opening};
use crate::grammar::single::{is_trimmed, trim_span};
use crate::grammar::token::ReferenceToken;
use crate::span::Span;

/// Returns the URL to which the page is refreshed, or `None` if there is none or the value is invalid.
///
/// Quotation marks and white space around the URL are not part of it (the URL parser would strip the latter). After
/// `url=` and between quotation marks the URL may be empty.
///
/// # Source
/// HTML, "shared declarative refresh steps", from step 2 up to where step 11 parses the URL.
pub(crate) fn refresh(value: &str) -> Option<ReferenceToken<'_>> {
    let is_digit = |next: char| next.is_ascii_digit();
    // Step 2: the position variable.
    let mut cursor = Cursor::new(value);
    // Step 3: skip white space.
    cursor.skip_white_space();
    // Steps 4 to 7: the time. Without digits, it must begin with a full stop.
    if cursor.collect(is_digit).is_empty() && cursor.peek() != Some('.') {
        return None;
    }
    // Step 8: a fraction, which is ignored.
    cursor.collect(|next| is_digit(next) || next == '.');
    // Step 10: the separator between time and URL.
    let mut opening = Opening::WhiteSpace;
    if let Some(next) = cursor.peek() {
        // Step 10.1: any other character is an error.
        if !is_delimiter(next) && !next.is_ascii_whitespace() {
            return None;
        }
        // Step 10.2: skip white space.
        cursor.skip_white_space();
        // Step 10.3: skip one semicolon or comma.
        if cursor.take(is_delimiter) {
            opening = Opening::Delimiter;
        }
        // Step 10.4: skip white space.
        cursor.skip_white_space();
    }
    // Step 11: there is a URL unless the value ends here.
    cursor.peek()?;
    // Steps 11.1 to 11.7: skip `url=`. Text that begins with `url` without an equals sign is the URL itself.
    if let Some(after_key) = skip_key(cursor) {
        cursor = after_key;
        opening = Opening::Key;
    }
    // Step 11.8: skip an opening quotation mark.
    if let Some(quote) = cursor.peek().filter(|&next| is_quote(next)) {
        cursor.advance();
        opening = Opening::Quote(quote);
    }
    // Steps 11.9 and 11.10: the URL ends at the same quotation mark, or at the end of the value without one.
    let url = match opening {
        Opening::Quote(quote) => cursor.collect(|next| next != quote),
        _ => cursor.rest(),
    };
    // Step 11.11: the URL parser, which strips white space at both ends.
    let url: Span = trim_span(value, url);
    Some(ReferenceToken::literal(
        value,
        url,
        Notation::Refresh(opening),
    ))
}

/// Returns whether `text` can be the whole URL after `opening`.
///
/// * It must not have white space at its ends, which would not be part of it.
/// * Between quotation marks it must not contain that quotation mark; otherwise it must not begin with one.
/// * Without `url=` or a quotation mark before it, it must not be empty (there would be no URL) or begin with `url=`.
/// * With only white space before it, it must not begin with a delimiter either.
pub(super) fn can_represent(opening: Opening, text: &str) -> bool {
    let is_bare_url =
        || !text.is_empty() && !text.starts_with(is_quote) && skip_key(Cursor::new(text)).is_none();
    let fits = match opening {
        Opening::WhiteSpace => is_bare_url() && !text.starts_with(is_delimiter),
        Opening::Delimiter => is_bare_url(),
        Opening::Key => !text.starts_with(is_quote),
        Opening::Quote(quote) => !text.contains(quote),
    };
    fits && is_trimmed(text)
}

/// Returns the position after `url`, an equals sign and white space: steps 11.2 to 11.7. Returns `None` without them.
fn skip_key(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    // Steps 11.2 to 11.4: `u`, `r`, `l` in any case.
    for letter in ['u', 'r', 'l'] {
        if !cursor.take(|next| next.eq_ignore_ascii_case(&letter)) {
            return None;
        }
    }
    // Step 11.5: skip white space.
    cursor.skip_white_space();
    // Step 11.6: an equals sign.
    if !cursor.take(|next| next == '=') {
        return None;
    }
    // Step 11.7: skip white space.
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
