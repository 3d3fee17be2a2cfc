//! The attribute tokenizer: splits a single tag, whose start is known, into its name and attributes.
//!
//! Whether a `<` begins a tag depends on the state of the tokenizer, and thereby on the tree. Within a tag, the state
//! depends on nothing but the tag. So a tag whose start is known can be split on its own.
//!
//! The scanner, the check of html5ever's positions and the prescan for an encoding all read attributes with [`next`].

use crate::find::memchr_near;
use crate::markup::attribute::{Quoting, RawAttribute};
use crate::span::Span;

/// The class of white space.
const SPACE: u8 = 1;
/// The class of `/`.
const SLASH: u8 = 2;
/// The class of `>`.
const GREATER: u8 = 4;
/// The class of `=`.
const EQUALS: u8 = 8;

/// The class of each byte in a tag, outside of quoted values; 0 for bytes of names and unquoted values.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes[b'\t' as usize] = SPACE;
    classes[b'\n' as usize] = SPACE;
    classes[b'\x0c' as usize] = SPACE;
    classes[b'\r' as usize] = SPACE;
    classes[b' ' as usize] = SPACE;
    classes[b'/' as usize] = SLASH;
    classes[b'>' as usize] = GREATER;
    classes[b'=' as usize] = EQUALS;
    classes
};

/// Returns the end of the tag name that begins at `start`.
#[inline]
pub(crate) fn name_end(bytes: &[u8], start: usize) -> usize {
    find_class(bytes, start, SPACE | SLASH | GREATER)
}

/// Returns the end of the attribute name that begins at `start`. An equals sign at `start` is part of the name.
#[inline]
pub(super) fn attribute_name_end(bytes: &[u8], start: usize) -> usize {
    find_class(bytes, start + 1, SPACE | SLASH | GREATER | EQUALS)
}

/// Returns whether `name` is an ASCII letter and then letters, digits, `-`, `_` and `.`: a name in HTML and XML.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(is_allowed)
}

/// Returns the offset of the first byte at or after `start` that is in one of `classes`, or the end of `bytes`.
#[inline]
fn find_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut pos = start;
    // Byte by byte on purpose: names are short and repeat, so the branch predictor hides the loop; a SIMD compare would
    // put its latency on the critical path.
    while let Some(&byte) = bytes.get(pos)
        && CLASSES[usize::from(byte)] & classes == 0
    {
        pos += 1;
    }
    pos
}

/// Returns the offset of the first byte at or after `start` that is in none of `classes`, or the end of `bytes`.
#[inline]
fn skip_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let mut pos = start;
    while let Some(&byte) = bytes.get(pos)
        && CLASSES[usize::from(byte)] & classes != 0
    {
        pos += 1;
    }
    pos
}

/// Returns the offset of the first byte at or after `start` that is not white space, or the end of `bytes`.
#[inline]
pub(super) fn skip_space(bytes: &[u8], start: usize) -> usize {
    skip_class(bytes, start, SPACE)
}

/// The next item of a tag.
pub(super) enum AttributeOrEnd {
    Attribute(RawAttribute),
    /// The `>` of the tag, with the offset after it.
    End(usize),
}

/// Reads the attribute at or after `start`, or the end of the tag. Returns `None` if the text ends first.
///
/// # Source
/// HTML, the tokenizer's states from "before attribute name state" to "self-closing start tag state".
#[inline]
pub(super) fn next(bytes: &[u8], start: usize) -> Option<AttributeOrEnd> {
    // Before attribute name state, self-closing start tag state: a slash that does not precede ">" is skipped. The one
    // that does is skipped as well; see `is_self_closing`.
    let name_start = skip_class(bytes, start, SPACE | SLASH);
    if *bytes.get(name_start)? == b'>' {
        return Some(AttributeOrEnd::End(name_start + 1));
    }
    // Attribute name state.
    let name_end = attribute_name_end(bytes, name_start);
    let name = Span::new(name_start, name_end);
    // After attribute name state.
    let mut pos = name_end;
    if bytes.get(pos) != Some(&b'=') {
        pos = skip_class(bytes, pos, SPACE);
        if bytes.get(pos) != Some(&b'=') {
            return Some(AttributeOrEnd::Attribute(RawAttribute {
                name,
                value: Span::new(name_end, name_end),
                quoting: Quoting::Absent,
            }));
        }
    }
    // Before attribute value state.
    pos = skip_class(bytes, pos + 1, SPACE);
    let first = *bytes.get(pos)?;
    let (value, quoting) = if matches!(first, b'"' | b'\'') {
        // Attribute value (double-quoted) state, attribute value (single-quoted) state. Most values are too short to
        // make a call of `memchr` worthwhile.
        let end = memchr_near(first, bytes, pos + 1)?;
        (Span::new(pos + 1, end), Quoting::of(first))
    } else {
        // Attribute value (unquoted) state, in which a slash is literal. ">" right here is a missing value: empty.
        let end = find_class(bytes, pos, SPACE | GREATER);
        (Span::new(pos, end), Quoting::Unquoted)
    };
    Some(AttributeOrEnd::Attribute(RawAttribute {
        name,
        value,
        quoting,
    }))
}

/// Returns the offset after the `>` of the tag whose name ends at `name_end`, or `None` if the text ends first.
#[inline]
pub(crate) fn skip(bytes: &[u8], name_end: usize) -> Option<usize> {
    // End tags hardly ever have attributes.
    if bytes.get(name_end) == Some(&b'>') {
        return Some(name_end + 1);
    }
    let mut pos = name_end;
    loop {
        match next(bytes, pos)? {
            AttributeOrEnd::Attribute(attribute) => pos = attribute.span().end,
            AttributeOrEnd::End(end) => return Some(end),
        }
    }
}

/// Returns whether the start tag at `span`, whose name ends at `name_end`, is self-closing.
///
/// It is if the byte before `>` is a slash that is not part of an unquoted value.
pub(crate) fn is_self_closing(bytes: &[u8], span: Span, name_end: usize) -> bool {
    let slash = span.end - 2;
    if bytes[slash] != b'/' {
        return false;
    }
    let mut pos = name_end;
    while let Some(AttributeOrEnd::Attribute(attribute)) = next(bytes, pos) {
        pos = attribute.span().end;
    }
    // The end of the last attribute, or of the name of the tag.
    pos <= slash
}

/// A tag, with spans in bytes of the text that it was split from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The tag, from `<` to `>`, both included.
    pub(crate) span: Span,
    /// The name as written.
    pub(crate) name: Span,
    /// The attributes as written, duplicates included.
    pub(crate) attributes: Vec<RawAttribute>,
}

impl Tag {
    /// Returns the first attribute with that name, ASCII case-insensitive: the one that counts.
    ///
    /// `bytes` must be those that the tag was split from.
    pub(crate) fn attribute(&self, bytes: &[u8], name: &[u8]) -> Option<&RawAttribute> {
        self.attributes.iter().find(|attribute| {
            bytes[attribute.name.start..attribute.name.end].eq_ignore_ascii_case(name)
        })
    }
}

/// Splits the tag that begins at `start`. Returns `None` if no tag begins there, or if the text ends within it.
///
/// # Source
/// HTML, the tokenizer's states from "tag open state" to "self-closing start tag state".
///
/// # Complexity
/// Linear in the length of the tag.
pub(crate) fn split(bytes: &[u8], start: usize) -> Option<Tag> {
    // Tag open state, end tag open state.
    let slash = usize::from(bytes.get(start + 1) == Some(&b'/'));
    let name_start = start + 1 + slash;
    if bytes.get(start) != Some(&b'<') || !bytes.get(name_start)?.is_ascii_alphabetic() {
        return None;
    }
    // Tag name state.
    let name = Span::new(name_start, name_end(bytes, name_start));
    let mut attributes = Vec::new();
    let mut pos = name.end;
    loop {
        match next(bytes, pos)? {
            AttributeOrEnd::Attribute(attribute) => {
                pos = attribute.span().end;
                attributes.push(attribute);
            }
            AttributeOrEnd::End(end) => {
                let span = Span::new(start, end);
                return Some(Tag {
                    span,
                    name,
                    attributes,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> Vec<(&str, &str, Quoting)> {
        let tag = split(text.as_bytes(), 0).expect(text);
        assert_eq!(tag.span, Span::new(0, text.len()), "{text}");
        let cut = |span: Span| &text[span.start..span.end];
        tag.attributes
            .iter()
            .map(|attribute| (cut(attribute.name), cut(attribute.value), attribute.quoting))
            .collect()
    }

    #[test]
    fn split_reads_attributes_in_all_forms() {
        use Quoting::{Absent, Double, Single, Unquoted};
        for (text, expected) in [
            ("<a>", vec![]),
            ("<a/>", vec![]),
            ("</a >", vec![]),
            ("<a\r\nb\t=\x0c'c'>", vec![("b", "c", Single)]),
            (
                "<a b=\"c>\"d=e>",
                vec![("b", "c>", Double), ("d", "e", Unquoted)],
            ),
            ("<a b=c/>", vec![("b", "c/", Unquoted)]),
            ("<a b/c>", vec![("b", "", Absent), ("c", "", Absent)]),
            ("<a b=>", vec![("b", "", Unquoted)]),
            (
                "<a b= c =d>",
                vec![("b", "c", Unquoted), ("=d", "", Absent)],
            ),
            ("<a =b>", vec![("=b", "", Absent)]),
            ("<a ==b>", vec![("=", "b", Unquoted)]),
            ("<a \"b=c>", vec![("\"b", "c", Unquoted)]),
            ("<a b=c\"d'e=f>", vec![("b", "c\"d'e=f", Unquoted)]),
            ("<a b b=c>", vec![("b", "", Absent), ("b", "c", Unquoted)]),
            (
                "<a b / = c>",
                vec![("b", "", Absent), ("=", "", Absent), ("c", "", Absent)],
            ),
        ] {
            assert_eq!(attributes(text), expected, "{text}");
        }
    }

    #[test]
    fn split_rejects_anything_but_a_whole_tag() {
        for text in [
            "", "<", "<>", "</>", "< a>", "<!a>", "<a", "<a b", "<a b=", "<a b='", "<a b='c",
            "<a b='c'", "<a b=c", "a>",
        ] {
            assert_eq!(split(text.as_bytes(), 0), None, "{text}");
        }
    }
}
