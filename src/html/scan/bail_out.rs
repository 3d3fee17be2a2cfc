//! The reasons for which the scanner stops and leaves a document to html5ever.

use std::fmt;

/// The reason for which the scanner could not read a document.
///
/// In each of these cases the result may depend on more of the tree than the scanner, the fast reader, tracks. The
/// document is then read by html5ever, the reference reader, which takes more time. Both readers are specified to have
/// the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BailOut {
    /// A BASE element after HEAD, in a document that also has a TEMPLATE, a FRAMESET, or several such elements and a
    /// table.
    ///
    /// Whether the element is created, where it is inserted, and which BASE is the first in the tree, depends on the
    /// open elements. Any BASE after HEAD is a reason for streams, which resolve links before they have read all of it.
    BaseAfterHead,
    /// HTML within SVG or MathML, in an element that may contain it, such as `foreignObject`.
    ///
    /// Such an element is an integration point (`foreignObject`, `mi`, `annotation-xml` and others). The scanner bails
    /// out at any start tag directly within an element that may be one, and at a tag that ends SVG or MathML while such
    /// an element is open. Which elements are open there, and which tags close them, depends on the tree.
    HtmlInForeignContent,
    /// An end tag within SVG or MathML that matches no open element there, but may match one around it.
    ///
    /// If it closes an HTML element around the SVG or MathML, it closes all of that too.
    MisnestedForeignContent,
    /// An SVG STYLE element with a `<` that does not begin its end tag, or with an end tag that is cut off.
    ///
    /// Markup there is parsed, unlike in an HTML STYLE, so the text of the element may not be one span of the document.
    /// An end tag that the end of the document cuts off is neither a tag nor text.
    MarkupInForeignStyle,
    /// An element with raw text (NOFRAMES excepted), an IMAGE, a TEMPLATE, a META that declares the encoding, SVG or
    /// MathML after a FRAMESET.
    ///
    /// The tree builder ignores them if it has accepted the FRAMESET, which depends on the content before it.
    ElementAfterFrameset,
    /// A COL element after a TEMPLATE.
    ///
    /// If it is in the TEMPLATE, the tree builder ignores most of what follows there.
    ColumnInTemplate,
    /// A text before BODY that begins, literal white space aside, with a character reference to white space.
    ///
    /// White space does not end HEAD, so HEAD may continue after the reference.
    ReferenceBeforeBody,
    /// U+0000 in the name of a recorded tag or of an attribute.
    ///
    /// The tokenizer replaces it. The name of an attribute matters if the attribute is one to keep, even if its tag is
    /// not recorded.
    NullCharacter,
    /// Very many tags that may contain links in HEAD, in a NOSCRIPT or in a nested document, or very many BASE
    /// elements.
    ///
    /// They are kept all at once. The reference reader counts what they take, and may leave the document unread.
    ManyTags,
}

impl BailOut {
    /// All reasons, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::BaseAfterHead,
        Self::HtmlInForeignContent,
        Self::MisnestedForeignContent,
        Self::MarkupInForeignStyle,
        Self::ElementAfterFrameset,
        Self::ColumnInTemplate,
        Self::ReferenceBeforeBody,
        Self::NullCharacter,
        Self::ManyTags,
    ];
}

impl fmt::Display for BailOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseAfterHead => "BASE after HEAD",
            Self::HtmlInForeignContent => "HTML in SVG or MathML",
            Self::MisnestedForeignContent => "misnested SVG or MathML",
            Self::MarkupInForeignStyle => "markup in an SVG STYLE",
            Self::ElementAfterFrameset => "special element after FRAMESET",
            Self::ColumnInTemplate => "COL after TEMPLATE",
            Self::ReferenceBeforeBody => "character reference before BODY",
            Self::NullCharacter => "U+0000 in a name",
            Self::ManyTags => "very many tags",
        })
    }
}
