//! References: text in, text out. No HTML, no I/O.
//!
//! A reference is the text an author wrote; resolving it against a base URL gives its target. This module knows how a
//! reference falls into components and which [`Profile`] puts it together again; it does not know where references
//! come from or which base URL is the right one.

mod escape;
mod placeholder;
mod rfc1808;

use std::borrow::Cow;
use std::fmt;

pub use escape::Escape;
pub(crate) use escape::without_line_breaks;
pub(crate) use placeholder::has_placeholder;

/// The standard that decides how a reference is split and resolved.
///
/// Further profiles may be added: match with a wildcard arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// RFC 1808, sections 2.4 and 4. All examples of its section 5 hold.
    #[default]
    Rfc1808,
}

/// A reference, split into its components; each borrows from the text it was split from.
///
/// A component that is `None` is absent, one that is `Some("")` is present and empty (`"?"` has an empty query).
/// Delimiters are not part of the components, except that `path` keeps its leading slash: RFC 1808 section 2.4.6 has
/// the parser remember it.
///
/// # Source
/// RFC 1808 section 2.1; `authority` is what it calls the network location (`net_loc`).
///
/// # Examples
/// ```
/// use absolve::{Profile, Reference};
///
/// let reference = Reference::split("//host/a/b;p?q#f", Profile::Rfc1808);
/// assert_eq!(reference.authority, Some("host"));
/// assert_eq!(reference.path, "/a/b");
/// assert_eq!(reference.params, Some("p"));
/// assert_eq!(reference.fragment, Some("f"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reference<'r> {
    /// What stands before the first colon, as written (schemes are compared without regard to ASCII case).
    pub scheme: Option<&'r str>,
    /// What follows `//`.
    pub authority: Option<&'r str>,
    /// The path; possibly empty.
    pub path: &'r str,
    /// What follows the first `;` of the path.
    pub params: Option<&'r str>,
    /// What follows the first `?`.
    pub query: Option<&'r str>,
    /// What follows the first `#`.
    pub fragment: Option<&'r str>,
}

impl<'r> Reference<'r> {
    /// Splits `text` into components. Never fails: every text is a reference.
    ///
    /// # Complexity
    /// Linear in the length of `text`; allocates nothing.
    #[must_use]
    pub fn split(text: &'r str, profile: Profile) -> Self {
        match profile {
            Profile::Rfc1808 => rfc1808::split(text),
        }
    }

    /// Whether the reference was the empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the reference has a scheme, and so needs no base URL.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.scheme.is_some()
    }

    /// Whether the reference is a fragment and nothing else.
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

/// Why a URL cannot be the base of a relative reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveError {
    /// The base URL has no scheme.
    BaseNotAbsolute,
    /// The base URL's scheme is never used with relative references (RFC 1808 section 2.3), or nothing hierarchical
    /// follows it: `mailto:a@b`, `data:,x`, `http:g`.
    BaseNotHierarchical,
    /// The base URL says where to look but not how it is written down: its network location holds white space or
    /// another character that cannot stand there, or both network location and path are empty.
    BaseMalformed,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseNotAbsolute => "base URL without a scheme",
            Self::BaseNotHierarchical => {
                "base URL without a hierarchy that relative references could use"
            }
            Self::BaseMalformed => "base URL without a usable network location",
        })
    }
}

impl std::error::Error for ResolveError {}

/// Resolves `reference` against `base`: the one call for a single reference.
///
/// An absolute reference comes back borrowed and unchanged; so does every reference when `base` is empty, because a
/// document without a base URL is assumed to hold absolute references only (RFC 1808 section 4, step 1). Everything
/// else comes back as a new text, in which characters that cannot stand in a URL are percent-encoded; see
/// [`Resolver::escape`] to switch that off, and [`Resolver`] to resolve many references against one base.
///
/// # Source
/// RFC 1808 section 4, for [`Profile::Rfc1808`].
///
/// # Errors
/// `base` is not empty and cannot be a base, and `reference` needs one: see [`ResolveError`].
///
/// # Complexity
/// Linear in the length of both texts.
///
/// # Examples
/// ```
/// use absolve::{Profile, resolve};
///
/// let target = resolve("http://a/b/c/d;p?q#f", "../g", Profile::Rfc1808)?;
/// assert_eq!(target, "http://a/b/g");
/// # Ok::<(), absolve::ResolveError>(())
/// ```
pub fn resolve<'r>(
    base: &str,
    reference: &'r str,
    profile: Profile,
) -> Result<Cow<'r, str>, ResolveError> {
    // Step 1. The base URL is known beforehand; an empty one means that every reference is taken to be absolute.
    if base.is_empty() || is_absolute(reference, profile) {
        return Ok(Cow::Borrowed(reference));
    }
    Ok(Resolver::new(base, profile)?.resolve(reference))
}

/// Whether `reference` has a scheme once the line breaks inside it are taken away (RFC 1738, appendix).
///
/// # Complexity
/// Linear in the length of `reference`.
#[must_use]
pub fn is_absolute(reference: &str, profile: Profile) -> bool {
    Reference::split(&without_line_breaks(reference), profile).is_absolute()
}

/// A base URL, checked and split, against which any number of references can be resolved.
///
/// # Examples
/// ```
/// use absolve::{Profile, Resolver};
///
/// let resolver = Resolver::new("http://a/b/c/d;p?q#f", Profile::Rfc1808)?;
/// let mut targets = String::new();
/// for reference in ["g", "../g"] {
///     resolver.resolve_into(reference, &mut targets);
///     targets.push('\n');
/// }
/// assert_eq!(targets, "http://a/b/c/g\nhttp://a/b/g\n");
/// # Ok::<(), absolve::ResolveError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Resolver<'b> {
    base: Reference<'b>,
    profile: Profile,
    escape: Escape,
    query_encoding: &'static encoding_rs::Encoding,
}

impl<'b> Resolver<'b> {
    /// Splits `base` and checks that relative references may be resolved against it.
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub fn new(base: &'b str, profile: Profile) -> Result<Self, ResolveError> {
        let base = Reference::split(base, profile);
        match profile {
            Profile::Rfc1808 => rfc1808::check_base(&base)?,
        }
        Ok(Self {
            base,
            profile,
            escape: Escape::default(),
            query_encoding: encoding_rs::UTF_8,
        })
    }

    /// Sets what happens to characters that cannot stand in a URL; default [`Escape::Url`].
    pub fn escape(self, escape: Escape) -> Self {
        Self { escape, ..self }
    }

    /// Sets the encoding in which the query of a target is percent-encoded; the document's, default UTF-8.
    pub(crate) fn query_encoding(self, query_encoding: &'static encoding_rs::Encoding) -> Self {
        Self {
            query_encoding,
            ..self
        }
    }

    /// The target of `reference`: borrowed and unchanged when it is absolute already.
    #[must_use]
    pub fn resolve<'r>(&self, reference: &'r str) -> Cow<'r, str> {
        if is_absolute(reference, self.profile) {
            return Cow::Borrowed(reference);
        }
        let mut target = String::with_capacity(reference.len() + 64);
        self.resolve_into(reference, &mut target);
        Cow::Owned(target)
    }

    /// Appends the target of `reference` to `target`.
    ///
    /// # Complexity
    /// Linear in the length of base and reference, dot segments included; allocates only to grow `target`, and to
    /// take line breaks out of a reference that has them.
    pub fn resolve_into(&self, reference: &str, target: &mut String) {
        let text = match self.escape {
            Escape::Url => without_line_breaks(reference),
            Escape::None => Cow::Borrowed(reference),
        };
        let split = Reference::split(&text, self.profile);
        if split.is_absolute() {
            target.push_str(reference);
            return;
        }
        let mut writer = escape::Writer::new(target, self.escape, self.query_encoding);
        match self.profile {
            Profile::Rfc1808 => rfc1808::resolve(&self.base, &split, &mut writer),
        }
    }
}
