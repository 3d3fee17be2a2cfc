//! Text that looks like a scheme: RFC 3986 section 3.1, `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.

/// Returns the scheme at the start of `text`, without its colon, or `None` if there is none.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

/// Returns whether the first segment of `text` contains a colon that does not end a scheme.
///
/// No reference begins like that (RFC 3986 section 4.2), so `text` is something else, such as a CURIE.
pub(super) fn has_colon_without_scheme(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains(':') && scheme(first).is_none()
}
