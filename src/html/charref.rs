//! Character references in attribute values and text: decoding, with a map back to the source, and escaping.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::{memchr_iter, memchr2, memchr3};

use crate::markup::attribute::Quoting;
use crate::markup::value::{DecodedValue, replace_characters};
use crate::offset_map::OffsetMap;

/// The rule by which character references are recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharacterReferences {
    /// The rule for attributes: a name without semicolon is literal before `=` or an alphanumeric (`&amp=`, `&ampx`).
    InAttribute,
    /// The rule for text: the longest name counts, with or without semicolon.
    InText,
    /// There are no character references; only line breaks and U+0000 are replaced.
    Never,
}

/// Decodes `raw`, an attribute value that was cut from a text at offset `start`.
///
/// # Source
/// HTML, "character reference state" and the states after it, by the rule for attributes; "preprocessing the input
/// stream" for line breaks; "attribute value state" for U+0000.
///
/// # Complexity
/// Linear in the length of the value. Borrowed if every character is literal.
pub(crate) fn decode(raw: &str, start: usize) -> DecodedValue<'_> {
    decode_as(raw, start, CharacterReferences::InAttribute)
}

/// Decodes `raw`, raw text such as that of STYLE, which has neither markup nor character references.
///
/// `start` is the offset of `raw` in the text that it was cut from.
///
/// # Source
/// HTML, "preprocessing the input stream"; "RAWTEXT state" and "script data state" for U+0000.
pub(crate) fn decode_raw(raw: &str, start: usize) -> DecodedValue<'_> {
    decode_as(raw, start, CharacterReferences::Never)
}

/// Decodes `raw`, text between tags or of an element without markup.
///
/// # Source
/// HTML, "character reference state" by the rule for text; "RCDATA state" for U+0000.
pub(crate) fn decode_text(raw: &str) -> Cow<'_, str> {
    decode_as(raw, 0, CharacterReferences::InText).text
}

/// Appends the characters that the reference `&name;` decodes to. Returns whether there is such a name.
pub(crate) fn push_entity(name: &str, text: &mut String) -> bool {
    let reference = format!("&{name};");
    named_in_attribute(&reference).is_some_and(|named| named.end == reference.len())
        && named(&reference, CharacterReferences::InText, text).is_some()
}

fn decode_as(raw: &str, start: usize, references: CharacterReferences) -> DecodedValue<'_> {
    let mut map = OffsetMap::new(start, 1);
    let text = if find_non_literal(raw.as_bytes(), references).is_some() {
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
        cdata: Vec::new(),
    }
}

/// Returns the offset of the first byte that may not be literal.
fn find_non_literal(bytes: &[u8], references: CharacterReferences) -> Option<usize> {
    match references {
        CharacterReferences::Never => memchr2(b'\r', b'\0', bytes),
        CharacterReferences::InAttribute | CharacterReferences::InText => {
            memchr3(b'&', b'\r', b'\0', bytes)
        }
    }
}

/// Returns whether `raw`, an attribute value, contains no character references other than `&amp;`.
///
/// The test is conservative: it may return `false` because of text that only looks like a character reference. Line
/// breaks and U+0000 are not considered.
///
/// # Complexity
/// Linear in the length of `raw`.
pub(crate) fn only_amp_references(raw: &str) -> bool {
    memchr_iter(b'&', raw.as_bytes()).all(|ampersand| {
        let rest = &raw[ampersand + 1..];
        // By far the most frequent case.
        if rest.starts_with("amp;") {
            return true;
        }
        let name_len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (name, after) = rest.split_at(name_len);
        match after.as_bytes().first() {
            // Numeric.
            Some(b'#') if name.is_empty() => false,
            // May reject a name that does not exist, to avoid looking it up.
            Some(b';') => false,
            // The usual case in a query. In an attribute, names without semicolon are literal before `=`.
            Some(b'=') => true,
            // A name before another alphanumeric is literal, too, so only the whole run of alphanumerics can be a
            // reference.
            _ => name.is_empty() || !is_name_without_semicolon(name),
        }
    })
}

/// Returns whether `name` is that of a character reference that needs no semicolon.
fn is_name_without_semicolon(name: &str) -> bool {
    // `NAMED_ENTITIES` also contains all prefixes of names, with zeros.
    let known = NAMED_ENTITIES.get(name);
    known.is_some_and(|&(first, _)| first != 0)
}

/// Returns whether `text`, which must begin with an ampersand, begins with a character reference to ASCII white space.
pub(super) fn begins_with_space(text: &str) -> bool {
    let mut decoded = String::new();
    character_reference(text, CharacterReferences::InText, &mut decoded);
    decoded.starts_with(|first: char| first.is_ascii_whitespace() || first == '\0')
}

/// Decodes `raw`, appends the result to `text`, and records its source in `map`.
pub(super) fn decode_into(
    raw: &str,
    references: CharacterReferences,
    text: &mut String,
    map: &mut OffsetMap,
) {
    decode_pieces(raw, references, |piece, source| {
        text.push_str(piece);
        // A literal ampersand or a lone CR: one byte for one byte extends the current run.
        if piece == source || source == "\r" {
            map.run(piece.len());
        } else {
            map.piece(piece.len(), source.len());
        }
    });
}

/// Returns whether `raw`, an attribute value, decodes to `text`, in memory that does not depend on their length.
pub(crate) fn decodes_to(raw: &str, text: &str) -> bool {
    let mut rest = Some(text);
    decode_pieces(raw, CharacterReferences::InAttribute, |piece, _| {
        rest = rest.and_then(|rest| rest.strip_prefix(piece));
    });
    rest == Some("")
}

/// Decodes `raw`, and calls `push` with each piece of the result and its source.
fn decode_pieces<'r>(
    raw: &'r str,
    references: CharacterReferences,
    mut push: impl FnMut(&str, &'r str),
) {
    let (mut done, mut decoded) = (0, String::new());
    while let Some(offset) = find_non_literal(&raw.as_bytes()[done..], references) {
        let pos = done + offset;
        push(&raw[done..pos], &raw[done..pos]);
        decoded.clear();
        let length = match raw.as_bytes()[pos] {
            // A CRLF becomes one line feed.
            b'\r' => {
                decoded.push('\n');
                1 + usize::from(raw.as_bytes().get(pos + 1) == Some(&b'\n'))
            }
            b'\0' => {
                decoded.push('\u{fffd}');
                1
            }
            _ => character_reference(&raw[pos..], references, &mut decoded),
        };
        done = pos + length;
        push(&decoded, &raw[pos..done]);
    }
    push(&raw[done..], &raw[done..]);
}

/// Decodes the character reference or literal ampersand at the start of `raw` into `text`. Returns its length in `raw`.
fn character_reference(raw: &str, references: CharacterReferences, text: &mut String) -> usize {
    let length = match raw.as_bytes().get(1) {
        Some(b'#') => numeric(raw, text),
        Some(byte) if byte.is_ascii_alphanumeric() => named(raw, references, text),
        _ => None,
    };
    length.unwrap_or_else(|| {
        text.push('&');
        1
    })
}

/// A named character reference at the start of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NamedReference {
    /// The offset after the name, and after the semicolon if there is one.
    end: usize,
    /// The code point that it decodes to.
    first: u32,
    /// The second code point, or 0 if there is only one.
    second: u32,
}

/// Decodes a named reference as [`character_reference`] does. Returns `None` if the ampersand is literal.
///
/// # Source
/// HTML, "named character reference state".
fn named(raw: &str, references: CharacterReferences, text: &mut String) -> Option<usize> {
    // By far the most frequent one, and no other name begins with it: it can be decoded without a lookup.
    const AMPERSAND: &str = "&amp;";
    if raw.starts_with(AMPERSAND) {
        text.push('&');
        return Some(AMPERSAND.len());
    }
    let reference = match references {
        CharacterReferences::InAttribute => named_in_attribute(raw)?,
        CharacterReferences::InText | CharacterReferences::Never => longest_name(raw)?,
    };
    let codes = [reference.first, reference.second];
    for code in codes.into_iter().filter(|&code| code != 0) {
        text.push(char::from_u32(code).expect("`NAMED_ENTITIES` contains no surrogates"));
    }
    Some(reference.end)
}

/// Returns the reference with the longest name that follows the ampersand at the start of `raw`.
fn longest_name(raw: &str) -> Option<NamedReference> {
    let mut longest = None;
    // The ampersand is not part of the names. `NAMED_ENTITIES` contains every prefix of a name, so the loop ends at the
    // first miss.
    for (offset, character) in raw.char_indices().skip(1) {
        let end = offset + character.len_utf8();
        match NAMED_ENTITIES.get(&raw[1..end]) {
            Some(&(first, second)) if first != 0 => {
                longest = Some(NamedReference { end, first, second });
            }
            // Only the prefix of a name.
            Some(_) => {}
            None => break,
        }
    }
    longest
}

/// Returns the named reference at the start of `raw`, by the rule for attributes.
///
/// A name without `;` is literal there before `=` or an alphanumeric. So only the maximal run of alphanumerics can
/// match, and one lookup suffices, where [`longest_name`] needs one for each character.
fn named_in_attribute(raw: &str) -> Option<NamedReference> {
    // A longer run is not a name, so the rest of it need not be read.
    const LONGEST: usize = "CounterClockwiseContourIntegral;".len();
    let name_bytes = raw[1..].bytes().take(LONGEST);
    let name_end = 1 + name_bytes.take_while(u8::is_ascii_alphanumeric).count();
    let end = match raw.as_bytes().get(name_end) {
        Some(b';') => name_end + 1,
        Some(b'=') => return None,
        _ => name_end,
    };
    let &(first, second) = NAMED_ENTITIES.get(&raw[1..end])?;
    (first != 0).then_some(NamedReference { end, first, second })
}

/// Decodes a numeric reference as [`character_reference`] does. Returns `None` if the ampersand is literal.
///
/// # Source
/// HTML, "numeric character reference state" and the states after it.
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
        let digit = char::from(byte).to_digit(radix);
        let digit = digit.expect("counted as a digit above");
        // The saturated value is not a code point either, so overflow results in U+FFFD, as the standard requires.
        number = number.saturating_mul(radix).saturating_add(digit);
    }
    // Numeric character reference end state. Surrogates and numbers that are too large fail in `from_u32`.
    let character = match number {
        0 => None,
        0x80..=0x9f => C1_REPLACEMENTS[number as usize - 0x80].or(char::from_u32(number)),
        _ => char::from_u32(number),
    };
    text.push(character.unwrap_or('\u{fffd}'));
    Some(end + usize::from(raw.as_bytes().get(end) == Some(&b';')))
}

/// Escapes `text` for a value delimited by `quoting`; only characters that must be escaped are.
///
/// With [`Quoting::Unquoted`], these are `&` and CR; the caller must check that the result is a valid unquoted value.
/// With [`Quoting::Absent`], `text` is escaped for the double quotes that the caller has to add.
pub(crate) fn escape(text: &str, quoting: Quoting) -> Cow<'_, str> {
    let reference = |character: char| match (character, quoting) {
        ('&', _) => Some("&amp;"),
        ('"', Quoting::Double | Quoting::Absent) => Some("&quot;"),
        ('\'', Quoting::Single) => Some("&#39;"),
        // A literal CR would be read as a line feed.
        ('\r', _) => Some("&#13;"),
        _ => None,
    };
    replace_characters(text, reference)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn only_amp_references_is_right_about_decoding(
            raw in "(&|amp|copy|not|it|notit|region|reg|x|1|#|;|=|_| ){0,12}",
        ) {
            if only_amp_references(&raw) {
                prop_assert_eq!(&*decode(&raw, 0).text, raw.replace("&amp;", "&"));
            }
        }
    }

    /// The standard first determines the longest name, and then checks the character after it.
    #[test]
    fn named_in_attribute_equals_the_steps_of_the_standard() {
        for name in NAMED_ENTITIES.keys() {
            let mut character = name.chars();
            character.next_back();
            for name in [name, character.as_str()] {
                for suffix in ["", ";", "=", "=;", "a", "a;", "1=", " ", "é;", "&amp;"] {
                    let raw = format!("&{name}{suffix}");
                    let is_decoded = |&NamedReference { end, .. }: &NamedReference| {
                        let next = raw.as_bytes().get(end);
                        let continues = |next: &u8| *next == b'=' || next.is_ascii_alphanumeric();
                        raw[..end].ends_with(';') || !next.is_some_and(continues)
                    };
                    let expected = longest_name(&raw).filter(is_decoded);
                    assert_eq!(named_in_attribute(&raw), expected, "{raw}");
                }
            }
        }
    }

    #[test]
    fn only_amp_references_accepts_usual_queries() {
        for raw in ["?a=1&b=2", "?copy&amp;reg=", "?a&b_c&", "?&_&=&&"] {
            assert!(only_amp_references(raw), "{raw}");
        }
        for raw in ["?a=1&copy", "?&amp", "?&copy;", "?&#65;", "?&copy_x"] {
            assert!(!only_amp_references(raw), "{raw}");
        }
    }

    #[test]
    fn decode_follows_the_rule_for_attributes() {
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
    fn decode_reverses_escape() {
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
