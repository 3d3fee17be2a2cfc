//! Strings of a JSON text: what stands between the quotes, there and back.

use std::borrow::Cow;
use std::fmt::Write;

use crate::grammar::{Notation, ReferenceToken};
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// Bytes of an escape by code unit: `\u00e9`.
const UNIT: usize = 6;

/// Reads the string whose first character, behind the opening quote, stands at `start` of `text`; the span goes up to
/// the closing quote. `None` if it is not a string.
///
/// # Source
/// RFC 8259 section 7. An escaped surrogate without its other half, which the RFC leaves open, becomes U+FFFD: that is
/// what a URL parser makes of what `JSON.parse` makes of it.
///
/// # Complexity
/// Linear in the length of the string; allocates only if there are escapes.
pub(super) fn read(text: &str, start: usize) -> Option<ReferenceToken<'_>> {
    let bytes = text.as_bytes();
    let mut map = OffsetMap::new(start, 1);
    let mut decoded = String::new();
    // Where the text that stands for itself, up to `at`, begins.
    let mut run = start;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => break,
            b'\\' => {
                let (character, length) = unescape(&bytes[at..])?;
                decoded.push_str(&text[run..at]);
                decoded.push(character);
                map.run(at - run);
                map.piece(character.len_utf8(), length);
                at += length;
                run = at;
            }
            0..=0x1f => return None,
            _ => at += 1,
        }
    }
    map.run(at - run);
    let reference = if run == start {
        Cow::Borrowed(&text[start..at])
    } else {
        decoded.push_str(&text[run..at]);
        Cow::Owned(decoded)
    };
    Some(ReferenceToken {
        span: Span::new(start, at),
        reference,
        map,
        notation: Notation::JsonString,
        construct: None,
    })
}

/// What the escape at the start of `bytes` stands for, and its length.
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

/// The code unit that `bytes` begin with, if they begin with an escape by code unit.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

/// `text` as it is written between the quotes of a string, with nothing but ASCII if that is asked for.
///
/// `<` and `>` are escaped as well: JSON in HTML stands in a `SCRIPT` element, where neither an end tag nor a comment
/// may arise.
///
/// # Source
/// RFC 8259 section 7.
pub(crate) fn escape(text: &str, ascii_only: bool) -> Cow<'_, str> {
    let is_literal = |character: char| match character {
        '"' | '\\' | '<' | '>' => false,
        _ if character.is_ascii() => !character.is_ascii_control(),
        _ => !ascii_only,
    };
    if text.chars().all(is_literal) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + UNIT);
    for character in text.chars() {
        match character {
            _ if is_literal(character) => escaped.push(character),
            '"' | '\\' => escaped.extend(['\\', character]),
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

    #[test]
    fn escapes_are_pieces() {
        let written = read(r#"ab\"c\u00e9\ud83d\ude00d" rest"#, 0).expect("a string");
        assert_eq!(written.reference, "ab\"c\u{e9}\u{1f600}d");
        assert_eq!(written.span, Span::new(0, 24));
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
            assert_eq!(written.map.source(text), source, "{text}");
        }
    }

    #[test]
    fn what_stands_between_the_quotes() {
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
            let read = read(text, 0);
            let reference = read.as_ref().map(|written| &*written.reference);
            assert_eq!(reference, string, "{text:?}");
        }
    }

    #[test]
    fn only_strings_with_escapes_are_copied() {
        for (text, is_borrowed) in [("a\"", true), ("\"", true), (r#"\n""#, false)] {
            let written = read(text, 0).expect("a string");
            assert_eq!(
                matches!(written.reference, Cow::Borrowed(_)),
                is_borrowed,
                "{text:?}"
            );
        }
    }

    #[test]
    fn text_is_escaped_where_it_must_be() {
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
            for (ascii_only, expected) in [(false, all), (true, ascii)] {
                let escaped = escape(text, ascii_only);
                assert_eq!(escaped, expected.unwrap_or(text), "{text:?}");
                assert_eq!(
                    matches!(escaped, Cow::Borrowed(_)),
                    expected.is_none(),
                    "{text:?}"
                );
                let quoted = format!("{escaped}\"");
                let written = read(&quoted, 0).expect("a string");
                assert_eq!(written.reference, text);
            }
        }
    }
}
