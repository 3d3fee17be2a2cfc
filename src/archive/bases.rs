//! The base URLs that containers give documents, shared by all the documents that have them.
//!
//! A URL is held once however many documents inherit it, and the URLs that only resolving makes long are limited by
//! [`UrlBudget`]: what a container takes is bounded by its length.

use std::sync::Arc;

use crate::base::{BaseCandidates, BaseSource};
use crate::reference::{Profile, is_absolute};

/// URLs of header fields that are longer than this are passed over.
pub(super) const MOST_URL: usize = 1 << 13;

/// The URLs that the relative ones in the header fields of one container stand for are this long, all together.
const MOST_DERIVED: usize = 1 << 23;

/// The base URLs of one document that its container gives are this long, all together.
const MOST_CANDIDATES: usize = 1 << 14;

/// A base URL that a container gives a document.
#[derive(Debug, Clone)]
pub(super) struct BaseUrl {
    pub(super) source: BaseSource,
    pub(super) url: Arc<str>,
}

impl BaseUrl {
    /// `None` for a URL that is none to write into a document: too long, or `thismessage:`, which is a name for "no
    /// base URL" (RFC 2557 section 5).
    pub(super) fn new(source: BaseSource, url: &Arc<str>) -> Option<Self> {
        let is_usable = url.len() <= MOST_URL && !is_this_message(url);
        is_usable.then(|| Self {
            source,
            url: Arc::clone(url),
        })
    }

    /// The URL that it gives where everything around gives `outer`.
    pub(super) fn established(&self, outer: Option<&str>) -> Option<Arc<str>> {
        let candidates = BaseCandidates::new().with(self.source, &self.url);
        let candidates = match outer {
            Some(outer) => candidates.with(BaseSource::Retrieval, outer),
            None => candidates,
        };
        let given = candidates.establish(Profile::Rfc3986)?;
        (given.source == self.source).then(|| self.shared(given.url))
    }

    /// A URL that is mostly that of this one.
    fn shared(&self, url: String) -> Arc<str> {
        if *url == *self.url {
            Arc::clone(&self.url)
        } else {
            Arc::from(url)
        }
    }
}

/// Whether a URL has the scheme that RFC 2557 section 5 made up for messages without a base URL.
pub(super) fn is_this_message(url: &str) -> bool {
    url.get(.."thismessage:".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("thismessage:"))
}

/// Base URLs in order of precedence, those of the outer entities shared with the documents beside.
#[derive(Debug, Clone, Default)]
pub(super) struct BaseList(Option<Arc<BaseNode>>);

#[derive(Debug)]
struct BaseNode {
    base: BaseUrl,
    around: BaseList,
}

impl BaseList {
    /// These, and `own` before them.
    pub(super) fn around<I>(&self, own: I) -> Self
    where
        I: IntoIterator<Item = BaseUrl, IntoIter: DoubleEndedIterator>,
    {
        own.into_iter().rev().fold(self.clone(), |around, base| {
            Self(Some(Arc::new(BaseNode { base, around })))
        })
    }

    /// Those that count: of encapsulating entities, the nearest ones.
    fn iter(&self) -> impl Iterator<Item = &BaseUrl> {
        let mut budget = Some(MOST_CANDIDATES);
        let nearest = self.0.as_ref();
        std::iter::successors(nearest, |nearest| nearest.around.0.as_ref())
            .map(|nearest| &nearest.base)
            .filter(move |base| {
                if base.source != BaseSource::EncapsulatingEntity {
                    return true;
                }
                budget = budget.and_then(|budget| budget.checked_sub(base.url.len()));
                budget.is_some()
            })
    }

    /// The same for whoever asks for a base URL.
    pub(super) fn candidates(&self) -> BaseCandidates<'_> {
        self.iter().fold(BaseCandidates::new(), |candidates, base| {
            candidates.with(base.source, &base.url)
        })
    }

    /// The base URL that the encapsulating entities give.
    pub(super) fn established(&self) -> Option<Arc<str>> {
        let enclosing = || {
            let bases = self.iter();
            bases.filter(|base| base.source == BaseSource::EncapsulatingEntity)
        };
        let given = enclosing()
            .fold(BaseCandidates::new(), |all, base| {
                all.with(base.source, &base.url)
            })
            .establish(Profile::Rfc3986)?
            .url;
        let same = enclosing().find(|base| *base.url == *given);
        Some(same.map_or_else(|| Arc::from(given.as_str()), |base| Arc::clone(&base.url)))
    }
}

/// How much room there is for the URLs that relative ones in the header fields of a container stand for.
///
/// Resolved, a URL of one byte is as long as its base URL, and there is one in every part.
#[derive(Debug)]
pub(super) struct UrlBudget {
    left: usize,
    /// Whether there was none for a URL.
    pub(super) is_short: bool,
}

impl Default for UrlBudget {
    fn default() -> Self {
        Self {
            left: MOST_DERIVED,
            is_short: false,
        }
    }
}

impl UrlBudget {
    /// Whether there is room for `resolved`, which `written` stands for. What is left is less then.
    pub(super) fn takes(&mut self, written: &str, resolved: &str) -> bool {
        if resolved.len() <= written.len() || is_absolute(written, Profile::Rfc3986) {
            return true;
        }
        let left = self.left.checked_sub(resolved.len());
        let left = left.filter(|_| resolved.len() <= MOST_URL);
        self.is_short |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}
