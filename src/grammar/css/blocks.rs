//! The open blocks of a CSS text: which strings are references, and where at-rules begin.
//!
//! The [reader](super::reader) calls a method for each component. Blocks are a stack, not nested calls, so that no text
//! is nested too deeply.

/// The kind of a CSS text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssPart {
    /// A style sheet: the text of a STYLE element, or a file without its byte order mark.
    Stylesheet,
    /// The value of a `style` attribute or of an SVG presentation attribute, which cannot contain an `@import`.
    Value,
}

/// The open blocks at some offset of a text.
#[derive(Debug)]
pub(super) struct Blocks {
    part: CssPart,
    /// The innermost open block.
    block: CssBlock,
    /// The open blocks around `block`, the outermost first.
    outer: Vec<CssBlock>,
}

/// An open block.
#[derive(Debug, Clone, Copy)]
pub(super) struct CssBlock {
    shape: Shape,
    strings: Strings,
    position: CssPosition,
    /// Whether the block is part of the prelude of a `@namespace`.
    in_namespace: bool,
}

/// The delimiters of a block, which determine what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
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
pub(super) enum Strings {
    /// All strings.
    All(Construct),
    /// Only a string that is the next component.
    Next(Construct),
    /// No string.
    None,
}

/// A construct whose strings are references. A number, because a text may have as many open blocks as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Construct {
    /// `url()`, quoted or not.
    Url,
    Src,
    Image,
    ImageSet,
    Import,
}

impl Construct {
    /// Returns the name used in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Url => "url()",
            Self::Src => "src()",
            Self::Image => "image()",
            Self::ImageSet => "image-set()",
            Self::Import => "@import",
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

impl Blocks {
    /// Creates the state at the start of a text.
    pub(super) fn new(part: CssPart) -> Self {
        Self {
            part,
            block: CssBlock {
                shape: Shape::Text,
                strings: Strings::None,
                position: CssPosition::Start,
                in_namespace: false,
            },
            outer: Vec::new(),
        }
    }

    /// Handles `text`, which contains no delimiter.
    pub(super) fn text(&mut self, text: &[u8]) {
        let is_start = self.block.position == CssPosition::Start;
        if !is_start && !matches!(self.block.strings, Strings::Next(_)) {
            return;
        }
        let mut rest = text.trim_ascii_start();
        // `<!--` and `-->` are no components between the rules of a style sheet.
        while is_start
            && self.is_sheet_level()
            && let Some(after) = rest
                .strip_prefix(b"<!--")
                .or_else(|| rest.strip_prefix(b"-->"))
        {
            rest = after.trim_ascii_start();
        }
        if !rest.is_empty() {
            self.component();
        }
    }

    /// Handles a component: whatever it is, it uses up `Next` and `Start`. Returns the block as it was before.
    pub(super) fn component(&mut self) -> CssBlock {
        let before = self.block;
        if let Strings::Next(_) = before.strings {
            self.block.strings = Strings::None;
        }
        if before.position == CssPosition::Start {
            self.block.position = CssPosition::Other;
        }
        before
    }

    /// Handles a string, and returns its construct if it is a reference.
    pub(super) fn string(&mut self) -> Option<&'static str> {
        match self.component().strings {
            Strings::All(construct) | Strings::Next(construct) => Some(construct.name()),
            Strings::None => None,
        }
        .filter(|_| !self.is_in_namespace())
    }

    /// Returns whether the next component is in the prelude of a `@namespace`, where nothing is a reference.
    pub(super) fn is_in_namespace(&self) -> bool {
        self.block.in_namespace || self.block.position == CssPosition::Namespace
    }

    /// Returns whether the next component is at the top level of a style sheet.
    fn is_sheet_level(&self) -> bool {
        self.block.shape == Shape::Text && self.part == CssPart::Stylesheet
    }

    /// Handles the at-keyword `name`, which may begin an at-rule.
    pub(super) fn at_keyword(&mut self, name: &str) {
        if self.component().position != CssPosition::Start {
            return;
        }
        self.block.position = CssPosition::AtRule;
        if name.eq_ignore_ascii_case("namespace") {
            self.block.position = CssPosition::Namespace;
        } else if name.eq_ignore_ascii_case("import") && self.is_sheet_level() {
            self.block.strings = Strings::Next(Construct::Import);
        }
    }

    /// Handles a semicolon, which may end a rule or declaration.
    pub(super) fn semicolon(&mut self) {
        let position = self.component().position;
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
    pub(super) fn open(&mut self, shape: Shape, strings: Strings) {
        self.component();
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
    }

    /// Closes the innermost block if it has this shape. Otherwise the closing bracket is an ordinary component.
    pub(super) fn close(&mut self, shape: Shape) {
        self.component();
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
