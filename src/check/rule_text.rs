//! The documentation of the rules: a Markdown file for each rule in `rules`, and its parts.

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
    /// Splits the text of a file into its parts, or returns `None` if it has another structure.
    pub(super) fn parse(text: &'static str) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Rule;

    /// `absolve check --explain` prints a name and a summary on each line of an 80-column terminal.
    const SUMMARY_WIDTH: usize = 80 - "fragment-leaves-document  ".len();

    #[test]
    fn markdown_has_the_structure_of_a_rule() {
        for rule in Rule::ALL {
            let text = rule.documentation();
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
