//! The URL under which a file in the directory of a published site is found.

use std::fmt;
use std::path::{Component, Path};

use percent_encoding::percent_decode_str;

use absolve::resolution::Reference;
use absolve::{IndexFiles, Profile, ResolveError, Resolver};

use super::path::push_encoded;

/// A directory that is published under a URL, as web servers publish static files.
///
/// `index.html`, `index.htm` and `index.xhtml` are published as their directory, whose URL ends in a slash; every
/// other file is published under its own name, including the extension. Other features of servers are not modelled:
///
/// - omitted extensions (`/about` for `about.html`),
/// - other names for the index,
/// - aliases and redirects,
/// - case-insensitive names and Unicode normalisation of names.
///
/// # Examples
/// ```
/// use std::path::Path;
///
/// use absolve_site::Site;
///
/// let site = Site::new("https://example.org/docs")?;
/// let url = |path| site.url_of(Path::new(path));
/// assert_eq!(url("blog/index.html").as_deref(), Some("https://example.org/docs/blog/"));
/// assert_eq!(url("50% off?.html").as_deref(), Some("https://example.org/docs/50%25%20off%3F.html"));
/// # Ok::<(), absolve_site::SiteError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The URL of the directory itself; ends in a slash.
    url: String,
}

/// The reason why a directory cannot be published under a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SiteError {
    /// References cannot be resolved against the URL.
    Unusable(ResolveError),
    /// The URL has a query or a fragment, so no file name can be appended.
    QueryOrFragment,
}

impl fmt::Display for SiteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(error) => error.fmt(formatter),
            Self::QueryOrFragment => formatter.write_str("directory URL with a query or fragment"),
        }
    }
}

impl std::error::Error for SiteError {}

/// The bytes that are literal in the URL of a file, apart from ASCII letters and digits.
///
/// RFC 3986 section 3.3, `pchar` (unreserved, sub-delims, ":" and "@") and the slash between segments; without ";",
/// which begins the params of RFC 1808 section 2.1.
const LITERAL: &[u8] = b"-._~!$&'()*+,=:@/";

impl Site {
    /// Creates a site that is published under `url`. A slash is appended if `url` does not end in one.
    ///
    /// # Errors
    /// [`SiteError::Unusable`] if `url` is not absolute, hierarchical and well-formed according to RFC 1808;
    /// [`SiteError::QueryOrFragment`] if it has a query or fragment.
    pub fn new(url: &str) -> Result<Self, SiteError> {
        let url = url.trim_ascii();
        let _checked = Resolver::new(url, Profile::Rfc1808).map_err(SiteError::Unusable)?;
        let parts = Reference::split(url, Profile::Rfc3986);
        if parts.query.is_some() || parts.fragment.is_some() {
            return Err(SiteError::QueryOrFragment);
        }
        let slash = if url.ends_with('/') { "" } else { "/" };
        Ok(Self {
            url: format!("{url}{slash}"),
        })
    }

    /// Returns the URL of the directory itself.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path, relative to the directory, to which `url` leads, with slashes between segments.
    ///
    /// Its scheme, query and fragment do not count. Returns `None` if it is not in the directory.
    #[must_use]
    pub fn path_of(&self, url: &str) -> Option<Vec<u8>> {
        let [root, url] = [&*self.url, url].map(|url| Resolver::new(url, Profile::Whatwg));
        let (root, url) = (root.ok()?, url.ok()?);
        let after_scheme = |url: &str| url.find("://").unwrap_or(url.len());
        let root = &root.base()[after_scheme(root.base())..];
        let path = url.base()[after_scheme(url.base())..].strip_prefix(root)?;
        let path = path.split(['?', '#']).next()?;
        Some(percent_decode_str(path).collect())
    }

    /// Returns the URL under which the file `path`, relative to the directory, is published.
    ///
    /// Returns `None` if `path` leads out of the directory or names no file.
    ///
    /// Every byte of a name that is not literal in a path segment is percent-encoded: delimiters of components (`?`,
    /// `#`, and `;` in RFC 1808), `%`, white space, and all non-ASCII bytes.
    ///
    /// # Source
    /// RFC 1738 section 2.2: a reserved character without its reserved meaning is encoded. RFC 3986 section 3.3,
    /// `pchar`.
    #[must_use]
    pub fn url_of(&self, path: &Path) -> Option<String> {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => names.push(name.as_encoded_bytes()),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        // The URL of a directory ends in a slash.
        let name = names.last_mut()?;
        if IndexFiles::NAMES
            .iter()
            .any(|index| index.as_bytes() == *name)
        {
            *name = b"";
        }
        let mut url = self.url.clone();
        push_encoded(&mut url, &names.join(&b'/'), LITERAL);
        Some(url)
    }
}
