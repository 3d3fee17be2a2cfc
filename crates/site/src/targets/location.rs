//! The URLs to which links and redirects lead.

use percent_encoding::percent_decode_str;

use absolve::resolution::Reference;
use absolve::{Profile, Resolver};

/// A URL without query, in normal form.
#[derive(Debug, Clone)]
pub(super) struct Location {
    pub(super) authority: String,
    /// The path, decoded.
    pub(super) path: Vec<u8>,
    pub(super) fragment: Option<String>,
}

impl Location {
    /// Parses an HTTP URL.
    pub(super) fn parse(url: &str) -> Option<Self> {
        let scheme = url.get(..4)?;
        if !scheme.eq_ignore_ascii_case("http") {
            return None;
        }
        let url = Resolver::new(url, Profile::Whatwg).ok()?;
        let parts = Reference::split(url.base(), Profile::Rfc3986);
        Some(Self {
            authority: parts.authority?.to_owned(),
            path: percent_decode_str(parts.path).collect(),
            fragment: parts.fragment.map(str::to_owned),
        })
    }

    /// Returns the location to which a redirect leads, with a URL or a path; `None` if it is not an HTTP URL.
    pub(super) fn redirected(&self, to: &str) -> Option<Self> {
        let redirected = if to.starts_with('/') && !to.starts_with("//") {
            Self::parse(&format!("http://{}{to}", self.authority))?
        } else {
            Self::parse(to)?
        };
        // HTTP section 10.2.2 (RFC 9110): the fragment is inherited unless the redirect has one.
        let fragment = redirected.fragment.or_else(|| self.fragment.clone());
        Some(Self {
            fragment,
            ..redirected
        })
    }

    /// Returns whether both locations are the same except for their fragments.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        self.authority == other.authority && self.path == other.path
    }
}
