//! [`ResolutionBase`]: a base URL and what is needed to resolve references against it.
//!
//! It has up to three resolvers, because a base URL has more than one use:
//!
//! * `resolver` resolves references whose query is percent-encoded in the document's encoding, as HTML attributes are;
//! * `utf_8_resolver` resolves references whose query is always UTF-8, such as those in CSS;
//! * `output_resolver` has the base URL of the *rewritten* document. It differs from the input's if BASE is mapped,
//!   inserted or removed. Relative output must be relative to it.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::base::Base;
use crate::link::LinkRule;
use crate::reference::Resolver;

/// A base URL, prepared for resolving references against it.
#[derive(Clone)]
pub(crate) struct ResolutionBase {
    /// Shared with the report of each link.
    pub(crate) base: Arc<Base>,
    /// Whether every character of it is literal in markup: in text and in attributes, quoted or not.
    pub(crate) is_literal_in_markup: bool,
    /// Whether every character of it is literal in CSS: in strings and in `url()` without quotes.
    pub(crate) is_literal_in_css: bool,
    /// The resolver for references whose query is in the document's encoding.
    pub(crate) resolver: Resolver,
    /// The resolver for references whose query is always UTF-8; `None` if the document is in UTF-8.
    pub(crate) utf_8_resolver: Option<Resolver>,
    /// The resolver for the base URL of the rewritten document, which relative references in the output refer to.
    ///
    /// `None` if the rewritten document has no base URL, or an invalid one after mapping.
    pub(crate) output_resolver: Option<Resolver>,
}

impl ResolutionBase {
    /// Returns the resolver for references that have the rule `rule`.
    pub(crate) fn resolver_for(&self, rule: LinkRule) -> &Resolver {
        match &self.utf_8_resolver {
            Some(utf_8_resolver) if rule.has_utf_8_query => utf_8_resolver,
            _ => &self.resolver,
        }
    }
}

/// The base URL of a document as it appears in the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaseInOutput {
    /// It is written there, like a link, and so the mappings apply to it.
    Mapped,
    /// It is absent from the output, or unchanged, so no mapping applies.
    Unchanged,
}

impl BaseInOutput {
    /// Returns the appearance of a base URL whose attribute may be rewritten if `is_written`.
    pub(crate) fn if_written(is_written: bool) -> Self {
        if is_written {
            Self::Mapped
        } else {
            Self::Unchanged
        }
    }
}

/// The base URL of content of a feed. It is established when it is first needed, because most feeds have many items
/// whose content has absolute links only, or none.
#[derive(Default)]
pub(crate) struct ContentBase {
    /// The link of the item or feed.
    pub(crate) link: Option<String>,
    /// The base URL of content if the link is not a base URL.
    pub(crate) inherited: Option<Arc<ResolutionBase>>,
    /// The base URL of content, once it is established.
    pub(crate) established: OnceCell<Option<Arc<ResolutionBase>>>,
}
