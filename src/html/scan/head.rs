//! Where HEAD begins and ends: the insertion modes a document goes through before its body.

use super::super::name_set::key;

/// How far the tree builder has come.
///
/// # Source
/// HTML, "the rules for parsing tokens in HTML content", of which the first insertion modes depend on nothing but the
/// tokens. A TEMPLATE in HEAD counts as the body here: what stands in it does not matter, and [`super`] bails out at a
/// BASE behind it.
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
    /// "after head", where some elements go into HEAD all the same.
    AfterHead,
    /// "in body" and all that comes behind it.
    Body,
}

/// What a tag does to the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadStep {
    /// The phase behind the tag.
    pub(super) phase: Phase,
    /// Whether the start tag of HEAD it is.
    pub(super) is_head: bool,
}

impl Phase {
    /// Whether there is a HEAD by now.
    pub(super) fn has_head(self) -> bool {
        !matches!(self, Self::BeforeHtml | Self::BeforeHead)
    }

    /// The phase behind a start tag, whose name has this key.
    pub(super) fn start_tag(mut self, name: u64) -> HeadStep {
        const HTML: u64 = key(b"html");
        const HEAD: u64 = key(b"head");
        const NOSCRIPT: u64 = key(b"noscript");
        let step = |phase| HeadStep {
            phase,
            is_head: false,
        };
        loop {
            match (self, name) {
                (Self::BeforeHtml, HTML) => return step(Self::BeforeHead),
                (Self::BeforeHtml, _) => self = Self::BeforeHead,
                (Self::Body, _) | (_, HTML) => return step(self),
                (Self::BeforeHead, HEAD) => {
                    return HeadStep {
                        phase: Self::InHead,
                        is_head: true,
                    };
                }
                (Self::BeforeHead, _) => self = Self::InHead,
                (_, HEAD) | (Self::InHeadNoscript, NOSCRIPT) => return step(self),
                (Self::InHead, NOSCRIPT) => return step(Self::InHeadNoscript),
                (Self::InHead | Self::AfterHead, name) if is_of_head(name) => return step(self),
                (Self::InHeadNoscript, name) if is_of_noscript_in_head(name) => return step(self),
                (Self::InHead, _) => self = Self::AfterHead,
                (Self::InHeadNoscript, _) => self = Self::InHead,
                (Self::AfterHead, _) => self = Self::Body,
            }
        }
    }

    /// The phase behind an end tag, whose name has this key.
    pub(super) fn end_tag(self, name: u64) -> Self {
        const HEAD: u64 = key(b"head");
        const BODY: u64 = key(b"body");
        const HTML: u64 = key(b"html");
        const BR: u64 = key(b"br");
        const NOSCRIPT: u64 = key(b"noscript");
        match (self, name) {
            (Self::BeforeHtml | Self::BeforeHead | Self::InHead, HEAD) => Self::AfterHead,
            (Self::InHeadNoscript, NOSCRIPT) => Self::InHead,
            (Self::InHeadNoscript, BR) => Self::Body,
            (Self::InHeadNoscript, _) => self,
            (_, BODY | HTML | BR) => Self::Body,
            _ => self,
        }
    }
}

/// Whether start tags of that name stay in HEAD. TEMPLATE is none of them here.
fn is_of_head(name: u64) -> bool {
    const BASE: u64 = key(b"base");
    const TITLE: u64 = key(b"title");
    const SCRIPT: u64 = key(b"script");
    is_of_noscript_in_head(name) || matches!(name, BASE | TITLE | SCRIPT)
}

/// Whether start tags of that name stay in a NOSCRIPT in HEAD.
fn is_of_noscript_in_head(name: u64) -> bool {
    const BASEFONT: u64 = key(b"basefont");
    const BGSOUND: u64 = key(b"bgsound");
    const LINK: u64 = key(b"link");
    const META: u64 = key(b"meta");
    const NOFRAMES: u64 = key(b"noframes");
    const STYLE: u64 = key(b"style");
    matches!(name, BASEFONT | BGSOUND | LINK | META | NOFRAMES | STYLE)
}
