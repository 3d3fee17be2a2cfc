//! Goes through the tokens of a CSS text and keeps account of the blocks that are open.
//!
//! `cssparser` gives the content of a block to a function that is called inside another, one level of the stack for
//! each level of nesting; or it skips the block. So we give it no chance to do either: after each token that opens a
//! block, a new parser starts behind it. That is sound because tokens do not depend on what stands before them, and it
//! is cheap because a parser is a few words that point into the text.

use cssparser::{Parser, Token};

use super::{CssPart, URL, notation, skim};
use crate::grammar::ReferenceToken;
use crate::span::Span;

/// The references in `text`.
pub(super) fn scan(text: &str, part: CssPart) -> Vec<ReferenceToken<'_>> {
    let mut scan = Scan::new(text, part);
    let (mut origin, mut parser) = (0, Parser::new(text));
    loop {
        let start = origin + parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            return scan.found;
        };
        let token = token.clone();
        let mut end = origin + parser.position().byte_index();
        if let Token::BadUrl(_) = token {
            // `cssparser` takes no escape for one that stands behind white space.
            end = skim::behind_url(text, start);
            (origin, parser) = (end, Parser::new(&text[end..]));
        }
        if scan.token(&token, Span::new(start, end)) == CssStep::Into {
            (origin, parser) = (end, Parser::new(&text[end..]));
        }
    }
}

/// What a token does to the tokens behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssStep {
    /// They are in the block that this one opened.
    Into,
    /// Nothing.
    On,
}

#[derive(Debug)]
struct Scan<'t> {
    text: &'t str,
    part: CssPart,
    /// The innermost open block.
    block: CssBlock,
    /// The open blocks around it, the outermost first.
    around: Vec<CssBlock>,
    found: Vec<ReferenceToken<'t>>,
}

#[derive(Debug, Clone, Copy)]
struct CssBlock {
    shape: Shape,
    strings: Strings,
    place: CssPosition,
    /// Whether it is part of the prelude of a `@namespace`.
    is_muted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Not a block, but the text itself.
    Text,
    /// A `(` block, or a function.
    Parentheses,
    Square,
    Curly,
}

/// Which strings directly in a block are references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// All of them, and this is what they are written in.
    All(&'static str),
    /// One that is the next component, and this is what it is written in.
    Next(&'static str),
    None,
}

impl Strings {
    /// What a string is written in, if it is a reference.
    fn construct(self) -> Option<&'static str> {
        match self {
            Self::All(construct) | Self::Next(construct) => Some(construct),
            Self::None => None,
        }
    }
}

/// What the next component is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssPosition {
    /// It begins a rule, or a declaration.
    Start,
    /// The prelude of a `@namespace`.
    Namespace,
    /// The prelude of another at-rule.
    AtRule,
    /// Another rule, a declaration, or a block that holds neither.
    Other,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, part: CssPart) -> Self {
        Self {
            text,
            part,
            block: CssBlock {
                shape: Shape::Text,
                strings: Strings::None,
                place: CssPosition::Start,
                is_muted: false,
            },
            around: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes the next token and the span it was read from.
    fn token(&mut self, token: &Token<'_>, span: Span) -> CssStep {
        let is_between_rules = self.is_sheet() && self.block.place == CssPosition::Start;
        match token {
            Token::WhiteSpace(_) | Token::Comment(_) => return CssStep::On,
            Token::CDO | Token::CDC if is_between_rules => return CssStep::On,
            _ => {}
        }
        let strings = self.block.strings;
        if let Strings::Next(_) = strings {
            self.block.strings = Strings::None;
        }
        let place = self.block.place;
        if place == CssPosition::Start {
            self.block.place = CssPosition::Other;
        }
        match token {
            Token::UnquotedUrl(value) if !self.is_muted() => {
                let found = notation::url(self.text, span, value);
                self.found.extend(found.map(|url| url.within(URL)));
            }
            Token::QuotedString(value) if !self.is_muted() => {
                if let Some(construct) = strings.construct() {
                    let found = notation::string(self.text, span, value);
                    self.found
                        .extend(found.map(|string| string.within(construct)));
                }
            }
            Token::AtKeyword(name) if place == CssPosition::Start => self.begin_at_rule(name),
            Token::Semicolon => self.end_at_semicolon(place),
            Token::Function(name) => return self.open(Shape::Parentheses, strings_in(name)),
            Token::ParenthesisBlock => return self.open(Shape::Parentheses, Strings::None),
            Token::SquareBracketBlock => return self.open(Shape::Square, Strings::None),
            Token::CurlyBracketBlock => return self.open(Shape::Curly, Strings::None),
            Token::CloseParenthesis => self.close(Shape::Parentheses),
            Token::CloseSquareBracket => self.close(Shape::Square),
            Token::CloseCurlyBracket => self.close(Shape::Curly),
            _ => {}
        }
        CssStep::On
    }

    /// Whether what comes next stands directly in a style sheet.
    fn is_sheet(&self) -> bool {
        self.block.shape == Shape::Text && self.part == CssPart::Stylesheet
    }

    /// Whether what comes next cannot be a reference.
    fn is_muted(&self) -> bool {
        self.block.is_muted || self.block.place == CssPosition::Namespace
    }

    fn begin_at_rule(&mut self, name: &str) {
        self.block.place = CssPosition::AtRule;
        if name.eq_ignore_ascii_case("namespace") {
            self.block.place = CssPosition::Namespace;
        } else if name.eq_ignore_ascii_case("import") && self.is_sheet() {
            self.block.strings = Strings::Next("@import");
        }
    }

    fn end_at_semicolon(&mut self, place: CssPosition) {
        let is_end = match self.block.shape {
            // In a style sheet a semicolon ends at-rules only; elsewhere it is part of the prelude of a rule.
            Shape::Text if self.part == CssPart::Stylesheet => {
                matches!(place, CssPosition::AtRule | CssPosition::Namespace)
            }
            Shape::Text | Shape::Curly => true,
            Shape::Parentheses | Shape::Square => false,
        };
        if is_end {
            self.block.place = CssPosition::Start;
        }
    }

    fn open(&mut self, shape: Shape, strings: Strings) -> CssStep {
        let is_curly = shape == Shape::Curly;
        let block = CssBlock {
            shape,
            strings,
            place: if is_curly {
                CssPosition::Start
            } else {
                CssPosition::Other
            },
            // A `{}` block is not part of a prelude, but ends it.
            is_muted: self.block.is_muted
                || (self.block.place == CssPosition::Namespace && !is_curly),
        };
        self.around.push(self.block);
        self.block = block;
        CssStep::Into
    }

    /// Closes the innermost block, if it is of this shape: what closes another is a component like any.
    fn close(&mut self, shape: Shape) {
        if self.block.shape != shape {
            return;
        }
        let Some(around) = self.around.pop() else {
            return;
        };
        self.block = around;
        let holds_rules = matches!(around.shape, Shape::Text | Shape::Curly);
        if shape == Shape::Curly && holds_rules {
            self.block.place = CssPosition::Start;
        }
    }
}

/// The functions in which strings are references.
const FUNCTIONS: &[(&str, Strings)] = &[
    ("url", Strings::Next(URL)),
    ("src", Strings::Next("src()")),
    ("image-set", Strings::All("image-set()")),
    ("-webkit-image-set", Strings::All("image-set()")),
    ("image", Strings::All("image()")),
];

/// Which strings directly in a function are references.
fn strings_in(function: &str) -> Strings {
    let is_it = |&&(name, _): &&(&str, Strings)| function.eq_ignore_ascii_case(name);
    let found = FUNCTIONS.iter().find(is_it);
    found.map_or(Strings::None, |&(_, strings)| strings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(text: &str, part: CssPart) -> Vec<String> {
        let found = scan(text, part).into_iter();
        found.map(|written| written.reference.into()).collect()
    }

    #[test]
    fn strings_are_references_in_some_functions_only() {
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
                assert_eq!(references(text, part), expected, "{text}");
            }
        }
    }

    #[test]
    fn the_string_of_an_import_is_a_reference_at_the_top_level() {
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
            // A rule begins with anything but an at-keyword, and goes on up to its block.
            ("a; @import 'a'; {} @import 'b'", &["b"]),
            ("} @import 'a'", &[]),
            ("; @import 'a'", &[]),
            ("@important 'a'; @import-x 'b'", &[]),
            ("@import 'a", &["a"]),
            ("@import 'a\n; @import 'b'", &["b"]),
        ] {
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
        assert!(references("@import 'a'", CssPart::Value).is_empty());
        assert_eq!(references("@import url(a)", CssPart::Value), ["a"]);
    }

    #[test]
    fn a_namespace_is_an_identifier() {
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
            // Neither begins a rule.
            ("a{b:(@namespace url(c))}", &["c"]),
            ("a{<!-- @namespace url(c)}", &["c"]),
        ] {
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
    }

    #[test]
    fn a_block_ends_at_its_own_bracket_only() {
        for (text, expected) in [
            ("image-set(( ] } 'a' ) 'b')", &["b"][..]),
            ("image-set([)'a'] 'b' {)} 'c'", &["b", "c"]),
            ("@media x { ( } ) @import 'a'; } @import 'b'", &["b"]),
        ] {
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
    }

    #[test]
    fn what_is_malformed_is_left_alone() {
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
            assert_eq!(references(text, CssPart::Value), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_no_deep_stack_and_no_long_wait() {
        for open in ["(", "[", "{", "f(", "image-set(", "a{b:(["] {
            let text = format!("{}url(x) 'y'", open.repeat(500_000));
            let found = references(&text, CssPart::Stylesheet);
            assert_eq!(found.first().map(String::as_str), Some("x"), "{open}");
        }
        let text = "src('x' ".repeat(200_000);
        assert_eq!(references(&text, CssPart::Value).len(), 200_000);
    }
}
