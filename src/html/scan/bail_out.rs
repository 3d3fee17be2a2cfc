//! The reasons for which the fast reader stops and leaves a document to the reference reader.

use std::fmt;

/// The reason for which the fast reader could not read a document.
///
/// Each is a case in which only an HTML tree builder knows what the markup means. The document is then read by the
/// reference reader, with the result that the fast reader is specified to have, in more time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BailOut {
    /// A BASE element after HEAD, or after a TEMPLATE in HEAD.
    ///
    /// Whether the element is created at all, and whether it is inserted into HEAD, depends on the open elements.
    BaseAfterHead,
    /// HTML within SVG or MathML, at a place where it is allowed, such as in `foreignObject`.
    ///
    /// Which elements are open there, and which tags close them, depends on the tree.
    HtmlInForeignContent,
    /// An end tag within SVG or MathML that matches no open element there.
    ///
    /// It may close an HTML element around them, and with it all of the SVG or MathML.
    MisnestedForeignContent,
    /// An SVG STYLE element with markup in it, or with an end tag that the end of the document cuts off.
    ///
    /// Markup there is parsed, unlike in an HTML STYLE, so the text of the element is not one span of the document.
    MarkupInForeignStyle,
    /// An element with raw text (NOFRAMES excepted), an IMAGE, a TEMPLATE, SVG or MathML after a FRAMESET.
    ///
    /// The tree builder ignores them if it has accepted the FRAMESET, which depends on the content before it.
    ElementAfterFrameset,
    /// A COL element after a TEMPLATE.
    ///
    /// If it is in the TEMPLATE, the tree builder ignores most of what follows there.
    ColumnInTemplate,
    /// A character reference to white space in the text before BODY.
    ///
    /// White space does not end HEAD, so HEAD may continue after it.
    ReferenceBeforeBody,
    /// U+0000 in the name of a tag or attribute that is recorded, or in the text before BODY.
    NullCharacter,
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
            Self::NullCharacter => "U+0000 in a name or before BODY",
        })
    }
}
