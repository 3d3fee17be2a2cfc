//! References in strings and unquoted urls of CSS: decoding their escapes, and writing others.

use std::borrow::Cow;
use std::fmt::Write;

use memchr::memchr2;

use crate::grammar::notation::{NonAscii, Notation, Quote};
use crate::grammar::token::{ReferenceToken, TokenBuilder};

/// Decodes `content`, the whole content of a string or an unquoted url. `start` is its offset in the text.
pub(super) fn read(content: &str, start: usize, notation: Notation) -> ReferenceToken<'_> {
    let mut token = TokenBuilder::new(content, start);
    let mut pos = 0;
    while let Some(length) = memchr2(b'\\', 0, &content.as_bytes()[pos..]) {
        pos += length;
        let escape = CssEscape::read(&content[pos..], notation);
        token.escape(pos, escape.length, escape.character);
        pos += escape.length;
    }
    token.finish(content.len(), notation)
}

/// An escape, or a NUL, which is read as if it were one.
struct CssEscape {
    /// The decoded character; `None` if the escape produces none, as an escaped newline does.
    character: Option<char>,
    /// Length of the escape in bytes.
    length: usize,
}

impl CssEscape {
    /// Decodes the escape at the beginning of `text`, which must begin with a backslash or a NUL.
    ///
    /// # Source
    /// CSS Syntax 3, 3.3 for NUL; 4.3.5 for strings, 4.3.6 for urls, 4.3.7 for escapes. An unescaped newline cannot
    /// occur here, because it makes the token a bad one.
    fn read(text: &str, notation: Notation) -> Self {
        let Some(escaped) = text.strip_prefix('\\') else {
            return Self::new(char::REPLACEMENT_CHARACTER, 1);
        };
        match escaped.chars().next() {
            // The text ends after the backslash. In a url, this escapes U+FFFD; in a string, it escapes nothing ("do
            // nothing").
            None if notation == Notation::CssUrl => Self::new(char::REPLACEMENT_CHARACTER, 1),
            None => Self {
                character: None,
                length: 1,
            },
            Some('\n' | '\r' | '\u{c}') => Self {
                character: None,
                length: 1 + newline_length(escaped),
            },
            Some(digit) if digit.is_ascii_hexdigit() => Self::read_hex(escaped),
            Some('\0') => Self::new(char::REPLACEMENT_CHARACTER, 2),
            Some(character) => Self::new(character, 1 + character.len_utf8()),
        }
    }

    /// Decodes an escape by code point. `digits` is the text after the backslash.
    fn read_hex(digits: &str) -> Self {
        // One to six digits and at most one white space character, where CR LF is one.
        let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
        let count = digits.bytes().take(6).take_while(is_digit).count();
        let rest = &digits[count..];
        let has_space = rest.starts_with(|next: char| next.is_ascii_whitespace());
        let space = if has_space { newline_length(rest) } else { 0 };
        // Zero, surrogates and numbers beyond Unicode become the replacement character.
        let number = u32::from_str_radix(&digits[..count], 16).ok();
        let character = number
            .and_then(char::from_u32)
            .filter(|&character| character != '\0');
        Self::new(
            character.unwrap_or(char::REPLACEMENT_CHARACTER),
            1 + count + space,
        )
    }

    /// Creates an escape of `length` bytes that produces `character`.
    fn new(character: char, length: usize) -> Self {
        Self {
            character: Some(character),
            length,
        }
    }
}

/// Returns the length of the white space character that `text` must begin with; CR LF is one newline.
fn newline_length(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { 1 }
}

/// Returns `text` as it is written in a string with these quotes, or in an unquoted url if `quote` is `None`.
///
/// The result is borrowed if no character needs an escape. `<` and `>` are always escaped, because the CSS may be in a
/// STYLE element or a comment, which `</style` or `-->` would end. In a string only newlines need an escape among the
/// control characters, but all are escaped to make them visible. With [`NonAscii::Escaped`], the result is ASCII.
///
/// # Source
/// CSSOM 1, "serialize a string" and "escape a character as code point"; CSS Syntax 3, 4.3.6 for what ends an unquoted
/// url or makes it a bad one. A NUL cannot be written and becomes U+FFFD, as the tokenizer would read it.
pub(in crate::grammar) fn escape(
    text: &str,
    quote: Option<Quote>,
    non_ascii: NonAscii,
) -> Cow<'_, str> {
    let form = |character: char| match (character, quote) {
        (character, _) if character.is_ascii_control() => CssForm::Hex,
        ('<' | '>', _) => CssForm::Hex,
        ('\\', _) | (' ' | '"' | '\'' | '(' | ')', None) => CssForm::Backslash,
        (character, Some(quote)) if character == char::from(quote.byte()) => CssForm::Backslash,
        (character, _) if non_ascii == NonAscii::Escaped && !character.is_ascii() => CssForm::Hex,
        _ => CssForm::Literal,
    };
    let Some(first) = text.find(|character| form(character) != CssForm::Literal) else {
        return Cow::Borrowed(text);
    };
    let mut escaped = String::with_capacity(text.len() + 8);
    escaped.push_str(&text[..first]);
    for character in text[first..].chars() {
        let character = match character {
            '\0' => char::REPLACEMENT_CHARACTER,
            character => character,
        };
        match form(character) {
            CssForm::Literal => escaped.push(character),
            CssForm::Backslash => escaped.extend(['\\', character]),
            // The space ends the escape: without it, a digit or white space that follows would become part of it.
            CssForm::Hex => {
                write!(escaped, "\\{:x} ", u32::from(character)).expect("a String takes any text");
            }
        }
    }
    Cow::Owned(escaped)
}

/// The form in which a character is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssForm {
    /// Literal.
    Literal,
    /// After a backslash.
    Backslash,
    /// As an escape by code point.
    Hex,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn read_decodes_and_maps_escapes_of_strings() {
        // "a", "\26 " for "&", "b", an escaped CR LF, "c", NUL, "\\" at the end.
        let content = "a\\26 b\\\r\nc\0\\";
        let token = read(content, 1, Notation::CssString(Quote::Single));
        assert_eq!(token.reference, "a&bc\u{fffd}");
        assert_eq!(token.span, Span::new(1, 1 + content.len()));
        for (reference, source) in [(0, 1), (1, 2), (2, 6), (3, 7), (4, 11), (7, 12)] {
            assert_eq!(token.map.source(reference), Some(source), "{reference}");
        }
        assert_eq!(token.map.source(5), None);
        assert_eq!(
            token.map.source_span(Span::new(1, 2)),
            Some(Span::new(2, 6))
        );
    }

    #[test]
    fn read_decodes_escapes_of_urls() {
        for (content, reference) in [
            ("a", "a"),
            ("a\\)\\ \\(b", "a) (b"),
            ("\\41\r\nb", "Ab"),
            ("\\0041 b", "Ab"),
            ("\\0000411", "A1"),
            ("\\0 \\d800 \\110000 ", "\u{fffd}\u{fffd}\u{fffd}"),
            ("\\\0\0", "\u{fffd}\u{fffd}"),
            ("a\\", "a\u{fffd}"),
            ("\\\u{e9}", "\u{e9}"),
            ("", ""),
        ] {
            let token = read(content, 4, Notation::CssUrl);
            assert_eq!(token.reference, reference);
            assert_eq!(token.span, Span::new(4, 4 + content.len()));
            let is_borrowed = matches!(token.reference, Cow::Borrowed(_));
            assert_eq!(is_borrowed, reference == content, "{content}");
        }
    }

    #[test]
    fn escape_writes_what_is_not_literal() {
        let (single, double) = (Some(Quote::Single), Some(Quote::Double));
        for (text, quote, expected) in [
            ("http://h/?a=b&c#d", None, "http://h/?a=b&c#d"),
            (" a'b\"c(d)e\\f", None, "\\ a\\'b\\\"c\\(d\\)e\\\\f"),
            (" a'b\"c(d)e\\f", single, " a\\'b\"c(d)e\\\\f"),
            (" a'b\"c(d)e\\f", double, " a'b\\\"c(d)e\\\\f"),
            ("</style>", single, "\\3c /style\\3e "),
            ("-->", None, "--\\3e "),
            ("\n\r\u{c}\t\u{7f}", None, "\\a \\d \\c \\9 \\7f "),
            ("\n", double, "\\a "),
            ("a\0b", double, "a\u{fffd}b"),
            ("\u{e9}", None, "\u{e9}"),
        ] {
            assert_eq!(
                escape(text, quote, NonAscii::Literal),
                expected,
                "{text:?} {quote:?}"
            );
        }
        assert_eq!(
            escape("\u{e9}a\0", double, NonAscii::Escaped),
            "\\e9 a\\fffd "
        );
        assert!(matches!(
            escape("a b", single, NonAscii::Escaped),
            Cow::Borrowed(_)
        ));
    }
}
