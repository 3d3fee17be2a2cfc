//! Markup that an injected, unclosed quote made part of a reference.

use crate::scheme::split_rfc1808;

/// Returns whether `reference` has a `<` and a tab or line break, and `target` is an `http` or `https` URL or has no
/// scheme: the reference contains the markup after an injected quote that is not closed.
///
/// # Source
/// Browsers block requests for such an `http` or `https` URL, which would send the markup elsewhere. Both are gone
/// from a URL that is written anew: the tab or line break is removed, and the `<` is percent-encoded. The Web Platform
/// Tests, `fetch/security/dangling-markup`, have the cases; the Fetch Standard has no text for it.
pub(crate) fn is_dangling_markup(reference: &str, target: &str) -> bool {
    reference.contains('<')
        && reference.contains(['\t', '\n', '\r'])
        && split_rfc1808(target).is_none_or(|(scheme, _)| {
            ["http", "https"]
                .iter()
                .any(|name| scheme.eq_ignore_ascii_case(name))
        })
}
