//! Arguments of `absolve base`.

use clap::Args;

use super::{DocumentArgs, named};
use crate::verbs::base::formats::{BaseFormat, FORMATS};

const EXAMPLES: &str = "\
Examples:
  absolve base page.html --url https://example.org/docs/page.html
  absolve base https://example.org/
  absolve base page.mhtml --format json";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BaseArgs {
    /// Output format
    #[arg(long, value_parser = named::parser(FORMATS), value_name = "FORMAT", default_value = "text")]
    pub(crate) format: BaseFormat,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}
