//! Arguments about the configuration file.

use std::path::PathBuf;

use clap::Args;

const CONFIGURATION: &str = "Configuration";

/// Options about the configuration file.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Read options from FILE [default: the nearest absolve.toml]
    ///
    /// The keys of the TOML file are the long names of options, without hyphens at the start. A table such as `[check]`
    /// has options of one command. Options of the command line take precedence; a list replaces the one in the file.
    /// Relative paths are relative to the file. By default, absolve.toml is searched in the directory of the first
    /// PATH and then in its parents; for mirror, in the parents of the folder only.
    #[arg(long, value_name = "FILE", help_heading = CONFIGURATION, hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,

    /// Ignore absolve.toml
    #[arg(long, conflicts_with = "config", help_heading = CONFIGURATION, hide_short_help = true)]
    pub(crate) no_config: bool,

    /// Print the options in effect, with their sources, and exit
    ///
    /// The output is a configuration file. Options with default values are left out.
    #[arg(long, help_heading = CONFIGURATION, hide_short_help = true)]
    pub(crate) print_config: bool,
}
