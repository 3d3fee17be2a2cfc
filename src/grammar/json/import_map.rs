//! Import maps: `<script type="importmap">`.

use super::text::{JsonValue, read};
use crate::grammar::scheme::scheme;
use crate::grammar::{Notation, ReferenceToken};

/// Where in an import map a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImportMapPosition {
    /// Around the map.
    Outside,
    /// In the outermost object.
    Map,
    /// In `imports` or the imports of a scope.
    Specifiers,
    /// In `scopes`.
    Scopes,
    /// In `integrity`.
    Integrity,
    /// Where nothing is read.
    Elsewhere,
}

/// The references in an import map: addresses, specifiers that are references, and the URLs that scopes and integrity
/// metadata are for. Bare specifiers (`react`) are none.
///
/// # Source
/// HTML, "parse an import map string", with these differences:
/// 1. What is wrong in a member that a later one of the same name replaces makes the map as void as the same in the
///    later one.
///
/// # Complexity
/// Linear in the length of `text`.
pub(crate) fn import_map(text: &str) -> Vec<ReferenceToken<'_>> {
    let mut found = Vec::new();
    let mut throws = false;
    let is_json = read(text, ImportMapPosition::Outside, |place, name, value| {
        let inner = match (place, name.as_ref().map(|name| &*name.reference)) {
            (ImportMapPosition::Outside, _) => ImportMapPosition::Map,
            (ImportMapPosition::Map, Some("imports")) | (ImportMapPosition::Scopes, _) => {
                ImportMapPosition::Specifiers
            }
            (ImportMapPosition::Map, Some("scopes")) => ImportMapPosition::Scopes,
            (ImportMapPosition::Map, Some("integrity")) => ImportMapPosition::Integrity,
            _ => ImportMapPosition::Elsewhere,
        };
        // Every step "If ... is not an ordered map, then throw a TypeError". DIFFERENCE: of members of the same name
        // all are looked at, not only the last: a text like this was not meant to be read (test
        // `references_of_an_import_map`, "What throws").
        throws |= inner != ImportMapPosition::Elsewhere && !matches!(value, JsonValue::Object);
        match place {
            // "Sort and normalize scopes": URL parsing of the prefix, with the base URL.
            ImportMapPosition::Scopes => found.extend(name),
            // "Normalize a specifier key", "normalize a module integrity map".
            ImportMapPosition::Specifiers | ImportMapPosition::Integrity => {
                let name = name.filter(|name| is_url_like(&name.reference));
                let notation = Notation::JsonKey;
                found.extend(name.map(|name| ReferenceToken { notation, ..name }));
            }
            _ => {}
        }
        // "Sort and normalize a module specifier map": other addresses are null.
        if let (ImportMapPosition::Specifiers, JsonValue::String(address)) = (place, value)
            && is_url_like(&address.reference)
        {
            let notation = Notation::JsonSpecifier;
            found.push(ReferenceToken {
                notation,
                ..address
            });
        }
        inner
    });
    if is_json && !throws {
        found
    } else {
        Vec::new()
    }
}

/// Whether a relative reference is one in an import map, and not a bare specifier.
pub(crate) fn begins_like_specifier(reference: &str) -> bool {
    let starts = ["/", "./", "../"];
    starts.iter().any(|start| reference.starts_with(start))
}

/// Whether a specifier is a URL or a reference, and not bare.
///
/// # Source
/// HTML, "resolve a URL-like module specifier".
pub(in crate::grammar) fn is_url_like(specifier: &str) -> bool {
    // Step 1.
    if begins_like_specifier(specifier) {
        return true;
    }
    // Step 2: parsed without a base URL. What a base URL of the same scheme would complete (`https:x`) is parsed
    // without one here, and so is not for those who have one.
    scheme(specifier).is_some_and(|scheme| {
        let is_special = ["http", "https", "ws", "wss", "ftp", "file"]
            .iter()
            .any(|special| scheme.eq_ignore_ascii_case(special));
        !is_special || specifier[scheme.len() + 1..].starts_with("//")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's own examples, and those of web-platform-tests' `import-maps/data-driven`, by what they are about.
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
        // The names mean something only where they belong.
        (
            r#"{"imports": {"imports": "/a", "scopes": {"/b": {}}}, "scopes": {"scopes": {"imports": "/c"}}}"#,
            &["/a", "scopes", "/c"],
        ),
        (
            r#"{"other": {"/a": "/b"}, "imports": {"x": "/c"}, "im\u0070orts": {"x": "/d"}}"#,
            &["/c", "/d"],
        ),
        ("{}", &[]),
        // What throws.
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
    fn references_of_an_import_map() {
        for (text, references) in MAPS {
            let found: Vec<_> = import_map(text)
                .into_iter()
                .map(|written| written.reference)
                .collect();
            assert_eq!(found, *references, "{text}");
        }
    }
}
