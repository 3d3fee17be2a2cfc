//! Unified diffs between original and rewritten documents, for `--diff`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::print::style::{BOLD, CYAN, GREEN, RED, Style};
use crate::print::terminal;

/// Number of unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// Writes the diff from `before`, the document at `path`, to `after`.
///
/// A plain diff contains the bytes of the documents, so that it can be applied. In a coloured one, control characters
/// are escaped: a document must not be able to send commands to the terminal.
pub(crate) fn write(
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
    // `a/` and `b/` are the prefixes that `git apply` and `patch -p1` strip.
    let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
    let relative = &path[slashes..];
    writeln!(to, "--- {}", name(&[b"a/", relative].concat()))?;
    writeln!(to, "+++ {}", name(&[b"b/", relative].concat()))?;
    // Lines end at LF only, as for the programs that apply a diff.
    let [old, new] = [before, after].map(|document| {
        let lines = document.split_inclusive(|&byte| byte == b'\n');
        lines.collect::<Vec<_>>()
    });
    let changes = changes(before, after);
    for hunk in changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * CONTEXT) {
        let (first, last) = (&hunk[0], &hunk[hunk.len() - 1]);
        let leading = first.old.start.min(CONTEXT);
        let trailing = (old.len() - last.old.end).min(CONTEXT);
        let old_range = first.old.start - leading..last.old.end + trailing;
        let new_range = first.new.start - leading..last.new.end + trailing;
        writeln!(to, "@@ -{} +{} @@", lines(&old_range), lines(&new_range))?;
        let mut unchanged = old_range.start;
        for change in hunk {
            write_lines(' ', &old[unchanged..change.old.start], to)?;
            write_lines('-', &old[change.old.clone()], to)?;
            write_lines('+', &new[change.new.clone()], to)?;
            unchanged = change.old.end;
        }
        write_lines(' ', &old[unchanged..old_range.end], to)?;
    }
    Ok(())
}

/// Lines that are replaced by others: ranges of indices into the lines of the two documents.
struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the changes from `before` to `after`, in order.
fn changes(before: &[u8], after: &[u8]) -> Vec<Change> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    diff.hunks()
        .map(|hunk| Change {
            old: range(hunk.before),
            new: range(hunk.after),
        })
        .collect()
}

/// Returns a range of lines as the header of a hunk has it: the number of the first line, and how many if not one.
///
/// An empty range has the number of the line before it.
fn lines(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}

/// Writes lines of a document, each after `sign`.
fn write_lines(sign: char, lines: &[&[u8]], to: &mut impl Write) -> io::Result<()> {
    for line in lines {
        write!(to, "{sign}")?;
        to.write_all(line)?;
        if !line.ends_with(b"\n") {
            writeln!(to, "\n\\ No newline at end of file")?;
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
