//! [`Words`]: the text of an element, with white space collapsed.

use super::texts::MAX_LEN;

/// Elements that separate words, as they begin a line or a cell.
const SEPARATORS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "td",
    "th",
    "tr",
    "ul",
];

/// Words that are separated by one space each.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    /// Whether the next character begins a new word.
    is_word_ended: bool,
}

impl Words {
    /// Ends the word if an element with this name separates words.
    pub(super) fn tag(&mut self, name: &str) {
        self.is_word_ended |= SEPARATORS.contains(&name);
    }

    /// Appends `text`. Returns whether the text is complete: it has the greatest length.
    pub(super) fn push(&mut self, text: &str) -> bool {
        for character in text.chars() {
            if character.is_ascii_whitespace() {
                self.is_word_ended = true;
                continue;
            }
            let is_separate = self.is_word_ended && !self.text.is_empty();
            let len = usize::from(is_separate) + character.len_utf8();
            if self.text.len() + len > MAX_LEN {
                return true;
            }
            if is_separate {
                self.text.push(' ');
            }
            self.is_word_ended = false;
            self.text.push(character);
        }
        false
    }

    /// Returns the text.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}
