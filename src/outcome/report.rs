//! The report of a rewrite: each link with its outcome, counts, and reasons for what was left unchanged.

use std::borrow::Cow;
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;

use super::options::{LinkDetail, Rewriter};
use crate::base::{Base, BaseReport, CandidateStatus};
use crate::document::Document;
use crate::html::BailOut;
use crate::link::Link;
use crate::markup::TreeLocation;
use crate::reference::ResolveError;
use crate::span::Span;
use crate::splice::Edit;
use crate::unsupported::Unsupported;

/// A link and the result of resolving it.
///
/// The [`Decision`] of a caller is not recorded here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkReport<'d> {
    /// The link as it was in the document.
    pub link: Link<'d>,
    /// The result of resolving the reference.
    pub outcome: Outcome,
    /// The base URL that the reference resolves against, or `None` if it is unknown.
    ///
    /// This is one of the following:
    ///
    /// * the base URL of the document, or of the nested document (`srcdoc`) that contains the link;
    /// * the `codebase` of the element;
    /// * for the `href` of BASE and for `html[manifest]`, the base URL that the document would have without BASE.
    // Shared, because most links of a document have the same base URL.
    pub base: Option<Arc<Base>>,
    /// The number of nested documents (`srcdoc`) around the link; 0 for a link of the document itself.
    pub depth: usize,
    /// Whether the text of a [`Decision::Replace`] is written in the place of the reference.
    pub(crate) is_replaced: bool,
}

impl LinkReport<'_> {
    /// Returns the target, which is the reference itself if it is [absolute](Outcome::Absolute); `None` for a skipped
    /// link.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Resolved(target) => Some(target),
            Outcome::Absolute => Some(&self.link.reference),
            Outcome::Skipped(_) => None,
        }
    }

    /// Returns the reason why the link is skipped, if it is.
    #[must_use]
    pub fn skip_reason(&self) -> Option<SkipReason> {
        self.outcome.skip_reason()
    }

    /// Returns whether the outcome is [`Outcome::Skipped`].
    pub(crate) fn is_skipped(&self) -> bool {
        matches!(self.outcome, Outcome::Skipped(_))
    }

    /// Copies the parts that are borrowed from the document.
    #[must_use]
    pub fn into_owned(self) -> LinkReport<'static> {
        LinkReport {
            link: self.link.into_owned(),
            outcome: self.outcome,
            base: self.base,
            depth: self.depth,
            is_replaced: self.is_replaced,
        }
    }
}

/// The result of resolving a link. An [observer](super::LinkObserver) receives the target in
/// [parts](super::TargetParts).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome<T = String> {
    /// The reference resolves to this target, which is mapped and in the configured [`OutputForm`](super::OutputForm).
    Resolved(T),
    /// The reference is already absolute, and is left unchanged.
    Absolute,
    /// The reference is left unchanged although it is relative or needed a change.
    ///
    /// There are two exceptions: a callback may [replace](Decision::Replace) the reference or
    /// [remove](Decision::Remove) the attribute, and
    /// [`BaseElementPolicy::Remove`](super::BaseElementPolicy::Remove) also removes a BASE whose `href` is
    /// [empty](SkipReason::Empty).
    Skipped(SkipReason),
}

impl<T> Outcome<T> {
    /// Returns the name used in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Resolved(_) => "resolved",
            Self::Absolute => "absolute",
            Self::Skipped(_) => "skipped",
        }
    }

    /// Returns the reason why the link is skipped, if it is.
    #[must_use]
    pub fn skip_reason(&self) -> Option<SkipReason> {
        match self {
            Self::Skipped(reason) => Some(*reason),
            Self::Resolved(_) | Self::Absolute => None,
        }
    }
}

/// The reason why a reference is left unchanged.
///
/// A skipped link is not an error of the rewrite. [`is_failure`](Self::is_failure) distinguishes the reasons for which
/// the link should have been rewritten from those for which it is left alone on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The reference is relative and there is no base URL (RFC 1808 section 3.4), or none that a reference can be
    /// relative to: the profile [`Whatwg`](crate::Profile::Whatwg) accepts `mailto:` in BASE.
    NoBase,
    /// The reference is relative, and the base URL is longer than
    /// [`Limit::BaseLength`](crate::Limit::BaseLength) allows.
    BaseTooLong,
    /// The value is empty, which does not refer to the base URL in this attribute.
    Empty,
    /// The reference is to a part of the same document, whatever its URL: `use href="#id"`.
    Local,
    /// The reference, or the `codebase` it resolves against, contains a template placeholder, or one precedes it in the
    /// list that it is part of.
    Placeholder,
    /// The reference is longer than 128 KiB, which no server accepts, or the parser of the URL Standard rejects it.
    /// Only [`Profile::Whatwg`](crate::Profile::Whatwg) has the latter.
    Malformed,
    /// The reference is not one contiguous range of the document that can be replaced.
    ///
    /// It crosses a CDATA delimiter, the tree builder assembled it, or it begins or ends within bytes that only decode
    /// together. This is also the reason if the rewritten document would not decode as intended. Bytes that are invalid
    /// in the encoding are U+FFFD, in a reference as elsewhere, and no reason on their own.
    Undecodable,
    /// Writing the target would change the encoding that the document is detected in.
    EncodingDeclaration,
    /// The reference is fragment-only, and the [`FragmentPolicy`](super::FragmentPolicy) leaves it unchanged.
    Fragment,
    /// [`Rewriter::skip`](super::Rewriter::skip) or [`BaseElementPolicy::Keep`](super::BaseElementPolicy::Keep)
    /// excludes the link.
    Excluded,
    /// The text to write would be parsed as something else in this place.
    ///
    /// Examples are a URL in `srcset` that ends in a comma, and `-->` in a comment. A link in the text of an element
    /// that a caller wants to [remove](Decision::Remove) has this reason, too.
    Unwritable,
    /// The text to write would have the origin of
    /// [`Rewriter::unknown_origin`](super::Rewriter::unknown_origin), which is not known.
    UnknownOrigin,
    /// The link is a nested document (`srcdoc`, HTML in a feed) that is nested too deeply, or that is not parsed: it is
    /// too long, too complex or ambiguous.
    TooDeep,
    /// The link is a nested document in base64 (`mode="base64"` in Atom 0.3), which is not read.
    Encoded,
    /// The reference is an identifier of a feed, which must not change: `atom:id`, `guid`.
    Identifier,
    /// The URL of a candidate of `srcset` that browsers ignore: a descriptor is a parse error.
    InvalidCandidate,
    /// The reference has a `<` and a tab or line break, and leads to an `http` or `https` URL. Browsers do not request
    /// it, but would request the target: markup that an injected, unclosed quote swallowed would be sent there.
    DanglingMarkup,
}

impl SkipReason {
    /// Returns whether the reference should have been resolved and written, but could not be.
    #[must_use]
    pub fn is_failure(self) -> bool {
        // No wildcard: a new reason must be assigned to one side.
        match self {
            Self::NoBase
            | Self::BaseTooLong
            | Self::Malformed
            | Self::Undecodable
            | Self::EncodingDeclaration
            | Self::Unwritable
            | Self::UnknownOrigin
            | Self::TooDeep
            | Self::Encoded
            | Self::DanglingMarkup => true,
            Self::Empty
            | Self::Local
            | Self::Placeholder
            | Self::Fragment
            | Self::Excluded
            | Self::Identifier
            | Self::InvalidCandidate => false,
        }
    }

    /// Returns the name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        // Part of the JSON output, so the names must not change.
        match self {
            Self::NoBase => "no-base",
            Self::BaseTooLong => "base-too-long",
            Self::Empty => "empty",
            Self::Local => "local",
            Self::Placeholder => "placeholder",
            Self::Malformed => "malformed",
            Self::Undecodable => "undecodable",
            Self::EncodingDeclaration => "encoding-declaration",
            Self::Fragment => "fragment",
            Self::Excluded => "excluded",
            Self::Unwritable => "unwritable",
            Self::UnknownOrigin => "unknown-origin",
            Self::TooDeep => "too-deep",
            Self::Encoded => "encoded",
            Self::Identifier => "identifier",
            Self::InvalidCandidate => "invalid-candidate",
            Self::DanglingMarkup => "dangling-markup",
        }
    }
}

impl From<ResolveError> for SkipReason {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::BaseNotAbsolute
            | ResolveError::BaseNotHierarchical
            | ResolveError::BaseMalformed => Self::NoBase,
            ResolveError::ReferenceMalformed => Self::Malformed,
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoBase => "no base URL",
            Self::BaseTooLong => "base URL too long",
            Self::Empty => "empty value",
            Self::Local => "same-document reference",
            Self::Placeholder => "template placeholder",
            Self::Malformed => "not a valid URL (URL Standard), or longer than 128 KiB",
            Self::Undecodable => "reference whose bytes cannot be replaced on their own",
            Self::EncodingDeclaration => "target that would change the detected encoding",
            Self::Fragment => "fragment-only reference, kept",
            Self::Excluded => "excluded",
            Self::Unwritable => "target that cannot be written in this place",
            Self::UnknownOrigin => "target on a host that is not known",
            Self::TooDeep => "nested document that is too deep, too long, too complex or ambiguous",
            Self::Encoded => "nested document in base64, which is not read",
            Self::Identifier => "identifier",
            Self::InvalidCandidate => "image candidate with an invalid descriptor",
            Self::DanglingMarkup => {
                "reference with a line break and `<`, which browsers do not request"
            }
        })
    }
}

/// A caller's decision about a link, returned by the callback of
/// [`Rewriter::rewrite_with`](super::Rewriter::rewrite_with).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Writes the target, if the outcome is [`Outcome::Resolved`].
    Resolve,
    /// Leaves the reference unchanged.
    Keep,
    /// Writes this text in place of the reference, escaped as the value requires.
    Replace(String),
    /// Removes the attribute that contains the link, including all other links in it.
    ///
    /// A link in the text of an element has no attribute. It is left unchanged and skipped as
    /// [`SkipReason::Unwritable`].
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
    }
}

/// The base URL and the links of a document, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Report<'d> {
    /// The base URL, and the status of every candidate, including BASE elements that have no effect.
    pub base: BaseReport,
    /// The links that were skipped, or every link, with [`LinkDetail::All`] and from [`Rewriter::links`].
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
    /// Further input for [`Rewriter::check`](super::Rewriter::check); empty for a tree.
    pub(crate) facts: CheckFacts,
}

/// Facts about a document that are neither links nor the base URL, but are relevant to a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CheckFacts {
    /// Every BASE element that has an `href`, in tree order.
    pub(crate) bases: Vec<BaseElementReport>,
    /// Attributes that repeat a link attribute of the same tag with different text, and so have no effect; in order.
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
            facts: self.facts,
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

impl<'d> RewriteSummary<'d> {
    /// Appends `document` to `output` if it has no edits: a splicer appends nothing then, so that the document can be
    /// borrowed.
    pub(crate) fn with_unchanged(self, document: &Document<'d>, output: &mut Vec<u8>) -> Self {
        if self.edited == 0 {
            output.extend_from_slice(document.bytes);
        }
        self
    }
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
    pub(crate) fn with_skipped_only(mut self, settings: &Rewriter) -> Self {
        self.report.links.retain(LinkReport::is_skipped);
        if settings.link_detail != LinkDetail::Edits {
            // A new vector and not `clear`, which would keep the memory. `edited` still counts them.
            self.edits = Vec::new();
        }
        self
    }

    /// Returns the skipped links, each with its reason in [`LinkReport::outcome`].
    ///
    /// A link that a callback [replaced](Decision::Replace) is included if its reference could not be resolved.
    pub fn skipped(&self) -> impl Iterator<Item = &LinkReport<'d>> {
        let links = self.report.links.iter();
        links.filter(|link_report| link_report.is_skipped())
    }
}

/// Marks every link among `links` that is resolved or replaced as skipped, because the edits of their common text
/// turned out to be impossible.
pub(crate) fn mark_skipped(links: &mut [LinkReport<'_>], reason: SkipReason) {
    for link_report in links {
        if link_report.is_replaced || matches!(link_report.outcome, Outcome::Resolved(_)) {
            link_report.outcome = Outcome::Skipped(reason);
            link_report.is_replaced = false;
        }
    }
}
