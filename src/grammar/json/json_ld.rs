//! Linked data: `<script type="application/ld+json">`.
//!
//! # Incomplete support
//!
//! Remote contexts are not fetched, so the terms that they define are unknown here, except those of
//! [schema.org](super::schema_org). With others, `"url": "/a"` is a reference only if a context in the text itself
//! defines `url` as one.
//!
//! These are left out on purpose, because the text alone does not determine whether they are references: values of
//! `@type` and of terms typed `@vocab`, which are first looked up in a vocabulary, and maps by index or language below
//! a typed term.
//!
//! # The approach
//!
//! A context may follow the data it applies to, so the text is read twice: first for the [`Terms`] that its contexts
//! define, then for the references.

use std::borrow::Cow;
use std::collections::HashMap;

use super::schema_org;
use super::text::{JsonValue, read};
use crate::grammar::notation::Notation;
use crate::grammar::scheme::has_colon_without_scheme;
use crate::grammar::token::ReferenceToken;

use JsonLdPosition as Position;

/// The position of a value in linked data.
#[derive(Clone, Copy)]
enum JsonLdPosition {
    /// In a node or an array of nodes.
    Node,
    /// In the value of `@id`.
    Id,
    /// In the value of a term whose strings are references.
    Typed,
    /// In the value of `@context`: a context or an array of contexts.
    Context,
    /// In the definition of the term with this index.
    Definition(u32),
    /// In a value that is ignored.
    Elsewhere,
}

/// Returns the first `max` references in linked data.
///
/// These are the values of `@id`, contexts that are given by URL, and the values of terms that a context in the text or
/// that of schema.org defines as references (`"@type": "@id"`), or the text as another name for `@id`.
///
/// Returns none if a context in the text sets `@base`, because the references then have another base URL.
///
/// # Source
/// JSON-LD 1.1, "Node Identifiers", "Base IRI", "Type Coercion", "Advanced Context Usage"; JSON-LD 1.1 Processing
/// Algorithms and API, "IRI Expansion", with this difference:
/// 1. Contexts are not scoped: a definition applies to the whole text. The values of a term with contradictory
///    definitions are left unchanged.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn json_ld(text: &str, max: usize) -> Vec<ReferenceToken<'_>> {
    let mut terms = Terms::default();
    let is_json = read(text, Position::Node, |position, name, value| {
        let name = name.map(|name| name.reference);
        let is_vocabulary = matches!(
            (position, name.as_deref()),
            (Position::Node | Position::Definition(_), Some("@context"))
                | (Position::Context, None | Some("@vocab"))
        );
        if let (true, JsonValue::String(string)) = (is_vocabulary, &value) {
            terms.has_schema_org |= schema_org::is_context(&string.reference);
        }
        match (position, name.as_deref()) {
            (Position::Node | Position::Definition(_), Some("@context"))
            | (Position::Context, None) => Position::Context,
            (Position::Node, Some("@value")) => Position::Elsewhere,
            (Position::Node, _) => Position::Node,
            (Position::Context, Some("@base")) => {
                terms.has_base = true;
                Position::Elsewhere
            }
            (Position::Context, Some(_)) => terms.define(name.unwrap_or_default(), &value),
            (Position::Definition(term), Some("@type" | "@id")) => {
                terms.record_type(term as usize, &value);
                Position::Elsewhere
            }
            _ => Position::Elsewhere,
        }
    });
    if !is_json || terms.has_base {
        return Vec::new();
    }
    references(text, &terms, max)
}

/// Returns the first `max` references in `text`, which must be JSON without `@base`.
fn references<'t>(text: &'t str, terms: &Terms<'t>, max: usize) -> Vec<ReferenceToken<'t>> {
    let mut references = Vec::new();
    let is_json = read(text, Position::Node, |position, name, value| {
        let inner = match (position, name.as_ref().map(|name| &*name.reference)) {
            (Position::Typed, None | Some("@list" | "@set")) => Position::Typed,
            (Position::Node | Position::Typed, Some("@id")) => Position::Id,
            (Position::Node | Position::Typed, Some("@context")) | (Position::Context, None) => {
                Position::Context
            }
            (Position::Node | Position::Typed, Some("@value")) => Position::Elsewhere,
            // DIFFERENCE: this applies whichever context defines the term. Remote contexts also affect which context is
            // active here, and they are unknown. Test: `json_ld_returns_references`, "Contradictory definitions".
            (Position::Node | Position::Typed, Some(term)) if terms.is_literal(term) => {
                Position::Elsewhere
            }
            (Position::Node | Position::Typed, Some(term)) if terms.is_typed(term) => {
                Position::Typed
            }
            (Position::Node | Position::Typed, _) => Position::Node,
            _ => Position::Elsewhere,
        };
        if let (Position::Id | Position::Typed | Position::Context, JsonValue::String(string)) =
            (inner, value)
            && may_be_reference(&string.reference)
            && references.len() < max
        {
            let notation = Notation::JsonIri;
            references.push(ReferenceToken { notation, ..string });
        }
        inner
    });
    debug_assert!(is_json, "it was when the terms were read");
    references
}

/// Returns whether the value of an `@id` is a reference or a URL.
///
/// It is not if it is a blank node (`_:b0`), a compact IRI whose prefix cannot be a scheme, or has the form of a
/// keyword. A compact IRI whose prefix could be a scheme looks like a URL and, as an absolute reference, is left
/// unchanged.
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

/// The terms that the contexts of a text define.
#[derive(Default)]
struct Terms<'t> {
    /// Indices into `defined`.
    by_name: HashMap<Cow<'t, str>, usize>,
    defined: Vec<Term>,
    /// Whether a context sets `@base`.
    has_base: bool,
    /// Whether a context is that of schema.org.
    has_schema_org: bool,
}

/// The definitions of a term, combined.
#[derive(Default)]
struct Term {
    /// Whether the last definition makes its values references.
    is_typed: bool,
    /// Whether an earlier definition does not.
    is_other: bool,
    /// Whether a definition makes its values JSON literals (`"@type": "@json"`), which contain no references.
    is_literal: bool,
}

impl<'t> Terms<'t> {
    /// Records that a context defines `name`, and returns the position of the values in the definition.
    fn define(&mut self, name: Cow<'t, str>, definition: &JsonValue<'_>) -> Position {
        if name.starts_with('@') {
            return Position::Elsewhere;
        }
        let next = self.defined.len();
        let index = *self.by_name.entry(name).or_insert(next);
        if index == next {
            self.defined.push(Term::default());
        } else {
            // A further definition. The previous one has ended, so whether it makes the values references is now known.
            let term = &mut self.defined[index];
            term.is_other |= !term.is_typed;
            term.is_typed = false;
        }
        // The definition may be a string; if it is an object, its members follow at the returned position.
        self.record_type(index, definition);
        u32::try_from(index).map_or(Position::Elsewhere, Position::Definition)
    }

    /// Records that the definition of a term, or its `@type` or `@id`, is `value`.
    fn record_type(&mut self, index: usize, value: &JsonValue<'_>) {
        let is_id = matches!(value, JsonValue::String(string) if string.reference == "@id");
        let is_json = matches!(value, JsonValue::String(string) if string.reference == "@json");
        let term = &mut self.defined[index];
        term.is_typed |= is_id;
        term.is_literal |= is_json;
    }

    /// Returns whether the values of the term `name` are JSON literals.
    fn is_literal(&self, name: &str) -> bool {
        let index = self.by_name.get(name);
        index.is_some_and(|&index| self.defined[index].is_literal)
    }

    /// Returns whether all definitions of the term `name` make its values references. A definition in the text takes
    /// precedence over that of schema.org.
    fn is_typed(&self, name: &str) -> bool {
        match self.by_name.get(name) {
            Some(&index) => {
                let term = &self.defined[index];
                term.is_typed && !term.is_other
            }
            None => self.has_schema_org && schema_org::is_url_term(name),
        }
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
        // A term that is defined after its use, in a scoped context, or as another name for `@id`.
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
        // Contradictory definitions.
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
        // The terms of schema.org, unless the text defines them otherwise.
        (
            r#"{"@context": "https://schema.org", "@type": "a", "name": "b", "url": "/c", "image": ["d", {"url": "e"}],
            "itemListElement": [{"item": "f", "position": 1}], "target": "/s?q={q}"}"#,
            &["https://schema.org", "/c", "d", "e", "f"],
        ),
        (
            r#"{"@context": ["x", "http://www.schema.org/"], "url": "a"}"#,
            &["x", "http://www.schema.org/", "a"],
        ),
        (
            r#"{"@context": {"@vocab": "http://schema.org/", "logo": {"@type": "@vocab"}}, "url": "a", "logo": "b"}"#,
            &["a"],
        ),
        (
            r#"{"@context": "https://schema.org.example", "url": "a"}"#,
            &["https://schema.org.example"],
        ),
        // Values that are not references.
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
    fn json_ld_returns_references() {
        for (text, references) in DATA {
            let found: Vec<_> = json_ld(text, usize::MAX)
                .into_iter()
                .map(|token| token.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }
}
