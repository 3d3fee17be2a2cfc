//! The text of an element of SVG or MathML, where there is no raw text: character references are decoded in it, and parts
//! of it may stand in CDATA sections.

use std::borrow::Cow;

use super::charref::{References, Value, decode_into};
use crate::offset_map::OffsetMap;
use crate::span::Span;

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";

/// The text of an element, and which parts of it stand in CDATA sections.
pub(crate) struct Text<'t> {
    /// The text.
    pub(crate) value: Value<'t>,
    /// In order, in bytes of what the text was cut from.
    cdata: Vec<Span>,
}

impl Text<'_> {
    /// Whether an offset of what the text was cut from is in a CDATA section.
    pub(crate) fn is_in_cdata(&self, offset: usize) -> bool {
        let behind = self.cdata.partition_point(|span| span.end < offset);
        self.cdata
            .get(behind)
            .is_some_and(|span| span.start <= offset)
    }
}

/// Decodes text that stands at `start` in the text it was cut from and holds no tags and no comments.
///
/// # Source
/// HTML, "data state", "CDATA section state", and "the rules for parsing tokens in foreign content" for U+0000.
///
/// # Complexity
/// Linear.
pub(crate) fn decode(raw: &str, start: usize) -> Text<'_> {
    let mut map = OffsetMap::new(start, 1);
    let mut text = String::with_capacity(raw.len());
    let mut cdata = Vec::new();
    let mut done = 0;
    while let Some(found) = raw[done..].find(CDATA_OPEN) {
        decode_into(
            &raw[done..done + found],
            References::InText,
            &mut text,
            &mut map,
        );
        let open = done + found + CDATA_OPEN.len();
        map.piece(0, CDATA_OPEN.len());
        let length = raw[open..].find(CDATA_CLOSE);
        let close = open + length.unwrap_or(raw.len() - open);
        decode_into(&raw[open..close], References::Never, &mut text, &mut map);
        cdata.push(Span::new(start + open, start + close));
        if length.is_some() {
            map.piece(0, CDATA_CLOSE.len());
        }
        done = close + length.map_or(0, |_| CDATA_CLOSE.len());
    }
    decode_into(&raw[done..], References::InText, &mut text, &mut map);
    let value = Value {
        raw,
        start,
        text: Cow::Owned(text),
        map,
    };
    Text { value, cdata }
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
