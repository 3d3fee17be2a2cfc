//! Schemes of URLs: their grammar, and the special ones of the URL Standard.

/// The special schemes of the URL Standard, in lower case, with their default ports.
const SPECIAL: [(&str, Option<u16>); 6] = [
    ("http", Some(80)),
    ("https", Some(443)),
    ("ws", Some(80)),
    ("wss", Some(443)),
    ("ftp", Some(21)),
    ("file", None),
];

/// Returns the row of [`SPECIAL`] for `scheme`, in any case.
fn special(scheme: &str) -> Option<(&str, Option<u16>)> {
    SPECIAL
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(scheme))
}

/// Returns whether `scheme` is special, in any case: a base URL of that scheme can complete references that have it.
///
/// # Source
/// URL Standard, "special scheme".
pub(crate) fn is_special(scheme: &str) -> bool {
    special(scheme).is_some()
}

/// Returns the port that URLs with `scheme` have if they name none.
pub(crate) fn default_port(scheme: &str) -> Option<u16> {
    special(scheme)?.1
}

/// Returns whether `scheme` is special and is followed by a host: all special schemes but `file`.
pub(crate) fn needs_host(scheme: &str) -> bool {
    is_special(scheme) && !scheme.eq_ignore_ascii_case("file")
}

/// Splits `text` after its scheme; the colon is dropped. Returns `None` if `text` does not begin with a scheme.
///
/// # Source
/// RFC 3986 section 3.1: `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
    split_rfc1808(text).filter(|_| text.as_bytes()[0].is_ascii_alphabetic())
}

/// Splits `text` as [`split`] does, but permits every character of a scheme at its start.
///
/// # Source
/// RFC 1808 section 2.2: `1*( alpha | digit | "+" | "-" | "." )`.
pub(crate) fn split_rfc1808(text: &str) -> Option<(&str, &str)> {
    let is_scheme_byte =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let length = text.bytes().position(|byte| !is_scheme_byte(byte))?;
    let rest = text[length..].strip_prefix(':')?;
    (length > 0).then_some((&text[..length], rest))
}
