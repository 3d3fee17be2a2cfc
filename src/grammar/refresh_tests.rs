//! Tests of [`refresh`](super::refresh): the table of web-platform-tests, that of w3lib, examples, and the properties
//! of every grammar.

use serde_json::Value;
use url::Url;

use super::*;
use crate::grammar::test_support::{assert_agreement, assert_properties, rows, text};

/// Returns the URL of a refresh without tabs and line breaks, which the URL parser removes.
fn found(value: &str) -> Option<String> {
    refresh(value).map(|url| url.reference.replace(['\t', '\n', '\r'], ""))
}

#[test]
fn refresh_agrees_with_web_platform_tests() {
    let Some(rows) = rows("whatwg/meta_refresh.jsonl") else {
        return;
    };
    let cases = rows.iter().map(|row| {
        let expected = row["expected_url"].as_str().map(str::to_owned);
        (text(row, "name"), found(text(row, "content")), expected)
    });
    assert_agreement("whatwg/meta_refresh.jsonl", cases, &[]);
}

/// The rows of w3lib that have no URL because of the value, not because of the position of the element.
const WITHOUT_URL: &[&str] = &[
    "w3lib test_without_url L976",
    "w3lib test_non_ascii_digit_interval L1001",
];

/// Returns the value of the only content attribute of a row, or `None` if the row tests something else.
///
/// Decodes only the character references that occur in these rows.
fn content(row: &Value) -> Option<String> {
    let is_about_the_value =
        row["expected"][1].is_string() || WITHOUT_URL.contains(&text(row, "name"));
    if row["options"]["function"] != "get_meta_refresh" || !is_about_the_value {
        return None;
    }
    let html = text(row, "input_html");
    let mut attributes = html
        .match_indices(" content=")
        .map(|(start, name)| start + name.len());
    let mut upper = html
        .match_indices(" CONTENT=")
        .map(|(start, name)| start + name.len());
    let start = attributes.next().or_else(|| upper.next())?;
    if attributes.next().is_some() {
        return None;
    }
    let quote = html[start..].chars().next()?;
    let value = html[start..].split(quote).nth(1)?;
    // Rows with notes show bytes that are not ASCII as Latin-1, whatever their encoding.
    let is_readable = row["notes"].is_null() || value.is_ascii();
    let decoded = value.replace("&#39;", "'").replace("&#xD800;", "\u{fffd}");
    is_readable.then_some(decoded)
}

#[test]
fn refresh_agrees_with_w3lib() {
    let Some(rows) = rows("peers/w3lib.jsonl") else {
        return;
    };
    let resolved = |row: &Value, reference: &str| {
        let base = Url::parse(text(row, "base")).expect("a base URL");
        base.join(reference).expect("a URL").to_string()
    };
    let cases = rows.iter().filter_map(|row| {
        let found = found(&content(row)?).map(|url| resolved(row, &url));
        let expected = row["expected"][1].as_str().map(|url| resolved(row, url));
        Some((text(row, "name"), found, expected))
    });
    assert_agreement("peers/w3lib.jsonl", cases, &[]);
}

#[test]
fn refresh_records_the_opening_before_the_url() {
    for (value, expected) in [
        ("1 /a", Some(("/a", Opening::WhiteSpace))),
        ("1;/a", Some(("/a", Opening::Delimiter))),
        ("1 , /a ", Some(("/a", Opening::Delimiter))),
        ("1;,/a", Some((",/a", Opening::Delimiter))),
        (".;url=/a\n", Some(("/a", Opening::Key))),
        ("0 uRl\t=\n/a", Some(("/a", Opening::Key))),
        ("0;url=url=/a", Some(("url=/a", Opening::Key))),
        ("0;url=' /a '", Some(("/a", Opening::Quote('\'')))),
        ("0;\"/a", Some(("/a", Opening::Quote('"')))),
        ("0;url='", Some(("", Opening::Quote('\'')))),
        ("0;url=''x", Some(("", Opening::Quote('\'')))),
        ("0;url= ", Some(("", Opening::Key))),
        ("0;url", Some(("url", Opening::Delimiter))),
        ("0;url 'a'", Some(("url 'a'", Opening::Delimiter))),
        ("0;", None),
        ("0 ; ", None),
        ("0", None),
        ("", None),
        (" ", None),
        ("0\u{b};url=/a", None),
        ("\u{a0}0;url=/a", None),
        ("url=/a", None),
    ] {
        let found = refresh(value);
        let found = found.as_ref().map(|url| match url.notation {
            Notation::Refresh(opening) => (&*url.reference, opening),
            other => panic!("{value:?}: {other:?}"),
        });
        assert_eq!(found, expected, "{value:?}");
    }
}

#[test]
fn refresh_satisfies_the_properties_of_a_grammar() {
    let pieces = &[
        "0", "0;", "1, ", ".5 ", ";", ",", " ", "\n", "\u{b}", "url=", "URL", "u", "=", "'", "\"",
        "a", "/b?c", "é", "\u{a0}", "0;url=", "0;url='", "",
    ];
    assert_properties(pieces, |value| refresh(value).into_iter().collect());
}
