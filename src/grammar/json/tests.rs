//! Properties of the JSON reader and its grammars, on generated texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value as Parsed;

use super::text::{JsonValue, read};
use super::{import_map, json_ld, speculation_rules};
use crate::grammar::{NonAscii, ReferenceToken};
use crate::span::Span;

const SPACE: &[&str] = &["", "", "", " ", "\n\t\r "];

/// Pieces of the content of strings.
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

/// Strings with a meaning in one of the grammars, some of them written with escapes.
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

/// Text that may or may not make a JSON text invalid.
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
        .prop_map(|(before, text, after)| [before, &text, after].concat())
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

/// Returns `text` with `length` characters replaced by `noise`.
fn damaged(text: &str, position: Index, length: usize, noise: &str) -> String {
    let mut characters: Vec<_> = text.chars().map(String::from).collect();
    let start = position.index(characters.len() + 1);
    let end = (start + length).min(characters.len());
    characters.splice(start..end, [noise.to_owned()]);
    characters.concat()
}

fn near_json() -> impl Strategy<Value = String> {
    let stretch = (any::<Index>(), 0..3_usize, select(NOISE));
    (json(), vec(stretch, 0..3)).prop_map(|(text, stretches)| {
        stretches
            .into_iter()
            .fold(text, |text, (position, length, noise)| {
                damaged(&text, position, length, noise)
            })
    })
}

/// Returns a strategy for texts in the form of one of the grammars, with arbitrary strings.
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

/// Returns the strings of a text, names as well as values, or `None` if it is not JSON.
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

/// Returns the value of `text` in the form of `serde_json`, with `null` for every number, boolean and `null`.
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
    // Values are reported before those they contain. So in reverse order, each is complete when it is added to its
    // parent.
    while let Some((parent, name, mut value)) = nodes.pop() {
        if let Parsed::Array(items) = &mut value {
            items.reverse();
        }
        match (nodes.get_mut(parent).map(|node| &mut node.2), name) {
            (Some(Parsed::Object(members)), Some(name)) => {
                // Of members with the same name the last one counts, which comes first here.
                members.entry(name).or_insert(value);
            }
            (Some(Parsed::Array(items)), None) => items.push(value),
            (None, None) => return Some(value),
            (parent, name) => panic!("{name:?} in {parent:?}"),
        }
    }
    None
}

/// Returns a value of `serde_json` with `null` for every number and boolean, as [`parsed`] returns it.
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

/// Asserts that spans are ordered and disjoint, and that each character of a reference is mapped to its source.
fn check_spans(text: &str, tokens: &[ReferenceToken<'_>]) {
    let mut previous_end = 0;
    for token in tokens {
        let Span { start, end } = token.span;
        assert!(
            previous_end < start || previous_end == 0,
            "{start} is not after {previous_end}"
        );
        previous_end = end;
        let content = text.get(start..end).expect("characters as a whole");
        assert_eq!(text.as_bytes()[start - 1], b'"');
        assert_eq!(text.as_bytes()[end], b'"');

        let map = &token.map;
        assert_eq!(map.source(0), Some(start));
        assert_eq!(map.source(token.reference.len()), Some(end));
        let mut copy = String::new();
        for (offset, character) in token.reference.char_indices() {
            let whole = Span::new(offset, offset + character.len_utf8());
            let source = map.source_span(whole).expect("a character is whole");
            assert_eq!(map.text(source.start), offset);
            let source = &text[source.start..source.end];
            copy.push_str(source);
            if !source.starts_with('\\') {
                assert_eq!(source, character.to_string());
            }
        }
        assert_eq!(copy, content);
    }
}

/// Asserts that replacing one reference changes that reference only.
fn check_replacement(
    text: &str,
    grammar: for<'t> fn(&'t str, usize) -> Vec<ReferenceToken<'t>>,
    index: Index,
    ascii_only: bool,
) {
    const TARGET: &str = "http://h/\"\\<>\u{e9}\n\u{1f600}</script><!--";
    let tokens = grammar(text, usize::MAX);
    check_spans(text, &tokens);
    if tokens.is_empty() {
        return;
    }
    let index = index.index(tokens.len());
    // Integrity metadata do not count: they come with the reference before them.
    let is_reference = |token: &&ReferenceToken<'_>| token.construct.is_none();
    let count = tokens[..index].iter().filter(is_reference).count();
    let end = index + usize::from(tokens[index].construct.is_some());
    assert_eq!(grammar(text, count), tokens[..end]);
    let ReferenceToken { span, notation, .. } = tokens[index];
    assert!(notation.can_represent(TARGET));
    let escaped = notation.escape(TARGET, NonAscii::escaped_if(ascii_only));
    assert!(!escaped.contains(['<', '>']));
    assert!(!ascii_only || escaped.is_ascii());
    let edited = [&text[..span.start], &escaped, &text[span.end..]].concat();
    let mut expected: Vec<_> = tokens.iter().map(|token| &*token.reference).collect();
    expected[index] = TARGET;
    let reread = grammar(&edited, usize::MAX);
    check_spans(&edited, &reread);
    let reread: Vec<_> = reread.iter().map(|token| &*token.reference).collect();
    assert_eq!(reread, expected, "{edited}");
}

proptest! {
    /// Deserializing to `IgnoredAny` also accepts unpaired surrogates and numbers that `serde_json` cannot represent.
    #[test]
    fn read_accepts_what_serde_json_accepts(text in near_json()) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        assert_eq!(strings(&text).is_some(), is_json);
    }

    #[test]
    fn read_agrees_with_serde_json(text in near_json()) {
        if let Ok(value) = serde_json::from_str::<Parsed>(&text) {
            assert_eq!(parsed(&text), Some(without_scalars(value)));
        }
    }

    #[test]
    fn read_reports_the_spans_of_strings(text in near_json()) {
        if let Some(strings) = strings(&text) {
            check_spans(&text, &strings);
        }
    }

    #[test]
    fn replacing_a_reference_changes_that_reference_only(
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
fn grammars_read_deep_and_long_texts_in_linear_time() {
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
            grammar(&text, usize::MAX);
        }
    }
}
