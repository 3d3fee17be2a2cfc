//! Arguments of `absolve completions` and `absolve man`.

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  absolve completions bash > ~/.local/share/bash-completion/completions/absolve
  absolve completions fish > ~/.config/fish/completions/absolve.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  absolve man rewrite > absolve-rewrite.1
  absolve man rewrite | man -l -";

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Command to document [default: absolve itself]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}
