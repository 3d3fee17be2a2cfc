//! What was typed. No validation that needs the library: that is `settings`.

mod base;
mod check;
mod document;
mod documentation;
mod fetch;
mod links;
mod mirror;
mod resolve;
mod rewrite;
mod run;

use clap::{Parser, Subcommand};

pub(super) use base::{BaseArgs, BaseFormat};
pub(super) use check::{CheckArgs, CheckFormat};
pub(super) use document::{BaseScopeArg, DocumentArgs, InputFormat, NO_PRESET, ProfileArg};
pub(super) use documentation::{CompletionsArgs, ManArgs};
pub(super) use fetch::FetchArgs;
pub(super) use links::{LinksArgs, LinksFormat};
pub(super) use mirror::{LayoutArg, MirrorArgs};
pub(super) use resolve::ResolveArgs;
pub(super) use rewrite::{
    BaseElementArg, ColorArg, Emit, EscapeArg, FormArg, FragmentsArg, OthersArg, RewriteArgs,
};
pub(super) use run::RunArgs;

/// Makes every link in an HTML document absolute, with respect to the base URL RFC 1808 gives that document.
#[derive(Debug, Parser)]
#[command(name = "absolve", version, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 done; 1 findings (check, --strict), or something would change (--check, --diff); 2 wrong usage, or something could not be read or written."
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Documents in, documents with absolute links out
    Rewrite(RewriteArgs),
    /// Every link: where it is, as written, resolved
    Links(LinksArgs),
    /// Which base URL a document has, from which layer, and why not the others
    Base(BaseArgs),
    /// What about bases and references will surprise
    Check(CheckArgs),
    /// A downloaded folder, made to read offline
    Mirror(MirrorArgs),
    /// The resolver alone: one result a line
    Resolve(ResolveArgs),
    /// Completions of what is typed, for a shell
    Completions(CompletionsArgs),
    /// The manual page
    Man(ManArgs),
}
