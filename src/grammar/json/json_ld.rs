//! Linked data: `<script type="application/ld+json">`.
//!
//! Remote contexts are not fetched, so the terms that they define (nearly all of schema.org's) are not known here:
//! `"url": "/a"` is a reference only if a context in the text itself says so. Left out on purpose, too, because a text
//! alone does not tell them: values of `@type` and of terms typed `@vocab`, which are words of a vocabulary first, and
//! maps by index or language below a typed term.

use std::borrow::Cow;
use std::collections::HashMap;

use super::text::{JsonValue, read};
use crate::grammar::scheme::has_colon_without_scheme;
use crate::grammar::{Notation, ReferenceToken};

/// Where in linked data a value stands.
#[derive(Clone, Copy)]
enum JsonLdPosition {
    /// Where nodes stand: in one, or in an array of them.
    Node,
    /// At `@id`.
    Id,
    /// At a term whose strings are references.
    Typed,
    /// At `@context`: a context, or an array of them.
    Context,
    /// In the definition of a term, by its index.
    Definition(usize),
    /// Where nothing is read.
    Elsewhere,
}

/// The references in linked data: values of `@id`, contexts that are named and not written out, and values of terms
/// which a context in the text defines as references (`"@type": "@id"`) or as another name for `@id`.
///
/// None at all if a context in the text sets `@base`: the references have another base URL then.
///
/// # Source
/// JSON-LD 1.1, "Node Identifiers", "Base IRI", "Type Coercion", "Advanced Context Usage"; JSON-LD 1.1 Processing
/// Algorithms and API, "IRI Expansion", with these differences:
/// 1. Contexts are not scoped: a definition holds for the whole text. A term of which there are definitions that are
///    at odds is left alone.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn json_ld(text: &str) -> Vec<ReferenceToken<'_>> {
    let mut terms = Terms::default();
    let is_json = read(text, JsonLdPosition::Node, |place, name, value| {
        let name = name.map(|name| name.reference);
        match (place, name.as_deref()) {
            (JsonLdPosition::Node | JsonLdPosition::Definition(_), Some("@context"))
            | (JsonLdPosition::Context, None) => JsonLdPosition::Context,
            (JsonLdPosition::Node, Some("@value")) => JsonLdPosition::Elsewhere,
            (JsonLdPosition::Node, _) => JsonLdPosition::Node,
            (JsonLdPosition::Context, Some("@base")) => {
                terms.has_base = true;
                JsonLdPosition::Elsewhere
            }
            (JsonLdPosition::Context, Some(_)) => terms.define(name.unwrap_or_default(), &value),
            (JsonLdPosition::Definition(term), Some("@type" | "@id")) => {
                terms.mark(term, &value);
                JsonLdPosition::Elsewhere
            }
            _ => JsonLdPosition::Elsewhere,
        }
    });
    if !is_json || terms.has_base {
        return Vec::new();
    }
    collect(text, &terms)
}

/// The references in `text`, which is JSON without `@base`.
fn collect<'t>(text: &'t str, terms: &Terms<'t>) -> Vec<ReferenceToken<'t>> {
    let mut found = Vec::new();
    let is_json = read(text, JsonLdPosition::Node, |place, name, value| {
        let inner = match (place, name.as_ref().map(|name| &*name.reference)) {
            (JsonLdPosition::Typed, None | Some("@list" | "@set")) => JsonLdPosition::Typed,
            (JsonLdPosition::Node | JsonLdPosition::Typed, Some("@id")) => JsonLdPosition::Id,
            (JsonLdPosition::Node | JsonLdPosition::Typed, Some("@context"))
            | (JsonLdPosition::Context, None) => JsonLdPosition::Context,
            (JsonLdPosition::Node | JsonLdPosition::Typed, Some("@value")) => {
                JsonLdPosition::Elsewhere
            }
            // DIFFERENCE: whichever context defines the term; which of them is in force here is a matter of remote
            // contexts, too (test `references_of_linked_data`, "Definitions at odds").
            (JsonLdPosition::Node | JsonLdPosition::Typed, Some(term))
                if terms.is_literal(term) =>
            {
                JsonLdPosition::Elsewhere
            }
            (JsonLdPosition::Node | JsonLdPosition::Typed, Some(term)) if terms.is_typed(term) => {
                JsonLdPosition::Typed
            }
            (JsonLdPosition::Node | JsonLdPosition::Typed, _) => JsonLdPosition::Node,
            _ => JsonLdPosition::Elsewhere,
        };
        if let (
            JsonLdPosition::Id | JsonLdPosition::Typed | JsonLdPosition::Context,
            JsonValue::String(string),
        ) = (inner, value)
            && may_be_reference(&string.reference)
        {
            let notation = Notation::JsonIri;
            found.push(ReferenceToken { notation, ..string });
        }
        inner
    });
    debug_assert!(is_json, "it was when the terms were read");
    found
}

/// Whether the text at `@id` is a reference or a URL. It is not if it is the name of a blank node (`_:b0`), a compact
/// IRI with a prefix that is no scheme, or has the form of a keyword. A compact IRI whose prefix could be a scheme
/// looks like a URL, and is as absolute as one.
///
/// # Source
/// JSON-LD 1.1 Processing Algorithms and API, "IRI Expansion"; RFC 3986 section 4.2: the first segment of a relative
/// path has no colon.
pub(in crate::grammar) fn may_be_reference(text: &str) -> bool {
    let is_keyword = text.strip_prefix('@').is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    !is_keyword && !has_colon_without_scheme(text)
}

/// What the contexts of a text say.
#[derive(Default)]
struct Terms<'t> {
    by_name: HashMap<Cow<'t, str>, usize>,
    defined: Vec<Term>,
    has_base: bool,
}

/// What the definitions of a term say.
#[derive(Default)]
struct Term {
    /// Whether the last one says that it is a reference.
    is_typed: bool,
    /// Whether one before says that it is none.
    is_other: bool,
    /// Whether one says that its values are JSON literals, in which nothing is a reference.
    is_literal: bool,
}

impl<'t> Terms<'t> {
    /// A context defines `name`. The answer is the place of what is in the definition.
    fn define(&mut self, name: Cow<'t, str>, definition: &JsonValue<'_>) -> JsonLdPosition {
        if name.starts_with('@') {
            return JsonLdPosition::Elsewhere;
        }
        let next = self.defined.len();
        let index = *self.by_name.entry(name).or_insert(next);
        if index == next {
            self.defined.push(Term::default());
        } else {
            let term = &mut self.defined[index];
            term.is_other |= !term.is_typed;
            term.is_typed = false;
        }
        self.mark(index, definition);
        JsonLdPosition::Definition(index)
    }

    /// The definition of a term, or its `@type` or `@id`, is `value`.
    fn mark(&mut self, index: usize, value: &JsonValue<'_>) {
        let is_id = matches!(value, JsonValue::String(string) if string.reference == "@id");
        let is_json = matches!(value, JsonValue::String(string) if string.reference == "@json");
        let term = &mut self.defined[index];
        term.is_typed |= is_id;
        term.is_literal |= is_json;
    }

    fn is_literal(&self, name: &str) -> bool {
        let index = self.by_name.get(name);
        index.is_some_and(|&index| self.defined[index].is_literal)
    }

    fn is_typed(&self, name: &str) -> bool {
        self.by_name
            .get(name)
            .map(|&index| &self.defined[index])
            .is_some_and(|term| term.is_typed && !term.is_other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &[(&str, &[&str])] = &[
        // JSON-LD 1.1: a remote context, type coercion, several contexts, a graph.
        (
            r#"{"@context": "https://json-ld.org/contexts/person.jsonld", "name": "Manu Sporny",
            "homepage": "http://manu.sporny.org/", "image": "/images/manu.png"}"#,
            &["https://json-ld.org/contexts/person.jsonld"],
        ),
        (
            r#"{"@context": {"name": "http://schema.org/name", "image": {"@id": "http://schema.org/image", "@type": "@id"},
            "homepage": {"@id": "http://schema.org/url", "@type": "@id"}},
            "name": "Manu Sporny", "homepage": "http://manu.sporny.org/", "image": ["/images/manu.png", {"@id": "x"}]}"#,
            &["http://manu.sporny.org/", "/images/manu.png", "x"],
        ),
        (
            r#"{"@context": ["one.jsonld", {"@vocab": "/v"}, "../two.jsonld"], "@id": "", "knows": [{"@id": "\u0023me"}]}"#,
            &["one.jsonld", "../two.jsonld", "", "#me"],
        ),
        (
            r#"[{"@graph": [{"@id": "a", "@type": "B", "x": {"@context": "c", "@id": "d"}}]}, {"@id": "e"}]"#,
            &["a", "c", "d", "e"],
        ),
        // A term is defined behind its use, under another name of it, in a scoped context.
        (
            r#"{"u": "a", "@context": {"\u0075": {"@type": "@id"}}}"#,
            &["a"],
        ),
        (
            r#"{"@context": [{"t": {"@id": "x:t", "@context": [{"u": {"@type": "@id"}}]}}], "t": {"u": ["a", "b"]}}"#,
            &["a", "b"],
        ),
        (
            r#"{"@context": {"id": "@id", "key": {"@id": "@id"}, "type": "@type"}, "id": "a", "x": {"key": "b", "type": "C"}}"#,
            &["a", "b"],
        ),
        (
            r#"{"@context": {"u": {"@type": "@id"}}, "u": {"@list": ["a", ["b"]], "@set": "c", "@value": "d", "v": "e"}}"#,
            &["a", "b", "c"],
        ),
        // Definitions at odds.
        (
            r#"[{"@context": {"u": {"@type": "@id"}}, "u": "a"}, {"@context": {"u": "x:u"}, "u": "b"}]"#,
            &[],
        ),
        (
            r#"[{"@context": {"u": {"@type": "@id", "@id": "@id"}}}, {"@context": {"u": "x:u"}, "u": "b"}]"#,
            &[],
        ),
        (
            r#"[{"@context": {"u": "x:u"}, "u": "b"}, {"@context": {"u": {"@id": "@id", "@type": "@id"}}}]"#,
            &[],
        ),
        (
            r#"[{"@context": {"u": {"@type": "@id"}}, "u": "a"}, {"@context": {"u": {"@type": "@id"}}, "u": "b"}]"#,
            &["a", "b"],
        ),
        // Other types.
        (
            r#"{"@context": {"u": {"@type": "@vocab"}, "v": {"@type": "xsd:string"}, "w": null, "x": {"@id": "x:y"}},
            "u": "a", "v": "b", "w": "c", "x": "d"}"#,
            &[],
        ),
        // Data.
        (
            r#"{"@context": {"p": {"@id": "x:p", "@type": "@json"}}, "p": {"@id": "a"}, "q": {"@id": "b"}}"#,
            &["b"],
        ),
        // What is not a reference.
        (
            r#"[{"@id": "_:b0"}, {"@id": "@id"}, {"@id": "@vocab"}, {"@id": "my_prefix:x"}, {"@id": ":x"}, {"@id": 1}]"#,
            &[],
        ),
        (
            r#"[{"@id": "schema:x"}, {"@id": "a/b:c"}, {"@id": "?a:b"}, {"@id": "@a/b"}, {"@id": "@"}]"#,
            &["schema:x", "a/b:c", "?a:b", "@a/b", "@"],
        ),
        (
            r#"{"@context": {"a": {"@id": "b", "@context": "c"}, "@import": "d", "@id": "e", "f": {"@id": "g"}}}"#,
            &[],
        ),
        (
            r#"{"@value": {"@id": "a", "@context": "b"}, "@type": "@json", "@id": ["c"], "@context": {"@type": "@id"}}"#,
            &[],
        ),
        // Another base.
        (r#"{"@context": {"@base": "http://h/"}, "@id": "a"}"#, &[]),
        (
            r#"[{"@id": "a"}, {"@context": ["c", {"@base": null}]}]"#,
            &[],
        ),
        (
            r#"{"@context": {"t": {"@context": {"@base": "b"}}}, "@id": "a"}"#,
            &[],
        ),
        (r#"{"@base": "x", "@id": "a"}"#, &["a"]),
        ("\"@id\"", &[]),
        (r#"{"@id": "a"};"#, &[]),
    ];

    #[test]
    fn references_of_linked_data() {
        for (text, references) in DATA {
            let found: Vec<_> = json_ld(text)
                .into_iter()
                .map(|written| written.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }
}
