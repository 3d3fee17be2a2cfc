//! Arguments of `absolve check`.

use std::path::PathBuf;

use clap::Args;
use regex::bytes::{Regex, RegexBuilder};

use super::named::{self, RuleName};
use super::{BasePathArgs, ColorArg, DocumentArgs};
use crate::verbs::check::formats::{CheckFormat, FORMATS};

const EXAMPLES: &str = "\
Examples:
  absolve check site
  absolve check site --url https://example.org/ --format github
  absolve check --explain no-base";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("base_path", |arg| arg
    .long_help("Set the path that the directory is published under

In place of --url, if the host does not matter: links to /PATH/a.html must lead to a.html in the directory, and those to other paths are not checked. In messages, the host is absolve.invalid. `/` is the root of a host, and the default for a single directory without any base URL.")))]
pub(crate) struct CheckArgs {
    /// Output format: text, json, jsonl, github, sarif, html [default: text]
    ///
    /// text is for people; json is an array of objects, and jsonl has one in each line; github is workflow commands,
    /// which annotate a pull request;
    /// sarif is a SARIF 2.1.0 log for code scanning; html is a page to look at in a browser, with filters.
    #[arg(long, value_parser = named::parser(FORMATS), value_name = "FORMAT", default_value = "text", hide_possible_values = true, hide_default_value = true)]
    pub(crate) format: CheckFormat,

    /// Check only these rules [default: all]
    ///
    /// Several rules are separated by commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName, hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Disable these rules
    ///
    /// Several rules are separated by commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName, hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Do not check links that match an expression
    ///
    /// REGEX is searched in the reference as it is written in the document, such as '#L[0-9]+$'. The option can be
    /// repeated.
    #[arg(long, value_name = "REGEX", value_parser = parse_expression, hide_short_help = true)]
    pub(crate) exclude_link: Vec<Regex>,

    /// Report these rules as warnings
    ///
    /// They do not affect the exit status. All other findings are errors. Several rules are separated by commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = RuleName, hide_possible_values = true)]
    pub(crate) warn: Vec<String>,

    /// Do not report the findings that FILE lists
    ///
    /// FILE is written by --write-baseline. A finding is known by its document, rule and link, not by its line. The
    /// summary counts those that are in FILE and those that are not found any more.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to the file of --baseline
    ///
    /// They are not reported. An existing baseline is replaced, unless a document could not be read.
    #[arg(long, requires = "baseline", hide_short_help = true)]
    pub(crate) write_baseline: bool,

    #[command(flatten)]
    pub(crate) base_path: BasePathArgs,

    /// Expect that the server finds about.html as about
    ///
    /// For the rule missing-target, which checks a directory.
    #[arg(long, hide_short_help = true)]
    pub(crate) clean_urls: bool,

    /// Exit with 0 in spite of findings
    ///
    /// An input that cannot be read still has its own exit status.
    #[arg(long, hide_short_help = true)]
    pub(crate) exit_zero: bool,

    /// Explain a rule, or list all rules, and exit
    #[arg(long, value_name = "RULE", num_args = 0..=1, value_parser = RuleName, hide_possible_values = true)]
    #[expect(
        clippy::option_option,
        reason = "the option can be given without a value"
    )]
    pub(crate) explain: Option<Option<String>>,

    /// Color the text: auto, always, never [default: auto]
    ///
    /// auto is on if standard output is a terminal and `NO_COLOR` is not set.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorArg::Auto,
        hide_possible_values = true,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub(crate) color: ColorArg,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

/// Parses the value of `--exclude-link`.
fn parse_expression(text: &str) -> Result<Regex, String> {
    let expression = RegexBuilder::new(text).unicode(false).build();
    // The message shows the place in lines of its own. The last one says what is wrong.
    expression.map_err(|error| {
        let message = error.to_string();
        let last = message.lines().last().unwrap_or_default();
        last.strip_prefix("error: ").unwrap_or(last).to_owned()
    })
}
