//! What rewriting finds and decides.

use std::fmt;
use std::sync::Arc;

use crate::base::{Base, BaseReport, CandidateStatus};
use crate::html::{BailOut, TreeLocation, Unsupported};
use crate::link::Link;
use crate::span::Span;

/// A link and what resolving makes of it; what a caller decided about it is not part of this.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkReport<'d> {
    /// The link.
    pub link: Link<'d>,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The base URL that the reference resolves against: the document's, or that of the document in an attribute in
    /// which it stands, or of `codebase`; `None` where none is known.
    pub base: Option<Arc<Base>>,
    /// How many documents in attributes (`srcdoc`) the link stands in; 0 for a link of the document itself.
    pub depth: usize,
}

impl LinkReport<'_> {
    /// The same, independent of the document.
    #[must_use]
    pub fn into_owned(self) -> LinkReport<'static> {
        LinkReport {
            link: self.link.into_owned(),
            outcome: self.outcome,
            base: self.base,
            depth: self.depth,
        }
    }
}

/// What becomes of a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The reference was resolved: its target, in the form that is to be written.
    Resolved(String),
    /// The reference is absolute already, and stays.
    Absolute,
    /// The reference is relative, or was to be changed, and stays all the same.
    Skipped(SkipReason),
}

impl Outcome {
    /// The name used in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Resolved(_) => "resolved",
            Self::Absolute => "absolute",
            Self::Skipped(_) => "skipped",
        }
    }
}

/// Why a reference stays as it is. Not an error: leaving it is the right thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The document has no base URL (RFC 1808 section 3.4).
    NoBase,
    /// The value is empty, and an empty value of this attribute is no reference to the base URL.
    Empty,
    /// The reference names a part of this very document, wherever that is: `use href="#id"`.
    Local,
    /// The value holds a template's placeholder.
    Placeholder,
    /// The URL Standard's parser rejects the reference.
    Malformed,
    /// The reference cannot be cut out of the document, whose bytes are not text in its encoding there, or the document
    /// with the target in it would not be read back as it is meant.
    Undecodable,
    /// With the target written, the document would be read in another encoding than before.
    EncodingDeclaration,
    /// The reference names a place in the document that the base URL names, and such ones are to stay.
    Fragment,
    /// The link is one of those that are to stay.
    Excluded,
    /// What is to be written there would not be read as it is meant: a comma at the end of a URL in `srcset`, `-->` in
    /// a comment.
    Unwritable,
    /// The reference stands in a document in an attribute of a document, and so on, deeper than is read, or in one that
    /// is longer than is read.
    TooDeep,
}

impl SkipReason {
    /// Whether the reference was to be resolved and written, and could not be: an invitation to look at it.
    #[must_use]
    pub fn is_failure(self) -> bool {
        match self {
            Self::NoBase
            | Self::Malformed
            | Self::Undecodable
            | Self::EncodingDeclaration
            | Self::Unwritable
            | Self::TooDeep => true,
            Self::Empty | Self::Local | Self::Placeholder | Self::Fragment | Self::Excluded => {
                false
            }
        }
    }

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoBase => "no-base",
            Self::Empty => "empty",
            Self::Local => "local",
            Self::Placeholder => "placeholder",
            Self::Malformed => "malformed",
            Self::Undecodable => "undecodable",
            Self::EncodingDeclaration => "encoding-declaration",
            Self::Fragment => "fragment",
            Self::Excluded => "excluded",
            Self::Unwritable => "unwritable",
            Self::TooDeep => "too-deep",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoBase => "no base URL known",
            Self::Empty => "empty value that refers to nothing",
            Self::Local => "part of this very document",
            Self::Placeholder => "placeholder of a template",
            Self::Malformed => "no URL, says the URL Standard's parser",
            Self::Undecodable => "bytes that are not text in the document's encoding",
            Self::EncodingDeclaration => "the document's encoding would be found to be another one",
            Self::Fragment => "fragment, to be kept",
            Self::Excluded => "excluded",
            Self::Unwritable => "the target would not be read there as it is",
            Self::TooDeep => "document in a document, too deep or too long to be read",
        })
    }
}

/// What to do with a link: the answer of the function given to
/// [`Rewriter::rewrite_with`](super::Rewriter::rewrite_with).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Writes the target, if the link has one.
    Resolve,
    /// Leaves the reference as it is.
    Keep,
    /// Writes this text instead of the reference.
    Replace(String),
    /// Takes away the attribute that holds the link, and with it the other links it holds. In the text of an element
    /// there is no attribute to take away: the reference stays, skipped as [`SkipReason::Unwritable`].
    Remove,
}

/// How many links of a document had which outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct LinkCounts {
    /// Those that were resolved.
    pub resolved: usize,
    /// Those that are absolute already, and stay.
    pub absolute: usize,
    /// Those that stay for another reason.
    pub skipped: usize,
}

impl LinkCounts {
    pub(super) fn of(links: &[LinkReport<'_>]) -> Self {
        let mut counts = Self::default();
        for link_report in links {
            match link_report.outcome {
                Outcome::Resolved(_) => counts.resolved += 1,
                Outcome::Absolute => counts.absolute += 1,
                Outcome::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }

    /// Counts the links behind those that are counted as skipped, of which only the skipped ones are left.
    pub(super) fn count_new(&mut self, links: &mut Vec<LinkReport<'_>>) {
        for index in self.skipped..links.len() {
            match links[index].outcome {
                Outcome::Resolved(_) => self.resolved += 1,
                Outcome::Absolute => self.absolute += 1,
                Outcome::Skipped(_) => {
                    links.swap(self.skipped, index);
                    self.skipped += 1;
                }
            }
        }
        links.truncate(self.skipped);
    }
}

/// What was found in a document: its base URL, and all its links in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Report<'d> {
    /// The base URL, and what became of every candidate, BASE elements that do not count among them.
    pub base: BaseReport,
    /// Every link, or with [`LinkDetail::SkippedOnly`](crate::LinkDetail::SkippedOnly) those that were skipped.
    pub links: Vec<LinkReport<'d>>,
    /// How many links there are, whichever are recorded.
    pub counts: LinkCounts,
    /// Why the document was not read at all, if it was not.
    pub unsupported: Option<Unsupported>,
    /// Why nothing was written, where something was to be: the document as a whole would not have read as it should.
    /// It comes back as it is, and every link that has a target is skipped for that reason.
    pub unwritten: Option<SkipReason>,
    /// How many tags were read, end tags and those of documents in attributes included; of a tree, the latter only.
    pub tags: usize,
    /// How many tags were left alone because the two ways in which every tag is read did not agree on them. None is
    /// known; should one turn up, it is a defect to report.
    pub mismatched_tags: usize,
    /// Why the fast reader did not read the document, if it was tried and did not; the result is the same.
    pub bail_out: Option<BailOut>,
    /// What else checking asks about; empty for a tree.
    pub(crate) remarks: Remarks,
}

/// What is no link and no base URL, and all the same worth a finding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Remarks {
    /// Every BASE element that has an `href`, in the order of the tree.
    pub(crate) bases: Vec<BaseElementReport>,
    /// Attributes that repeat the name of one that holds links, and so are not read; in order.
    pub(crate) repeats: Vec<Span>,
}

/// A BASE element that has an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseElementReport {
    /// The value of its `href`.
    pub(crate) value: String,
    /// Where it stands.
    pub(crate) place: TreeLocation,
    /// What became of it.
    pub(crate) status: CandidateStatus,
}

impl Report<'_> {
    /// The same, independent of the document.
    #[must_use]
    pub fn into_owned(self) -> Report<'static> {
        Report {
            base: self.base,
            links: self.links.into_iter().map(LinkReport::into_owned).collect(),
            counts: self.counts,
            unsupported: self.unsupported,
            unwritten: self.unwritten,
            tags: self.tags,
            mismatched_tags: self.mismatched_tags,
            bail_out: self.bail_out,
            remarks: self.remarks,
        }
    }
}
