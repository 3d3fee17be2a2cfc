//! `--select` and `--ignore`.

use absolve::Rule;

use super::super::exit::Abort;
use super::super::terminal;

/// The selected rules, in the order of [`Rule::ALL`].
pub(super) struct RuleSelection {
    pub(super) rules: Vec<Rule>,
}

impl RuleSelection {
    /// Selects the rules in `select`, or all if that is empty, without those in `ignore`.
    pub(super) fn new(select: &[String], ignore: &[String]) -> Result<Self, Abort> {
        let named = |option: &str, names: &[String]| -> Result<Vec<Rule>, Abort> {
            names.iter().map(|name| rule(option, name)).collect()
        };
        let (select, ignore) = (named("--select", select)?, named("--ignore", ignore)?);
        let is_selected =
            |rule: &Rule| (select.is_empty() || select.contains(rule)) && !ignore.contains(rule);
        Ok(Self {
            rules: Rule::ALL.into_iter().filter(is_selected).collect(),
        })
    }

    pub(super) fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }
}

/// Parses the name of a rule. The error names `option` and suggests similar names.
pub(super) fn rule(option: &str, name: &str) -> Result<Rule, Abort> {
    name.trim_ascii().parse().map_err(|error| {
        let name = name.trim_ascii();
        let near = near(name);
        let suggestion = if near.is_empty() {
            "absolve check --explain lists the rules".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        Abort::Usage(format!(
            "{option} {}: {error}; {suggestion}",
            terminal::quoted(name)
        ))
    })
}

/// Returns up to three names of rules that are similar to `name`, the most similar first.
fn near(name: &str) -> Vec<&'static str> {
    /// Similarity that a suggested name must exceed; 1 for equal names.
    const MIN_SIMILARITY: f64 = 0.75;
    let name = name.to_ascii_lowercase().replace('_', "-");
    let mut near: Vec<(f64, &str)> = Rule::ALL
        .into_iter()
        .map(|rule| {
            let likeness = if rule.name().contains(&name) && name.len() > 2 {
                1.0
            } else {
                strsim::jaro_winkler(rule.name(), &name)
            };
            (likeness, rule.name())
        })
        .filter(|&(likeness, _)| likeness > MIN_SIMILARITY)
        .collect();
    near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    near.into_iter().map(|(_, name)| name).take(3).collect()
}
