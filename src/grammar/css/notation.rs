//! References in strings and unquoted urls of CSS: decoding their escapes, and writing others.

use std::borrow::Cow;
use std::fmt::Write;

use crate::grammar::{NonAscii, Notation, ReferenceToken};
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// The quotes around a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// `'`
    Single,
    /// `"`
    Double,
}

impl Quote {
    /// Returns the quotation mark.
    fn character(self) -> char {
        match self {
            Self::Single => '\'',
            Self::Double => '"',
        }
    }
}

/// Returns the reference in the unquoted url token at `span` of `text`, whose value is `value` according to
/// `cssparser`.
///
/// Returns `None` if it differs from `value`, the value of the token by `cssparser`.
pub(super) fn url<'t>(text: &'t str, span: Span, value: &str) -> Option<ReferenceToken<'t>> {
    // The name of the function may contain escapes, but not an escaped parenthesis, which would be part of the name.
    let name_length = text[span.start..span.end].find('(')?;
    let content = text[span.start + name_length + 1..span.end].trim_start_matches(is_white_space);
    // `content` is a suffix of the token.
    let start = span.end - content.len();
    let token = read(content, start, Notation::CssUrl, |character| {
        character == ')' || is_white_space(character)
    });
    Some(token).filter(|token| token.reference == value)
}

/// Returns the reference in the string token at `span` of `text`, whose value is `value` according to `cssparser`.
///
/// Returns `None` if it differs from `value`, the value of the token by `cssparser`.
pub(super) fn string<'t>(text: &'t str, span: Span, value: &str) -> Option<ReferenceToken<'t>> {
    let quote = match text[span.start..span.end].chars().next()? {
        '\'' => Quote::Single,
        '"' => Quote::Double,
        _ => return None,
    };
    let start = span.start + 1;
    let content = &text[start..span.end];
    let notation = Notation::CssString(quote);
    let token = read(content, start, notation, |character| {
        character == quote.character()
    });
    Some(token).filter(|token| token.reference == value)
}

/// Returns whether `character` is white space.
///
/// The standard replaces CR and form feed by newlines before it reads tokens. All bytes are kept here, so both are
/// newlines.
///
/// # Source
/// CSS Syntax 3, 3.3 and 4.2, "whitespace".
fn is_white_space(character: char) -> bool {
    character == ' ' || character == '\t' || is_newline(character)
}

/// Returns whether `character` is a newline; see [`is_white_space`] for CR and form feed.
fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{c}')
}

/// Decodes the reference at the beginning of `content`, up to the first unescaped character that satisfies `is_end`.
///
/// `start` is the offset of `content` in the text. `is_end` must be false for characters that are not ASCII, because it
/// is called with single bytes.
pub(super) fn read(
    content: &str,
    start: usize,
    notation: Notation,
    is_end: impl Fn(char) -> bool,
) -> ReferenceToken<'_> {
    let mut map = OffsetMap::new(start, 1);
    let mut decoded = String::new();
    // Start of the literal text since the last escape.
    let mut run_start = 0;
    let mut pos = 0;
    while let Some(&byte) = content.as_bytes().get(pos) {
        if byte != b'\\' && byte != 0 {
            if is_end(char::from(byte)) {
                break;
            }
            pos += 1;
            continue;
        }
        let escape = CssEscape::read(&content[pos..], notation);
        map.run(pos - run_start);
        map.piece(escape.character.map_or(0, char::len_utf8), escape.length);
        decoded.push_str(&content[run_start..pos]);
        decoded.extend(escape.character);
        pos += escape.length;
        run_start = pos;
    }
    map.run(pos - run_start);
    // Without an escape, the run still begins at 0, and nothing was copied.
    let reference = if run_start == 0 {
        Cow::Borrowed(&content[..pos])
    } else {
        decoded.push_str(&content[run_start..pos]);
        Cow::Owned(decoded)
    };
    ReferenceToken {
        span: Span::new(start, start + pos),
        reference,
        map,
        notation,
        construct: None,
    }
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
            Some(newline) if is_newline(newline) => Self {
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
        let space = match rest.chars().next() {
            Some(newline) if is_newline(newline) => newline_length(rest),
            Some(character) if is_white_space(character) => 1,
            _ => 0,
        };
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

/// Returns the length of the newline that `text` must begin with; CR LF is one newline.
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
        (character, Some(quote)) if character == quote.character() => CssForm::Backslash,
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

    #[test]
    fn string_decodes_and_maps_escapes() {
        // "a", "\26 " for "&", "b", an escaped CR LF, "c", NUL, "\\" at the end.
        let text = "'a\\26 b\\\r\nc\0\\";
        let token = string(text, Span::new(0, text.len()), "a&bc\u{fffd}").expect("a string");
        assert_eq!(token.span, Span::new(1, text.len()));
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
    fn url_decodes_escapes() {
        for (text, reference, source) in [
            ("url(a)", "a", "a"),
            ("url(\t\r\n a \u{c})", "a", "a"),
            ("\\75 rl(a\\)\\ \\(b)", "a) (b", "a\\)\\ \\(b"),
            ("url(\\41\r\nb)", "Ab", "\\41\r\nb"),
            ("url(\\0041 b)", "Ab", "\\0041 b"),
            ("url(\\0000411)", "A1", "\\0000411"),
            (
                "url(\\0 \\d800 \\110000 )",
                "\u{fffd}\u{fffd}\u{fffd}",
                "\\0 \\d800 \\110000 ",
            ),
            ("url(\\\0\0)", "\u{fffd}\u{fffd}", "\\\0\0"),
            ("url(a\\", "a\u{fffd}", "a\\"),
            ("url(\\\u{e9})", "\u{e9}", "\\\u{e9}"),
            ("url(  ", "", ""),
        ] {
            let token = url(text, Span::new(0, text.len()), reference).expect(text);
            assert_eq!(&text[token.span.start..token.span.end], source);
            let is_borrowed = matches!(token.reference, Cow::Borrowed(_));
            assert_eq!(is_borrowed, reference == source, "{text}");
        }
    }

    #[test]
    fn url_and_string_reject_a_different_value() {
        assert_eq!(url("url(a)", Span::new(0, 6), "b"), None);
        assert_eq!(string("'a'", Span::new(0, 3), "b"), None);
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
