//! The output formats of `absolve check`.

use super::finding::ReportedFinding;
use super::github::Github;
use super::html::FindingPage;
use super::sarif::Sarif;
use super::select::RuleSelection;
use super::text::FindingText;
use crate::args::named::{NamedValue, table};
use crate::print::format::{JsonArray, JsonLines, OutputFormat};
use crate::print::style::Style;

/// Returns a format for a run with these rules, whose text has this style.
pub(crate) type CheckFormat =
    fn(&RuleSelection, Style) -> Box<dyn for<'f> OutputFormat<ReportedFinding<'f>>>;

table! { FORMATS: CheckFormat {
    "text" => |_, style| Box::new(FindingText(style)), "For people: the source line with the span underlined";
    "json" => |_, _| Box::new(JsonArray), "JSON array with an object for each finding";
    "jsonl" => |_, _| Box::new(JsonLines), "One JSON object per line";
    "github" => |_, _| Box::new(Github), "GitHub Actions workflow commands";
    "sarif" => |rules, _| Box::new(Sarif(rules.clone())), "SARIF 2.1.0 log";
    "html" => |_, _| Box::<FindingPage>::default(), "One HTML file to look at, with filters";
} }
