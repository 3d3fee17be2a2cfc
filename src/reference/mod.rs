//! Splits references into components and resolves them, from text to text. This module does no I/O and knows no HTML.
//!
//! A reference is the text an author wrote; resolving it against a base URL yields its target. The [`Profile`]
//! specifies how a reference is split into components and resolved. Nothing here knows where references come from or
//! how the base URL was chosen.
//!
//! # Tour
//!
//! Each standard has one file, so that the code can be compared with the text of the standard:
//!
//! * [`rfc1808`]: the splitting order of section 2.4 and the steps of section 4, with their deviations marked
//!   `DIFFERENCE`. It is the default profile.
//! * [`rfc3986`]: section 5.2, strict.
//! * [`whatwg`]: the URL Standard's parser, state by state.
//!
//! [`generic`] contains what the two RFCs share: it checks and prepares the base URL, asks [`rfc1808`] or [`rfc3986`]
//! which components are inherited, and recombines them. `escape` percent-encodes each component as it is written. Each
//! step is reported as a [`ResolutionStep`]; [`Resolver::explain`] returns the list of them.
//!
//! [`shortcut`] is the fast path before all three: for most references the target is a prefix of the base URL, followed
//! by the reference unchanged. It returns either what the profile's own steps would return, or nothing.
//!
//! [`relative`](mod@relative) is the inverse: a reference that leads from a base URL to a target.
//! [`equivalence`] compares URLs that differ in spelling only.
//! [`placeholder`] recognizes text of template languages, which is not a reference yet.
//!
//! A [`Resolver`] is prepared once for a base URL and resolves any number of references; [`resolve`] resolves a single
//! one, and [`explain`] also returns the steps.

mod authority;
mod characters;
mod components;
mod equivalence;
mod error;
mod escape;
mod generic;
mod layout;
mod placeholder;
mod profile;
mod relative;
mod rfc1808;
mod rfc3986;
mod shortcut;
mod split;
mod target;
mod whatwg;

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use crate::scheme;
use crate::span::Span;
pub use authority::Authority;
use characters::CharacterSet;
pub use components::Reference;
pub(crate) use equivalence::{rest_below, with_normal_path, with_slashes};
pub use error::ResolveError;
pub use escape::Escape;
pub use escape::stripped;
use escape::without_backslashes;
use layout::BaseLayout;
pub(crate) use placeholder::Placeholders;
pub use profile::Profile;
pub use relative::RelativeForm;
pub(crate) use split::split_fragment;
pub use target::ResolutionStep;

/// Resolves `reference` against `base` and returns its target.
///
/// The reference is returned borrowed and unchanged in three cases: if the target equals the reference, if it is
/// absolute and `base` is unusable, and if `base` is empty, because a document without a base URL is assumed to contain
/// absolute references only (RFC 1808 section 4, step 1). Any other target is a new string, in which characters that
/// are not allowed in a URL are percent-encoded; see [`Resolver::escape`] to switch that off. Use a [`Resolver`] to
/// resolve many references against one base URL.
///
/// # Source
/// RFC 1808 section 4; RFC 3986 section 5.2; the URL Standard, "basic URL parser".
///
/// # Errors
/// Returns a [`ResolveError`] if `reference` is relative and `base` is neither empty nor usable as a base URL, or if
/// the URL Standard's parser rejects `reference`.
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
    // RFC 1808 step 1. The caller has established the base URL; if it is empty, every reference counts as absolute.
    if base.is_empty() {
        return Ok(Cow::Borrowed(reference));
    }
    match Resolver::new(base, profile) {
        Ok(resolver) => resolver.resolve(reference),
        // RFC 1808 step 2b. An absolute reference does not need a base URL.
        Err(_) if is_url(reference, profile) => Ok(Cow::Borrowed(reference)),
        Err(error) => Err(error),
    }
}

/// The only step if there is no base URL.
const NO_BASE: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 1",
    what: "the base URL is empty: the reference is taken as an absolute URL",
};

/// The only step for an absolute reference if the base URL cannot be used.
const NO_BASE_NEEDED: ResolutionStep = ResolutionStep {
    place: "RFC 1808 section 4, step 2b",
    what: "the reference has a scheme: it is absolute, and needs no base URL",
};

/// Resolves `reference` like [`resolve`], and returns its target with the steps of the standard that led to it.
///
/// White space and control characters at the ends of the target are removed, and so are tabs and line breaks in it.
///
/// # Errors
/// Fails as [`resolve`] does.
///
/// # Examples
/// ```
/// use absolve::resolution::explain;
/// use absolve::Profile;
///
/// let trace = explain("http://a/b/c/d;p?q", "../g", Profile::Rfc1808)?;
/// assert_eq!(trace.target, "http://a/b/g");
/// let last = trace.steps.last().map(|step| step.place);
/// assert_eq!(last, Some("RFC 1808 section 4, step 7"));
/// # Ok::<(), absolve::ResolveError>(())
/// ```
pub fn explain(
    base: &str,
    reference: &str,
    profile: Profile,
) -> Result<ResolutionTrace, ResolveError> {
    let without_base = |step| {
        let target = resolve(base, reference, profile)?.into_owned();
        let steps = vec![step];
        Ok(ResolutionTrace { target, steps })
    };
    let mut trace = match Resolver::new(base, profile) {
        _ if base.is_empty() => without_base(NO_BASE),
        Ok(resolver) => resolver.explain(reference),
        Err(_) => without_base(NO_BASE_NEEDED),
    }?;
    // An absolute reference is its own target, and may have spaces at its ends and line breaks.
    let target = trace.target.trim_matches(|character| character <= ' ');
    trace.target = target.replace(['\t', '\n', '\r'], "");
    Ok(trace)
}

/// Returns whether `reference` is absolute, so that it needs no base URL.
///
/// It must have a scheme once control characters and spaces at its ends, tabs and line breaks are removed. In the
/// profile [`Whatwg`](Profile::Whatwg), a special scheme must also be followed by two slashes, because otherwise a base
/// URL of the same scheme would complete the reference (`http:g`).
///
/// # Complexity
/// Linear in the length of `reference`.
#[must_use]
pub fn is_absolute(reference: &str, profile: Profile) -> bool {
    match profile {
        Profile::Rfc1808 | Profile::Rfc3986 => is_stripped_absolute(&stripped(reference), profile),
        Profile::Whatwg => whatwg::is_absolute(reference),
    }
}

/// Returns what [`is_absolute`] does, for a reference that has been [stripped].
pub(crate) fn is_stripped_absolute(reference: &str, profile: Profile) -> bool {
    // No scheme contains a delimiter of another component, so nothing has to be split off before looking for one.
    match profile {
        Profile::Rfc1808 => scheme::split_rfc1808(reference).is_some(),
        Profile::Rfc3986 => scheme::split(reference).is_some(),
        Profile::Whatwg => whatwg::is_absolute(reference),
    }
}

/// Returns whether `reference` is absolute if there is no base URL that could complete it.
///
/// In the profile [`Whatwg`](Profile::Whatwg), a special URL then needs no slashes (`http:g`).
pub(crate) fn is_url(reference: &str, profile: Profile) -> bool {
    is_absolute(reference, profile)
        || (profile == Profile::Whatwg && whatwg::normalize(reference, UTF_8).is_ok())
}

/// Returns whether the first characters of `reference` make it absolute in every profile.
///
/// It must begin with a scheme, and a special scheme must be followed by two slashes, because otherwise a base URL of
/// that scheme could complete it.
pub(crate) fn begins_with_scheme(reference: &str) -> bool {
    scheme::split(reference)
        .is_some_and(|(scheme, rest)| rest.starts_with("//") || !scheme::is_special(scheme))
}

/// Returns whether `reference` begins with `http://` or `https://` in lower case, and so is absolute in every profile.
#[inline]
pub(crate) fn begins_with_http(reference: &[u8]) -> bool {
    let rest = reference.strip_prefix(b"http");
    rest.is_some_and(|rest| rest.starts_with(b"://") || rest.starts_with(b"s://"))
}

/// Returns `reference`, which must be absolute, normalized by the profile.
///
/// It is escaped, and changed in every other way in which the standard changes a reference with a scheme.
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

/// Returns whether browsers find the same scheme and authority in two absolute URLs, or an error in both.
pub(crate) fn has_same_authority(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|url| whatwg::normalize(url, UTF_8));
    match (&one, &other) {
        (Ok(one), Ok(other)) => {
            let [one, other] = [one, other].map(|url| Reference::split(url, Profile::Whatwg));
            (one.scheme, one.authority) == (other.scheme, other.authority)
        }
        _ => one.is_err() && other.is_err(),
    }
}

/// A base URL that has been checked and prepared, so that any number of references can be resolved against it.
///
/// Cloning is cheap: clones share the prepared base URL.
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

/// A base URL prepared for its profile.
#[derive(Debug, Clone)]
enum PreparedBase {
    Generic {
        /// The base URL as the caller passed it, stripped and with slashes for backslashes, if it is not that of
        /// `layout`.
        written: Option<String>,
        layout: BaseLayout,
    },
    Whatwg(whatwg::WhatwgBase),
}

impl PreparedBase {
    /// Prepares `written`, whose components are `split`, for a profile of the RFCs.
    fn generic(
        written: &str,
        split: &Reference<'_>,
        profile: Profile,
        (escape, encoding): (Escape, &'static Encoding),
    ) -> Self {
        let layout = generic::base_layout(written, split, profile, escape, encoding);
        Self::Generic {
            written: (layout.url != written).then(|| written.to_owned()),
            layout,
        }
    }
}

impl Resolver {
    /// Splits `base` and checks that relative references can be resolved against it.
    ///
    /// # Errors
    /// Returns the [`ResolveError`] that describes why `base` cannot be a base URL in this profile.
    pub fn new(base: &str, profile: Profile) -> Result<Self, ResolveError> {
        let (escape, encoding) = (Escape::default(), UTF_8);
        let base = match profile {
            Profile::Rfc1808 | Profile::Rfc3986 => {
                let written = without_backslashes(stripped(base), None);
                let split = Reference::split(&written, profile);
                generic::check_base(&split, profile)?;
                PreparedBase::generic(&written, &split, profile, (escape, encoding))
            }
            Profile::Whatwg => PreparedBase::Whatwg(whatwg::base(base)?),
        };
        Ok(Self {
            profile,
            escape,
            encoding,
            base_encoding: encoding,
            base: Arc::new(base),
        })
    }

    /// Sets how characters that are not allowed in a URL are written. The default is [`Escape::Url`].
    ///
    /// In the profile [`Whatwg`](Profile::Whatwg) this has no effect: its parser always percent-encodes them.
    pub fn escape(self, escape: Escape) -> Self {
        if escape == self.escape {
            return self;
        }
        Self { escape, ..self }.rebuild_base()
    }

    /// Sets the encodings in which the query of a target is percent-encoded. The default is UTF-8 for both.
    ///
    /// `encoding` is that of the document and applies to references. `base_encoding` applies to the base URL; it is the
    /// document's only if the base URL is part of the document.
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
            resolver.rebuild_base()
        }
    }

    /// Sets the document's encoding and keeps the one of the base URL; see [`query_encodings`](Self::query_encodings).
    pub(crate) fn document_encoding(self, encoding: &'static Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// Prepares the base URL again after a setting that affects its escaping has changed.
    fn rebuild_base(mut self) -> Self {
        if let PreparedBase::Generic { .. } = &*self.base {
            let written = self.base();
            let split = Reference::split(written, self.profile);
            let escape = (self.escape, self.base_encoding);
            let base = PreparedBase::generic(written, &split, self.profile, escape);
            self.base = Arc::new(base);
        }
        self
    }

    /// Returns the target of `reference`, borrowed if it equals the reference.
    ///
    /// # Errors
    /// In the profile [`Whatwg`](Profile::Whatwg) only: [`ResolveError::ReferenceMalformed`] if the URL Standard's
    /// parser rejects `reference`, and [`ResolveError::BaseNotHierarchical`] if `reference` is relative to a base URL
    /// such as `mailto:a@b`.
    pub fn resolve<'r>(&self, reference: &'r str) -> Result<Cow<'r, str>, ResolveError> {
        // Room for the prefix of a typical base URL.
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
    /// Fails as [`resolve`](Self::resolve) does, and leaves `target` unchanged.
    ///
    /// # Complexity
    /// Linear in the length of base and reference, dot segments included. Allocates only to grow `target`, and for
    /// references to which the fast path does not apply.
    pub fn resolve_into(&self, reference: &str, target: &mut String) -> Result<(), ResolveError> {
        if shortcut::resolve(self.layout(), reference, target) {
            return Ok(());
        }
        self.resolve_in_full(reference, target, &mut |_| {})
    }

    /// Appends the target of `reference` to `target` by the profile's own steps, and reports each to `trace`.
    fn resolve_in_full(
        &self,
        reference: &str,
        target: &mut String,
        trace: &mut impl FnMut(ResolutionStep),
    ) -> Result<(), ResolveError> {
        match &*self.base {
            PreparedBase::Generic { layout, .. } => {
                let escape = (self.escape, self.encoding);
                generic::resolve(layout, reference, self.profile, escape, target, trace);
                Ok(())
            }
            PreparedBase::Whatwg(base) => {
                trace(whatwg::STEP);
                whatwg::resolve(base, reference, self.encoding, target)
            }
        }
    }

    /// Returns the target of the reference at `span` of `text` in two parts.
    ///
    /// These are a prefix of the base URL, and a suffix of the reference, as its span in `text`. Returns `None` if the
    /// [fast path](shortcut) does not apply.
    ///
    /// `is_literal` must return whether the suffix is literal in the notation of `text`. It is called only if the
    /// reference contains more than letters, digits and a few other characters, or is near the end of `text`.
    #[inline]
    pub(crate) fn split_target(
        &self,
        text: &str,
        span: Span,
        is_literal: impl FnOnce(&str) -> bool,
    ) -> Option<(&str, Span)> {
        shortcut::split_target_in(self.layout(), text, span, is_literal)
    }

    /// Returns the base URL as targets inherit it.
    fn layout(&self) -> &BaseLayout {
        match &*self.base {
            PreparedBase::Generic { layout, .. } => layout,
            PreparedBase::Whatwg(base) => &base.layout,
        }
    }

    /// Returns whether every character of the base URL is literal in an attribute value, however it is quoted.
    pub(crate) fn is_literal_in_markup(&self) -> bool {
        self.layout().sets.include(CharacterSet::MARKUP)
    }

    /// Returns whether every character of the base URL is literal in a CSS string and in an unquoted `url()`.
    pub(crate) fn is_literal_in_css(&self) -> bool {
        self.layout().sets.include(CharacterSet::CSS)
    }

    /// Returns the target of `reference` and the steps of the standard that led to it, in order.
    ///
    /// In the profile [`Whatwg`](Profile::Whatwg) there is one step, the standard's parser.
    ///
    /// # Errors
    /// Fails as [`resolve`](Self::resolve) does.
    pub fn explain(&self, reference: &str) -> Result<ResolutionTrace, ResolveError> {
        let mut target = String::new();
        let mut steps = Vec::new();
        self.resolve_in_full(reference, &mut target, &mut |step| steps.push(step))?;
        Ok(ResolutionTrace { target, steps })
    }

    /// Returns a reference of the given form whose target is `target`, or `target` itself if there is none.
    ///
    /// There is none if `target` has another scheme or authority than the base URL, or if no reference of that form
    /// leads to it. The letter case of scheme and host and the default port make no difference. The result is never
    /// empty, because most attributes ignore an empty value.
    ///
    /// # Complexity
    /// Linear in the length of base and target.
    ///
    /// # Examples
    /// ```
    /// use absolve::resolution::RelativeForm;
    /// use absolve::{Profile, Resolver};
    ///
    /// let resolver = Resolver::new("http://a/b/c/d", Profile::Rfc1808)?;
    /// assert_eq!(resolver.relative("http://a/b/x:y", RelativeForm::Path), "../x:y");
    /// assert_eq!(resolver.relative("http://a/b/c/x:y", RelativeForm::Path), "./x:y");
    /// assert_eq!(resolver.relative("http://a/x", RelativeForm::Path), "../../x");
    /// assert_eq!(resolver.relative("http://a/b/c/x", RelativeForm::Root), "/b/c/x");
    /// assert_eq!(resolver.relative("http://other/", RelativeForm::Path), "http://other/");
    /// # Ok::<(), absolve::ResolveError>(())
    /// ```
    #[must_use]
    pub fn relative<'t>(&self, target: &'t str, form: RelativeForm) -> Cow<'t, str> {
        let found = self.relative_where(target, form, |_| true);
        found.unwrap_or(Cow::Borrowed(target))
    }

    /// Returns the shortest reference of the given form whose target is `target` and for which `accepts` returns true,
    /// or `None` if there is none.
    ///
    /// This is for places where not every relative reference is read as one. For [`RelativeForm::Path`], shorter
    /// references are tried before longer ones, and the absolute path last. Otherwise like
    /// [`relative`](Self::relative).
    ///
    /// # Complexity
    /// Linear in the length of base and target. `accepts` is called for at most six references, which are never longer
    /// than both together by more than a few bytes.
    ///
    /// # Examples
    /// ```
    /// use absolve::resolution::RelativeForm;
    /// use absolve::{Profile, Resolver};
    ///
    /// let resolver = Resolver::new("http://a/b/c?q", Profile::Rfc1808)?;
    /// let relative = |accepts: fn(&str) -> bool| {
    ///     resolver.relative_where("http://a/b/c?q#f", RelativeForm::Path, accepts)
    /// };
    /// assert_eq!(relative(|_| true).as_deref(), Some("#f"));
    /// assert_eq!(relative(|reference| !reference.starts_with('#')).as_deref(), Some("?q#f"));
    /// assert_eq!(relative(|reference| reference.starts_with('.')).as_deref(), Some("./c?q#f"));
    /// assert_eq!(relative(|reference| reference.starts_with('/')).as_deref(), Some("/b/c?q#f"));
    /// assert_eq!(relative(|_| false), None);
    /// # Ok::<(), absolve::ResolveError>(())
    /// ```
    #[must_use]
    pub fn relative_where<'t>(
        &self,
        target: &'t str,
        form: RelativeForm,
        mut accepts: impl FnMut(&str) -> bool,
    ) -> Option<Cow<'t, str>> {
        let mut resolved = String::new();
        let mut resolves_to = |candidate: &str, expected: &str| {
            resolved.clear();
            self.resolve_into(candidate, &mut resolved).is_ok() && resolved == expected
        };
        let is_right = |candidate: &str, expected: &str| {
            resolves_to(candidate, expected) && accepts(candidate)
        };
        relative::relative_where(self.base(), self.profile, target, form, is_right)
    }

    /// Returns whether the base URL is hierarchical.
    ///
    /// URLs such as `mailto:` are not, and cannot be the base of a document even if the profile resolves against them.
    pub(crate) fn is_hierarchical(&self) -> bool {
        // `new` has checked it in the profile of RFC 1808, which requires it.
        self.profile == Profile::Rfc1808
            || generic::is_hierarchical(&Reference::split(self.base(), Profile::Rfc3986))
    }

    /// Returns the base URL: in the RFC profiles as passed to [`new`](Self::new), stripped and with slashes for
    /// backslashes, and normalized in the URL Standard's.
    #[must_use]
    pub fn base(&self) -> &str {
        match &*self.base {
            PreparedBase::Generic { written, layout } => written.as_deref().unwrap_or(&layout.url),
            PreparedBase::Whatwg(base) => &base.layout.url,
        }
    }
}

/// A target with the steps that led to it, as returned by [`Resolver::explain`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ResolutionTrace {
    /// The target of the reference.
    pub target: String,
    /// The steps of the standard, in the order they were taken.
    pub steps: Vec<ResolutionStep>,
}
