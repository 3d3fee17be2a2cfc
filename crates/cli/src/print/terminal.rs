//! Output for the terminal: messages on standard error, and escaping of text from documents and file names.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::path::Path;

use console::Term;
use unicode_width::UnicodeWidthStr;

/// Prints a message to standard error.
pub(crate) fn print_message(message: &str) {
    // One write per message, so that other processes cannot write in between.
    let line = wrap(&format!("absolve: {message}\n"), width(&Term::stderr()));
    // If standard error cannot be written, there is no place left to report that.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Returns the number of columns of a terminal, or `usize::MAX` for files and other programs.
pub(crate) fn width(output: &Term) -> usize {
    let size = output.size_checked();
    size.map_or(usize::MAX, |(_, columns)| columns.into())
}

/// Returns `text` with lines of at most `width` columns, broken at spaces. Longer words, such as URLs, remain whole.
fn wrap(text: &str, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len() + 2;
        let mut column = 0;
        for word in line.split_inclusive(' ') {
            if column > indent && column + word.trim_end().width() > width {
                wrapped.truncate(wrapped.trim_end().len());
                wrapped.push('\n');
                wrapped.push_str(&" ".repeat(indent));
                column = indent;
            }
            wrapped.push_str(word);
            column += word.width();
        }
    }
    wrapped
}

/// Returns `text` with control characters escaped.
///
/// Names and references come from documents and file systems, and must not send commands to the terminal.
pub(crate) fn escape_control(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // `escape_debug` would escape these as in a string literal, but `text` is not written as one.
            // It would take microseconds for the replacement character, of which malformed text has many.
            '"' | '\'' | '\\' | char::REPLACEMENT_CHARACTER => escaped.push(character),
            _ => escaped.extend(character.escape_debug()),
        }
    }
    escaped
}

/// Returns a path as text. A byte that is not UTF-8 becomes `\xFF`, so that different names remain different.
pub(crate) fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Returns a path for a message, with control characters escaped.
pub(crate) fn path(path: &Path) -> String {
    escape_control(&path_text(path))
}

/// Returns `count` with the noun, in the singular or the plural.
pub(crate) fn several(count: impl Display, noun: &str) -> String {
    match &*count.to_string() {
        "1" => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Returns `text` quoted for a message, truncated to 80 characters.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_broken_at_spaces() {
        let text = "absolve: a message in two lines\n  hint: http://a.example/long and more\n";
        assert_eq!(wrap(text, usize::MAX), text);
        assert_eq!(
            wrap(text, 22),
            "absolve: a message in\n  two lines\n  hint:\n    http://a.example/long\n    and more\n"
        );
    }
}
