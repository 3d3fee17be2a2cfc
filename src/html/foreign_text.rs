//! Text of SVG and MathML elements, which is not raw text: it has character references and CDATA sections.

use std::borrow::Cow;

use super::charref::CharacterReferences::{InText, Never};
use super::charref::decode_into;
use super::tag;
use crate::find::starts_with_ignore_case;
use crate::markup::value::DecodedValue;
use crate::offset_map::OffsetMap;
use crate::span::Span;

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";

/// Decodes `raw`, which is at offset `start` of the text that contains it, and must not contain elements or comments.
///
/// Markup that the parser drops, such as a stray end tag, is omitted from the text and is a piece without text in its
/// map.
///
/// # Source
/// HTML, "data state", "CDATA section state", and "the rules for parsing tokens in foreign content", for U+0000, for a
/// DOCTYPE and for end tags that end nothing.
///
/// # Complexity
/// Linear.
pub(crate) fn decode(raw: &str, start: usize) -> DecodedValue<'_> {
    let mut map = OffsetMap::new(start, 1);
    let mut text = String::with_capacity(raw.len());
    let mut cdata = Vec::new();
    // Offset up to which `raw` is decoded, and offset from which the next "<" is searched.
    let mut done = 0;
    let mut from = 0;
    while let Some(found) = raw[from..].find('<') {
        let pos = from + found;
        let markup = Markup::at(raw, pos);
        from = pos + 1;
        let Some(markup) = markup else {
            // A literal "<": it is decoded with the text around it.
            continue;
        };
        decode_into(&raw[done..pos], InText, &mut text, &mut map);
        done = match markup {
            Markup::Cdata(inner) => {
                // The delimiters become no text.
                map.piece(0, inner.start - pos);
                let content = &raw[inner.start..inner.end];
                decode_into(content, Never, &mut text, &mut map);
                cdata.push(Span::new(start + inner.start, start + inner.end));
                let end = raw.len().min(inner.end + CDATA_CLOSE.len());
                map.piece(0, end - inner.end);
                end
            }
            Markup::Dropped(end) => {
                map.piece(0, end - pos);
                end
            }
        };
        from = done;
    }
    decode_into(&raw[done..], InText, &mut text, &mut map);
    DecodedValue {
        raw,
        start,
        text: Cow::Owned(text),
        map,
        cdata,
    }
}

/// Markup in text.
enum Markup {
    /// A CDATA section, with the span of its content.
    Cdata(Span),
    /// Markup that the parser drops, with its end.
    Dropped(usize),
}

impl Markup {
    /// Returns the markup that begins with the `<` at `pos`, or `None` if that is literal.
    fn at(raw: &str, pos: usize) -> Option<Self> {
        const DOCTYPE: &[u8] = b"<!doctype";
        let rest = &raw[pos..];
        if rest.starts_with(CDATA_OPEN) {
            let start = pos + CDATA_OPEN.len();
            let length = raw[start..].find(CDATA_CLOSE);
            let end = length.map_or(raw.len(), |length| start + length);
            Some(Self::Cdata(Span::new(start, end)))
        } else if rest.starts_with("</>") {
            Some(Self::Dropped(pos + "</>".len()))
        } else if starts_with_ignore_case(rest.as_bytes(), DOCTYPE) {
            let length = rest.find('>').map_or(rest.len(), |last| last + 1);
            Some(Self::Dropped(pos + length))
        } else if rest.starts_with("</") && rest.as_bytes().get(2)?.is_ascii_alphabetic() {
            // An end tag that ends nothing. Any other would have ended the text.
            let tag = tag::split(raw.as_bytes(), pos);
            Some(Self::Dropped(tag.map_or(raw.len(), |tag| tag.span.end)))
        } else if rest.as_bytes().get(1)?.is_ascii_alphabetic() {
            // A truncated start tag at the end of the document. A complete one would have ended the text.
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
    fn decode_handles_sections_and_references() {
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
            assert_eq!(text.text, expected, "{raw}");
            assert!(text.map.source(text.text.len()).is_some());
        }
        let text = decode("&amp;<![CDATA[b]]>c", 10);
        assert_eq!(text.map.source(0), Some(10));
        assert_eq!(text.map.source(2), Some(25));
        assert!(text.is_in_cdata(24) && !text.is_in_cdata(28) && !text.is_in_cdata(12));
    }
}
