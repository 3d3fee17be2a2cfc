//! What always holds, on generated texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value as Parsed;

use super::text::{JsonValue, read};
use super::{import_map, json_ld, speculation_rules};
use crate::grammar::ReferenceToken;
use crate::span::Span;

const SPACE: &[&str] = &["", "", "", " ", "\n\t\r "];

/// What strings are made of.
const PIECES: &[&str] = &[
    "a",
    "./",
    "/b",
    "http://h/",
    "x:",
    "_:",
    "@id",
    "\u{e9}",
    "\u{1f600}",
    "\u{2028}",
    "\\n",
    "\\/",
    "\\\\",
    "\\\"",
    "\\u00e9",
    "\\u0000",
    "\\uD83D\\uDE00",
];

/// Strings that mean something to one of the grammars, some of them in disguise.
const WORDS: &[&str] = &[
    "imports",
    "\\u0069mports",
    "scopes",
    "integrity",
    "prefetch",
    "prerender",
    "urls",
    "@context",
    "@id",
    "\\u0040id",
    "@type",
    "@value",
    "@graph",
    "@list",
    "term",
    "/a",
    "./b",
    "../c",
    "http://h/d",
];

const SCALARS: &[&str] = &[
    "null", "true", "false", "0", "-1", "1.5", "2e3", "1E-2", "-0.0",
];

/// What breaks a text, or not.
const NOISE: &[&str] = &[
    "", ",", ":", "\"", "\\", "[", "]", "{", "}", "0", "-", ".", "e", "u", " ", "\n", "\0",
    "\u{b}", "\u{a0}", "\u{feff}", "\u{e9}", "null", "//", "\\u", "\\ud83d",
];

fn string() -> impl Strategy<Value = String> {
    let pieces = vec(select(PIECES), 0..5).prop_map(|pieces| pieces.concat());
    prop_oneof![pieces, select(WORDS).prop_map(String::from)]
        .prop_map(|content| format!("\"{content}\""))
}

fn spaced(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (select(SPACE), text, select(SPACE))
        .prop_map(|(before, text, behind)| [before, &text, behind].concat())
}

fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        3 => string(),
        1 => select(SCALARS).prop_map(String::from),
    ];
    spaced(scalar).prop_recursive(6, 60, 6, |inner| {
        let member =
            (spaced(string()), inner.clone()).prop_map(|(name, value)| name + ":" + &value);
        let array = vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(",")));
        let object = vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(",")));
        spaced(prop_oneof![array, object])
    })
}

/// `text` with a stretch of it replaced.
fn damaged(text: &str, at: Index, length: usize, noise: &str) -> String {
    let mut characters: Vec<_> = text.chars().map(String::from).collect();
    let start = at.index(characters.len() + 1);
    let end = (start + length).min(characters.len());
    characters.splice(start..end, [noise.to_owned()]);
    characters.concat()
}

fn near_json() -> impl Strategy<Value = String> {
    let stretch = (any::<Index>(), 0..3_usize, select(NOISE));
    (json(), vec(stretch, 0..3)).prop_map(|(text, stretches)| {
        stretches
            .into_iter()
            .fold(text, |text, (at, length, noise)| {
                damaged(&text, at, length, noise)
            })
    })
}

/// Texts of the shapes that the grammars read, with anything in them.
fn data_block() -> impl Strategy<Value = String> {
    let specifiers = || {
        vec((string(), string()), 0..4).prop_map(|members| {
            let members: Vec<_> = members.into_iter().map(|(k, v)| k + ":" + &v).collect();
            format!("{{{}}}", members.join(","))
        })
    };
    let map = (specifiers(), string(), specifiers(), specifiers()).prop_map(|(a, scope, b, c)| {
        format!("{{\"imports\":{a}, \"scopes\":{{{scope}:{b}}}, \"integrity\":{c}}}")
    });
    let rules = vec(string(), 0..4)
        .prop_map(|urls| format!("{{\"prefetch\":[{{\"urls\":[{}]}}]}}", urls.join(",")));
    let data = (string(), string(), json()).prop_map(|(id, term, rest)| {
        let context = format!("[{id},{{\"term\":{{\"@type\":\"@id\"}},{term}:\"@id\"}}]");
        format!(
            "{{\"@context\":{context},\"@id\":{id},\"term\":[{term}],\"x\":{rest},{term}:{id}}}"
        )
    });
    prop_oneof![map, rules, data, near_json()]
}

/// The strings of a text, names and values alike, or `None` if it is not JSON.
fn strings(text: &str) -> Option<Vec<ReferenceToken<'_>>> {
    let mut strings = Vec::new();
    let is_json = read(text, (), |(), name, value| {
        strings.extend(name);
        if let JsonValue::String(string) = value {
            strings.push(string);
        }
    });
    is_json.then_some(strings)
}

/// The text as `serde_json` has it, except that all that is not looked at is `null`.
fn parsed(text: &str) -> Option<Parsed> {
    let mut nodes: Vec<(usize, Option<String>, Parsed)> = Vec::new();
    let is_json = read(text, usize::MAX, |parent, name, value| {
        let value = match value {
            JsonValue::Object => Parsed::Object(serde_json::Map::new()),
            JsonValue::Array => Parsed::Array(Vec::new()),
            JsonValue::String(string) => Parsed::String(string.reference.into_owned()),
            JsonValue::Other => Parsed::Null,
        };
        let name = name.map(|name| name.reference.into_owned());
        nodes.push((parent, name, value));
        nodes.len() - 1
    });
    if !is_json {
        return None;
    }
    // What is in a value comes behind it, so that from the back each is complete when it is put where it belongs.
    while let Some((parent, name, mut value)) = nodes.pop() {
        if let Parsed::Array(items) = &mut value {
            items.reverse();
        }
        match (nodes.get_mut(parent).map(|node| &mut node.2), name) {
            (Some(Parsed::Object(members)), Some(name)) => {
                // Of members of the same name the last one stays.
                members.entry(name).or_insert(value);
            }
            (Some(Parsed::Array(items)), None) => items.push(value),
            (None, None) => return Some(value),
            (parent, name) => panic!("{name:?} in {parent:?}"),
        }
    }
    None
}

/// A value of `serde_json` with `null` for what `parsed` does not look at.
fn without_scalars(value: Parsed) -> Parsed {
    match value {
        Parsed::Array(items) => items.into_iter().map(without_scalars).collect(),
        Parsed::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, without_scalars(value)))
            .collect(),
        Parsed::String(_) => value,
        _ => Parsed::Null,
    }
}

/// Spans are ordered and disjoint, and what stands there is the reference, piece by piece.
fn check_spans(text: &str, found: &[ReferenceToken<'_>]) {
    let mut end = 0;
    for written in found {
        let Span { start, end: behind } = written.span;
        assert!(end < start || end == 0, "{start} is not behind {end}");
        end = behind;
        let content = text.get(start..behind).expect("characters as a whole");
        assert_eq!(text.as_bytes()[start - 1], b'"');
        assert_eq!(text.as_bytes()[behind], b'"');

        let map = &written.map;
        assert_eq!(map.source(0), Some(start));
        assert_eq!(map.source(written.reference.len()), Some(behind));
        let mut copy = String::new();
        for (at, character) in written.reference.char_indices() {
            let whole = Span::new(at, at + character.len_utf8());
            let source = map.source_span(whole).expect("a character is whole");
            assert_eq!(map.text(source.start), at);
            let source = &text[source.start..source.end];
            copy.push_str(source);
            if !source.starts_with('\\') {
                assert_eq!(source, character.to_string());
            }
        }
        assert_eq!(copy, content);
    }
}

/// With one reference written anew, it is the new one and the others are what they were.
fn check_replacement(
    text: &str,
    grammar: for<'t> fn(&'t str) -> Vec<ReferenceToken<'t>>,
    index: Index,
    ascii_only: bool,
) {
    const TARGET: &str = "http://h/\"\\<>\u{e9}\n\u{1f600}</script><!--";
    let found = grammar(text);
    check_spans(text, &found);
    if found.is_empty() {
        return;
    }
    let index = index.index(found.len());
    let ReferenceToken { span, notation, .. } = found[index];
    assert!(notation.may_contain(TARGET));
    let escaped = notation.escape(TARGET, ascii_only);
    assert!(!escaped.contains(['<', '>']));
    assert!(!ascii_only || escaped.is_ascii());
    let edited = [&text[..span.start], &escaped, &text[span.end..]].concat();
    let mut expected: Vec<_> = found.iter().map(|written| &*written.reference).collect();
    expected[index] = TARGET;
    let again = grammar(&edited);
    check_spans(&edited, &again);
    let again: Vec<_> = again.iter().map(|written| &*written.reference).collect();
    assert_eq!(again, expected, "{edited}");
}

proptest! {
    /// Read as something to ignore, a text may also hold half a surrogate pair or a number beyond those of the crate,
    /// and be of any depth. `serde` itself is there with the command only.
    #[cfg(feature = "cli")]
    #[test]
    fn json_is_what_serde_json_takes_for_json(text in near_json()) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        assert_eq!(strings(&text).is_some(), is_json);
    }

    #[test]
    fn json_is_read_as_serde_json_reads_it(text in near_json()) {
        if let Ok(value) = serde_json::from_str::<Parsed>(&text) {
            assert_eq!(parsed(&text), Some(without_scalars(value)));
        }
    }

    #[test]
    fn strings_stand_where_they_are_said_to_stand(text in near_json()) {
        if let Some(strings) = strings(&text) {
            check_spans(&text, &strings);
        }
    }

    #[test]
    fn a_reference_written_anew_is_what_was_written(
        text in data_block(),
        index: Index,
        ascii_only: bool,
    ) {
        for grammar in [import_map, speculation_rules, json_ld] {
            check_replacement(&text, grammar, index, ascii_only);
        }
    }
}

#[test]
fn depth_and_length_cost_no_more_than_their_bytes() {
    const COUNT: usize = 100_000;
    let long_name = "\\u0061".repeat(COUNT);
    for text in [
        format!("{}\"@id\"{}", "[".repeat(COUNT), "]".repeat(COUNT)),
        format!("{}1{}", "{\"@context\":".repeat(COUNT), "}".repeat(COUNT)),
        format!("{}1{}", "{\"imports\":".repeat(COUNT), "}".repeat(COUNT)),
        format!("{{\"{long_name}\":[{}1]}}", "\"a\",".repeat(COUNT)),
        format!(
            "{{\"@context\":{{\"{long_name}\":{{{}\"@id\":\"@id\"}}}}}}",
            "\"@type\":\"@id\",".repeat(COUNT)
        ),
    ] {
        assert!(strings(&text).is_some());
        for grammar in [import_map, speculation_rules, json_ld] {
            grammar(&text);
        }
    }
}
