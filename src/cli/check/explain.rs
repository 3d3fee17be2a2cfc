//! `absolve check --explain`.

use std::io::Write;

use absolve::Rule;

use super::super::Abort;
use super::select;

/// Writes what the rule of that name is about, or, without a name, the list of all rules.
pub(super) fn write(name: Option<&str>, to: &mut impl Write) -> Result<(), Abort> {
    if let Some(name) = name {
        let rule = select::rule("--explain", name)?;
        write!(to, "{}", text(rule))?;
        return Ok(());
    }
    let longest = Rule::ALL.iter().map(|rule| rule.name().len()).max();
    let width = longest.unwrap_or(0);
    for rule in Rule::ALL {
        writeln!(to, "{:width$}  {}", rule.name(), rule.summary())?;
    }
    Ok(())
}

/// What a rule is about, in Markdown.
pub(super) fn text(rule: Rule) -> String {
    let (before, after) = rule.example();
    format!(
        "## {rule}\n\n{}.\n\nSource: {}\n\n{}\n\nInstead of\n\n{}\nwrite\n\n{}",
        sentence(rule.summary()),
        rule.section(),
        rule.explanation(),
        code(before),
        code(after)
    )
}

/// The text with its first letter upper case.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

fn code(text: &str) -> String {
    format!("```html\n{text}\n```\n")
}
