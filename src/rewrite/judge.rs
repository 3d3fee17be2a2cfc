//! Decides what becomes of a link: which base URL it resolves against, and whether it resolves at all.

use encoding_rs::Encoding;

use super::Rewriter;
use super::outcome::{Judged, Outcome, SkipReason};
use crate::base::{Base, BaseCandidates, BaseSource, Candidate, CandidateFate, Explanation};
use crate::grammar::single;
use crate::html::{BaseElement, Namespace, Place};
use crate::link::{self, BaseRule, Empty, FragmentOnly, Link, Row};
use crate::reference::{
    Profile, Reference, Resolver, has_placeholder, is_absolute, without_line_breaks,
};
use crate::span::Span;

/// The base URLs that the rows of the link table ask for.
pub(super) struct Bases {
    /// With BASE.
    pub(super) document: Explanation,
    /// Without BASE.
    fallback: Option<Base>,
}

impl Bases {
    /// # Source
    /// RFC 1808 section 10: the BASE that counts is the one in HEAD; of several, the first that has an `href`, as in
    /// HTML.
    pub(super) fn establish(
        elements: &[BaseElement],
        candidates: &BaseCandidates<'_>,
        profile: Profile,
    ) -> Self {
        let counting = elements
            .iter()
            .position(|element| element.place == Place::Head);
        let mut document = match counting {
            Some(index) => candidates
                .clone()
                .with(BaseSource::Embedded, &elements[index].href)
                .explain(profile),
            None => candidates.explain(profile),
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
                    Place::Head => CandidateFate::NotFirst,
                    Place::Template => CandidateFate::InTemplate,
                    Place::Outside => CandidateFate::OutsideHead,
                },
            }),
        );
        Self {
            document,
            fallback: candidates.establish(profile),
        }
    }
}

/// An attribute of an element, however the element was read.
pub(super) struct AttributeOf<'a, F> {
    pub(super) namespace: Namespace,
    pub(super) element: &'a str,
    pub(super) attribute: &'a str,
    /// The values of the element's attributes, by name.
    pub(super) value_of: F,
}

/// A link and where in the attribute's value it is.
pub(super) struct Found {
    pub(super) judged: Judged,
    pub(super) span: Span,
}

/// Decides what becomes of each link of one document.
pub(super) struct Judge<'b> {
    settings: &'b Rewriter,
    document: Option<Resolver<'b>>,
    fallback: Option<Resolver<'b>>,
    encoding: &'static Encoding,
}

impl<'b> Judge<'b> {
    pub(super) fn new(
        settings: &'b Rewriter,
        bases: &'b Bases,
        encoding: &'static Encoding,
    ) -> Self {
        let mut judge = Self {
            settings,
            document: None,
            fallback: None,
            encoding,
        };
        judge.document = judge.resolver(bases.document.base.as_ref().map(|base| &*base.url));
        judge.fallback = judge.resolver(bases.fallback.as_ref().map(|base| &*base.url));
        judge
    }

    fn resolver<'u>(&self, url: Option<&'u str>) -> Option<Resolver<'u>> {
        let resolver = Resolver::new(url?, self.settings.profile).ok()?;
        Some(
            resolver
                .escape(self.settings.escape)
                .query_encoding(self.encoding),
        )
    }

    /// The link that `value` holds, if the attribute is one.
    pub(super) fn attribute<F>(&self, of: &AttributeOf<'_, F>, value: &str) -> Option<Found>
    where
        F: Fn(&str) -> Option<String>,
    {
        let row = link::lookup(of.namespace, of.element, of.attribute, &of.value_of)?;
        let span = single(value);
        let reference = &value[span.start..span.end];
        let outcome = match row.base_rule {
            BaseRule::Document => self.outcome(row, reference, self.document.as_ref()),
            BaseRule::Fallback => self.outcome(row, reference, self.fallback.as_ref()),
            BaseRule::Codebase => {
                let codebase = (of.value_of)("codebase").and_then(|value| self.codebase(&value));
                let resolver = self.resolver(codebase.as_deref());
                self.outcome(row, reference, resolver.as_ref().or(self.document.as_ref()))
            }
        };
        let link = Link {
            element: format!("{}{}", of.namespace.prefix(), of.element),
            attribute: of.attribute.to_owned(),
            grammar: row.grammar,
            role: row.role,
            reference: reference.to_owned(),
            span: None,
        };
        Some(Found {
            judged: Judged { link, outcome },
            span,
        })
    }

    /// The base URL that a `codebase` gives to its element.
    fn codebase(&self, value: &str) -> Option<String> {
        let span = single(value);
        Some(
            self.document
                .as_ref()?
                .resolve(&value[span.start..span.end])
                .into_owned(),
        )
    }

    fn outcome(&self, row: &Row, reference: &str, resolver: Option<&Resolver<'_>>) -> Outcome {
        let profile = self.settings.profile;
        if reference.is_empty() && row.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        if is_absolute(reference, profile) {
            return Outcome::Absolute;
        }
        if has_placeholder(reference) {
            return Outcome::Skipped(SkipReason::Placeholder);
        }
        let is_local = row.fragment_only == FragmentOnly::Local;
        if is_local && Reference::split(&without_line_breaks(reference), profile).is_fragment_only()
        {
            return Outcome::Skipped(SkipReason::Local);
        }
        match resolver {
            None => Outcome::Skipped(SkipReason::NoBase),
            Some(resolver) => Outcome::Resolved(resolver.resolve(reference).into_owned()),
        }
    }
}
