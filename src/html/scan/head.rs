//! The beginning and the end of HEAD: the insertion modes before the body.
//!
//! These modes depend on nothing but the tokens, which makes HEAD the one part of a document whose structure is known
//! without a tree. Its structure also matters most: a BASE in HEAD takes effect, and a new BASE is inserted there.

use super::super::name_set::key;

/// The insertion mode of the tree builder, as far as the beginning of a document needs it.
///
/// # Source
/// HTML, "the rules for parsing tokens in HTML content", the insertion modes up to "in body", scripting off. A
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
    /// "in head noscript".
    InHeadNoscript,
    /// "after head", where some elements are still inserted into HEAD.
    AfterHead,
    /// "in body" and all later modes.
    Body,
}

/// The effect of a start tag on the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadStep {
    /// The phase after the tag.
    pub(super) phase: Phase,
    /// Whether it is the start tag of HEAD itself.
    pub(super) is_head: bool,
}

impl Phase {
    /// Returns whether the HEAD element has been created.
    pub(super) fn has_head(self) -> bool {
        !matches!(self, Self::BeforeHtml | Self::BeforeHead)
    }

    /// Returns the effect of a start tag whose name has the key `name`.
    pub(super) fn start_tag(mut self, name: u64) -> HeadStep {
        const HTML: u64 = key(b"html");
        const HEAD: u64 = key(b"head");
        const NOSCRIPT: u64 = key(b"noscript");
        let step = |phase| HeadStep {
            phase,
            is_head: false,
        };
        // Each assignment to `self` is a change of the insertion mode after which the standard reprocesses the token.
        loop {
            match (self, name) {
                (Self::BeforeHtml, HTML) => return step(Self::BeforeHead),
                (Self::BeforeHtml, _) => self = Self::BeforeHead,
                // HTML only adds attributes to the element that exists.
                (Self::Body, _) | (_, HTML) => return step(self),
                (Self::BeforeHead, HEAD) => {
                    return HeadStep {
                        phase: Self::InHead,
                        is_head: true,
                    };
                }
                (Self::BeforeHead, _) => self = Self::InHead,
                // Ignored.
                (_, HEAD) | (Self::InHeadNoscript, NOSCRIPT) => return step(self),
                (Self::InHead, NOSCRIPT) => return step(Self::InHeadNoscript),
                (Self::InHead | Self::AfterHead, name) if belongs_in_head(name) => {
                    return step(self);
                }
                (Self::InHeadNoscript, name) if belongs_in_head_noscript(name) => {
                    return step(self);
                }
                (Self::InHead, _) => self = Self::AfterHead,
                (Self::InHeadNoscript, _) => self = Self::InHead,
                (Self::AfterHead, _) => self = Self::Body,
            }
        }
    }

    /// Returns the phase after an end tag whose name has the key `name`.
    pub(super) fn end_tag(self, name: u64) -> Self {
        const HEAD: u64 = key(b"head");
        const BODY: u64 = key(b"body");
        const HTML: u64 = key(b"html");
        const BR: u64 = key(b"br");
        const NOSCRIPT: u64 = key(b"noscript");
        match (self, name) {
            (Self::BeforeHtml | Self::BeforeHead | Self::InHead, HEAD) => Self::AfterHead,
            (Self::InHeadNoscript, NOSCRIPT) => Self::InHead,
            // Closes NOSCRIPT and HEAD, and creates a BR element in the body.
            (Self::InHeadNoscript, BR) => Self::Body,
            (Self::InHeadNoscript, _) => self,
            // The tree builder creates the missing elements before it processes these. It ignores all other end tags.
            (_, BODY | HTML | BR) => Self::Body,
            _ => self,
        }
    }
}

/// Returns whether elements of that name are inserted into HEAD without ending it.
///
/// TEMPLATE is one, but counts as the beginning of the body here; see [`Phase`].
fn belongs_in_head(name: u64) -> bool {
    const BASE: u64 = key(b"base");
    const TITLE: u64 = key(b"title");
    const SCRIPT: u64 = key(b"script");
    belongs_in_head_noscript(name) || matches!(name, BASE | TITLE | SCRIPT)
}

/// Returns whether elements of that name are inserted into a NOSCRIPT in HEAD without ending it.
fn belongs_in_head_noscript(name: u64) -> bool {
    const BASEFONT: u64 = key(b"basefont");
    const BGSOUND: u64 = key(b"bgsound");
    const LINK: u64 = key(b"link");
    const META: u64 = key(b"meta");
    const NOFRAMES: u64 = key(b"noframes");
    const STYLE: u64 = key(b"style");
    matches!(name, BASEFONT | BGSOUND | LINK | META | NOFRAMES | STYLE)
}
