//! [`Words`]: the text of an element, with white space collapsed.

use crate::markup::name::NameList;

/// The length in bytes after which a text is cut. Each link has a copy, and a `srcset` or `ping` has many links.
const MAX_LEN: usize = 4096;

/// Elements that separate words, as they begin a line or a cell.
const SEPARATORS: NameList<46> = NameList::of(
    "address article aside blockquote br caption center dd details dialog dir div dl dt fieldset figcaption figure \
     footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section \
     summary table td th tr ul",
);

/// Words that are separated by one space each.
#[derive(Default)]
pub(super) struct Words {
    pub(super) text: String,
    /// Whether the next character begins a new word.
    is_word_ended: bool,
}

impl Words {
    /// Ends the word if an element with this name separates words, and is shown.
    pub(super) fn tag(&mut self, name: &str, is_shown: bool) {
        self.is_word_ended |= is_shown && SEPARATORS.spelling(name) == Some(name);
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
}

/// Returns a text, cut if it is too long.
pub(super) fn cut(text: &str) -> String {
    let is_end = |&end: &usize| text.is_char_boundary(end);
    let end = (0..=text.len().min(MAX_LEN)).rev().find(is_end);
    text[..end.unwrap_or_default()].to_owned()
}
