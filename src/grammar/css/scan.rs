//! The complete search for references in CSS: reads every token with `cssparser` and tracks the open blocks.
//!
//! `cssparser` either skips the content of a block or passes it to a nested function call, which would use one level of
//! the stack for each level of nesting. To avoid both, a new parser starts after each token that opens a block. That is
//! correct because a token does not depend on the text before it, and cheap because a parser is a few words that point
//! into the text.

use cssparser::{Parser, Token};

use super::{CssPart, URL, notation, skim};
use crate::grammar::ReferenceToken;
use crate::span::Span;

/// Returns the references in `text`.
pub(super) fn scan(text: &str, part: CssPart) -> Vec<ReferenceToken<'_>> {
    let mut scan = Scan::new(text, part);
    // The parser reads `text[origin..]`; its positions are relative to `origin`.
    let (mut origin, mut parser) = (0, Parser::new(text));
    loop {
        let start = origin + parser.position().byte_index();
        let Ok(token) = parser.next_including_whitespace_and_comments() else {
            return scan.references;
        };
        let token = token.clone();
        let mut end = origin + parser.position().byte_index();
        if let Token::BadUrl(_) = token {
            // `cssparser` does not recognize an escape after white space in a bad url, and may end the token there.
            end = skim::url_token_end(text, start);
            (origin, parser) = (end, Parser::new(&text[end..]));
        }
        if scan.token(&token, Span::new(start, end)) == CssStep::EnterBlock {
            (origin, parser) = (end, Parser::new(&text[end..]));
        }
    }
}

/// The way to continue after a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssStep {
    /// The token opened a block: continue with a new parser.
    EnterBlock,
    /// Continue with the same parser.
    Continue,
}

/// The state of a scan: the open blocks, and the references so far.
#[derive(Debug)]
struct Scan<'t> {
    text: &'t str,
    part: CssPart,
    /// The innermost open block.
    block: CssBlock,
    /// The open blocks around `block`, the outermost first.
    outer: Vec<CssBlock>,
    references: Vec<ReferenceToken<'t>>,
}

/// An open block.
#[derive(Debug, Clone, Copy)]
struct CssBlock {
    shape: Shape,
    strings: Strings,
    position: CssPosition,
    /// Whether the block is part of the prelude of a `@namespace`.
    in_namespace: bool,
}

/// The delimiters of a block, which determine what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The whole text, which nothing ends.
    Text,
    /// A `()` block or a function.
    Parentheses,
    /// A `[]` block.
    Square,
    /// A `{}` block.
    Curly,
}

/// The strings directly in a block that are references, with the construct to report for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// All strings.
    All(&'static str),
    /// Only a string that is the next component.
    Next(&'static str),
    /// No string.
    None,
}

impl Strings {
    /// Returns the construct of a string that comes next, or `None` if it is not a reference.
    fn construct(self) -> Option<&'static str> {
        match self {
            Self::All(construct) | Self::Next(construct) => Some(construct),
            Self::None => None,
        }
    }
}

/// The construct that the next component of a block is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CssPosition {
    /// None yet: the component begins a rule or a declaration.
    Start,
    /// The prelude of a `@namespace`.
    Namespace,
    /// The prelude of another at-rule.
    AtRule,
    /// A qualified rule, a declaration, or a block that contains neither.
    Other,
}

impl<'t> Scan<'t> {
    /// Creates the state at the start of `text`.
    fn new(text: &'t str, part: CssPart) -> Self {
        Self {
            text,
            part,
            block: CssBlock {
                shape: Shape::Text,
                strings: Strings::None,
                position: CssPosition::Start,
                in_namespace: false,
            },
            outer: Vec::new(),
            references: Vec::new(),
        }
    }

    /// Handles the next token, which was read from `span`.
    fn token(&mut self, token: &Token<'_>, span: Span) -> CssStep {
        let is_between_rules = self.is_sheet_level() && self.block.position == CssPosition::Start;
        match token {
            // These are not components. `<!--` and `-->` are ignored between the rules of a style sheet only.
            Token::WhiteSpace(_) | Token::Comment(_) => return CssStep::Continue,
            Token::CDO | Token::CDC if is_between_rules => return CssStep::Continue,
            _ => {}
        }
        // Every component, whatever it is, uses up `Next` and `Start`. The values from before are needed below.
        let strings = self.block.strings;
        if let Strings::Next(_) = strings {
            self.block.strings = Strings::None;
        }
        let position = self.block.position;
        if position == CssPosition::Start {
            self.block.position = CssPosition::Other;
        }
        match token {
            Token::UnquotedUrl(value) if !self.is_in_namespace() => {
                let url = notation::url(self.text, span, value);
                self.references.extend(url.map(|url| url.in_construct(URL)));
            }
            Token::QuotedString(value) if !self.is_in_namespace() => {
                if let Some(construct) = strings.construct() {
                    let string = notation::string(self.text, span, value);
                    self.references
                        .extend(string.map(|string| string.in_construct(construct)));
                }
            }
            Token::AtKeyword(name) if position == CssPosition::Start => self.begin_at_rule(name),
            Token::Semicolon => self.end_at_semicolon(position),
            Token::Function(name) => return self.open(Shape::Parentheses, strings_in(name)),
            Token::ParenthesisBlock => return self.open(Shape::Parentheses, Strings::None),
            Token::SquareBracketBlock => return self.open(Shape::Square, Strings::None),
            Token::CurlyBracketBlock => return self.open(Shape::Curly, Strings::None),
            Token::CloseParenthesis => self.close(Shape::Parentheses),
            Token::CloseSquareBracket => self.close(Shape::Square),
            Token::CloseCurlyBracket => self.close(Shape::Curly),
            _ => {}
        }
        CssStep::Continue
    }

    /// Returns whether the next token is at the top level of a style sheet.
    fn is_sheet_level(&self) -> bool {
        self.block.shape == Shape::Text && self.part == CssPart::Stylesheet
    }

    /// Returns whether the next token is in the prelude of a `@namespace`, where nothing is a reference.
    fn is_in_namespace(&self) -> bool {
        self.block.in_namespace || self.block.position == CssPosition::Namespace
    }

    /// Begins the at-rule `name`.
    fn begin_at_rule(&mut self, name: &str) {
        self.block.position = CssPosition::AtRule;
        if name.eq_ignore_ascii_case("namespace") {
            self.block.position = CssPosition::Namespace;
        } else if name.eq_ignore_ascii_case("import") && self.is_sheet_level() {
            self.block.strings = Strings::Next("@import");
        }
    }

    /// Ends the current rule or declaration if a semicolon ends it. `position` is the one before the semicolon.
    fn end_at_semicolon(&mut self, position: CssPosition) {
        let is_end = match self.block.shape {
            // At the top level of a style sheet, a semicolon ends at-rules only. Otherwise it is part of the prelude
            // of a qualified rule.
            Shape::Text if self.part == CssPart::Stylesheet => {
                matches!(position, CssPosition::AtRule | CssPosition::Namespace)
            }
            Shape::Text | Shape::Curly => true,
            Shape::Parentheses | Shape::Square => false,
        };
        if is_end {
            self.block.position = CssPosition::Start;
        }
    }

    /// Opens a block.
    fn open(&mut self, shape: Shape, strings: Strings) -> CssStep {
        let is_curly = shape == Shape::Curly;
        let block = CssBlock {
            shape,
            strings,
            position: if is_curly {
                CssPosition::Start
            } else {
                CssPosition::Other
            },
            // A `{}` block ends a prelude and is not part of it.
            in_namespace: self.block.in_namespace
                || (self.block.position == CssPosition::Namespace && !is_curly),
        };
        self.outer.push(self.block);
        self.block = block;
        CssStep::EnterBlock
    }

    /// Closes the innermost block if it has this shape. Otherwise the closing bracket is an ordinary component.
    fn close(&mut self, shape: Shape) {
        if self.block.shape != shape {
            return;
        }
        let Some(outer) = self.outer.pop() else {
            return;
        };
        self.block = outer;
        let holds_rules = matches!(outer.shape, Shape::Text | Shape::Curly);
        if shape == Shape::Curly && holds_rules {
            self.block.position = CssPosition::Start;
        }
    }
}

/// The functions in which strings are references, by name.
const FUNCTIONS: &[(&str, Strings)] = &[
    ("url", Strings::Next(URL)),
    ("src", Strings::Next("src()")),
    ("image-set", Strings::All("image-set()")),
    ("-webkit-image-set", Strings::All("image-set()")),
    ("image", Strings::All("image()")),
];

/// Returns which strings directly in `function` are references.
fn strings_in(function: &str) -> Strings {
    let row = FUNCTIONS
        .iter()
        .find(|(name, _)| function.eq_ignore_ascii_case(name));
    row.map_or(Strings::None, |&(_, strings)| strings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(text: &str, part: CssPart) -> Vec<String> {
        let tokens = scan(text, part).into_iter();
        tokens.map(|token| token.reference.into()).collect()
    }

    #[test]
    fn scan_finds_strings_in_some_functions_only() {
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
    fn scan_finds_the_string_of_a_top_level_import() {
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
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
        assert!(references("@import 'a'", CssPart::Value).is_empty());
        assert_eq!(references("@import url(a)", CssPart::Value), ["a"]);
    }

    #[test]
    fn scan_ignores_the_prelude_of_a_namespace() {
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
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
    }

    #[test]
    fn scan_ends_a_block_at_its_own_bracket_only() {
        for (text, expected) in [
            ("image-set(( ] } 'a' ) 'b')", &["b"][..]),
            ("image-set([)'a'] 'b' {)} 'c'", &["b", "c"]),
            ("@media x { ( } ) @import 'a'; } @import 'b'", &["b"]),
        ] {
            assert_eq!(references(text, CssPart::Stylesheet), expected, "{text}");
        }
    }

    #[test]
    fn scan_ignores_bad_strings_and_urls() {
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
    fn scan_handles_deep_nesting_in_linear_time_without_recursion() {
        for open in ["(", "[", "{", "f(", "image-set(", "a{b:(["] {
            let text = format!("{}url(x) 'y'", open.repeat(500_000));
            let references = references(&text, CssPart::Stylesheet);
            assert_eq!(references.first().map(String::as_str), Some("x"), "{open}");
        }
        let text = "src('x' ".repeat(200_000);
        assert_eq!(references(&text, CssPart::Value).len(), 200_000);
    }
}
