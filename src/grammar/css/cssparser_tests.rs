//! The reader against cssparser, which reads every token of a text.
//!
//! `cssparser` either skips the content of a block or passes it to a nested function call, which would use one level of
//! the stack for each level of nesting. To avoid both, a new parser starts after each token that opens a block. That is
//! correct because a token does not depend on the text before it.

use std::fs;
use std::path::PathBuf;

use cssparser::{Parser, Token};
use proptest::prelude::*;

use super::blocks::{Blocks, Construct, Shape, Strings};
use super::tests::texts;
use super::{CssPart, css, reader, tokens};

/// A reference and its construct.
#[derive(Debug, PartialEq, Eq)]
struct OracleReference {
    reference: String,
    construct: &'static str,
}

/// Returns the references in `text` according to the tokens of cssparser.
fn oracle(text: &str, part: CssPart) -> Vec<OracleReference> {
    let mut blocks = Blocks::new(part);
    let mut references = Vec::new();
    // The parser reads `text[origin..]`; its positions are relative to `origin`.
    let (mut origin, mut parser) = (0, Parser::new(text));
    loop {
        let start = origin + parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            return references;
        };
        let token = token.clone();
        let mut end = origin + parser.position().byte_index();
        let mut found = |value: &str, construct| {
            references.push(OracleReference {
                reference: value.to_owned(),
                construct,
            });
        };
        let is_in_namespace = blocks.is_in_namespace();
        match &token {
            Token::WhiteSpace(_) | Token::Comment(_) => {}
            Token::CDO => blocks.text(b"<!--"),
            Token::CDC => blocks.text(b"-->"),
            Token::UnquotedUrl(value) => {
                blocks.component();
                if !is_in_namespace {
                    found(value, Construct::Url.name());
                }
            }
            Token::QuotedString(value) => {
                if let Some(construct) = blocks.string() {
                    found(value, construct);
                }
            }
            Token::AtKeyword(name) => blocks.at_keyword(name),
            Token::Semicolon => blocks.semicolon(),
            Token::Function(name) => {
                let strings = match name.to_ascii_lowercase().as_str() {
                    "url" => Strings::Next(Construct::Url),
                    "src" => Strings::Next(Construct::Src),
                    "image-set" | "-webkit-image-set" => Strings::All(Construct::ImageSet),
                    "image" => Strings::All(Construct::Image),
                    _ => Strings::None,
                };
                blocks.open(Shape::Parentheses, strings);
            }
            Token::ParenthesisBlock => blocks.open(Shape::Parentheses, Strings::None),
            Token::SquareBracketBlock => blocks.open(Shape::Square, Strings::None),
            Token::CurlyBracketBlock => blocks.open(Shape::Curly, Strings::None),
            Token::CloseParenthesis => blocks.close(Shape::Parentheses),
            Token::CloseSquareBracket => blocks.close(Shape::Square),
            Token::CloseCurlyBracket => blocks.close(Shape::Curly),
            _ => {
                blocks.component();
            }
        }
        let is_open = matches!(
            token,
            Token::Function(_)
                | Token::ParenthesisBlock
                | Token::SquareBracketBlock
                | Token::CurlyBracketBlock
        );
        if let Token::BadUrl(_) = token {
            // `cssparser` does not recognize an escape after white space in a bad url, and may end the token there.
            // The name of the function may contain escapes, but not a parenthesis.
            let parenthesis = text[start..].find('(').map_or(end, |length| start + length);
            end = tokens::url(text.as_bytes(), parenthesis + 1).token_end;
        }
        if is_open || matches!(token, Token::BadUrl(_)) {
            (origin, parser) = (end, Parser::new(&text[end..]));
        }
    }
}

/// Asserts that the reader finds the references in `text` that the oracle finds, with and without blocks, and returns
/// them.
fn assert_agree(text: &str, part: CssPart) -> Vec<String> {
    let expected = oracle(text, part);
    for found in [
        css(text, part, usize::MAX),
        reader::nested_references(text, part, usize::MAX),
    ] {
        let found = found.iter().map(|token| OracleReference {
            reference: token.reference.to_string(),
            construct: token.construct.expect("every reference in CSS has one"),
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{part:?}: {text:?}");
    }
    let references = expected.into_iter();
    references.map(|reference| reference.reference).collect()
}

#[test]
fn css_agrees_with_cssparser_on_the_corpora() {
    let mut checked = 0;
    for name in ["pages", "site", "css"] {
        let Some(root) = support::corpora(name) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = vec![root];
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).expect("a readable directory");
                paths.extend(entries.map(|entry| entry.expect("a readable entry").path()));
            } else {
                checked += agree_on_file(&fs::read(&path).expect("a readable file"));
            }
        }
    }
    if support::corpora("pages").is_some() {
        assert!(checked > 100, "only {checked} texts with references");
    }
}

/// Checks the texts of the STYLE elements and the attributes of a file; returns how many contain references.
///
/// The search for them is rough: a text that is not CSS is read alike, too.
fn agree_on_file(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let mut checked = 0;
    for piece in text.split("<style").skip(1) {
        let end = piece.find("</style").unwrap_or(piece.len());
        let start = piece.find('>').map_or(0, |start| start + 1).min(end);
        checked += usize::from(!assert_agree(&piece[start..end], CssPart::Stylesheet).is_empty());
    }
    for piece in text.split("style=\"").skip(1) {
        let end = piece.find('"').unwrap_or(piece.len());
        checked += usize::from(!assert_agree(&piece[..end], CssPart::Value).is_empty());
    }
    // A whole file, too: markup and scripts are texts with many unusual tokens.
    assert_agree(&text, CssPart::Stylesheet);
    checked
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn css_agrees_with_cssparser(text in texts()) {
        let mut text = text;
        // `cssparser` reads these bytes as an at-keyword. Test of ours: `css_reads_no_at_keyword_before_a_newline`.
        for newline in ["\n", "\r", "\u{c}"] {
            text = text.replace(&format!("@-\\{newline}"), "@- ");
        }
        for part in [CssPart::Stylesheet, CssPart::Value] {
            assert_agree(&text, part);
        }
    }
}

#[test]
fn css_finds_strings_in_some_functions_only() {
    for (text, expected) in [
        ("a:url(x)", &["x"][..]),
        ("a:URL( 'x' )", &["x"]),
        ("a:u\\72l(x) \\55 RL('y')", &["x", "y"]),
        ("a:url('x' b 'c')", &["x"]),
        ("a:src('x') SRC(/**/'y') src(var(--z), 'z')", &["x", "y"]),
        (
            "image-set('a' 1x, url(b) 2x, 'c' type('image/png'))",
            &["a", "b", "c"],
        ),
        ("-webkit-image-set('a' 1x, ('b') 2x)", &["a"]),
        ("image('a', red)", &["a"]),
        ("x-image-set('a')", &[]),
        (
            "src: local('x'), format('y'), url(z) format('woff2')",
            &["z"],
        ),
        ("content: 'x' attr(y, 'z')", &[]),
        ("/* url(x) */ a: 'url(y)' /url(z)", &["z"]),
        ("url() url('') url(#a)", &["", "", "#a"]),
    ] {
        for part in [CssPart::Stylesheet, CssPart::Value] {
            assert_eq!(assert_agree(text, part), expected, "{text}");
        }
    }
}

#[test]
fn css_finds_the_string_of_a_top_level_import() {
    for (text, expected) in [
        (
            "@import 'a'; @IMPORT\"b\"; @\\69mport/**/'c'",
            &["a", "b", "c"][..],
        ),
        ("<!-- @import 'a' layer('b'); -->", &["a"]),
        ("@import url(a) 'b'; @import src('c');", &["a", "c"]),
        ("@import layer 'a'; @import ('b');", &[]),
        ("@media x { @import 'a'; } @import 'b';", &["b"]),
        ("a{} @import 'a'; b{}@import 'b'", &["a", "b"]),
        ("@layer x; @import 'a'", &["a"]),
        ("@charset 'a'; @import 'b'", &["b"]),
        // A qualified rule begins with anything but an at-keyword and extends to the end of its block.
        ("a; @import 'a'; {} @import 'b'", &["b"]),
        ("} @import 'a'", &[]),
        ("; @import 'a'", &[]),
        ("@important 'a'; @import-x 'b'", &[]),
        ("@import 'a", &["a"]),
        ("@import 'a\n; @import 'b'", &["b"]),
    ] {
        assert_eq!(assert_agree(text, CssPart::Stylesheet), expected, "{text}");
    }
    assert!(assert_agree("@import 'a'", CssPart::Value).is_empty());
    assert_eq!(assert_agree("@import url(a)", CssPart::Value), ["a"]);
}

#[test]
fn css_ignores_the_prelude_of_a_namespace() {
    for (text, expected) in [
        ("@namespace url(a); b{c:url(d)}", &["d"][..]),
        ("@NAMESPACE svg 'a'; @import 'b'", &["b"]),
        ("@namespace url('a'); @namespace x src(\"b\")", &[]),
        (
            "@namespace ({ url(a) }) url(b) { c:url(d) } e{f:url(g)}",
            &["d", "g"],
        ),
        ("@media x { @namespace url(a); b{c:url(d)} }", &["d"]),
        ("@namespaced url(a)", &["a"]),
        // Here `@namespace` does not begin a rule.
        ("a{b:(@namespace url(c))}", &["c"]),
        ("a{<!-- @namespace url(c)}", &["c"]),
    ] {
        assert_eq!(assert_agree(text, CssPart::Stylesheet), expected, "{text}");
    }
}

#[test]
fn css_ends_a_block_at_its_own_bracket_only() {
    for (text, expected) in [
        ("image-set(( ] } 'a' ) 'b')", &["b"][..]),
        ("image-set([)'a'] 'b' {)} 'c'", &["b", "c"]),
        ("@media x { ( } ) @import 'a'; } @import 'b'", &["b"]),
    ] {
        assert_eq!(assert_agree(text, CssPart::Stylesheet), expected, "{text}");
    }
}

#[test]
fn css_ignores_bad_strings_and_urls() {
    for (text, expected) in [
        ("url(a b) url(a'b) url(a(b) url(\u{1}) url(c)", &["c"][..]),
        ("url('a\nb) url(c)", &["c"]),
        ("url('a\nb') url(c)", &[]),
        ("url(a\\\nb) url(c)", &["c"]),
        ("url(a \\)url(b) url(c)", &["c"]),
        ("url(a) url('b", &["a", "b"]),
        ("url(a) url(b", &["a", "b"]),
        ("url(", &[""]),
    ] {
        assert_eq!(assert_agree(text, CssPart::Value), expected, "{text}");
    }
}

#[test]
fn css_handles_deep_nesting_in_linear_time_without_recursion() {
    for open in ["(", "[", "{", "f(", "image-set(", "a{b:(["] {
        let text = format!("{}url(x) 'y'", open.repeat(500_000));
        let references = assert_agree(&text, CssPart::Stylesheet);
        assert_eq!(references.first().map(String::as_str), Some("x"), "{open}");
    }
    let text = "src('x' ".repeat(200_000);
    assert_eq!(assert_agree(&text, CssPart::Value).len(), 200_000);
}

#[test]
fn css_reads_no_at_keyword_before_a_newline() {
    // CSS Syntax 3, 4.3.9: a hyphen and an invalid escape begin no identifier. So this is a qualified rule without a
    // block, which the semicolon does not end, and `@namespace` is a part of it.
    let found = css("@-\\\n; @namespace url(a)", CssPart::Stylesheet, usize::MAX);
    let found = found.iter().map(|token| &*token.reference);
    assert_eq!(found.collect::<Vec<_>>(), ["a"]);
}
