//! `--format github`: workflow commands of GitHub Actions, which annotate the lines of a pull request.

use std::io::{self, Write};

use super::ReportedFinding;

/// # Source
/// GitHub, "workflow commands", and `toCommandValue` and `escapeProperty` of `@actions/core` for what is escaped.
pub(super) fn write(found: &ReportedFinding<'_>, to: &mut impl Write) -> io::Result<()> {
    let ReportedFinding { path, finding, .. } = found;
    write!(to, "::warning ")?;
    if *path != "-" {
        write!(to, "file={},", property(path))?;
    }
    if let Some(excerpt) = found.excerpt_of_file() {
        let (start, end) = (excerpt.start, excerpt.end);
        write!(to, "line={},endLine={},", start.line, end.line)?;
        // Columns are those of one line, or they are not taken at all.
        if start.line == end.line {
            write!(to, "col={},endColumn={},", start.column, end.column)?;
        }
    }
    let title = property(finding.rule.name());
    writeln!(to, "title={title}::{}", data(&found.message()))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
