//! Parts of a reference that are written as the author did, because browsers would read another text otherwise.

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::options::Rewriter;
use super::resolve::LinkResolver;
use crate::encoding::Confidence;
use crate::link::LinkRule;
use crate::reference::{ResolveError, has_same_authority, is_absolute, normalize, split_fragment};

impl LinkResolver<'_> {
    /// Returns the normal form of an absolute reference, or itself if browsers would find another scheme or host in
    /// that: it may be an error in one and not in the other.
    pub(super) fn normalized<'r>(
        &self,
        rule: LinkRule,
        reference: &'r str,
    ) -> Result<Cow<'r, str>, ResolveError> {
        let Rewriter {
            profile, escape, ..
        } = *self.settings;
        // A base URL that is not known could complete it.
        if !is_absolute(reference, profile) {
            return Ok(Cow::Borrowed(reference));
        }
        let encoding = if rule.has_utf_8_query {
            UTF_8
        } else {
            self.encoding
        };
        let normal = normalize(reference, profile, escape, encoding)?;
        Ok(if has_same_authority(reference, &normal) {
            Cow::Owned(normal)
        } else {
            Cow::Borrowed(reference)
        })
    }

    /// Returns the end of `reference` after its `?` that is written as the author did, since its percent-encoding
    /// depends on an encoding that only the reader's browser decides; empty if there is none.
    ///
    /// # Source
    /// URL Standard, "query state": the query is percent-encoded in the document's encoding. HTML, "determining the
    /// character encoding", step 9: without a declaration, the encoding depends on the locale.
    pub(super) fn undecided_query<'r>(&self, rule: LinkRule, reference: &'r str) -> &'r str {
        let undecided = match split_fragment(reference).0.split_once('?') {
            _ if self.confidence != Confidence::Tentative || rule.has_utf_8_query => None,
            Some((before, query)) if !query.is_ascii() => reference.get(before.len() + 1..),
            _ => None,
        };
        undecided.unwrap_or_default()
    }
}
