//! Rewriting: resolves every link of a document against the document's base URL and splices the targets in.
//!
//! Rewriting a document cannot fail. A document that cannot be parsed is returned unchanged with a reason
//! ([`Report::unsupported`]); a link that cannot be resolved or written is left unchanged with a
//! [`SkipReason`](crate::SkipReason).
//!
//! # Steps
//!
//! 1. [`Document`] holds the input and detects its encoding. A [`source_text`] is the text that is scanned: the
//!    document itself if it is valid UTF-8, otherwise a *skeleton*, in which non-ASCII bytes are masked, or a decoded
//!    copy.
//! 2. [`pass`] drives one document. The reader of its kind ([`token_source`]), in HTML the scanner (`html::scan`) or
//!    html5ever (`html::tap`), turns the text into tokens, one segment after another. The first segment covers HEAD,
//!    and the scanner bails out at a later BASE, so [`crate::outcome`] can determine the base URLs before the first
//!    link is resolved.
//! 3. A [`visitor`] iterates the tags of a segment ([`markup`]), and the link table (`crate::link`) determines which
//!    attributes are links. A value takes one of two paths: the simple path ([`simple`]) if it need not be decoded, or
//!    the general path ([`value`]), which splits the decoded value into references.
//! 4. [`crate::outcome`] determines the outcome of each reference, and maps an edit of a value to an edit of the text.
//! 5. A [`sink`] receives the links and edits: it splices the edits into the output as they arrive, or collects them.
//!    An [`observer`] of a caller may receive the links, too.
//! 6. [`verify`] checks that a reader of the output will get the intended text. Otherwise the document is returned
//!    unchanged ([`Report::unwritten`]).
//!
//! # Drivers
//!
//! | driver | text | tokens | sink |
//! |---|---|---|---|
//! | [`in_memory`] | all of a document, in place or decoded | a [`pass`] | one for the document |
//! | [`chunk`], for `crate::stream` | a chunk of a document, in place | of the chunk | one for each chunk |
//! | `tree` | each value of a parsed tree | nodes of the tree | the tree itself |
//!
//! Nested documents (`srcdoc`) and conditional comments are segments of their own, collected by the same visitor. The
//! first two drivers determine the same outcomes and the same output for a document, which the tests compare. They
//! differ in what they record. `tree` applies the same rules to the elements of a tree.
//!
//! [`base_element`] inserts and removes BASE.
//!
//! # Giving up
//!
//! A value that is not simple takes the general path in the same pass. Every other obstacle ends a pass or a stream
//! with a [`Fallback`]. The output so far is discarded, and [`in_memory`] repeats the pass in another encoding, or with
//! a decoded text and a sink that collects. A stream buffers the document and rewrites it in memory. A document that
//! cannot be decoded or parsed is left unchanged ([`Report::unsupported`]).

mod base_element;
mod budget;
pub(crate) mod chunk;
mod element_rules;
mod element_text;
mod embedded;
mod fallback;
mod in_memory;
mod link_lifetime;
mod markup;
mod observer;
mod pass;
mod simple;
mod simple_link;
mod sink;
#[cfg(test)]
mod sink_example;
mod source_text;
mod token_source;
#[cfg(feature = "rcdom")]
pub(crate) mod tree;
mod value;
mod verify;
mod visitor;

pub use element_text::{ElementText, ElementTexts};
pub(crate) use fallback::Fallback;

use std::borrow::Cow;

use budget::LinkBudget;

use crate::document::Document;
use crate::html::tap::WorkLimits;
use crate::html::{Parsed, Reader};
use crate::markup::tokens::Tokens;
use crate::outcome::report::Decider;
use crate::outcome::{
    BesideLink, Decision, LinkDetail, LinkObserver, LinkReport, Report, RewriteSummary, Rewriter,
    Rewritten,
};
use crate::reference::Profile;
use crate::unsupported::Unsupported;
use crate::xml::ReadOptions;

/// Returns `html` with every link made absolute; `url` is where it was retrieved from.
///
/// Borrowed if no link changes. A `BASE` in `html` takes precedence over `url`. If neither is an absolute URL, relative
/// links remain. A [`Rewriter`] has settings, reads other encodings, and reports the links that it leaves unchanged.
///
/// # Examples
/// ```
/// let html = absolve::make_absolute("<a href=../x>x</a>", "http://h/a/b");
/// assert_eq!(html, "<a href=http://h/x>x</a>");
/// ```
#[must_use]
pub fn make_absolute<'h>(html: &'h str, url: &str) -> Cow<'h, str> {
    let document = Document::new(html.as_bytes()).encoding("utf-8");
    match Rewriter::new().rewrite(&document.retrieved_from(url)).bytes {
        Cow::Borrowed(_) => Cow::Borrowed(html),
        // Text that is spliced into UTF-8 is UTF-8. If it were not, the document would be its own answer.
        Cow::Owned(bytes) => String::from_utf8(bytes).map_or(Cow::Borrowed(html), Cow::Owned),
    }
}

impl Rewriter {
    /// Makes every link of `document` absolute and changes no other byte, in any encoding.
    ///
    /// A link that cannot be resolved is left unchanged and reported with a [`SkipReason`](crate::SkipReason). Other
    /// links are counted; [`links`](Self::links) lists them, and [`link_detail`](Self::link_detail) has them recorded.
    ///
    /// # Source
    /// RFC 1808 sections 3, 4 and 10. The tags are those that the tokenizer of the HTML standard emits with scripting
    /// enabled, also where the tree builder ignores the tag. The text of NOSCRIPT is read as a fragment of its own: its
    /// links count, and its BASE does not.
    ///
    /// # Complexity
    /// Linear in the size of the document and of the targets: the work of html5ever is limited.
    #[must_use]
    pub fn rewrite<'d>(&self, document: &Document<'d>) -> Rewritten<'d> {
        match self.link_detail {
            // The sink that writes while scanning records skipped links only.
            LinkDetail::All => in_memory::collect(self, document, Decider::Resolve),
            LinkDetail::SkippedOnly | LinkDetail::Edits => self.rewrite_recording_skipped(document),
        }
    }

    /// Rewrites like [`rewrite`](Self::rewrite), but without the links that are not skipped, whatever the
    /// [`LinkDetail`].
    pub(crate) fn rewrite_recording_skipped<'d>(&self, document: &Document<'d>) -> Rewritten<'d> {
        in_memory::rewrite(self, document)
    }

    /// Rewrites like [`rewrite`](Self::rewrite), but appends the document to `output`, changed or not. If there is an
    /// `observer`, it receives every link, and the report has none.
    ///
    /// Reusing one buffer for many documents avoids an allocation for each, which for a long document costs about as
    /// much as rewriting it. An observer is the fastest way to rewrite a document and to know its links. If it turns
    /// out at the end that the document cannot be written, the links are passed again.
    ///
    /// # Complexity
    /// That of [`rewrite`](Self::rewrite). With an observer or without [`LinkDetail::All`], most documents are written
    /// to `output` while they are scanned. Other documents are rewritten in a separate buffer and copied; with
    /// [`BaseElementPolicy::Insert`](crate::BaseElementPolicy::Insert), all are.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new();
    /// let mut output = Vec::new();
    /// for (name, html) in [("a", "<a href=x>x</a>"), ("b", "<img src=y>")] {
    ///     output.clear();
    ///     let url = format!("http://h/{name}/");
    ///     let document = Document::new(html.as_bytes()).retrieved_from(&url);
    ///     let summary = rewriter.rewrite_into(&document, &mut output, None);
    ///     assert_eq!(summary.edited, 1);
    /// }
    /// assert_eq!(output, b"<img src=http://h/b/y>");
    /// ```
    pub fn rewrite_into<'d>(
        &self,
        document: &Document<'d>,
        output: &mut Vec<u8>,
        observer: Option<&mut dyn LinkObserver>,
    ) -> RewriteSummary<'d> {
        match (observer, self.link_detail) {
            (Some(observer), _) => in_memory::rewrite_observed(self, document, output, observer),
            (None, LinkDetail::All) => {
                in_memory::collect(self, document, Decider::Resolve).append_to(output)
            }
            (None, LinkDetail::SkippedOnly | LinkDetail::Edits) => {
                in_memory::rewrite_into(self, document, output)
            }
        }
    }

    /// Returns the base URL and all links of `document`, whatever the [`LinkDetail`].
    ///
    /// The outcomes are those of [`rewrite`](Self::rewrite), but nothing is written. A link whose target cannot be
    /// written may therefore be [resolved](crate::Outcome::Resolved) here and skipped there.
    #[must_use]
    pub fn links<'d>(&self, document: &Document<'d>) -> Report<'d> {
        in_memory::links(self, document)
    }

    /// Passes every link of `document` to `observer`.
    ///
    /// Returns the report that [`links`](Self::links) returns, but without links. Faster than a list, and takes no
    /// memory for the links.
    ///
    /// # Complexity
    /// Linear in the size of the document and of the targets. Most documents are not copied.
    ///
    /// # Examples
    /// ```
    /// use std::collections::BTreeSet;
    ///
    /// use absolve::{Document, LinkObserver, ObservedLink, Outcome, Rewriter};
    ///
    /// #[derive(Default)]
    /// struct Targets(BTreeSet<String>);
    ///
    /// impl LinkObserver for Targets {
    ///     fn start_over(&mut self) {
    ///         self.0.clear();
    ///     }
    ///
    ///     fn link(&mut self, link: &ObservedLink<'_>) {
    ///         if let Outcome::Resolved(target) = &link.outcome {
    ///             self.0.insert(target.to_string());
    ///         }
    ///     }
    /// }
    ///
    /// let document = Document::new(b"<a href=x>x</a> <img src=y>").retrieved_from("http://h/");
    /// let mut targets = Targets::default();
    /// Rewriter::new().observe(&document, &mut targets);
    /// assert_eq!(targets.0.len(), 2);
    /// assert!(targets.0.contains("http://h/x"));
    /// ```
    pub fn observe<'d>(
        &self,
        document: &Document<'d>,
        observer: &mut dyn LinkObserver,
    ) -> Report<'d> {
        in_memory::observe_links(self, document, observer)
    }

    /// Rewrites like [`rewrite`](Self::rewrite), but calls `decide` for every link, in document order.
    ///
    /// `decide` receives the link with its outcome before anything is written, and determines what is written.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Decision, Document, Rewriter};
    ///
    /// let document = Document::new(b"<a href=a>a</a><a href=b>b</a>").retrieved_from("http://h/");
    /// let rewritten = Rewriter::new().rewrite_with(&document, |report| match &*report.link.reference {
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
        self.rewrite_beside(document, |link_report, beside| match beside {
            None => decide(link_report),
            Some(_) => Decision::Keep,
        })
    }

    /// Rewrites like [`rewrite_with`](Self::rewrite_with), but also calls `decide` for the attributes that
    /// [`beside`](Self::beside) names, after the link in the `href` or `src` of their element.
    ///
    /// [`Decision::Replace`] and [`Decision::Remove`] edit such an attribute; every other decision keeps it.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Decision, Document, Rewriter};
    ///
    /// let document = Document::new(b"<script integrity='sha256-x' src=a.js></script>").retrieved_from("http://h/");
    /// let rewriter = Rewriter::new().beside(&["integrity"]);
    /// let rewritten = rewriter.rewrite_beside(&document, |_, beside| match beside {
    ///     Some(_) => Decision::Remove,
    ///     None => Decision::Resolve,
    /// });
    /// assert_eq!(&*rewritten.bytes, b"<script  src=http://h/a.js></script>");
    /// ```
    pub fn rewrite_beside<'d>(
        &self,
        document: &Document<'d>,
        mut decide: impl FnMut(&LinkReport<'_>, Option<BesideLink<'_>>) -> Decision,
    ) -> Rewritten<'d> {
        let rewritten = in_memory::collect(self, document, Decider::Ask(&mut decide));
        match self.link_detail {
            LinkDetail::All => rewritten,
            LinkDetail::SkippedOnly | LinkDetail::Edits => rewritten.with_skipped_only(self),
        }
    }

    /// Returns the length in bytes that all targets of `document` may have together.
    ///
    /// [`Limit::Growth`](crate::Limit::Growth) determines it.
    #[must_use]
    pub fn max_growth(&self, document: &Document<'_>) -> usize {
        LinkBudget::new(&self.limits, document.bytes.len(), document.placement).target_bytes()
    }

    /// Parses `text` as an HTML document, keeping the attributes that the selection of links needs, at
    /// most `max_kept`. Spends the steps of html5ever.
    ///
    /// # Errors
    /// [`Unsupported::LimitExceeded`].
    fn parse<'t>(
        &self,
        reader: Reader,
        text: &'t str,
        max_kept: usize,
        budget: &mut LinkBudget,
    ) -> Result<Parsed<'t>, Unsupported> {
        let mut limits = WorkLimits::new(&self.limits, budget.steps, max_kept);
        let parsed = reader.read(text, self.selection.names(), &mut limits);
        budget.steps = limits.steps();
        parsed
    }

    /// Reads `text` as the text of a NOSCRIPT element, keeping the attributes that the selection of links needs. Spends
    /// the steps of html5ever.
    ///
    /// # Errors
    /// [`Unsupported::LimitExceeded`].
    fn parse_noscript<'t>(
        &self,
        text: &'t str,
        budget: &mut LinkBudget,
    ) -> Result<Tokens<'t>, Unsupported> {
        let mut limits = WorkLimits::new(&self.limits, budget.steps, usize::MAX);
        let names = self.selection.names();
        let tokens = self.reader.read_noscript(text, names, &mut limits);
        budget.steps = limits.steps();
        tokens
    }

    /// Returns the settings of the reader of XML.
    fn xml_options(&self) -> ReadOptions<'_> {
        ReadOptions {
            names: self.selection.names(),
            // DIFFERENCE: browsers do not implement XML Base. See `xml_base_has_no_effect_in_browsers`.
            honors_xml_base: self.profile != Profile::Whatwg,
            is_lenient: self.is_lenient(),
        }
    }

    /// Returns the profile; [`profile`](Self::profile) is its setter.
    pub(crate) fn chosen_profile(&self) -> Profile {
        self.profile
    }

    /// Returns whether `text` contains a template placeholder.
    pub(crate) fn contains_placeholder(&self, text: &str) -> bool {
        self.placeholders.are_contained_in(text)
    }
}
