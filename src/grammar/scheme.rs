//! What looks like a scheme: RFC 3986 section 3.1, `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.

/// The scheme that `text` begins with, without its colon.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

/// Whether the first segment of `text` has a colon and no scheme before it: no reference begins like that (RFC 3986
/// section 4.2), and so it is something else, such as a CURIE.
pub(super) fn has_colon_without_scheme(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.contains(':') && scheme(first).is_none()
}
