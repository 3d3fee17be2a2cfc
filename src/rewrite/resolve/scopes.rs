//! [`ScopeResolvers`]: the resolvers of the parts of an XML document that have base URLs of their own, from `xml:base`
//! or from the link of an item of a feed.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::LinkResolver;
use super::resolution_base::{BaseInOutput, ContentBase, ResolutionBase};
use crate::base::{Base, BaseSource, CandidateStatus, inner_base};
use crate::markup::tokens::ElementScope;
use crate::reference::Resolver;
use crate::settings::BaseElementPolicy;

/// The resolvers of the scopes around the current element, outermost first.
///
/// Scopes are entered in document order, so a resolver is created once for each scope, or once more if elements of the
/// scope follow an inner one that was left together with it.
pub(crate) struct ScopeResolvers<'r, 's> {
    document: LinkResolver<'s>,
    scopes: &'r [ElementScope],
    /// The scopes other than that of the document, each with its index.
    path: Vec<(u32, LinkResolver<'s>)>,
}

impl<'r, 's> ScopeResolvers<'r, 's> {
    /// Creates the resolvers for a document whose own resolver is `document`.
    pub(crate) fn new(document: &LinkResolver<'s>, scopes: &'r [ElementScope]) -> Self {
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
    pub(crate) fn enter(&mut self, scope: u32) -> &LinkResolver<'s> {
        let length = self.path_to(scope);
        self.path.truncate(length);
        self.innermost()
    }

    /// Makes the path lead through the scope with that index, and returns the length of the path up to it.
    ///
    /// The reader limits the number of scopes within each other, and so the depth of the recursion.
    fn path_to(&mut self, scope: u32) -> usize {
        if scope == 0 {
            return 0;
        }
        if let Some(index) = self.path.iter().position(|(known, _)| *known == scope) {
            return index + 1;
        }
        let inner = &self.scopes[scope as usize];
        let length = self.path_to(inner.parent);
        self.path.truncate(length);
        let resolver = self.innermost().in_scope(inner);
        self.path.push((scope, resolver));
        length + 1
    }

    /// Returns the resolver at the end of the path.
    fn innermost(&self) -> &LinkResolver<'s> {
        let last = self.path.last();
        last.map_or(&self.document, |(_, resolver)| resolver)
    }
}

impl LinkResolver<'_> {
    /// Returns the resolver for the elements of `scope`, given the resolver for the elements around it.
    fn in_scope(&self, scope: &ElementScope) -> Self {
        let mut scoped = match &scope.xml_base {
            Some(xml_base) => self.with_xml_base(xml_base),
            None => self.clone(),
        };
        let document_base = scoped.document_base.as_ref();
        // An `xml:base` takes precedence.
        if scope.link.is_some()
            && document_base.is_none_or(|base| base.base.source != BaseSource::Embedded)
        {
            scoped.content = Rc::new(ContentBase {
                link: scope.link.clone(),
                inherited: self.content_base().cloned(),
                established: OnceCell::new(),
            });
        }
        scoped
    }

    /// Returns the base URL of content: that of the link of its item or feed. `None` if there is none, or it is no base
    /// URL.
    ///
    /// # Source
    /// RSS 2.0, "Elements of `<item>`": the link is the URL of the item; "Required channel elements": that of the
    /// channel is the URL of its website. RFC 1808 section 3.2, RFC 3986 section 5.1.2: content has the base URL of the
    /// entity that encapsulates it.
    pub(crate) fn content_base(&self) -> Option<&Arc<ResolutionBase>> {
        let ContentBase {
            link,
            inherited,
            established,
        } = &*self.content;
        let establish = || {
            self.base_of_link(link.as_deref()?)
                .or_else(|| inherited.clone())
        };
        established.get_or_init(establish).as_ref()
    }

    /// Returns the base URL of content of an item or feed that has this link.
    fn base_of_link(&self, link: &str) -> Option<Arc<ResolutionBase>> {
        let (base, known) = self
            .inner_base(BaseSource::EncapsulatingEntity, link)
            .ok()?;
        // The link is written, too.
        self.resolution_base(base, Some(known), BaseInOutput::Mapped)
            .map(Arc::new)
    }

    /// Returns the base URL that `value` declares for a part of this document, and its resolver.
    ///
    /// # Errors
    /// The reason why it is not a base URL.
    fn inner_base(
        &self,
        source: BaseSource,
        value: &str,
    ) -> Result<(Base, Resolver), CandidateStatus> {
        let settings = self.settings;
        let outer = self.document_base.as_deref().map(|outer| &outer.resolver);
        inner_base(
            (source, settings.unwrap.original(value)),
            outer,
            settings.profile,
            &settings.placeholders,
        )
    }

    /// Returns the resolver for an element with this `xml:base`, given the resolver for its parent.
    ///
    /// An `xml:base` that cannot be a base URL has no effect.
    ///
    /// # Source
    /// XML Base (Second Edition), section 4.2; RFC 1808 section 3.1.
    fn with_xml_base(&self, xml_base: &str) -> Self {
        let settings = self.settings;
        let inner = self.inner_base(BaseSource::Embedded, xml_base);
        let mut scoped = Self {
            document_base: None,
            outer_base: self.document_base.clone(),
            content: Rc::default(),
            is_base_too_long: self.is_base_too_long && inner.is_err(),
            ..self.clone()
        };
        let (base, known) = match inner {
            Ok(inner) => inner,
            // The base URL is unknown.
            Err(CandidateStatus::Placeholder) => return scoped,
            Err(_) => {
                scoped.document_base.clone_from(&self.document_base);
                scoped.content.clone_from(&self.content);
                return scoped;
            }
        };
        scoped.is_base_too_long = settings.is_base_too_long(&base.url);
        let in_output = BaseInOutput::if_written(settings.base_element != BaseElementPolicy::Keep);
        let mut document_base = self.resolution_base(base, Some(known), in_output);
        if let Some(document_base) = &mut document_base
            && settings.base_element == BaseElementPolicy::Remove
        {
            let outer = self.document_base.as_ref();
            document_base.output_resolver = outer.and_then(|outer| outer.output_resolver.clone());
        }
        scoped.document_base = document_base.map(Arc::new);
        scoped
    }
}
