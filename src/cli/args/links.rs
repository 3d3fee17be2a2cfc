//! What is typed for `absolve links`.

use clap::{Args, ValueEnum};

use super::DocumentArgs;

#[derive(Debug, Args)]
pub(in crate::cli) struct LinksArgs {
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,

    /// How links are listed
    #[arg(long, value_enum, default_value_t = LinksFormat::Text)]
    pub(in crate::cli) format: LinksFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum LinksFormat {
    /// One line for people
    Text,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values, with a header
    Csv,
}
