//! Arguments of `absolve index`.

use std::path::PathBuf;

use clap::Args;

use super::named::{self, NamedValue, table};

const EXAMPLES: &str = "\
Examples:
  absolve index crawl.warc.gz > crawl.jsonl
  absolve index crawl/*.warc.gz > index.jsonl
  absolve index --format cdxj crawl/*.warc.gz | LC_ALL=C sort > index.cdxj";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct IndexArgs {
    /// WARC archives
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Set the format of the index: jsonl, cdxj [default: jsonl]
    ///
    /// jsonl has the place of every record; cdxj describes those that hold the content of a URL, for programs that
    /// replay archives, such as pywb. Its lines are in the order of the archives, and these programs need them sorted.
    #[arg(long, value_parser = named::parser(INDEX_FORMATS), value_name = "FORMAT", default_value = "jsonl", hide_possible_values = true, hide_default_value = true)]
    pub(crate) format: IndexFormat,
}

/// A format of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexFormat {
    JsonLines,
    Cdxj,
}

table! { INDEX_FORMATS: IndexFormat {
    "jsonl" => IndexFormat::JsonLines, "JSON Lines, with the place of every record";
    "cdxj" => IndexFormat::Cdxj, "CDXJ, for programs that replay archives";
} }
