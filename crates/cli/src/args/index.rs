//! Arguments of `absolve index`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  absolve index crawl.warc.gz > crawl.jsonl
  absolve index crawl/*.warc.gz > index.jsonl";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct IndexArgs {
    /// WARC archives
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}
