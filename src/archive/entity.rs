//! A document in a container.

use std::borrow::Cow;
use std::sync::Arc;

use super::aggregate::Aggregate;
use super::bases::BaseList;
use super::chain::{Chain, ChainStep};
use crate::base::BaseCandidates;
use crate::container::ContainerError;
use crate::container::warc::conversion_id;
use crate::rewrite::{Decision, Document, LinkReport, Rewriter, Rewritten};

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// HTML, and XHTML, which is read as HTML.
    Html,
    /// CSS.
    StyleSheet,
}

impl DocumentKind {
    /// What a media type names, in lower case and without parameters; `None` if it is not read.
    pub(super) fn of(essence: &str) -> Option<Self> {
        match essence {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/css" => Some(Self::StyleSheet),
            _ => None,
        }
    }
}

/// A document in a container, and what the container says about it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entity<'c> {
    /// Which it is in its container. In a MIME message, the number of its part as IMAP counts (RFC 3501 section 6.4.5):
    /// `1.2`. In an HTTP dump, that of the response, from one. In a WARC archive, the offset of the record; where a gzip
    /// member holds several, those behind the first are `0.2`, `0.3`.
    pub label: String,
    /// Where it begins, as it is stored: a byte of the container, counted from zero. In a compressed WARC archive, where
    /// its record does.
    pub offset: u64,
    /// The URL the container has it under: `Content-Location`, `WARC-Target-URI`, the URL after redirects.
    pub url: Option<Arc<str>>,
    /// What it is written in.
    pub kind: DocumentKind,
    /// The label of its encoding, if the container has one.
    pub encoding: Option<String>,
    /// The document without the encodings it is stored in.
    pub bytes: Cow<'c, [u8]>,
    /// What is wrong with it, if anything is: the document is not all there, and cannot be replaced.
    pub remark: Option<ContainerError>,
    pub(super) candidates: BaseList,
    /// What stands beside it in its message, and what references in it mean there.
    pub(super) aggregate: Option<Arc<Aggregate>>,
    /// In an archive that gets conversions, the record of the document and that behind it.
    pub(super) followed: Option<FollowingRecord>,
    /// How it is led to.
    pub(super) chain: Chain,
}

/// The identifiers of a record and of the one behind it.
#[derive(Debug, Clone)]
pub(super) struct FollowingRecord {
    pub(super) own: String,
    pub(super) by: String,
}

impl Entity<'_> {
    /// The base URLs that the container gives the document, in order of precedence; its own BASE is not among them.
    pub fn candidates(&self) -> BaseCandidates<'_> {
        self.candidates.candidates()
    }

    /// How the container leads to the document, in that order: the redirects before it, or the entities around it and then
    /// itself, each with the header field that concerns its URL, as it is written, and the URL which that gives.
    ///
    /// The header fields that give [`candidates`](Self::candidates) are among them, the nearest last. The steps that are
    /// farthest away are left out if there are more than some tens, or they are very long; the first is then
    /// [`ChainStepKind::Omitted`](super::ChainStepKind::Omitted).
    #[must_use]
    pub fn chain(&self) -> Vec<ChainStep> {
        self.chain.steps()
    }

    /// The document, with the base URLs and the encoding that the container gives it.
    pub fn document(&self) -> Document<'_> {
        let document = match self.kind {
            DocumentKind::Html => Document::new(&self.bytes),
            DocumentKind::StyleSheet => Document::style_sheet(&self.bytes),
        };
        let document = document.candidates(self.candidates());
        match &self.encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    }

    /// What to do with a link of the document, so that what it leads to in the container is still found.
    ///
    /// A reference to another part of the same message must be, octet by octet, what that part is called. So it stays
    /// as it is, or becomes the `Content-Location` of the part, wherever its target would be something else. For
    /// [`Rewriter::rewrite_with`]; [`rewrite`](Self::rewrite) does this.
    ///
    /// # Source
    /// RFC 2557 sections 5 and 8.
    #[must_use]
    pub fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        self.aggregate
            .as_ref()
            .map_or(Decision::Resolve, |aggregate| aggregate.decide(link_report))
    }

    /// Whether the archive that is being rewritten has a conversion of the document already that holds `document`: it is
    /// not added once more.
    #[must_use]
    pub fn has_conversion(&self, document: &[u8]) -> bool {
        self.followed
            .as_ref()
            .is_some_and(|followed| followed.by == conversion_id(&followed.own, document))
    }

    /// The same, independent of the container.
    #[must_use]
    pub fn into_owned(self) -> Entity<'static> {
        Entity {
            label: self.label,
            offset: self.offset,
            url: self.url,
            kind: self.kind,
            encoding: self.encoding,
            bytes: Cow::Owned(self.bytes.into_owned()),
            remark: self.remark,
            candidates: self.candidates,
            aggregate: self.aggregate,
            followed: self.followed,
            chain: self.chain,
        }
    }

    /// The document rewritten.
    #[must_use]
    pub fn rewrite(&self, rewriter: &Rewriter) -> Rewritten<'_> {
        self.rewrite_as(&self.document(), rewriter)
    }

    /// The same for [`document`](Self::document) of whom more is known than the container says: other base URLs, another
    /// encoding.
    #[must_use]
    pub fn rewrite_as<'d>(&self, document: &Document<'d>, rewriter: &Rewriter) -> Rewritten<'d> {
        match &self.aggregate {
            None => rewriter.rewrite(document),
            Some(aggregate) => {
                rewriter.rewrite_with(document, |link_report| aggregate.decide(link_report))
            }
        }
    }
}
