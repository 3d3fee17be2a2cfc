//! Import maps: `<script type="importmap">`.

use super::text::{JsonValue, read};
use crate::grammar::notation::Notation;
use crate::grammar::token::{INTEGRITY, ReferenceToken};
use crate::scheme;

use ImportMapPosition as Position;

/// The position of a value in an import map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImportMapPosition {
    /// Outside the map: the value is the map.
    Outside,
    /// In the outermost object.
    Map,
    /// In `imports` or the imports of a scope.
    Specifiers,
    /// In `scopes`.
    Scopes,
    /// In `integrity`.
    Integrity,
    /// In a value that is ignored.
    Elsewhere,
}

/// Returns the first `max` references in an import map, and integrity metadata.
///
/// These are the addresses, the specifiers that are references, the scope prefixes, and the URLs of integrity metadata,
/// which follow theirs. Bare specifiers (`react`) are not references.
///
/// # Source
/// HTML, "parse an import map string", with this difference:
/// 1. An error in a member invalidates the map even if a later member of the same name replaces it.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn import_map(text: &str, mut max: usize) -> Vec<ReferenceToken<'_>> {
    let mut references = Vec::new();
    let mut throws = false;
    let is_json = read(text, Position::Outside, |position, name, value| {
        let inner = match (position, name.as_ref().map(|name| &*name.reference)) {
            (Position::Outside, _) => Position::Map,
            (Position::Map, Some("imports")) | (Position::Scopes, _) => Position::Specifiers,
            (Position::Map, Some("scopes")) => Position::Scopes,
            (Position::Map, Some(INTEGRITY)) => Position::Integrity,
            _ => Position::Elsewhere,
        };
        // Every step "If ... is not an ordered map, then throw a TypeError". DIFFERENCE: all members of the same name
        // are checked, not only the last: such a map is a mistake anyway. Test: `import_map_returns_references`,
        // "Errors".
        throws |= inner != Position::Elsewhere && !matches!(value, JsonValue::Object);
        let earlier = references.len();
        let name = name.filter(|_| earlier < max);
        match position {
            // "Sort and normalize scopes": the prefix is parsed with the base URL.
            Position::Scopes => references.extend(name),
            // "Normalize a specifier key", "normalize a module integrity map".
            Position::Specifiers | Position::Integrity => {
                let name = name.filter(|name| is_url_like(&name.reference));
                let notation = Notation::JsonKey;
                references.extend(name.map(|name| ReferenceToken { notation, ..name }));
            }
            _ => {}
        }
        match (position, value) {
            // "Sort and normalize a module specifier map": any other address becomes null.
            (Position::Specifiers, JsonValue::String(address))
                if is_url_like(&address.reference) && references.len() < max =>
            {
                let notation = Notation::JsonSpecifier;
                references.push(ReferenceToken {
                    notation,
                    ..address
                });
            }
            (Position::Integrity, JsonValue::String(metadata)) if references.len() > earlier => {
                references.push(metadata.in_construct(INTEGRITY));
                max = max.saturating_add(1);
            }
            _ => {}
        }
        inner
    });
    if is_json && !throws {
        references
    } else {
        Vec::new()
    }
}

/// Returns whether an import map reads a relative reference as a reference, not as a bare specifier.
fn begins_like_specifier(reference: &str) -> bool {
    let starts = ["/", "./", "../"];
    starts.iter().any(|start| reference.starts_with(start))
}

/// Returns whether a specifier is a URL or a reference, not a bare specifier.
///
/// # Source
/// HTML, "resolve a URL-like module specifier".
pub(in crate::grammar) fn is_url_like(specifier: &str) -> bool {
    // Step 1: a specifier that begins with "/", "./" or "../" is parsed with the base URL.
    if begins_like_specifier(specifier) {
        return true;
    }
    // Step 2: any other is parsed without a base URL. `https:x` would then be `https://x/`, but resolving it here would
    // use a base URL of the same scheme, so it is not treated as a reference.
    scheme::split(specifier)
        .is_some_and(|(scheme, rest)| !scheme::is_special(scheme) || rest.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's own examples, and those of web-platform-tests' `import-maps/data-driven`, grouped by subject.
    const MAPS: &[(&str, &[&str])] = &[
        // HTML, "Import maps".
        (
            r#"{"imports": {"moment": "/node_modules/moment/src/moment.js", "lodash": "/node_modules/lodash-es/lodash.js"}}"#,
            &[
                "/node_modules/moment/src/moment.js",
                "/node_modules/lodash-es/lodash.js",
            ],
        ),
        (
            r#"{"imports": {"moment": "/node_modules/moment/src/moment.js", "moment/": "/node_modules/moment/src/"}}"#,
            &[
                "/node_modules/moment/src/moment.js",
                "/node_modules/moment/src/",
            ],
        ),
        (
            r#"{"imports": {"/app/helpers.mjs": "/app/helpers-v2.mjs", "https://cdn.example/a.js": "./a.js"}}"#,
            &[
                "/app/helpers.mjs",
                "/app/helpers-v2.mjs",
                "https://cdn.example/a.js",
                "./a.js",
            ],
        ),
        (
            r#"{"imports": {"a": "/a-1.mjs"}, "scopes": {"/scope2/": {"a": "/a-2.mjs"}, "scope3": {"./b": "../b"}, "": {}}}"#,
            &[
                "/a-1.mjs", "/scope2/", "/a-2.mjs", "scope3", "./b", "../b", "",
            ],
        ),
        (
            r#"{"imports": {"a": "./b"}, "integrity": {"/a.js": "sha384-./x", "./b": 1, "bare": "", "http://h/": ""}}"#,
            &["./b", "/a.js", "./b", "http://h/"],
        ),
        // Specifier keys.
        (
            r#"{"imports": {"./foo": 1, "../foo": 1, "/foo": 1, "./": 1, "../": 1, "/": 1, "": 1, ".": 1, "..": 1}}"#,
            &["./foo", "../foo", "/foo", "./", "../", "/"],
        ),
        (
            r##"{"imports": {"%2E/": 1, "%2E%2E/": 1, ".%2F": 1, "..%2F": 1, "%2F": 1, "a/b": 1, "?a": 1, "#a": 1}}"##,
            &[],
        ),
        (
            r#"{"imports": {"about:good": 1, "import:bad": 1, "file:///good": 1, "https:example.org": 1, "HTTP:/a": 1}}"#,
            &["about:good", "import:bad", "file:///good"],
        ),
        (
            r#"{"imports": {"a b:c": 1, "1a:b": 1, ":a": 1, "\u002e/a": 1, "\u0061-1+.:b": 1}}"#,
            &["./a", "a-1+.:b"],
        ),
        // Addresses.
        (
            r#"{"imports": {"a": "bare", "b": null, "c": ["./c"], "d": {"./d": "./d"}, "e": true, "f": "", "g": "./g"}}"#,
            &["./g"],
        ),
        // Scope keys.
        (
            r#"{"scopes": {"foo": {}, "foo/bar?baz#qux": {}, "https:example.org": {"x": "/y"}, "about:good": {}}}"#,
            &[
                "foo",
                "foo/bar?baz#qux",
                "https:example.org",
                "/y",
                "about:good",
            ],
        ),
        // Member names have a meaning at their own level only.
        (
            r#"{"imports": {"imports": "/a", "scopes": {"/b": {}}}, "scopes": {"scopes": {"imports": "/c"}}}"#,
            &["/a", "scopes", "/c"],
        ),
        (
            r#"{"other": {"/a": "/b"}, "imports": {"x": "/c"}, "im\u0070orts": {"x": "/d"}}"#,
            &["/c", "/d"],
        ),
        ("{}", &[]),
        // Errors.
        ("null", &[]),
        (r#"[{"imports": {"a": "/b"}}]"#, &[]),
        (r#"{"imports": {"a": "/b"}, "scopes": null}"#, &[]),
        (r#"{"imports": {"a": "/b"}, "scopes": {"/": "/"}}"#, &[]),
        (r#"{"imports": {"a": "/b"}, "scopes": {"/": null}}"#, &[]),
        (r#"{"imports": {"a": "/b"}, "integrity": ["/a"]}"#, &[]),
        (r#"{"imports": ["/a"]}"#, &[]),
        (r#"{"imports": [], "imports": {"a": "/a"}}"#, &[]),
        (r#"{"imports": {"a": "/a"},}"#, &[]),
    ];

    #[test]
    fn import_map_returns_references() {
        for (text, references) in MAPS {
            let found: Vec<_> = import_map(text, usize::MAX)
                .into_iter()
                .filter(|token| token.construct.is_none())
                .map(|token| token.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }

    #[test]
    fn import_map_returns_metadata_after_its_url() {
        let text = r#"{"integrity": {"./a": "sha384-x", "bare": "sha384-y", "./b": 1, "/c": ""}}"#;
        let found: Vec<_> = import_map(text, usize::MAX)
            .into_iter()
            .map(|token| (token.reference, token.construct.is_some()))
            .collect();
        let expected = [
            ("./a", false),
            ("sha384-x", true),
            ("./b", false),
            ("/c", false),
            ("", true),
        ];
        assert_eq!(
            found,
            expected.map(|(text, is_metadata)| (text.into(), is_metadata))
        );
    }
}
