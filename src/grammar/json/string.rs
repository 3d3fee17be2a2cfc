//! Strings of a JSON text: decoding their content, and writing it.

use std::borrow::Cow;
use std::fmt::Write;

use crate::grammar::notation::{NonAscii, Notation};
use crate::grammar::token::{ReferenceToken, TokenBuilder};

/// Length in bytes of an escape by code unit, such as `\u00e9`.
const UNIT: usize = 6;

/// Decodes the string whose content begins at `start` of `text`, after the opening quotation mark.
///
/// The span of the token ends at the closing quotation mark. Returns `None` if the content is not that of a string.
///
/// # Source
/// RFC 8259 section 7. The RFC does not define unpaired escaped surrogates. They become U+FFFD here: `JSON.parse` keeps
/// them, and a URL parser then replaces them.
///
/// # Complexity
/// Linear in the length of the string; allocates only if there are escapes.
pub(crate) fn read(text: &str, start: usize) -> Option<ReferenceToken<'_>> {
    let rest = &text[start..];
    let bytes = rest.as_bytes();
    let mut token = TokenBuilder::new(rest, start);
    let mut pos = 0;
    loop {
        match bytes.get(pos)? {
            b'"' => return Some(token.finish(pos, Notation::JsonString)),
            b'\\' => {
                let (character, length) = unescape(&bytes[pos..])?;
                token.escape(pos, length, Some(character));
                pos += length;
            }
            // Control characters must be escaped.
            0..=0x1f => return None,
            _ => pos += 1,
        }
    }
}

/// Decodes the escape at the start of `bytes`. Returns its character and its length, or `None` if it is invalid.
fn unescape(bytes: &[u8]) -> Option<(char, usize)> {
    let character = match bytes.get(1)? {
        character @ (b'"' | b'\\' | b'/') => char::from(*character),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = code_unit(bytes)?;
            let alone = char::decode_utf16([first]).next()?;
            let Err(surrogate) = alone else {
                return alone.ok().map(|character| (character, UNIT));
            };
            // A high surrogate and an escaped low surrogate are one character. If they are not a pair, only the first
            // is replaced; the second escape is decoded by the next call.
            let pair = code_unit(&bytes[UNIT..]).and_then(|second| {
                char::decode_utf16([surrogate.unpaired_surrogate(), second])
                    .next()?
                    .ok()
            });
            return Some(match pair {
                Some(character) => (character, 2 * UNIT),
                None => (char::REPLACEMENT_CHARACTER, UNIT),
            });
        }
        _ => return None,
    };
    Some((character, 2))
}

/// Returns the code unit of the `\u` escape at the start of `bytes`, or `None` without such an escape.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

/// Returns `text` as it is written between the quotation marks of a string, borrowed if no character needs an escape.
///
/// `<` and `>` are escaped, too: JSON in HTML is the text of a SCRIPT element, in which no end tag and no comment may
/// arise. With [`NonAscii::Escaped`], the result is ASCII.
///
/// # Source
/// RFC 8259 section 7.
pub(crate) fn escape(text: &str, non_ascii: NonAscii) -> Cow<'_, str> {
    let is_literal = |character: char| match character {
        '"' | '\\' | '<' | '>' => false,
        _ if character.is_ascii() => !character.is_ascii_control(),
        _ => non_ascii == NonAscii::Literal,
    };
    if text.chars().all(is_literal) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + UNIT);
    for character in text.chars() {
        match character {
            _ if is_literal(character) => escaped.push(character),
            '"' | '\\' => escaped.extend(['\\', character]),
            // Characters beyond the basic multilingual plane are written as two surrogates.
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(escaped, "\\u{unit:04x}").expect("a String takes any text");
                }
            }
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn read_maps_escapes() {
        let token = read(r#"ab\"c\u00e9\ud83d\ude00d" rest"#, 0).expect("a string");
        assert_eq!(token.reference, "ab\"c\u{e9}\u{1f600}d");
        assert_eq!(token.span, Span::new(0, 24));
        for (text, source) in [
            (0, Some(0)),
            (2, Some(2)),
            (3, Some(4)),
            (4, Some(5)),
            (5, None),
            (6, Some(11)),
            (7, None),
            (10, Some(23)),
            (11, Some(24)),
        ] {
            assert_eq!(token.map.source(text), source, "{text}");
        }
    }

    #[test]
    fn read_decodes_the_content_of_a_string() {
        for (text, string) in [
            (r#"""#, Some("")),
            ("\u{e9}\u{7f}\u{2028}\"", Some("\u{e9}\u{7f}\u{2028}")),
            (
                r#"\"\\\/\b\f\n\r\t""#,
                Some("\"\\/\u{8}\u{c}\u{a}\u{d}\u{9}"),
            ),
            (r#"\u0000\u00E9\u00e9""#, Some("\0\u{e9}\u{e9}")),
            (r#"\uD83D\uDE00""#, Some("\u{1f600}")),
            (r#"\ud83d""#, Some("\u{fffd}")),
            (r#"\ud83dx""#, Some("\u{fffd}x")),
            (r#"\ud83d\n""#, Some("\u{fffd}\n")),
            (r#"\ude00\ud83d""#, Some("\u{fffd}\u{fffd}")),
            (r#"\ud83d\u0041""#, Some("\u{fffd}A")),
            (r#"\ud83d\ud83d\ude00""#, Some("\u{fffd}\u{1f600}")),
            ("", None),
            ("a", None),
            ("a\n\"", None),
            ("a\0\"", None),
            (r"\", None),
            (r#"\""#, None),
            (r#"\x""#, None),
            (r#"\u""#, None),
            (r#"\u+123""#, None),
            (r#"\u123""#, None),
            (r#"\ud83d\u12""#, None),
            ("\\\u{e9}\"", None),
        ] {
            let token = read(text, 0);
            let reference = token.as_ref().map(|token| &*token.reference);
            assert_eq!(reference, string, "{text:?}");
        }
    }

    #[test]
    fn read_copies_only_strings_with_escapes() {
        for (text, is_borrowed) in [("a\"", true), ("\"", true), (r#"\n""#, false)] {
            let token = read(text, 0).expect("a string");
            assert_eq!(
                matches!(token.reference, Cow::Borrowed(_)),
                is_borrowed,
                "{text:?}"
            );
        }
    }

    #[test]
    fn escape_writes_text_that_read_decodes() {
        for (text, all, ascii) in [
            ("http://h/?a=1&b='#", None, None),
            ("\u{e9}", None, Some(r"\u00e9")),
            ("\u{1f600}", None, Some(r"\ud83d\ude00")),
            (
                "\u{1}\n\u{7f}",
                Some(r"\u0001\u000a\u007f"),
                Some(r"\u0001\u000a\u007f"),
            ),
            (
                "a\"\\</script>",
                Some(r#"a\"\\\u003c/script\u003e"#),
                Some(r#"a\"\\\u003c/script\u003e"#),
            ),
            (
                "<!--\u{e9}",
                Some("\\u003c!--\u{e9}"),
                Some(r"\u003c!--\u00e9"),
            ),
        ] {
            for (non_ascii, expected) in [(NonAscii::Literal, all), (NonAscii::Escaped, ascii)] {
                let escaped = escape(text, non_ascii);
                assert_eq!(escaped, expected.unwrap_or(text), "{text:?}");
                assert_eq!(
                    matches!(escaped, Cow::Borrowed(_)),
                    expected.is_none(),
                    "{text:?}"
                );
                let quoted = format!("{escaped}\"");
                let token = read(&quoted, 0).expect("a string");
                assert_eq!(token.reference, text);
            }
        }
    }
}
