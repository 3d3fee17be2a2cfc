//! `--format github`: workflow commands of GitHub Actions, which annotate the lines of a pull request.

use std::io::{self, Write};

use super::finding::ReportedFinding;
use crate::print::format::OutputFormat;

/// An `error` or `warning` command for each finding.
///
/// # Source
/// GitHub, "workflow commands". Escaping: `toCommandValue` and `escapeProperty` of `@actions/core`.
pub(super) struct Github;

impl OutputFormat<ReportedFinding<'_>> for Github {
    fn write(&self, found: &ReportedFinding<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let ReportedFinding { path, finding, .. } = found;
        write!(to, "::{} ", found.severity.name())?;
        if *path != "-" {
            write!(to, "file={},", property(path))?;
        }
        if let Some(excerpt) = found.excerpt_of_file() {
            let (start, end) = (excerpt.start, excerpt.end);
            write!(to, "line={},endLine={},", start.line, end.line)?;
            // GitHub accepts columns only if the start and end lines are the same.
            if start.line == end.line {
                write!(to, "col={},endColumn={},", start.column, end.column)?;
            }
        }
        let title = property(finding.rule.name());
        writeln!(to, "title={title}::{}", data(&found.message()))
    }
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
