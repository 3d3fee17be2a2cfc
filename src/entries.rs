//! The functions that read documents: [`make_absolute`], and the methods of [`Rewriter`] beside its settings.

use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};

use crate::check::{self, CheckReport, Violation};
use crate::document::Document;
use crate::record::{LinkCounts, LinkObserver, LinkReport, Report, RewriteSummary, Rewritten};
use crate::rewrite::budget::LinkBudget;
use crate::rewrite::{BesideLink, Decider, Decision, header_links, in_memory};
use crate::settings::{LinkDetail, Rewriter};
use crate::stream::{self, StreamError, StreamReport};

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
        match self.settings.link_detail {
            // The sink that writes while scanning records skipped links only.
            LinkDetail::All => {
                in_memory::rewrite_collecting(&self.settings, document, Decider::Resolve)
            }
            LinkDetail::SkippedOnly | LinkDetail::Edits => {
                in_memory::rewrite(&self.settings, document)
            }
        }
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
    /// [`BaseElementPolicy::Insert`](crate::BaseElementPolicy::Insert) or [`insert`](Self::insert), all are.
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
        match (observer, self.settings.link_detail) {
            (None, LinkDetail::All) => {
                in_memory::rewrite_collecting(&self.settings, document, Decider::Resolve)
                    .append_to(output)
            }
            (observer, _) => in_memory::rewrite_into(&self.settings, document, output, observer),
        }
    }

    /// Returns the base URL and all links of `document`, whatever the [`LinkDetail`].
    ///
    /// The outcomes are those of [`rewrite`](Self::rewrite), but nothing is written. A link whose target cannot be
    /// written may therefore be [resolved](crate::Outcome::Resolved) here and skipped there.
    #[must_use]
    pub fn links<'d>(&self, document: &Document<'d>) -> Report<'d> {
        let mut report = in_memory::links(&self.settings, document);
        let header_links = header_links(&self.settings, document);
        report.counts += LinkCounts::of(&header_links);
        report.links.extend(header_links);
        report
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
        let mut report = in_memory::observe_links(&self.settings, document, observer);
        let header_links = header_links(&self.settings, document);
        report.counts += LinkCounts::of(&header_links);
        for link_report in header_links {
            observer.link(&link_report.observed(None));
        }
        report
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
    /// [`beside`](Self::beside) names, after the link in the `href` or `src` of their element. With `integrity`, these
    /// include the metadata of an import map, each after its URL.
    ///
    /// [`Decision::Replace`] and [`Decision::Remove`] edit such an attribute; every other decision keeps it. Metadata
    /// that is removed becomes empty.
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
        let rewritten =
            in_memory::rewrite_collecting(&self.settings, document, Decider::Ask(&mut decide));
        match self.settings.link_detail {
            LinkDetail::All => rewritten,
            LinkDetail::SkippedOnly | LinkDetail::Edits => {
                rewritten.with_skipped_only(&self.settings)
            }
        }
    }

    /// Returns the length in bytes that all targets of `document` may have together.
    ///
    /// [`Limit::Growth`](crate::Limit::Growth) determines it.
    #[must_use]
    pub fn max_growth(&self, document: &Document<'_>) -> usize {
        LinkBudget::new(
            &self.settings.limits,
            document.bytes.len(),
            document.placement,
        )
        .target_bytes()
    }

    /// Rewrites a document while it is read, with the same output as [`rewrite`](Self::rewrite).
    ///
    /// The bytes of `document` are the beginning of the document and may be empty; `rest` is the remainder. The
    /// document is streamed in bounded memory under certain conditions. The most important ones are:
    ///
    /// * its byte order mark, the transport or its first 1024 bytes declare its encoding, other than UTF-16 and
    ///   ISO-2022-JP;
    /// * its base URL is known at the end of HEAD: BASE is in HEAD, or has no effect elsewhere;
    /// * the scanner does not [bail out](crate::BailOut).
    ///
    /// For a document that declares no encoding and can be read twice,
    /// [`is_undeclared_utf8`](stream::is_undeclared_utf8) may find it.
    ///
    /// Otherwise it is buffered in memory as a whole, and [`StreamReport::buffered`] is the reason;
    /// [`BufferedReason`](stream::BufferedReason) lists every case. Because this may happen late, everything that was
    /// read is copied to a spool, such as a temporary file, that `spool` creates. A document that is shorter than one
    /// chunk of 512 KiB is always buffered and needs no spool.
    ///
    /// A document of more than a gigabyte, which [`rewrite`](Self::rewrite) [cannot
    /// parse](crate::Unsupported::TooLong), can be streamed.
    ///
    /// # Errors
    /// Returns a [`StreamError`] if the input cannot be read, the output cannot be written, or the document must be
    /// buffered and the spool fails or the document is too long for that.
    ///
    /// # Complexity
    /// That of [`rewrite`](Self::rewrite). Takes memory for a chunk, for HEAD, and for the longest tag, comment or text
    /// of an element such as SCRIPT. A document that is buffered takes memory for all of it.
    ///
    /// # Examples
    /// ```
    /// use std::io::Cursor;
    ///
    /// use absolve::{Document, Rewriter};
    ///
    /// let document = Document::new(b"").retrieved_from("http://a/b/c").encoding("utf-8");
    /// let input = &b"<a href=g>g</a>"[..];
    /// let spool = || Ok(Cursor::new(Vec::new()));
    /// let mut output = Vec::new();
    /// Rewriter::new().rewrite_stream(&document, input, spool, &mut output)?;
    /// assert_eq!(output, b"<a href=http://a/b/g>g</a>");
    /// # Ok::<(), absolve::stream::StreamError>(())
    /// ```
    pub fn rewrite_stream<S: Read + Write + Seek>(
        &self,
        document: &Document<'_>,
        rest: impl Read,
        spool: impl FnOnce() -> io::Result<S>,
        output: impl Write,
    ) -> Result<StreamReport, StreamError> {
        stream::rewrite(&self.settings, document, rest, spool, output)
    }

    /// Reports problems with the base URL and the references of `document`; see [`Rule`](check::Rule).
    ///
    /// `examine` may find another problem in a link, such as a [target](LinkReport::target) that is known not to exist.
    /// It is called for each link that leads somewhere, in document order, unless a problem with the reference itself
    /// was found.
    ///
    /// The settings of the rewriter determine which links are checked, and its profile how they resolve. Settings that
    /// affect only the output have no effect.
    ///
    /// A comment `absolve-ignore` with names of rules suppresses their findings in its last line and the one after
    /// that, and `absolve-ignore-file` those in the document. Without names, it suppresses those of all rules. Comments
    /// are written `<!-- -->` or `/* */`.
    ///
    /// # Complexity
    /// That of [`links`](Self::links), and of the calls.
    ///
    /// # Examples
    /// ```
    /// use absolve::check::Rule;
    /// use absolve::{Document, Rewriter, Span};
    ///
    /// let document = Document::new(b"<a href=../../g>g</a>").retrieved_from("http://a/b/c");
    /// let checked = Rewriter::new().check(&document, |_| None);
    /// assert_eq!(checked.findings[0].rule, Rule::DotsAboveRoot);
    /// assert_eq!(checked.findings[0].span, Some(Span::new(8, 15)));
    /// ```
    #[must_use]
    pub fn check(
        &self,
        document: &Document<'_>,
        examine: impl FnMut(&LinkReport<'_>) -> Option<Violation>,
    ) -> CheckReport {
        check::check(&self.settings, document, examine)
    }
}
