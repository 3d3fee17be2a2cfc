//! [`DocumentBases`]: from BASE elements and candidates outside the document to the base URLs that links resolve
//! against.
//!
//! # Effective, fallback and output base URL
//!
//! A document has up to three base URLs:
//!
//! * The *effective* base URL is that of the effective BASE element, or of the first usable candidate from outside if
//!   there is no such element. Most links resolve against it. If the effective BASE is relative, it is completed with
//!   the candidates from outside.
//! * The *fallback* base URL is that of the candidates from outside alone. BASE itself resolves against it, and so does
//!   `html[manifest]`.
//! * The *output* base URL is the effective base URL of the rewritten document, which relative output refers to. It
//!   differs if BASE is mapped, inserted or removed. This module only determines whether BASE is written
//!   ([`DocumentBases::writes_base`]); [`super::documents`] derives the URL from that.
//!
//! # The effective BASE
//!
//! The effective BASE is the first BASE in tree order that has an `href` and is eligible:
//!
//! * A BASE in HEAD is eligible.
//! * A BASE outside HEAD is eligible only with [`BaseScope::Document`].
//! * A BASE in a `template` element is never eligible.
//!
//! The URL of a BASE is not considered in this choice, except that with [`BaseOrigin::Same`] there is no effective BASE
//! if it has another origin than the retrieval URL. If the effective BASE has an unusable URL, no other BASE
//! replaces it, and the candidates from outside apply. If its URL contains a template placeholder, the base URL is
//! unknown.
//!
//! # Reporting
//!
//! Every BASE that has an `href` is listed with its status: among the candidates of [`DocumentBases::report`], and in
//! [`DocumentBases::elements`] for `crate::check`.

use std::borrow::Cow;

use crate::base::{Base, BaseCandidates, BaseReport, BaseSource, Candidate, CandidateStatus};
use crate::markup::{BaseElement, Namespace, TreeLocation};
use crate::record::BaseElementReport;
use crate::reference::Resolver;
use crate::settings::{BaseElementPolicy, BaseOrigin, BaseScope, RewriteSettings};

impl RewriteSettings {
    /// Returns whether the `href` of a BASE element may be rewritten or removed.
    ///
    /// It may if it is a selected link that is not excluded, unless the policy is [`BaseElementPolicy::Keep`].
    fn writes_base(&self, element: &BaseElement) -> bool {
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
        self.base_element != BaseElementPolicy::Keep
            && self.is_rewritable(Namespace::Html, "base", "href", &value_of)
    }

    /// Returns whether the first BASE of a document remains the first one in the output.
    pub(crate) fn leaves_base(&self) -> bool {
        matches!(
            self.base_element,
            BaseElementPolicy::Absolutize | BaseElementPolicy::Keep
        )
    }

    /// Returns whether an attribute is a link that is not excluded.
    pub(crate) fn is_rewritable<'v>(
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

/// The base URLs of a document.
pub(crate) struct DocumentBases {
    /// The effective base URL, and the status of every candidate.
    pub(crate) report: BaseReport,
    /// A resolver for that base URL, if establishing it created one.
    resolver: Option<Resolver>,
    /// The fallback base URL: the base URL without BASE, which BASE itself resolves against.
    pub(crate) fallback: Option<Base>,
    /// Whether the `href` of the effective BASE may be rewritten or removed; `false` without an effective BASE.
    pub(crate) writes_base: bool,
    /// Whether browsers have another base URL: that of a BASE outside HEAD, which is not eligible here, or of another
    /// origin, which is ignored. Relative output would have other targets there.
    pub(crate) is_contested: bool,
    /// Every BASE element that has an `href`, in tree order.
    pub(crate) elements: Vec<BaseElementReport>,
}

impl DocumentBases {
    /// Establishes the base URLs from the BASE elements of a document, in tree order, and the outside `candidates`.
    ///
    /// # Source
    /// RFC 1808 section 10: the BASE in HEAD is in effect. HTML: the first BASE that has an `href` is, anywhere in the
    /// document except in a template.
    pub(crate) fn establish(
        elements: &[BaseElement],
        candidates: &BaseCandidates<'_>,
        settings: &RewriteSettings,
    ) -> Self {
        let (profile, placeholders) = (settings.profile, &settings.placeholders);
        let original = |url| settings.unwrap.original(url);
        let candidates = candidates.clone().map(original);
        let is_eligible =
            |element: &BaseElement| match (element.location, settings.effective_base_scope()) {
                (TreeLocation::Head, _) | (TreeLocation::Outside, BaseScope::Document) => true,
                (TreeLocation::Outside, BaseScope::Head)
                | (TreeLocation::Template | TreeLocation::Root, _) => false,
            };
        let eligible = elements.iter().position(is_eligible);
        let is_root = |element: &&BaseElement| element.location == TreeLocation::Root;
        let root = elements.iter().find(is_root);
        let is_foreign = |&index: &usize| {
            let embedded =
                (candidates.clone()).with(BaseSource::Embedded, original(&elements[index].href));
            settings.base_origin == BaseOrigin::Same
                && embedded.explain_with(profile, placeholders).0.is_foreign()
        };
        let effective = eligible.filter(|index| !is_foreign(index));
        // The `xml:base` of the root element comes first, because it is resolved against the URL of BASE.
        let embedded = root
            .into_iter()
            .chain(effective.map(|index| &elements[index]));
        let embedded = embedded.fold(candidates.clone(), |candidates, element| {
            candidates.with(BaseSource::Embedded, original(&element.href))
        });
        let (mut report, resolver) = embedded.explain_with(profile, placeholders);
        // Embedded candidates have the highest precedence, so these are the first candidates.
        let effective_index = usize::from(root.is_some());
        let effective_status = report
            .candidates
            .get(effective_index)
            .map(|candidate| candidate.status);
        let status = |index, element: &BaseElement| match element.location {
            // There is a first candidate if there is an effective BASE; the default is never used.
            _ if Some(index) == effective => effective_status.unwrap_or(CandidateStatus::NotFirst),
            _ if Some(index) == eligible => CandidateStatus::ForeignOrigin,
            TreeLocation::Template => CandidateStatus::InTemplate,
            // Not in the list of BASE elements.
            TreeLocation::Root => CandidateStatus::NotFirst,
            TreeLocation::Head | TreeLocation::Outside if is_eligible(element) => {
                CandidateStatus::NotFirst
            }
            TreeLocation::Head | TreeLocation::Outside => CandidateStatus::OutsideHead,
        };
        let base_elements = elements.iter().enumerate();
        let base_elements = base_elements.filter(|(_, element)| !is_root(element));
        let (mut reports, mut others) = (Vec::new(), Vec::new());
        for (index, element) in base_elements {
            let report = BaseElementReport {
                value: element.href.clone(),
                location: element.location,
                status: status(index, element),
            };
            if Some(index) != effective {
                others.push(report.clone());
            }
            reports.push(report);
        }
        // BASE elements that have no effect are listed as candidates too, directly after the effective one.
        let insert_at = effective_index + usize::from(effective.is_some());
        report.candidates.splice(
            insert_at..insert_at,
            others.into_iter().map(|base| Candidate {
                source: BaseSource::Embedded,
                value: base.value,
                status: base.status,
            }),
        );
        // HTML: the first BASE counts, wherever it is.
        let mut counting = elements.iter().filter(|element| {
            matches!(element.location, TreeLocation::Head | TreeLocation::Outside)
        });
        let is_first_outside = counting
            .next()
            .is_some_and(|element| element.location == TreeLocation::Outside);
        Self {
            is_contested: (is_first_outside || eligible.is_some())
                && effective.is_none()
                && settings.leaves_base(),
            elements: reports,
            writes_base: match (root, effective) {
                (Some(_), _) => settings.base_element != BaseElementPolicy::Keep,
                (None, effective) => {
                    effective.is_some_and(|index| settings.writes_base(&elements[index]))
                }
            },
            // Without an embedded base URL, the effective and the fallback base URL are the same.
            fallback: match (root, effective) {
                (None, None) => report.base.clone(),
                _ => candidates.explain_with(profile, placeholders).0.base,
            },
            report,
            resolver,
        }
    }

    /// Returns the resolver for `base`, if establishing the base URLs created one.
    pub(crate) fn resolver_of(&self, base: &Base) -> Option<Resolver> {
        let is_document_base = self.report.base.as_ref() == Some(base);
        self.resolver.clone().filter(|_| is_document_base)
    }
}
