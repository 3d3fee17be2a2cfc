//! The base URLs of a document: BASE elements and what is known from outside in, what references resolve against out.

use super::Rewriter;
use super::settings::BaseScope;
use crate::base::{Base, BaseCandidates, BaseSource, Candidate, CandidateFate, Explanation};
use crate::html::{BaseElement, Place};

/// The base URLs that the rows of the link table ask for.
pub(super) struct Bases {
    /// With BASE.
    pub(super) document: Explanation,
    /// Without BASE.
    pub(super) fallback: Option<Base>,
}

impl Bases {
    /// # Source
    /// RFC 1808 section 10: the BASE that counts is the one in HEAD; of several, the first that has an `href`, as in
    /// HTML, where it may be anywhere in the document but not in a template.
    pub(super) fn establish(
        elements: &[BaseElement],
        candidates: &BaseCandidates<'_>,
        settings: &Rewriter,
    ) -> Self {
        let (profile, placeholders) = (settings.profile, &settings.placeholders);
        let counts = |element: &BaseElement| match (element.place, settings.effective_base_scope())
        {
            (Place::Head, _) | (Place::Outside, BaseScope::Document) => true,
            (Place::Outside, BaseScope::Head) | (Place::Template, _) => false,
        };
        let counting = elements.iter().position(counts);
        let mut document = match counting {
            Some(index) => candidates
                .clone()
                .with(BaseSource::Embedded, &elements[index].href)
                .explain_with(profile, placeholders),
            None => candidates.explain_with(profile, placeholders),
        };
        // The BASE elements that do not count are listed behind the one that does.
        let place = usize::from(counting.is_some());
        let others = elements
            .iter()
            .enumerate()
            .filter(|&(index, _)| Some(index) != counting);
        document.candidates.splice(
            place..place,
            others.map(|(_, element)| Candidate {
                source: BaseSource::Embedded,
                value: element.href.clone(),
                fate: match element.place {
                    Place::Template => CandidateFate::InTemplate,
                    Place::Head | Place::Outside if counts(element) => CandidateFate::NotFirst,
                    Place::Head | Place::Outside => CandidateFate::OutsideHead,
                },
            }),
        );
        Self {
            document,
            fallback: candidates.establish(profile),
        }
    }
}
