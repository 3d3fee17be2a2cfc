//! Links: what in a document is a reference, and what kind.

mod role;
mod selection;
mod selector;
mod table;

use std::borrow::Cow;

use crate::grammar::Grammar;
use crate::span::Span;

pub use role::Role;
pub(crate) use selection::{LinkRow, RowCache, RowLookup, Selected, Selection};
pub use selector::{LinkSelector, SelectorError};
pub use table::{Preset, UnknownPreset};

/// The name that stands for the text of an element where otherwise that of an attribute stands.
pub(crate) const TEXT: &str = "#text";

/// A link: a reference and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Link<'d> {
    /// The local name of the element, with `svg:` or `math:` before it in foreign content; `css` for a link of a style
    /// sheet that is a document of its own.
    pub element: Cow<'d, str>,
    /// The name of the attribute; `#text` for the text of the element; for a link of a style sheet that is a document
    /// of its own, `url()`, `src()`, `image-set()`, `image()` or `@import`.
    pub attribute: Cow<'d, str>,
    /// How the value holds the reference.
    pub grammar: Grammar,
    /// What the link is for.
    pub role: Role,
    /// The reference: character references and the escapes of the grammar decoded, white space around it removed.
    /// Borrowed from the document where nothing had to be decoded.
    pub reference: Cow<'d, str>,
    /// Where the reference stands as written, in bytes of the document; `None` for a link of a tree.
    pub span: Option<Span>,
}

impl Link<'_> {
    /// The same link, independent of the document.
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

/// How the references of a row of the link table are read and what they resolve against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinkRule {
    pub(crate) grammar: Grammar,
    pub(crate) base_rule: BaseRule,
    pub(crate) role: Role,
    pub(crate) empty: Empty,
    pub(crate) fragment_only: FragmentOnly,
}

impl LinkRule {
    /// The rule for values of that grammar, as most of them are.
    pub(crate) const fn new(grammar: Grammar, role: Role) -> Self {
        Self {
            grammar: Grammar::Url,
            base_rule: BaseRule::Document,
            role,
            empty: Empty::Nothing,
            fragment_only: FragmentOnly::Base,
        }
        .of_grammar(grammar)
    }

    /// The same rule for values of another grammar, with what follows from that.
    pub(crate) const fn of_grammar(self, grammar: Grammar) -> Self {
        let fragment_only = match grammar {
            // CSS Values, "URL processing model": a local URL, wherever the style sheet is.
            Grammar::Css => FragmentOnly::Local,
            _ => self.fragment_only,
        };
        let empty = match grammar {
            // The prefix of a scope, or an address, is parsed against the base URL whatever it is.
            Grammar::ImportMap | Grammar::SpeculationRules | Grammar::JsonLd => Empty::Base,
            _ => self.empty,
        };
        Self {
            grammar,
            empty,
            fragment_only,
            ..self
        }
    }

    /// Whether the link is a BASE element's, which gives its document the base URL.
    pub(crate) fn is_base_element(self) -> bool {
        self.role == Role::Base && self.base_rule == BaseRule::Fallback
    }
}

/// What the references of a row resolve against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaseRule {
    /// The base URL of the document.
    Document,
    /// The base URL the document would have without BASE.
    Fallback,
    /// The `codebase` of the element, itself resolved against the base URL of the document.
    Codebase,
}

/// What an empty reference of a row means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// Nothing, or the document itself: it stays.
    Nothing,
    /// The base URL (RFC 1808 section 4, step 2a).
    Base,
}

/// What a fragment-only reference of a row means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FragmentOnly {
    /// A place in the document that the base URL names (RFC 1808 section 4).
    Base,
    /// A part of this very document: it stays.
    Local,
}
