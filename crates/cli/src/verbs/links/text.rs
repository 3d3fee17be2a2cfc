//! `absolve links --format text`: one line for each link, for people.

use std::io::{self, Write};

use crate::inputs::containers;
use crate::print::format::OutputFormat;
use crate::print::link_entry::LinkEntry;
use crate::print::terminal;

/// Lines such as `path:line:column: element[attribute] reference -> target`.
pub(super) struct LinkText;

impl OutputFormat<LinkEntry<'_>> for LinkText {
    fn write(&self, entry: &LinkEntry<'_>, to: &mut Vec<u8>) -> io::Result<()> {
        let path = containers::path(entry.path, entry.located.label());
        write!(to, "{}:", terminal::escape_control(&path))?;
        if let (Some(line), Some(column)) = (entry.line, entry.column) {
            write!(to, "{line}:{column}:")?;
        }
        let link = &entry.link;
        let outcome = match (entry.skip_reason, link.target) {
            (Some(reason), _) => format!("(skipped: {reason})"),
            (None, Some(target)) if link.status == "resolved" => format!("-> {target}"),
            _ => "(absolute)".to_owned(),
        };
        let (element, attribute, reference) = (link.element, link.attribute, link.reference);
        // Only one copy of a long reference at a time.
        let text =
            terminal::escape_control(&format!("{element}[{attribute}] {reference} {outcome}"));
        writeln!(to, " {text}")
    }
}
