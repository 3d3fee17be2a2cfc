//! Character references in attribute values and text: decoding, with a map back, and writing.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::{memchr_iter, memchr2, memchr3};

use super::tag::Quoting;
use crate::offset_map::OffsetMap;

/// A value as the parser sees it, and where each byte of it comes from.
pub(crate) struct DecodedValue<'t> {
    /// The value as written.
    pub(crate) raw: &'t str,
    /// Where the raw value begins in the text it was cut from.
    pub(crate) start: usize,
    /// The value: character references decoded, line breaks line feeds.
    pub(crate) text: Cow<'t, str>,
    /// From offsets in `text` to offsets in what the raw value was cut from.
    pub(crate) map: OffsetMap,
}

impl DecodedValue<'_> {
    /// Whether a character reference without semicolon ends at an offset of what the value was cut from.
    pub(crate) fn ends_open_reference(&self, offset: usize) -> bool {
        let before = self.raw.as_bytes().get(..offset.saturating_sub(self.start));
        let last = before.and_then(<[u8]>::last);
        last.is_some_and(u8::is_ascii_alphanumeric) && self.map.is_piece_end(offset)
    }
}

/// Which character references are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharacterReferences {
    /// As in attributes: `&amp=` and `&ampx` are none.
    InAttribute,
    /// As in text.
    InText,
    /// None at all.
    Never,
}

/// Decodes an attribute value that stands at `start` in the text it was cut from.
///
/// # Source
/// HTML, "character reference state" and the states after it, by the rule for attributes; "preprocessing the input
/// stream" for line breaks; "attribute value state" for U+0000.
///
/// # Complexity
/// Linear in the length of the value: a name is looked at once for each of its characters, and names are short.
pub(crate) fn decode(raw: &str, start: usize) -> DecodedValue<'_> {
    decode_as(raw, start, CharacterReferences::InAttribute)
}

/// Decodes the text of an element without markup and character references, such as STYLE.
///
/// # Source
/// HTML, "preprocessing the input stream"; "RAWTEXT state" and "script data state" for U+0000.
pub(crate) fn decode_raw(raw: &str, start: usize) -> DecodedValue<'_> {
    decode_as(raw, start, CharacterReferences::Never)
}

fn decode_as(raw: &str, start: usize, references: CharacterReferences) -> DecodedValue<'_> {
    let mut map = OffsetMap::new(start, 1);
    let text = if find_special(raw.as_bytes(), references).is_some() {
        let mut text = String::with_capacity(raw.len());
        decode_into(raw, references, &mut text, &mut map);
        Cow::Owned(text)
    } else {
        map.run(raw.len());
        Cow::Borrowed(raw)
    };
    DecodedValue {
        raw,
        start,
        text,
        map,
    }
}

/// The offset of the first byte that does not stand for itself.
fn find_special(bytes: &[u8], references: CharacterReferences) -> Option<usize> {
    match references {
        CharacterReferences::Never => memchr2(b'\r', b'\0', bytes),
        CharacterReferences::InAttribute | CharacterReferences::InText => {
            memchr3(b'&', b'\r', b'\0', bytes)
        }
    }
}

/// Whether there are no character references in `raw`, in an attribute, but `&amp;`; may be `false` where there are none. Line
/// breaks and U+0000 are not looked for.
///
/// # Complexity
/// Linear in the length of `raw`.
pub(crate) fn only_amp_references(raw: &str) -> bool {
    memchr_iter(b'&', raw.as_bytes()).all(|at| {
        let behind = &raw[at + 1..];
        let name = behind.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, behind) = behind.split_at(name);
        match behind.as_bytes().first() {
            Some(b'#') if name.is_empty() => false,
            Some(b';') => name == "amp",
            // What would need no semicolon does not count here, nor does the beginning of a name.
            Some(b'=') => true,
            _ => name.is_empty() || !may_be_named(name),
        }
    })
}

/// Whether there may be a character reference of that name, without a semicolon.
fn may_be_named(name: &str) -> bool {
    let known = NAMED_ENTITIES.get(name);
    known.is_some_and(|&(first, _)| first != 0)
}

/// Whether `text`, which begins with an ampersand, is one of white space or of U+0000, as a parser reads it.
pub(super) fn begins_with_space(text: &str) -> bool {
    let mut decoded = String::new();
    character_reference(text, CharacterReferences::InText, &mut decoded);
    decoded.starts_with(|first: char| first.is_ascii_whitespace() || first == '\0')
}

/// Appends what `raw` stands for to `text`, and where it comes from to `map`.
pub(super) fn decode_into(
    raw: &str,
    references: CharacterReferences,
    text: &mut String,
    map: &mut OffsetMap,
) {
    let mut done = 0;
    while let Some(found) = find_special(&raw.as_bytes()[done..], references) {
        let at = done + found;
        text.push_str(&raw[done..at]);
        map.run(at - done);
        let before = text.len();
        let length = match raw.as_bytes()[at] {
            b'\r' => {
                text.push('\n');
                1 + usize::from(raw.as_bytes().get(at + 1) == Some(&b'\n'))
            }
            b'\0' => {
                text.push('\u{fffd}');
                1
            }
            _ => character_reference(&raw[at..], references, text),
        };
        if text.len() - before == length && length == 1 {
            map.run(1);
        } else {
            map.piece(text.len() - before, length);
        }
        done = at + length;
    }
    text.push_str(&raw[done..]);
    map.run(raw.len() - done);
}

/// Appends what the ampersand that `raw` begins with stands for; how many bytes of `raw` that is.
fn character_reference(raw: &str, references: CharacterReferences, text: &mut String) -> usize {
    let found = match raw.as_bytes().get(1) {
        Some(b'#') => numeric(raw, text),
        Some(byte) if byte.is_ascii_alphanumeric() => named(raw, references, text),
        _ => None,
    };
    found.unwrap_or_else(|| {
        text.push('&');
        1
    })
}

/// "Named character reference state".
fn named(raw: &str, references: CharacterReferences, text: &mut String) -> Option<usize> {
    // Most are this one, which no other begins with.
    const AMPERSAND: &str = "&amp;";
    if raw.starts_with(AMPERSAND) {
        text.push('&');
        return Some(AMPERSAND.len());
    }
    let (end, first, second) = match references {
        CharacterReferences::InAttribute => named_in_attribute(raw)?,
        CharacterReferences::InText | CharacterReferences::Never => longest_name(raw)?,
    };
    text.extend(char::from_u32(first));
    text.extend(char::from_u32(second).filter(|_| second != 0));
    Some(end)
}

/// Where the longest name ends that there is, and what it stands for.
fn longest_name(raw: &str) -> Option<(usize, u32, u32)> {
    let mut longest = None;
    for (offset, character) in raw.char_indices().skip(1) {
        let end = offset + character.len_utf8();
        match NAMED_ENTITIES.get(&raw[1..end]) {
            Some(&(first, second)) if first != 0 => longest = Some((end, first, second)),
            // The beginning of a name.
            Some(_) => {}
            None => break,
        }
    }
    longest
}

/// The same in an attribute, where a name without a semicolon does not count when `=` or a letter or digit follows: of all
/// that there are, none counts but the one that ends where letters and digits do.
fn named_in_attribute(raw: &str) -> Option<(usize, u32, u32)> {
    const LONGEST: usize = "CounterClockwiseContourIntegral;".len();
    let letters = raw[1..].bytes().take(LONGEST);
    let name_end = 1 + letters.take_while(u8::is_ascii_alphanumeric).count();
    let end = match raw.as_bytes().get(name_end) {
        Some(b';') => name_end + 1,
        Some(b'=') => return None,
        _ => name_end,
    };
    let &(first, second) = NAMED_ENTITIES.get(&raw[1..end])?;
    (first != 0).then_some((end, first, second))
}

/// "Numeric character reference state".
fn numeric(raw: &str, text: &mut String) -> Option<usize> {
    let (radix, digits_start) = match raw.as_bytes().get(2) {
        Some(b'x' | b'X') => (16, 3),
        _ => (10, 2),
    };
    let digits = raw[digits_start..]
        .bytes()
        .take_while(|&byte| char::from(byte).is_digit(radix))
        .count();
    if digits == 0 {
        return None;
    }
    let end = digits_start + digits;
    let mut number: u32 = 0;
    for byte in raw[digits_start..end].bytes() {
        let digit = char::from(byte).to_digit(radix).unwrap_or(0);
        number = number.saturating_mul(radix).saturating_add(digit);
    }
    // "Numeric character reference end state".
    let character = match number {
        0 => None,
        0x80..=0x9f => C1_REPLACEMENTS[number as usize - 0x80].or(char::from_u32(number)),
        _ => char::from_u32(number),
    };
    text.push(character.unwrap_or('\u{fffd}'));
    Some(end + usize::from(raw.as_bytes().get(end) == Some(&b';')))
}

/// Writes `text` so that it stands for itself in a value delimited by `quoting`; only what must be escaped is.
pub(crate) fn escape(text: &str, quoting: Quoting) -> Cow<'_, str> {
    let reference = |character: char| match (character, quoting) {
        ('&', _) => Some("&amp;"),
        ('"', Quoting::Double | Quoting::Absent) => Some("&quot;"),
        ('\'', Quoting::Single) => Some("&#39;"),
        // A bare one would be read as a line feed.
        ('\r', _) => Some("&#13;"),
        _ => None,
    };
    if !text.contains(|character| reference(character).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match reference(character) {
            Some(reference) => escaped.push_str(reference),
            None => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_said_to_stand_for_itself_does(
            raw in "(&|amp|copy|not|it|notit|region|reg|x|1|#|;|=|_| ){0,12}",
        ) {
            if only_amp_references(&raw) {
                prop_assert_eq!(&*decode(&raw, 0).text, raw.replace("&amp;", "&"));
            }
        }
    }

    /// As the standard has it: the longest name, and then what follows.
    #[test]
    fn no_other_name_counts_in_an_attribute() {
        for name in NAMED_ENTITIES.keys() {
            let mut character = name.chars();
            character.next_back();
            for name in [name, character.as_str()] {
                for behind in ["", ";", "=", "=;", "a", "a;", "1=", " ", "é;", "&amp;"] {
                    let raw = format!("&{name}{behind}");
                    let counts = |&(end, ..): &(usize, u32, u32)| {
                        let next = raw.as_bytes().get(end);
                        let goes_on = |next: &u8| *next == b'=' || next.is_ascii_alphanumeric();
                        raw[..end].ends_with(';') || !next.is_some_and(goes_on)
                    };
                    let expected = longest_name(&raw).filter(counts);
                    assert_eq!(named_in_attribute(&raw), expected, "{raw}");
                }
            }
        }
    }

    #[test]
    fn what_is_usual_in_queries_stands_for_itself() {
        for raw in ["?a=1&b=2", "?copy&amp;reg=", "?a&b_c&", "?&_&=&&"] {
            assert!(only_amp_references(raw), "{raw}");
        }
        for raw in ["?a=1&copy", "?&amp", "?&copy;", "?&#65;", "?&copy_x"] {
            assert!(!only_amp_references(raw), "{raw}");
        }
    }

    #[test]
    fn references_by_the_rule_for_attributes() {
        for (raw, expected) in [
            ("a", "a"),
            ("a&amp;b", "a&b"),
            ("a&ampb", "a&ampb"),
            ("a&amp=b", "a&amp=b"),
            ("a&amp b", "a& b"),
            ("a&amp", "a&"),
            ("&region=1", "&region=1"),
            ("&reg;ion", "\u{ae}ion"),
            ("&notit;", "&notit;"),
            ("&not;it", "\u{ac}it"),
            ("&notin;", "\u{2209}"),
            ("&NotEqualTilde;", "\u{2242}\u{338}"),
            ("&unknown;", "&unknown;"),
            ("&;&", "&;&"),
            ("& amp;", "& amp;"),
            ("&#x2F;a&#47;&#47a", "/a//a"),
            ("&#X2f&#x2fg", "//g"),
            ("&#;&#x;&#xg;&#g", "&#;&#x;&#xg;&#g"),
            (
                "&#0;&#xD800;&#x110000;&#99999999999999999999;",
                "\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
            ),
            ("&#x80;&#x81;", "\u{20ac}\u{81}"),
            ("a\r\nb\rc\n\0", "a\nb\nc\n\u{fffd}"),
        ] {
            let value = decode(raw, 0);
            assert_eq!(value.text, expected, "{raw}");
            assert_eq!(value.map.source(value.text.len()), Some(raw.len()), "{raw}");
        }
    }

    #[test]
    fn what_is_written_reads_as_what_was_meant() {
        for text in ["a&b", "a&amp;b", "\"'", "a\r\nb", "&#65;", "x=<y>`"] {
            for quoting in [Quoting::Double, Quoting::Single] {
                // The tokenizer makes line feeds of carriage returns before it decodes references.
                assert_eq!(
                    decode(&escape(text, quoting), 0).text,
                    text,
                    "{text:?} {quoting:?}"
                );
            }
        }
    }
}
