//! Unified diffs between original and rewritten documents, for `--diff`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use similar::TextDiff;

use super::style::{BOLD, CYAN, GREEN, RED, Style};
use super::terminal;

/// Time after which a coarser diff than the shortest one is accepted.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Writes the diff from `before`, the document at `path`, to `after`.
///
/// A plain diff contains the bytes of the documents, so that it can be applied. In a coloured one, control characters
/// are escaped: a document must not be able to send commands to the terminal.
pub(super) fn write(
    path: &[u8],
    before: &[u8],
    after: &[u8],
    style: Style,
    to: &mut impl Write,
) -> io::Result<()> {
    if style == Style::Plain {
        return write_plain(path, before, after, to);
    }
    let mut plain = Vec::new();
    write_plain(path, before, after, &mut plain)?;
    for line in plain.split_inclusive(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\n');
        let color = match line {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Some(BOLD),
            [b'+', ..] => Some(GREEN),
            [b'-', ..] => Some(RED),
            [b'@', ..] => Some(CYAN),
            _ => None,
        };
        // A tab would be escaped below.
        let text = text.replace('\t', "    ");
        let text = terminal::escape_control(&text);
        match color {
            Some(color) => writeln!(to, "{}", style.paint(color, &text))?,
            None => writeln!(to, "{text}")?,
        }
    }
    Ok(())
}

/// Writes the diff without colours.
///
/// # Source
/// POSIX, `diff`, "Diff -u or -U output format".
fn write_plain(path: &[u8], before: &[u8], after: &[u8], to: &mut impl Write) -> io::Result<()> {
    // Programs that apply a diff end lines at LF only; the line splitting of `TextDiff` also ends them at CR.
    let [old, new] = [before, after].map(|document| {
        let lines = document.split_inclusive(|&byte| byte == b'\n');
        lines.collect::<Vec<_>>()
    });
    let mut config = TextDiff::configure();
    let diff = config.timeout(TIMEOUT).diff_slices(&old, &new);
    // `a/` and `b/` are the prefixes that `git apply` and `patch -p1` strip.
    let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
    let relative = &path[slashes..];
    writeln!(to, "--- {}", name(&[b"a/", relative].concat()))?;
    writeln!(to, "+++ {}", name(&[b"b/", relative].concat()))?;
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

/// Returns the name of a file as `git diff` writes it.
///
/// A name with control characters, quotes, backslashes or bytes that are not UTF-8 is quoted: it could end the line or
/// be read as something else. A name with a space is followed by a tab, because `patch` ends the name at white space
/// otherwise.
fn name(name: &[u8]) -> String {
    let is_special = |character: char| character.is_ascii_control() || "\"\\".contains(character);
    if let Ok(name) = str::from_utf8(name)
        && !name.contains(is_special)
    {
        return if name.contains(' ') {
            format!("{name}\t")
        } else {
            name.to_owned()
        };
    }
    let mut quoted = String::from('"');
    // Writing to a `String` cannot fail.
    let escape = |quoted: &mut String, byte: u8| {
        let _ = write!(quoted, "\\{byte:03o}");
    };
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                '\0'..='\u{1f}' | '\u{7f}' => escape(&mut quoted, character as u8),
                _ => quoted.push(character),
            }
        }
        for &byte in chunk.invalid() {
            escape(&mut quoted, byte);
        }
    }
    quoted.push('"');
    quoted
}
