//! Splits a single tag, whose start is known, into its name and attributes.
//!
//! Whether a `<` begins a tag depends on the state of the tokenizer, and thereby on the tree. Within a tag, the state
//! depends on nothing but the tag. So a tag whose start is known can be split on its own.

use crate::span::Span;

/// A tag, with spans in bytes of the text that it was split from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The tag, from `<` to `>`, both included.
    pub(crate) span: Span,
    /// The name as written.
    pub(crate) name: Span,
    /// The attributes as written, duplicates included.
    pub(crate) attributes: Vec<SplitAttribute>,
}

/// An attribute of a [`Tag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SplitAttribute {
    /// The name as written.
    pub(crate) name: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// The delimiters of the value.
    pub(crate) quoting: Quoting,
}

/// The delimiters of an attribute value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `name="value"`.
    Double,
    /// `name='value'`.
    Single,
    /// `name=value`.
    Unquoted,
    /// `name`: there is no value, and its span is empty, at the end of the name.
    Absent,
}

impl SplitAttribute {
    /// Returns the span from the name to the end of the value, including quotes.
    pub(crate) fn span(&self) -> Span {
        let quote = match self.quoting {
            Quoting::Double | Quoting::Single => 1,
            Quoting::Unquoted | Quoting::Absent => 0,
        };
        Span::new(self.name.start, self.value.end + quote)
    }
}

/// Returns whether a byte is white space between attributes.
///
/// This includes CR, which the standard's tokenizer never sees: preprocessing has replaced it by a line feed.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Splits the tag that begins at `start`. Returns `None` if no tag begins there, or if the text ends within it.
///
/// # Source
/// HTML, the tokenizer's states from "tag name state" to "self-closing start tag state".
///
/// # Complexity
/// Linear in the length of the tag.
pub(crate) fn split(text: &str, start: usize) -> Option<Tag> {
    let bytes = text.as_bytes();
    let skip_while = |from: usize, skip: fn(u8) -> bool| {
        from + bytes[from..]
            .iter()
            .position(|&byte| !skip(byte))
            .unwrap_or(bytes.len() - from)
    };
    // Tag open state, end tag open state.
    let slash = usize::from(bytes.get(start + 1) == Some(&b'/'));
    let name_start = start + 1 + slash;
    if bytes.get(start) != Some(&b'<') || !bytes.get(name_start)?.is_ascii_alphabetic() {
        return None;
    }
    // Tag name state.
    let name_end = skip_while(name_start, |byte| {
        !is_space(byte) && byte != b'/' && byte != b'>'
    });
    let mut attributes = Vec::new();
    let mut pos = name_end;
    loop {
        // Before attribute name state, self-closing start tag state: a slash before anything but ">" is ignored.
        pos = skip_while(pos, |byte| is_space(byte) || byte == b'/');
        if *bytes.get(pos)? == b'>' {
            let span = Span::new(start, pos + 1);
            return Some(Tag {
                span,
                name: Span::new(name_start, name_end),
                attributes,
            });
        }
        // Attribute name state; an equals sign at the start is part of the name.
        let name_start = pos;
        pos = skip_while(pos + 1, |byte| {
            !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')
        });
        let name = Span::new(name_start, pos);
        // After attribute name state.
        pos = skip_while(pos, is_space);
        if bytes.get(pos) != Some(&b'=') {
            let value = Span::new(name.end, name.end);
            attributes.push(SplitAttribute {
                name,
                value,
                quoting: Quoting::Absent,
            });
            continue;
        }
        // Before attribute value state.
        pos = skip_while(pos + 1, is_space);
        let (value, quoting) = match *bytes.get(pos)? {
            // Attribute value (double-quoted) state.
            b'"' => (
                Span::new(pos + 1, skip_while(pos + 1, |byte| byte != b'"')),
                Quoting::Double,
            ),
            // Attribute value (single-quoted) state.
            b'\'' => (
                Span::new(pos + 1, skip_while(pos + 1, |byte| byte != b'\'')),
                Quoting::Single,
            ),
            // Attribute value (unquoted) state; a missing value (">" right here) is an empty one.
            _ => (
                Span::new(pos, skip_while(pos, |byte| !is_space(byte) && byte != b'>')),
                Quoting::Unquoted,
            ),
        };
        let attribute = SplitAttribute {
            name,
            value,
            quoting,
        };
        pos = attribute.span().end;
        // The closing quote is missing, so the span ends one byte after the text.
        if pos > bytes.len() {
            return None;
        }
        attributes.push(attribute);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> Vec<(&str, &str, Quoting)> {
        let tag = split(text, 0).expect(text);
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
            assert_eq!(split(text, 0), None, "{text}");
        }
    }
}
