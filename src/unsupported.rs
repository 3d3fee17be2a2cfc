//! Reasons why a document is not read, and remains as it is.

use std::fmt;

use crate::limits::Limit;

/// Reason why a document is not read but returned unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// The text is longer than html5ever supports, which is over one gigabyte.
    TooLong,
    /// The Encoding Standard does not decode the encoding, because that would not be safe (`iso-2022-kr`,
    /// `hz-gb-2312`).
    NoEncoding,
    /// The document would take much more time or memory than its length justifies.
    LimitExceeded(Limit),
    /// The XML document is not well-formed, or its links depend on parts of it that are not read.
    IllFormed(IllFormed),
    /// The JSON Feed is not JSON in UTF-8, or not an object.
    NotJsonFeed,
    /// Browsers may read the SVG or MathML of the document differently, such as an end tag in it that is that of an
    /// element outside: an edit could change what is markup there.
    AmbiguousMarkup,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "document too long",
            Self::LimitExceeded(limit) => match limit {
                Limit::BaseLength => "base URL too long",
                Limit::Links => "too many links for the length of the document",
                Limit::ValueLinks => "too many links in one value for the length of the document",
                Limit::Growth => "targets too long in comparison with the document",
                Limit::Attributes => "too complex: too many attributes in a tag",
                Limit::Findings => "too many findings for the length of the document",
                Limit::ParserSteps => {
                    "too complex: parsing would take much more time or memory than the length justifies"
                }
            },
            Self::NoEncoding => "unsupported encoding (not decoded by the Encoding Standard)",
            Self::IllFormed(error) => return error.fmt(formatter),
            Self::AmbiguousMarkup => "ambiguous markup: browsers may read SVG or MathML differently; close its elements in order",
            Self::NotJsonFeed => "not a JSON Feed: invalid JSON, or not an object",
        })
    }
}

/// First error of an XML document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct IllFormed {
    /// The line of the error, starting at 1. A line ends with LF, CR or CR LF.
    pub line: usize,
    /// The column of the error, starting at 1, in characters (`char`) of the decoded document.
    pub column: usize,
    /// The rule that the document violates.
    pub reason: IllFormedReason,
}

impl fmt::Display for IllFormed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            reason,
        } = self;
        write!(
            formatter,
            "ill-formed XML at line {line}, column {column}: {reason}"
        )
    }
}

/// Rule that an ill-formed XML document violates.
///
/// # Source
/// XML 1.0 (Fifth Edition); the numbers are those of its sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormedReason {
    /// The bytes are not text in the encoding of the document (4.3.3).
    Encoding,
    /// A character that no document may contain (2.2).
    Character,
    /// The document has no root element (2.1).
    NoRoot,
    /// Text, or a second element, outside the root element (2.1).
    OutsideRoot,
    /// The document ends within a tag, a comment, a CDATA section, a processing instruction or a DOCTYPE (2.1).
    UnexpectedEnd,
    /// The document ends before the end tag of an element (3.1).
    UnclosedElement,
    /// An end tag that does not match the open element (3.1).
    EndTag,
    /// A `<` that does not begin markup (2.4).
    LessThan,
    /// A tag with a syntax error: an attribute without a quoted value, or without white space before it (3.1).
    Tag,
    /// A `<` in an attribute value (3.1).
    AttributeLessThan,
    /// An attribute that occurs twice in a tag (3.1).
    DuplicateAttribute,
    /// An `&` that does not begin a reference (4.1).
    Ampersand,
    /// A reference to an entity that is not declared (4.1).
    UndeclaredEntity,
    /// `]]>` in text (2.4).
    CdataEnd,
    /// `--` in a comment (2.5).
    Comment,
    /// A processing instruction with a syntax error, or an XML declaration that does not begin the document (2.6, 2.8).
    Instruction,
    /// A DOCTYPE with a syntax error, or after the root element has begun (2.8).
    Doctype,
    /// A reference to an entity whose replacement text contains markup. The document may be well-formed, but entities
    /// are not expanded, so links in that markup would be missed.
    EntityMarkup,
    /// More `xml:base` attributes within each other than are supported. The document may be well-formed.
    TooDeep,
}

impl fmt::Display for IllFormedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Encoding => "bytes that are no text in the encoding of the document",
            Self::Character => "forbidden character",
            Self::NoRoot => "no root element",
            Self::OutsideRoot => "content outside the root element",
            Self::UnexpectedEnd => "markup that is not closed",
            Self::UnclosedElement => "element without an end tag",
            Self::EndTag => "end tag that does not match the open element",
            Self::LessThan => "`<` that does not begin markup",
            Self::Tag => "syntax error in a tag",
            Self::AttributeLessThan => "`<` in an attribute value",
            Self::DuplicateAttribute => "duplicate attribute",
            Self::Ampersand => "`&` that does not begin a reference",
            Self::UndeclaredEntity => "undeclared entity",
            Self::CdataEnd => "`]]>` in text",
            Self::Comment => "`--` in a comment, or a comment that is not closed",
            Self::Instruction => "syntax error in a processing instruction",
            Self::Doctype => "syntax error in a DOCTYPE",
            Self::EntityMarkup => "entity with markup, which is not supported",
            Self::TooDeep => "too many xml:base attributes within each other",
        })
    }
}
