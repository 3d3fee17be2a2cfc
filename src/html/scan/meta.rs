//! What a `meta` element says of the encoding of its document.

use encoding_rs::Encoding;
use memchr::{memchr, memchr2_iter};

use crate::html::charref;
use crate::html::prescan::{charset_in_content, declared};
use crate::html::tag;
use crate::span::Span;

/// The encoding that the `meta` element whose start tag is at `span` declares.
///
/// # Source
/// HTML, "the rules for parsing tokens in HTML content", "in head", for a start tag "meta".
pub(super) fn declared_encoding(text: &str, span: Span) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"charset";
    let bytes = &text.as_bytes()[span.start..span.end];
    let is_word = |at: usize| {
        let word = bytes.get(at..at + WORD.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(WORD))
    };
    // In `content` it may be written with character references.
    if !memchr2_iter(b'c', b'C', bytes).any(is_word) && memchr(b'&', bytes).is_none() {
        return None;
    }
    let tag = tag::split(text, span.start)?;
    let value_of = |name: &str| {
        let mut attributes = tag.attributes.iter();
        let found =
            attributes.find(|own| text[own.name.start..own.name.end].eq_ignore_ascii_case(name))?;
        Some(charref::decode(&text[found.value.start..found.value.end], 0).text)
    };
    if let Some(label) = value_of("charset") {
        return Encoding::for_label(label.as_bytes()).map(declared);
    }
    if !value_of("http-equiv")?.eq_ignore_ascii_case("content-type") {
        return None;
    }
    charset_in_content(value_of("content")?.as_bytes()).map(declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        for (text, expected) in [
            ("<meta charset=gbk>", Some("GBK")),
            ("<META CharSet=' Latin1 '>", Some("windows-1252")),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=x charset=gbk>", None),
            ("<meta charset>", None),
            ("<meta name=charset content=gbk>", None),
            (
                "<meta http-equiv=Content-Type content='text/html; charset = \"gbk\"'>",
                Some("GBK"),
            ),
            (
                "<meta http-equiv=content&#45;type content=charset=gbk>",
                Some("GBK"),
            ),
            (
                "<meta http-equiv=content-type content=&#99;harset&#x3d;gbk>",
                Some("GBK"),
            ),
            ("<meta http-equiv=refresh content=charset=gbk>", None),
            (
                "<meta http-equiv=content-type charset=x content=charset=gbk>",
                None,
            ),
            ("<meta http-equiv=content-type content=charset>", None),
        ] {
            let found = declared_encoding(text, Span::new(0, text.len()));
            assert_eq!(found.map(Encoding::name), expected, "{text}");
        }
    }
}
