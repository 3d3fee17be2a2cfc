//! Tests on a corpus of style sheets, and properties that hold for any text.

use std::fs;

use cssparser::{ParseError, Parser, Token};
use proptest::prelude::*;
use serde_json::Value;

use super::{CssPart, css};
use crate::grammar::{NonAscii, ReferenceToken};

/// Rows of the corpus that differ from the standards: the name, the references found here, and the reason.
const DIFFERENCES: &[(&str, &[&str], &str)] = &[
    (
        "css-parsing-tests declaration_list.json 6",
        &["foo.css"],
        "CSS Cascade 5: `@import` is valid at the top level of a style sheet only. Read as one, the second is part of the \
         prelude of the rule that begins with `a:b`.",
    ),
    (
        "lychee css.rs test_data_url",
        &["data:image/jpeg;base64,iRxVB0\u{2026}"],
        "The row stops at the semicolon.",
    ),
    (
        "lychee css.rs test_multiple_urls_in_content",
        &["star.svg", "star.svg", "star.svg", "star.svg", "star.svg"],
        "The row has each once.",
    ),
    (
        "lychee css.rs test_namespace_rule",
        &[],
        "CSS Namespaces 3, section 3: the string is a namespace name, not something to fetch.",
    ),
    (
        "lychee css.rs test_data_url_svg_embedded",
        &[
            "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='45'%3E%3Cpath d='M10 10h60' \
             stroke='%2300F' stroke-width='5'/%3E%3Cpath d='M10 20h60' stroke='%230F0' stroke-width='5'/%3E%3Cpath \
             d='M10 30h60' stroke='red' stroke-width='5'/%3E%3C/svg%3E",
        ],
        "The row has only pieces of it.",
    ),
    (
        "lychee css.rs test_filter_svg_inline",
        &[""],
        "The row's text is cut off; CSS Syntax 3, 4.3.6: a url that the text ends in is a url.",
    ),
    (
        "lychee css.rs test_empty_url",
        &[""],
        "An empty reference is one; what to do about it is for the caller.",
    ),
    (
        "lychee css.rs test_data_url_is_extracted",
        &[
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E\
             rkJggg==",
        ],
        "The row stops at the semicolon.",
    ),
    (
        "lychee css.rs test_element_and_attribute_metadata",
        &["./image.png"],
        "The row names what is around the reference.",
    ),
    (
        "heritrix ExtractorCSSTest valid 2",
        &["  http://www.archive.org  "],
        "CSS Syntax 3, 4.3.5: white space is part of a string; the URL parser removes it.",
    ),
    (
        "heritrix ExtractorCSSTest valid 3",
        &["style.css"],
        "The row has the reference resolved.",
    ),
];

#[test]
fn css_agrees_with_the_corpus() {
    let Some(path) = support::corpora("css/css_urls.jsonl") else {
        return;
    };
    let mut unseen: Vec<_> = DIFFERENCES.iter().map(|(name, ..)| *name).collect();
    let mut checked = 0;
    for line in fs::read_to_string(path).expect("the corpus").lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let name = row["name"].as_str().expect("a name");
        let text = row["input_css"].as_str().expect("a text");
        let mut expected = Vec::new();
        if let Some(urls) = row["expected_urls"].as_array() {
            expected.extend(urls.iter().filter_map(Value::as_str));
        } else if row["tokens"].is_array() {
            references_among(&row["tokens"], &mut expected);
        } else {
            continue;
        }
        let found = css(text, CssPart::Stylesheet, usize::MAX);
        let found: Vec<&str> = found.iter().map(|found| &*found.reference).collect();
        if let Some((_, ours, reason)) = DIFFERENCES.iter().find(|(listed, ..)| *listed == name) {
            assert_eq!(found, *ours, "{name}: {text}");
            assert_ne!(found, expected, "{name} agrees now: {reason}");
            unseen.retain(|listed| *listed != name);
        } else {
            assert_eq!(found, expected, "{name}: {text}");
        }
        checked += 1;
    }
    assert!(unseen.is_empty(), "not in the corpus: {unseen:?}");
    assert!(checked > 40, "only {checked} rows say what to expect");
}

/// Collects the references in component values in the format of css-parsing-tests.
///
/// Most tokens are strings there; the others are arrays that begin with their type.
fn references_among<'v>(values: &'v Value, references: &mut Vec<&'v str>) {
    let Some(values) = values.as_array() else {
        return;
    };
    for value in values {
        let first = |from: usize| {
            let content = value.as_array().into_iter().flatten().skip(from);
            let mut content = content.filter(|value| *value != " ");
            let first = content.next().filter(|first| first[0] == "string");
            first.and_then(|string| string[1].as_str())
        };
        match (value[0].as_str(), value[1].as_str()) {
            (Some("url"), Some(url)) => references.push(url),
            (Some("function"), Some("url")) => references.extend(first(2)),
            (Some("at-rule"), Some("import")) => {
                let prelude = value[2].as_array().into_iter().flatten();
                let strings = prelude.filter(|value| value[0] == "string");
                references.extend(strings.filter_map(|string| string[1].as_str()));
            }
            _ => references_among(value, references),
        }
    }
}

/// Returns a strategy for texts that contain many tokens of CSS, valid and broken.
pub(super) fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "url(", "URL(", "u\\72l(", "src(", "image-set(", "-webkit-image-set(", "image(", "type(", "(", "[", "{", ")",
            "]", "}", "a", "b/c.png", "#f", "1x", ":", ";", ",", "!", "--x:", "#", "-", "1", "_", ".", "set(", "/",
        ]),
        3 => prop::sample::select(vec![
            "'", "\"", "'x'", "\"y z\"", "url(x)", "url( y )", "url('z'", "url(\"w\")", "src('v')", "image-set('u'",
        ]),
        2 => prop::sample::select(vec![
            " ", "\n", "\r\n", "\t", "\u{c}", "\0", "\u{1}", "\u{7f}", "/*", "*/", "<!--", "-->", "</style>", "\u{e9}",
            "\u{1f600}", "\u{feff}",
        ]),
        2 => prop::sample::select(vec![
            "\\", "\\\n", "\\\r\n", "\\41", "\\41 ", "\\000041", "\\0", "\\d800", "\\110000 ", "\\(", "\\)", "\\'", "\\\"",
            "\\\\", "\\\u{e9}",
        ]),
        2 => prop::sample::select(vec![
            "@import", "@IMPORT ", "@\\69mport", "@import 'i';", "@import url(j);", "@namespace", "@namespace url(k);",
            "@media x {", "@charset \"l\";", "@", "a{b:",
        ]),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Decodes `written`, the content of a string or url, character by character, as an independent oracle.
fn decoded(written: &str, is_string: bool) -> String {
    let newline = |character: &char| matches!(character, '\n' | '\r' | '\u{c}');
    // The standard replaces newlines before it does anything else.
    let text = written.replace("\r\n", "\n").replace('\0', "\u{fffd}");
    let mut rest = text.chars().peekable();
    let mut decoded = String::new();
    while let Some(character) = rest.next() {
        if character != '\\' {
            decoded.push(character);
            continue;
        }
        let mut digits = String::new();
        while let Some(digit) = rest.next_if(|next| digits.len() < 6 && next.is_ascii_hexdigit()) {
            digits.push(digit);
        }
        if digits.is_empty() {
            if rest.next_if(newline).is_none() {
                decoded.extend(rest.next().or((!is_string).then_some('\u{fffd}')));
            }
            continue;
        }
        rest.next_if(|next| newline(next) || matches!(next, ' ' | '\t'));
        let character = u32::from_str_radix(&digits, 16).ok();
        let character = character.filter(|&number| number != 0);
        decoded.push(character.and_then(char::from_u32).unwrap_or('\u{fffd}'));
    }
    decoded
}

/// Returns the references in a text without at-rules, found with the nested parsers of cssparser.
fn found_recursively(text: &str) -> Vec<String> {
    fn walk(parser: &mut Parser<'_>, strings: usize, found: &mut Vec<String>) {
        let mut strings = strings;
        while let Ok(token) = parser.next() {
            let token = token.clone();
            let strings_inside = match &token {
                Token::UnquotedUrl(value) => {
                    found.push(value.to_string());
                    None
                }
                Token::QuotedString(value) => {
                    found.extend((strings > 0).then(|| value.to_string()));
                    None
                }
                Token::Function(name) => match name.to_ascii_lowercase().as_str() {
                    "url" | "src" => Some(1),
                    "image-set" | "-webkit-image-set" | "image" => Some(usize::MAX),
                    _ => Some(0),
                },
                token if is_block(token) => Some(0),
                _ => None,
            };
            // In `url()` and `src()` only the first component counts, in the other functions all do.
            strings = if strings == usize::MAX { strings } else { 0 };
            if let Some(strings) = strings_inside {
                let walked = parser.parse_nested_block(|parser| {
                    walk(parser, strings, found);
                    Ok::<(), ParseError<()>>(())
                });
                walked.expect("no deeper than the pieces are many");
            }
        }
    }
    fn is_block(token: &Token<'_>) -> bool {
        matches!(
            token,
            Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock
        )
    }
    let mut found = Vec::new();
    walk(&mut Parser::new(text), 0, &mut found);
    found
}

/// Returns the reference of each token.
fn references(tokens: &[ReferenceToken<'_>]) -> Vec<String> {
    let tokens = tokens.iter();
    tokens.map(|token| token.reference.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn css_returns_ordered_spans_that_decode_to_the_references(text in texts()) {
        for part in [CssPart::Stylesheet, CssPart::Value] {
            let mut end = 0;
            for token in css(&text, part, usize::MAX) {
                let span = token.span;
                prop_assert!(end <= span.start);
                end = span.end;
                let source = text.get(span.start..span.end);
                prop_assert!(source.is_some(), "{span:?} is not in bounds, or not between characters");
                let source = source.unwrap_or_default();
                let is_string = text[..span.start].ends_with(['\'', '"']);
                prop_assert_eq!(&decoded(source, is_string), &*token.reference);
                let length = token.reference.len();
                prop_assert_eq!(token.map.source(length).map(|end| end <= span.end), Some(true));
                for (offset, character) in token.reference.char_indices() {
                    let part = crate::span::Span::new(offset, offset + character.len_utf8());
                    let part = token.map.source_span(part);
                    prop_assert!(part.is_some_and(|part| span.start <= part.start && part.end <= span.end));
                    let part = part.unwrap_or_default();
                    prop_assert_eq!(decoded(&text[part.start..part.end], is_string), character.to_string());
                }
            }
        }
    }

    #[test]
    fn escape_writes_references_that_css_reads_back(text in texts(), ascii_only: bool) {
        for part in [CssPart::Stylesheet, CssPart::Value] {
            let tokens = css(&text, part, usize::MAX);
            for (index, token) in tokens.iter().enumerate() {
                for target in ["http://h/a b(c)'\"\\<>\u{e9}", "", "\n\t\r\u{c}\u{1}", "</style>-->*/", "<ab\n0\u{e9}1\u{1f600}\\"] {
                    let mut expected = references(&tokens);
                    expected[index] = target.to_owned();
                    // The caller strips white space at the ends, `css` does not.
                    prop_assert_eq!(token.notation.can_represent(target), target.trim_ascii() == target);
                    let escaped = token.notation.escape(target, NonAscii::escaped_if(ascii_only));
                    prop_assert!(!ascii_only || escaped.is_ascii());
                    prop_assert!(!escaped.contains(['<', '>']));
                    let (before, after) = (&text[..token.span.start], &text[token.span.end..]);
                    let edited = [before, &escaped, after].concat();
                    prop_assert_eq!(references(&css(&edited, part, usize::MAX)), expected, "{:?}", edited);
                }
            }
        }
    }

    #[test]
    fn css_agrees_with_recursive_parsing(text in texts()) {
        let mut text = text.replace('@', "");
        // `cssparser` does not recognize an escape after white space in a bad url.
        let escapes = [" \\", "\t\\", "\n\\", "\r\\", "\u{c}\\"];
        while let Some(space) = escapes.iter().find_map(|escape| text.find(escape)) {
            text.remove(space);
        }
        let found = found_recursively(&text);
        for part in [CssPart::Stylesheet, CssPart::Value] {
            prop_assert_eq!(&references(&css(&text, part, usize::MAX)), &found);
        }
    }
}
