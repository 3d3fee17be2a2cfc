//! Sinks for a [`LinkObserver`], which receives the links of a document as they are found, without a record of each.
//!
//! [`ObservingSink`] passes each link to the observer, and then to another sink: one that splices, or [`LinkCounts`].
//! An observer cannot be rolled back, so the links of a list or a CDATA section are held until they are committed. It
//! starts over whenever a pass does.

use std::borrow::Cow;

use super::decision::Decider;
use super::fallback::Fallback;
use super::link_lifetime::Retain;
use super::pass::{Pass, PassSummary};
use super::simple::SimpleReference;
use super::simple_link::SimpleLink;
use super::sink::{Collected, Sink};
use super::source_text::{Segment, SourceText, ValueSite};
use super::value_owner::element_name;
use crate::markup::tokens::StartTag;
use crate::record::{LinkCounts, LinkReport, Outcome};
use crate::record::{LinkObserver, ObservedLink};
use crate::span::Span;

/// A way to run a pass: with an observer, or without one.
///
/// These are two types and not an `Option`, so that a program that observes no links has no [`ObservingSink`] in it.
pub(super) trait Runner {
    /// Runs `pass` as [`Pass::run`] does, on the text of a source.
    ///
    /// # Errors
    /// Those of [`Pass::run`]. An observer may have received some links.
    fn run<'t, S: Sink<'t>>(
        &mut self,
        pass: &Pass<'_, '_>,
        text: (&'t str, &SourceText<'t>),
        decider: Decider<'_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback>;
}

/// A runner without an observer.
pub(super) struct Unobserved;

impl Runner for Unobserved {
    fn run<'t, S: Sink<'t>>(
        &mut self,
        pass: &Pass<'_, '_>,
        (text, source): (&'t str, &SourceText<'t>),
        decider: Decider<'_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        pass.run(text, source, decider, sink)
    }
}

/// With an observer, which receives all links.
pub(super) struct Observed<'o>(pub(super) &'o mut dyn LinkObserver);

impl Runner for Observed<'_> {
    fn run<'t, S: Sink<'t>>(
        &mut self,
        pass: &Pass<'_, '_>,
        (text, source): (&'t str, &SourceText<'t>),
        decider: Decider<'_>,
        sink: &mut S,
    ) -> Result<PassSummary, Fallback> {
        let retain = match source.skeleton() {
            None => Retain::borrowing(text),
            Some(skeleton) => Retain::borrowing_masked(text, skeleton),
        };
        let mut observing = ObservingSink {
            sink,
            observer: self.0,
            retain,
            held: Vec::new(),
            checkpoints: 0,
        };
        pass.run(text, source, decider, &mut observing)
    }
}

/// An observer that keeps the start tags of links, in bytes of the document.
#[derive(Default)]
pub(super) struct StartTags(pub(super) Vec<Option<Span>>);

impl LinkObserver for StartTags {
    fn start_over(&mut self) {
        self.0.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        self.0.push(link.start_tag);
    }
}

/// A sink that passes links to an observer, and then to another sink.
struct ObservingSink<'o, 't, S> {
    sink: &'o mut S,
    observer: &'o mut dyn LinkObserver,
    retain: Retain<'t, 't>,
    /// The links since the first checkpoint that was not committed, and the start tags of their elements, in bytes of
    /// the document.
    held: Vec<(LinkReport<'t>, Option<Span>)>,
    /// The number of checkpoints that were neither committed nor rolled back.
    checkpoints: usize,
}

impl<'t, S: Sink<'t>> Sink<'t> for ObservingSink<'_, 't, S> {
    /// The checkpoint of the other sink, and the number of links held.
    type Checkpoint = (S::Checkpoint, usize);

    fn begin(&mut self) {
        self.held.clear();
        self.checkpoints = 0;
        self.observer.start_over();
        self.sink.begin();
    }

    fn checkpoint(&mut self) -> Self::Checkpoint {
        self.checkpoints += 1;
        (self.sink.checkpoint(), self.held.len())
    }

    fn rollback(&mut self, (checkpoint, held): Self::Checkpoint) {
        self.checkpoints -= 1;
        self.held.truncate(held);
        self.sink.rollback(checkpoint);
    }

    fn commit(&mut self) {
        self.sink.commit();
        self.checkpoints -= 1;
        if self.checkpoints == 0 {
            for (link_report, start_tag) in self.held.drain(..) {
                self.observer.link(&link_report.observed(start_tag));
            }
        }
    }

    #[inline]
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        if let SimpleReference::NoReference = simple {
            return self.sink.push_simple(site, text, simple, to_segment);
        }
        let Some(link) = SimpleLink::of(site, text, simple, &to_segment, &self.retain) else {
            return false;
        };
        // The general path passes the link if this one does not.
        if !self.sink.push_simple(site, text, simple, to_segment) {
            return false;
        }
        let (tag, segment) = (site.element.tag, site.element.segment);
        let start_tag = segment.span_mapper.source_span(tag.span);
        if self.checkpoints > 0 {
            let outcome = link.outcome();
            self.held.push((link.into_report(site, outcome), start_tag));
            return true;
        }
        let element = Cow::Borrowed(link.element.unwrap_or(&tag.name));
        self.observer.link(&ObservedLink {
            element: element_name(tag.namespace, &element),
            attribute: link.attribute,
            grammar: link.rule.grammar,
            role: link.rule.role,
            reference: &link.reference,
            span: Some(link.span),
            outcome: link.target().map_or(Outcome::Absolute, Outcome::Resolved),
            base: segment.base.map(|base| &**base),
            depth: segment.depth,
            start_tag,
        });
        true
    }

    fn push(
        &mut self,
        segment: &Segment<'_, 't>,
        tag: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        let start_tag = tag.and_then(|tag| segment.span_mapper.source_span(tag.span));
        for link_report in &collected.links {
            // The tags of a document in an attribute are not in the text of the segment.
            let start_tag = start_tag.filter(|_| link_report.depth == segment.depth);
            if self.checkpoints > 0 {
                self.held.push((link_report.clone(), start_tag));
            } else {
                self.observer.link(&link_report.observed(start_tag));
            }
        }
        self.sink.push(segment, tag, collected)
    }

    fn edit_count(&self) -> usize {
        self.sink.edit_count()
    }
}

/// Counts links, and records and writes nothing.
impl<'t> Sink<'t> for LinkCounts {
    type Checkpoint = Self;

    fn begin(&mut self) {
        *self = Self::default();
    }

    fn checkpoint(&mut self) -> Self {
        *self
    }

    fn rollback(&mut self, counts: Self) {
        *self = counts;
    }

    #[inline]
    fn push_simple(
        &mut self,
        _: &ValueSite<'_, 't>,
        _: &str,
        simple: &SimpleReference<'_>,
        _: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        match simple {
            SimpleReference::NoReference => {}
            SimpleReference::Absolute(_) => self.absolute += 1,
            SimpleReference::Resolved(..) => self.resolved += 1,
        }
        true
    }

    fn push(
        &mut self,
        _: &Segment<'_, 't>,
        _: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        for link_report in collected.links.drain(..) {
            self.add(&link_report.outcome);
        }
        collected.edits.clear();
        Ok(())
    }

    /// Returns 0: nothing is edited.
    fn edit_count(&self) -> usize {
        0
    }
}
