//! Links: [`LinkReport`] is the record of one, [`ObservedLink`] what an observer receives, and [`LinkRow`] a row of a
//! table.
//!
//! A [`LinkReport`] owns its target and outlives the pass, and making it takes longer than finding the link. A caller
//! who only counts links, or writes them somewhere, does not need it. An [`ObservedLink`] borrows everything.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::outcome::{Outcome, SkipReason};
use crate::base::Base;
use crate::grammar::Grammar;
use crate::link::{Link, Role};
use crate::span::Span;

/// A link and the result of resolving it.
///
/// The [`Decision`](crate::Decision) of a caller is not recorded here.
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
    /// Whether the text of a [`Decision::Replace`](crate::Decision::Replace) is written in the place of the reference.
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

    /// Returns this link as a row of a table.
    #[must_use]
    pub fn row(&self) -> LinkRow<'_> {
        let (link, base) = (&self.link, self.base.as_deref());
        let texts = [&link.element, &link.attribute, &*link.reference];
        let facts = (link.grammar, link.role, link.span);
        LinkRow::new(texts, facts, (&self.outcome, self.target()), base)
    }

    /// Returns this link as an observer receives it; `start_tag` is in bytes of the document.
    pub(crate) fn observed(&self, start_tag: Option<Span>) -> ObservedLink<'_> {
        let link = &self.link;
        ObservedLink {
            element: Cow::Borrowed(&link.element),
            attribute: &link.attribute,
            grammar: link.grammar,
            role: link.role,
            reference: &link.reference,
            span: link.span,
            outcome: self.outcome.observed(),
            base: self.base.as_deref(),
            depth: self.depth,
            start_tag,
        }
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

/// A link as a row of a table. The names of the fields are those of the columns in every output.
///
/// With the feature `serde`, it is a record for JSON, CSV and other formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LinkRow<'r> {
    /// The offset of the reference as written, in bytes of the document.
    pub start: Option<usize>,
    /// The offset after it.
    pub end: Option<usize>,
    /// The local name of the element, with a prefix such as `svg:`.
    pub element: &'r str,
    /// The name of the attribute, or `#text`.
    pub attribute: &'r str,
    /// The syntax of the value that contains the reference.
    pub grammar: &'static str,
    /// The purpose of the link.
    pub role: &'static str,
    /// The reference, decoded.
    pub reference: &'r str,
    /// The target; `None` if the link is skipped.
    pub target: Option<&'r str>,
    /// The base URL that the reference resolves against; `None` if it is unknown.
    pub base: Option<&'r str>,
    /// The source of that base URL.
    pub base_source: Option<&'static str>,
    /// The outcome: `resolved`, `absolute` or `skipped`.
    pub status: &'static str,
    /// The reason why the link is skipped, if it is.
    pub reason: Option<&'static str>,
}

impl<'r> LinkRow<'r> {
    fn new<T>(
        [element, attribute, reference]: [&'r str; 3],
        (grammar, role, span): (Grammar, Role, Option<Span>),
        (outcome, target): (&Outcome<T>, Option<&'r str>),
        base: Option<&'r Base>,
    ) -> Self {
        Self {
            start: span.map(|span| span.start),
            end: span.map(|span| span.end),
            element,
            attribute,
            grammar: grammar.name(),
            role: role.name(),
            reference,
            target,
            base: base.map(|base| &*base.url),
            base_source: base.map(|base| base.source.name()),
            status: outcome.name(),
            reason: outcome.skip_reason().map(SkipReason::name),
        }
    }
}

/// A receiver of the links of a document, for [`Rewriter::observe`](crate::Rewriter::observe) and
/// [`Rewriter::rewrite_into`](crate::Rewriter::rewrite_into).
///
/// A closure that takes an [`ObservedLink`] is not enough, because reading may start over: the encoding turns out to be
/// another one, for example, or the document exceeds a [`Limit`](crate::Limit).
pub trait LinkObserver {
    /// Drops every link received so far. The document begins again, and its links may have other outcomes.
    ///
    /// Called before the first link, too.
    fn start_over(&mut self);

    /// Receives the next link, in document order.
    fn link(&mut self, link: &ObservedLink<'_>);
}

/// A link and the result of resolving it, borrowed from a document that is being read.
///
/// Most fields are those of [`Link`] and [`LinkReport`], which are documented there.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ObservedLink<'o> {
    /// The local name of the element, with the prefix `svg:` or `math:` where it applies.
    pub element: Cow<'o, str>,
    /// The name of the attribute, or `#text`.
    pub attribute: &'o str,
    /// The syntax of the value that contains the reference.
    pub grammar: Grammar,
    /// The purpose of the link.
    pub role: Role,
    /// The reference, decoded.
    pub reference: &'o str,
    /// The location of the reference as written, in bytes of the document.
    pub span: Option<Span>,
    /// The result of resolving the reference.
    pub outcome: Outcome<TargetParts<'o>>,
    /// The base URL that the reference resolves against.
    pub base: Option<&'o Base>,
    /// The number of nested documents around the link.
    pub depth: usize,
    /// The start tag of the element, in bytes of the document: from there, more of the element can be read. In
    /// ISO-2022-JP, an escape sequence right before it is included, and an incomplete character before that.
    ///
    /// `None` for these links, whose element has no tag of its own in the document:
    ///
    /// * of a style sheet in a file of its own, and of a JSON Feed;
    /// * in a document in an attribute (`srcdoc`), and in the markup of a conditional comment;
    /// * in HTML in an XML document, unless it is one CDATA section that is all of the content of its element.
    pub start_tag: Option<Span>,
}

impl ObservedLink<'_> {
    /// Returns this link as a row of a table. A resolved target replaces the text in `target`, which the row borrows.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, LinkObserver, ObservedLink, Rewriter};
    ///
    /// #[derive(Default)]
    /// struct Lines {
    ///     lines: String,
    ///     target: String,
    /// }
    ///
    /// impl LinkObserver for Lines {
    ///     fn start_over(&mut self) {
    ///         self.lines.clear();
    ///     }
    ///
    ///     fn link(&mut self, link: &ObservedLink<'_>) {
    ///         let row = link.row(&mut self.target);
    ///         let target = row.target.unwrap_or("nowhere");
    ///         self.lines += &format!("{}: {target}\n", row.element);
    ///     }
    /// }
    ///
    /// let document = Document::new(b"<a href=x>x</a> <img src=y>").retrieved_from("http://h/");
    /// let mut lines = Lines::default();
    /// Rewriter::new().observe(&document, &mut lines);
    /// assert_eq!(lines.lines, "a: http://h/x\nimg: http://h/y\n");
    /// ```
    pub fn row<'r>(&'r self, target: &'r mut String) -> LinkRow<'r> {
        let target = match &self.outcome {
            Outcome::Resolved(parts) => {
                target.clear();
                target.push_str(parts.prefix);
                target.push_str(&parts.suffix);
                Some(&**target)
            }
            Outcome::Absolute => Some(self.reference),
            Outcome::Skipped(_) => None,
        };
        let texts = [&self.element, self.attribute, self.reference];
        let facts = (self.grammar, self.role, self.span);
        LinkRow::new(texts, facts, (&self.outcome, target), self.base)
    }
}

impl Outcome {
    /// Returns this outcome as an observer receives it.
    pub(crate) fn observed(&self) -> Outcome<TargetParts<'_>> {
        match self {
            Self::Resolved(target) => Outcome::Resolved(TargetParts {
                prefix: target,
                suffix: Cow::Borrowed(""),
            }),
            Self::Absolute => Outcome::Absolute,
            Self::Skipped(reason) => Outcome::Skipped(*reason),
        }
    }
}

/// A target in two parts, so that it need not be assembled. Its [`Display`](fmt::Display) writes both.
///
/// For most links the prefix is part of the base URL, and the suffix is the end of the reference.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetParts<'o> {
    /// The first part.
    pub prefix: &'o str,
    /// The rest; may be empty.
    pub suffix: Cow<'o, str>,
}

impl TargetParts<'_> {
    /// Returns the target in one piece, borrowed if one of the parts is empty.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match (self.prefix, &*self.suffix) {
            (prefix, "") => Cow::Borrowed(prefix),
            ("", suffix) => Cow::Borrowed(suffix),
            (prefix, suffix) => {
                // `concat` takes about twice as long for two short parts.
                let mut text = String::with_capacity(prefix.len() + suffix.len());
                text.push_str(prefix);
                text.push_str(suffix);
                Cow::Owned(text)
            }
        }
    }
}

impl fmt::Display for TargetParts<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.prefix)?;
        formatter.write_str(&self.suffix)
    }
}
