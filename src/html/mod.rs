//! HTML: a document's bytes in, its elements out. The only importer of html5ever.
//!
//! Nothing here knows which attributes are links or how a reference resolves.

pub(crate) mod charref;
pub(crate) mod conditional_comment;
pub(crate) mod element;
pub(crate) mod encoding;
pub(crate) mod foreign_text;
pub(crate) mod name_set;
mod prescan;
mod qual_name;
mod rcdom_sink;
pub(crate) mod replacements;
pub(crate) mod scan;
mod serialize;
pub(crate) mod tag;
pub(crate) mod tap;
mod tap_check;
mod tap_guard;
mod tap_text;
pub(crate) mod tokens;
pub(crate) mod tree;

use std::fmt;

use name_set::NameSet;
pub use scan::BailOut;
use tokens::Tokens;

/// Why a document is not read at all, and comes back as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// Its text is longer than html5ever takes, which is something over one gigabyte.
    TooLong,
    /// Its encoding is one that the Encoding Standard does not decode, because it is not safe to (`iso-2022-kr`, `hz`).
    NoEncoding,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "document too long to be read",
            Self::NoEncoding => {
                "document in an encoding that the Encoding Standard does not decode"
            }
        })
    }
}

/// Which reader reads documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reader {
    /// The fast one, and where that gives up, the reference reader.
    #[default]
    Fast,
    /// The reference reader, which is html5ever, in any case. For comparing the two: the results are the same.
    Reference,
}

/// A document that was read.
pub(crate) struct Parsed<'t> {
    pub(crate) tokens: Tokens<'t>,
    /// Why the fast reader gave up, if it was tried and did.
    pub(crate) bail_out: Option<BailOut>,
}

impl Reader {
    /// Reads `text` as a document; attributes that are not in `names` may be left out.
    ///
    /// # Panics
    /// If `text` is longer than [`tap::LONGEST_TEXT`].
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

/// The namespace of an element.
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
    /// What stands before the local name in reports: nothing, `svg:` or `math:`.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Html => "",
            Self::Svg => "svg:",
            Self::MathMl => "math:",
        }
    }

    /// Whether the text of an element of that name, in any case, is read: that of others is text for people, or markup.
    pub(crate) fn has_text_that_is_read(self, element: &str) -> bool {
        let is = |name| element.eq_ignore_ascii_case(name);
        match self {
            Self::Html => is("style") || is("script"),
            Self::Svg => is("style"),
            Self::MathMl => false,
        }
    }
}

/// Where in the document a node stands, as far as BASE elements are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeLocation {
    /// Neither in HEAD nor in a template.
    Outside,
    /// In the HEAD portion of the document.
    Head,
    /// In the contents of a template, which are a document of their own.
    Template,
}

/// An attribute of an element, on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameAndValue {
    /// The name, with its prefix if it has one.
    pub(crate) name: String,
    /// The value.
    pub(crate) value: String,
}

impl BaseElement {
    /// The value of the attribute of that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|own| own.name == name);
        found.map(|own| own.value.clone())
    }
}

/// A BASE element that has an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseElement {
    /// The value of its `href`.
    pub(crate) href: String,
    /// Its attributes.
    pub(crate) attributes: Vec<NameAndValue>,
    /// Where it stands.
    pub(crate) place: TreeLocation,
}
