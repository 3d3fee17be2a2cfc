//! What is typed for `absolve check`.

use clap::{Args, ValueEnum};

use super::{ColorArg, DocumentArgs};

#[derive(Debug, Args)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,

    /// Findings as text, json, github, sarif [default: text]
    ///
    /// text is for people; json, one array of objects; github, workflow commands, which annotate a pull request; sarif,
    /// a log of SARIF 2.1.0 for code scanning.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CheckFormat::Text, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) format: CheckFormat,

    /// Only these rules, separated by commas; repeatable [default: all]
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(in crate::cli) select: Vec<String>,

    /// All but these rules; repeatable
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(in crate::cli) ignore: Vec<String>,

    /// Print what a rule is about and do nothing else; no name lists all
    #[arg(long, value_name = "RULE", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "the option may be there without a value"
    )]
    pub(in crate::cli) explain: Option<Option<String>>,

    /// Colours of the text: auto, always, never [default: auto]
    ///
    /// auto is on a terminal, unless `NO_COLOR` is set.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorArg::Auto,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(in crate::cli) color: ColorArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CheckFormat {
    /// For people: the line, with what is meant underlined
    Text,
    /// One JSON array, an object for each finding
    Json,
    /// Workflow commands of GitHub Actions
    Github,
    /// A log of SARIF 2.1.0
    Sarif,
}
