//! Sinks that list the links of a document and write nothing.
//!
//! A list lives as long as the document. If the text is exact, it is part of the document, and [`LinkListSink`] borrows
//! names and references from it.
//!
//! A skeleton is temporary and masked, so [`SkeletonListSink`] cannot borrow from it:
//!
//! * The names of element and attribute come from the row of the link table, whose strings are static, so that a link
//!   needs no allocation for them. They are the names in the document, because the row was found by them. A wildcard
//!   row has no element name. The name is then copied from the tag, where it contains no mask
//!   ([`Segment::check_masked_names`]).
//! * The reference is decoded from the bytes of the document, as far as that is possible without the bytes around it
//!   (`SkeletonListSink::reference`). It is borrowed if it is ASCII.
//!
//! Links that are not simple come with their own names and references, and are copied if they come from a skeleton.
//!
//! [`SimpleLink`] turns a simple reference into a [`LinkReport`] for both sinks, and for [`super::visitor`].

use std::borrow::Cow;
use std::sync::Arc;

use super::edit::TextEdit;
use super::report::{LinkReport, Outcome};
use super::segment::{NeedsWholeDocument, Segment, SkeletonSource};
use super::simple::SimpleReference;
use super::sink::{Sink, ValueSite};
use super::value::{Decider, element_name};
use crate::base::Base;
use crate::find::{self, Block, ByteSet};
use crate::grammar::{Grammar, single};
use crate::html::charref;
use crate::link::{Link, LinkRow, LinkRule, RowLookup, SelectedRule, TEXT};
use crate::span::Span;

/// A sink that lists all links of a document whose exact text lives for `'d`.
#[derive(Default)]
pub(super) struct LinkListSink<'d> {
    pub(super) links: Vec<LinkReport<'d>>,
    /// The base URL of simple links.
    base: Option<Arc<Base>>,
}

impl<'d> Sink<'d> for LinkListSink<'d> {
    /// The number of links.
    type Checkpoint = usize;

    fn decider<'w>(&self) -> Decider<'w> {
        Decider::Keep
    }

    fn begin(&mut self, base: Option<&Arc<Base>>) {
        self.links.clear();
        self.base = base.cloned();
    }

    fn checkpoint(&self) -> usize {
        self.links.len()
    }

    fn rollback(&mut self, link_count: usize) {
        self.links.truncate(link_count);
    }

    #[inline]
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 'd>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        if let SimpleReference::NoReference = simple {
            // The list also reports duplicate attributes, which only the general path finds.
            return site.is_unique().then_some(());
        }
        let simple_link = SimpleLink::new(site, text, simple)?;
        let tag = site.element.tag;
        let span = to_segment(simple_link.span)?;
        let attribute = site.attribute.map(|attribute| &attribute.name);
        let names = (
            element_name(tag.namespace, &tag.name),
            attribute.map_or(Cow::Borrowed(TEXT), Cow::clone),
        );
        // Borrowed from the element's text, which lives for `'d`; `text` may not.
        let reference = simple_link.decode(&site.element.text[span.start..span.end]);
        let span = site.element.span_mapper.source_span(span)?;
        self.links
            .push(simple_link.into_report(names, reference, span, self.base.as_ref()));
        Some(())
    }

    fn push_collected(
        &mut self,
        _: &Segment<'_, 'd>,
        links: &mut Vec<LinkReport<'d>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsWholeDocument> {
        self.links.append(links);
        edits.clear();
        Ok(())
    }

    /// Returns 0: nothing is edited.
    fn edit_count(&self) -> usize {
        0
    }
}

/// A sink that lists all links of a document that is scanned as a skeleton.
pub(super) struct SkeletonListSink<'d> {
    list: LinkListSink<'d>,
    /// The document without its BOM.
    source: SkeletonSource<'d>,
}

impl<'d> SkeletonListSink<'d> {
    /// Creates a sink for the skeleton of `source`.
    pub(super) fn new(source: SkeletonSource<'d>) -> Self {
        Self {
            list: LinkListSink::default(),
            source,
        }
    }

    /// Returns the links.
    pub(super) fn links(self) -> Vec<LinkReport<'d>> {
        self.list.links
    }

    /// Returns the reference at `span` of the document without its BOM, decoded as `simple_link` requires.
    ///
    /// Returns `None` if it contains non-ASCII bytes and the encoding is not a single-byte encoding.
    fn reference(&self, span: Span, simple_link: &SimpleLink) -> Option<Cow<'d, str>> {
        let bytes = &self.source.bytes[span.start..span.end];
        if bytes.is_ascii() {
            return Some(simple_link.decode(str::from_utf8(bytes).ok()?));
        }
        // If a character may have several bytes, decoding may depend on the bytes around the span.
        self.source.encoding.is_single_byte().then(|| {
            let decoded = self.source.decoded(span);
            Cow::Owned(simple_link.decode(&decoded.text).into_owned())
        })
    }
}

impl<'t> Sink<'t> for SkeletonListSink<'_> {
    /// The number of links.
    type Checkpoint = usize;

    fn decider<'w>(&self) -> Decider<'w> {
        Decider::Keep
    }

    fn begin(&mut self, base: Option<&Arc<Base>>) {
        self.list.begin(base);
    }

    fn checkpoint(&self) -> usize {
        self.list.checkpoint()
    }

    fn rollback(&mut self, link_count: usize) {
        self.list.rollback(link_count);
    }

    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        if let SimpleReference::NoReference = simple {
            return site.is_unique().then_some(());
        }
        let simple_link = SimpleLink::new(site, text, simple)?;
        let tag = site.element.tag;
        let span = to_segment(simple_link.span)?;
        // The skeleton does not live for `'d`, but the names in the table are static. Only a wildcard row, which has no
        // element name, needs a copy.
        let (element, attribute) = simple_link.row.names();
        let element = match element {
            Some(element) => element_name(tag.namespace, &Cow::Borrowed(element)),
            None => Cow::Owned(element_name(tag.namespace, &tag.name).into_owned()),
        };
        let names = (element, Cow::Borrowed(attribute));
        let reference = self.reference(span, &simple_link)?;
        let span = site.element.span_mapper.source_span(span)?;
        let LinkListSink { links, base } = &mut self.list;
        links.push(simple_link.into_report(names, reference, span, base.as_ref()));
        Some(())
    }

    fn push_collected(
        &mut self,
        _: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsWholeDocument> {
        // These borrow from the skeleton.
        for link_report in links.drain(..) {
            self.list.links.push(link_report.into_owned());
        }
        edits.clear();
        Ok(())
    }

    /// Returns 0: nothing is edited.
    fn edit_count(&self) -> usize {
        0
    }
}

/// A simple reference with everything that a [`LinkReport`] needs except names and document offsets.
pub(super) struct SimpleLink {
    /// The reference, in bytes of the text it was found in.
    pub(super) span: Span,
    row: LinkRow,
    rule: LinkRule,
    pub(super) outcome: Outcome,
    /// Whether the reference is literal. If not, it contains `&` (bare or as `&amp;`), U+000D or U+0000.
    pub(super) is_literal: bool,
}

/// The bytes that the decoding of an attribute value may change: U+000D, U+0000 and `&`.
struct DecodedBytes;

impl ByteSet for DecodedBytes {
    #[inline]
    fn matches(block: Block) -> Block {
        let controls = block.equal(b'\r').or(block.equal(b'\0'));
        controls.or(block.equal(b'&'))
    }
}

impl SimpleLink {
    /// Creates the link of `simple`, a reference of `text`.
    ///
    /// Returns `None` if there is no link, or if the report needs the general path. It does if the attribute has
    /// duplicates, if the row has a condition, if white space surrounds the reference, or if the reference contains a
    /// character reference other than `&amp;`.
    #[inline]
    pub(super) fn new(
        site: &ValueSite<'_, '_>,
        text: &str,
        simple: &SimpleReference<'_>,
    ) -> Option<Self> {
        let (span, target) = match simple {
            SimpleReference::NoReference => return None,
            SimpleReference::Absolute(span) => (*span, None),
            SimpleReference::Resolved(span, target) => (*span, Some(target)),
        };
        if !site.is_unique() {
            return None;
        }
        let RowLookup::Link(row) = site.lookup else {
            return None;
        };
        let raw = &text[span.start..span.end];
        // White space in the quotes of a CSS string is not part of the reference. A `Url` value is trimmed already.
        if row.grammar() != Grammar::Url && single(raw).len() < raw.len() {
            return None;
        }
        // Only attributes get here, because every row for a text has a condition, and so its lookup is never `Link`.
        // Raw text would be literal in any case: it has no character references, and its simple references contain no
        // control characters.
        let is_literal =
            site.attribute.is_none() || !find::contains_any::<DecodedBytes>(raw.as_bytes());
        // Only an absolute reference can fail here: a resolved one has passed the same test.
        if !is_literal && !charref::only_amp_references(raw) {
            return None;
        }
        let outcome = match target {
            None => Outcome::Absolute,
            Some(target) => {
                let suffix = if is_literal {
                    Cow::Borrowed(target.suffix)
                } else {
                    charref::decode(target.suffix, 0).text
                };
                let mut whole = String::with_capacity(target.prefix.len() + suffix.len());
                whole.push_str(target.prefix);
                whole.push_str(&suffix);
                Outcome::Resolved(whole)
            }
        };
        // A row of the table is never excluded: with exclusions, the lookup yields no row.
        let SelectedRule { rule, .. } = row.selected(&|name| site.element.value_of(name));
        Some(Self {
            span,
            row,
            rule,
            outcome,
            is_literal,
        })
    }

    /// Returns the report of the link, for a document that is not nested in an attribute.
    ///
    /// `reference` is at `span` of the document and resolves against `base`.
    #[inline]
    pub(super) fn into_report<'d>(
        self,
        (element, attribute): (Cow<'d, str>, Cow<'d, str>),
        reference: Cow<'d, str>,
        span: Span,
        base: Option<&Arc<Base>>,
    ) -> LinkReport<'d> {
        let link = Link {
            element,
            attribute,
            grammar: self.rule.grammar,
            role: self.rule.role,
            reference,
            span: Some(span),
        };
        LinkReport {
            link,
            outcome: self.outcome,
            base: base.cloned(),
            depth: 0,
        }
    }

    /// Decodes the character references of `raw`, which must be the reference as written.
    pub(super) fn decode<'r>(&self, raw: &'r str) -> Cow<'r, str> {
        if self.is_literal {
            Cow::Borrowed(raw)
        } else {
            charref::decode(raw, 0).text
        }
    }
}
