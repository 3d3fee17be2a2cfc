//! What rewriting changes, as a unified diff.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use similar::TextDiff;

use super::args::ColorArg;
use super::talk;

/// How long two documents are compared before a coarser diff will do.
const LONGEST: Duration = Duration::from_secs(5);

/// Whether a diff on standard output is coloured.
pub(super) fn is_coloured(color: ColorArg) -> bool {
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        // https://no-color.org: set and not empty.
        ColorArg::Auto => {
            io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// Writes how `before`, the document at `path`, becomes `after`.
///
/// The bytes are the documents' own, so that the diff can be applied; coloured, it is for people, and what a terminal
/// would obey is made visible.
pub(super) fn write(
    path: &str,
    before: &[u8],
    after: &[u8],
    is_coloured: bool,
    to: &mut impl Write,
) -> io::Result<()> {
    let diff = TextDiff::configure()
        .timeout(LONGEST)
        .diff_lines(before, after);
    let below = path.trim_start_matches('/');
    let (one, other) = (format!("a/{below}"), format!("b/{below}"));
    let mut unified = diff.unified_diff();
    unified.header(&one, &other);
    if !is_coloured {
        return unified.to_writer(to);
    }
    let mut plain = Vec::new();
    unified.to_writer(&mut plain)?;
    for line in plain.split_inclusive(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\n');
        let style = match line {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => BOLD,
            [b'+', ..] => GREEN,
            [b'-', ..] => RED,
            [b'@', ..] => CYAN,
            _ => "",
        };
        let text = text.replace('\t', "    ");
        let end = if style.is_empty() { "" } else { RESET };
        writeln!(to, "{style}{}{end}", talk::visible(&text))?;
    }
    Ok(())
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";
