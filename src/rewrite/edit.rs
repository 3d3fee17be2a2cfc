//! From a decision about a link to an edit of the text: as small as it can be, in the author's quoting.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::html::charref::{self, Value};
use crate::html::encoding;
use crate::html::tag::Quoting;
use crate::html::tap::Attribute;
use crate::span::Span;

/// A span of a document's text and what replaces it.
pub(super) struct TextEdit {
    pub(super) span: Span,
    pub(super) replacement: String,
}

impl TextEdit {
    /// The edit with what `encoding` lacks as numeric character references.
    pub(super) fn in_encoding(self, encoding: &'static Encoding) -> Self {
        match encoding::in_encoding(&self.replacement, encoding) {
            Cow::Borrowed(_) => self,
            Cow::Owned(replacement) => Self {
                replacement,
                ..self
            },
        }
    }
}

/// The edit that puts `text` in the place of the reference at `reference` in `value`, the value of `attribute`.
///
/// The end of the reference stays where `text` ends in the same way and `may_cut` allows a cut there, so that what
/// the author wrote stays as it was written: usually only the head of a reference is new. `None` if the reference begins
/// or ends where the value cannot be cut.
pub(super) fn replace(
    attribute: &Attribute,
    value: &Value<'_>,
    reference: Span,
    text: &str,
    may_cut: impl Fn(usize) -> bool,
) -> Option<TextEdit> {
    let written = &value.text[reference.start..reference.end];
    let breaks = match attribute.quoting {
        Quoting::Double | Quoting::Single => false,
        Quoting::Unquoted => {
            let (before, after) = (&value.text[..reference.start], &value.text[reference.end..]);
            breaks_unquoted(&[before, text, after].concat())
        }
        Quoting::Absent => {
            let replacement = format!("=\"{}\"", charref::escape(text, Quoting::Double));
            return Some(TextEdit {
                span: attribute.value,
                replacement,
            });
        }
    };
    let whole = || {
        let (before, after) = (&value.text[..reference.start], &value.text[reference.end..]);
        [before, text, after].concat()
    };
    if breaks {
        let replacement = format!("\"{}\"", charref::escape(&whole(), Quoting::Double));
        return Some(TextEdit {
            span: attribute.value,
            replacement,
        });
    }
    let start = value.map.source(reference.start)?;
    let kept = kept_end(written, text, |offset| {
        value
            .map
            .source(reference.start + offset)
            .is_some_and(&may_cut)
    });
    let end = value.map.source(reference.end - kept)?;
    let head = &text[..text.len() - kept];
    let replacement = charref::escape(head, attribute.quoting).into_owned();
    // A character reference that needs no semicolon where it is may need one before what is new: "&#x20" and "ftp:".
    let (value_start, raw, expected) = (attribute.value.start, value.raw, whole());
    let (before, after) = (&raw[..start - value_start], &raw[end - value_start..]);
    let candidates = [replacement.clone(), format!(";{replacement}")];
    let reads_right = |candidate: &String| {
        charref::decode(&[before, candidate, after].concat(), 0).text == expected
    };
    Some(match candidates.into_iter().find(reads_right) {
        Some(replacement) => TextEdit {
            span: Span::new(start, end),
            replacement,
        },
        None => {
            let replacement = charref::escape(&expected, attribute.quoting).into_owned();
            TextEdit {
                span: attribute.value,
                replacement,
            }
        }
    })
}

/// The edits that take `attribute` away, and those that repeat its name, one of which would count then.
pub(super) fn remove(text: &str, attribute: &Attribute) -> impl Iterator<Item = TextEdit> {
    std::iter::once(attribute.span)
        .chain(attribute.repeats.iter().copied())
        .map(|span| {
            // Without a space, "<a/href=b>" would become a self-closing tag.
            let is_apart =
                |before: char| before.is_ascii_whitespace() || matches!(before, '"' | '\'');
            let replacement = if text[..span.start].ends_with(is_apart) {
                ""
            } else {
                " "
            };
            TextEdit {
                span,
                replacement: replacement.to_owned(),
            }
        })
}

/// How many bytes at the end of `written` are the end of `text` too and can stay, ASCII up to the cut.
fn kept_end(written: &str, text: &str, may_cut: impl Fn(usize) -> bool) -> usize {
    let same = written
        .bytes()
        .rev()
        .zip(text.bytes().rev())
        .take_while(|(one, other)| one == other);
    let longest = same.count();
    let first = written.len() - longest;
    // A cut goes before an ASCII character, so that it is a cut between characters in every encoding.
    let candidates = written.as_bytes()[first..].iter().enumerate();
    let cut = candidates
        .filter(|(_, byte)| byte.is_ascii())
        .map(|(offset, _)| first + offset)
        .find(|&at| may_cut(at));
    cut.map_or(0, |cut| written.len() - cut)
}

/// Whether a value would not be read as itself without quotes.
fn breaks_unquoted(value: &str) -> bool {
    value.is_empty()
        || value.starts_with(['"', '\''])
        || value.contains(|character: char| character.is_ascii_whitespace() || character == '>')
}
