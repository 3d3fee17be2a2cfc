//! Arguments of `absolve links`.

use clap::{Args, ValueEnum};

use super::DocumentArgs;

const EXAMPLES: &str = "\
Examples:
  absolve links page.html --url https://example.org/docs/page.html
  absolve links site --url https://example.org/ --format csv > links.csv
  absolve links https://example.org/ --format jsonl";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LinksArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = LinksFormat::Text)]
    pub(crate) format: LinksFormat,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LinksFormat {
    /// One line per link, for people
    Text,
    /// JSON array with an object for each link
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// One HTML file to look at, with filters
    Html,
}
