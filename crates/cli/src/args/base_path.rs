//! `--base-path`: the path of a directory on a host that is not known.

use absolve_site::{UNKNOWN_ORIGIN, url_of_directory};
use clap::Args;

/// The option in place of `--url` for a directory whose host does not matter.
#[derive(Debug, Args)]
pub(crate) struct BasePathArgs {
    /// Set the path that the directory is published under
    ///
    /// In place of --url, if the host is not known or there are several: no link may depend on it. `/` is the root of
    /// a host. Links that could only be written with the host are left unchanged and reported.
    #[arg(long, value_name = "PATH", value_parser = BasePath::parse, conflicts_with = "url", hide_short_help = true)]
    pub(crate) base_path: Option<BasePath>,
}

/// The path that a directory is published under.
#[derive(Debug, Clone)]
pub(crate) struct BasePath {
    /// The value of the option.
    pub(crate) path: String,
    /// The URL with this path and the [unknown origin](UNKNOWN_ORIGIN); ends in a slash.
    pub(crate) url: String,
}

impl BasePath {
    /// Returns the root of a host.
    pub(crate) fn root() -> Self {
        Self {
            path: "/".to_owned(),
            url: format!("{UNKNOWN_ORIGIN}/"),
        }
    }

    fn parse(path: &str) -> Result<Self, String> {
        let url = url_of_directory(path);
        Ok(Self {
            path: path.to_owned(),
            url: url.ok_or("expected a path that begins with a slash, such as /docs/")?,
        })
    }
}
