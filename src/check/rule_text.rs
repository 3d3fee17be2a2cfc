//! The documentation of the rules: a Markdown file for each rule in `rules`, and its parts.

use super::Rule;

/// The parts of a rule's documentation.
#[derive(Debug)]
pub(super) struct RuleText {
    pub(super) summary: &'static str,
    pub(super) section: &'static str,
    pub(super) explanation: &'static str,
    /// The code of the example that shows the problem.
    pub(super) before: &'static str,
    /// The corrected code.
    pub(super) after: &'static str,
}

impl RuleText {
    /// Returns the parts of the documentation of `rule`.
    pub(super) fn of(rule: Rule) -> Self {
        Self::parse(markdown(rule)).expect("a test parses the file of every rule")
    }

    /// Splits the text of a file into its parts, or returns `None` if it has another structure.
    fn parse(text: &'static str) -> Option<Self> {
        let (_name, rest) = text.strip_prefix("# ")?.split_once("\n\n")?;
        let (summary, rest) = rest.split_once(".\n\nSource: ")?;
        let (section, rest) = rest.split_once("\n\n")?;
        let (explanation, example) = rest.split_once("\n\n## Example\n\n```html\n")?;
        let (before, rest) = example.split_once("\n```\n\nUse instead:\n\n```html\n")?;
        Some(Self {
            summary,
            section,
            explanation,
            before,
            after: rest.strip_suffix("\n```\n")?,
        })
    }
}

/// Returns the file of `rule`.
pub(super) fn markdown(rule: Rule) -> &'static str {
    match rule {
        Rule::BaseRelative => include_str!("rules/base-relative.md"),
        Rule::BaseEmpty => include_str!("rules/base-empty.md"),
        Rule::BaseUnusable => include_str!("rules/base-unusable.md"),
        Rule::BaseOutsideHead => include_str!("rules/base-outside-head.md"),
        Rule::BaseRepeated => include_str!("rules/base-repeated.md"),
        Rule::BaseAfterLink => include_str!("rules/base-after-link.md"),
        Rule::BaseWithoutSlash => include_str!("rules/base-without-slash.md"),
        Rule::BaseTypeD => include_str!("rules/base-type-d.md"),
        Rule::NoBase => include_str!("rules/no-base.md"),
        Rule::FragmentLeavesDocument => include_str!("rules/fragment-leaves-document.md"),
        Rule::EmptyReference => include_str!("rules/empty-reference.md"),
        Rule::RepeatedAttribute => include_str!("rules/repeated-attribute.md"),
        Rule::Placeholder => include_str!("rules/placeholder.md"),
        Rule::LocalFile => include_str!("rules/local-file.md"),
        Rule::MissingAuthority => include_str!("rules/missing-authority.md"),
        Rule::MisspelledScheme => include_str!("rules/misspelled-scheme.md"),
        Rule::MissingScheme => include_str!("rules/missing-scheme.md"),
        Rule::ColonInFirstSegment => include_str!("rules/colon-in-first-segment.md"),
        Rule::SingleLabelHost => include_str!("rules/single-label-host.md"),
        Rule::NetworkPathInFile => include_str!("rules/network-path-in-file.md"),
        Rule::Malformed => include_str!("rules/malformed.md"),
        Rule::Backslash => include_str!("rules/backslash.md"),
        Rule::WhiteSpace => include_str!("rules/white-space.md"),
        Rule::DotsAboveRoot => include_str!("rules/dots-above-root.md"),
        Rule::ProfilesDiffer => include_str!("rules/profiles-differ.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `absolve check --explain` prints a name and a summary on each line of an 80-column terminal.
    const SUMMARY_WIDTH: usize = 80 - "fragment-leaves-document  ".len();

    #[test]
    fn markdown_has_the_structure_of_a_rule() {
        for rule in Rule::ALL {
            let text = markdown(rule);
            assert!(text.starts_with(&format!("# {rule}\n")), "{rule}");
            assert!(text.lines().all(|line| line.len() <= 80), "{rule}");
            let parts = RuleText::parse(text).unwrap_or_else(|| panic!("{rule}: {text}"));
            assert!(parts.summary.len() <= SUMMARY_WIDTH, "{rule}");
            let lines = parts.explanation.lines();
            let headings: Vec<&str> = lines.filter(|line| line.starts_with('#')).collect();
            let expected = ["## What it does", "## Why is this bad?", "## What to do"];
            assert_eq!(headings, expected, "{rule}");
        }
    }
}
