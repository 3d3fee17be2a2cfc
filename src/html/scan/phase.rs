//! The beginning and the end of HEAD: the insertion modes before the body.
//!
//! These modes depend on nothing but the tokens, which makes HEAD the one part of a document whose structure is known
//! without a tree. Its structure also matters most: a BASE in HEAD takes effect, and a new BASE is inserted there.

use crate::markup::name::{
    BASE, BASEFONT, BGSOUND, BODY, BR, HEAD, HTML, LINK, META, NOFRAMES, NOSCRIPT, NameKey, SCRIPT,
    STYLE, TITLE,
};

/// The insertion mode of the tree builder, as far as the beginning of a document needs it.
///
/// # Source
/// HTML, "the rules for parsing tokens in HTML content", the insertion modes up to "in body", scripting on. A
/// TEMPLATE in HEAD counts as the beginning of the body: its contents do not matter, and the scanner bails out at a
/// later BASE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Phase {
    /// "initial", "before html".
    #[default]
    BeforeHtml,
    /// "before head".
    BeforeHead,
    /// "in head".
    InHead,
    /// "after head", where some elements are still inserted into HEAD.
    AfterHead,
    /// "in body" and all later modes.
    Body,
}

impl Phase {
    /// Returns whether the HEAD element has been created.
    pub(super) fn has_head(self) -> bool {
        !matches!(self, Self::BeforeHtml | Self::BeforeHead)
    }

    /// Returns whether HEAD has ended.
    pub(super) fn is_after_head(self) -> bool {
        matches!(self, Self::AfterHead | Self::Body)
    }

    /// Returns the phase after a start tag whose name has the [folded key](NameKey::folded) `name`.
    pub(super) fn start_tag(mut self, name: Option<NameKey>) -> Self {
        // Each assignment to `self` is a change of the insertion mode after which the standard reprocesses the token.
        loop {
            match (self, name) {
                (Self::BeforeHtml, Some(HTML)) => return Self::BeforeHead,
                (Self::BeforeHtml, _) => self = Self::BeforeHead,
                // HTML only adds attributes to the element that exists.
                (Self::Body, _) | (_, Some(HTML)) => return self,
                (Self::BeforeHead, Some(HEAD)) => return Self::InHead,
                (Self::BeforeHead, _) => self = Self::InHead,
                // The start tag of HEAD is ignored. NOSCRIPT is in HEAD only before its end tag.
                (_, Some(HEAD)) | (Self::InHead, Some(NOSCRIPT)) => return self,
                (Self::InHead | Self::AfterHead, Some(name)) if belongs_in_head(name) => {
                    return self;
                }
                (Self::InHead, _) => self = Self::AfterHead,
                (Self::AfterHead, _) => self = Self::Body,
            }
        }
    }

    /// Returns the phase after an end tag whose name has the [folded key](NameKey::folded) `name`.
    pub(super) fn end_tag(self, name: Option<NameKey>) -> Self {
        match (self, name) {
            (Self::BeforeHtml | Self::BeforeHead | Self::InHead, Some(HEAD)) => Self::AfterHead,
            // The tree builder creates the missing elements before it processes these. It ignores all other end tags.
            (_, Some(BODY | HTML | BR)) => Self::Body,
            _ => self,
        }
    }
}

/// Returns whether elements of that name are inserted into HEAD, also after its end tag.
///
/// TEMPLATE is one, but counts as the beginning of the body here; see [`Phase`].
fn belongs_in_head(name: NameKey) -> bool {
    matches!(
        name,
        BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TITLE
    )
}
