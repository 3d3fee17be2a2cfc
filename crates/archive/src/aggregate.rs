//! The meaning of references to other parts of the same message (MHTML).
//!
//! RFC 2557 identifies a part by its resolved `Content-Location`. A reference means the part if it resolves to the
//! same octets, without normalisation. Rewriting must not break this equality: an absolute, percent-encoded target
//! may differ from the URL of the part, and the base URL of the message may differ from that of the rewritten
//! document.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use absolve::resolution::Reference;
use absolve::{BaseSource, Decision, Escape, LinkReport, Outcome, Profile, Resolver};

use super::bases::is_this_message;

/// The base URL of a message without one (RFC 2557 section 5 (e)). It is never written.
pub(super) const THIS_MESSAGE: &str = "thismessage:/";

/// The parts to which the documents of a `multipart/related` entity can refer: `Content-Location` as written, by the
/// fingerprint of the resolved URL.
#[derive(Debug, Default)]
pub(super) struct PartIndex {
    names: HashMap<Fingerprint, Arc<str>>,
    keys: [RandomState; 2],
}

/// A keyed 128-bit hash that represents a URL without storing it, because each may be as long as its base URL. The
/// keys are random, so input cannot be crafted to collide.
type Fingerprint = [u64; 2];

impl PartIndex {
    /// Adds a part with the `Content-Location` `location`, resolved against `base`. If several parts have the same
    /// URL, the first one is kept.
    pub(super) fn add(&mut self, location: &Arc<str>, base: Option<&str>) {
        let resolved = resolve_unescaped(base.unwrap_or(THIS_MESSAGE), location);
        self.names
            .entry(self.fingerprint(&resolved))
            .or_insert_with(|| Arc::clone(location));
    }

    /// Returns the `Content-Location` of the part with this URL, which must have no fragment.
    fn location_of(&self, url: &str) -> Option<&Arc<str>> {
        self.names.get(&self.fingerprint(url))
    }

    fn fingerprint(&self, url: &str) -> Fingerprint {
        self.keys.each_ref().map(|key| key.hash_one(url))
    }
}

/// A document among the parts of its message.
#[derive(Debug)]
pub(super) struct Aggregate {
    pub(super) parts: Arc<PartIndex>,
    /// The base URL of the document according to the message alone, without its own BASE and without the retrieval URL.
    pub(super) base: Option<Arc<str>>,
}

impl Aggregate {
    /// Implements [`Entity::decide`](super::Entity::decide).
    pub(super) fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        let reference = &*link_report.link.reference;
        let Outcome::Resolved(target) = &link_report.outcome else {
            return Decision::Resolve;
        };
        if link_report.link.element == "base" {
            return Decision::Resolve;
        }
        // RFC 2557 section 8.3: these refer to a part by its Content-ID, and do not resolve against any base URL.
        let is_content_id = scheme(reference).is_some_and(|scheme| {
            scheme.eq_ignore_ascii_case("cid") || scheme.eq_ignore_ascii_case("mid")
        });
        if is_content_id || is_this_message(target) {
            return Decision::Keep;
        }
        // Within the message, BASE or the headers determine the base URL; the retrieval URL does not.
        let base = match &link_report.base {
            Some(base) if base.source == BaseSource::Embedded => &base.url,
            _ => self.base.as_deref().unwrap_or(THIS_MESSAGE),
        };
        let part_url = resolve_unescaped(base, reference);
        let (part_url, fragment) = split_fragment(&part_url);
        let Some(location) = self.parts.location_of(part_url) else {
            return Decision::Resolve;
        };
        // The absolute target identifies a part as well, so it may be written.
        if self.parts.location_of(split_fragment(target).0).is_some() {
            return Decision::Resolve;
        }
        // An absolute `Content-Location` is the part's URL and can be written whatever the base URL will be. With a
        // relative one, only the unchanged reference resolves to the same URL.
        let is_absolute = scheme(location).is_some();
        if is_absolute && split_fragment(reference).0 != &**location {
            Decision::Replace([location, fragment].concat())
        } else {
            Decision::Keep
        }
    }
}

/// Returns the scheme of a reference, or `None` if it is relative.
fn scheme(reference: &str) -> Option<&str> {
    Reference::split(reference, Profile::Rfc3986).scheme
}

/// Returns a URL without its fragment, and the fragment with its delimiter.
fn split_fragment(url: &str) -> (&str, &str) {
    url.split_at(url.find('#').unwrap_or(url.len()))
}

/// Resolves `reference` without any escaping, because URLs of parts are compared octet by octet. Returns `reference`
/// if that fails.
pub(super) fn resolve_unescaped(base: &str, reference: &str) -> String {
    Resolver::new(base, Profile::Rfc3986)
        .map(|resolver| resolver.escape(Escape::None))
        .and_then(|resolver| {
            resolver
                .resolve(reference)
                .map(std::borrow::Cow::into_owned)
        })
        .unwrap_or_else(|_| reference.to_owned())
}
