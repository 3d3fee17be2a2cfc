//! The output formats of `absolve links`.

use super::csv::Csv;
use super::html::LinkPage;
use super::text::LinkText;
use crate::args::named::{NamedValue, table};
use crate::print::format::{JsonArray, JsonLines, OutputFormat};
use crate::print::link_entry::{ElementColumn, LinkEntry};

/// A format of links.
pub(crate) type LinkFormat = dyn for<'l> OutputFormat<LinkEntry<'l>>;

/// Returns a format, with these columns about the elements.
pub(crate) type LinksFormat = fn(&[ElementColumn]) -> Box<LinkFormat>;

table! { FORMATS: LinksFormat {
    "text" => |_| Box::new(LinkText), "One line per link, for people";
    "json" => |_| Box::new(JsonArray), "JSON array with an object for each link";
    "jsonl" => |_| Box::new(JsonLines), "One JSON object per line";
    "csv" => |columns| Box::new(Csv(columns.to_vec())), "Comma-separated values with a header";
    "html" => |_| Box::<LinkPage>::default(), "One HTML file to look at, with filters";
} }
