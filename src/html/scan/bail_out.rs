//! Why the fast reader gives up.

use std::fmt;

/// Why the fast reader did not read a document, which was read by the slower one instead: with the same result, in more
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BailOut {
    /// A BASE, and HEAD is over, or a TEMPLATE came before it. Whether it is made at all, and where it goes, the tree
    /// knows.
    BaseBehindHead,
    /// HTML within SVG or MathML, at one of the places where it may stand. What is open there, and what ends it, the tree
    /// knows.
    HtmlInForeignContent,
    /// An end tag within SVG or MathML that is that of none of the open elements there. It may be that of an element of
    /// HTML around them.
    MisnestedForeignContent,
    /// A STYLE of SVG with markup in it, which is no text, or with an end tag that the end of the document cuts off.
    MarkupInForeignStyle,
    /// An element whose text is raw, SVG, MathML or a TEMPLATE, behind a FRAMESET. If that was let in, these are ignored.
    ElementBehindFrameset,
    /// A COL behind a TEMPLATE. In one, it makes the parser ignore most of what follows.
    ColumnInTemplate,
    /// A character reference of white space outside of any tag, and there is no BODY yet. HEAD may go on.
    ReferenceBeforeBody,
    /// U+0000 in a name, or outside of any tag when there is no BODY yet.
    NullCharacter,
}

impl BailOut {
    /// Every reason there is.
    pub const ALL: &'static [Self] = &[
        Self::BaseBehindHead,
        Self::HtmlInForeignContent,
        Self::MisnestedForeignContent,
        Self::MarkupInForeignStyle,
        Self::ElementBehindFrameset,
        Self::ColumnInTemplate,
        Self::ReferenceBeforeBody,
        Self::NullCharacter,
    ];
}

impl fmt::Display for BailOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseBehindHead => "BASE behind HEAD",
            Self::HtmlInForeignContent => "HTML within SVG or MathML",
            Self::MisnestedForeignContent => "misnested SVG or MathML",
            Self::MarkupInForeignStyle => "markup in a STYLE of SVG",
            Self::ElementBehindFrameset => "special element behind FRAMESET",
            Self::ColumnInTemplate => "COL behind TEMPLATE",
            Self::ReferenceBeforeBody => "character reference before BODY",
            Self::NullCharacter => "U+0000 in a name or before BODY",
        })
    }
}
