//! What is typed for `absolve mirror`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ColorArg, DocumentArgs, EscapeArg, FragmentsArg, OthersArg};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches, as they are typed")]
#[command(mut_arg("paths", |arg| arg
    .value_name("DIR")
    .required(true)
    .num_args(1)
    .help("The folder that was downloaded")
    .long_help("The folder that was downloaded

Documents are the files whose names end in html, htm, xhtml, xht, shtml or css, before a query or behind it, and those that begin as an HTML document does.")))]
#[command(mut_arg("url", |arg| arg
    .help("URL of the folder, or one of the host that a directory in it is named after")
    .long_help("URL of the folder, or one of the host that a directory in it is named after

It is needed where no directory is named after a host (wget -nH, --cut-dirs); otherwise it tells whether the host is asked with http or https, if the pages themselves do not.")))]
#[command(mut_arg("base_scope", |arg| arg
    .help("Where a BASE counts: head, document [default: document]")
    .long_help("Where a BASE counts: head, document [default: document]

document is what browsers do, whatever the profile: a BASE that did not count for the links that are converted would count for them in the browser.")))]
#[command(mut_arg("files_from", |arg| arg.hide(true)))]
#[command(mut_arg("null", |arg| arg.hide(true)))]
#[command(mut_arg("root", |arg| arg.hide(true)))]
#[command(mut_arg("enclosing_base", |arg| arg.hide(true)))]
#[command(mut_arg("default_base", |arg| arg.hide(true)))]
#[command(mut_arg("input_format", |arg| arg.hide(true)))]
#[command(mut_arg("legacy_headers", |arg| arg.hide(true)))]
#[command(mut_arg("timeout", |arg| arg.hide(true)))]
#[command(mut_arg("max_size", |arg| arg.hide(true)))]
#[command(mut_arg("max_redirects", |arg| arg.hide(true)))]
pub(in crate::cli) struct MirrorArgs {
    #[command(flatten)]
    pub(in crate::cli) document: DocumentArgs,

    /// How the folder was laid out: auto, wget, httrack, host-path, site [default: auto]
    ///
    /// wget has the query in the name of the file, HTTrack a digest of it, host-path the path of the URL as it is, site
    /// the files of a static site, to which a query means nothing. auto is HTTrack where its log is, otherwise wget.
    #[arg(long, value_enum, value_name = "LAYOUT", default_value_t = LayoutArg::Auto, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) layout: LayoutArg,

    /// A directory for the converted folder, of which every file is put there
    #[arg(short, long, value_name = "DIR")]
    pub(in crate::cli) output: Option<PathBuf>,

    /// With --output, other files are: copy, link, skip [default: copy]
    ///
    /// link makes hard links, which take no room. With skip they are not there, and links lead to nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OthersArg::Copy, requires = "output", hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(in crate::cli) others: OthersArg,

    /// Replace the documents that change, each at once or not at all
    #[arg(short, long, conflicts_with = "output")]
    pub(in crate::cli) in_place: bool,

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

    /// Write every link and every document as a line of JSON
    ///
    /// As `absolve rewrite --report` writes them; the target of a link is what it leads to, whatever is written for it.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) report: Option<PathBuf>,

    /// Exit with 1 if a reference could not be resolved or written
    #[arg(long)]
    pub(in crate::cli) strict: bool,

    /// Convert links that are for programs, too: canonical, alternate, Open Graph
    #[arg(long)]
    pub(in crate::cli) all: bool,

    /// Fragment-only references: resolve, keep, or auto [default: keep]
    ///
    /// With keep they name the page itself, whatever its BASE was; with resolve they lead where BASE says; with auto
    /// they stay where they name the page itself.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FragmentsArg::Keep, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) fragments: FragmentsArg,

    /// What is percent-encoded in absolute links: url, none [default: url]
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EscapeArg::Url, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) escape: EscapeArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum LayoutArg {
    /// As the files of the folder tell
    Auto,
    /// wget --recursive
    Wget,
    /// HTTrack
    #[value(name = "httrack")]
    HtTrack,
    /// The path of the URL as it is
    HostPath,
    /// The files of a static site
    Site,
}
