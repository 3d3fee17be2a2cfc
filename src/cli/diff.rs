//! What rewriting changes, as a unified diff.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use similar::TextDiff;

use super::args::ColorArg;
use super::terminal;

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
    if !is_coloured {
        return write_plain(path, before, after, to);
    }
    let mut plain = Vec::new();
    write_plain(path, before, after, &mut plain)?;
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
        writeln!(to, "{style}{}{end}", terminal::escape_control(&text))?;
    }
    Ok(())
}

/// # Source
/// POSIX, `diff`, "Diff -u or -U output format".
fn write_plain(path: &str, before: &[u8], after: &[u8], to: &mut impl Write) -> io::Result<()> {
    // Lines end in LF alone, for who applies the diff; `TextDiff` would also end them in CR.
    let [old, new] = [before, after].map(|document| {
        let lines = document.split_inclusive(|&byte| byte == b'\n');
        lines.collect::<Vec<_>>()
    });
    let diff = TextDiff::configure()
        .timeout(LONGEST)
        .diff_slices(&old, &new);
    let below = path.trim_start_matches('/');
    writeln!(to, "--- {}", name(&format!("a/{below}")))?;
    writeln!(to, "+++ {}", name(&format!("b/{below}")))?;
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(to, "{}", hunk.header())?;
        for change in hunk.iter_changes() {
            write!(to, "{}", change.tag())?;
            to.write_all(change.value())?;
            if !change.value().ends_with(b"\n") {
                writeln!(to, "\n\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// The name of a file as `git diff` writes it: quoted where it would end the line or mean something else, and with a tab
/// behind it where it has a space.
fn name(name: &str) -> String {
    let is_special = |character: char| character.is_ascii_control() || "\"\\".contains(character);
    if !name.contains(is_special) {
        return if name.contains(' ') {
            format!("{name}\t")
        } else {
            name.to_owned()
        };
    }
    let mut quoted = String::from('"');
    for character in name.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_ascii_control() => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\{:03o}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";
