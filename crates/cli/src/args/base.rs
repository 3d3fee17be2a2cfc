//! Arguments of `absolve base`.

use clap::{Args, ValueEnum};

use super::DocumentArgs;

const EXAMPLES: &str = "\
Examples:
  absolve base page.html --url https://example.org/docs/page.html
  absolve base https://example.org/
  absolve base page.mhtml --format json";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BaseArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = BaseFormat::Text)]
    pub(crate) format: BaseFormat,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BaseFormat {
    /// Explanation for people
    Text,
    /// One JSON object per line for each document
    Json,
}
