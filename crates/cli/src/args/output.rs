//! Arguments of the verbs that write: where the results go, and what is reported.

use std::path::PathBuf;

use absolve::LinkDetail;
use absolve_site::files::Durability;
use clap::{Args, ValueEnum};

use super::named::{self, TransferChoice};

/// Options of the verbs that write documents.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the command line"
)]
pub(crate) struct OutputArgs {
    /// Write to this file or directory [default: stdout]
    ///
    /// A directory is required for several documents, and created if missing. An input directory is written with the
    /// same structure: documents rewritten, other files as --others specifies. Existing files without a counterpart in
    /// the input are kept, unless --delete is given.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the changed files
    ///
    /// Each file is replaced atomically. Files without changes are not written. A symbolic link that is named is kept,
    /// and the file that it leads to is replaced; those in directories are not followed.
    #[arg(short, long, conflicts_with_all = ["output", "follow"])]
    pub(crate) in_place: bool,

    /// Transfer other files by: copy, link, skip [default: copy]
    ///
    /// With --output, for the files of an input directory that are not documents. link makes hard links, also for
    /// unchanged documents, and copies where the file system has no hard links. Symbolic links that lead to a place
    /// in the directory are recreated, unless --follow is given. A copy keeps the mode and the modification time; a
    /// changed document keeps its mode.
    #[arg(long, value_parser = named::parser(named::TRANSFERS), value_name = "HOW", default_value = "copy", requires = "output", conflicts_with_all = ["in_place", "check", "diff"], hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) others: TransferChoice,

    /// Delete files that earlier runs wrote and this one does not
    ///
    /// With --output for a directory. The runs with this option keep a list of the files that they write,
    /// .absolve-output in the output directory, and delete only files in the list, if there is no error. So the first
    /// run deletes nothing, and files that other programs create remain. Use an output directory for one input only.
    #[arg(long, requires = "output", conflicts_with_all = ["in_place", "check", "diff"], hide_short_help = true)]
    pub(crate) delete: bool,

    /// Write nothing; list the files that --delete would delete
    // clap does not require what another argument conflicts with, so the conflicts of the required one are repeated,
    // here and below.
    #[arg(long, requires = "delete", conflicts_with_all = ["in_place", "check", "diff"], hide_short_help = true)]
    pub(crate) dry_run: bool,

    /// Keep originals with this suffix (with --in-place)
    ///
    /// With .orig, page.html is kept as page.html.orig.
    #[arg(long, value_name = "SUFFIX", requires = "in_place", conflicts_with_all = ["output", "check", "diff"])]
    pub(crate) backup: Option<String>,

    /// Flush every written file to the disk
    ///
    /// Each file is on the disk before it replaces another one. Without the option, a power failure can lose recent
    /// changes; it takes much longer with many files.
    #[arg(long, conflicts_with_all = ["check", "diff"], hide_short_help = true)]
    pub(crate) sync: bool,

    /// Write nothing; list the documents that would change
    ///
    /// Exits with status 1 if any document would change.
    #[arg(long, conflicts_with_all = ["output", "in_place"])]
    pub(crate) check: bool,

    /// End names with NUL instead of a line break (with --check)
    ///
    /// The names are printed as they are, for `xargs -0`. Without the option, control characters are escaped, and bytes
    /// that are not UTF-8 are replaced.
    #[arg(long, requires = "check", conflicts_with_all = ["output", "in_place", "diff"], hide_short_help = true)]
    pub(crate) print0: bool,

    /// Write nothing; print a unified diff
    ///
    /// Exits with status 1 if any document would change.
    #[arg(long, conflicts_with_all = ["output", "in_place", "check"])]
    pub(crate) diff: bool,

    /// Color the diff: auto, always, never [default: auto]
    ///
    /// auto is on if standard output is a terminal and `NO_COLOR` is not set.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorArg::Auto,
        hide_possible_values = true,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub(crate) color: ColorArg,

    /// Write all links and documents to FILE as JSON Lines
    ///
    /// Links are written as by `absolve links --format jsonl`; an object with `"document":true` follows the links of
    /// each document. `-` is standard output, unless documents are written there. The file is complete or not created
    /// at all. A document and its links are in memory, up to ten times its length, as its end may change every link.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Exit with 1 if a reference could not be rewritten
    ///
    /// That is, if it could not be resolved, or its target cannot be written in its place.
    #[arg(long)]
    pub(crate) strict: bool,
}

impl OutputArgs {
    /// Returns whether written files are flushed to the disk.
    pub(crate) fn durability(&self) -> Durability {
        if self.sync {
            Durability::Synced
        } else {
            Durability::Cached
        }
    }

    /// Returns which links are recorded: only a report needs those that are not skipped.
    pub(crate) fn link_detail(&self) -> LinkDetail {
        match self.report {
            Some(_) => LinkDetail::All,
            None => LinkDetail::SkippedOnly,
        }
    }

    /// Returns whether nothing is written, and changes are only reported.
    pub(crate) fn is_dry_run(&self) -> bool {
        self.check || self.diff
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
