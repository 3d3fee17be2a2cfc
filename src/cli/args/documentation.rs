//! What is typed for `absolve completions` and `absolve man`.

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell they are for
    #[arg(value_enum, value_name = "SHELL")]
    pub(in crate::cli) shell: Shell,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ManArgs {
    /// The command it is about [default: absolve as a whole]
    #[arg(value_name = "COMMAND")]
    pub(in crate::cli) command: Option<String>,
}
