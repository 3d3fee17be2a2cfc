//! [`Reference`]: the components of a reference.

use memchr::memchr;

/// A reference, split into components that borrow from its text.
///
/// A component that is `None` is absent; one that is `Some("")` is present and empty (`"?"` has an empty query).
/// Delimiters are not part of the components, except that `path` keeps its leading slash, which the parser of RFC 1808
/// section 2.4.6 must remember.
///
/// # Source
/// RFC 1808 section 2.1, where `authority` is called the network location (`net_loc`); RFC 3986 section 3.
///
/// # Examples
/// ```
/// use absolve::resolution::Reference;
/// use absolve::Profile;
///
/// let reference = Reference::split("//host/a/b;p?q#f", Profile::Rfc1808);
/// assert_eq!(reference.authority, Some("host"));
/// assert_eq!(reference.path, "/a/b");
/// assert_eq!(reference.params, Some("p"));
/// assert_eq!(reference.fragment, Some("f"));
/// assert_eq!(Reference::split("/a/b;p", Profile::Rfc3986).path, "/a/b;p");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reference<'r> {
    /// The text before the first colon, as written. Schemes are compared ASCII case-insensitively.
    pub scheme: Option<&'r str>,
    /// The text after `//`, up to the path. RFC 1808 calls it the network location.
    pub authority: Option<&'r str>,
    /// The path; possibly empty.
    pub path: &'r str,
    /// The text after the first `;` of the path. Always `None` in the profiles other than
    /// [`Rfc1808`](super::profile::Profile::Rfc1808), for which it is part of the path.
    pub params: Option<&'r str>,
    /// The text after the first `?`, up to the fragment.
    pub query: Option<&'r str>,
    /// The text after the first `#`.
    pub fragment: Option<&'r str>,
}

impl Reference<'_> {
    /// Returns whether the reference is the empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the reference has a scheme, and therefore needs no base URL.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.scheme.is_some()
    }

    /// Returns whether the reference consists of a fragment only.
    #[must_use]
    pub fn is_fragment_only(&self) -> bool {
        self.fragment.is_some()
            && Self {
                fragment: None,
                ..*self
            }
            .is_empty()
    }
}

/// Splits `text` at the first `delimiter`, which must be ASCII. That delimiter is dropped; without one, the second part
/// is `None`.
pub(super) fn split_at_first(text: &str, delimiter: u8) -> (&str, Option<&str>) {
    match memchr(delimiter, text.as_bytes()) {
        Some(offset) => (&text[..offset], Some(&text[offset + 1..])),
        None => (text, None),
    }
}
