//! [`LinkResolver`]: chooses the base URL of a reference and determines its outcome.
//!
//! # Base URLs
//!
//! A row of the link table has a [`BaseRule`]. Most links resolve against the base URL of the document. A BASE element
//! itself resolves against the fallback base URL, the one the document would have without BASE. Some legacy elements
//! resolve against their `codebase` attribute. Each of these is a [`ResolutionBase`].
//!
//! # Outcome
//!
//! [`LinkResolver::outcome`] applies the policies in a fixed order. The first that matches determines the result:
//!
//! 1. empty references without a meaning;
//! 2. `data:` URLs;
//! 3. exclusions, a BASE that is to be kept, and image candidates that browsers ignore;
//! 4. references that are too long, and template placeholders: in the reference and then in `codebase` or earlier in
//!    the list;
//! 5. fragment-only references that are to be kept;
//! 6. resolution (which needs a base URL) or normalization, then mapping and output form;
//! 7. markup that an unclosed quote swallowed, if the reference would change.
//!
//! The simple path (`rewrite::simple`) handles references to which none of the policies 1 to 5 can apply. Mappings,
//! relative output and placeholders that it might accept are ruled out once for the document
//! ([`LinkResolver::allows_simple`]), the other policies for each reference.
//!
//! An absolute reference that is excluded or contains a placeholder is [`Outcome::Absolute`], not skipped, because it
//! did not have to be resolved.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::bases::DocumentBases;
use super::dangling_markup::is_dangling_markup;
use super::options::Rewriter;
use super::options::{AbsoluteReferences, BaseElementPolicy, FragmentPolicy};
use super::report::{Outcome, SkipReason};
use super::resolution_base::{BaseInOutput, ContentBase, ResolutionBase};
use super::value_owner::ValueOwner;
use crate::base::{Base, BaseCandidates, BaseSource};
use crate::encoding::Confidence;
use crate::find::starts_with_ignore_case;
use crate::grammar::{Notation, ReferenceToken, single};
use crate::link::{BaseRule, Empty, FragmentOnly, LinkRule, SelectedRule};
use crate::markup::BaseElement;
use crate::reference::{Reference, Resolver, is_absolute, is_url, split_fragment, stripped};

/// Length in bytes of the longest reference that is resolved. Servers accept a sixteenth of it, and escaping makes some
/// references nine times as long.
pub(crate) const LONGEST_REFERENCE: usize = 128 << 10;

/// Determines the outcome of each reference of one document. A clone shares the base URLs.
#[derive(Clone)]
pub(crate) struct LinkResolver<'s> {
    pub(crate) settings: &'s Rewriter,
    /// The base URL of the document. References resolve against it unless their [`BaseRule`] determines another one.
    pub(crate) document_base: Option<Arc<ResolutionBase>>,
    /// The base URL that the document would have without BASE.
    pub(crate) fallback_base: Option<Arc<ResolutionBase>>,
    /// Whether this is the resolver of a part of a document that has an `xml:base`.
    pub(crate) is_scoped: bool,
    /// The base URL outside that part; `None` for a whole document.
    pub(crate) outer_base: Option<Arc<ResolutionBase>>,
    /// The base URL of content of a feed, if it is not `document_base`.
    pub(crate) content: ContentBase,
    /// Whether there is a base URL that is longer than the settings allow. `document_base` is `None` then.
    pub(crate) is_base_too_long: bool,
    pub(crate) encoding: &'static Encoding,
    /// The confidence in `encoding`. It is tentative only for a document of ASCII characters, which are no evidence for
    /// an encoding; see [`undecided_query`](Self::undecided_query).
    pub(crate) confidence: Confidence,
    /// Whether every target that [`Resolver::split_target`] returns is the text to write.
    ///
    /// `true` if targets are written without mappings and in absolute form, and the shortcut accepts no reference that
    /// contains a placeholder.
    pub(crate) allows_simple: bool,
    /// The retrieval URL of the document; `None` if it is unknown, or unless the policy is [`FragmentPolicy::Auto`].
    pub(crate) retrieval_url: Option<Arc<str>>,
    /// `retrieval_url` as the profile writes it, without fragment. Most documents never need it.
    pub(crate) document_url: OnceCell<Option<String>>,
}

impl<'s> LinkResolver<'s> {
    /// Creates the resolver for a document with these `bases`.
    ///
    /// `candidates` must be those from which `bases` were established, BASE elements excepted.
    pub(crate) fn new(
        settings: &'s Rewriter,
        bases: &DocumentBases,
        candidates: &BaseCandidates<'_>,
        encoding: &'static Encoding,
    ) -> Self {
        let is_needed = settings.fragments == FragmentPolicy::Auto;
        let retrieval_url = candidates.of(BaseSource::Retrieval).filter(|_| is_needed);
        Self {
            retrieval_url: retrieval_url.map(Arc::from),
            ..Self::with_container(settings, bases, encoding, None)
        }
    }

    /// Returns the resolver for a document that is a value; `elements` are the BASE elements of that document, and
    /// `container` is the base URL that it inherits.
    ///
    /// # Source
    /// RFC 1808 section 3.2: the outer document is an encapsulating entity. HTML, "fallback base URL", has the same
    /// rule. HTML, "determining the character encoding": the inner document is UTF-8.
    pub(crate) fn nested(
        &self,
        container: Option<&Arc<ResolutionBase>>,
        elements: &[BaseElement],
    ) -> Self {
        // In another encoding, the query of the base URL has to be encoded anew.
        if elements.is_empty() && self.encoding == UTF_8 {
            return self.inheriting(container);
        }
        let mut candidates = BaseCandidates::new();
        if let Some(container) = container {
            candidates = candidates.with(BaseSource::EncapsulatingEntity, &container.base.url);
        }
        let bases = DocumentBases::establish(elements, &candidates, self.settings);
        // Without this, the base URL would count as unknown.
        let inherits_long_base = self.is_base_too_long && bases.report.base.is_none();
        let container =
            container.and_then(|resolution_base| resolution_base.output_resolver.as_ref());
        let mut nested = Self::with_container(self.settings, &bases, UTF_8, container);
        nested.is_base_too_long |= inherits_long_base;
        nested
    }

    /// Returns the resolver for a document without BASE that is a value and inherits the base URL `container`.
    fn inheriting(&self, container: Option<&Arc<ResolutionBase>>) -> Self {
        let source = BaseSource::EncapsulatingEntity;
        let inherited = container.map(|container| {
            if container.base.source == source {
                return Arc::clone(container);
            }
            let url = container.base.url.clone();
            Arc::new(ResolutionBase {
                base: Arc::new(Base { url, source }),
                ..ResolutionBase::clone(container)
            })
        });
        Self {
            settings: self.settings,
            fallback_base: inherited.clone(),
            is_scoped: false,
            outer_base: None,
            content: ContentBase::default(),
            is_base_too_long: self.is_base_too_long && inherited.is_none(),
            document_base: inherited,
            encoding: UTF_8,
            confidence: Confidence::Certain,
            allows_simple: self.allows_simple,
            retrieval_url: None,
            document_url: OnceCell::new(),
        }
    }

    /// Returns the base URL of a document that is the value of a link with that rule.
    pub(crate) fn container(&self, rule: LinkRule) -> Option<&Arc<ResolutionBase>> {
        let content_base = match rule.base_rule {
            BaseRule::Content => self.content_base(),
            _ => None,
        };
        content_base.or(self.document_base.as_ref())
    }

    /// Creates a resolver; `container` is the base URL of the outer document in the output.
    fn with_container(
        settings: &'s Rewriter,
        bases: &DocumentBases,
        encoding: &'static Encoding,
        container: Option<&Resolver>,
    ) -> Self {
        let mut resolver = Self {
            settings,
            document_base: None,
            fallback_base: None,
            is_scoped: false,
            outer_base: None,
            content: ContentBase::default(),
            is_base_too_long: bases
                .report
                .base
                .as_ref()
                .is_some_and(|base| settings.is_base_too_long(&base.url)),
            encoding,
            confidence: Confidence::Certain,
            allows_simple: settings.writes_targets_verbatim()
                && settings.placeholders.never_match_shortcut(),
            retrieval_url: None,
            document_url: OnceCell::new(),
        };
        let resolution_base = |base: &Base, in_output: BaseInOutput| {
            let mut resolution_base =
                resolver.resolution_base(base.clone(), bases.resolver_of(base), in_output)?;
            // The base URL is inherited from the outer document, and so is its form in the output.
            if base.source == BaseSource::EncapsulatingEntity && container.is_some() {
                resolution_base.output_resolver = container.cloned();
            }
            Some(resolution_base)
        };
        // An inserted BASE changes the document's base URL in the output, but not the fallback base URL.
        let is_same = bases.fallback == bases.report.base
            && settings.base_element != BaseElementPolicy::Insert;
        let fallback_base = match &bases.fallback {
            Some(base) if !is_same => resolution_base(base, BaseInOutput::Unchanged),
            _ => None,
        };
        let mut document_base = bases.report.base.as_ref().and_then(|base| {
            let is_written = match base.source {
                BaseSource::Embedded => bases.writes_base,
                _ => settings.base_element == BaseElementPolicy::Insert,
            };
            resolution_base(base, BaseInOutput::if_written(is_written))
        });
        // Once BASE is removed, a reader of the output resolves against the fallback base URL.
        if let Some(document_base) = &mut document_base
            && document_base.base.source == BaseSource::Embedded
            && bases.writes_base
            && settings.base_element == BaseElementPolicy::Remove
        {
            document_base.output_resolver = fallback_base
                .as_ref()
                .and_then(|fallback_base| fallback_base.output_resolver.clone());
        }
        if let Some(document_base) = document_base.as_mut().filter(|_| bases.is_contested) {
            // Every reference is absolute then, which no base URL can change.
            document_base.output_resolver = None;
        }
        resolver.document_base = document_base.map(Arc::new);
        resolver.fallback_base = if is_same {
            resolver.document_base.clone()
        } else {
            fallback_base.map(Arc::new)
        };
        resolver
    }

    /// Prepares `base` for resolving; returns `None` if it is too long or nothing can be resolved against it.
    ///
    /// `known` is a resolver for the same URL, if there is one already.
    pub(crate) fn resolution_base(
        &self,
        base: Base,
        known: Option<Resolver>,
        in_output: BaseInOutput,
    ) -> Option<ResolutionBase> {
        if self.settings.is_base_too_long(&base.url) {
            return None;
        }
        let output_url = match in_output {
            BaseInOutput::Mapped => self.settings.mapped(Cow::Borrowed(&base.url)),
            BaseInOutput::Unchanged => Cow::Borrowed(&*base.url),
        };
        let resolver = match known {
            Some(known) => self.configured(known, base.source),
            None => self.resolver(&base.url, base.source)?,
        };
        let output_resolver = match output_url {
            // No mapping applies: the URL is the same.
            Cow::Borrowed(_) => Some(resolver.clone()),
            Cow::Owned(url) => self.resolver(&url, base.source),
        };
        Some(ResolutionBase {
            is_literal_in_markup: resolver.is_literal_in_markup(),
            is_literal_in_css: resolver.is_literal_in_css(),
            utf_8_resolver: (self.encoding != UTF_8)
                .then(|| resolver.clone().document_encoding(UTF_8)),
            resolver,
            output_resolver,
            base: Arc::new(base),
        })
    }

    /// Creates a resolver for `url` with the settings of this document; returns `None` if `url` cannot be a base URL.
    fn resolver(&self, url: &str, source: BaseSource) -> Option<Resolver> {
        let resolver = Resolver::new(url, self.settings.profile).ok()?;
        Some(self.configured(resolver, source))
    }

    /// Applies the settings of this document to `resolver`, whose base URL comes from `source`.
    fn configured(&self, resolver: Resolver, source: BaseSource) -> Resolver {
        // A URL from outside the document is not written in the document's encoding.
        let base_encoding = match source {
            BaseSource::Embedded => self.encoding,
            BaseSource::EncapsulatingEntity | BaseSource::Retrieval | BaseSource::Default => UTF_8,
        };
        resolver
            .escape(self.settings.escape)
            .query_encodings(self.encoding, base_encoding)
    }

    /// Returns the base URL of the references of a value, or `None` if none is known.
    ///
    /// # Errors
    /// No relative reference of the value can be resolved: the base URL is too long, or the `codebase` of the element
    /// contains a template placeholder.
    pub(crate) fn base_for(
        &self,
        rule: LinkRule,
        owner: &ValueOwner<'_, '_, '_>,
    ) -> Result<Option<Cow<'_, ResolutionBase>>, SkipReason> {
        let document_base = || match &self.document_base {
            None if self.is_base_too_long => Err(SkipReason::BaseTooLong),
            document_base => Ok(document_base.as_deref().map(Cow::Borrowed)),
        };
        match rule.base_rule {
            BaseRule::Document | BaseRule::Content | BaseRule::Identifier => document_base(),
            BaseRule::Outer if self.is_scoped => Ok(self.outer_base.as_deref().map(Cow::Borrowed)),
            BaseRule::Fallback | BaseRule::Outer => {
                Ok(self.fallback_base.as_deref().map(Cow::Borrowed))
            }
            BaseRule::Codebase => match (owner.value_of)("codebase") {
                Some(value) if self.settings.placeholders.are_contained_in(&value) => {
                    Err(SkipReason::Placeholder)
                }
                None => document_base(),
                // An invalid `codebase` is ignored.
                Some(value) => match self.codebase(&value, owner)? {
                    None => document_base(),
                    codebase => Ok(codebase.map(Cow::Owned)),
                },
            },
        }
    }

    /// Resolves the value of the `codebase` attribute of `owner`, which is the base URL of its element; returns `None`
    /// if it is invalid.
    ///
    /// # Errors
    /// [`SkipReason::BaseTooLong`]: the base URL of the document or of the element is.
    fn codebase(
        &self,
        value: &str,
        owner: &ValueOwner<'_, '_, '_>,
    ) -> Result<Option<ResolutionBase>, SkipReason> {
        // `codebase` is a link itself, so the mappings apply to it unless it is excluded.
        let (namespace, element, value_of) = (owner.namespace, owner.element, owner.value_of);
        let settings = self.settings;
        let is_written = settings.is_rewritable(namespace, element, "codebase", value_of);
        let span = single(value);
        let value = &value[span.start..span.end];
        let url = if is_absolute(value, self.settings.profile) {
            value.to_owned()
        } else if self.is_base_too_long {
            return Err(SkipReason::BaseTooLong);
        } else {
            let document_base = self.document_base.as_ref();
            let resolved = document_base.map(|base| base.resolver.resolve(value));
            let Some(Ok(url)) = resolved else {
                return Ok(None);
            };
            url.into_owned()
        };
        if settings.is_base_too_long(&url) {
            return Err(SkipReason::BaseTooLong);
        }
        let base = Base {
            url,
            source: BaseSource::Embedded,
        };
        Ok(self.resolution_base(base, None, BaseInOutput::if_written(is_written)))
    }

    /// Determines the outcome of the reference of `token`, which resolves against `resolution_base`.
    pub(crate) fn outcome(
        &self,
        selected: SelectedRule,
        token: &ReferenceToken<'_>,
        resolution_base: Result<Option<&ResolutionBase>, SkipReason>,
    ) -> Outcome {
        let SelectedRule { rule, is_excluded } = selected;
        let reference = &*token.reference;
        let profile = self.settings.profile;
        if reference.is_empty() && rule.empty == Empty::Nothing {
            return Outcome::Skipped(SkipReason::Empty);
        }
        if is_data(reference) {
            // A `data:` URL is never normalized, mapped or searched for placeholders: it may be megabytes long.
            return Outcome::Absolute;
        }
        let is_absolute = match resolution_base {
            Ok(None) => is_url(reference, profile),
            _ => is_absolute(reference, profile),
        };
        let not_resolved = |reason| {
            if is_absolute {
                Outcome::Absolute
            } else {
                Outcome::Skipped(reason)
            }
        };
        if is_excluded || self.keeps_base_element(rule) {
            return not_resolved(SkipReason::Excluded);
        }
        if token.notation == Notation::InvalidCandidate {
            return Outcome::Skipped(SkipReason::InvalidCandidate);
        }
        if rule.base_rule == BaseRule::Identifier {
            return not_resolved(SkipReason::Identifier);
        }
        if reference.len() > LONGEST_REFERENCE {
            return not_resolved(SkipReason::Malformed);
        }
        if self.settings.placeholders.are_contained_in(reference) {
            return not_resolved(SkipReason::Placeholder);
        }
        // The URL parser drops line breaks, so "\n#a" is fragment-only too. A closure: few cases need the answer.
        let is_fragment_only =
            || Reference::split(&stripped(reference), profile).is_fragment_only();
        let resolution_base = match resolution_base {
            Ok(resolution_base) => resolution_base,
            Err(reason) => return not_resolved(reason),
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
        let undecided = self.undecided_query(rule, reference);
        let decided = &reference[..reference.len() - undecided.len()];
        let target = match (is_absolute, resolution_base) {
            (true, _) if self.settings.absolute == AbsoluteReferences::Normalize => {
                self.normalized(rule, decided)
            }
            (true, _) => Ok(Cow::Borrowed(decided)),
            (false, Some(resolution_base)) => resolution_base.resolver_for(rule).resolve(decided),
            (false, None) => return Outcome::Skipped(SkipReason::NoBase),
        };
        let target = match target {
            Ok(target) => target,
            Err(error) => return Outcome::Skipped(error.into()),
        };
        let is_never_requested = is_dangling_markup(reference, &target);
        let output_base =
            resolution_base.and_then(|resolution_base| resolution_base.output_resolver.as_ref());
        let target = self.settings.written_form(rule, target, output_base, token);
        let target = match resolution_base {
            Some(ResolutionBase { base, .. }) => self
                .settings
                .without_unknown_scheme(reference, target, &base.url),
            None => target,
        };
        let target = if undecided.is_empty() {
            target
        } else {
            target + undecided
        };
        // An absolute reference counts as resolved only if a mapping, normalization or the output form changed it.
        if is_absolute && target == reference {
            Outcome::Absolute
        } else if is_never_requested {
            Outcome::Skipped(SkipReason::DanglingMarkup)
        } else {
            Outcome::Resolved(target.into_owned())
        }
    }

    /// Returns the `href` of the BASE that is to be inserted, or `None` if none is.
    pub(crate) fn inserted_base(&self) -> Option<String> {
        let document_base = self.document_base.as_ref()?;
        let is_requested = self.settings.base_element == BaseElementPolicy::Insert;
        // A base URL that comes from BASE is in the document already.
        if !is_requested || document_base.base.source == BaseSource::Embedded {
            return None;
        }
        let url = document_base.output_resolver.as_ref()?.base();
        Some(split_fragment(url).0.to_owned())
    }

    /// Returns whether a fragment-only reference of that rule may be kept.
    ///
    /// The test is conservative and cheap: [`outcome`](Self::outcome) decides.
    pub(crate) fn may_keep_fragment(&self, rule: LinkRule) -> bool {
        rule.fragment_only == FragmentOnly::Local
            || self.settings.fragments != FragmentPolicy::Resolve
    }

    /// Returns whether the link is the `href` of BASE and is left unchanged by the settings.
    fn keeps_base_element(&self, rule: LinkRule) -> bool {
        rule.is_base_element() && self.settings.base_element == BaseElementPolicy::Keep
    }

    /// Returns the URL of the document without fragment, or `None` if it is not known or not needed.
    fn document_url(&self) -> Option<&str> {
        let resolved = || {
            let url = self.retrieval_url.as_deref()?;
            let resolver = Resolver::new(url.trim_ascii(), self.settings.profile).ok()?;
            Some(split_fragment(resolver.base()).0.to_owned())
        };
        self.document_url.get_or_init(resolved).as_deref()
    }

    /// Returns whether fragment-only references that resolve against `resolution_base` are kept.
    fn keeps_fragments(&self, resolution_base: Option<&ResolutionBase>) -> bool {
        match self.settings.fragments {
            FragmentPolicy::Resolve => false,
            FragmentPolicy::Keep => true,
            FragmentPolicy::Auto => resolution_base.is_some_and(|resolution_base| {
                self.document_url() == Some(split_fragment(resolution_base.resolver.base()).0)
            }),
        }
    }
}

/// Returns whether `reference` is a `data:` URL, which needs no base URL and may be very long.
fn is_data(reference: &str) -> bool {
    starts_with_ignore_case(reference.as_bytes(), b"data:")
}
