//! What takes up what is found on the pages of a document, in their order; and one that does: the document, written.

use std::sync::Arc;

use super::edit::TextEdit;
use super::report::{LinkCounts, LinkReport};
use super::segment::{NeedsSlowPath, Segment};
use super::simple::SimpleReference;
use super::value::Decider;
use super::visitor::VisitedElement;
use crate::base::Base;
use crate::html::tokens::{Attribute, DuplicateAttributes};
use crate::link::RowLookup;
use crate::span::Span;
use crate::splice::{Splicer, SplicerCheckpoint};

/// The value a plain reference stands in.
pub(super) struct ValueSite<'p, 't> {
    pub(super) element: &'p VisitedElement<'p, 't>,
    /// `None` for the text of the element.
    pub(super) attribute: Option<&'p Attribute<'t>>,
    pub(super) found: RowLookup,
}

impl ValueSite<'_, '_> {
    /// Whether no other attribute repeats the name of this one.
    pub(super) fn is_alone(&self) -> bool {
        let repeats = self.attribute.map(|attribute| &attribute.repeats);
        repeats.is_none_or(DuplicateAttributes::is_empty)
    }
}

/// Takes up what is found on pages whose texts live for `'t`.
pub(super) trait Sink<'t> {
    /// What it has taken up.
    type Checkpoint;

    /// What becomes of links that are not plain.
    fn decide<'w>(&self) -> Decider<'w>;

    /// Begins with a document, whose links resolve against `base`, or once more with the same.
    fn begin(&mut self, base: Option<&Arc<Base>>);

    fn checkpoint(&self) -> Self::Checkpoint;

    /// Forgets what it took up since it was in `state`, all of which was plain.
    fn rollback(&mut self, state: Self::Checkpoint);

    /// Takes up what is `simple` in `text`, which is read from what stands where `outer` says; `None` if it is not to be taken
    /// up that way.
    fn simple(
        &mut self,
        place: &ValueSite<'_, 't>,
        text: &str,
        simple: &SimpleReference<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()>;

    /// Takes up links that are not plain, and the edits of them; none of both is left.
    fn other_links(
        &mut self,
        segment: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsSlowPath>;

    /// How many edits it took up.
    fn edited(&self) -> usize;
}

/// Writes the document, with its links resolved.
pub(super) struct SpliceSink<'s, 'o, 't> {
    pub(super) splicer: Splicer<'s, 'o>,
    /// That of the splicer when there was nothing in it.
    empty: SplicerCheckpoint,
    /// The links that stay, and not because they are absolute.
    pub(super) skipped: Vec<LinkReport<'t>>,
    pub(super) counts: LinkCounts,
}

impl<'s, 'o> SpliceSink<'s, 'o, '_> {
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
    type Checkpoint = (SplicerCheckpoint, LinkCounts);

    fn decide<'w>(&self) -> Decider<'w> {
        Decider::Resolve
    }

    fn begin(&mut self, _: Option<&Arc<Base>>) {
        self.splicer.rollback(self.empty);
        self.skipped.clear();
        self.counts = LinkCounts::default();
    }

    fn checkpoint(&self) -> Self::Checkpoint {
        (self.splicer.checkpoint(), self.counts)
    }

    fn rollback(&mut self, (state, counts): Self::Checkpoint) {
        self.splicer.rollback(state);
        self.counts = counts;
    }

    /// It can be written in any encoding, whatever stands around it: what is written, and what is kept of a reference that is
    /// resolved, is ASCII, and before it is a delimiter that is no second half of a character.
    #[inline]
    fn simple(
        &mut self,
        _: &ValueSite<'_, 't>,
        _: &str,
        simple: &SimpleReference<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        match simple {
            SimpleReference::None => {}
            SimpleReference::Absolute(_) => self.counts.absolute += 1,
            SimpleReference::Resolved(span, target) => {
                let replaced = outer(target.replaced(*span))?;
                let is_fit = self.splicer.replace(replaced, target.prefix.as_bytes());
                is_fit.then(|| self.counts.resolved += 1)?;
            }
        }
        Some(())
    }

    fn other_links(
        &mut self,
        segment: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsSlowPath> {
        self.skipped.append(links);
        self.counts.count_new(&mut self.skipped);
        for edit in edits.drain(..) {
            let is_fit = segment.can_write(&edit)
                && self.splicer.replace(edit.span, edit.replacement.as_bytes());
            if !is_fit {
                return Err(NeedsSlowPath);
            }
        }
        Ok(())
    }

    fn edited(&self) -> usize {
        self.splicer.count()
    }
}
