//! Links as an observer receives them: without a record of each.
//!
//! A [`LinkReport`] owns its target and outlives the pass, and making it takes longer than finding the link. A caller
//! who only counts links, or writes them somewhere, does not need it. An [`ObservedLink`] borrows everything.

use std::borrow::Cow;
use std::fmt;

use super::report::{LinkReport, Outcome};
use crate::base::Base;
use crate::grammar::Grammar;
use crate::link::Role;
use crate::span::Span;

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
/// Most fields are those of [`Link`](crate::Link) and [`LinkReport`], which are documented there.
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

impl LinkReport<'_> {
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
