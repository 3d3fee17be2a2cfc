//! `--format text`: the source line of each finding, with the span underlined.

use std::io::{self, Write};

use absolve::{Excerpt, Position};
use console::Term;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::finding::ReportedFinding;
use super::severity::FindingSeverity;
use crate::inputs::containers;
use crate::print::format::OutputFormat;
use crate::print::style::{BLUE, BOLD, RED_BOLD, Style, YELLOW};
use crate::print::terminal;

/// Mark in place of text that was cut off.
const CUT: &str = "...";

/// Text in this style. Control characters are escaped, because messages and paths can contain text of the document.
pub(super) struct FindingText(pub(super) Style);

impl OutputFormat<ReportedFinding<'_>> for FindingText {
    fn write(&self, found: &ReportedFinding<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let &Self(style) = self;
        let finding = found.finding;
        let message = terminal::escape_control(&finding.message);
        let colour = match found.severity {
            FindingSeverity::Error => RED_BOLD,
            FindingSeverity::Warning => YELLOW,
        };
        let head = format!("{}[{}]", found.severity.name(), finding.rule.name());
        let head = style.paint(colour, &head);
        writeln!(to, "{head}: {}", style.paint(BOLD, &message))?;
        let path = terminal::escape_control(&containers::path(found.path, found.entity));
        let margin = if let Some(excerpt) = &found.excerpt {
            source(&path, excerpt, style, colour, to)?
        } else {
            writeln!(to, " {} {path}", style.paint(BLUE, "-->"))?;
            1
        };
        let label = |name: &str| {
            let bar = style.paint(BLUE, "=");
            format!("{:margin$} {bar} {}", "", style.paint(BOLD, name))
        };
        writeln!(to, "{}: {}", label("source"), finding.rule.section())?;
        let help = terminal::escape_control(&finding.help);
        writeln!(to, "{}: {help}\n", label("help"))
    }
}

/// Writes the source line of a finding and returns the width of its line number.
fn source(
    path: &str,
    excerpt: &Excerpt,
    style: Style,
    colour: &str,
    to: &mut impl Write,
) -> io::Result<usize> {
    let Position { line, column } = excerpt.start;
    let number = line.to_string();
    let margin = number.len();
    let bar = style.paint(BLUE, "|");
    let arrow = style.paint(BLUE, "-->");
    writeln!(to, "{:margin$}{arrow} {path}:{line}:{column}", "")?;
    writeln!(to, "{:margin$} {bar}", "")?;

    let cut = |is_cut| if is_cut { CUT } else { "" };
    let before = if excerpt.is_cut_before {
        &*excerpt.before
    } else {
        // The indentation of the line is of no interest.
        excerpt.before.trim_start()
    };
    let [before, within, after] =
        [before, &excerpt.within, &excerpt.after].map(terminal::escape_control);
    let before = format!("{}{before}", cut(excerpt.is_cut_before));
    let within = format!("{within}{}", cut(excerpt.is_cut_within));
    let after = format!("{after}{}", cut(excerpt.is_cut_after));
    // On a terminal, a longer line would continue between the text and its underline.
    let room = terminal::width(&Term::stdout()).saturating_sub(margin + " | ".len());
    let [before, within, after] = fit([before, within, after], room);
    let number = style.paint(BLUE, &number);
    writeln!(to, "{number} {bar} {before}{within}{after}")?;

    let underline = "^".repeat(within.width().max(1));
    let underline = style.paint(colour, &underline);
    let indent = before.width();
    writeln!(to, "{:margin$} {bar} {:indent$}{underline}", "", "")?;
    Ok(margin)
}

/// Returns the parts of a line, truncated around the second so that all of them have `room` columns.
fn fit([before, within, after]: [String; 3], room: usize) -> [String; 3] {
    let reversed = |text: String| text.chars().rev().collect::<String>();
    let within = head(within, room);
    // An empty text is underlined, too.
    let room = room.saturating_sub(within.width().max(1));
    let most = room - after.width().min(room / 2);
    let before = reversed(head(reversed(before), most));
    let after = head(after, room - before.width());
    [before, within, after]
}

/// Returns `text`, of which the end is replaced by the mark if it has more than `room` columns.
fn head(text: String, room: usize) -> String {
    if text.width() <= room {
        return text;
    }
    let mark = &CUT[..room.min(CUT.len())];
    let mut end = mark.len();
    let kept = text.chars().take_while(|character| {
        end += character.width().unwrap_or(0);
        end <= room
    });
    kept.chain(mark.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_truncated_around_the_span() {
        let fitted = |parts: [&str; 3], room| fit(parts.map(str::to_owned), room).concat();
        for (parts, room, expected) in [
            (["<a href=", "g", ">text"], usize::MAX, "<a href=g>text"),
            (["<a href=", "g", ">text"], 14, "<a href=g>text"),
            (["<a href=", "g", ">text"], 13, "...ref=g>text"),
            (["<a href=", "g", ">text"], 11, "...f=g>text"),
            (["<a href=", "long", ""], 9, "...f=long"),
            (["<a href=", "longer", ">"], 4, "l..."),
            (["<a href=", "", ">"], 6, "...=>"),
            (["文字文字", "文字", "文字文字"], 12, "...文字文..."),
        ] {
            assert_eq!(fitted(parts, room), expected, "{parts:?} in {room}");
        }
    }
}
