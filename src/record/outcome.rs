//! The outcome of a reference, and the reason why it is left unchanged.

use std::fmt;

use crate::reference::ResolveError;

/// The result of resolving a link. An [observer](crate::LinkObserver) receives the target in
/// [parts](crate::TargetParts).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome<T = String> {
    /// The reference resolves to this target, which is mapped and in the configured [`OutputForm`](crate::OutputForm).
    Resolved(T),
    /// The reference is already absolute, and is left unchanged.
    Absolute,
    /// The reference is left unchanged although it is relative or needed a change.
    ///
    /// There are two exceptions: a callback may [replace](crate::Decision::Replace) the reference or
    /// [remove](crate::Decision::Remove) the attribute, and
    /// [`BaseElementPolicy::Remove`](crate::BaseElementPolicy::Remove) also removes a BASE whose `href` is
    /// [empty](SkipReason::Empty).
    Skipped(SkipReason),
}

impl<T> Outcome<T> {
    /// Returns the name used in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Resolved(_) => "resolved",
            Self::Absolute => "absolute",
            Self::Skipped(_) => "skipped",
        }
    }

    /// Returns the reason why the link is skipped, if it is.
    #[must_use]
    pub fn skip_reason(&self) -> Option<SkipReason> {
        match self {
            Self::Skipped(reason) => Some(*reason),
            Self::Resolved(_) | Self::Absolute => None,
        }
    }
}

/// The reason why a reference is left unchanged.
///
/// A skipped link is not an error of the rewrite. [`is_failure`](Self::is_failure) distinguishes the reasons for which
/// the link should have been rewritten from those for which it is left alone on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The reference is relative and there is no base URL (RFC 1808 section 3.4), or none that a reference can be
    /// relative to: the profile [`Whatwg`](crate::Profile::Whatwg) accepts `mailto:` in BASE.
    NoBase,
    /// The reference is relative, and the base URL is longer than
    /// [`Limit::BaseLength`](crate::Limit::BaseLength) allows.
    BaseTooLong,
    /// The value is empty, which does not refer to the base URL in this attribute.
    Empty,
    /// The reference is to a part of the same document, whatever its URL: `use href="#id"`.
    Local,
    /// The reference, or the `codebase` it resolves against, contains a template placeholder, or one precedes it in the
    /// list that it is part of.
    Placeholder,
    /// The reference is longer than 128 KiB, which no server accepts, or the parser of the URL Standard rejects it.
    /// Only [`Profile::Whatwg`](crate::Profile::Whatwg) has the latter.
    Malformed,
    /// The reference is not one contiguous range of the document that can be replaced.
    ///
    /// It crosses a CDATA delimiter, the tree builder assembled it, or it begins or ends within bytes that only decode
    /// together. This is also the reason if the rewritten document would not decode as intended. Bytes that are invalid
    /// in the encoding are U+FFFD, in a reference as elsewhere, and no reason on their own.
    Undecodable,
    /// Writing the target would change the encoding that the document is detected in.
    EncodingDeclaration,
    /// The reference is fragment-only, and the [`FragmentPolicy`](crate::FragmentPolicy) leaves it unchanged.
    Fragment,
    /// [`Rewriter::skip`](crate::Rewriter::skip) or [`BaseElementPolicy::Keep`](crate::BaseElementPolicy::Keep)
    /// excludes the link.
    Excluded,
    /// The text to write would be parsed as something else in this place.
    ///
    /// Examples are a URL in `srcset` that ends in a comma, and `-->` in a comment. A link in the text of an element
    /// that a caller wants to [remove](crate::Decision::Remove) has this reason, too.
    Unwritable,
    /// The text to write would have the origin of
    /// [`Rewriter::unknown_origin`](crate::Rewriter::unknown_origin), which is not known.
    UnknownOrigin,
    /// The link is a nested document (`srcdoc`, HTML in a feed) that is nested too deeply, or that is not parsed: it is
    /// too long, too complex or ambiguous.
    TooDeep,
    /// The link is a nested document in base64 (`mode="base64"` in Atom 0.3), which is not read.
    Encoded,
    /// The reference is an identifier of a feed, which must not change: `atom:id`, `guid`.
    Identifier,
    /// The URL of a candidate of `srcset` that browsers ignore: a descriptor is a parse error.
    InvalidCandidate,
    /// The reference has a `<` and a tab or line break, and leads to an `http` or `https` URL. Browsers do not request
    /// it, but would request the target: markup that an injected, unclosed quote swallowed would be sent there.
    DanglingMarkup,
}

impl SkipReason {
    /// Returns whether the reference should have been resolved and written, but could not be.
    #[must_use]
    pub fn is_failure(self) -> bool {
        // No wildcard: a new reason must be assigned to one side.
        match self {
            Self::NoBase
            | Self::BaseTooLong
            | Self::Malformed
            | Self::Undecodable
            | Self::EncodingDeclaration
            | Self::Unwritable
            | Self::UnknownOrigin
            | Self::TooDeep
            | Self::Encoded
            | Self::DanglingMarkup => true,
            Self::Empty
            | Self::Local
            | Self::Placeholder
            | Self::Fragment
            | Self::Excluded
            | Self::Identifier
            | Self::InvalidCandidate => false,
        }
    }

    /// Returns the name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// Returns the name used in reports, and a noun phrase.
    fn texts(self) -> (&'static str, &'static str) {
        // The names are part of the JSON output, so they must not change.
        match self {
            Self::NoBase => ("no-base", "no base URL"),
            Self::BaseTooLong => ("base-too-long", "base URL too long"),
            Self::Empty => ("empty", "empty value"),
            Self::Local => ("local", "same-document reference"),
            Self::Placeholder => ("placeholder", "template placeholder"),
            Self::Malformed => (
                "malformed",
                "not a valid URL (URL Standard), or longer than 128 KiB",
            ),
            Self::Undecodable => (
                "undecodable",
                "reference whose bytes cannot be replaced on their own",
            ),
            Self::EncodingDeclaration => (
                "encoding-declaration",
                "target that would change the detected encoding",
            ),
            Self::Fragment => ("fragment", "fragment-only reference, kept"),
            Self::Excluded => ("excluded", "excluded"),
            Self::Unwritable => ("unwritable", "target that cannot be written in this place"),
            Self::UnknownOrigin => ("unknown-origin", "target on a host that is not known"),
            Self::TooDeep => (
                "too-deep",
                "nested document that is too deep, too long, too complex or ambiguous",
            ),
            Self::Encoded => ("encoded", "nested document in base64, which is not read"),
            Self::Identifier => ("identifier", "identifier"),
            Self::InvalidCandidate => (
                "invalid-candidate",
                "image candidate with an invalid descriptor",
            ),
            Self::DanglingMarkup => (
                "dangling-markup",
                "reference with a line break and `<`, which browsers do not request",
            ),
        }
    }
}

impl From<ResolveError> for SkipReason {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::BaseNotAbsolute
            | ResolveError::BaseNotHierarchical
            | ResolveError::BaseMalformed => Self::NoBase,
            ResolveError::ReferenceMalformed => Self::Malformed,
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.texts().1)
    }
}
