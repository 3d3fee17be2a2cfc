//! Values that are lists of references, separated by white space, commas or semicolons.

use crate::grammar::notation::Notation;
use crate::grammar::single::{is_trimmed, trim_span};
use crate::grammar::token::ReferenceToken;
use crate::span::Span;

/// Returns the references of a list separated by white space, in order.
///
/// Such lists are `ping`, the `archive` of OBJECT and the `profile` of HEAD. A reference that occurs twice is returned
/// twice, because both have to be rewritten.
///
/// # Source
/// HTML, "split a string on ASCII whitespace"; HTML 4.01, 13.3 (`archive`) and 7.4.1 (`profile`).
pub(crate) fn space_separated(value: &str) -> impl Iterator<Item = ReferenceToken<'_>> {
    items(value, |character| character.is_ascii_whitespace())
        .map(|span| ReferenceToken::literal(value, span, Notation::Word))
}

/// Returns the references of a list separated by commas (the `archive` of APPLET), in order.
///
/// # Source
/// HTML 4.01, 13.4. The list is split as by HTML, "split a string on commas", except that empty items are left out.
pub(crate) fn comma_separated(value: &str) -> impl Iterator<Item = ReferenceToken<'_>> {
    items(value, |character| character == ',')
        .map(|span| ReferenceToken::literal(value, span, Notation::CommaItem))
}

/// Returns the references of a list separated by semicolons (the `values` of SVG animation elements), in order.
///
/// # Source
/// SVG 1.1, 19.2.9 ("Attributes that define animation values over time"): white space around a semicolon and at both
/// ends is ignored.
pub(crate) fn semicolon_separated(value: &str) -> impl Iterator<Item = ReferenceToken<'_>> {
    items(value, |character| character == ';')
        .map(|span| ReferenceToken::literal(value, span, Notation::SemicolonItem))
}

/// Returns the spans between delimiters, without the white space around them. Empty spans are left out.
fn items(value: &str, is_delimiter: fn(char) -> bool) -> impl Iterator<Item = Span> {
    let mut start = 0;
    value.split_inclusive(is_delimiter).filter_map(move |item| {
        let span = Span::new(start, start + item.trim_end_matches(is_delimiter).len());
        start += item.len();
        let span = trim_span(value, span);
        (!span.is_empty()).then_some(span)
    })
}

/// Returns whether `text` can be a whole item.
///
/// It must not be empty (empty items are left out), must not contain a delimiter (it would become two items) and must
/// not have white space at its ends (which would not be part of the item).
pub(super) fn can_represent(is_delimiter: fn(char) -> bool, text: &str) -> bool {
    !text.is_empty() && !text.contains(is_delimiter) && is_trimmed(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::test_support::{assert_properties, references};

    #[test]
    fn space_separated_splits_at_ascii_white_space() {
        for (value, expected) in [
            ("", &[][..]),
            (" \t\r\n\u{c}", &[]),
            ("/a", &["/a"]),
            ("\n/a\t /b\u{c}/a\r", &["/a", "/b", "/a"]),
            ("a,b;c \u{b} d\u{a0}e", &["a,b;c", "\u{b}", "d\u{a0}e"]),
        ] {
            assert_eq!(
                references(&space_separated(value).collect::<Vec<_>>()),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn comma_and_semicolon_separated_split_at_their_delimiter() {
        for (value, expected) in [
            ("", &[][..]),
            (" , ,,", &[]),
            ("a.jar", &["a.jar"]),
            (
                " a.jar ,b c.jar,\n,d.jar, ",
                &["a.jar", "b c.jar", "d.jar"][..],
            ),
        ] {
            assert_eq!(
                references(&comma_separated(value).collect::<Vec<_>>()),
                expected,
                "{value:?}"
            );
            let value = value.replace(',', ";");
            let found: Vec<_> = semicolon_separated(&value).collect();
            assert_eq!(references(&found), expected, "{value:?}");
        }
        assert_eq!(
            references(&comma_separated("a;b").collect::<Vec<_>>()),
            ["a;b"]
        );
        assert_eq!(
            references(&semicolon_separated("a,b").collect::<Vec<_>>()),
            ["a,b"]
        );
    }

    #[test]
    fn lists_satisfy_the_properties_of_a_grammar() {
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
        assert_properties(pieces, |value| space_separated(value).collect());
        assert_properties(pieces, |value| comma_separated(value).collect());
        assert_properties(pieces, |value| semicolon_separated(value).collect());
    }
}
