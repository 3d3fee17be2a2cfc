//! How a reference is written in a url or a string of CSS: reading it, and writing another.

use std::borrow::Cow;
use std::fmt::Write;

use crate::grammar::{Notation, ReferenceToken};
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
    fn character(self) -> char {
        match self {
            Self::Single => '\'',
            Self::Double => '"',
        }
    }
}

/// The reference in the unquoted url at `token` of `text`, or `None` if it is not `value`, the value that the token
/// has.
pub(super) fn url<'t>(text: &'t str, token: Span, value: &str) -> Option<ReferenceToken<'t>> {
    // The function's name may hold escapes, but not of a parenthesis.
    let name = text[token.start..token.end].find('(')?;
    let content = text[token.start + name + 1..token.end].trim_start_matches(is_white_space);
    let start = token.end - content.len();
    let written = read(content, start, Notation::CssUrl, |character| {
        character == ')' || is_white_space(character)
    });
    Some(written).filter(|written| written.reference == value)
}

/// The reference in the string at `token` of `text`, or `None` if it is not `value`, the value that the token has.
pub(super) fn string<'t>(text: &'t str, token: Span, value: &str) -> Option<ReferenceToken<'t>> {
    let quote = match text[token.start..token.end].chars().next()? {
        '\'' => Quote::Single,
        '"' => Quote::Double,
        _ => return None,
    };
    let start = token.start + 1;
    let content = &text[start..token.end];
    let notation = Notation::CssString(quote);
    let written = read(content, start, notation, |character| {
        character == quote.character()
    });
    Some(written).filter(|written| written.reference == value)
}

/// Whether it is white space. The standard replaces CR and form feed before it reads tokens; we keep all bytes, and so
/// they are newlines here.
///
/// # Source
/// CSS Syntax 3, 3.3 and 4.2, "whitespace".
fn is_white_space(character: char) -> bool {
    character == ' ' || character == '\t' || is_newline(character)
}

fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{c}')
}

/// The reference that `content` begins with, up to what ends it; `content` stands at `start`.
pub(super) fn read(
    content: &str,
    start: usize,
    notation: Notation,
    is_end: impl Fn(char) -> bool,
) -> ReferenceToken<'_> {
    let mut map = OffsetMap::new(start, 1);
    let mut decoded = String::new();
    // What stands for itself between two escapes begins here.
    let mut run = 0;
    let mut at = 0;
    while let Some(&byte) = content.as_bytes().get(at) {
        if byte != b'\\' && byte != 0 {
            if is_end(char::from(byte)) {
                break;
            }
            at += 1;
            continue;
        }
        let escape = CssEscape::read(&content[at..], notation);
        map.run(at - run);
        map.piece(escape.means.map_or(0, char::len_utf8), escape.length);
        decoded.push_str(&content[run..at]);
        decoded.extend(escape.means);
        at += escape.length;
        run = at;
    }
    map.run(at - run);
    let reference = if run == 0 {
        Cow::Borrowed(&content[..at])
    } else {
        decoded.push_str(&content[run..at]);
        Cow::Owned(decoded)
    };
    ReferenceToken {
        span: Span::new(start, start + at),
        reference,
        map,
        notation,
        construct: None,
    }
}

/// Characters that do not stand for themselves.
struct CssEscape {
    /// What they stand for, if for anything.
    means: Option<char>,
    /// Their length in bytes.
    length: usize,
}

impl CssEscape {
    /// The escape that `text` begins with, a backslash or a NUL.
    ///
    /// # Source
    /// CSS Syntax 3, 3.3 for NUL; 4.3.5 for strings, 4.3.6 for urls, 4.3.7 for escapes. None of this is an unescaped
    /// newline, which makes the token a bad one.
    fn read(text: &str, notation: Notation) -> Self {
        let Some(escaped) = text.strip_prefix('\\') else {
            return Self::new(char::REPLACEMENT_CHARACTER, 1);
        };
        match escaped.chars().next() {
            // The text ends here. In a string that is "do nothing", elsewhere an escaped code point.
            None if notation == Notation::CssUrl => Self::new(char::REPLACEMENT_CHARACTER, 1),
            None => Self {
                means: None,
                length: 1,
            },
            Some(newline) if is_newline(newline) => Self {
                means: None,
                length: 1 + newline_length(escaped),
            },
            Some(digit) if digit.is_ascii_hexdigit() => Self::read_hex(escaped),
            Some('\0') => Self::new(char::REPLACEMENT_CHARACTER, 2),
            Some(character) => Self::new(character, 1 + character.len_utf8()),
        }
    }

    /// The escape of which `digits` is the part behind the backslash.
    fn read_hex(digits: &str) -> Self {
        let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
        let count = digits.bytes().take(6).take_while(is_digit).count();
        let rest = &digits[count..];
        let space = match rest.chars().next() {
            Some(newline) if is_newline(newline) => newline_length(rest),
            Some(character) if is_white_space(character) => 1,
            _ => 0,
        };
        // Zero, surrogates and what is beyond Unicode become the replacement character.
        let means = u32::from_str_radix(&digits[..count], 16).ok();
        let means = means
            .and_then(char::from_u32)
            .filter(|&character| character != '\0');
        Self::new(
            means.unwrap_or(char::REPLACEMENT_CHARACTER),
            1 + count + space,
        )
    }

    fn new(means: char, length: usize) -> Self {
        Self {
            means: Some(means),
            length,
        }
    }
}

/// The length of the newline that `text` begins with: CR LF is one.
fn newline_length(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { 1 }
}

/// `text` written so that it stands for itself in a string with these quotes, or in an unquoted url if there are none.
///
/// `<` and `>` are escaped too, because what is around the CSS may be a STYLE element or a comment, which `</style` or
/// `-->` would end. With `ascii_only`, the result is in ASCII. Control characters need no escape in a string, unless
/// they are newlines, but are better seen.
///
/// # Source
/// CSSOM 1, "serialize a string" and "escape a character as code point"; CSS Syntax 3, 4.3.6 for what ends an unquoted
/// url or makes it a bad one. A NUL cannot be written and becomes U+FFFD, as the tokenizer would read it.
pub(in crate::grammar) fn escape(
    text: &str,
    quote: Option<Quote>,
    ascii_only: bool,
) -> Cow<'_, str> {
    let form = |character: char| match (character, quote) {
        (character, _) if character.is_ascii_control() => CssForm::Hex,
        ('<' | '>', _) => CssForm::Hex,
        ('\\', _) | (' ' | '"' | '\'' | '(' | ')', None) => CssForm::Backslash,
        (character, Some(quote)) if character == quote.character() => CssForm::Backslash,
        (character, _) if ascii_only && !character.is_ascii() => CssForm::Hex,
        _ => CssForm::Itself,
    };
    let Some(first) = text.find(|character| form(character) != CssForm::Itself) else {
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
            CssForm::Itself => escaped.push(character),
            CssForm::Backslash => escaped.extend(['\\', character]),
            // The space belongs to the escape: without it, what follows might.
            CssForm::Hex => {
                write!(escaped, "\\{:x} ", u32::from(character)).expect("a String takes any text");
            }
        }
    }
    Cow::Owned(escaped)
}

/// How a character is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssForm {
    Itself,
    Backslash,
    Hex,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved_and_mapped() {
        // "a", "\26 " for "&", "b", CR LF left out, "c", NUL, "\\" at the end.
        let text = "'a\\26 b\\\r\nc\0\\";
        let written = string(text, Span::new(0, text.len()), "a&bc\u{fffd}").expect("a string");
        assert_eq!(written.span, Span::new(1, text.len()));
        for (reference, source) in [(0, 1), (1, 2), (2, 6), (3, 7), (4, 11), (7, 12)] {
            assert_eq!(written.map.source(reference), Some(source), "{reference}");
        }
        assert_eq!(written.map.source(5), None);
        assert_eq!(
            written.map.source_span(Span::new(1, 2)),
            Some(Span::new(2, 6))
        );
    }

    #[test]
    fn escapes_of_a_url() {
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
            let written = url(text, Span::new(0, text.len()), reference).expect(text);
            assert_eq!(&text[written.span.start..written.span.end], source);
            let is_borrowed = matches!(written.reference, Cow::Borrowed(_));
            assert_eq!(is_borrowed, reference == source, "{text}");
        }
    }

    #[test]
    fn a_value_that_we_read_otherwise_is_no_reference() {
        assert_eq!(url("url(a)", Span::new(0, 6), "b"), None);
        assert_eq!(string("'a'", Span::new(0, 3), "b"), None);
    }

    #[test]
    fn what_would_not_stand_for_itself_is_escaped() {
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
            assert_eq!(escape(text, quote, false), expected, "{text:?} {quote:?}");
        }
        assert_eq!(escape("\u{e9}a\0", double, true), "\\e9 a\\fffd ");
        assert!(matches!(escape("a b", single, true), Cow::Borrowed(_)));
    }
}
