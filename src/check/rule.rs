//! What is looked for: the rules, by name.

use std::fmt;
use std::str::FromStr;

use super::catalogue::Entry;

/// What is looked for in a document.
///
/// Each rule has a name, a source, and an explanation with an example; the order is that of [`Rule::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The BASE that counts is relative.
    BaseRelative,
    /// A BASE with an empty `href`.
    BaseEmpty,
    /// The BASE that counts cannot be a base URL.
    BaseUnusable,
    /// A BASE that is not in HEAD.
    BaseOutsideHead,
    /// A BASE behind the one that counts.
    BaseRepeated,
    /// A BASE behind a relative reference.
    BaseAfterLink,
    /// A BASE whose last segment looks like a directory and has no slash behind it.
    BaseWithoutSlash,
    /// A base URL with `;type=d`.
    BaseTypeD,
    /// Relative references, and no base URL.
    NoBase,
    /// A reference to a place in this document that a BASE sends to another.
    FragmentLeavesDocument,
    /// An empty reference that does not mean what it seems to mean.
    EmptyReference,
    /// An attribute that repeats one that holds links.
    RepeatedAttribute,
    /// A template's placeholder, or what a script leaves where a value is missing.
    Placeholder,
    /// A file of the author's own machine.
    LocalFile,
    /// A scheme without the slashes and the host that belong to it.
    MissingAuthority,
    /// What seems to be a scheme with a slip of the pen.
    MisspelledScheme,
    /// A relative reference that looks like a host or an address.
    MissingScheme,
    /// A first path segment with a colon, which reads as a scheme.
    ColonInFirstSegment,
    /// Two slashes before what looks like a path.
    SingleLabelHost,
    /// A reference without a scheme in a document whose base URL is a file.
    NetworkPathInFile,
    /// What a browser does not take for a URL.
    Malformed,
    /// A backslash where a slash is meant.
    Backslash,
    /// White space, control characters or invisible characters inside a reference.
    WhiteSpace,
    /// More `..` than there are directories.
    DotsAboveRoot,
    /// A reference that leads elsewhere in another profile.
    ProfilesDiffer,
}

impl Rule {
    /// Every rule: those about base URLs first.
    pub const ALL: [Self; 25] = [
        Self::BaseRelative,
        Self::BaseEmpty,
        Self::BaseUnusable,
        Self::BaseOutsideHead,
        Self::BaseRepeated,
        Self::BaseAfterLink,
        Self::BaseWithoutSlash,
        Self::BaseTypeD,
        Self::NoBase,
        Self::FragmentLeavesDocument,
        Self::EmptyReference,
        Self::RepeatedAttribute,
        Self::Placeholder,
        Self::LocalFile,
        Self::MissingAuthority,
        Self::MisspelledScheme,
        Self::MissingScheme,
        Self::ColonInFirstSegment,
        Self::SingleLabelHost,
        Self::NetworkPathInFile,
        Self::Malformed,
        Self::Backslash,
        Self::WhiteSpace,
        Self::DotsAboveRoot,
        Self::ProfilesDiffer,
    ];

    /// The name: lower case, words joined by hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BaseRelative => "base-relative",
            Self::BaseEmpty => "base-empty",
            Self::BaseUnusable => "base-unusable",
            Self::BaseOutsideHead => "base-outside-head",
            Self::BaseRepeated => "base-repeated",
            Self::BaseAfterLink => "base-after-link",
            Self::BaseWithoutSlash => "base-without-slash",
            Self::BaseTypeD => "base-type-d",
            Self::NoBase => "no-base",
            Self::FragmentLeavesDocument => "fragment-leaves-document",
            Self::EmptyReference => "empty-reference",
            Self::RepeatedAttribute => "repeated-attribute",
            Self::Placeholder => "placeholder",
            Self::LocalFile => "local-file",
            Self::MissingAuthority => "missing-authority",
            Self::MisspelledScheme => "misspelled-scheme",
            Self::MissingScheme => "missing-scheme",
            Self::ColonInFirstSegment => "colon-in-first-segment",
            Self::SingleLabelHost => "single-label-host",
            Self::NetworkPathInFile => "network-path-in-file",
            Self::Malformed => "malformed",
            Self::Backslash => "backslash",
            Self::WhiteSpace => "white-space",
            Self::DotsAboveRoot => "dots-above-root",
            Self::ProfilesDiffer => "profiles-differ",
        }
    }

    /// What is the matter, in a line.
    #[must_use]
    pub fn summary(self) -> &'static str {
        Entry::of(self).summary
    }

    /// The standard and its section that the rule comes from.
    #[must_use]
    pub fn section(self) -> &'static str {
        Entry::of(self).section
    }

    /// Why it surprises, when the rule fires and when it does not, and what to do. Paragraphs are parted by empty lines.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        Entry::of(self).explanation
    }

    /// A piece of a document in which the rule fires, and one that says what was meant.
    #[must_use]
    pub fn example(self) -> (&'static str, &'static str) {
        let Entry { before, after, .. } = Entry::of(self);
        (before, after)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let found = Self::ALL.into_iter().find(|rule| rule.name() == name);
        found.ok_or(UnknownRule)
    }
}

/// There is no rule of that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownRule;

impl fmt::Display for UnknownRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no rule of that name")
    }
}

impl std::error::Error for UnknownRule {}
