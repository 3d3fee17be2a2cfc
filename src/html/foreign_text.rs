//! The text of an element of SVG or MathML, where there is no raw text: character references are decoded in it, and
//! parts of it may stand in CDATA sections.

use std::borrow::Cow;

use super::charref::{CharacterReferences, DecodedValue, decode_into};
use super::tag;
use crate::offset_map::OffsetMap;
use crate::span::Span;

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";

/// The text of an element, and which parts of it stand in CDATA sections.
pub(crate) struct ForeignText<'t> {
    /// The text.
    pub(crate) value: DecodedValue<'t>,
    /// In order, in bytes of what the text was cut from.
    cdata: Vec<Span>,
}

impl ForeignText<'_> {
    /// Whether an offset of what the text was cut from is in a CDATA section.
    pub(crate) fn is_in_cdata(&self, offset: usize) -> bool {
        let behind = self.cdata.partition_point(|span| span.end < offset);
        self.cdata
            .get(behind)
            .is_some_and(|span| span.start <= offset)
    }
}

/// Decodes text that stands at `start` in the text it was cut from. No elements and no comments are in it; what the
/// parser drops in there is left out.
///
/// # Source
/// HTML, "data state", "CDATA section state", and "the rules for parsing tokens in foreign content", for U+0000, for a
/// DOCTYPE and for end tags that end nothing.
///
/// # Complexity
/// Linear.
pub(crate) fn decode(raw: &str, start: usize) -> ForeignText<'_> {
    let mut map = OffsetMap::new(start, 1);
    let mut text = String::with_capacity(raw.len());
    let mut cdata = Vec::new();
    let mut done = 0;
    let mut from = 0;
    while let Some(found) = raw[from..].find('<') {
        let at = from + found;
        let markup = Markup::at(raw, at);
        from = at + 1;
        let Some(markup) = markup else {
            continue;
        };
        decode_into(
            &raw[done..at],
            CharacterReferences::InText,
            &mut text,
            &mut map,
        );
        done = match markup {
            Markup::Cdata(inner) => {
                map.piece(0, inner.start - at);
                let content = &raw[inner.start..inner.end];
                decode_into(content, CharacterReferences::Never, &mut text, &mut map);
                cdata.push(Span::new(start + inner.start, start + inner.end));
                let end = raw.len().min(inner.end + CDATA_CLOSE.len());
                map.piece(0, end - inner.end);
                end
            }
            Markup::Dropped(end) => {
                map.piece(0, end - at);
                end
            }
        };
        from = done;
    }
    decode_into(
        &raw[done..],
        CharacterReferences::InText,
        &mut text,
        &mut map,
    );
    let value = DecodedValue {
        raw,
        start,
        text: Cow::Owned(text),
        map,
    };
    ForeignText { value, cdata }
}

/// What begins with `<` in text and is none.
enum Markup {
    /// A CDATA section, with the span of its content.
    Cdata(Span),
    /// Something that the parser drops, up to here.
    Dropped(usize),
}

impl Markup {
    fn at(raw: &str, at: usize) -> Option<Self> {
        const DOCTYPE: &[u8] = b"<!doctype";
        let rest = &raw[at..];
        let begins = |word: &[u8]| {
            let start = rest.as_bytes().get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if rest.starts_with(CDATA_OPEN) {
            let start = at + CDATA_OPEN.len();
            let length = raw[start..].find(CDATA_CLOSE);
            let end = length.map_or(raw.len(), |length| start + length);
            Some(Self::Cdata(Span::new(start, end)))
        } else if rest.starts_with("</>") {
            Some(Self::Dropped(at + "</>".len()))
        } else if begins(DOCTYPE) {
            let length = rest.find('>').map_or(rest.len(), |last| last + 1);
            Some(Self::Dropped(at + length))
        } else if rest.starts_with("</") && rest.as_bytes().get(2)?.is_ascii_alphabetic() {
            let tag = tag::split(raw, at);
            Some(Self::Dropped(tag.map_or(raw.len(), |tag| tag.span.end)))
        } else if rest.as_bytes().get(1)?.is_ascii_alphabetic() {
            // A start tag that is not whole, because nothing follows.
            Some(Self::Dropped(raw.len()))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_references() {
        for (raw, expected) in [
            ("a{}", "a{}"),
            ("a&amp;b&ampc&lt;", "a&b&c<"),
            ("<![CDATA[a&amp;<b>]]>", "a&amp;<b>"),
            ("x<![CDATA[a]]>&gt;<![CDATA[b", "xa>b"),
            ("<![CDATA[]]>\r\n\0]]>", "\n\u{fffd}]]>"),
            ("a</>b</p x='>'>c<!DocType d>e < f</g", "abce < f"),
            ("a<b c='>", "a"),
        ] {
            let text = decode(raw, 10);
            assert_eq!(text.value.text, expected, "{raw}");
            assert!(text.value.map.source(text.value.text.len()).is_some());
        }
        let text = decode("&amp;<![CDATA[b]]>c", 10);
        assert_eq!(text.value.map.source(0), Some(10));
        assert_eq!(text.value.map.source(2), Some(25));
        assert!(text.is_in_cdata(24) && !text.is_in_cdata(28) && !text.is_in_cdata(12));
    }
}
