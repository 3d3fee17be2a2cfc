//! Text with a colon that does not end a scheme.

use crate::scheme;

/// Returns whether the first segment of `text` contains a colon that does not end a scheme.
///
/// No reference begins like that (RFC 3986 section 4.2), so `text` is something else, such as a CURIE.
pub(super) fn has_colon_without_scheme(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains(':') && scheme::split(first).is_none()
}
