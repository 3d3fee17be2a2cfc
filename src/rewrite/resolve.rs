//! Decides what becomes of a reference: which base URL it resolves against, and whether it resolves at all.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::Rewriter;
use super::bases::DocumentBases;
use super::options::{AbsoluteReferences, BaseElementPolicy, FragmentPolicy};
use super::report::{Outcome, SkipReason};
use super::value::ValueOwner;
use crate::base::{Base, BaseCandidates, BaseSource};
use crate::grammar::{Grammar, single};
use crate::html::BaseElement;
use crate::link::{BaseRule, Empty, FragmentOnly, LinkRule, Selected};
use crate::reference::{Reference, Resolver, is_absolute, normalize, without_line_breaks};

/// A base URL that references are resolved against.
#[derive(Clone)]
pub(super) struct ResolutionBase {
    pub(super) base: Arc<Base>,
    /// Whether it can be written as it is wherever a reference stands in markup.
    pub(super) is_simple: bool,
    /// Whether it can be written as it is wherever a reference stands in CSS.
    pub(super) is_simple_in_css: bool,
    resolver: Resolver,
    /// The same for references whose query is in UTF-8 whatever the document is in; `None` if it is in UTF-8.
    in_utf_8: Option<Resolver>,
    /// The base URL as it will stand in the rewritten document, which is what relative references will be read against.
    pub(super) written: Option<Resolver>,
}

impl ResolutionBase {
    pub(super) fn resolver_for(&self, rule: LinkRule) -> &Resolver {
        match &self.in_utf_8 {
            Some(in_utf_8) if is_encoded_in_utf_8(rule) => in_utf_8,
            _ => &self.resolver,
        }
    }
}

/// Whether the query of a reference is in UTF-8 whatever the document is in: only attributes of HTML are "encoding-parsed"
/// by its standard. CSS Values ("URL processing model") and HTML for import maps and speculation rules have the URL
/// parser as it is, and IRIs are mapped through UTF-8 (RFC 3987, section 3.1).
fn is_encoded_in_utf_8(rule: LinkRule) -> bool {
    matches!(
        rule.grammar,
        Grammar::Css | Grammar::ImportMap | Grammar::SpeculationRules | Grammar::JsonLd
    )
}

/// Decides what becomes of each reference of one document.
pub(super) struct LinkResolver<'s> {
    pub(super) settings: &'s Rewriter,
    pub(super) document: Option<ResolutionBase>,
    fallback: Option<ResolutionBase>,
    pub(super) encoding: &'static Encoding,
    /// Whether targets are written as they are, and a placeholder holds something that an ordinary reference does not.
    pub(super) is_straight: bool,
    /// The URL of the document itself, as it was told, if it matters; and without fragment, once it did.
    retrieval: Option<String>,
    own_url: OnceCell<Option<String>>,
}

impl<'s> LinkResolver<'s> {
    /// `candidates` are those that `bases` were established from, but for BASE.
    pub(super) fn new(
        settings: &'s Rewriter,
        bases: &DocumentBases,
        candidates: &BaseCandidates<'_>,
        encoding: &'static Encoding,
    ) -> Self {
        let matters = settings.fragments == FragmentPolicy::Auto;
        let retrieval = candidates.of(BaseSource::Retrieval).filter(|_| matters);
        Self {
            retrieval: retrieval.map(str::to_owned),
            ..Self::with_container(settings, bases, encoding, None)
        }
    }

    /// The judge for a document that stands in this one, in an attribute; `elements` are its BASE elements.
    ///
    /// # Source
    /// RFC 1808 section 3.2: the document around it is an encapsulating entity. HTML, "fallback base URL": so does a
    /// browser have it. "Determining the character encoding": it is read as UTF-8.
    pub(super) fn inside(&self, elements: &[BaseElement]) -> Self {
        let mut candidates = BaseCandidates::new();
        if let Some(container) = &self.document {
            candidates = candidates.with(BaseSource::EncapsulatingEntity, &container.base.url);
        }
        let bases = DocumentBases::establish(elements, &candidates, self.settings);
        let written = self.document.as_ref().and_then(|own| own.written.as_ref());
        Self::with_container(self.settings, &bases, UTF_8, written)
    }

    fn with_container(
        settings: &'s Rewriter,
        bases: &DocumentBases,
        encoding: &'static Encoding,
        container: Option<&Resolver>,
    ) -> Self {
        let mut resolver = Self {
            settings,
            document: None,
            fallback: None,
            encoding,
            is_straight: settings.writes_targets_as_they_are()
                && settings.placeholders.are_out_of_the_ordinary(),
            retrieval: None,
            own_url: OnceCell::new(),
        };
        let resolution_base = |base: &Base, is_written: bool| {
            let mut resolution_base =
                resolver.resolution_base(base, bases.resolver_of(base), is_written)?;
            if base.source == BaseSource::EncapsulatingEntity && container.is_some() {
                resolution_base.written = container.cloned();
            }
            Some(resolution_base)
        };
        let is_same = bases.fallback == bases.document.base
            && settings.base_element != BaseElementPolicy::Insert;
        let fallback = match &bases.fallback {
            Some(base) if !is_same => resolution_base(base, false),
            _ => None,
        };
        let mut document = bases.document.base.as_ref().and_then(|base| {
            // One that stands in the document is mapped there like any link, and so is one that is put there.
            let is_written = match base.source {
                BaseSource::Embedded => bases.writes_base,
                _ => settings.base_element == BaseElementPolicy::Insert,
            };
            resolution_base(base, is_written)
        });
        if let Some(document) = &mut document
            && document.base.source == BaseSource::Embedded
            && bases.writes_base
            && settings.base_element == BaseElementPolicy::Remove
        {
            document.written = fallback.as_ref().and_then(|own| own.written.clone());
        }
        resolver.fallback = if is_same { document.clone() } else { fallback };
        resolver.document = document;
        resolver
    }

    /// What resolving against `base` takes; `is_written` says that it stands in the document and is mapped there. What
    /// resolves against it may be `known`.
    fn resolution_base(
        &self,
        base: &Base,
        known: Option<Resolver>,
        is_written: bool,
    ) -> Option<ResolutionBase> {
        let written = if is_written {
            self.settings.mapped(Cow::Borrowed(&base.url))
        } else {
            Cow::Borrowed(&*base.url)
        };
        let resolver = match known {
            Some(known) => self.set_up(known, base.source),
            None => self.resolver(&base.url, base.source)?,
        };
        let written = match written {
            Cow::Borrowed(_) => Some(resolver.clone()),
            Cow::Owned(url) => self.resolver(&url, base.source),
        };
        Some(ResolutionBase {
            is_simple: resolver.is_simple_in_markup(),
            is_simple_in_css: resolver.is_simple_in_css(),
            base: Arc::new(base.clone()),
            in_utf_8: (self.encoding != UTF_8).then(|| resolver.clone().document_encoding(UTF_8)),
            resolver,
            written,
        })
    }

    fn resolver(&self, url: &str, source: BaseSource) -> Option<Resolver> {
        let resolver = Resolver::new(url, self.settings.profile).ok()?;
        Some(self.set_up(resolver, source))
    }

    /// `resolver`, which has the settings it was made with, with those of the document.
    fn set_up(&self, resolver: Resolver, source: BaseSource) -> Resolver {
        let base_encoding = match source {
            BaseSource::Embedded => self.encoding,
            BaseSource::EncapsulatingEntity | BaseSource::Retrieval | BaseSource::Default => UTF_8,
        };
        resolver
            .escape(self.settings.escape)
            .query_encodings(self.encoding, base_encoding)
    }

    /// What the references of a value resolve against.
    ///
    /// # Errors
    /// It cannot be told, and so no relative reference of the attribute can be resolved.
    pub(super) fn base_for(
        &self,
        rule: LinkRule,
        holder: &ValueOwner<'_, '_, '_>,
    ) -> Result<Option<Cow<'_, ResolutionBase>>, SkipReason> {
        let document = || self.document.as_ref().map(Cow::Borrowed);
        match rule.base_rule {
            BaseRule::Document => Ok(document()),
            BaseRule::Fallback => Ok(self.fallback.as_ref().map(Cow::Borrowed)),
            BaseRule::Codebase => match (holder.value_of)("codebase") {
                Some(codebase) if self.settings.placeholders.are_in(&codebase) => {
                    Err(SkipReason::Placeholder)
                }
                Some(codebase) => {
                    let ValueOwner {
                        namespace,
                        element,
                        value_of,
                        ..
                    } = *holder;
                    let is_written = self
                        .settings
                        .writes(namespace, element, "codebase", value_of);
                    let own = self.codebase(&codebase, is_written);
                    Ok(own.map(Cow::Owned).or_else(document))
                }
                None => Ok(document()),
            },
        }
    }

    /// The base URL that a `codebase` gives to its element.
    fn codebase(&self, value: &str, is_written: bool) -> Option<ResolutionBase> {
        let span = single(value);
        let value = &value[span.start..span.end];
        let url = if is_absolute(value, self.settings.profile) {
            value.to_owned()
        } else {
            let document = self.document.as_ref()?;
            document.resolver.resolve(value).ok()?.into_owned()
        };
        let base = Base {
            url,
            source: BaseSource::Embedded,
        };
        self.resolution_base(&base, None, is_written)
    }

    /// What becomes of `reference`, which resolves against `resolution_base`.
    pub(super) fn outcome(
        &self,
        selected: Selected,
        reference: &str,
        resolution_base: Result<Option<&ResolutionBase>, SkipReason>,
    ) -> Outcome {
        let Selected { rule, is_excluded } = selected;
        let profile = self.settings.profile;
        if reference.is_empty() && rule.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        let stays = is_excluded
            || self.keeps_base_element(rule)
            || (reference.starts_with('#') && self.may_be_kept_as_fragment(rule));
        if self.is_straight
            && !stays
            && let Ok(Some(resolution_base)) = resolution_base
            && let Some(target) = resolution_base.resolver_for(rule).shortcut(reference)
        {
            return Outcome::Resolved(target);
        }
        if is_data(reference) {
            // Known by its first bytes, and may be megabytes: nothing else is looked at.
            return Outcome::Absolute;
        }
        let is_absolute = is_absolute(reference, profile);
        let left = |reason| {
            if is_absolute {
                Outcome::Absolute
            } else {
                Outcome::Skipped(reason)
            }
        };
        if is_excluded || self.keeps_base_element(rule) {
            return left(SkipReason::Excluded);
        }
        if self.settings.placeholders.are_in(reference) {
            return left(SkipReason::Placeholder);
        }
        let is_fragment_only =
            || Reference::split(&without_line_breaks(reference), profile).is_fragment_only();
        let resolution_base = match resolution_base {
            Ok(resolution_base) => resolution_base,
            Err(reason) => return left(reason),
        };
        match rule.fragment_only {
            FragmentOnly::Local if is_fragment_only() => {
                return Outcome::Skipped(SkipReason::Local);
            }
            FragmentOnly::Base if self.keeps_fragments(resolution_base) && is_fragment_only() => {
                return Outcome::Skipped(SkipReason::Fragment);
            }
            FragmentOnly::Local | FragmentOnly::Base => {}
        }
        let target = match (is_absolute, resolution_base) {
            (true, _) if self.settings.absolute == AbsoluteReferences::Normalize => {
                let encoding = self.query_encoding(rule);
                normalize(reference, profile, self.settings.escape, encoding).map(Cow::Owned)
            }
            (true, _) => Ok(Cow::Borrowed(reference)),
            (false, Some(resolution_base)) => resolution_base.resolver_for(rule).resolve(reference),
            (false, None) => return Outcome::Skipped(SkipReason::NoBase),
        };
        let Ok(target) = target else {
            return Outcome::Skipped(SkipReason::Malformed);
        };
        let written = resolution_base.and_then(|resolution_base| resolution_base.written.as_ref());
        let target = self.settings.written_form(rule, target, written);
        // What was absolute and is not changed is no result of ours.
        if is_absolute && target == reference {
            Outcome::Absolute
        } else {
            Outcome::Resolved(target.into_owned())
        }
    }

    /// The `href` of the BASE that is to be put into the document, if one is.
    pub(super) fn inserted_base(&self) -> Option<String> {
        let document = self.document.as_ref()?;
        let is_asked_for = self.settings.base_element == BaseElementPolicy::Insert;
        if !is_asked_for || document.base.source == BaseSource::Embedded {
            return None;
        }
        let url = document.written.as_ref()?.base();
        Some(without_fragment(url).to_owned())
    }

    /// The encoding in which the query of a reference is percent-encoded.
    fn query_encoding(&self, rule: LinkRule) -> &'static Encoding {
        if is_encoded_in_utf_8(rule) {
            UTF_8
        } else {
            self.encoding
        }
    }

    /// Whether a reference of that rule may stay because it is nothing but a fragment.
    pub(super) fn may_be_kept_as_fragment(&self, rule: LinkRule) -> bool {
        rule.fragment_only == FragmentOnly::Local
            || self.settings.fragments != FragmentPolicy::Resolve
    }

    fn keeps_base_element(&self, rule: LinkRule) -> bool {
        rule.is_base_element() && self.settings.base_element == BaseElementPolicy::Keep
    }

    /// The URL of the document itself, without fragment, if it matters.
    fn own_url(&self) -> Option<&str> {
        let resolved = || {
            let url = self.retrieval.as_deref()?;
            let resolver = Resolver::new(url.trim_ascii(), self.settings.profile).ok()?;
            Some(without_fragment(resolver.base()).to_owned())
        };
        self.own_url.get_or_init(resolved).as_deref()
    }

    /// Whether fragment-only references stay, which resolve against `resolution_base`.
    fn keeps_fragments(&self, resolution_base: Option<&ResolutionBase>) -> bool {
        match self.settings.fragments {
            FragmentPolicy::Resolve => false,
            FragmentPolicy::Keep => true,
            FragmentPolicy::Auto => resolution_base.is_some_and(|resolution_base| {
                self.own_url() == Some(without_fragment(resolution_base.resolver.base()))
            }),
        }
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

/// Whether the reference is a `data:` URL, which needs no base and may be very long.
pub(super) fn is_data(reference: &str) -> bool {
    reference
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}
