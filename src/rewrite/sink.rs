//! What takes up what is found on the pages of a document, in their order; and one that does: the document, written.

use std::sync::Arc;

use super::edit::TextEdit;
use super::report::{LinkCounts, LinkReport};
use super::segment::{Page, SecondLook};
use super::simple::Plain;
use super::value::Decide;
use super::visitor::Element;
use crate::base::Base;
use crate::html::tokens::{Attribute, Repeats};
use crate::link::FoundRow;
use crate::span::Span;
use crate::splice::{Splicer, SplicerState};

/// The value a plain reference stands in.
pub(super) struct Place<'p, 't> {
    pub(super) element: &'p Element<'p, 't>,
    /// `None` for the text of the element.
    pub(super) attribute: Option<&'p Attribute<'t>>,
    pub(super) found: FoundRow,
}

impl Place<'_, '_> {
    /// Whether no other attribute repeats the name of this one.
    pub(super) fn is_alone(&self) -> bool {
        let repeats = self.attribute.map(|attribute| &attribute.repeats);
        repeats.is_none_or(Repeats::is_empty)
    }
}

/// Takes up what is found on pages whose texts live for `'t`.
pub(super) trait Sink<'t> {
    /// What it has taken up.
    type State;

    /// What becomes of links that are not plain.
    fn decide<'w>(&self) -> Decide<'w>;

    /// Begins with a document, whose links resolve against `base`, or once more with the same.
    fn begin(&mut self, base: Option<&Arc<Base>>);

    fn state(&self) -> Self::State;

    /// Forgets what it took up since it was in `state`, all of which was plain.
    fn back_to(&mut self, state: Self::State);

    /// Takes up what is `plain` in `text`, which is read from what stands where `outer` says; `None` if it is not to be taken
    /// up that way.
    fn plain(
        &mut self,
        place: &Place<'_, 't>,
        text: &str,
        plain: &Plain<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()>;

    /// Takes up links that are not plain, and the edits of them; none of both is left.
    fn others(
        &mut self,
        page: &Page<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), SecondLook>;

    /// How many edits it took up.
    fn edited(&self) -> usize;
}

/// Writes the document, with its links resolved.
pub(super) struct Writer<'s, 'o, 't> {
    pub(super) splicer: Splicer<'s, 'o>,
    /// That of the splicer when there was nothing in it.
    empty: SplicerState,
    /// The links that stay, and not because they are absolute.
    pub(super) skipped: Vec<LinkReport<'t>>,
    pub(super) counts: LinkCounts,
}

impl<'s, 'o> Writer<'s, 'o, '_> {
    pub(super) fn new(splicer: Splicer<'s, 'o>) -> Self {
        Self {
            empty: splicer.state(),
            splicer,
            skipped: Vec::new(),
            counts: LinkCounts::default(),
        }
    }
}

impl<'t> Sink<'t> for Writer<'_, '_, 't> {
    type State = (SplicerState, LinkCounts);

    fn decide<'w>(&self) -> Decide<'w> {
        Decide::Resolve
    }

    fn begin(&mut self, _: Option<&Arc<Base>>) {
        self.splicer.back_to(self.empty);
        self.skipped.clear();
        self.counts = LinkCounts::default();
    }

    fn state(&self) -> Self::State {
        (self.splicer.state(), self.counts)
    }

    fn back_to(&mut self, (state, counts): Self::State) {
        self.splicer.back_to(state);
        self.counts = counts;
    }

    /// It can be written in any encoding, whatever stands around it: what is written, and what is kept of a reference that is
    /// resolved, is ASCII, and before it is a delimiter that is no second half of a character.
    #[inline]
    fn plain(
        &mut self,
        _: &Place<'_, 't>,
        _: &str,
        plain: &Plain<'_>,
        outer: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        match plain {
            Plain::Nothing => {}
            Plain::Absolute(_) => self.counts.absolute += 1,
            Plain::Resolved(span, target) => {
                let replaced = outer(target.replaced(*span))?;
                let is_fit = self.splicer.replace(replaced, target.head.as_bytes());
                is_fit.then(|| self.counts.resolved += 1)?;
            }
        }
        Some(())
    }

    fn others(
        &mut self,
        page: &Page<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), SecondLook> {
        self.skipped.append(links);
        self.counts.take_up(&mut self.skipped);
        for edit in edits.drain(..) {
            let is_fit = page.may_write(&edit)
                && self.splicer.replace(edit.span, edit.replacement.as_bytes());
            if !is_fit {
                return Err(SecondLook);
            }
        }
        Ok(())
    }

    fn edited(&self) -> usize {
        self.splicer.count()
    }
}
