//! HTML: encoding detection, two readers, and trees.
//!
//! The fast reader is the [scanner](scan); it reads most documents. The reference reader is [html5ever](tap), with
//! positions added; it reads the rest. Both produce the same [`Tokens`]. No other top-level module imports html5ever.
//! This module does not know which attributes are links or how a reference resolves.

pub(crate) mod charref;
pub(crate) mod conditional_comment;
pub(crate) mod encoding;
pub(crate) mod foreign_text;
pub(crate) mod name;
pub(crate) mod name_set;
pub(crate) mod probe_table;
pub(crate) mod scan;
pub(crate) mod tag;
pub(crate) mod tap;
pub(crate) mod tokens;
pub(crate) mod tree;

use std::fmt;

use name_set::NameSet;
pub use scan::BailOut;
use tokens::Tokens;

/// Reason why a document is not read but returned unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// The text is longer than html5ever supports, which is over one gigabyte.
    TooLong,
    /// The Encoding Standard does not decode the encoding, because that would not be safe (`iso-2022-kr`,
    /// `hz-gb-2312`).
    NoEncoding,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "document too long",
            Self::NoEncoding => "unsupported encoding (not decoded by the Encoding Standard)",
        })
    }
}

/// Reader of HTML documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reader {
    /// The fast reader: a scanner over the bytes, with html5ever as the fallback for documents that it cannot read.
    #[default]
    Fast,
    /// The reference reader: html5ever for all documents. The results are the same; this is for comparison.
    Reference,
}

/// Result of reading a document.
pub(crate) struct Parsed<'t> {
    pub(crate) tokens: Tokens<'t>,
    /// Reason why the scanner bailed out; `None` if it did not, or was not used.
    pub(crate) bail_out: Option<BailOut>,
}

impl Reader {
    /// Reads `text` as a document. Attributes that are not in `names` may be omitted.
    ///
    /// # Panics
    /// May panic if `text` is longer than [`tap::LONGEST_TEXT`].
    pub(crate) fn read<'t>(self, text: &'t str, names: &NameSet) -> Parsed<'t> {
        let scanned = match self {
            Self::Fast => scan::read(text, names).map_err(Some),
            Self::Reference => Err(None),
        };
        match scanned {
            Ok(tokens) => Parsed {
                tokens,
                bail_out: None,
            },
            Err(bail_out) => Parsed {
                tokens: tap::read(text),
                bail_out,
            },
        }
    }
}

/// Namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

impl Namespace {
    /// Returns the prefix of local names in reports: empty, `svg:` or `math:`.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Html => "",
            Self::Svg => "svg:",
            Self::MathMl => "math:",
        }
    }

    /// Returns whether the text of an element of that name, ASCII case-insensitive, may contain links.
    ///
    /// The text of other elements is not searched for links.
    pub(crate) fn text_may_contain_links(self, element: &str) -> bool {
        let is = |name| element.eq_ignore_ascii_case(name);
        match self {
            Self::Html => is("style") || is("script"),
            Self::Svg => is("style"),
            Self::MathMl => false,
        }
    }
}

/// Location of a node in the tree, as far as BASE elements are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeLocation {
    /// Neither in HEAD nor in a template.
    Outside,
    /// In the HEAD portion of the document.
    Head,
    /// In the contents of a template, which form a document of their own.
    Template,
}

/// Name and value of an attribute, copied from a source text or a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameAndValue {
    /// The name, with its prefix if it has one.
    pub(crate) name: String,
    /// The value.
    pub(crate) value: String,
}

impl BaseElement {
    /// Returns the value of the attribute with that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let found = self
            .attributes
            .iter()
            .find(|attribute| attribute.name == name);
        found.map(|attribute| attribute.value.clone())
    }
}

/// A BASE element that has an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseElement {
    /// The value of its `href`.
    pub(crate) href: String,
    /// All its attributes, `href` included.
    pub(crate) attributes: Vec<NameAndValue>,
    /// Its location.
    pub(crate) location: TreeLocation,
}
