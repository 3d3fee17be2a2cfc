//! Documents: the report on one, with counts and the reason why it was left unchanged, and the rewritten document.

use std::borrow::Cow;
use std::ops::AddAssign;

use super::link::LinkReport;
use super::outcome::{Outcome, SkipReason};
use crate::base::{Base, BaseReport, CandidateStatus};
use crate::document::Document;
use crate::html::BailOut;
use crate::markup::TreeLocation;
use crate::settings::{LinkDetail, RewriteSettings};
use crate::span::Span;
use crate::splice::Edit;
use crate::unsupported::Unsupported;

/// The number of links of a document by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LinkCounts {
    /// The number of links that are [`Outcome::Resolved`].
    pub resolved: usize,
    /// The number of links that are [`Outcome::Absolute`].
    pub absolute: usize,
    /// The number of links that are [`Outcome::Skipped`].
    pub skipped: usize,
    /// The number of edits beside links, such as those of
    /// [`Rewriter::remove_attribute`](crate::Rewriter::remove_attribute); in a list, of
    /// those that rewriting would make.
    pub beside: usize,
    /// The number of edits beside links that could not be made, so that the place was left unchanged.
    pub left: usize,
}

impl LinkCounts {
    /// Counts `links` by outcome.
    pub(crate) fn of(links: &[LinkReport<'_>]) -> Self {
        // Counted at the end and not while links are collected: an edit that cannot be written changes outcomes.
        let mut counts = Self::default();
        for link_report in links {
            counts.add(&link_report.outcome);
        }
        counts
    }

    /// Counts one more link.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Resolved(_) => self.resolved += 1,
            Outcome::Absolute => self.absolute += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
    }
}

impl AddAssign for LinkCounts {
    fn add_assign(&mut self, other: Self) {
        self.resolved += other.resolved;
        self.absolute += other.absolute;
        self.skipped += other.skipped;
        self.beside += other.beside;
        self.left += other.left;
    }
}

/// The base URL and the links of a document, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Report<'d> {
    /// The base URL, and the status of every candidate, including BASE elements that have no effect.
    pub base: BaseReport,
    /// The links that were skipped, or every link, with [`LinkDetail::All`] and from
    /// [`Rewriter::links`](crate::Rewriter::links).
    pub links: Vec<LinkReport<'d>>,
    /// The number of links by outcome, whether or not [`links`](Self::links) records them.
    pub counts: LinkCounts,
    /// The name of the encoding in which the document was read, as in the Encoding Standard; `None` if it was not read,
    /// and for a tree.
    pub encoding: Option<&'static str>,
    /// The reason why the document was not parsed, if it was not. It is left unchanged then.
    ///
    /// For a tree, the reason why a conditional comment or a NOSCRIPT in it was not parsed, which alone is left
    /// unchanged.
    pub unsupported: Option<Unsupported>,
    /// The reason why the document was left unchanged as a whole although it has edits.
    ///
    /// The rewritten document would not have been parsed as intended. Every link that has a target is skipped for the
    /// same reason.
    pub unwritten: Option<SkipReason>,
    /// The number of tags that were parsed, including end tags and the tags of nested documents (`srcdoc`).
    ///
    /// For a tree only the tags of nested documents are counted.
    pub tags: usize,
    /// The number of tags that were ignored because html5ever and this crate split them differently.
    ///
    /// No such tag is known. A number above zero is a bug in this crate; please report it.
    pub mismatched_tags: usize,
    /// The reason why the scanner bailed out and html5ever parsed the document instead; `None` if it did not.
    ///
    /// The result is the same, but takes longer.
    pub bail_out: Option<BailOut>,
    /// Every BASE element that has an `href`, in tree order, for [`Rewriter::check`](crate::Rewriter::check). Empty for
    /// a tree.
    pub(crate) base_elements: Vec<BaseElementReport>,
    /// Attributes that repeat a link attribute of the same tag with different text, and so have no effect; in order.
    /// Empty for a tree.
    pub(crate) duplicates: Vec<Span>,
}

/// A BASE element that has an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseElementReport {
    /// The value of its `href`.
    pub(crate) value: String,
    /// Its location in the tree.
    pub(crate) location: TreeLocation,
    /// Its effect on the base URL.
    pub(crate) status: CandidateStatus,
}

impl Report<'_> {
    /// Returns the reason why the document was not parsed, or why none of its edits could be written; `None` usually.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let unsupported = self.unsupported.map(|reason| reason.to_string());
        unsupported.or_else(|| self.unwritten.map(|reason| reason.to_string()))
    }

    /// Copies the parts that are borrowed from the document.
    #[must_use]
    pub fn into_owned(self) -> Report<'static> {
        // Field by field and without `..`, so that a new field cannot be forgotten here.
        Report {
            base: self.base,
            links: self.links.into_iter().map(LinkReport::into_owned).collect(),
            counts: self.counts,
            encoding: self.encoding,
            unsupported: self.unsupported,
            unwritten: self.unwritten,
            tags: self.tags,
            mismatched_tags: self.mismatched_tags,
            bail_out: self.bail_out,
            base_elements: self.base_elements,
            duplicates: self.duplicates,
        }
    }
}

/// The result of [`Rewriter::rewrite`](crate::Rewriter::rewrite): the rewritten document and a report.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rewritten<'d> {
    /// The rewritten document. Borrowed from the input if there are no edits.
    pub bytes: Cow<'d, [u8]>,
    /// The edits, ordered and disjoint; spans are in bytes of the original document.
    ///
    /// Empty with [`LinkDetail::SkippedOnly`], the default.
    pub edits: Vec<Edit>,
    /// The number of edits, even if [`edits`](Self::edits) does not record them.
    pub edited: usize,
    /// The base URL and the links of the original document.
    pub report: Report<'d>,
}

/// The result of [`Rewriter::rewrite_into`](crate::Rewriter::rewrite_into), whose output is in a buffer of the caller.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RewriteSummary<'d> {
    /// The edits, as in [`Rewritten::edits`].
    pub edits: Vec<Edit>,
    /// The number of edits. If it is zero, the appended bytes are those of the original document.
    pub edited: usize,
    /// The base URL and the links of the original document.
    pub report: Report<'d>,
}

impl<'d> Rewritten<'d> {
    /// Appends the document to `output` and returns the rest.
    pub(crate) fn append_to(self, output: &mut Vec<u8>) -> RewriteSummary<'d> {
        output.extend_from_slice(&self.bytes);
        RewriteSummary {
            edits: self.edits,
            edited: self.edited,
            report: self.report,
        }
    }

    /// Returns the base URL of the document, if it has one.
    #[must_use]
    pub fn base(&self) -> Option<&Base> {
        self.report.base.base.as_ref()
    }

    /// Returns `document` without edits.
    pub(crate) fn unchanged(document: &Document<'d>, report: Report<'d>) -> Self {
        Self {
            bytes: Cow::Borrowed(document.bytes),
            edits: Vec::new(),
            edited: 0,
            report,
        }
    }

    /// Removes the links not skipped, and the edits unless `settings` say [`LinkDetail::Edits`].
    pub(crate) fn with_skipped_only(mut self, settings: &RewriteSettings) -> Self {
        self.report
            .links
            .retain(|link_report| link_report.skip_reason().is_some());
        if settings.link_detail != LinkDetail::Edits {
            // A new vector and not `clear`, which would keep the memory. `edited` still counts them.
            self.edits = Vec::new();
        }
        self
    }

    /// Returns the skipped links, each with its reason in [`LinkReport::outcome`].
    ///
    /// A link that a callback [replaced](crate::Decision::Replace) is included if its reference could not be resolved.
    pub fn skipped(&self) -> impl Iterator<Item = &LinkReport<'d>> {
        let links = self.report.links.iter();
        links.filter(|link_report| link_report.skip_reason().is_some())
    }
}
