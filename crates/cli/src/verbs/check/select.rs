//! `--select`, `--ignore` and `--warn`.

use absolve::check::Rule;

use super::severity::FindingSeverity;
use crate::exit::Abort;
use crate::print::terminal;
use crate::suggestion;

/// The selected rules, in the order of [`Rule::ALL`].
#[derive(Clone)]
pub(crate) struct RuleSelection {
    pub(super) rules: Vec<Rule>,
    /// The rules whose findings are warnings.
    warnings: Vec<Rule>,
}

impl RuleSelection {
    /// Selects the rules in `select`, or all if that is empty, without those in `ignore`. Those in `warn` are warnings.
    pub(super) fn new(
        select: &[String],
        ignore: &[String],
        warn: &[String],
    ) -> Result<Self, Abort> {
        let named = |option: &str, names: &[String]| -> Result<Vec<Rule>, Abort> {
            names.iter().map(|name| rule(option, name)).collect()
        };
        let (select, ignore) = (named("--select", select)?, named("--ignore", ignore)?);
        if let Some(rule) = select.iter().find(|rule| ignore.contains(rule)) {
            let name = rule.name();
            return Err(Abort::Usage(format!(
                "--select {name} and --ignore {name} exclude each other\n  hint: use one of them"
            )));
        }
        let is_selected =
            |rule: &Rule| (select.is_empty() || select.contains(rule)) && !ignore.contains(rule);
        Ok(Self {
            rules: Rule::ALL.into_iter().filter(is_selected).collect(),
            warnings: named("--warn", warn)?,
        })
    }

    /// Returns the severity of the findings of a rule.
    pub(super) fn severity(&self, rule: Rule) -> FindingSeverity {
        if self.warnings.contains(&rule) {
            FindingSeverity::Warning
        } else {
            FindingSeverity::Error
        }
    }
}

/// Parses the name of a rule. The error names `option` and suggests similar names.
pub(super) fn rule(option: &str, name: &str) -> Result<Rule, Abort> {
    name.trim_ascii().parse().map_err(|error| {
        let name = name.trim_ascii();
        let names = Rule::ALL.into_iter().map(Rule::name);
        let suggestion = suggestion::did_you_mean(name, names)
            .unwrap_or_else(|| "absolve check --explain lists the rules".to_owned());
        Abort::Usage(format!(
            "{option} {}: {error}; {suggestion}",
            terminal::quoted(name)
        ))
    })
}
