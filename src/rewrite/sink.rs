//! [`Sink`]: receives the links and edits of a document. [`SpliceSink`] writes, [`CollectSink`] collects.
//!
//! # Push contract
//!
//! [`LinkVisitor::visit_segment`](super::visitor::LinkVisitor::visit_segment) pushes links and edits to a sink. One
//! document is one sequence of calls:
//!
//! 1. [`begin`](Sink::begin) before the first link. A driver that starts over (the scanner bailed out) calls it again,
//!    and the sink must drop everything it received before. One with a new sink that never starts over may omit it.
//! 2. [`push_simple`](Sink::push_simple) and [`push`](Sink::push) for each link, in document order. A value is pushed
//!    by one of the two, never by both.
//! 3. No call marks the end. The driver takes the result out of the sink.
//!
//! [`checkpoint`](Sink::checkpoint) and [`rollback`](Sink::rollback) bracket the references of a list such as
//! `srcset`: they are pushed as they are found, and if one of them is not simple, all of them are taken back. Otherwise
//! [`commit`](Sink::commit) follows. They also bracket the markup in a CDATA section, in which there may be lists.
//!
//! # Errors
//!
//! [`push_simple`](Sink::push_simple) returns `false` if it cannot represent the link. The sink is unchanged then, and
//! the visitor pushes the link again, through the general path and [`push`](Sink::push). An error of the latter ends
//! the pass. The sink then contains part of a document, and the driver must discard it, with the bytes that a
//! [`SpliceSink`] may already have appended to its output.
//!
//! # Lifetimes
//!
//! Links borrow from the text, which lives for `'t`. The text may be temporary (a skeleton, a decoded copy), while the
//! report lives for `'r`, as long as the document. So both sinks have a [`Retain`], which makes a link of the text one
//! of the report.

use super::decision::Decider;
use super::edit::{TextEdit, reference_edit};
use super::fallback::Fallback;
use super::link_lifetime::Retain;
use super::simple::SimpleReference;
use super::simple_link::SimpleLink;
use super::source_text::{Segment, ValueSite};
use crate::grammar::{NonAscii, Notation, ReferenceToken};
use crate::markup::tokens::StartTag;
use crate::record::{LinkCounts, LinkReport, Outcome};
use crate::span::Span;
use crate::splice::{Splicer, SplicerCheckpoint};

/// Links in document order, and edits of the text they were found in.
#[derive(Default)]
pub(super) struct Collected<'t> {
    pub(super) links: Vec<LinkReport<'t>>,
    pub(super) edits: Vec<TextEdit>,
}

/// A receiver of the links and edits of a document whose text lives for `'t`.
///
/// The module documentation describes the order of calls.
pub(super) trait Sink<'t> {
    /// A position that the sink can be rolled back to.
    type Checkpoint;

    /// Begins a document, or the same one again, and drops everything received before.
    fn begin(&mut self);

    /// Reserves memory for `links` more links, a guess. A sink that records few of them needs none.
    fn reserve(&mut self, links: usize) {
        let _ = links;
    }

    /// Returns the current position. Either [`rollback`](Self::rollback) or [`commit`](Self::commit) follows.
    fn checkpoint(&mut self) -> Self::Checkpoint;

    /// Drops everything received since `checkpoint`, which must be the last one.
    fn rollback(&mut self, checkpoint: Self::Checkpoint);

    /// Keeps everything received since the last checkpoint. A sink that can be rolled back at any time does nothing.
    fn commit(&mut self) {}

    /// Records a simple reference of `text` and returns `true`.
    ///
    /// `to_segment` maps a span of `text` to the text of the segment; the two differ if a masked value was decoded.
    /// Returns `false` and records nothing if the link must take the general path.
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool;

    /// Records the links of the general path and their edits, and drains both lists.
    ///
    /// They are those of the element with the start tag `tag`, and of documents in its attributes and its text. It is
    /// `None` if they are of no element: those of a comment, those of a document without markup, an inserted BASE.
    ///
    /// # Errors
    /// An edit cannot be applied in this order or in the document's encoding. The driver must discard the sink.
    fn push(
        &mut self,
        segment: &Segment<'_, 't>,
        tag: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback>;

    /// Returns the number of edits recorded so far.
    fn edit_count(&self) -> usize;
}

/// A sink that writes the document with its links resolved.
///
/// Resolved and absolute links are counted; only skipped links are recorded.
pub(super) struct SpliceSink<'s, 'o, 't, 'r> {
    pub(super) splicer: Splicer<'s, 'o>,
    /// The state of the splicer before the first edit.
    empty: SplicerCheckpoint,
    retain: Retain<'t, 'r>,
    pub(super) skipped: Vec<LinkReport<'r>>,
    pub(super) counts: LinkCounts,
}

impl<'s, 'o, 't, 'r> SpliceSink<'s, 'o, 't, 'r> {
    /// Creates a sink that writes to `splicer`, which must not have been written to.
    pub(super) fn new(splicer: Splicer<'s, 'o>, retain: Retain<'t, 'r>) -> Self {
        Self {
            empty: splicer.checkpoint(),
            splicer,
            retain,
            skipped: Vec::new(),
            counts: LinkCounts::default(),
        }
    }
}

impl<'t> Sink<'t> for SpliceSink<'_, '_, 't, '_> {
    /// The numbers are those of the skipped links, and of all links.
    type Checkpoint = (SplicerCheckpoint, usize, LinkCounts);

    fn begin(&mut self) {
        // Also truncates the output, to which an abandoned attempt may have appended.
        self.splicer.rollback(self.empty);
        self.skipped.clear();
        self.counts = LinkCounts::default();
    }

    fn checkpoint(&mut self) -> Self::Checkpoint {
        (self.splicer.checkpoint(), self.skipped.len(), self.counts)
    }

    fn rollback(&mut self, (splicer, skipped, counts): Self::Checkpoint) {
        self.splicer.rollback(splicer);
        self.skipped.truncate(skipped);
        self.counts = counts;
    }

    /// Writes the prefix of the target, or counts an absolute reference.
    ///
    /// Safe in every ASCII-compatible encoding: the new prefix and the kept suffix are ASCII, and the byte before
    /// them is a delimiter that is never a trail byte. So no check like [`Segment::can_write`] is needed.
    #[inline]
    fn push_simple(
        &mut self,
        _: &ValueSite<'_, 't>,
        _: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        match simple {
            SimpleReference::NoReference => true,
            SimpleReference::Absolute(_) => {
                self.counts.absolute += 1;
                true
            }
            SimpleReference::Resolved(span, target) => {
                let Some(replaced) = to_segment(target.replaced(*span)) else {
                    return false;
                };
                let is_in_order = self.splicer.replace(replaced, target.prefix.as_bytes());
                // The general path counts the link if it is pushed again.
                self.counts.resolved += usize::from(is_in_order);
                is_in_order
            }
        }
    }

    fn push(
        &mut self,
        segment: &Segment<'_, 't>,
        _: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        for link_report in collected.links.drain(..) {
            self.counts.add(&link_report.outcome);
            if link_report.skip_reason().is_some() {
                self.skipped.push((self.retain.link)(link_report));
            }
        }
        for edit in collected.edits.drain(..) {
            if !segment.can_write(&edit) {
                return Err(Fallback::Collect);
            }
            // Duplicates of a removed attribute may come after later attributes that were already edited.
            if !self.splicer.replace(edit.span, edit.replacement.as_bytes()) {
                return Err(Fallback::Collect);
            }
        }
        Ok(())
    }

    fn edit_count(&self) -> usize {
        self.splicer.count()
    }
}

/// A sink that collects all links of a document and, unless they are only to be listed, their edits.
pub(super) struct CollectSink<'t, 'r> {
    collected: Collected<'r>,
    writes: bool,
    retain: Retain<'t, 'r>,
}

impl<'t, 'r> CollectSink<'t, 'r> {
    /// Creates a sink for the links about which `decider` decides.
    pub(super) fn new(decider: &Decider<'_>, retain: Retain<'t, 'r>) -> Self {
        Self {
            collected: Collected::default(),
            writes: !matches!(decider, Decider::Keep),
            retain,
        }
    }

    /// Returns the links, and the edits, which are ordered and disjoint.
    pub(super) fn into_collected(self) -> Collected<'r> {
        let Collected { links, mut edits } = self.collected;
        // Removing an attribute also removes its duplicates, which may come after other attributes that were edited.
        if !edits.is_sorted_by_key(|edit| edit.span.start) {
            edits.sort_by_key(|edit| edit.span.start);
        }
        Collected { links, edits }
    }
}

impl<'t> Sink<'t> for CollectSink<'t, '_> {
    /// The numbers of links and edits.
    type Checkpoint = (usize, usize);

    fn begin(&mut self) {
        self.collected.links.clear();
        self.collected.edits.clear();
    }

    fn reserve(&mut self, links: usize) {
        self.collected.links.reserve(links);
    }

    fn checkpoint(&mut self) -> Self::Checkpoint {
        (self.collected.links.len(), self.collected.edits.len())
    }

    fn rollback(&mut self, (links, edits): Self::Checkpoint) {
        self.collected.links.truncate(links);
        self.collected.edits.truncate(edits);
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
            // Duplicate attributes are reported, too, and only the general path finds them.
            return site.is_unique();
        }
        self.push_link(site, text, simple, to_segment).is_some()
    }

    fn push(
        &mut self,
        _: &Segment<'_, 't>,
        _: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        for link_report in collected.links.drain(..) {
            self.collected.links.push((self.retain.link)(link_report));
        }
        self.collected.edits.append(&mut collected.edits);
        Ok(())
    }

    fn edit_count(&self) -> usize {
        self.collected.edits.len()
    }
}

impl<'t> CollectSink<'t, '_> {
    /// Records the link of `simple`, which must be a reference, and its edit.
    ///
    /// Returns `None` and records nothing if the link must take the general path: [`SimpleLink::of`] returns `None`, or
    /// an edit is needed and the reference is not a literal attribute value.
    #[inline]
    fn push_link(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        let link = SimpleLink::of(site, text, simple, to_segment, &self.retain)?;
        let outcome = link.outcome();
        if self.writes
            && let Outcome::Resolved(target) = &outcome
        {
            if !link.is_literal_value {
                return None;
            }
            let token = ReferenceToken::literal(text, link.written, Notation::Plain);
            let edit = reference_edit(&token, target, NonAscii::Literal).ok()?;
            self.collected.edits.push(edit);
        }
        self.collected.links.push(link.into_report(site, outcome));
        Some(())
    }
}
