//! Arguments about a run as a whole: its threads and messages.

use clap::Args;
use clap::builder::RangedU64ValueParser;

/// Options of a run over any number of documents.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the command line"
)]
pub(crate) struct RunArgs {
    /// Set the number of threads [default: number of CPUs]
    ///
    /// The output does not depend on it.
    #[arg(short = 'j', long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024), hide_short_help = true)]
    pub(crate) threads: Option<usize>,

    /// Print statistics at the end
    ///
    /// The number of documents, links and bytes, and the elapsed time, on standard error.
    #[arg(long, hide_short_help = true)]
    pub(crate) stats: bool,

    /// Disable the progress bar
    ///
    /// By default it is shown if standard error is a terminal.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_progress: bool,

    /// Report every file and all warnings
    ///
    /// By default, only the first warnings of a run over a directory are printed.
    #[arg(short, long, conflicts_with = "quiet", hide_short_help = true)]
    pub(crate) verbose: bool,

    /// Suppress warnings and the summary
    ///
    /// Results and errors are still printed, and so are the findings of `absolve check`.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
