//! Arguments of `absolve links`.

use clap::{Args, ValueEnum};

use super::DocumentArgs;

const EXAMPLES: &str = "\
Examples:
  absolve links page.html --url https://example.org/docs/page.html
  absolve links site --url https://example.org/ --format csv --with text,rel > links.csv
  absolve links https://example.org/ --format jsonl";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LinksArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = LinksFormat::Text)]
    pub(crate) format: LinksFormat,

    /// Add columns about the element of each link to JSON and CSV
    ///
    /// `text` is the text of an A element up to its end or to the next A element, with white space collapsed; `rel` and
    /// `alt` are these attributes. Each is cut after 4,096 bytes.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "COLUMNS")]
    pub(crate) with: Vec<ElementColumn>,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

/// A column about the element of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ElementColumn {
    /// Text of an A element
    Text,
    /// Attribute `rel`
    Rel,
    /// Attribute `alt`
    Alt,
}

impl ElementColumn {
    /// All columns with their names, in their order.
    pub(crate) const NAMES: [(Self, &str); 3] =
        [(Self::Text, "text"), (Self::Rel, "rel"), (Self::Alt, "alt")];
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LinksFormat {
    /// One line per link, for people
    Text,
    /// JSON array with an object for each link
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// One HTML file to look at, with filters
    Html,
}
