//! Values that consist of one reference or one CURIE (`about` and `resource` of `RDFa`).

use crate::grammar::notation::Notation;
use crate::grammar::scheme::has_colon_without_scheme;
use crate::grammar::single::single;
use crate::grammar::token::ReferenceToken;

/// Returns the reference in `value`, without the white space around it, or `None` if the value is a CURIE.
///
/// An empty value is an empty reference: `about=""` is the document itself.
///
/// # Source
/// `RDFa` Core 1.1, 7.4.2 ("General Use of CURIEs in Attributes"), the datatype `SafeCURIEorCURIEorIRI`. The declared
/// prefixes are not known here, so:
///
/// 1. `prefix:name` is a reference if the prefix could be a scheme, even if it is declared. Such a reference is
///    absolute, so resolving it leaves it unchanged.
/// 2. Any other text with a colon in its first path segment is a CURIE, declared or not (`_:x`, `:x`, `a_b:x`). No
///    reference may begin like that (RFC 3986, 4.2), and resolving a CURIE would destroy it.
pub(crate) fn curie(value: &str) -> Option<ReferenceToken<'_>> {
    let span = single(value);
    let is_reference = !is_curie(&value[span.start..span.end]);
    is_reference.then(|| ReferenceToken::literal(value, span, Notation::Iri))
}

/// Returns whether `text` is a safe CURIE, a blank node, or has a prefix that cannot be a scheme.
pub(super) fn is_curie(text: &str) -> bool {
    (text.starts_with('[') && text.ends_with(']')) || has_colon_without_scheme(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::test_support::{assert_properties, references};

    #[test]
    fn curie_returns_text_that_could_be_a_url() {
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
    fn curie_rejects_curies() {
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
    fn curie_satisfies_the_properties_of_a_grammar() {
        let pieces = &[
            "[", "]", ":", "_:", "a", "1", "+", "/", "?", "#", " ", "\n", "\u{b}", "é", "_",
            "http:", "",
        ];
        assert_properties(pieces, |value| curie(value).into_iter().collect());
    }
}
