//! [`SimpleLink`]: the link of a simple reference, in parts that are not copied.
//!
//! A sink that records links needs more about a simple reference than one that only writes it: the reference decoded,
//! its span in the document, and the names and the role of the link. Sinks that record make their own form of this.

use std::borrow::Cow;

use super::link_lifetime::{Retain, Spelling};
use super::simple::SimpleReference;
use super::source_text::{ValueSite, has_only_amp_references};
use super::value_owner::element_name;
use crate::find::{self, Block};
use crate::grammar::{Grammar, single};
use crate::link::{Link, LinkRule, RowLookup};
use crate::markup::tokens::Syntax;
use crate::record::TargetParts;
use crate::record::{LinkReport, Outcome};
use crate::span::Span;

/// The link of a simple reference.
pub(super) struct SimpleLink<'p, 'r> {
    /// The local name of the element; `None` if the row of the link table is for every element.
    pub(super) element: Option<&'static str>,
    pub(super) attribute: &'static str,
    pub(super) rule: LinkRule,
    /// The reference, decoded.
    pub(super) reference: Cow<'r, str>,
    /// The reference, in bytes of the document.
    pub(super) span: Span,
    /// The reference, in bytes of the text that it was found in.
    pub(super) written: Span,
    /// The prefix of the target, and the number of bytes of `reference` that it replaces; `None` for an absolute
    /// reference, which is kept.
    resolved: Option<(&'p str, usize)>,
    /// Whether the reference is all of its value, and is written without character references.
    pub(super) is_literal_value: bool,
}

impl<'p, 'r> SimpleLink<'p, 'r> {
    /// Returns the link of `simple`, a reference in `text`, which `retain` makes one of the report.
    ///
    /// `to_segment` maps a span of `text` to the text of the segment. Returns `None` if only the general path can
    /// record the link:
    ///
    /// * There is no reference.
    /// * The attribute has duplicates, or the row has a condition.
    /// * White space surrounds the reference, or it contains a character reference other than `&amp;`.
    /// * The reference contains white space of an attribute of XML, which is normalized.
    /// * The text is a skeleton, and the reference cannot be decoded alone.
    /// * The link has no source span.
    #[inline]
    pub(super) fn of<'t>(
        site: &ValueSite<'_, 't>,
        text: &'p str,
        simple: &SimpleReference<'p>,
        to_segment: impl Fn(Span) -> Option<Span>,
        retain: &Retain<'t, 'r>,
    ) -> Option<Self> {
        let (written, target) = match simple {
            SimpleReference::NoReference => return None,
            SimpleReference::Absolute(span) => (*span, None),
            SimpleReference::Resolved(span, target) => (*span, Some(target)),
        };
        let RowLookup::Link(row) = site.lookup else {
            return None;
        };
        let raw = &text[written.start..written.end];
        let is_url = row.rule.grammar == Grammar::Url;
        // White space in the quotes of a CSS string is not part of the reference. A `Url` value is trimmed already.
        if !site.is_unique() || (!is_url && single(raw).len() < raw.len()) {
            return None;
        }
        // The attributes of XML have other rules for white space and U+0000.
        let syntax = site.element.segment.tokens.syntax;
        let is_control = |byte: u8| matches!(byte, b'\0' | b'\t' | b'\n' | b'\r');
        if syntax == Syntax::Xml && site.attribute.is_some() && raw.bytes().any(is_control) {
            return None;
        }
        // Text is literal in any case: it has no character references, and its simple references contain no control
        // characters.
        let has_references =
            site.attribute.is_some() && find::contains_any(raw.as_bytes(), may_be_decoded);
        let spelling = if has_references {
            Spelling::AmpReferences
        } else {
            Spelling::Literal
        };
        // A resolved reference has passed this test already.
        if has_references && target.is_none() && !has_only_amp_references(syntax, raw) {
            return None;
        }
        let segment = site.element.segment;
        let span = to_segment(written)?;
        let source_span = segment.span_mapper.source_span(span)?;
        let reference = retain.reference(segment.text, span, spelling)?;
        // A row of the table is never excluded: with exclusions, the lookup yields no row.
        let rule = row.rule_for_element(&|name| site.element.value_of(name));
        // The names in the table are those in the document, because the row was found by them, and they are static.
        let (element, attribute) = row.names();
        Some(Self {
            element,
            attribute,
            rule,
            reference,
            span: source_span,
            written,
            // Only dot segments are replaced, and they decode to themselves.
            resolved: target.map(|target| (target.prefix, target.replaced(written).len())),
            is_literal_value: is_url && !has_references,
        })
    }
}

impl<'r> SimpleLink<'_, 'r> {
    /// Returns the target; `None` for an absolute reference, which is kept.
    #[inline]
    pub(super) fn target(&self) -> Option<TargetParts<'_>> {
        let (prefix, replaced) = self.resolved?;
        let suffix = Cow::Borrowed(&self.reference[replaced..]);
        Some(TargetParts { prefix, suffix })
    }

    /// Returns the outcome, with a target that is assembled.
    pub(super) fn outcome(&self) -> Outcome {
        match self.target() {
            None => Outcome::Absolute,
            Some(target) => Outcome::Resolved(target.to_text().into_owned()),
        }
    }

    /// Returns the record of the link, which is at `site`, with its [`outcome`](Self::outcome).
    #[inline]
    pub(super) fn into_report(self, site: &ValueSite<'_, '_>, outcome: Outcome) -> LinkReport<'r> {
        let (tag, segment) = (site.element.tag, site.element.segment);
        // The name of any element is a copy, because the text may be dropped before the report.
        let copy = || Cow::Owned(tag.name.to_string());
        let element = self.element.map_or_else(copy, Cow::Borrowed);
        LinkReport {
            link: Link {
                element: element_name(tag.namespace, &element),
                attribute: Cow::Borrowed(self.attribute),
                grammar: self.rule.grammar,
                role: self.rule.role,
                reference: self.reference,
                span: Some(self.span),
            },
            outcome,
            base: segment.base.cloned(),
            depth: segment.depth,
            is_replaced: false,
        }
    }
}

/// The bytes that the decoding of an attribute value may change: U+000D, U+0000 and `&`.
#[inline]
fn may_be_decoded(block: Block) -> Block {
    let controls = block.equal(b'\r').or(block.equal(b'\0'));
    controls.or(block.equal(b'&'))
}
