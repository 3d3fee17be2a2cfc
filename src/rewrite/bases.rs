//! The base URLs of a document: BASE elements and what is known from outside in, what references resolve against out.

use std::borrow::Cow;

use super::Rewriter;
use super::options::{BaseElementPolicy, BaseScope};
use super::report::BaseElementReport;
use crate::base::{Base, BaseCandidates, BaseReport, BaseSource, Candidate, CandidateStatus};
use crate::html::{BaseElement, Namespace, TreeLocation};
use crate::reference::Resolver;

impl Rewriter {
    /// Whether the `href` of a BASE is a link like others.
    fn writes_base(&self, element: &BaseElement) -> bool {
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
        self.base_element != BaseElementPolicy::Keep
            && self.writes(Namespace::Html, "base", "href", &value_of)
    }

    /// Whether an attribute is a link that does not stay as it is.
    pub(super) fn writes<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> bool {
        let selected = self
            .selection
            .lookup(namespace, element, attribute, value_of);
        selected.is_some_and(|selected| !selected.is_excluded)
    }
}

/// The base URLs that the rows of the link table ask for.
pub(super) struct DocumentBases {
    /// With BASE.
    pub(super) document: BaseReport,
    /// What resolves against that, if it is known.
    resolver: Option<Resolver>,
    /// Without BASE.
    pub(super) fallback: Option<Base>,
    /// Whether the `href` of the BASE that counts is a link like others, and so is written or taken away.
    pub(super) writes_base: bool,
    /// Every BASE element that has an `href`, in the order of the tree.
    pub(super) found: Vec<BaseElementReport>,
}

impl DocumentBases {
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
            (TreeLocation::Head, _) | (TreeLocation::Outside, BaseScope::Document) => true,
            (TreeLocation::Outside, BaseScope::Head) | (TreeLocation::Template, _) => false,
        };
        let counting = elements.iter().position(counts);
        let (mut document, resolver) = match counting {
            Some(index) => candidates
                .clone()
                .with(BaseSource::Embedded, &elements[index].href)
                .explain_with(profile, placeholders),
            None => candidates.explain_with(profile, placeholders),
        };
        // The BASE elements that do not count are listed behind the one that does.
        let place = usize::from(counting.is_some());
        let own_status = document
            .candidates
            .first()
            .map(|candidate| candidate.status);
        let status = |index, element: &BaseElement| match element.place {
            _ if Some(index) == counting => own_status.unwrap_or(CandidateStatus::NotFirst),
            TreeLocation::Template => CandidateStatus::InTemplate,
            TreeLocation::Head | TreeLocation::Outside if counts(element) => {
                CandidateStatus::NotFirst
            }
            TreeLocation::Head | TreeLocation::Outside => CandidateStatus::OutsideHead,
        };
        let found: Vec<BaseElementReport> = elements
            .iter()
            .enumerate()
            .map(|(index, element)| BaseElementReport {
                value: element.href.clone(),
                place: element.place,
                status: status(index, element),
            })
            .collect();
        let others = found
            .iter()
            .enumerate()
            .filter(|&(index, _)| Some(index) != counting);
        document.candidates.splice(
            place..place,
            others.map(|(_, base)| Candidate {
                source: BaseSource::Embedded,
                value: base.value.clone(),
                status: base.status,
            }),
        );
        Self {
            found,
            writes_base: counting.is_some_and(|index| settings.writes_base(&elements[index])),
            fallback: match counting {
                Some(_) => candidates.establish(profile),
                None => document.base.clone(),
            },
            document,
            resolver,
        }
    }

    /// What resolves against `base`, if it is known.
    pub(super) fn resolver_of(&self, base: &Base) -> Option<Resolver> {
        let is_that = self.document.base.as_ref() == Some(base);
        self.resolver.clone().filter(|_| is_that)
    }
}
