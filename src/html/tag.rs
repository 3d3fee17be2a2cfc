//! Splits one tag into its name and attributes, when it is known where the tag begins.
//!
//! Which state the tokenizer is in before a tag depends on the tree; inside a tag it depends on nothing but the tag.

use crate::span::Span;

/// A tag; spans are bytes of the text it was split from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    /// From `<` to behind `>`.
    pub(crate) span: Span,
    /// The name as written.
    pub(crate) name: Span,
    /// Every attribute as written, duplicates included.
    pub(crate) attributes: Vec<SplitAttribute>,
}

/// An attribute of a [`Tag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SplitAttribute {
    /// The name as written.
    pub(crate) name: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// How the value is delimited.
    pub(crate) quoting: Quoting,
}

/// How the value of an attribute is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `name="value"`.
    Double,
    /// `name='value'`.
    Single,
    /// `name=value`.
    Unquoted,
    /// `name`: there is no value, and its empty span is behind the name.
    Absent,
}

impl SplitAttribute {
    /// From the name to behind the value and its quotes.
    pub(crate) fn span(&self) -> Span {
        let quote = match self.quoting {
            Quoting::Double | Quoting::Single => 1,
            Quoting::Unquoted | Quoting::Absent => 0,
        };
        Span::new(self.name.start, self.value.end + quote)
    }
}

/// White space between attributes; carriage returns are line feeds by the time the standard's tokenizer sees them.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Splits the tag that begins at `start`; `None` if none begins there or it has no end.
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
    let mut at = name_end;
    loop {
        // Before attribute name state, self-closing start tag state: a slash that closes nothing is passed over.
        at = skip_while(at, |byte| is_space(byte) || byte == b'/');
        if *bytes.get(at)? == b'>' {
            let span = Span::new(start, at + 1);
            return Some(Tag {
                span,
                name: Span::new(name_start, name_end),
                attributes,
            });
        }
        // Attribute name state; an equals sign at the start is part of the name.
        let name = at;
        at = skip_while(at + 1, |byte| {
            !is_space(byte) && !matches!(byte, b'/' | b'>' | b'=')
        });
        let name = Span::new(name, at);
        // After attribute name state.
        at = skip_while(at, is_space);
        if bytes.get(at) != Some(&b'=') {
            let value = Span::new(name.end, name.end);
            attributes.push(SplitAttribute {
                name,
                value,
                quoting: Quoting::Absent,
            });
            continue;
        }
        // Before attribute value state.
        at = skip_while(at + 1, is_space);
        let (value, quoting) = match *bytes.get(at)? {
            // Attribute value (double-quoted) state.
            b'"' => (
                Span::new(at + 1, skip_while(at + 1, |byte| byte != b'"')),
                Quoting::Double,
            ),
            // Attribute value (single-quoted) state.
            b'\'' => (
                Span::new(at + 1, skip_while(at + 1, |byte| byte != b'\'')),
                Quoting::Single,
            ),
            // Attribute value (unquoted) state; ">" right here is a missing value, which is an empty one.
            _ => (
                Span::new(at, skip_while(at, |byte| !is_space(byte) && byte != b'>')),
                Quoting::Unquoted,
            ),
        };
        let attribute = SplitAttribute {
            name,
            value,
            quoting,
        };
        at = attribute.span().end;
        if at > bytes.len() {
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
            .map(|one| (cut(one.name), cut(one.value), one.quoting))
            .collect()
    }

    #[test]
    fn attributes_in_all_their_forms() {
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
    fn what_is_no_whole_tag_is_none() {
        for text in [
            "", "<", "<>", "</>", "< a>", "<!a>", "<a", "<a b", "<a b=", "<a b='", "<a b='c",
            "<a b='c'", "<a b=c", "a>",
        ] {
            assert_eq!(split(text, 0), None, "{text}");
        }
    }
}
