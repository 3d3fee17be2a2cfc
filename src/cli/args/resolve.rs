//! What is typed for `absolve resolve`.

use clap::Args;

use super::ProfileArg;

#[derive(Debug, Args)]
pub(in crate::cli) struct ResolveArgs {
    /// The base URL; "" for none
    #[arg(value_name = "BASE")]
    pub(in crate::cli) base: String,

    /// Tell the steps taken, by their numbers in the standard
    #[arg(long)]
    pub(in crate::cli) explain: bool,

    /// References; `-` reads them from standard input, one a line
    #[arg(value_name = "REF", required = true)]
    pub(in crate::cli) references: Vec<String>,

    /// Which standard decides
    #[arg(long, value_enum, value_name = "NAME", default_value_t = ProfileArg::Rfc1808)]
    pub(in crate::cli) profile: ProfileArg,
}
