//! From the path of a file in a site's directory to the URL it is published under.

use std::fmt;
use std::path::{Component, Path};

use crate::reference::{Profile, Reference, ResolveError, Resolver};

/// A directory that is published under a URL, as web servers do it with static files.
///
/// `index.html`, `index.htm` and `index.xhtml` are published as their directory, whose URL ends in a slash; every other
/// file under its own name, extension included. What a server does beyond that is not known here: extensions left out
/// (`/about` for `about.html`), other names for the index, aliases and redirects, letter case that does not matter,
/// Unicode normalisation of names.
///
/// # Examples
/// ```
/// use std::path::Path;
///
/// use absolve::Site;
///
/// let site = Site::new("https://example.org/docs")?;
/// assert_eq!(site.url_of(Path::new("blog/index.html")).as_deref(), Some("https://example.org/docs/blog/"));
/// assert_eq!(site.url_of(Path::new("50% off?.html")).as_deref(), Some("https://example.org/docs/50%25%20off%3F.html"));
/// # Ok::<(), absolve::SiteError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Of the directory itself; it ends in a slash.
    url: String,
}

/// Why a URL is not one that a directory can be published under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SiteError {
    /// References cannot be resolved against it.
    Unusable(ResolveError),
    /// It has a query or a fragment, behind which there is no place for the name of a file.
    QueryOrFragment,
}

impl fmt::Display for SiteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(error) => error.fmt(formatter),
            Self::QueryOrFragment => {
                formatter.write_str("URL of a directory with a query or a fragment")
            }
        }
    }
}

impl std::error::Error for SiteError {}

/// Names that stand for the directory they are in.
const INDEXES: [&[u8]; 3] = [b"index.html", b"index.htm", b"index.xhtml"];

impl Site {
    /// A directory that is published under `url`, which is taken to end in a slash whether it does or not.
    ///
    /// # Errors
    /// [`SiteError::Unusable`] if `url` is not absolute, hierarchical and well-formed as RFC 1808 has it, and
    /// [`SiteError::QueryOrFragment`] if there is more to it than a path.
    pub fn new(url: &str) -> Result<Self, SiteError> {
        let url = url.trim_ascii();
        let resolver = Resolver::new(url, Profile::Rfc1808).map_err(SiteError::Unusable)?;
        if !resolver.is_hierarchical() {
            return Err(SiteError::Unusable(ResolveError::BaseNotHierarchical));
        }
        let parts = Reference::split(url, Profile::Rfc3986);
        if parts.query.is_some() || parts.fragment.is_some() {
            return Err(SiteError::QueryOrFragment);
        }
        let slash = if url.ends_with('/') { "" } else { "/" };
        Ok(Self {
            url: format!("{url}{slash}"),
        })
    }

    /// The URL of the directory itself.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The URL under which the file `path` is published, which is relative to the directory; `None` where it leads out
    /// of the directory or names no file.
    ///
    /// Every byte of a name that cannot stand for itself in a segment of a path is percent-encoded: what delimits
    /// components (`?`, `#`, and `;` as RFC 1808 has it), `%`, white space, and all that is not ASCII.
    ///
    /// # Source
    /// RFC 1738 section 2.2: a reserved character that has no reserved meaning where it stands is encoded. RFC 3986
    /// section 3.3, `pchar`.
    #[must_use]
    pub fn url_of(&self, path: &Path) -> Option<String> {
        let mut url = String::with_capacity(self.url.len() + path.as_os_str().len());
        url.push_str(&self.url);
        let mut last: Option<&[u8]> = None;
        for component in path.components() {
            match component {
                Component::Normal(name) => {
                    if let Some(directory) = last.replace(name.as_encoded_bytes()) {
                        push_segment(&mut url, directory);
                        url.push('/');
                    }
                }
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        let name = last?;
        if !INDEXES.contains(&name) {
            push_segment(&mut url, name);
        }
        Some(url)
    }
}

/// Appends a name as a segment of a path.
fn push_segment(url: &mut String, name: &[u8]) {
    for &byte in name {
        // RFC 3986 section 3.3, pchar: unreserved, sub-delims, ":" and "@"; without ";", which begins the params of
        // RFC 1808 section 2.1.
        let is_literal = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,=:@".contains(&byte);
        if is_literal {
            url.push(char::from(byte));
        } else {
            url.push('%');
            for digit in [byte >> 4, byte & 15] {
                url.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
    }
}
