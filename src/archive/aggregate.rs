//! What references of a document mean inside of its message.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::bases::is_this_message;
use crate::base::BaseSource;
use crate::reference::{Escape, Profile, Resolver};
use crate::rewrite::{Decision, LinkReport, Outcome};

/// The base URL of a message that has none (RFC 2557 section 5 (e)). It is never written.
pub(super) const THIS_MESSAGE: &str = "thismessage:/";

/// The parts that the documents of a `multipart/related` entity can refer to: what each is called after resolving, and
/// as it is written.
#[derive(Debug, Default)]
pub(super) struct PartIndex {
    names: HashMap<Fingerprint, Arc<str>>,
    keys: [RandomState; 2],
}

/// What stands for a URL, which is as long as its base URL: nobody finds two that have the same, because nobody knows the
/// keys.
type Fingerprint = [u64; 2];

impl PartIndex {
    /// Adds a part by its `Content-Location`, which is resolved against the base URL that its headers have there.
    pub(super) fn add(&mut self, location: &Arc<str>, base: Option<&str>) {
        let resolved = resolved(base.unwrap_or(THIS_MESSAGE), location);
        self.names
            .entry(self.fingerprint(&resolved))
            .or_insert_with(|| Arc::clone(location));
    }

    /// What the part is called that has this URL, without a fragment.
    fn called(&self, url: &str) -> Option<&Arc<str>> {
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
    /// The base URL that the message alone gives the document, its own BASE aside.
    pub(super) base: Option<Arc<str>>,
}

impl Aggregate {
    /// See [`Entity::decide`](super::Entity::decide).
    pub(super) fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        let reference = &*link_report.link.reference;
        let Outcome::Resolved(target) = &link_report.outcome else {
            return Decision::Resolve;
        };
        if link_report.link.element == "base" {
            return Decision::Resolve;
        }
        // RFC 2557 section 8.3: by Content-ID, and so by nothing that could be resolved.
        if has_scheme(reference, "cid") || has_scheme(reference, "mid") || is_this_message(target) {
            return Decision::Keep;
        }
        let base = match &link_report.base {
            Some(base) if base.source == BaseSource::Embedded => &base.url,
            _ => self.base.as_deref().unwrap_or(THIS_MESSAGE),
        };
        let meant = resolved(base, reference);
        let (meant, fragment) = without_fragment(&meant);
        let Some(location) = self.parts.called(meant) else {
            return Decision::Resolve;
        };
        if self.parts.called(without_fragment(target).0).is_some() {
            return Decision::Resolve;
        }
        let is_absolute = location
            .split_once(':')
            .is_some_and(|(scheme, _)| is_scheme(scheme));
        if is_absolute && without_fragment(reference).0 != &**location {
            Decision::Replace([location, fragment].concat())
        } else {
            Decision::Keep
        }
    }
}

/// The target of a reference without any escaping, because names of parts are compared octet by octet.
pub(super) fn resolved(base: &str, reference: &str) -> String {
    Resolver::new(base, Profile::Rfc3986)
        .map(|resolver| resolver.escape(Escape::None))
        .and_then(|resolver| {
            resolver
                .resolve(reference)
                .map(std::borrow::Cow::into_owned)
        })
        .unwrap_or_else(|_| reference.to_owned())
}

fn without_fragment(url: &str) -> (&str, &str) {
    url.split_at(url.find('#').unwrap_or(url.len()))
}

fn has_scheme(reference: &str, scheme: &str) -> bool {
    reference
        .split_once(':')
        .is_some_and(|(own, _)| own.eq_ignore_ascii_case(scheme))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}
