//! The base URL of a document: candidates in, one base URL and its source out.
//!
//! This module decides; it finds nothing. The embedded candidate comes from BASE in HEAD, the others from
//! containers, from whoever retrieved the document, and from the application.
//!
//! Source: RFC 1808 section 3, "Establishing a Base URL".

use std::borrow::Cow;
use std::fmt;

use crate::grammar::single;
use crate::reference::{
    Placeholders, Profile, ResolveError, Resolver, is_absolute, without_line_breaks,
};

/// Where a base URL comes from, in the order of precedence of RFC 1808 section 3: the first one wins.
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
    /// The name used in reports and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::EncapsulatingEntity => "encapsulating-entity",
            Self::Retrieval => "retrieval",
            Self::Default => "default",
        }
    }

    /// The section of RFC 1808 that defines the source.
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

/// The URLs a document could have as its base, in order of precedence.
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
    /// Sorted by source.
    values: Vec<(BaseSource, &'u str)>,
}

/// The base URL of a document, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Base {
    /// An absolute URL. It keeps its fragment, for the one reference that inherits it (RFC 1808 section 4, step 2a).
    pub url: String,
    /// The layer that gave it.
    pub source: BaseSource,
}

/// A candidate, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// Where it comes from.
    pub source: BaseSource,
    /// The URL as it was given, without white space around it.
    pub value: String,
    /// What became of it.
    pub status: CandidateStatus,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CandidateStatus {
    /// It is absolute, and the base.
    Used,
    /// It is relative, which RFC 1808 section 10 does not allow; resolved against the next usable candidate, it is
    /// the base.
    UsedAfterResolving,
    /// A relative candidate of higher precedence was resolved against it.
    Completing,
    /// A candidate of higher precedence is the base.
    Overridden,
    /// It is the empty text.
    Empty,
    /// It is in the document and holds a template's placeholder, such as `{{ url }}`: the base URL is not known yet.
    Placeholder,
    /// It is relative, and no candidate below it is absolute.
    Relative,
    /// It is a BASE outside HEAD (RFC 1808 section 10).
    OutsideHead,
    /// It is a BASE in the contents of a template, which are not part of the document.
    InTemplate,
    /// It is a BASE behind the first one in HEAD that has an `href`.
    NotFirst,
    /// It cannot be the base of a relative reference.
    Unusable(ResolveError),
}

impl CandidateStatus {
    /// Whether the base URL is this candidate's.
    #[must_use]
    pub fn is_used(self) -> bool {
        matches!(self, Self::Used | Self::UsedAfterResolving)
    }
}

impl fmt::Display for CandidateStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Used => "absolute, and first in precedence",
            Self::UsedAfterResolving => {
                "relative, which section 10 does not allow; resolved against the next candidate"
            }
            Self::Completing => "a relative candidate of higher precedence was resolved against it",
            Self::Overridden => "a candidate of higher precedence is the base",
            Self::Empty => "empty",
            Self::Placeholder => "placeholder of a template",
            Self::Relative => "relative, and no candidate below it is absolute",
            Self::OutsideHead => "BASE outside HEAD",
            Self::InTemplate => "BASE in a template",
            Self::NotFirst => "not the first BASE",
            Self::Unusable(error) => return error.fmt(formatter),
        })
    }
}

impl<'u> BaseCandidates<'u> {
    /// No candidates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a candidate. Of several with the same source the first added goes first: encapsulating entities are added
    /// from the innermost outwards.
    pub fn with(mut self, source: BaseSource, url: &'u str) -> Self {
        let place = self.values.partition_point(|&(other, _)| other <= source);
        self.values.insert(place, (source, url));
        self
    }

    /// The first candidate with that source.
    pub(crate) fn of(&self, source: BaseSource) -> Option<&'u str> {
        let found = self.values.iter().find(|&&(other, _)| other == source);
        found.map(|&(_, url)| url)
    }

    /// The base URL, or `None` where no candidate is usable: then every reference is assumed to be absolute
    /// (RFC 1808 section 3.4).
    ///
    /// The first usable candidate wins, in every profile; in [`Profile::Whatwg`] that is the document base URL of HTML.
    /// A relative one is resolved against the base that the candidates after it give, and stays the source of the
    /// result; one that is empty, not hierarchical or malformed is passed over. Where BASE is a template's placeholder,
    /// there is no base URL yet.
    #[must_use]
    pub fn establish(&self, profile: Profile) -> Option<Base> {
        self.explain(profile).base
    }

    /// The base URL as [`establish`](Self::establish) finds it, and what became of every candidate, in order of
    /// precedence.
    #[must_use]
    pub fn explain(&self, profile: Profile) -> BaseReport {
        self.explain_with(profile, &Placeholders::default()).0
    }

    /// As [`explain`](Self::explain), with these placeholders instead of the usual ones; and what resolves against the
    /// base URL, if that was found on the way.
    pub(crate) fn explain_with(
        &self,
        profile: Profile,
        placeholders: &Placeholders,
    ) -> (BaseReport, Option<Resolver>) {
        let classified = |source, value: &str| classify(source, value, profile, placeholders);
        let mut base: Option<Base> = None;
        let mut used = None;
        // A placeholder is the base URL, and nobody can say yet which: none is better than a wrong one.
        let mut is_unknown = false;
        let mut candidates: Vec<Candidate> = self
            .values
            .iter()
            .map(|&(source, value)| {
                let span = single(value);
                let value = &value[span.start..span.end];
                let status = match (&base, classified(source, value)) {
                    (Some(_), _) => CandidateStatus::Overridden,
                    _ if is_unknown => CandidateStatus::Overridden,
                    (None, Err(CandidateStatus::Placeholder)) => {
                        is_unknown = true;
                        CandidateStatus::Placeholder
                    }
                    (None, Ok(resolver)) => {
                        base = Some(Base {
                            url: resolver.base().to_owned(),
                            source,
                        });
                        used = Some(resolver);
                        CandidateStatus::Used
                    }
                    (None, Err(status)) => status,
                };
                Candidate {
                    source,
                    value: value.to_owned(),
                    status,
                }
            })
            .collect();

        // Relative candidates above the absolute one, from the lowest up: each is resolved against the base so far.
        let mut completed_by = candidates
            .iter()
            .position(|candidate| candidate.status == CandidateStatus::Used);
        for index in (0..completed_by.unwrap_or(0)).rev() {
            let Some(lower) = base.as_mut() else { break };
            let Ok(resolver) = Resolver::new(&lower.url, profile) else {
                break;
            };
            if candidates[index].status != CandidateStatus::Relative {
                continue;
            }
            let source = candidates[index].source;
            let completed = resolver
                .resolve(&candidates[index].value)
                .map_err(CandidateStatus::Unusable)
                .and_then(|url| classified(source, &url).map(|_| url.into_owned()));
            match completed {
                Ok(url) => {
                    *lower = Base { url, source };
                    used = None;
                    candidates[index].status = CandidateStatus::UsedAfterResolving;
                    if let Some(completing) = completed_by.replace(index) {
                        candidates[completing].status = CandidateStatus::Completing;
                    }
                }
                Err(status) => candidates[index].status = status,
            }
        }
        (BaseReport { base, candidates }, used)
    }
}

/// A base URL and how it was established.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct BaseReport {
    /// The base URL, if there is one.
    pub base: Option<Base>,
    /// Every candidate, in order of precedence.
    pub candidates: Vec<Candidate>,
}

/// What a candidate is by itself, without regard to the others: a base URL, or why not.
fn classify(
    source: BaseSource,
    value: &str,
    profile: Profile,
    placeholders: &Placeholders,
) -> Result<Resolver, CandidateStatus> {
    let value: Cow<'_, str> = without_line_breaks(value);
    // In HTML an empty BASE counts like any relative one.
    let may_be_empty = profile == Profile::Whatwg && source == BaseSource::Embedded;
    if value.is_empty() && !may_be_empty {
        return Err(CandidateStatus::Empty);
    }
    // Others were told to us by someone who knows.
    if source == BaseSource::Embedded && placeholders.are_in(&value) {
        return Err(CandidateStatus::Placeholder);
    }
    if !is_absolute(&value, profile) {
        return Err(CandidateStatus::Relative);
    }
    let resolver = Resolver::new(&value, profile).map_err(CandidateStatus::Unusable)?;
    if resolver.is_hierarchical() {
        Ok(resolver)
    } else {
        Err(CandidateStatus::Unusable(ResolveError::BaseNotHierarchical))
    }
}
