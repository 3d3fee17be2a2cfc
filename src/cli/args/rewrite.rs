//! What is typed for `absolve rewrite`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::DocumentArgs;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches, as they are typed")]
pub(in crate::cli) struct RewriteArgs {
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,

    /// A file, or for several a directory [default: standard output]
    ///
    /// For a PATH that is a directory, one that is made like it: documents rewritten, other files as --others says. Files
    /// that are there already and have no counterpart stay.
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Replace the inputs that change, each at once or not at all
    #[arg(short, long, conflicts_with = "output")]
    pub(in crate::cli) in_place: bool,

    /// Other files of a directory, with --output: copy, link, skip [default: copy]
    ///
    /// link makes hard links where the file system can, of documents that do not change too, and copies otherwise.
    /// Symbolic links are made again if they lead to a place in the directory. What is copied keeps its mode and the time
    /// it was modified; a document that changes keeps its mode.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OthersArg::Copy, requires = "output", conflicts_with_all = ["in_place", "check", "diff"], hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(in crate::cli) others: OthersArg,

    /// With --in-place: keep the originals, under their names and this
    #[arg(long, value_name = "SUFFIX", requires = "in_place")]
    pub(in crate::cli) backup: Option<String>,

    /// Write nothing; list what would change, and exit with 1 if anything
    #[arg(long, conflicts_with_all = ["output", "in_place"])]
    pub(in crate::cli) check: bool,

    /// Write nothing but a unified diff, and exit with 1 if there is any
    #[arg(long, conflicts_with_all = ["output", "in_place", "check"])]
    pub(in crate::cli) diff: bool,

    /// Colours of a diff: auto, always, never [default: auto]
    ///
    /// auto is on a terminal, unless `NO_COLOR` is set.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorArg::Auto,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(in crate::cli) color: ColorArg,

    /// Links become absolute, relative, root-relative [default: absolute]
    ///
    /// relative is the shortest reference from the document's base URL; root-relative, the same from the root.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = FormArg::Absolute, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) to: FormArg,

    /// Fragment-only references: resolve, keep, or auto [default: resolve]
    ///
    /// With resolve they become absolute like any other; with keep they stay; with auto they stay where they name the
    /// document itself, that is, where its base URL is its retrieval URL.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FragmentsArg::Resolve, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) fragments: FragmentsArg,

    /// BASE: absolutize, keep, remove, or insert [default: absolutize]
    ///
    /// With absolutize its href becomes absolute like any other; with keep it stays as it is; with remove the href
    /// goes, and the element if nothing else is on it, unless it could not be resolved; with insert a document whose
    /// base URL no BASE says gets one that does. A target is never lost.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = BaseElementArg::Absolutize, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) base_element: BaseElementArg,

    /// Afterwards, move links below one URL to another; repeatable
    #[arg(long, value_name = "FROM=TO")]
    pub(in crate::cli) map: Vec<String>,

    /// Write absolute references, too, as the profile would
    #[arg(long)]
    pub(in crate::cli) normalize: bool,

    /// What is percent-encoded: url, none [default: url]
    ///
    /// url encodes what the URL Standard encodes, component by component; with none, the author's characters stay.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EscapeArg::Url, hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(in crate::cli) escape: EscapeArg,

    /// The source, edited, or the tree, serialised [default: source]
    ///
    /// With tree, quotes, letter case and white space in tags are the serialiser's.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Emit::Source, hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(in crate::cli) emit: Emit,

    /// WARC archives: rewrite the records themselves
    ///
    /// Otherwise a record stays as it is, and one of type conversion follows it that refers to it and has the rewritten
    /// document. Everything else is copied as it is stored.
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) in_records: bool,

    /// Write every link and every document as a line of JSON
    ///
    /// Links as `absolve links --format jsonl` writes them; after those of a document, one object with `"document":true`
    /// about the document. `-` is standard output, where no document goes there. The file is there once all is done.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) report: Option<PathBuf>,

    /// Exit with 1 if a reference could not be resolved or written
    #[arg(long)]
    pub(in crate::cli) strict: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OthersArg {
    /// They are copied
    Copy,
    /// They are hard links to the originals, or copied where that cannot be
    Link,
    /// They are left out
    Skip,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum ColorArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum FormArg {
    /// The target
    Absolute,
    /// The shortest reference from the document's base URL
    Relative,
    /// The same from the root
    RootRelative,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum FragmentsArg {
    /// They are resolved like any other
    Resolve,
    /// They stay
    Keep,
    /// They stay if they name the document itself: if its base URL is its retrieval URL
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum BaseElementArg {
    /// It is made absolute, like any other link
    Absolutize,
    /// It stays as it is
    Keep,
    /// Its `href` goes, and the element if it has nothing else; not if it could not be resolved
    Remove,
    /// One is put in that says the base URL, if none says it
    Insert,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum EscapeArg {
    /// They are percent-encoded
    Url,
    /// They stay as the author wrote them
    None,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Emit {
    /// The document as it is, with links edited and no other byte changed
    Source,
    /// The parsed tree, serialised: quotes, case and white space in tags are the serialiser's
    Tree,
}
