//! Rewriting: every link of a document is resolved against the document's base URL.
//!
//! There is no failure: a link that cannot be resolved stays as it is, and says why.

mod bases;
mod document;
mod edit;
mod excerpt;
mod list_sinks;
mod options;
mod pass;
mod report;
mod resolve;
mod segment;
mod simple;
mod single_pass;
mod sink;
mod stream;
mod tree;
mod value;
mod visitor;
mod whole_document;

use std::borrow::Cow;

pub use document::{Document, Position};
pub use excerpt::Excerpt;
use options::Mapping;
pub use options::{
    AbsoluteReferences, BaseElementPolicy, BaseScope, FragmentPolicy, LinkDetail, OutputForm,
};
pub(crate) use report::BaseElementReport;
pub use report::{Decision, LinkCounts, LinkReport, Outcome, Report, SkipReason};
pub use stream::{BufferedReason, SkippedCount, StreamError, StreamReport};
use value::Decider;

use crate::base::{Base, BaseCandidates};
use crate::html::Reader;
use crate::html::tree::Tree;
use crate::link::{Link, Selection};
use crate::reference::{Escape, Placeholders, Profile};
use crate::splice::Edit;

/// How documents are rewritten: one value for any number of documents, on any number of threads.
///
/// # Examples
/// ```
/// use absolve::{Document, Rewriter};
///
/// let rewriter = Rewriter::new();
/// let document = Document::new(b"<A HREF = g>g</A>").retrieved_from("http://a/b/c");
/// assert_eq!(&*rewriter.rewrite(&document).bytes, b"<A HREF = http://a/b/g>g</A>");
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Rewriter {
    profile: Profile,
    base_scope: Option<BaseScope>,
    escape: Escape,
    form: OutputForm,
    absolute: AbsoluteReferences,
    fragments: FragmentPolicy,
    base_element: BaseElementPolicy,
    selection: Selection,
    placeholders: Placeholders,
    mappings: Vec<Mapping>,
    reader: Reader,
    link_detail: LinkDetail,
    window: Option<usize>,
}

/// A document, rewritten.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rewritten<'d> {
    /// The document: borrowed if nothing was changed.
    pub bytes: Cow<'d, [u8]>,
    /// What was changed, in bytes of the original document, in order and disjoint; empty with [`LinkDetail::SkippedOnly`].
    pub edits: Vec<Edit>,
    /// How many edits there were.
    pub edited: usize,
    /// The base URL and the links, as they were.
    pub report: Report<'d>,
}

/// A document, rewritten into memory of the caller's.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RewriteSummary<'d> {
    /// What was changed, as in [`Rewritten::edits`].
    pub edits: Vec<Edit>,
    /// How many edits there were; if there were none, what was appended is the document as it was.
    pub edited: usize,
    /// The base URL and the links, as they were.
    pub report: Report<'d>,
}

impl<'d> Rewritten<'d> {
    /// Appends the document to `output`.
    fn append_to(self, output: &mut Vec<u8>) -> RewriteSummary<'d> {
        output.extend_from_slice(&self.bytes);
        RewriteSummary {
            edits: self.edits,
            edited: self.edited,
            report: self.report,
        }
    }

    /// The base URL of the document.
    #[must_use]
    pub fn base(&self) -> Option<&Base> {
        self.report.base.base.as_ref()
    }

    /// Keeps of the links those that were skipped, and no edits.
    fn keep_skipped(&mut self) {
        let is_skipped =
            |link_report: &LinkReport<'_>| matches!(link_report.outcome, Outcome::Skipped(_));
        self.report.links.retain(is_skipped);
        self.edits = Vec::new();
    }

    /// The links that could not be resolved, each with its reason; whatever was decided about them.
    pub fn skipped(&self) -> impl Iterator<Item = &LinkReport<'d>> {
        self.report
            .links
            .iter()
            .filter(|link_report| matches!(link_report.outcome, Outcome::Skipped(_)))
    }
}

/// Every link of `document`, in document order.
///
/// # Examples
/// ```
/// let links = absolve::links(b"<img src=a.png><a href='b'>b</a>");
/// assert_eq!(links[1].reference, "b");
/// assert_eq!(links[1].span, Some(absolve::Span::new(24, 25)));
/// ```
#[must_use]
pub fn links(document: &[u8]) -> Vec<Link<'_>> {
    let report = Rewriter::new().links(&Document::new(document));
    report
        .links
        .into_iter()
        .map(|link_report| link_report.link)
        .collect()
}

impl Rewriter {
    /// Makes every link of `document` absolute and changes no other byte, in whatever encoding it is.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10. What is a link in a document is for the HTML standard's parser to say, scripting
    /// off.
    ///
    /// # Complexity
    /// Linear in the size of the document and of the targets, but for what html5ever takes for certain deep trees.
    #[must_use]
    pub fn rewrite<'d>(&self, document: &Document<'d>) -> Rewritten<'d> {
        match self.link_detail {
            LinkDetail::All => whole_document::rewrite(self, document, Decider::Resolve),
            LinkDetail::SkippedOnly => single_pass::rewrite(self, document),
        }
    }

    /// As [`rewrite`](Self::rewrite), with the document appended to `output`, whether anything in it was changed or not.
    ///
    /// For those who rewrite one document after the other: memory that is used again costs less than new memory, and of a
    /// long document new memory costs as much as rewriting it.
    ///
    /// # Complexity
    /// As [`rewrite`](Self::rewrite). With [`LinkDetail::SkippedOnly`] and no BASE put in, most documents are written into `output` as
    /// they are read; others are rewritten by themselves, and copied.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, LinkDetail, Rewriter};
    ///
    /// let rewriter = Rewriter::new().link_detail(LinkDetail::SkippedOnly);
    /// let mut output = Vec::new();
    /// for (name, html) in [("a", "<a href=x>x</a>"), ("b", "<img src=y>")] {
    ///     output.clear();
    ///     let url = format!("http://h/{name}/");
    ///     let document = Document::new(html.as_bytes()).retrieved_from(&url);
    ///     let appended = rewriter.rewrite_into(&document, &mut output);
    ///     assert_eq!(appended.edited, 1);
    /// }
    /// assert_eq!(output, b"<img src=http://h/b/y>");
    /// ```
    pub fn rewrite_into<'d>(
        &self,
        document: &Document<'d>,
        output: &mut Vec<u8>,
    ) -> RewriteSummary<'d> {
        match self.link_detail {
            LinkDetail::All => {
                whole_document::rewrite(self, document, Decider::Resolve).append_to(output)
            }
            LinkDetail::SkippedOnly => single_pass::rewrite_into(self, document, output),
        }
    }

    /// The base URL and all the links of `document`; otherwise as [`rewrite`](Self::rewrite).
    #[must_use]
    pub fn links<'d>(&self, document: &Document<'d>) -> Report<'d> {
        single_pass::links(self, document)
    }

    /// As [`rewrite`](Self::rewrite), with `decide` asked about every link, in document order, before it is written.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Decision, Document, Rewriter};
    ///
    /// let document = Document::new(b"<a href=a>a</a><a href=b>b</a>").retrieved_from("http://h/");
    /// let rewritten = Rewriter::new().rewrite_with(&document, |link_report| match &*link_report.link.reference {
    ///     "a" => Decision::Replace("x&y".to_owned()),
    ///     _ => Decision::Resolve,
    /// });
    /// assert_eq!(&*rewritten.bytes, b"<a href=x&amp;y>a</a><a href=http://h/b>b</a>");
    /// ```
    pub fn rewrite_with<'d>(
        &self,
        document: &Document<'d>,
        mut decide: impl FnMut(&LinkReport<'_>) -> Decision,
    ) -> Rewritten<'d> {
        let mut rewritten = whole_document::rewrite(self, document, Decider::Ask(&mut decide));
        if self.link_detail == LinkDetail::SkippedOnly {
            rewritten.keep_skipped();
        }
        rewritten
    }

    /// The profile that decides.
    pub(crate) fn chosen_profile(&self) -> Profile {
        self.profile
    }

    /// Whether `text` holds a template's placeholder.
    pub(crate) fn finds_placeholder(&self, text: &str) -> bool {
        self.placeholders.are_in(text)
    }

    /// Makes every link of `tree` absolute, in place.
    ///
    /// `candidates` are the base URLs known from outside the document; BASE in HEAD is found in the tree. For people
    /// who hold a tree; [`rewrite`](Self::rewrite) does not damage the document as serialising a tree does.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10.
    ///
    /// # Complexity
    /// Linear in the size of the tree and of the values written.
    ///
    /// # Examples
    /// ```
    /// use absolve::{BaseCandidates, BaseSource, Rewriter, Tree};
    ///
    /// let tree = Tree::parse("<title>x</title><a href=g>g</a>");
    /// let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "http://a/b/c");
    /// Rewriter::new().rewrite_tree(&tree, &candidates);
    /// assert!(tree.serialize().contains(r#"<a href="http://a/b/g">"#));
    /// ```
    pub fn rewrite_tree(&self, tree: &Tree, candidates: &BaseCandidates<'_>) -> Report<'static> {
        self.rewrite_tree_with(tree, candidates, |_| Decision::Resolve)
    }

    /// The base URL and the links of `tree`, which stays as it is; otherwise as [`rewrite_tree`](Self::rewrite_tree).
    #[must_use]
    pub fn links_of_tree(&self, tree: &Tree, candidates: &BaseCandidates<'_>) -> Report<'static> {
        self.rewrite_tree_with(tree, candidates, |_| Decision::Keep)
    }

    /// As [`rewrite_tree`](Self::rewrite_tree), with `decide` asked about every link before it is written.
    pub fn rewrite_tree_with(
        &self,
        tree: &Tree,
        candidates: &BaseCandidates<'_>,
        mut decide: impl FnMut(&LinkReport<'_>) -> Decision,
    ) -> Report<'static> {
        tree::rewrite(self, tree, candidates, Decider::Ask(&mut decide))
    }
}
