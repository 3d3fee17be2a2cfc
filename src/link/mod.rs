//! Links: what in a document is a reference, and what kind.

mod table;

pub(crate) use table::{lookup, may_be_link};

use crate::grammar::Grammar;
use crate::html::Namespace;
use crate::span::Span;

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A base URL of other references: BASE, `codebase`.
    Base,
    /// A place to go to: `a`, `area`.
    Navigation,
    /// Something the document is made of: images, scripts, style sheets, frames.
    Resource,
    /// Something to send data to: `form`, `ping`.
    Action,
    /// Something about the document: `cite`, `longdesc`.
    Metadata,
    /// A name rather than a place: `itemid`, references inside an SVG image.
    Identifier,
}

impl Role {
    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Navigation => "navigation",
            Self::Resource => "resource",
            Self::Action => "action",
            Self::Metadata => "metadata",
            Self::Identifier => "identifier",
        }
    }
}

/// A link: a reference and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    /// The local name of the element, with `svg:` or `math:` before it in foreign content.
    pub element: String,
    /// The name of the attribute.
    pub attribute: String,
    /// How the value holds the reference.
    pub grammar: Grammar,
    /// What the link is for.
    pub role: Role,
    /// The reference: character references decoded, white space around it removed.
    pub reference: String,
    /// Where the reference stands as written, in bytes of the document; `None` for a link of a tree.
    pub span: Option<Span>,
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

/// Another attribute of the element, and the value it must have, in any ASCII case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) attribute: &'static str,
    pub(crate) value: &'static str,
}

/// A row of the link table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) namespace: Namespace,
    pub(crate) element: &'static str,
    pub(crate) attribute: &'static str,
    pub(crate) condition: Option<Condition>,
    pub(crate) grammar: Grammar,
    pub(crate) base_rule: BaseRule,
    pub(crate) role: Role,
    pub(crate) empty: Empty,
    pub(crate) fragment_only: FragmentOnly,
    /// The standard, or where there is none the practice, that makes the attribute a link.
    #[expect(dead_code, reason = "for the reader of the table")]
    pub(crate) source: &'static str,
}

impl Row {
    const fn new(
        namespace: Namespace,
        element: &'static str,
        attribute: &'static str,
        role: Role,
        source: &'static str,
    ) -> Self {
        Self {
            namespace,
            element,
            attribute,
            condition: None,
            grammar: Grammar::Url,
            base_rule: BaseRule::Document,
            role,
            empty: Empty::Nothing,
            fragment_only: FragmentOnly::Base,
            source,
        }
    }

    const fn when(self, attribute: &'static str, value: &'static str) -> Self {
        Self {
            condition: Some(Condition { attribute, value }),
            ..self
        }
    }

    const fn against_fallback(self) -> Self {
        Self {
            base_rule: BaseRule::Fallback,
            ..self
        }
    }

    const fn against_codebase(self) -> Self {
        Self {
            base_rule: BaseRule::Codebase,
            ..self
        }
    }

    const fn empty_is_base(self) -> Self {
        Self {
            empty: Empty::Base,
            ..self
        }
    }

    const fn fragment_is_local(self) -> Self {
        Self {
            fragment_only: FragmentOnly::Local,
            ..self
        }
    }
}
