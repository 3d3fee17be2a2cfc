//! [`Sink`]: receives links and edits in document order. [`SpliceSink`]: writes the rewritten document.
//!
//! # Push contract
//!
//! The visitor pushes links and edits to a sink. One document is one sequence of calls:
//!
//! 1. [`begin`](Sink::begin) once before the first link. A driver that starts over (the scanner bailed out) calls it
//!    again, and the sink must drop everything it received since the first call. [`super::stream`] omits the call: it
//!    creates a [`SpliceSink`] for each chunk, which needs no base URL.
//! 2. [`push_simple`](Sink::push_simple) and [`push_collected`](Sink::push_collected) for each link, in document
//!    order. A value is pushed by one of the two, never by both.
//! 3. No call marks the end. The driver takes the result out of the sink.
//!
//! [`checkpoint`](Sink::checkpoint) and [`rollback`](Sink::rollback) bracket the references of a list such as
//! `srcset`: they are pushed as they are found, and if one of them is not simple, all of them are taken back. Only
//! simple references are pushed in between, and rollbacks are not nested.
//!
//! # Errors
//!
//! [`push_simple`](Sink::push_simple) returns `None` if it cannot represent the link. The sink is unchanged then, and
//! the visitor pushes the link again, through the general path and [`push_collected`](Sink::push_collected). An error
//! of the latter ends the pass. The sink then contains part of a document, and the driver must discard it, with the
//! bytes that a [`SpliceSink`] may already have appended to its output.

use std::sync::Arc;

use super::edit::TextEdit;
use super::report::{LinkCounts, LinkReport};
use super::segment::{NeedsWholeDocument, Segment};
use super::simple::SimpleReference;
use super::value::Decider;
use super::visitor::VisitedElement;
use crate::base::Base;
use crate::html::tokens::{Attribute, DuplicateAttributes};
use crate::link::RowLookup;
use crate::span::Span;
use crate::splice::{Splicer, SplicerCheckpoint};

/// The attribute, or the text of an element, that contains a simple reference.
pub(super) struct ValueSite<'p, 't> {
    pub(super) element: &'p VisitedElement<'p, 't>,
    /// `None` for the text of the element.
    pub(super) attribute: Option<&'p Attribute<'t>>,
    /// The row of the link table that applies, as far as the names determine it.
    pub(super) lookup: RowLookup,
}

impl ValueSite<'_, '_> {
    /// Returns whether no other attribute of the element has the name of this one.
    pub(super) fn is_unique(&self) -> bool {
        // The text of an element has no duplicates.
        let duplicates = self.attribute.map(|attribute| &attribute.duplicates);
        duplicates.is_none_or(DuplicateAttributes::is_empty)
    }
}

/// A receiver of the links and edits of a document whose texts live for `'t`.
///
/// The module documentation describes the order of calls.
pub(super) trait Sink<'t> {
    /// A position that the sink can be rolled back to.
    type Checkpoint;

    /// Returns the decider about links that take the general path.
    fn decider<'w>(&self) -> Decider<'w>;

    /// Begins a document, or the same one again, and drops everything received before.
    ///
    /// `base` is the base URL of the document.
    fn begin(&mut self, base: Option<&Arc<Base>>);

    /// Returns the current position.
    fn checkpoint(&self) -> Self::Checkpoint;

    /// Drops everything received since `checkpoint`, which must be simple references only.
    fn rollback(&mut self, checkpoint: Self::Checkpoint);

    /// Records a simple reference of `text`.
    ///
    /// `to_segment` maps a span of `text` to the text of the segment; the two differ if a masked value was decoded.
    /// Returns `None` and records nothing if the link must take the general path.
    fn push_simple(
        &mut self,
        site: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        to_segment: impl Fn(Span) -> Option<Span>,
    ) -> Option<()>;

    /// Records the links of the general path and their edits, and drains both lists.
    ///
    /// # Errors
    /// An edit cannot be applied in this order or in the document's encoding. The driver must discard the sink.
    fn push_collected(
        &mut self,
        segment: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsWholeDocument>;

    /// Returns the number of edits recorded so far.
    fn edit_count(&self) -> usize;
}

/// A sink that writes the document with its links resolved.
///
/// Resolved and absolute links are counted; only skipped links are recorded.
pub(super) struct SpliceSink<'s, 'o, 't> {
    pub(super) splicer: Splicer<'s, 'o>,
    /// The state of the splicer before the first edit.
    empty: SplicerCheckpoint,
    pub(super) skipped: Vec<LinkReport<'t>>,
    pub(super) counts: LinkCounts,
}

impl<'s, 'o> SpliceSink<'s, 'o, '_> {
    /// Creates a sink that writes to `splicer`, which must not have been written to.
    pub(super) fn new(splicer: Splicer<'s, 'o>) -> Self {
        Self {
            empty: splicer.checkpoint(),
            splicer,
            skipped: Vec::new(),
            counts: LinkCounts::default(),
        }
    }
}

impl<'t> Sink<'t> for SpliceSink<'_, '_, 't> {
    // `skipped` is not part of it: a simple reference is never skipped.
    type Checkpoint = (SplicerCheckpoint, LinkCounts);

    fn decider<'w>(&self) -> Decider<'w> {
        Decider::Resolve
    }

    fn begin(&mut self, _: Option<&Arc<Base>>) {
        // Also truncates the output, to which an abandoned attempt may have appended.
        self.splicer.rollback(self.empty);
        self.skipped.clear();
        self.counts = LinkCounts::default();
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.splicer.checkpoint(), self.counts)
    }

    fn rollback(&mut self, (splicer, counts): Self::Checkpoint) {
        self.splicer.rollback(splicer);
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
    ) -> Option<()> {
        match simple {
            SimpleReference::NoReference => {}
            SimpleReference::Absolute(_) => self.counts.absolute += 1,
            SimpleReference::Resolved(span, target) => {
                let replaced = to_segment(target.replaced(*span))?;
                // `false` if the edit is out of order. Then the link must not be counted: the general path counts it.
                let is_replaced = self.splicer.replace(replaced, target.prefix.as_bytes());
                is_replaced.then(|| self.counts.resolved += 1)?;
            }
        }
        Some(())
    }

    fn push_collected(
        &mut self,
        segment: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsWholeDocument> {
        // `count_new` drops the links that are not skipped, so `skipped` stays small.
        self.skipped.append(links);
        self.counts.count_new(&mut self.skipped);
        for edit in edits.drain(..) {
            // Duplicates of a removed attribute may come after later attributes that were already edited.
            let is_replaced = segment.can_write(&edit)
                && self.splicer.replace(edit.span, edit.replacement.as_bytes());
            if !is_replaced {
                return Err(NeedsWholeDocument);
            }
        }
        Ok(())
    }

    fn edit_count(&self) -> usize {
        self.splicer.count()
    }
}
