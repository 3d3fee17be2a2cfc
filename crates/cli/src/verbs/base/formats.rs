//! The output formats of `absolve base`.

use super::row::BaseRow;
use super::text::BaseText;
use crate::args::named::{NamedValue, table};
use crate::print::format::{JsonLines, OutputFormat};

/// Returns a format.
pub(crate) type BaseFormat = fn() -> &'static dyn for<'e> OutputFormat<BaseRow<'e>>;

table! { FORMATS: BaseFormat {
    "text" => || &BaseText, "Explanation for people";
    "json" => || &JsonLines, "One JSON object per line for each document";
} }
