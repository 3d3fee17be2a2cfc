//! Attribute values and text of XML: decoding, with a map back to the source, and escaping.
//!
//! Only the five predefined entities and numeric character references are decoded. A reference to any other entity is
//! kept as it is written: its replacement text is not in the document at that place, and is never expanded.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

use super::characters::{is_allowed, name_end};
use crate::find::{Block, contains_any};
use crate::markup::attribute::Quoting;
use crate::markup::value::{DecodedValue, replace_characters};
use crate::offset_map::OffsetMap;
use crate::span::Span;

pub(super) const CDATA_OPEN: &str = "<![CDATA[";
pub(super) const CDATA_CLOSE: &str = "]]>";

/// A reference: an ampersand up to its semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextReference<'t> {
    /// A numeric reference, or one to a predefined entity.
    Character(char),
    /// A reference to another entity, with its name.
    Entity(&'t str),
}

/// Parses the reference at the start of `text`, which begins with an ampersand. Returns it with its length.
///
/// Returns `None` if the ampersand begins no reference.
///
/// # Source
/// XML 1.0, productions 66 (`CharRef`) and 68 (`EntityRef`), section 4.6 (predefined entities).
pub(crate) fn reference(text: &str) -> Option<(TextReference<'_>, usize)> {
    let rest = &text[1..];
    for (written, character) in [
        ("lt;", '<'),
        ("gt;", '>'),
        ("amp;", '&'),
        ("quot;", '"'),
        ("apos;", '\''),
    ] {
        if rest.starts_with(written) {
            return Some((TextReference::Character(character), 1 + written.len()));
        }
    }
    if let Some(number) = rest.strip_prefix('#') {
        let (digits, radix, prefix_len) = match number.strip_prefix('x') {
            Some(digits) => (digits, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits
            .bytes()
            .take_while(|byte| char::from(*byte).is_digit(radix))
            .count();
        let is_closed = digits.as_bytes().get(length) == Some(&b';');
        if !is_closed {
            return None;
        }
        let number = u32::from_str_radix(&digits[..length], radix).ok()?;
        let character = char::from_u32(number).filter(|character| is_allowed(*character))?;
        return Some((TextReference::Character(character), prefix_len + length + 1));
    }
    let end = name_end(text, 1)?;
    let is_closed = text.as_bytes().get(end) == Some(&b';');
    is_closed.then(|| (TextReference::Entity(&text[1..end]), end + 1))
}

/// Decodes `raw`, an attribute value that was cut from a text at offset `start`.
///
/// # Source
/// XML 1.0, sections 2.11 (line ends) and 3.3.3 (normalization of values of type `CDATA`).
///
/// # Complexity
/// Linear. Borrowed if every character is literal.
pub(crate) fn decode_attribute(raw: &str, start: usize) -> DecodedValue<'_> {
    let mut map = OffsetMap::new(start, 1);
    let bytes = raw.as_bytes();
    let text = if contains_any(bytes, needs_decoding) {
        let mut text = String::with_capacity(raw.len());
        let mut done = 0;
        while let Some(found) = find_in_attribute(&bytes[done..]) {
            let pos = done + found;
            text.push_str(&raw[done..pos]);
            map.run(pos - done);
            done = pos
                + match bytes[pos] {
                    b'&' => decode_reference(&raw[pos..], &mut text, &mut map).1,
                    b'\r' if bytes.get(pos + 1) == Some(&b'\n') => {
                        text.push(' ');
                        map.piece(1, 2);
                        2
                    }
                    _ => {
                        text.push(' ');
                        map.run(1);
                        1
                    }
                };
        }
        text.push_str(&raw[done..]);
        map.run(raw.len() - done);
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

/// The bytes of an attribute value that are not literal.
#[inline]
fn needs_decoding(block: Block) -> Block {
    let line_ends = block.equal(b'\n').or(block.equal(b'\r'));
    block.equal(b'\t').or(line_ends).or(block.equal(b'&'))
}

/// Returns the offset of the first byte of an attribute value that is not literal.
fn find_in_attribute(bytes: &[u8]) -> Option<usize> {
    bytes
        .iter()
        .position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r'))
}

/// Decodes the reference at the start of `raw`, or the ampersand if it begins none, which is an error that is only
/// passed over leniently. Returns the reference, and the length.
fn decode_reference<'t>(
    raw: &'t str,
    text: &mut String,
    map: &mut OffsetMap,
) -> (Option<TextReference<'t>>, usize) {
    let Some((found, length)) = reference(raw) else {
        text.push('&');
        map.run(1);
        return (None, 1);
    };
    match found {
        TextReference::Character(character) => {
            text.push(character);
            map.piece(character.len_utf8(), length);
        }
        TextReference::Entity(_) => {
            text.push_str(&raw[..length]);
            map.piece(length, length);
        }
    }
    (Some(found), length)
}

/// Returns whether `raw`, an attribute value as written, refers to an entity that is not predefined.
///
/// Its text is then unknown, because such entities are not expanded.
pub(crate) fn has_entities(raw: &str) -> bool {
    memchr_iter(b'&', raw.as_bytes())
        .any(|pos| matches!(reference(&raw[pos..]), Some((TextReference::Entity(_), _))))
}

/// Decoded text of an element.
pub(crate) struct XmlText<'t> {
    /// The text.
    pub(crate) value: DecodedValue<'t>,
    /// Whether it refers to an entity that is not predefined. Its text is then unknown.
    pub(crate) has_entities: bool,
    /// Whether it has an ampersand that begins no reference, which is an error.
    has_stray_ampersand: bool,
    /// Whether `]]>` occurs outside a CDATA section, which is an error.
    pub(crate) has_stray_cdata_end: bool,
}

impl XmlText<'_> {
    /// Returns whether every replacement that [is literal](is_literal_in_text) can be written anywhere in the text
    /// without another effect.
    ///
    /// Every reference ends with a semicolon, and no `]]>` is outside the end of a section. A replacement can therefore
    /// complete neither of them.
    pub(crate) fn accepts_literals(&self) -> bool {
        !self.has_stray_ampersand && !self.has_stray_cdata_end
    }
}

/// Returns whether `replacement` is written in the content of an element as it is, in a CDATA section or not.
///
/// An empty one is not literal: it could join the text before and after it to a `]]>` or a line end.
pub(crate) fn is_literal_in_text(replacement: &str) -> bool {
    let is_literal = |byte: u8| matches!(byte, b' '..=b'~') && !b"&<>]".contains(&byte);
    !replacement.is_empty() && replacement.bytes().all(is_literal)
}

/// Returns whether `replacement` has no effect but its own in a CDATA section, whatever is before and after it.
///
/// An empty one could join the text before and after it to a `]]>`.
pub(crate) fn is_literal_in_section(replacement: &str) -> bool {
    let is_literal = |byte: u8| matches!(byte, b' '..=b'~') && !b">]".contains(&byte);
    !replacement.is_empty() && replacement.bytes().all(is_literal)
}

/// Returns whether `raw`, the content of an element without child elements, is its text as written.
pub(crate) fn is_literal_content(raw: &str) -> bool {
    memchr3(b'<', b'&', b'\r', raw.as_bytes()).is_none()
}

/// Decodes `raw`, the content of an element without child elements, which is at offset `start` of the text that
/// contains it.
///
/// Comments and processing instructions are omitted, and are pieces without text in the map.
///
/// # Source
/// XML 1.0, sections 2.4 to 2.7 and 2.11.
///
/// # Complexity
/// Linear. Borrowed if every character is literal.
pub(crate) fn decode_text(raw: &str, start: usize) -> XmlText<'_> {
    let bytes = raw.as_bytes();
    let mut found = XmlText {
        value: DecodedValue {
            raw,
            start,
            text: Cow::Borrowed(raw),
            map: OffsetMap::new(start, 1),
            cdata: Vec::new(),
        },
        has_entities: false,
        has_stray_ampersand: false,
        has_stray_cdata_end: false,
    };
    if let Some(section) = literal_section(raw) {
        found.value.text = Cow::Borrowed(&raw[section.start..section.end]);
        found.value.map.piece(0, section.start);
        found.value.map.run(section.len());
        found.value.map.piece(0, raw.len() - section.end);
        found.value.cdata.push(section.shifted(start));
        return found;
    }
    if is_literal_content(raw) {
        found.value.map.run(raw.len());
        found.has_stray_cdata_end = find_cdata_end(raw).is_some();
        return found;
    }
    let mut text = String::with_capacity(raw.len());
    let map = &mut found.value.map;
    let mut done = 0;
    while let Some(offset) = memchr3(b'<', b'&', b'\r', &bytes[done..]) {
        let pos = done + offset;
        text.push_str(&raw[done..pos]);
        map.run(pos - done);
        found.has_stray_cdata_end |= find_cdata_end(&raw[done..pos]).is_some();
        let rest = &raw[pos..];
        done = match bytes[pos] {
            b'&' => {
                let (reference, length) = decode_reference(rest, &mut text, map);
                found.has_entities |= matches!(reference, Some(TextReference::Entity(_)));
                found.has_stray_ampersand |= reference.is_none();
                pos + length
            }
            b'\r' => pos + decode_line_end(rest, &mut text, map),
            _ if rest.starts_with(CDATA_OPEN) => {
                let inner = pos + CDATA_OPEN.len();
                let length = find_cdata_end(&raw[inner..]);
                let inner_end = length.map_or(raw.len(), |length| inner + length);
                let end = raw.len().min(inner_end + CDATA_CLOSE.len());
                map.piece(0, CDATA_OPEN.len());
                decode_literal(&raw[inner..inner_end], &mut text, map);
                map.piece(0, end - inner_end);
                let section = Span::new(start + inner, start + inner_end);
                found.value.cdata.push(section);
                end
            }
            _ => {
                // A comment or a processing instruction; elements do not occur, nor does anything else.
                let close = if rest.starts_with("<!--") {
                    "-->"
                } else {
                    "?>"
                };
                let length = memmem::find(rest.as_bytes(), close.as_bytes());
                let length = length.map_or(rest.len(), |offset| offset + close.len());
                map.piece(0, length);
                pos + length
            }
        };
    }
    text.push_str(&raw[done..]);
    map.run(raw.len() - done);
    found.has_stray_cdata_end |= find_cdata_end(&raw[done..]).is_some();
    found.value.text = Cow::Owned(text);
    found
}

/// Returns whether the text that `raw` represents, the content of an element, may contain a `<`.
pub(crate) fn may_contain_less_than(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    // `&lt;`, or a numeric reference.
    let is_possible = |pos: usize| matches!(bytes.get(pos + 1), Some(b'l' | b'#'));
    memchr(b'<', bytes).is_some() || memchr_iter(b'&', bytes).any(is_possible)
}

/// Returns the content of the CDATA section at `span`.
pub(crate) fn section_content(span: Span) -> Span {
    Span::new(span.start + CDATA_OPEN.len(), span.end - CDATA_CLOSE.len())
}

/// Returns whether `section`, a CDATA section, has no line end to be decoded.
pub(crate) fn is_section_literal(section: &str) -> bool {
    memchr(b'\r', section.as_bytes()).is_none()
}

/// Returns the content of the CDATA section that is all of `raw`, if it has no line end to be decoded.
///
/// Most content of feeds has this form, and so need not be copied.
fn literal_section(raw: &str) -> Option<Span> {
    let rest = raw.strip_prefix(CDATA_OPEN)?;
    let is_all = find_cdata_end(rest)? + CDATA_CLOSE.len() == rest.len();
    (is_all && is_section_literal(raw)).then(|| section_content(Span::new(0, raw.len())))
}

/// Returns the offset of the first `]]>` in `text`.
///
/// Brackets are rare, so that searching for one is faster than for all three bytes.
pub(super) fn find_cdata_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr_iter(b']', bytes).find(|pos| bytes[*pos..].starts_with(CDATA_CLOSE.as_bytes()))
}

/// Decodes `raw`, text without references and markup.
fn decode_literal(raw: &str, text: &mut String, map: &mut OffsetMap) {
    let mut done = 0;
    while let Some(found) = memchr(b'\r', &raw.as_bytes()[done..]) {
        text.push_str(&raw[done..done + found]);
        map.run(found);
        done += found + decode_line_end(&raw[done + found..], text, map);
    }
    text.push_str(&raw[done..]);
    map.run(raw.len() - done);
}

/// Decodes the line end at the start of `raw`, which begins with a carriage return. Returns its length.
fn decode_line_end(raw: &str, text: &mut String, map: &mut OffsetMap) -> usize {
    text.push('\n');
    if raw.as_bytes().get(1) == Some(&b'\n') {
        map.piece(1, 2);
        2
    } else {
        map.run(1);
        1
    }
}

/// Escapes `text` for an attribute value delimited by `quoting`; only characters that must be escaped are.
///
/// # Source
/// XML 1.0, production 10 (`AttValue`), section 3.3.3: white space other than spaces must be a character reference.
pub(crate) fn escape_attribute(text: &str, quoting: Quoting) -> Cow<'_, str> {
    replace_characters(text, |character| match (character, quoting) {
        ('&', _) => Some("&amp;"),
        ('<', _) => Some("&lt;"),
        ('\'', Quoting::Single) => Some("&#39;"),
        ('"', Quoting::Double | Quoting::Unquoted | Quoting::Absent) => Some("&quot;"),
        ('\t', _) => Some("&#9;"),
        ('\n', _) => Some("&#10;"),
        ('\r', _) => Some("&#13;"),
        _ => None,
    })
}

/// Escapes `text` for the content of an element; only characters that must be escaped are.
///
/// # Source
/// XML 1.0, section 2.4. A `>` is escaped because it must not follow `]]`.
pub(crate) fn escape_text(text: &str) -> Cow<'_, str> {
    replace_characters(text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#13;"),
        _ => None,
    })
}

/// Returns whether every character of `text` is literal in an attribute value, whichever quotes delimit it.
pub(crate) fn is_literal_in_attribute(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr3(b'&', b'<', b'"', bytes).is_none()
        && memchr3(b'\'', b'\t', b'\n', bytes).is_none()
        && memchr2(b'\r', b'\0', bytes).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_attribute_normalizes_white_space() {
        // XML 1.0, section 3.3.3, table of examples for values of type CDATA, without the declared entities.
        for (raw, expected) in [
            ("\n\nxyz", "  xyz"),
            ("&#xd;&#xd;A&#xa;&#xa;B&#xd;&#xa;", "\r\rA\n\nB\r\n"),
            ("a\r\nb\rc\td", "a b c d"),
            ("a&amp;b&lt;&gt;&quot;&apos;&#47;&#x2F;", "a&b<>\"'//"),
            ("&amp;amp;", "&amp;"),
            ("a&e;b", "a&e;b"),
        ] {
            let value = decode_attribute(raw, 3);
            assert_eq!(value.text, expected, "{raw:?}");
            assert_eq!(
                value.map.source(value.text.len()),
                Some(3 + raw.len()),
                "{raw:?}"
            );
        }
    }

    #[test]
    fn decode_text_reads_sections_comments_and_instructions() {
        for (raw, expected) in [
            ("a", "a"),
            ("a&lt;b&amp;lt;", "a<b&lt;"),
            (
                "<![CDATA[a&lt;<b>]]>&lt;<![CDATA[]]]]><![CDATA[>]]>",
                "a&lt;<b><]]>",
            ),
            ("a<!-- & < -->b<?p & < ?>c", "abc"),
            ("a\r\nb\rc<![CDATA[\r\n]]>", "a\nb\nc\n"),
        ] {
            let text = decode_text(raw, 5);
            assert_eq!(text.value.text, expected, "{raw:?}");
        }
        let text = decode_text("&amp;<![CDATA[b]]>c", 10);
        assert!(
            text.value.is_in_cdata(24)
                && !text.value.is_in_cdata(28)
                && !text.value.is_in_cdata(12)
        );
    }

    #[test]
    fn reference_rejects_what_is_none() {
        for text in [
            "&",
            "&;",
            "&a",
            "& a;",
            "&#;",
            "&#x;",
            "&#0;",
            "&#xd800;",
            "&#x110000;",
            "&#1;",
            "&1;",
        ] {
            assert_eq!(reference(text), None, "{text}");
        }
        assert_eq!(reference("&a.b;c"), Some((TextReference::Entity("a.b"), 5)));
        assert_eq!(
            reference("&#x1F600;"),
            Some((TextReference::Character('\u{1f600}'), 9))
        );
    }

    #[test]
    fn escape_is_reversed_by_decoding() {
        for text in ["a&b", "a&amp;b", "\"'<>", "a\r\n\tb", "]]>"] {
            for quoting in [Quoting::Double, Quoting::Single] {
                let escaped = escape_attribute(text, quoting);
                assert_eq!(decode_attribute(&escaped, 0).text, text, "{text:?}");
            }
            assert_eq!(
                decode_text(&escape_text(text), 0).value.text,
                text,
                "{text:?}"
            );
        }
    }
}
