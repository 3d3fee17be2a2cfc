//! Arguments of `absolve links`.

use clap::Args;

use super::{DocumentArgs, named};
use crate::print::link_entry::ElementColumn;
use crate::verbs::links::formats::{FORMATS, LinksFormat};

const EXAMPLES: &str = "\
Examples:
  absolve links page.html --url https://example.org/docs/page.html
  absolve links site --url https://example.org/ --format csv --with text,rel > links.csv
  absolve links https://example.org/ --format jsonl";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LinksArgs {
    /// Output format
    #[arg(long, value_parser = named::parser(FORMATS), value_name = "FORMAT", default_value = "text")]
    pub(crate) format: LinksFormat,

    /// Add columns about the element or the capture of each link to JSON and CSV
    ///
    /// `text` is the text of an A element up to its end or to the next A element, with white space collapsed; `rel` and
    /// `alt` are these attributes. Each is cut after 4,096 bytes. `date` is the `WARC-Date` of the record of a link.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "COLUMNS")]
    pub(crate) with: Vec<ElementColumn>,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}
