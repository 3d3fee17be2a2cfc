//! Messages to the person at the terminal.

use std::io::{self, Write};

/// Says what went wrong.
pub(super) fn trouble(message: &str) {
    // A terminal that cannot be written to leaves nobody to tell.
    let _ = writeln!(io::stderr().lock(), "absolve: {message}");
}

/// The text with control characters made visible: names and references come from elsewhere, and a terminal obeys.
pub(super) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// The text quoted for a message, cut where it gets long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
