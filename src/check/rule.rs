//! The rules, by name.

use std::fmt;

use super::rule_text::RuleText;
use crate::names::named_values;

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
    /// A BASE URL of another origin than the document.
    BaseForeignHost,
    /// An FTP base URL with `;type=d`.
    BaseTypeD,
    /// Relative references in a document without a base URL.
    NoBase,
    /// A fragment-only reference that leads to another document because of BASE.
    FragmentLeavesDocument,
    /// An empty reference to a resource, or one that leads to another document because of BASE.
    EmptyReference,
    /// An `xml:base`, which browsers ignore.
    XmlBaseIgnored,
    /// An identifier of a feed that is a relative reference.
    RelativeIdentifier,
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
    /// A reference with a line break or tab and `<`, which browsers do not request.
    DanglingMarkup,
    /// A backslash in a path.
    Backslash,
    /// White space, a control character or an invisible character inside a reference.
    WhiteSpace,
    /// More `..` segments than the base URL has directories.
    DotsAboveRoot,
    /// A reference whose target depends on the profile.
    ProfilesDiffer,
    /// A link into the site that leads to none of its files: a caller of
    /// [`Rewriter::check`](crate::Rewriter::check) knows them.
    MissingTarget,
    /// A link into the site whose fragment names no element of the document.
    MissingFragment,
}

/// Implements [`Rule::ALL`], [`Rule::name`] and [`Rule::documentation`] for a table of the rules and their names.
macro_rules! rules {
    ($($rule:ident => $name:literal,)*) => {
        impl Rule {
            /// All rules, those about base URLs first.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$rule),*];

            /// Returns the complete documentation in Markdown: the name as heading, the summary, the source, the
            /// explanation and the example.
            #[must_use]
            pub fn documentation(self) -> &'static str {
                match self {
                    $(Self::$rule => include_str!(concat!("rules/", $name, ".md")),)*
                }
            }
        }

        named_values! { @names Rule, "rule", &Self::ALL; $($rule => $name,)* }
    };
}

rules! {
    BaseRelative => "base-relative",
    BaseEmpty => "base-empty",
    BaseUnusable => "base-unusable",
    BaseOutsideHead => "base-outside-head",
    BaseRepeated => "base-repeated",
    BaseAfterLink => "base-after-link",
    BaseWithoutSlash => "base-without-slash",
    BaseForeignHost => "base-foreign-host",
    BaseTypeD => "base-type-d",
    NoBase => "no-base",
    FragmentLeavesDocument => "fragment-leaves-document",
    EmptyReference => "empty-reference",
    XmlBaseIgnored => "xml-base-ignored",
    RelativeIdentifier => "relative-identifier",
    RepeatedAttribute => "repeated-attribute",
    Placeholder => "placeholder",
    LocalFile => "local-file",
    MissingAuthority => "missing-authority",
    MisspelledScheme => "misspelled-scheme",
    MissingScheme => "missing-scheme",
    ColonInFirstSegment => "colon-in-first-segment",
    SingleLabelHost => "single-label-host",
    NetworkPathInFile => "network-path-in-file",
    Malformed => "malformed",
    DanglingMarkup => "dangling-markup",
    Backslash => "backslash",
    WhiteSpace => "white-space",
    DotsAboveRoot => "dots-above-root",
    ProfilesDiffer => "profiles-differ",
    MissingTarget => "missing-target",
    MissingFragment => "missing-fragment",
}

impl Rule {
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
