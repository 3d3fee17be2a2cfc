//! Links: which attributes and texts of a document contain references, and how these are parsed and resolved.
//!
//! [`table`] has a row for each kind of link. [`selection`] finds the row for an attribute, and with it the
//! [`LinkRule`]. [`selector`] parses the selectors of links that a user adds or excludes. The values themselves are
//! parsed by `crate::grammar`.

mod role;
mod selection;
mod selector;
mod table;

use std::borrow::Cow;

use crate::grammar::Grammar;
use crate::span::Span;

pub use role::Role;
pub(crate) use selection::{RowFinder, RowLookup, SelectedRule, Selection};
pub(crate) use selector::REMOVABLE;
pub use selector::{LinkSelector, SelectorError};
pub use table::Preset;

/// The attribute name that denotes the text of an element.
pub(crate) const TEXT: &str = "#text";

/// A link: a reference and its location in the document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Link<'d> {
    /// The local name of the element, such as `a`.
    ///
    /// Elements of SVG and MathML have the prefix `svg:` or `math:`. A link of a [style
    /// sheet](crate::Document::style_sheet) has the name `css`.
    pub element: Cow<'d, str>,
    /// The name of the attribute, such as `href`, or `#text` for the text of the element.
    ///
    /// In a [style sheet](crate::Document::style_sheet) it is the construct that contains the reference: `url()`,
    /// `src()`, `image-set()`, `image()` or `@import`.
    pub attribute: Cow<'d, str>,
    /// The syntax of the value that contains the reference.
    pub grammar: Grammar,
    /// The purpose of the link.
    pub role: Role,
    /// The reference, without surrounding white space.
    ///
    /// Character references and the escapes of the grammar are decoded. Borrowed from the document if there are none.
    pub reference: Cow<'d, str>,
    /// The location of the reference as written, in bytes of the document; for a link of a tree, in bytes of the value
    /// of the attribute or of the text.
    ///
    /// `None` for a reference that has no single location: it is not contiguous there, or it begins or ends within
    /// bytes that only decode together.
    pub span: Option<Span>,
}

impl Link<'_> {
    /// Copies the parts that are borrowed from the document.
    #[must_use]
    pub fn into_owned(self) -> Link<'static> {
        Link {
            element: Cow::Owned(self.element.into_owned()),
            attribute: Cow::Owned(self.attribute.into_owned()),
            grammar: self.grammar,
            role: self.role,
            reference: Cow::Owned(self.reference.into_owned()),
            span: self.span,
        }
    }
}

/// The rule for `xml:base`, which is a link in XML only and therefore has no row.
///
/// # Source
/// XML Base (Second Edition), sections 3 and 4.2.
pub(crate) const XML_BASE_RULE: LinkRule = LinkRule {
    base_rule: BaseRule::Outer,
    has_utf_8_query: true,
    ..LinkRule::new(Grammar::Url, Role::Base)
};

/// The rule for the references of a link: how they are parsed, and what they resolve against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinkRule {
    pub(crate) grammar: Grammar,
    pub(crate) base_rule: BaseRule,
    pub(crate) role: Role,
    pub(crate) empty: Empty,
    pub(crate) fragment_only: FragmentOnly,
    /// Whether the query of a reference is percent-encoded in UTF-8 even if the document is in another encoding.
    ///
    /// # Source
    /// Only attributes of HTML, SVG and MathML are "encoding-parsed" relative to a document (HTML, section 2.4). CSS
    /// Values ("URL processing model") and HTML for import maps and speculation rules use the URL parser without an
    /// encoding. References in feeds, sitemaps and `xml:base` are IRIs, which are mapped through UTF-8 (RFC 3987,
    /// section 3.1; RFC 4287, section 2; XML Base, section 3.1).
    pub(crate) has_utf_8_query: bool,
}

impl LinkRule {
    /// Creates the usual rule for values of a grammar: references resolve against the document's base URL.
    pub(crate) const fn new(grammar: Grammar, role: Role) -> Self {
        Self {
            grammar: Grammar::Url,
            base_rule: BaseRule::Document,
            role,
            empty: Empty::Nothing,
            fragment_only: FragmentOnly::Base,
            has_utf_8_query: false,
        }
        .of_grammar(grammar)
    }

    /// Replaces the grammar, and adapts the rule to it.
    pub(crate) const fn of_grammar(mut self, grammar: Grammar) -> Self {
        self.grammar = grammar;
        match grammar {
            // CSS Values, "URL processing model": a local URL, wherever the style sheet is.
            Grammar::Css => {
                self.fragment_only = FragmentOnly::Local;
                self.has_utf_8_query = true;
            }
            // Addresses and scope prefixes are parsed against the base URL even if they are empty.
            Grammar::ImportMap | Grammar::SpeculationRules | Grammar::JsonLd => {
                self.empty = Empty::Base;
                self.has_utf_8_query = true;
            }
            _ => {}
        }
        self
    }

    /// Returns whether this is the rule for the `href` of BASE, or for `xml:base`.
    pub(crate) fn is_base_element(self) -> bool {
        // `codebase` has the same role, but resolves against the document's base URL.
        self.role == Role::Base && matches!(self.base_rule, BaseRule::Fallback | BaseRule::Outer)
    }

    /// Returns whether this is the rule for `xml:base`.
    pub(crate) fn is_xml_base(self) -> bool {
        self.base_rule == BaseRule::Outer
    }
}

/// The base URL that references resolve against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaseRule {
    /// The base URL of the document.
    Document,
    /// The base URL that the document would have without BASE.
    Fallback,
    /// The base URL of the parent element: that of an XML document may have several.
    Outer,
    /// The base URL of content of a feed, which is a document of its own: the `xml:base` of the element, otherwise the
    /// link of the item or of the feed, otherwise the base URL of the document.
    Content,
    /// None: it is an identifier, which must not change.
    Identifier,
    /// The `codebase` of the element, itself resolved against the base URL of the document.
    Codebase,
}

/// The meaning of an empty reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// Nothing, or the document itself: it is left unchanged.
    Nothing,
    /// The base URL (RFC 1808 section 4, step 2a).
    Base,
}

/// The meaning of a fragment-only reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FragmentOnly {
    /// A part of the document that the base URL identifies (RFC 1808 section 4).
    Base,
    /// A part of the same document, whatever its base URL: it is left unchanged.
    Local,
}
