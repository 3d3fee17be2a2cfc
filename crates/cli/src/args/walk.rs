//! Arguments about the files of directories.

use clap::Args;

const INPUT: &str = "Input";

/// Options of the verbs that find the files of directories.
#[derive(Debug, Args)]
pub(crate) struct WalkArgs {
    /// Use only files that match, such as `*.html`
    ///
    /// In a directory. The syntax is that of .gitignore, relative to the directory: a glob with a slash, as in
    /// `/blog` or `blog/*.html`, applies to that path, and one without to any depth. A directory includes everything
    /// in it. Files that do not match are neither read nor written to the output. The option can be repeated.
    #[arg(long, value_name = "GLOB", help_heading = INPUT, hide_short_help = true)]
    pub(crate) include: Vec<String>,

    /// Leave out files and directories, such as `node_modules`
    ///
    /// In a directory. They are neither read nor written to the output. The syntax is that of --include, over which
    /// the option takes precedence. The option can be repeated.
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub(crate) exclude: Vec<String>,

    /// Leave out what .gitignore and .absolveignore list
    ///
    /// Those in the directory and in the directories below it count. A line of .absolveignore takes precedence; one
    /// that begins with ! includes a file again. If one is no regular file or longer than 256 KiB, its directory is an
    /// error and left out.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) ignore_files: bool,

    /// Follow symbolic links in directories
    ///
    /// Their targets are read, and written to the output, as files and directories of their own. A link to a directory
    /// that contains it is left out with a warning, and a directory is read under 100 paths at most. By default, links
    /// are recreated in the output, and those that lead out of the directory are errors.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) follow: bool,
}
