//! Command line arguments. Validation that needs the library is in `settings`.

mod base;
mod base_path;
mod check;
mod config;
mod document;
mod documentation;
mod fetch;
mod index;
mod limit;
mod links;
mod mirror;
pub(super) mod named;
mod output;
mod resolve;
mod rewrite;
mod run;
mod walk;

use clap::{Parser, Subcommand};

pub(crate) use base::BaseArgs;
pub(crate) use base_path::{BasePath, BasePathArgs};
pub(crate) use check::CheckArgs;
pub(crate) use config::ConfigArgs;
pub(crate) use document::{CommonArgs, DocumentArgs, NO_PRESET};
pub(crate) use documentation::{CompletionsArgs, ManArgs};
pub(crate) use fetch::{FetchArgs, RequestHeader};
pub(crate) use index::{IndexArgs, IndexFormat};
pub(crate) use limit::LimitArg;
pub(crate) use links::LinksArgs;
pub(crate) use mirror::MirrorArgs;
pub(crate) use output::{ColorArg, OutputArgs};
pub(crate) use resolve::{ResolveArgs, ResolveFormat};
pub(crate) use rewrite::{Emit, IndexFilesArg, IntegrityArg, RewriteArgs};
pub(crate) use run::RunArgs;
pub(crate) use walk::WalkArgs;

macro_rules! exit_status {
    () => {
        "\
Exit status:
  0    success
  1    problems found (check, --strict), or files would change (--check, --diff)
  2    usage error, or an input could not be read or an output not written
  130  ended by Ctrl-C (129: by SIGHUP, 143: by SIGTERM)"
    };
}

/// The exit statuses of all commands.
pub(crate) const EXIT_STATUS: &str = exit_status!();

const AFTER_HELP: &str = concat!(
    "\
Examples:
  absolve rewrite page.html --url https://example.org/docs/page.html
  absolve rewrite site --url https://example.org/ -o out
  absolve links https://example.org/

",
    exit_status!()
);

/// The version, with the commit and the target of a published program.
const VERSION: &str = match option_env!("ABSOLVE_BUILD") {
    Some(build) => build,
    None => concat!(env!("CARGO_PKG_VERSION"), " (built from source)"),
};

/// Make the links of HTML documents absolute, with the base URL rules of RFC 1808.
#[derive(Debug, Parser)]
#[command(name = "absolve", version, long_version = VERSION, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rewrite links to absolute URLs
    ///
    /// Every link is resolved against the base URL of its document. No other byte of the document changes.
    Rewrite(RewriteArgs),
    /// List every link: where it is, as written, resolved
    ///
    /// A document is in memory, as its end may change every link: up to ten times its length if only html5ever can read
    /// it. A document with more than 32,768 links is read twice.
    Links(LinksArgs),
    /// Explain the base URL of a document
    ///
    /// Prints the base URL, its source, and why the other candidates are not used. A document is in memory, as its end
    /// may change its encoding, and its base URL in browsers.
    Base(BaseArgs),
    /// Find base and link problems
    ///
    /// A document and its links are in memory, up to ten times its length, as its end may change every link.
    Check(CheckArgs),
    /// Convert a downloaded folder for reading offline
    ///
    /// Links to files of the folder become relative; links to everything else become absolute. A document and its links
    /// are in memory, up to ten times its length, as its end may change every link.
    Mirror(MirrorArgs),
    /// Resolve references against a base URL
    ///
    /// Prints one target per line.
    Resolve(ResolveArgs),
    /// List the records of WARC archives, with their offsets
    ///
    /// Prints one JSON object for each record, with filename, offset and length in bytes. The records of one gzip
    /// member or Zstandard frame have one line.
    Index(IndexArgs),
    /// Generate shell completions
    Completions(CompletionsArgs),
    /// Generate a manual page
    Man(ManArgs),
    /// Generate the JSON Schema of absolve.toml
    ///
    /// Editors complete and check the keys of the file with it.
    Schema,
}
