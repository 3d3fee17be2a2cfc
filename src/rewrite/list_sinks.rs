//! The links of a document as a list, without anything else being made of them.

use std::borrow::Cow;
use std::sync::Arc;

use super::edit::TextEdit;
use super::report::{LinkReport, Outcome};
use super::segment::{NeedsSlowPath, Segment, SkeletonSource};
use super::simple::SimpleReference;
use super::sink::{Sink, ValueSite};
use super::value::{Decider, element_name};
use crate::base::Base;
use crate::find::{self, Block, ByteSet};
use crate::grammar::{Grammar, single};
use crate::html::charref;
use crate::link::{Link, LinkRow, LinkRule, RowLookup, Selected, TEXT};
use crate::span::Span;

/// Lists all links of a document, whose text lives as long as it does.
#[derive(Default)]
pub(super) struct LinkListSink<'d> {
    pub(super) links: Vec<LinkReport<'d>>,
    /// What plain links resolve against.
    base: Option<Arc<Base>>,
}

impl<'d> Sink<'d> for LinkListSink<'d> {
    type Checkpoint = usize;

    fn decide<'w>(&self) -> Decider<'w> {
        Decider::Keep
    }

    fn begin(&mut self, base: Option<&Arc<Base>>) {
        self.links.clear();
        self.base = base.cloned();
    }

    fn checkpoint(&self) -> usize {
        self.links.len()
    }

    fn rollback(&mut self, length: usize) {
        self.links.truncate(length);
    }

    #[inline]
    fn simple(
        &mut self,
        place: &ValueSite<'_, 'd>,
        text: &str,
        simple: &SimpleReference<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        if let SimpleReference::None = simple {
            return place.is_alone().then_some(());
        }
        let listed = SimpleLink::of(place, text, simple)?;
        let tag = place.element.tag;
        let span = outer(listed.span)?;
        let attribute = place.attribute.map(|attribute| &attribute.name);
        let names = (
            element_name(tag.namespace, &tag.name),
            attribute.map_or(Cow::Borrowed(TEXT), Cow::clone),
        );
        let reference = listed.decoded(&place.element.text[span.start..span.end]);
        let span = place.element.site.span(span)?;
        self.links
            .push(listed.link_report(names, reference, span, self.base.as_ref()));
        Some(())
    }

    fn other_links(
        &mut self,
        _: &Segment<'_, 'd>,
        links: &mut Vec<LinkReport<'d>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsSlowPath> {
        self.links.append(links);
        edits.clear();
        Ok(())
    }

    fn edited(&self) -> usize {
        0
    }
}

/// The same where the text is a masked one.
pub(super) struct SkeletonListSink<'d> {
    list: LinkListSink<'d>,
    /// What the text was made of.
    masked: SkeletonSource<'d>,
}

impl<'d> SkeletonListSink<'d> {
    pub(super) fn new(masked: SkeletonSource<'d>) -> Self {
        Self {
            list: LinkListSink::default(),
            masked,
        }
    }

    pub(super) fn links(self) -> Vec<LinkReport<'d>> {
        self.list.links
    }

    /// What stands at `span`, where character references are decoded as `listed` says.
    fn reference(&self, span: Span, listed: &SimpleLink) -> Option<Cow<'d, str>> {
        let bytes = &self.masked.bytes[span.start..span.end];
        if bytes.is_ascii() {
            return Some(listed.decoded(str::from_utf8(bytes).ok()?));
        }
        // Where a character has several bytes, what is around them may matter.
        self.masked.encoding.is_single_byte().then(|| {
            let decoded = self.masked.decoded(span);
            Cow::Owned(listed.decoded(&decoded.text).into_owned())
        })
    }
}

impl<'t> Sink<'t> for SkeletonListSink<'_> {
    type Checkpoint = usize;

    fn decide<'w>(&self) -> Decider<'w> {
        Decider::Keep
    }

    fn begin(&mut self, base: Option<&Arc<Base>>) {
        self.list.begin(base);
    }

    fn checkpoint(&self) -> usize {
        self.list.checkpoint()
    }

    fn rollback(&mut self, length: usize) {
        self.list.rollback(length);
    }

    fn simple(
        &mut self,
        place: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        if let SimpleReference::None = simple {
            return place.is_alone().then_some(());
        }
        let listed = SimpleLink::of(place, text, simple)?;
        let tag = place.element.tag;
        let span = outer(listed.span)?;
        let (element, attribute) = listed.row.names();
        let element = match element {
            Some(element) => element_name(tag.namespace, &Cow::Borrowed(element)),
            None => Cow::Owned(element_name(tag.namespace, &tag.name).into_owned()),
        };
        let names = (element, Cow::Borrowed(attribute));
        let reference = self.reference(span, &listed)?;
        let span = place.element.site.span(span)?;
        let LinkListSink { links, base } = &mut self.list;
        links.push(listed.link_report(names, reference, span, base.as_ref()));
        Some(())
    }

    fn other_links(
        &mut self,
        _: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsSlowPath> {
        for link_report in links.drain(..) {
            self.list.links.push(link_report.into_owned());
        }
        edits.clear();
        Ok(())
    }

    fn edited(&self) -> usize {
        0
    }
}

/// A plain reference that is to be listed.
pub(super) struct SimpleLink {
    /// Where it stands in the text.
    pub(super) span: Span,
    row: LinkRow,
    rule: LinkRule,
    pub(super) outcome: Outcome,
    /// Whether it is known to stand for itself; otherwise there are ampersands in it, or character references of them.
    pub(super) is_decoded: bool,
}

/// What begins all that may not stand for itself in a value.
struct EscapeIntroducers;

impl ByteSet for EscapeIntroducers {
    #[inline]
    fn matches(block: Block) -> Block {
        let ends = block.equal(b'\r').or(block.equal(b'\0'));
        ends.or(block.equal(b'&'))
    }
}

impl SimpleLink {
    /// What is `simple` in `text`; `None` if that is nothing, or there is more to be said of it.
    #[inline]
    pub(super) fn of(
        place: &ValueSite<'_, '_>,
        text: &str,
        simple: &SimpleReference<'_>,
    ) -> Option<Self> {
        let (span, target) = match simple {
            SimpleReference::None => return None,
            SimpleReference::Absolute(span) => (*span, None),
            SimpleReference::Resolved(span, target) => (*span, Some(target)),
        };
        if !place.is_alone() {
            return None;
        }
        let RowLookup::Link(row) = place.found else {
            return None;
        };
        let raw = &text[span.start..span.end];
        // White space in quotes of CSS is no part of it.
        if row.grammar() != Grammar::Url && single(raw).len() < raw.len() {
            return None;
        }
        // There is nothing to decode in the text of an element, but what makes a reference no plain one.
        let is_decoded =
            place.attribute.is_none() || !find::contains_any::<EscapeIntroducers>(raw.as_bytes());
        if !is_decoded && !charref::only_amp_references(raw) {
            return None;
        }
        let outcome = match target {
            None => Outcome::Absolute,
            Some(target) => {
                let tail = decoded(target.suffix, is_decoded);
                let mut whole = String::with_capacity(target.prefix.len() + tail.len());
                whole.push_str(target.prefix);
                whole.push_str(&tail);
                Outcome::Resolved(whole)
            }
        };
        let Selected { rule, .. } = row.selected(&|name| place.element.value_of(name));
        Some(Self {
            span,
            row,
            rule,
            outcome,
            is_decoded,
        })
    }

    /// The link, with the names of its element and its attribute; in no document in an attribute. Its `reference` stands at
    /// `span` of the document, and it resolves against `base`.
    #[inline]
    pub(super) fn link_report<'d>(
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

    /// The reference that `raw` is.
    pub(super) fn decoded<'r>(&self, raw: &'r str) -> Cow<'r, str> {
        decoded(raw, self.is_decoded)
    }
}

/// What `raw`, which is part of a value, stands for; itself, if it `is_decoded`.
fn decoded(raw: &str, is_decoded: bool) -> Cow<'_, str> {
    if is_decoded {
        Cow::Borrowed(raw)
    } else {
        charref::decode(raw, 0).text
    }
}
