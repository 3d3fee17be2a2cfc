//! The choice between the two readers.

use super::scan::{self, BailOut};
use super::tap::{self, WorkLimits};
use crate::limits::Placement;
use crate::markup::name_set::{AttributeRole, NameSet};
use crate::markup::tokens::{Namespace, Tokens, TreeLocation};
use crate::unsupported::Unsupported;

/// Reader of HTML documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reader {
    /// The fast reader: a scanner over the bytes, with html5ever as the fallback for documents that it cannot read.
    #[default]
    Fast,
    /// The reference reader: html5ever for all documents. The results are the same; this is for comparison.
    Html5ever,
}

/// Returns whether a tag of HTML after `text` would create an element: it would be neither part of a comment, a script
/// or an SVG, nor in the contents of a TEMPLATE, nor ignored.
///
/// # Complexity
/// Linear.
pub(crate) fn ends_outside_markup(text: &str) -> bool {
    // Of a BASE element, the readers know whether it was created, and whether in a TEMPLATE.
    const HREF: &str = "the-end-of-the-text";
    let edited = format!("{text}<base href={HREF}>");
    let mut limits = WorkLimits::of_length(edited.len(), Placement::Outermost);
    let names = NameSet::new([("href", AttributeRole::Link)]);
    let parsed = Reader::Fast.read(&edited, &names, &mut limits);
    parsed.is_ok_and(|Parsed { tokens, .. }| {
        let last = tokens.start_tags.last();
        let is_tag = last
            .is_some_and(|tag| tag.span.start == text.len() && tag.namespace == Namespace::Html);
        let mut bases = tokens.base_elements.iter();
        let is_created =
            bases.any(|base| base.href == HREF && base.location != TreeLocation::Template);
        is_tag && is_created && !tokens.is_in_noscript(text.len())
    })
}

/// Result of reading a document.
pub(crate) struct Parsed<'t> {
    pub(crate) tokens: Tokens<'t>,
    /// Reason why the scanner bailed out; `None` if it did not, or was not used.
    pub(crate) bail_out: Option<BailOut>,
}

impl Reader {
    /// Reads `text` as a document. Attributes that are not in `names` are omitted, except those of BASE, and so are
    /// tags without links. Reduces the `limits` by the work of html5ever.
    ///
    /// # Errors
    /// Those of [`tap::read`].
    ///
    /// # Panics
    /// May panic if `text` is longer than [`tap::LONGEST_TEXT`].
    pub(crate) fn read<'t>(
        self,
        text: &'t str,
        names: &NameSet,
        limits: &mut WorkLimits,
    ) -> Result<Parsed<'t>, Unsupported> {
        let scanned = match self {
            Self::Fast => scan::read(text, names, limits.max_kept()).map_err(Some),
            Self::Html5ever => Err(None),
        };
        let bail_out = scanned.as_ref().err().copied().flatten();
        let tokens = scanned.or_else(|_| tap::read(text, names, limits))?;
        Ok(Parsed { tokens, bail_out })
    }

    /// Reads `text` as the text of a NOSCRIPT element; otherwise like [`read`](Self::read).
    ///
    /// # Errors
    /// Those of [`tap::read`].
    ///
    /// # Panics
    /// May panic if `text` is longer than [`tap::LONGEST_TEXT`].
    pub(crate) fn read_noscript<'t>(
        self,
        text: &'t str,
        names: &NameSet,
        limits: &mut WorkLimits,
    ) -> Result<Tokens<'t>, Unsupported> {
        match self {
            Self::Fast => scan::read_noscript(text, names)
                .or_else(|_| tap::read_noscript(text, names, limits)),
            Self::Html5ever => tap::read_noscript(text, names, limits),
        }
    }
}
