//! HTTP URLs, to which links and redirects lead, and from which files were downloaded.

use percent_encoding::percent_decode_str;

use absolve::resolution::{Authority, Reference};
use absolve::{Profile, Resolver};

/// A normalized HTTP URL, split into the parts that determine the file to which it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: Scheme,
    /// Host and port, without the default port of the scheme and without user information.
    pub(super) authority: String,
    /// The path; begins with a slash.
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// The scheme of an HTTP URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

impl Address {
    /// Parses `url`. Returns `None` if it is invalid, or if its scheme is neither `http` nor `https`.
    pub(super) fn parse(url: &str) -> Option<Self> {
        if !may_be_web_url(url) {
            return None;
        }
        let url = Resolver::new(url, Profile::Whatwg).ok()?;
        let parts = Reference::split(url.base(), Profile::Rfc3986);
        let scheme = match parts.scheme? {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return None,
        };
        let authority = parts.authority?;
        // User information does not affect the location of the file.
        let authority = Authority::split(authority).host_and_port;
        Some(Self {
            scheme,
            authority: authority.to_owned(),
            path: parts.path.to_owned(),
            query: parts.query.map(str::to_owned),
            fragment: parts.fragment.map(str::to_owned),
        })
    }

    /// Returns the address to which a redirect leads, with a URL or a path; `None` if it is not an HTTP URL.
    pub(super) fn redirected(&self, to: &str) -> Option<Self> {
        let redirected = if to.starts_with('/') && !to.starts_with("//") {
            Self::parse(&format!("{}://{}{to}", self.scheme.name(), self.authority))?
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

    /// Returns the path, percent-decoded.
    pub(super) fn decoded_path(&self) -> Vec<u8> {
        percent_decode_str(&self.path).collect()
    }
}

/// Returns whether a URL may be an HTTP URL. A cheap prefilter, because others (`data:`) may be very long.
pub(super) fn may_be_web_url(url: &str) -> bool {
    let scheme = url.get(..4);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
}
