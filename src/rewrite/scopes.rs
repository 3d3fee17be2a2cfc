//! [`ScopeResolvers`]: the resolvers of the parts of an XML document that have base URLs of their own, from `xml:base`
//! or from the link of an item of a feed.

use std::cell::OnceCell;

use super::options::BaseElementPolicy;
use super::resolve::{BaseInOutput, LinkResolver};
use crate::base::{BaseCandidates, BaseSource};
use crate::html::tokens::ElementScope;

/// The resolvers of the scopes around the current element, outermost first.
///
/// Scopes are entered in document order, so a resolver is created once for each scope, or once more if elements of the
/// scope follow an inner one that was left together with it.
pub(super) struct ScopeResolvers<'r, 's> {
    document: LinkResolver<'s>,
    scopes: &'r [ElementScope],
    /// The scopes other than that of the document, each with its index.
    path: Vec<(u32, LinkResolver<'s>)>,
}

impl<'r, 's> ScopeResolvers<'r, 's> {
    /// Creates the resolvers for a document whose own resolver is `document`.
    pub(super) fn new(document: &LinkResolver<'s>, scopes: &'r [ElementScope]) -> Self {
        let document = match scopes.first() {
            Some(scope) => document.in_scope(scope),
            None => document.clone(),
        };
        Self {
            document,
            scopes,
            path: Vec::new(),
        }
    }

    /// Returns the resolver of the scope with that index.
    pub(super) fn enter(&mut self, scope: u32) -> &LinkResolver<'s> {
        let mut missing = Vec::new();
        let mut current = scope;
        let known = loop {
            if current == 0 {
                break 0;
            }
            // The reader limits the number of scopes within each other.
            if let Some(index) = self.path.iter().position(|(known, _)| *known == current) {
                break index + 1;
            }
            missing.push(current);
            current = self.scopes[current as usize].parent;
        };
        self.path.truncate(known);
        for &scope in missing.iter().rev() {
            let outer = self.path.last().map_or(&self.document, |(_, outer)| outer);
            let resolver = outer.in_scope(&self.scopes[scope as usize]);
            self.path.push((scope, resolver));
        }
        self.path
            .last()
            .map_or(&self.document, |(_, resolver)| resolver)
    }
}

impl LinkResolver<'_> {
    /// Returns the resolver for the elements of `scope`, given the resolver for the elements around it.
    fn in_scope(&self, scope: &ElementScope) -> Self {
        let mut scoped = match &scope.xml_base {
            Some(xml_base) => self.with_xml_base(xml_base),
            None => self.clone(),
        };
        if let Some(link) = &scope.link {
            scoped.set_content_base(link);
        }
        scoped
    }

    /// Sets the base URL of content to the link of its item or feed, unless an `xml:base` applies.
    ///
    /// # Source
    /// RSS defines no base URL for content. Feed readers use the link of the item, because the content is that of the
    /// page that it leads to.
    fn set_content_base(&mut self, link: &str) {
        let settings = self.settings;
        let document_base = self.document_base.as_ref();
        if document_base.is_some_and(|base| base.base.source == BaseSource::Embedded) {
            return;
        }
        let mut candidates = BaseCandidates::new().with(BaseSource::EncapsulatingEntity, link);
        if let Some(base) = document_base {
            candidates = candidates.with(BaseSource::EncapsulatingEntity, &base.base.url);
        }
        let (report, known) = candidates.explain_with(settings.profile, &settings.placeholders);
        let first = report.candidates.first();
        if first.is_some_and(|candidate| candidate.status.is_used())
            && let Some(base) = report.base
        {
            // The link is written, too.
            let content_base = self.resolution_base(&base, known, BaseInOutput::Mapped);
            if content_base.is_some() {
                self.content_base = content_base;
            }
        }
    }

    /// Returns the resolver for an element with this `xml:base`, given the resolver for its parent.
    ///
    /// An `xml:base` that cannot be a base URL has no effect.
    ///
    /// # Source
    /// XML Base (Second Edition), section 4.2; RFC 1808 section 3.1.
    fn with_xml_base(&self, xml_base: &str) -> Self {
        let settings = self.settings;
        let mut candidates = BaseCandidates::new().with(BaseSource::Embedded, xml_base);
        if let Some(outer) = &self.document_base {
            candidates = candidates.with(outer.base.source, &outer.base.url);
        }
        let (report, known) = candidates.explain_with(settings.profile, &settings.placeholders);
        let first = report.candidates.first();
        let is_used = first.is_some_and(|candidate| candidate.status.is_used());
        let mut scoped = Self {
            settings,
            document_base: None,
            fallback_base: self.fallback_base.clone(),
            is_scoped: true,
            outer_base: self.document_base.clone(),
            content_base: None,
            is_base_too_long: self.is_base_too_long && !is_used,
            encoding: self.encoding,
            allows_simple: self.allows_simple,
            retrieval_url: self.retrieval_url.clone(),
            document_url: OnceCell::new(),
        };
        let Some(base) = report.base else {
            return scoped;
        };
        if !is_used {
            scoped.document_base.clone_from(&self.document_base);
            scoped.content_base.clone_from(&self.content_base);
            return scoped;
        }
        scoped.is_base_too_long = settings.is_base_too_long(&base.url);
        let in_output = BaseInOutput::if_written(settings.base_element != BaseElementPolicy::Keep);
        scoped.document_base = self.resolution_base(&base, known, in_output);
        if let Some(document_base) = &mut scoped.document_base
            && settings.base_element == BaseElementPolicy::Remove
        {
            let outer = self.document_base.as_ref();
            document_base.output_resolver = outer.and_then(|outer| outer.output_resolver.clone());
        }
        scoped
    }
}
