//! [`Reference::split`]: from text to components, by the rules of a profile. All profiles share the fragment.

use super::{Profile, Reference, rfc1808, rfc3986};

/// Splits `url` before its fragment, which keeps its `#`; the fragment is empty if there is none.
pub(crate) fn split_fragment(url: &str) -> (&str, &str) {
    url.split_at(url.find('#').unwrap_or(url.len()))
}

impl<'r> Reference<'r> {
    /// Splits `text` into components. Never fails: every text is a reference.
    ///
    /// In the profile [`Whatwg`](Profile::Whatwg) this is the split of RFC 3986. It agrees with the URL Standard unless
    /// backslashes, missing slashes or the rules of a special scheme are involved. Resolving in that profile does not
    /// use this split.
    ///
    /// # Complexity
    /// Linear in the length of `text`; allocates nothing.
    #[must_use]
    pub fn split(text: &'r str, profile: Profile) -> Self {
        match profile {
            Profile::Rfc1808 => rfc1808::split(text),
            Profile::Rfc3986 | Profile::Whatwg => rfc3986::split(text),
        }
    }
}
