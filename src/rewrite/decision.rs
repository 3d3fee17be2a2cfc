//! [`Decider`]: the source of decisions about links.

use crate::record::LinkReport;

/// A caller's decision about a link, returned by the callback of
/// [`Rewriter::rewrite_with`](crate::Rewriter::rewrite_with).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Writes the target, if the outcome is [`Outcome::Resolved`](crate::Outcome::Resolved).
    Resolve,
    /// Leaves the reference unchanged.
    Keep,
    /// Writes this text in place of the reference, escaped as the value requires.
    Replace(String),
    /// Writes this text, and adds attributes to the start tag, by their names and values.
    ///
    /// The text is written as with [`Replace`](Self::Replace), and if it is, each attribute that the tag does not have.
    /// Names consist of ASCII letters, digits, `-`, `_` and `.`. Nothing is added to a tree, or for a link in the text
    /// of an element. The added attribute must not have an effect on the rest of the document, as `shadowrootmode` has.
    ReplaceAdding(String, Vec<(String, String)>),
    /// Removes the attribute that contains the link, including all other links in it.
    ///
    /// A link in the text of an element has no attribute. It is left unchanged and skipped as
    /// [`SkipReason::Unwritable`](crate::SkipReason::Unwritable).
    Remove,
}

/// An attribute of the start tag of a link that is no link itself, such as `integrity`.
#[derive(Debug, Clone, Copy)]
pub struct BesideLink<'b> {
    /// The name of the attribute.
    pub name: &'b str,
    /// The value, decoded.
    pub value: &'b str,
}

/// The source of decisions about links.
pub(crate) enum Decider<'w> {
    /// Writes every target.
    Resolve,
    /// Writes nothing.
    Keep,
    /// Asks a callback, about a link or about an attribute beside it.
    Ask(&'w mut dyn FnMut(&LinkReport<'_>, Option<BesideLink<'_>>) -> Decision),
}

impl Decider<'_> {
    /// Returns the decision about a link, or about the attribute `beside` it.
    pub(crate) fn decide(
        &mut self,
        link_report: &LinkReport<'_>,
        beside: Option<BesideLink<'_>>,
    ) -> Decision {
        match self {
            Self::Resolve => Decision::Resolve,
            Self::Keep => Decision::Keep,
            Self::Ask(decide) => decide(link_report, beside),
        }
    }

    /// Returns a decider for a nested visitor, which borrows the callback of this one.
    pub(crate) fn reborrow(&mut self) -> Decider<'_> {
        match self {
            Self::Resolve => Decider::Resolve,
            Self::Keep => Decider::Keep,
            Self::Ask(decide) => Decider::Ask(&mut **decide),
        }
    }
}
