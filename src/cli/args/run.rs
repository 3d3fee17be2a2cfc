//! What is typed for every verb about the run as a whole: which files, on how many cores, and how much is said.

use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;

/// Options of a run over any number of documents.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches, as they are typed")]
pub(in crate::cli) struct RunArgs {
    /// More PATHs, one a line in FILE; `-` is standard input
    ///
    /// Empty lines are passed over.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) files_from: Option<PathBuf>,

    /// With --files-from: names end in NUL instead of a line end, as `find -print0` and `git ls-files -z` write them
    #[arg(short = '0', long, requires = "files_from", hide_short_help = true)]
    pub(in crate::cli) null: bool,

    /// Directory --url is the URL of, for files in it named one by one
    ///
    /// Each gets the retrieval URL it has below that of the directory, and with --output the place it has there. A PATH
    /// that is a directory is its own root otherwise.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) root: Option<PathBuf>,

    /// How many documents are worked on at the same time [default: as many as there are cores]
    ///
    /// What is written and said does not depend on it.
    #[arg(short = 'j', long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024), hide_short_help = true)]
    pub(in crate::cli) threads: Option<usize>,

    /// Say at the end how many documents, links and bytes there were, and how long it took
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) stats: bool,

    /// No progress bar; there is one only where standard error is a terminal
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) no_progress: bool,

    /// Name every file, and say everything that is remarkable about it
    #[arg(short, long, conflicts_with = "quiet", hide_short_help = true)]
    pub(in crate::cli) verbose: bool,

    /// Say nothing about what was left as it was
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
}
