//! Selects the base URL of a document from its candidates.
//!
//! RFC 1808 section 3 ("Establishing a Base URL") lists four sources of a base URL, from the inside outwards. The first
//! source that has a base URL takes precedence:
//!
//! | section | source | candidate |
//! |---|---|---|
//! | 3.1 | [`Embedded`](BaseSource::Embedded) | BASE in HEAD (section 10) |
//! | 3.2 | [`EncapsulatingEntity`](BaseSource::EncapsulatingEntity) | the message or archive record around it |
//! | 3.3 | [`Retrieval`](BaseSource::Retrieval) | the URL the document was retrieved from, after redirects |
//! | 3.4 | [`Default`](BaseSource::Default) | a default of the application |
//!
//! This module does not search for candidates: `crate::rewrite` finds BASE elements, `crate::archive` finds entities,
//! and the caller supplies the others. A source may have several candidates, such as nested entities.
//!
//! # Unusable candidates
//!
//! Section 3 does not define what happens if a candidate cannot be a base URL. Here:
//!
//! * A candidate that is empty, malformed or not hierarchical (`mailto:`) is ignored. In the profile
//!   [`Whatwg`](Profile::Whatwg), a BASE that is not hierarchical is the base URL, unless its scheme is `data` or
//!   `javascript`: HTML requires it, and relative references have no target then.
//! * A relative candidate is an error (section 10), but a common one. As in HTML, it is resolved against the base URL
//!   that the candidates of lower precedence determine. The result has the [source](BaseSource) of the relative
//!   candidate.
//! * A BASE that contains a template placeholder determines the base URL, but its value is not known yet. So there is
//!   no base URL, and every relative reference is left unchanged: no base URL is better than a wrong one.
//!
//! # Algorithm
//!
//! A pass in order of precedence finds the first absolute candidate. A second pass, from there back to the first
//! candidate, resolves the relative ones, each against the result so far. Every candidate is classified at most twice.

use std::borrow::Cow;
use std::fmt;

use crate::grammar::single;
use crate::reference::{
    Authority, Placeholders, Profile, Reference, ResolveError, Resolver, is_stripped_absolute,
    stripped,
};
use crate::scheme;

/// The source of a base URL.
///
/// The variants are in the order of precedence of RFC 1808 section 3, highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BaseSource {
    /// The document's content: BASE in HEAD (sections 3.1 and 10).
    Embedded,
    /// The entity that encapsulates the document: a message, an archive record (section 3.2).
    EncapsulatingEntity,
    /// The URL used to retrieve the document, after redirects (section 3.3).
    Retrieval,
    /// The default the application supplies (section 3.4).
    Default,
}

impl BaseSource {
    /// Returns the name used in reports and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::EncapsulatingEntity => "encapsulating-entity",
            Self::Retrieval => "retrieval",
            Self::Default => "default",
        }
    }

    /// Returns the number of the section of RFC 1808 that defines the source.
    #[must_use]
    pub fn section(self) -> &'static str {
        match self {
            Self::Embedded => "3.1",
            Self::EncapsulatingEntity => "3.2",
            Self::Retrieval => "3.3",
            Self::Default => "3.4",
        }
    }
}

/// The URLs that may be the base URL of a document, in order of precedence.
///
/// # Examples
/// ```
/// use absolve::{BaseCandidates, BaseSource, Profile};
///
/// let base = BaseCandidates::new()
///     .with(BaseSource::Retrieval, "http://somewhere/else")
///     .with(BaseSource::Embedded, "http://www.ics.uci.edu/Test/a/b/c")
///     .establish(Profile::Rfc1808);
/// let base = base.expect("two usable candidates");
/// assert_eq!(base.url, "http://www.ics.uci.edu/Test/a/b/c");
/// assert_eq!(base.source, BaseSource::Embedded);
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct BaseCandidates<'u> {
    /// Invariant: sorted by source. Candidates of one source are in the order in which they were added.
    values: Vec<(BaseSource, &'u str)>,
}

/// The base URL of a document and its source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Base {
    /// An absolute URL.
    ///
    /// It keeps its fragment, which an empty reference inherits (RFC 1808 section 4, step 2a).
    pub url: String,
    /// The source of the candidate that was selected.
    pub source: BaseSource,
}

/// A candidate for the base URL, with the result of the selection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The source of the candidate.
    pub source: BaseSource,
    /// The URL as it was given, without surrounding white space.
    pub value: String,
    /// The result of the selection.
    pub status: CandidateStatus,
}

/// A row of a table, as all lists of candidates have it.
#[cfg(feature = "serde")]
impl serde::Serialize for Candidate {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut row = serializer.serialize_struct("Candidate", 6)?;
        row.serialize_field("source", self.source.name())?;
        row.serialize_field("section", self.source.section())?;
        row.serialize_field("value", &self.value)?;
        row.serialize_field("used", &self.status.is_used())?;
        row.serialize_field("completing", &self.status.is_completing())?;
        row.serialize_field("reason", &self.status.to_string())?;
        row.end()
    }
}

/// The result of the selection for one candidate: whether it is the base URL, or the reason why it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CandidateStatus {
    /// The candidate is absolute and is the base URL.
    Used,
    /// The candidate is relative. Resolved against the next usable one, it is the base URL. RFC 1808 section 10 does
    /// not permit this for BASE; HTML does, and RFC 2557 section 4.2 for header fields of messages.
    UsedAfterResolving,
    /// The candidate is the base URL against which a relative candidate of higher precedence was resolved.
    Completing,
    /// The candidate is overridden by one of higher precedence.
    Overridden,
    /// The candidate is empty.
    Empty,
    /// The candidate is a BASE that contains a template placeholder, such as `{{ url }}`. The base URL is unknown.
    Placeholder,
    /// The candidate is relative, and no candidate of lower precedence is absolute.
    Relative,
    /// The candidate is a BASE outside HEAD (RFC 1808 section 10).
    OutsideHead,
    /// The candidate is a BASE in the contents of a TEMPLATE, which are not part of the document.
    InTemplate,
    /// The candidate is a BASE after the first one that has an `href` and is in scope.
    NotFirst,
    /// The candidate is a BASE with another origin than the retrieval URL, which [`BaseOrigin::Same`] ignores.
    ///
    /// [`BaseOrigin::Same`]: crate::BaseOrigin::Same
    ForeignOrigin,
    /// The candidate cannot be the base of a relative reference.
    Unusable(ResolveError),
}

impl CandidateStatus {
    /// Returns whether this candidate is the base URL.
    #[must_use]
    pub fn is_used(self) -> bool {
        matches!(self, Self::Used | Self::UsedAfterResolving)
    }

    /// Returns whether the base URL, which is relative as it was given, was resolved against this candidate.
    #[must_use]
    pub fn is_completing(self) -> bool {
        self == Self::Completing
    }
}

impl fmt::Display for CandidateStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Used => "first usable candidate",
            Self::UsedAfterResolving => "relative; resolved against the next usable candidate",
            Self::Completing => "base of a relative candidate of higher precedence",
            Self::Overridden => "overridden by a candidate of higher precedence",
            Self::Empty => "empty",
            Self::Placeholder => "template placeholder",
            Self::Relative => "relative, and there is no absolute candidate to resolve it against",
            Self::OutsideHead => "ignored: BASE outside HEAD",
            Self::InTemplate => "ignored: BASE in a template",
            Self::NotFirst => "ignored: not the first BASE",
            Self::ForeignOrigin => "ignored: another origin than the retrieval URL",
            Self::Unusable(error) => return error.fmt(formatter),
        })
    }
}

impl<'u> BaseCandidates<'u> {
    /// Creates an empty list of candidates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a candidate.
    ///
    /// Of several candidates with the same source, the one added first takes precedence: encapsulating entities must be
    /// added from the innermost outwards.
    pub fn with(mut self, source: BaseSource, url: &'u str) -> Self {
        let index = self.values.partition_point(|&(known, _)| known <= source);
        self.values.insert(index, (source, url));
        self
    }

    /// Adds candidates, each like [`with`](Self::with).
    pub fn with_all(self, urls: impl IntoIterator<Item = (BaseSource, &'u str)>) -> Self {
        let urls = urls.into_iter();
        urls.fold(self, |all, (source, url)| all.with(source, url))
    }

    /// Iterates over the candidates, in order of precedence.
    pub fn iter(&self) -> impl Iterator<Item = (BaseSource, &'u str)> {
        self.values.iter().copied()
    }

    /// Replaces every candidate by the result of `change`.
    pub(crate) fn map(mut self, change: impl Fn(&'u str) -> &'u str) -> Self {
        let values = self.values.iter_mut();
        values.for_each(|(_, url)| *url = change(url));
        self
    }

    /// Returns the first candidate with the given source.
    pub(crate) fn of(&self, source: BaseSource) -> Option<&'u str> {
        let candidate = self.iter().find(|&(known, _)| known == source);
        candidate.map(|(_, url)| url)
    }

    /// Selects the base URL.
    ///
    /// The first usable candidate is selected, in every profile; in [`Profile::Whatwg`] this is the document base URL
    /// of HTML. A relative candidate is resolved against the base URL that the candidates after it determine; the
    /// result has the source of the relative candidate. Candidates that are empty, not hierarchical or malformed are
    /// ignored, except for a BASE that HTML accepts in [`Profile::Whatwg`], such as `mailto:`.
    ///
    /// Returns `None` if no candidate is usable, or if BASE contains a template placeholder. Every reference is assumed
    /// to be absolute then (RFC 1808 section 3.4).
    #[must_use]
    pub fn establish(&self, profile: Profile) -> Option<Base> {
        self.explain(profile).base
    }

    /// Selects the base URL like [`establish`](Self::establish), and reports the status of every candidate.
    #[must_use]
    pub fn explain(&self, profile: Profile) -> BaseReport {
        self.explain_with(profile, &Placeholders::default()).0
    }

    /// Selects the base URL like [`explain`](Self::explain), with the given template placeholders.
    ///
    /// Also returns the resolver of the base URL, so that the caller does not have to parse the URL again.
    pub(crate) fn explain_with(
        &self,
        profile: Profile,
        placeholders: &Placeholders,
    ) -> (BaseReport, Option<Resolver>) {
        let mut used: Option<(Base, Resolver)> = None;
        // Whether a placeholder determines the base URL.
        let mut is_unknown = false;
        let mut candidates: Vec<Candidate> = self
            .iter()
            .map(|(source, value)| {
                let span = single(value);
                let value = &value[span.start..span.end];
                let status = if used.is_some() || is_unknown {
                    CandidateStatus::Overridden
                } else {
                    match classify(source, value, profile, placeholders) {
                        Ok(resolver) => {
                            used = Some(base_of(source, resolver));
                            CandidateStatus::Used
                        }
                        Err(status) => {
                            is_unknown = status == CandidateStatus::Placeholder;
                            status
                        }
                    }
                };
                Candidate {
                    source,
                    value: value.to_owned(),
                    status,
                }
            })
            .collect();

        // The relative candidates above the absolute one, in ascending precedence: each is resolved against the base so
        // far. Without an absolute candidate, the lowest one that is a URL by itself is the first base.
        let mut completed_by = candidates
            .iter()
            .position(|candidate| candidate.status == CandidateStatus::Used);
        let relative = if is_unknown {
            0
        } else {
            completed_by.unwrap_or(candidates.len())
        };
        for index in (0..relative).rev() {
            let Candidate { source, status, .. } = candidates[index];
            if status != CandidateStatus::Relative {
                continue;
            }
            let lower = used.as_ref().map(|(_, resolver)| resolver);
            let candidate = (source, &*candidates[index].value);
            candidates[index].status = match inner_base(candidate, lower, profile, placeholders) {
                Ok(found) => {
                    used = Some(found);
                    match completed_by.replace(index) {
                        Some(completing) => {
                            candidates[completing].status = CandidateStatus::Completing;
                            CandidateStatus::UsedAfterResolving
                        }
                        None => CandidateStatus::Used,
                    }
                }
                Err(status) => status,
            };
        }
        let (base, resolver) = used.unzip();
        (BaseReport { base, candidates }, resolver)
    }
}

/// Returns the base URL with this resolver, and the resolver.
fn base_of(source: BaseSource, resolver: Resolver) -> (Base, Resolver) {
    let url = resolver.base().to_owned();
    (Base { url, source }, resolver)
}

/// Returns the base URL that `value` declares for a part of a document, or for a document in it, and its resolver.
///
/// `outer` has the base URL around that part, against which a relative value is resolved. The result is that of
/// [`BaseCandidates::explain_with`] for these two, without a report.
///
/// # Errors
/// Returns the reason why `value` is not a base URL, so that it has no effect; with a
/// [placeholder](CandidateStatus::Placeholder), the base URL is unknown.
pub(crate) fn inner_base(
    (source, value): (BaseSource, &str),
    outer: Option<&Resolver>,
    profile: Profile,
    placeholders: &Placeholders,
) -> Result<(Base, Resolver), CandidateStatus> {
    let span = single(value);
    let value = &value[span.start..span.end];
    let base = |resolver| base_of(source, resolver);
    match (classify(source, value, profile, placeholders), outer) {
        (Err(CandidateStatus::Relative), Some(outer)) => {
            let url = outer.resolve(value).map_err(CandidateStatus::Unusable)?;
            classify(source, &url, profile, placeholders).map(base)
        }
        // URL Standard, "scheme state": a special URL without slashes is relative to a URL of its scheme only.
        (Err(CandidateStatus::Relative), None) if profile == Profile::Whatwg => {
            let resolver = Resolver::new(value, profile).ok();
            let resolver = resolver.filter(Resolver::is_hierarchical);
            resolver.map(base).ok_or(CandidateStatus::Relative)
        }
        (classified, _) => classified.map(base),
    }
}

/// The base URL of a document and the status of every candidate for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct BaseReport {
    /// The base URL, if there is one.
    pub base: Option<Base>,
    /// Every candidate, in order of precedence.
    pub candidates: Vec<Candidate>,
}

impl BaseReport {
    /// Returns whether the document declares a base URL of another origin than its retrieval URL: scheme, host or port.
    ///
    /// Returns `false` if one of the two is not known, as that of a host in the domain `.invalid` (RFC 2606 section 2).
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        let embedded = |base: &&Base| base.source == BaseSource::Embedded;
        let base = self.base.as_ref().filter(embedded);
        let is_retrieval = |candidate: &&Candidate| candidate.source == BaseSource::Retrieval;
        let retrieval = self.candidates.iter().find(is_retrieval);
        let retrieval = retrieval.and_then(|retrieval| origin(&retrieval.value));
        let retrieval = retrieval.filter(|origin| !origin.ends_with(".invalid"));
        let base = base.and_then(|base| origin(&base.url));
        base.zip(retrieval).is_some_and(|(base, own)| base != own)
    }
}

/// Returns the scheme, host and port of `url` in the form of the URL Standard; `None` if it is not a valid URL there.
fn origin(url: &str) -> Option<String> {
    let resolver = Resolver::new(url, Profile::Whatwg).ok()?;
    let parts = Reference::split(resolver.base(), Profile::Rfc3986);
    let authority = Authority::split(parts.authority.unwrap_or_default());
    Some(format!("{}://{}", parts.scheme?, authority.host_and_port))
}

/// Returns the reason why `url` would not be the base URL of a document without other candidates; `None` if it would.
pub(crate) fn unusable_base(url: &str, profile: Profile) -> Option<ResolveError> {
    let candidates = BaseCandidates::new().with(BaseSource::Default, url);
    // A URL from outside the document is never searched for placeholders.
    let (report, _) = candidates.explain_with(profile, &Placeholders::new([""; 0]));
    match report.candidates.first().map(|candidate| candidate.status) {
        Some(status) if status.is_used() => None,
        Some(CandidateStatus::Unusable(error)) => Some(error),
        _ => Some(ResolveError::BaseNotAbsolute),
    }
}

/// Returns whether `text` begins with a drive letter, which would be read as a scheme.
pub(crate) fn is_windows_path(text: &str) -> bool {
    match text.as_bytes() {
        [drive, b':', b'\\', ..] => drive.is_ascii_alphabetic(),
        [drive, b':', b'/', rest @ ..] => drive.is_ascii_alphabetic() && !rest.starts_with(b"/"),
        _ => false,
    }
}

/// Returns the resolver of a candidate if it can be a base URL, regardless of the other candidates.
///
/// # Errors
/// Returns the reason why it cannot be one by itself: [`CandidateStatus::Relative`] if it may become one by being
/// resolved.
fn classify(
    source: BaseSource,
    value: &str,
    profile: Profile,
    placeholders: &Placeholders,
) -> Result<Resolver, CandidateStatus> {
    let written = value;
    let value: Cow<'_, str> = stripped(written);
    // HTML, "set the frozen base URL": an empty `href` is parsed like any other and resolves to the fallback base URL.
    let may_be_empty = profile == Profile::Whatwg && source == BaseSource::Embedded;
    if value.is_empty() && !may_be_empty {
        return Err(CandidateStatus::Empty);
    }
    // Only a document can be a template. A URL from outside the document is used as it is, even if it contains `{{`.
    // A line break ends a mark here as it does in a reference, so BASE itself and the links are treated alike.
    if source == BaseSource::Embedded && placeholders.are_contained_in(written) {
        return Err(CandidateStatus::Placeholder);
    }
    if !is_stripped_absolute(&value, profile) {
        return Err(CandidateStatus::Relative);
    }
    let resolver = Resolver::new(&value, profile).map_err(CandidateStatus::Unusable)?;
    let is_usable = match (profile, source) {
        // HTML, "set the frozen base URL": any URL is usable but those of two schemes. If it is not hierarchical,
        // relative references have no target.
        (Profile::Whatwg, BaseSource::Embedded) => {
            let scheme = scheme::split(resolver.base()).map(|(scheme, _)| scheme);
            !matches!(scheme, Some("data" | "javascript"))
        }
        _ => resolver.is_hierarchical(),
    };
    if is_usable {
        Ok(resolver)
    } else {
        Err(CandidateStatus::Unusable(ResolveError::BaseNotHierarchical))
    }
}
