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
pub(in crate::cli) struct BaseArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = BaseFormat::Text)]
    pub(in crate::cli) format: BaseFormat,

    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum BaseFormat {
    /// Explanation for people
    Text,
    /// One JSON object per line for each document
    Json,
}
