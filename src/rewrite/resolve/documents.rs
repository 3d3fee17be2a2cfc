//! The [`LinkResolver`] of a document, and of a document that is a value.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::LinkResolver;
use super::document_bases::DocumentBases;
use super::resolution_base::{BaseInOutput, ResolutionBase};
use crate::base::{Base, BaseCandidates, BaseSource};
use crate::encoding::Confidence;
use crate::link::{BaseRule, LinkRule};
use crate::markup::BaseElement;
use crate::reference::{Resolver, split_fragment};
use crate::settings::{BaseElementPolicy, FragmentPolicy, RewriteSettings};

impl<'s> LinkResolver<'s> {
    /// Creates the resolver for a document with these `document_bases`.
    ///
    /// `candidates` must be those from which `document_bases` were established, BASE elements excepted.
    pub(crate) fn new(
        settings: &'s RewriteSettings,
        bases: &DocumentBases,
        candidates: &BaseCandidates<'_>,
        encoding: &'static Encoding,
    ) -> Self {
        let mut resolver = Self::with_container(settings, bases, encoding, None);
        if settings.fragments == FragmentPolicy::Auto
            && let Some(url) = candidates.of(BaseSource::Retrieval)
        {
            let url = settings.unwrap.original(url.trim_ascii());
            let own = Resolver::new(url, settings.profile).ok();
            resolver.document_url = own.map(|own| split_fragment(own.base()).0.into());
        }
        resolver
    }

    /// Creates the resolver for a document that has no base URL.
    fn without_base(settings: &'s RewriteSettings, encoding: &'static Encoding) -> Self {
        Self {
            settings,
            document_base: None,
            fallback_base: None,
            outer_base: None,
            content: Rc::default(),
            is_base_too_long: false,
            encoding,
            confidence: Confidence::Certain,
            allows_simple: settings.writes_targets_verbatim()
                && settings.original.is_none()
                && settings.placeholders.never_match_shortcut(),
            document_url: None,
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
            is_base_too_long: self.is_base_too_long && inherited.is_none(),
            fallback_base: inherited.clone(),
            outer_base: inherited.clone(),
            document_base: inherited,
            ..Self::without_base(self.settings, UTF_8)
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
        settings: &'s RewriteSettings,
        bases: &DocumentBases,
        encoding: &'static Encoding,
        container: Option<&Resolver>,
    ) -> Self {
        let mut resolver = Self::without_base(settings, encoding);
        let base = bases.report.base.as_ref();
        resolver.is_base_too_long = base.is_some_and(|base| settings.is_base_too_long(&base.url));
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
        resolver.outer_base.clone_from(&resolver.fallback_base);
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
            // The document itself is moved.
            BaseInOutput::Unchanged if base.source == BaseSource::Retrieval => {
                (self.settings.moved_url(&base.url)).map_or(Cow::Borrowed(&*base.url), Cow::Owned)
            }
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
}
