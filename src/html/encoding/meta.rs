//! The encoding that a `meta` element declares.

use encoding_rs::Encoding;
use memchr::{memchr, memchr2_iter};

use super::prescan::declared_by_meta;
use crate::find::starts_with_ignore_case;
use crate::html::charref;
use crate::html::tag;
use crate::span::Span;

/// Returns the encoding declared by the `meta` element whose start tag is at `span`.
///
/// Returns `None` if it declares none, or one with an unknown label.
///
/// # Source
/// HTML, "the rules for parsing tokens in HTML content", "in head", for a start tag "meta".
pub(in crate::html) fn declared_encoding(text: &str, span: Span) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"charset";
    let bytes = &text.as_bytes()[span.start..span.end];
    let is_word = |offset: usize| starts_with_ignore_case(&bytes[offset..], WORD);
    // A prefilter: both forms of a declaration contain the word, but in `content` character references may hide it.
    if !memchr2_iter(b'c', b'C', bytes).any(is_word) && memchr(b'&', bytes).is_none() {
        return None;
    }
    let tag = tag::split(text.as_bytes(), span.start)?;
    declared_by_meta(|name| {
        let value = tag.attribute(text.as_bytes(), name)?.value;
        let decoded = charref::decode(&text[value.start..value.end], 0);
        Some(decoded.text.into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_encoding_of_both_forms() {
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
