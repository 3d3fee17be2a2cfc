//! Values that are lists of references with a delimiter between them.

use crate::grammar::single::{is_trimmed, trimmed};
use crate::grammar::{Notation, ReferenceToken};
use crate::span::Span;

/// The references in a list with white space between them (`ping`, the `archive` of OBJECT, the `profile` of HEAD), in
/// order.
///
/// # Source
/// HTML, "split a string on ASCII whitespace"; HTML 4.01, 13.3 (`archive`) and 7.4.1 (`profile`). One that stands there
/// twice is returned twice: both are to be rewritten.
pub(crate) fn space_separated(value: &str) -> Vec<ReferenceToken<'_>> {
    items(value, |character| character.is_ascii_whitespace())
        .map(|span| ReferenceToken::plain(value, span, Notation::Word))
        .collect()
}

/// The references in a list with commas between them (the `archive` of APPLET), in order.
///
/// # Source
/// HTML 4.01, 13.4; how it is split: HTML, "split a string on commas", but empty items are left out.
pub(crate) fn comma_separated(value: &str) -> Vec<ReferenceToken<'_>> {
    items(value, |character| character == ',')
        .map(|span| ReferenceToken::plain(value, span, Notation::CommaItem))
        .collect()
}

/// The references in a list with semicolons between them (the `values` of the animation elements of SVG), in order.
///
/// # Source
/// SVG 1.1, 19.2.9 ("Attributes that define animation values over time"): white space around a semicolon and at both
/// ends is ignored.
pub(crate) fn semicolon_separated(value: &str) -> Vec<ReferenceToken<'_>> {
    items(value, |character| character == ';')
        .map(|span| ReferenceToken::plain(value, span, Notation::SemicolonItem))
        .collect()
}

/// The spans between the delimiters, without white space around them and without empty ones.
pub(super) fn items(value: &str, is_delimiter: fn(char) -> bool) -> impl Iterator<Item = Span> {
    let mut start = 0;
    value.split_inclusive(is_delimiter).filter_map(move |item| {
        let span = Span::new(start, start + item.trim_end_matches(is_delimiter).len());
        start += item.len();
        let span = trimmed(value, span);
        (!span.is_empty()).then_some(span)
    })
}

/// Whether `text` can be a whole item: it is not empty (an empty item is none), holds no delimiter (it would be two),
/// and has no white space at its ends (which would not be part of it).
pub(super) fn may_contain(is_delimiter: fn(char) -> bool, text: &str) -> bool {
    !text.is_empty() && !text.contains(is_delimiter) && is_trimmed(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::check::{assert_properties, references};

    #[test]
    fn white_space_parts_words() {
        for (value, expected) in [
            ("", &[][..]),
            (" \t\r\n\u{c}", &[]),
            ("/a", &["/a"]),
            ("\n/a\t /b\u{c}/a\r", &["/a", "/b", "/a"]),
            ("a,b;c \u{b} d\u{a0}e", &["a,b;c", "\u{b}", "d\u{a0}e"]),
        ] {
            assert_eq!(references(&space_separated(value)), expected, "{value:?}");
        }
    }

    #[test]
    fn commas_and_semicolons_part_items() {
        for (value, expected) in [
            ("", &[][..]),
            (" , ,,", &[]),
            ("a.jar", &["a.jar"]),
            (
                " a.jar ,b c.jar,\n,d.jar, ",
                &["a.jar", "b c.jar", "d.jar"][..],
            ),
        ] {
            assert_eq!(references(&comma_separated(value)), expected, "{value:?}");
            let value = value.replace(',', ";");
            let found = semicolon_separated(&value);
            assert_eq!(references(&found), expected, "{value:?}");
        }
        assert_eq!(references(&comma_separated("a;b")), ["a;b"]);
        assert_eq!(references(&semicolon_separated("a,b")), ["a,b"]);
    }

    #[test]
    fn lists_keep_their_properties() {
        let pieces = &[
            " ",
            "\t",
            "\n",
            "\r\n",
            "\u{c}",
            "\u{b}",
            ",",
            ";",
            ",,",
            "; ;",
            "a",
            "/b?c#d",
            "é",
            "\u{1f600}",
            "\u{a0}",
            "http://h/",
            "",
        ];
        assert_properties(pieces, space_separated);
        assert_properties(pieces, comma_separated);
        assert_properties(pieces, semicolon_separated);
    }
}
