//! A value that is one reference unless it is a CURIE (`about` and `resource` of `RDFa`).

use crate::grammar::scheme::has_colon_without_scheme;
use crate::grammar::single::single;
use crate::grammar::{Notation, ReferenceToken};

/// The one reference in `value`, without the white space around it, or `None` if the value is a CURIE.
///
/// An empty value is an empty reference: `about=""` is the document itself.
///
/// # Source
/// `RDFa` Core 1.1, 7.4.2 ("General Use of CURIEs in Attributes"), the datatype `SafeCURIEorCURIEorIRI`. Which prefixes
/// are declared is not known here, so that:
///
/// 1. `prefix:name` is a reference if the prefix could be a URL's scheme, even if it is declared. As it is absolute in
///    that case, resolving it leaves it alone.
/// 2. Any other text with a colon in its first path segment is taken for a CURIE, declared or not (`_:x`, `:x`, `a_b:x`):
///    no reference may begin like that (RFC 3986, 4.2), and a CURIE taken for a reference would be lost.
pub(crate) fn curie(value: &str) -> Option<ReferenceToken<'_>> {
    let span = single(value);
    let is_reference = !is_curie(&value[span.start..span.end]);
    is_reference.then(|| ReferenceToken::plain(value, span, Notation::Iri))
}

/// Whether `text` is a safe CURIE, a blank node, or has a prefix that cannot be a scheme.
pub(super) fn is_curie(text: &str) -> bool {
    (text.starts_with('[') && text.ends_with(']')) || has_colon_without_scheme(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::check::{assert_properties, references};

    #[test]
    fn what_could_be_a_url_is_a_reference() {
        for (value, reference) in [
            ("", ""),
            (" \n", ""),
            (" #me ", "#me"),
            ("/a:b", "/a:b"),
            ("?a:b", "?a:b"),
            ("#a:b", "#a:b"),
            ("./_:x", "./_:x"),
            ("foaf:Person", "foaf:Person"),
            ("x-a+b.c:d", "x-a+b.c:d"),
            ("http://example.org/", "http://example.org/"),
            ("[a", "[a"),
            ("a]", "a]"),
            ("[a]b", "[a]b"),
        ] {
            let found: Vec<_> = curie(value).into_iter().collect();
            assert_eq!(references(&found), [reference], "{value:?}");
        }
    }

    #[test]
    fn curies_are_not_references() {
        for value in [
            "[]",
            "[foaf:Person]",
            " [_:x]\n",
            "[/a]",
            "_:x",
            "_:",
            ":next",
            "a_b:c",
            "é:x",
            "1:2",
            "a b:c",
            "[a:b",
        ] {
            assert_eq!(curie(value), None, "{value:?}");
        }
    }

    #[test]
    fn the_grammar_keeps_its_properties() {
        let pieces = &[
            "[", "]", ":", "_:", "a", "1", "+", "/", "?", "#", " ", "\n", "\u{b}", "é", "_",
            "http:", "",
        ];
        assert_properties(pieces, |value| curie(value).into_iter().collect());
    }
}
