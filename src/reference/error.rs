//! [`ResolveError`].

use std::fmt;

/// The reason why a reference cannot be resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveError {
    /// The base URL has no scheme.
    BaseNotAbsolute,
    /// The base URL's scheme is never used with relative references (RFC 1808 section 2.3), or is not followed by a
    /// network location or an absolute path: `mailto:a@b`, `data:,x`, `http:g`.
    BaseNotHierarchical,
    /// The base URL's network location contains white space or another character that is not allowed in it, brackets
    /// that do not enclose an IP address, or a port that is not a number; or both network location and path are empty.
    /// In the profile [`Whatwg`](super::profile::Profile::Whatwg): the base URL
    /// has a scheme, but the URL Standard's parser returns failure.
    BaseMalformed,
    /// The reference is not a valid URL: the URL Standard's parser returns failure (`http://a b/`). The other profiles
    /// have a target for every reference.
    ReferenceMalformed,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseNotAbsolute => "base URL without a scheme",
            Self::BaseNotHierarchical => "non-hierarchical base URL",
            Self::BaseMalformed => "base URL without a valid network location",
            Self::ReferenceMalformed => "not a valid URL (URL Standard)",
        })
    }
}

impl std::error::Error for ResolveError {}
