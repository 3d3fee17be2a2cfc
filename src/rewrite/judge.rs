//! Decides what becomes of a link: which base URL it resolves against, and whether it resolves at all.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use super::Rewriter;
use super::outcome::{Judged, Outcome, SkipReason};
use super::settings::{AbsoluteReferences, BaseScope};
use crate::base::{Base, BaseCandidates, BaseSource, Candidate, CandidateFate, Explanation};
use crate::grammar::single;
use crate::html::{BaseElement, Namespace, Place};
use crate::link::{self, BaseRule, Empty, FragmentOnly, Link, Row};
use crate::reference::{
    Reference, Resolver, has_placeholder, is_absolute, normalize, without_line_breaks,
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
    /// HTML, where it may be anywhere in the document but not in a template.
    pub(super) fn establish(
        elements: &[BaseElement],
        candidates: &BaseCandidates<'_>,
        settings: &Rewriter,
    ) -> Self {
        let profile = settings.profile;
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

/// A base URL that references are resolved against.
struct Against {
    resolver: Resolver,
    /// The base URL as it will stand in the rewritten document, which is what relative references will be read against.
    written: Option<Resolver>,
}

/// Decides what becomes of each link of one document.
pub(super) struct Judge<'b> {
    settings: &'b Rewriter,
    document: Option<Against>,
    fallback: Option<Against>,
    encoding: &'static Encoding,
}

impl<'b> Judge<'b> {
    pub(super) fn new(settings: &'b Rewriter, bases: &Bases, encoding: &'static Encoding) -> Self {
        let mut judge = Self {
            settings,
            document: None,
            fallback: None,
            encoding,
        };
        judge.document = bases
            .document
            .base
            .as_ref()
            .and_then(|base| judge.against(base));
        judge.fallback = bases.fallback.as_ref().and_then(|base| judge.against(base));
        judge
    }

    fn against(&self, base: &Base) -> Option<Against> {
        // One that stands in the document is mapped there like any link.
        let written = match base.source {
            BaseSource::Embedded => self.settings.mapped(Cow::Borrowed(&base.url)),
            BaseSource::EncapsulatingEntity | BaseSource::Retrieval | BaseSource::Default => {
                Cow::Borrowed(&*base.url)
            }
        };
        let resolver = self.resolver(&base.url, base.source)?;
        let written = match written {
            Cow::Borrowed(_) => Some(resolver.clone()),
            Cow::Owned(url) => self.resolver(&url, base.source),
        };
        Some(Against { resolver, written })
    }

    fn resolver(&self, url: &str, source: BaseSource) -> Option<Resolver> {
        let resolver = Resolver::new(url, self.settings.profile).ok()?;
        let base_encoding = match source {
            BaseSource::Embedded => self.encoding,
            BaseSource::EncapsulatingEntity | BaseSource::Retrieval | BaseSource::Default => UTF_8,
        };
        Some(
            resolver
                .escape(self.settings.escape)
                .query_encodings(self.encoding, base_encoding),
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
            BaseRule::Codebase => match (of.value_of)("codebase") {
                Some(codebase) if has_placeholder(&codebase) => {
                    Outcome::Skipped(SkipReason::Placeholder)
                }
                Some(codebase) => {
                    let against = self.codebase(&codebase);
                    self.outcome(row, reference, against.as_ref().or(self.document.as_ref()))
                }
                None => self.outcome(row, reference, self.document.as_ref()),
            },
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
    fn codebase(&self, value: &str) -> Option<Against> {
        let span = single(value);
        let value = &value[span.start..span.end];
        let url = if is_absolute(value, self.settings.profile) {
            value.to_owned()
        } else {
            self.document
                .as_ref()?
                .resolver
                .resolve(value)
                .ok()?
                .into_owned()
        };
        self.against(&Base {
            url,
            source: BaseSource::Embedded,
        })
    }

    fn outcome(&self, row: &Row, reference: &str, against: Option<&Against>) -> Outcome {
        let profile = self.settings.profile;
        let is_absolute = is_absolute(reference, profile);
        if reference.is_empty() && row.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        if has_placeholder(reference) {
            return if is_absolute {
                Outcome::Absolute
            } else {
                Outcome::Skipped(SkipReason::Placeholder)
            };
        }
        let is_local = row.fragment_only == FragmentOnly::Local;
        if is_local && Reference::split(&without_line_breaks(reference), profile).is_fragment_only()
        {
            return Outcome::Skipped(SkipReason::Local);
        }
        let target = match (is_absolute, against) {
            (true, _) if self.settings.absolute == AbsoluteReferences::Normalize => {
                normalize(reference, profile, self.settings.escape, self.encoding).map(Cow::Owned)
            }
            (true, _) => Ok(Cow::Borrowed(reference)),
            (false, Some(against)) => against.resolver.resolve(reference),
            (false, None) => return Outcome::Skipped(SkipReason::NoBase),
        };
        let Ok(target) = target else {
            return Outcome::Skipped(SkipReason::Malformed);
        };
        let written = against.and_then(|against| against.written.as_ref());
        let target = self.settings.written_form(row, target, written);
        // What was absolute and is not changed is no result of ours.
        if is_absolute && target == reference {
            Outcome::Absolute
        } else {
            Outcome::Resolved(target.into_owned())
        }
    }
}
