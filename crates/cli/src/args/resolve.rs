//! Arguments of `absolve resolve`.

use absolve::Profile;
use clap::{Args, ValueEnum};

use super::named;

const EXAMPLES: &str = "\
Examples:
  absolve resolve http://a/b/c/d ../g '?y'
  absolve resolve --explain http://a/b/c/d ../g
  absolve resolve --profile whatwg http://a/b/c/d - < references.txt
  absolve resolve --format jsonl http://a/b/c/d - < references.txt";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResolveArgs {
    /// Base URL; "" for none
    #[arg(value_name = "BASE")]
    pub(crate) base: String,

    /// Print the steps of the standard that lead to each target
    #[arg(long)]
    pub(crate) explain: bool,

    /// Output format
    ///
    /// text has one line for each reference: its target, or an empty line if it has none. jsonl has one object for
    /// each, with the fields reference, target and reason; with --explain also steps.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ResolveFormat::Text)]
    pub(crate) format: ResolveFormat,

    /// References to resolve; `-` reads them from standard input, one per line
    #[arg(value_name = "REF", required = true)]
    pub(crate) references: Vec<String>,

    /// Standard to resolve by
    #[arg(long, value_parser = named::parser(named::PROFILES), value_name = "NAME", default_value = "rfc1808")]
    pub(crate) profile: Profile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResolveFormat {
    /// One line per reference
    Text,
    /// One JSON object per line
    Jsonl,
}
