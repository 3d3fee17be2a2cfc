//! What is typed for `absolve base`.

use clap::{Args, ValueEnum};

use super::DocumentArgs;

#[derive(Debug, Args)]
pub(in crate::cli) struct BaseArgs {
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,

    /// How the answer is given
    #[arg(long, value_enum, default_value_t = BaseFormat::Text)]
    pub(in crate::cli) format: BaseFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum BaseFormat {
    /// An explanation for people
    Text,
    /// One JSON object for each document
    Json,
}
