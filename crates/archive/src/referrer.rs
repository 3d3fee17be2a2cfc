//! The base URLs of parts whose own URL has no hierarchy: those of the documents that refer to them.
//!
//! Chromium saves each inline style sheet as a part with a `Content-Location` such as `cid:css-1@mhtml.blink`, and
//! refers to it with that URL. No reference can be relative to it. The style sheet belongs to the document that refers
//! to it, so its relative URLs are relative to the base URL of that document.

use std::collections::HashMap;
use std::sync::Arc;

use memchr::memmem;

use absolve::{BaseSource, Profile, Rewriter};

use super::bases::BaseUrl;
use super::chain::{ChainStep, ChainStepKind};
use super::entity::Entity;

const SCHEME: &str = "cid:";

/// Gives each of the `entities` of a message whose `Content-Location` is a `cid:` URL the base URL of the first
/// document that refers to it.
///
/// # Complexity
/// Linear in the length of the documents if there is such a part. Otherwise they are not read.
pub(super) fn inherit_bases(entities: &mut [Entity<'_>]) {
    let url = |entity: &Entity<'_>| entity.url.clone();
    let named = entities.iter().enumerate().filter_map(|(index, entity)| {
        let url = url(entity).filter(|url| url.starts_with(SCHEME))?;
        Some((url, index))
    });
    let mut parts: HashMap<Arc<str>, usize> = named.collect();
    if parts.is_empty() {
        return;
    }
    let is_other =
        |index: &usize| url(&entities[*index]).is_none_or(|url| !url.starts_with(SCHEME));
    let mut referring: Vec<usize> = (0..entities.len()).filter(is_other).collect();
    let mut done = 0;
    while let Some(&index) = referring.get(done) {
        done += 1;
        let found: Vec<usize> = references(&entities[index].bytes)
            .filter_map(|reference| parts.remove(reference))
            .collect();
        if found.is_empty() {
            continue;
        }
        let base = base_of(&entities[index]);
        let step = ChainStep::new(
            ChainStepKind::Referrer,
            &entities[index].label,
            String::new(),
        );
        for part in found {
            // A style sheet may import another one.
            referring.push(part);
            let Some(base) = &base else { continue };
            let part = &mut entities[part];
            part.candidates = part.candidates.prepend([base.clone()]);
            part.chain = part.chain.then(step.clone(), Some(Arc::clone(&base.url)));
        }
    }
}

/// Iterates over the `cid:` URLs in a document, as they are written.
fn references(bytes: &[u8]) -> impl Iterator<Item = &str> {
    memmem::find_iter(bytes, SCHEME).filter_map(|start| {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'<>()".contains(byte);
        let rest = &bytes[start..];
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        std::str::from_utf8(&rest[..end]).ok()
    })
}

/// Returns the base URL that a message and BASE give a document.
fn base_of(entity: &Entity<'_>) -> Option<BaseUrl> {
    let rewriter = Rewriter::new().profile(Profile::Rfc3986);
    let found = rewriter.links(&entity.document());
    let base = found.base.base.as_ref()?;
    let is_of_message = matches!(
        base.source,
        BaseSource::Embedded | BaseSource::EncapsulatingEntity
    );
    let url = Arc::from(base.url.as_str());
    is_of_message.then(|| BaseUrl::new(BaseSource::EncapsulatingEntity, &url))?
}
