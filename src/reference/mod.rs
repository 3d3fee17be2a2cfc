//! References: text in, text out. No HTML, no I/O.
//!
//! A reference is the text an author wrote; resolving it against a base URL gives its target. This module knows how a
//! reference falls into components and which [`Profile`] puts it together again; it does not know where references
//! come from or which base URL is the right one.

mod escape;
mod generic;
mod placeholder;
mod relative;
mod rfc1808;
mod rfc3986;
mod shortcut;
mod whatwg;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use shortcut::Shortcut;

use encoding_rs::{Encoding, UTF_8};

use crate::span::Span;
use escape::Characters;
pub use escape::Escape;
pub(crate) use escape::without_line_breaks;
pub use generic::ResolutionStep;
pub(crate) use placeholder::Placeholders;
pub use relative::RelativeForm;

/// The standard that decides how a reference is split and resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// RFC 1808, sections 2.4 and 4. All examples of its section 5 hold.
    #[default]
    Rfc1808,
    /// RFC 3986, section 5.2, strict: a reference with a scheme is absolute, whatever the scheme of the base URL.
    Rfc3986,
    /// The URL Standard, as browsers have it.
    Whatwg,
}

/// A reference, split into its components; each borrows from the text it was split from.
///
/// A component that is `None` is absent, one that is `Some("")` is present and empty (`"?"` has an empty query).
/// Delimiters are not part of the components, except that `path` keeps its leading slash: RFC 1808 section 2.4.6 has
/// the parser remember it.
///
/// # Source
/// RFC 1808 section 2.1, where `authority` is called the network location (`net_loc`); RFC 3986 section 3.
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
/// assert_eq!(Reference::split("/a/b;p", Profile::Rfc3986).path, "/a/b;p");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reference<'r> {
    /// What stands before the first colon, as written (schemes are compared without regard to ASCII case).
    pub scheme: Option<&'r str>,
    /// What follows `//`.
    pub authority: Option<&'r str>,
    /// The path; possibly empty.
    pub path: &'r str,
    /// What follows the first `;` of the path; in the profile RFC 1808 only, the others have it in the path.
    pub params: Option<&'r str>,
    /// What follows the first `?`.
    pub query: Option<&'r str>,
    /// What follows the first `#`.
    pub fragment: Option<&'r str>,
}

impl<'r> Reference<'r> {
    /// Splits `text` into components. Never fails: every text is a reference.
    ///
    /// In the profile [`Whatwg`](Profile::Whatwg) this is the split of RFC 3986, which is what the URL Standard sees
    /// where no backslashes, missing slashes or schemes of its own are in play; resolving does not go by it.
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

/// Why a reference cannot be resolved.
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
    /// The reference is none: the URL Standard's parser returns failure (`http://a b/`). The other profiles have a
    /// target for every reference.
    ReferenceMalformed,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BaseNotAbsolute => "base URL without a scheme",
            Self::BaseNotHierarchical => {
                "base URL without a hierarchy that relative references could use"
            }
            Self::BaseMalformed => "base URL without a usable network location",
            Self::ReferenceMalformed => "reference that the URL Standard's parser rejects",
        })
    }
}

impl std::error::Error for ResolveError {}

/// Resolves `reference` against `base`: the one call for a single reference.
///
/// Every reference comes back borrowed and unchanged when `base` is empty, because a document without a base URL is
/// assumed to hold absolute references only (RFC 1808 section 4, step 1); so does an absolute one that the profile
/// leaves alone. Everything else comes back as a new text, in which characters that cannot stand in a URL are
/// percent-encoded; see [`Resolver::escape`] to switch that off, and [`Resolver`] to resolve many references against
/// one base.
///
/// # Source
/// RFC 1808 section 4; RFC 3986 section 5.2; the URL Standard, "basic URL parser".
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
/// let target = |profile| resolve("http://a/b/c/d;p?q#f", ";x", profile);
/// assert_eq!(target(Profile::Rfc1808)?, "http://a/b/c/d;x");
/// assert_eq!(target(Profile::Rfc3986)?, "http://a/b/c/;x");
/// # Ok::<(), absolve::ResolveError>(())
/// ```
pub fn resolve<'r>(
    base: &str,
    reference: &'r str,
    profile: Profile,
) -> Result<Cow<'r, str>, ResolveError> {
    // RFC 1808 step 1. The base URL is known beforehand; an empty one means that every reference is taken to be
    // absolute.
    if base.is_empty() {
        return Ok(Cow::Borrowed(reference));
    }
    match Resolver::new(base, profile) {
        Ok(resolver) => resolver.resolve(reference),
        // RFC 1808 step 2b. An absolute reference does not ask for the base.
        Err(_) if is_absolute(reference, profile) => Ok(Cow::Borrowed(reference)),
        Err(error) => Err(error),
    }
}

/// Whether `reference` needs no base URL: it has a scheme once the line breaks inside it are taken away (RFC 1738,
/// appendix), and in the profile [`Whatwg`](Profile::Whatwg) its scheme is not one that a base URL of the same scheme
/// would complete (`http:g`).
///
/// # Complexity
/// Linear in the length of `reference`.
#[must_use]
pub fn is_absolute(reference: &str, profile: Profile) -> bool {
    // A delimiter of any other component cannot stand in a scheme, so that nothing has to be split off before it.
    match profile {
        Profile::Rfc1808 => rfc1808::scheme_length(&without_line_breaks(reference)).is_some(),
        Profile::Rfc3986 => rfc3986::scheme_length(&without_line_breaks(reference)).is_some(),
        Profile::Whatwg => whatwg::is_absolute(reference),
    }
}

/// Whether `reference` is absolute in every profile, by its first characters alone: it begins with a scheme, and if a base
/// URL of that scheme could complete it, with two slashes behind.
pub(crate) fn begins_with_scheme(reference: &str) -> bool {
    let Some(length) = rfc3986::scheme_length(reference) else {
        return false;
    };
    let (scheme, rest) = reference.split_at(length);
    rest.starts_with("://") || !whatwg::is_special(scheme)
}

/// Whether `reference` begins like most that are absolute, in every profile.
#[inline]
pub(crate) fn begins_with_http(reference: &str) -> bool {
    let is_behind = |rest: Option<&str>| {
        let rest = rest.map(|rest| rest.strip_prefix('s').unwrap_or(rest));
        rest.is_some_and(|rest| rest.starts_with("://"))
    };
    is_behind(reference.strip_prefix("http"))
}

/// `reference`, which is absolute, as the profile would write it: escaped, and what else its standard does to a
/// reference with a scheme.
pub(crate) fn normalize(
    reference: &str,
    profile: Profile,
    escape: Escape,
    encoding: &'static Encoding,
) -> Result<String, ResolveError> {
    match profile {
        Profile::Rfc1808 | Profile::Rfc3986 => {
            Ok(generic::normalize(reference, profile, (escape, encoding)))
        }
        Profile::Whatwg => whatwg::normalize(reference, encoding),
    }
}

/// A base URL, checked and prepared, against which any number of references can be resolved.
///
/// # Examples
/// ```
/// use absolve::{Profile, Resolver};
///
/// let resolver = Resolver::new("http://a/b/c/d;p?q#f", Profile::Rfc1808)?;
/// let mut targets = String::new();
/// for reference in ["g", "../g"] {
///     resolver.resolve_into(reference, &mut targets)?;
///     targets.push('\n');
/// }
/// assert_eq!(targets, "http://a/b/c/g\nhttp://a/b/g\n");
/// # Ok::<(), absolve::ResolveError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Resolver {
    profile: Profile,
    escape: Escape,
    encoding: &'static Encoding,
    base_encoding: &'static Encoding,
    /// Shared by clones.
    base: Arc<PreparedBase>,
}

/// A base URL as its profile wants it.
#[derive(Debug, Clone)]
enum PreparedBase {
    Generic(generic::ParsedBase),
    Whatwg(whatwg::WhatwgBase),
}

impl Resolver {
    /// Splits `base` and checks that relative references may be resolved against it.
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub fn new(base: &str, profile: Profile) -> Result<Self, ResolveError> {
        let (escape, encoding) = (Escape::default(), UTF_8);
        let base = match profile {
            Profile::Rfc1808 | Profile::Rfc3986 => {
                let split = Reference::split(base, profile);
                generic::check_base(&split, profile)?;
                PreparedBase::Generic(generic::ParsedBase::new(base, profile, escape, encoding))
            }
            Profile::Whatwg => PreparedBase::Whatwg(whatwg::WhatwgBase::new(base)?),
        };
        Ok(Self {
            profile,
            escape,
            encoding,
            base_encoding: encoding,
            base: Arc::new(base),
        })
    }

    /// Sets what happens to characters that cannot stand in a URL; default [`Escape::Url`]. In the profile
    /// [`Whatwg`](Profile::Whatwg) they are always percent-encoded: its parser does that itself.
    pub fn escape(self, escape: Escape) -> Self {
        if escape == self.escape {
            return self;
        }
        Self { escape, ..self }.prepared_again()
    }

    /// Sets the encodings in which the query of a target is percent-encoded: that of the document, for the references
    /// in it, and that of the base URL, which is the document's only if it stands in the document. Default UTF-8.
    pub(crate) fn query_encodings(
        self,
        encoding: &'static Encoding,
        base_encoding: &'static Encoding,
    ) -> Self {
        let is_prepared = base_encoding == self.base_encoding;
        let resolver = Self {
            encoding,
            base_encoding,
            ..self
        };
        if is_prepared {
            resolver
        } else {
            resolver.prepared_again()
        }
    }

    /// The same with another encoding of the document.
    pub(crate) fn document_encoding(self, encoding: &'static Encoding) -> Self {
        Self { encoding, ..self }
    }

    fn prepared_again(mut self) -> Self {
        if let PreparedBase::Generic(base) = &*self.base {
            let (profile, escape) = (self.profile, self.escape);
            let base =
                generic::ParsedBase::new(base.written(), profile, escape, self.base_encoding);
            self.base = Arc::new(PreparedBase::Generic(base));
        }
        self
    }

    /// The target of `reference`, by the standard of the profile: borrowed if it is the reference itself.
    ///
    /// # Errors
    /// [`ResolveError::ReferenceMalformed`], in the profile [`Whatwg`](Profile::Whatwg) only.
    pub fn resolve<'r>(&self, reference: &'r str) -> Result<Cow<'r, str>, ResolveError> {
        let mut target = String::with_capacity(reference.len() + 64);
        self.resolve_into(reference, &mut target)?;
        if target == reference {
            return Ok(Cow::Borrowed(reference));
        }
        Ok(Cow::Owned(target))
    }

    /// Appends the target of `reference` to `target`.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve); `target` is as it was then.
    ///
    /// # Complexity
    /// Linear in the length of base and reference, dot segments included; allocates only to grow `target`, and for
    /// references out of the ordinary.
    pub fn resolve_into(&self, reference: &str, target: &mut String) -> Result<(), ResolveError> {
        match &*self.base {
            PreparedBase::Generic(base) => {
                if !shortcut::resolve(&base.shortcut(), reference, target) {
                    let escape = (self.escape, self.encoding);
                    generic::resolve(base, reference, self.profile, escape, target, &mut |_| {});
                }
                Ok(())
            }
            PreparedBase::Whatwg(base) => {
                if shortcut::resolve(&base.shortcut(), reference, target) {
                    return Ok(());
                }
                base.resolve(reference, self.encoding, target)
            }
        }
    }

    /// The target of `reference`, if it is an ordinary one: relative, and of nothing but characters that stand for
    /// themselves.
    ///
    /// # Complexity
    /// Linear in the length of base and reference; a small part of what [`resolve`](Self::resolve) takes.
    pub(crate) fn shortcut(&self, reference: &str) -> Option<String> {
        let mut target = String::new();
        shortcut::resolve(&self.prepared(), reference, &mut target).then_some(target)
    }

    /// As [`shortcut`](Self::shortcut) for the reference at `span` of `text`, but in two parts: the beginning of the base URL,
    /// and the end of the reference. One of letters, digits and few other characters is known at a glance; of another it is
    /// asked whether it `is_literal`.
    #[inline]
    pub(crate) fn shortcut_parts<'s>(
        &'s self,
        text: &'s str,
        span: Span,
        is_literal: impl FnOnce(&str) -> bool,
    ) -> Option<(&'s str, &'s str)> {
        shortcut::parts_in(&self.prepared(), text, span, is_literal)
    }

    fn prepared(&self) -> Shortcut<'_> {
        match &*self.base {
            PreparedBase::Generic(base) => base.shortcut(),
            PreparedBase::Whatwg(base) => base.shortcut(),
        }
    }

    /// Whether the base URL is of nothing but characters that stand for themselves in a value of markup, however that is
    /// delimited.
    pub(crate) fn is_simple_in_markup(&self) -> bool {
        const PLAIN: Characters = Characters::with(b"-._~:/?#[]@!$()*+,;=%");
        PLAIN.are_all_of(self.prepared().base)
    }

    /// Whether the base URL is of nothing but characters that stand for themselves in CSS, in a string and without quotes.
    pub(crate) fn is_simple_in_css(&self) -> bool {
        const PLAIN: Characters = Characters::with(b"-._~:/?#[]@!$*+,;=%&");
        PLAIN.are_all_of(self.prepared().base)
    }

    /// The target of `reference` and the steps of the standard that led to it, in order. In the profile
    /// [`Whatwg`](Profile::Whatwg) there is one step, the standard's parser.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn explain(&self, reference: &str) -> Result<ResolutionTrace, ResolveError> {
        let mut target = String::new();
        let mut steps = Vec::new();
        match &*self.base {
            PreparedBase::Generic(base) => {
                let escape = (self.escape, self.encoding);
                generic::resolve(
                    base,
                    reference,
                    self.profile,
                    escape,
                    &mut target,
                    &mut |step| steps.push(step),
                );
            }
            PreparedBase::Whatwg(base) => {
                base.resolve(reference, self.encoding, &mut target)?;
                steps.push(whatwg::STEP);
            }
        }
        Ok(ResolutionTrace { target, steps })
    }

    /// The shortest reference of that form whose target is `target`, or `target` itself where there is none: it has
    /// another scheme or another authority, or no reference of that form leads to it.
    ///
    /// It is never empty, because an empty value means nothing in most attributes.
    ///
    /// # Complexity
    /// Linear in the length of base and target.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Profile, RelativeForm, Resolver};
    ///
    /// let resolver = Resolver::new("http://a/b/c/d", Profile::Rfc1808)?;
    /// assert_eq!(resolver.relative("http://a/b/x:y", RelativeForm::Path), "../x:y");
    /// assert_eq!(resolver.relative("http://a/b/c/x:y", RelativeForm::Path), "./x:y");
    /// assert_eq!(resolver.relative("http://a/b/c/x", RelativeForm::Root), "/b/c/x");
    /// assert_eq!(resolver.relative("http://other/", RelativeForm::Path), "http://other/");
    /// # Ok::<(), absolve::ResolveError>(())
    /// ```
    #[must_use]
    pub fn relative<'t>(&self, target: &'t str, form: RelativeForm) -> Cow<'t, str> {
        relative::relative(self, self.base(), self.profile, target, form)
    }

    /// Whether the base URL has a hierarchy: `mailto:` and the like have none, and are no base of a document, even
    /// where the profile would resolve against them.
    pub(crate) fn is_hierarchical(&self) -> bool {
        generic::is_hierarchical(&Reference::split(self.base(), Profile::Rfc3986))
    }

    /// The base URL as the profile writes it.
    pub(crate) fn base(&self) -> &str {
        match &*self.base {
            PreparedBase::Generic(base) => base.written(),
            PreparedBase::Whatwg(base) => base.as_str(),
        }
    }
}

/// A target, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResolutionTrace {
    /// The target.
    pub target: String,
    /// The steps taken, in order.
    pub steps: Vec<ResolutionStep>,
}
