//! The base URLs that containers provide for documents, shared by all documents to which they apply.
//!
//! A URL is stored once, however many documents inherit it. [`UrlBudget`] limits the total length of the URLs that
//! result from resolving, so the memory for a container is bounded by its length.

use std::mem;
use std::sync::Arc;

use absolve::resolution::is_absolute;
use absolve::{BaseCandidates, BaseSource, Profile};

use crate::container::{ContainerError, ContainerErrorKind};

/// The maximum length of a URL in a header field, in bytes; longer ones are ignored.
pub(super) const MAX_URL: usize = 1 << 13;

/// The maximum total length of the URLs to which the relative URLs in header fields of a container resolve, in bytes.
const MAX_DERIVED: usize = 1 << 23;

/// The maximum total length of the base URLs of encapsulating entities of one document, in bytes.
const MAX_CANDIDATES: usize = 1 << 14;

/// A base URL that a container provides for a document.
#[derive(Debug, Clone)]
pub(super) struct BaseUrl {
    pub(super) source: BaseSource,
    pub(super) url: Arc<str>,
}

impl BaseUrl {
    /// Creates a base URL. Returns `None` if `url` is too long, or if it has the scheme `thismessage:`, which denotes
    /// that there is no base URL (RFC 2557 section 5) and must not be written into a document.
    pub(super) fn new(source: BaseSource, url: &Arc<str>) -> Option<Self> {
        let is_usable = url.len() <= MAX_URL && !is_this_message(url);
        is_usable.then(|| Self {
            source,
            url: Arc::clone(url),
        })
    }

    /// Returns this URL resolved against `outer`, the base URL of the enclosing entities; `None` if that is
    /// impossible.
    pub(super) fn establish(&self, outer: Option<&str>) -> Option<Arc<str>> {
        let mut candidates = BaseCandidates::new().with(self.source, &self.url);
        if let Some(outer) = outer {
            candidates = candidates.with(BaseSource::Retrieval, outer);
        }
        let given = candidates.establish(Profile::Rfc3986)?;
        (given.source == self.source).then(|| self.shared(given.url))
    }

    /// Returns `url` as a shared string, without a copy if it equals this URL.
    fn shared(&self, url: String) -> Arc<str> {
        if *url == *self.url {
            Arc::clone(&self.url)
        } else {
            Arc::from(url)
        }
    }
}

/// Returns whether a URL has the scheme that RFC 2557 section 5 defines for messages without a base URL.
pub(super) fn is_this_message(url: &str) -> bool {
    url.get(.."thismessage:".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("thismessage:"))
}

/// Base URLs in order of precedence: a persistent list, whose tail is shared with the documents of the same outer
/// entities.
#[derive(Debug, Clone, Default)]
pub(super) struct BaseList(Option<Arc<BaseNode>>);

#[derive(Debug)]
struct BaseNode {
    base: BaseUrl,
    /// The base URLs of lower precedence.
    outer: BaseList,
}

impl BaseList {
    /// Returns the list of the retrieval URL `url`; empty if there is none or it is unusable.
    pub(super) fn retrieved_from(url: Option<&Arc<str>>) -> Self {
        Self::default().prepend(url.and_then(|url| BaseUrl::new(BaseSource::Retrieval, url)))
    }

    /// Returns a list of the base URLs `nearer`, followed by those of this list.
    pub(super) fn prepend<I>(&self, nearer: I) -> Self
    where
        I: IntoIterator<Item = BaseUrl, IntoIter: DoubleEndedIterator>,
    {
        nearer.into_iter().rev().fold(self.clone(), |outer, base| {
            Self(Some(Arc::new(BaseNode { base, outer })))
        })
    }

    /// Iterates over the base URLs that count. Of those of encapsulating entities, only the nearest count, up to a
    /// total length of [`MAX_CANDIDATES`].
    fn iter(&self) -> impl Iterator<Item = &BaseUrl> {
        let mut budget = Some(MAX_CANDIDATES);
        let nearest = self.0.as_ref();
        std::iter::successors(nearest, |nearest| nearest.outer.0.as_ref())
            .map(|nearest| &nearest.base)
            .filter(move |base| {
                if base.source != BaseSource::EncapsulatingEntity {
                    return true;
                }
                budget = budget.and_then(|budget| budget.checked_sub(base.url.len()));
                budget.is_some()
            })
    }

    /// Returns the base URLs as candidates.
    pub(super) fn candidates(&self) -> BaseCandidates<'_> {
        let urls = self.iter().map(|base| (base.source, &*base.url));
        BaseCandidates::new().with_all(urls)
    }

    /// Returns the base URL that the encapsulating entities establish, without the retrieval URL.
    pub(super) fn establish(&self) -> Option<Arc<str>> {
        let source = BaseSource::EncapsulatingEntity;
        let enclosing = || self.iter().filter(|base| base.source == source);
        let urls = enclosing().map(|base| (source, &*base.url));
        let candidates = BaseCandidates::new().with_all(urls);
        let given = candidates.establish(Profile::Rfc3986)?.url;
        let same = enclosing().find(|base| *base.url == *given);
        Some(same.map_or_else(|| Arc::from(given.as_str()), |base| Arc::clone(&base.url)))
    }
}

/// A limit of the URLs to which the relative URLs in header fields of a container resolve, and of the base URLs that
/// its documents inherit.
///
/// A relative URL of one byte resolves to a URL about as long as its base URL, and every part can have one. A document
/// of a few bytes takes the time for a long base URL, and may have a target as long.
#[derive(Debug)]
pub(super) struct UrlBudget {
    left: usize,
    /// Whether a URL was refused.
    pub(super) is_exceeded: bool,
    /// The length that the base URLs of further documents may have together.
    inherited: usize,
    /// Whether a document was refused.
    has_refused: bool,
}

impl UrlBudget {
    /// Returns the budget of a container of `length` bytes.
    pub(super) fn new(length: usize) -> Self {
        Self {
            left: MAX_DERIVED,
            is_exceeded: false,
            inherited: MAX_DERIVED + length,
            has_refused: false,
        }
    }

    /// Returns whether a document with these base URLs may be read. Adds an error to `errors` for the first one that
    /// may not, which is at `offset`.
    pub(super) fn may_inherit(
        &mut self,
        bases: &BaseList,
        offset: usize,
        errors: &mut Vec<ContainerError>,
    ) -> bool {
        let length = bases.iter().map(|base| base.url.len()).sum();
        let left = self.inherited.checked_sub(length);
        self.inherited = left.unwrap_or(self.inherited);
        if left.is_none() && !mem::replace(&mut self.has_refused, true) {
            errors.push(ContainerErrorKind::TooManyEntities.at(offset));
        }
        left.is_some()
    }

    /// Returns whether `written` may be resolved against `outer`: the result is expected to be as long as that.
    pub(super) fn may_resolve(&mut self, written: &str, outer: Option<&str>) -> bool {
        let may_resolve = outer.is_none_or(|outer| outer.len() <= self.left)
            || is_absolute(written, Profile::Rfc3986);
        self.is_exceeded |= !may_resolve;
        may_resolve
    }

    /// Reserves memory for `resolved`, the target of the reference `written`; returns whether it may be kept.
    pub(super) fn reserve(&mut self, written: &str, resolved: &str) -> bool {
        // Such a URL is about as long as the text in the container, so it needs no budget.
        if resolved.len() <= written.len() || is_absolute(written, Profile::Rfc3986) {
            return true;
        }
        let left = self.left.checked_sub(resolved.len());
        let left = left.filter(|_| resolved.len() <= MAX_URL);
        self.is_exceeded |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}
