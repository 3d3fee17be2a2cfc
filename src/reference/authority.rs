//! [`Authority`]: the parts of an authority.

/// An authority, split at its delimiters.
///
/// Nothing is decoded or checked: the parts of an invalid authority are the text between the delimiters.
///
/// # Source
/// RFC 3986 section 3.2.
///
/// # Examples
/// ```
/// use absolve::resolution::Authority;
///
/// let authority = Authority::split("me@[::1]:80");
/// assert_eq!(authority.user, "me@");
/// assert_eq!(authority.host, "[::1]");
/// assert_eq!(authority.port, ":80");
/// assert_eq!(authority.host_and_port, "[::1]:80");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authority<'a> {
    /// The user information with its at sign; possibly empty.
    pub user: &'a str,
    /// The host. An IP literal has its brackets.
    pub host: &'a str,
    /// The port with its colon; possibly empty.
    pub port: &'a str,
    /// The authority without user information.
    pub host_and_port: &'a str,
}

impl<'a> Authority<'a> {
    /// Splits `authority`.
    #[must_use]
    pub fn split(authority: &'a str) -> Self {
        let host_start = authority.rfind('@').map_or(0, |at| at + 1);
        let (user, host_and_port) = authority.split_at(host_start);
        let is_literal = host_and_port.starts_with('[');
        let literal_end = host_and_port.find(']').filter(|_| is_literal).unwrap_or(0);
        let colon = host_and_port[literal_end..].find(':');
        let host_end = colon.map_or(host_and_port.len(), |colon| literal_end + colon);
        let (host, port) = host_and_port.split_at(host_end);
        Self {
            user,
            host,
            port,
            host_and_port,
        }
    }
}
