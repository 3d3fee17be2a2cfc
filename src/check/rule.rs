//! The rules, by name.

use std::fmt;
use std::str::FromStr;

use super::rule_text::RuleText;
use crate::names::{self, UnknownName};

/// A kind of problem with a base URL or a reference.
///
/// The order of the rules is that of [`Rule::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A relative URL in the BASE element that counts.
    BaseRelative,
    /// An empty URL in the BASE element that counts.
    BaseEmpty,
    /// An unusable URL in the BASE element that counts: it cannot be a base URL.
    BaseUnusable,
    /// A BASE element outside HEAD or inside a template.
    BaseOutsideHead,
    /// A BASE element after the one that counts.
    BaseRepeated,
    /// A BASE element after a relative reference that it changes.
    BaseAfterLink,
    /// A BASE URL of a directory without a final slash.
    BaseWithoutSlash,
    /// An FTP base URL with `;type=d`.
    BaseTypeD,
    /// Relative references in a document without a base URL.
    NoBase,
    /// A fragment-only reference that leads to another document because of BASE.
    FragmentLeavesDocument,
    /// An empty reference to a resource, or one that leads to another document because of BASE.
    EmptyReference,
    /// A duplicate of an attribute that holds links.
    RepeatedAttribute,
    /// A template's placeholder, or the text that a script prints for a missing value.
    Placeholder,
    /// A `file:` URL or a path with a drive letter.
    LocalFile,
    /// A scheme or two slashes without the host that must follow.
    MissingAuthority,
    /// A misspelled or doubled scheme.
    MisspelledScheme,
    /// A relative reference that looks like a host or a mail address.
    MissingScheme,
    /// A colon in the first path segment, which makes a scheme of the part before it.
    ColonInFirstSegment,
    /// Two slashes before what looks like a directory.
    SingleLabelHost,
    /// A scheme-relative reference in a document whose base URL is a `file:` URL.
    NetworkPathInFile,
    /// A reference that the URL Standard's parser rejects.
    Malformed,
    /// A backslash in a path.
    Backslash,
    /// White space, a control character or an invisible character inside a reference.
    WhiteSpace,
    /// More `..` segments than the base URL has directories.
    DotsAboveRoot,
    /// A reference whose target depends on the profile.
    ProfilesDiffer,
}

impl Rule {
    /// All rules, those about base URLs first.
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

    /// Returns the name, in lower case with hyphens.
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

    /// Returns the complete documentation in Markdown: the name as heading, the summary, the source, the explanation
    /// and the example.
    #[must_use]
    pub fn documentation(self) -> &'static str {
        match self {
            Self::BaseRelative => include_str!("rules/base-relative.md"),
            Self::BaseEmpty => include_str!("rules/base-empty.md"),
            Self::BaseUnusable => include_str!("rules/base-unusable.md"),
            Self::BaseOutsideHead => include_str!("rules/base-outside-head.md"),
            Self::BaseRepeated => include_str!("rules/base-repeated.md"),
            Self::BaseAfterLink => include_str!("rules/base-after-link.md"),
            Self::BaseWithoutSlash => include_str!("rules/base-without-slash.md"),
            Self::BaseTypeD => include_str!("rules/base-type-d.md"),
            Self::NoBase => include_str!("rules/no-base.md"),
            Self::FragmentLeavesDocument => include_str!("rules/fragment-leaves-document.md"),
            Self::EmptyReference => include_str!("rules/empty-reference.md"),
            Self::RepeatedAttribute => include_str!("rules/repeated-attribute.md"),
            Self::Placeholder => include_str!("rules/placeholder.md"),
            Self::LocalFile => include_str!("rules/local-file.md"),
            Self::MissingAuthority => include_str!("rules/missing-authority.md"),
            Self::MisspelledScheme => include_str!("rules/misspelled-scheme.md"),
            Self::MissingScheme => include_str!("rules/missing-scheme.md"),
            Self::ColonInFirstSegment => include_str!("rules/colon-in-first-segment.md"),
            Self::SingleLabelHost => include_str!("rules/single-label-host.md"),
            Self::NetworkPathInFile => include_str!("rules/network-path-in-file.md"),
            Self::Malformed => include_str!("rules/malformed.md"),
            Self::Backslash => include_str!("rules/backslash.md"),
            Self::WhiteSpace => include_str!("rules/white-space.md"),
            Self::DotsAboveRoot => include_str!("rules/dots-above-root.md"),
            Self::ProfilesDiffer => include_str!("rules/profiles-differ.md"),
        }
    }

    /// Returns the parts of the documentation.
    fn text(self) -> RuleText {
        RuleText::parse(self.documentation()).expect("a test parses the file of every rule")
    }

    /// Returns the title, a noun phrase without a full stop.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.text().summary
    }

    /// Returns the standards and sections that the rule is based on.
    #[must_use]
    pub fn section(self) -> &'static str {
        self.text().section
    }

    /// Returns the explanation in Markdown: when the rule fires, why that is a problem, and what to do.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        self.text().explanation
    }

    /// Returns a piece of HTML in which the rule fires, and a corrected one.
    #[must_use]
    pub fn example(self) -> (&'static str, &'static str) {
        let RuleText { before, after, .. } = self.text();
        (before, after)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::find("rule", name, &Self::ALL, Self::name)
    }
}
