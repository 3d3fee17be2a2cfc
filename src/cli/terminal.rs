//! Messages to the person at the terminal.

use std::io::{self, Write};

/// Says something to the person at the terminal.
pub(super) fn print_message(message: &str) {
    // In one piece: other processes write to the same terminal.
    let line = format!("absolve: {message}\n");
    // A terminal that cannot be written to leaves nobody to tell.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// The text with everything made visible that a terminal would obey and not show: names and references come from
/// elsewhere.
pub(super) fn escape_control(text: &str) -> String {
    let mut escape_control = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // Escaped for a literal only.
            '"' | '\'' | '\\' => escape_control.push(character),
            _ => escape_control.extend(character.escape_debug()),
        }
    }
    escape_control
}

/// The text quoted for a message, cut where it gets long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
