//! From a decision about a link to an edit of the text: as small as it can be, in the author's quoting.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::encoding;
use crate::html::charref::{self, Value};
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
    if attribute.quoting == Quoting::Absent {
        let replacement = format!("=\"{}\"", charref::escape(text, Quoting::Double));
        return Some(TextEdit {
            span: attribute.value,
            replacement,
        });
    }
    let written = &value.text[reference.start..reference.end];
    let start = value.map.source(reference.start)?;
    let kept = kept_end(written, text, |offset| {
        value
            .map
            .source(reference.start + offset)
            .is_some_and(&may_cut)
    });
    let end = value.map.source(reference.end - kept)?;
    let head = charref::escape(&text[..text.len() - kept], attribute.quoting);

    let (value_start, raw) = (attribute.value.start, value.raw);
    let (before, after) = (&raw[..start - value_start], &raw[end - value_start..]);
    let expected = [
        &value.text[..reference.start],
        text,
        &value.text[reference.end..],
    ]
    .concat();
    let reads_right = |head: &str| {
        let spliced = [before, head, after].concat();
        let is_whole = attribute.quoting != Quoting::Unquoted || may_stand_unquoted(&spliced);
        is_whole && charref::decode(&spliced, 0).text == expected
    };
    let span = Span::new(start, end);
    if reads_right(&head) {
        return Some(TextEdit {
            span,
            replacement: head.into_owned(),
        });
    }
    // A character reference that needs no semicolon where it is may need one before what is new: "&#x20" and "ftp:".
    let closed = format!(";{head}");
    if reads_right(&closed) {
        return Some(TextEdit {
            span,
            replacement: closed,
        });
    }
    // What cannot stand there without quotes gets them.
    let replacement = match attribute.quoting {
        Quoting::Single => charref::escape(&expected, Quoting::Single).into_owned(),
        Quoting::Double => charref::escape(&expected, Quoting::Double).into_owned(),
        Quoting::Unquoted | Quoting::Absent => {
            format!("\"{}\"", charref::escape(&expected, Quoting::Double))
        }
    };
    Some(TextEdit {
        span: attribute.value,
        replacement,
    })
}

/// The edits that take `attribute` away, and those that repeat its name, one of which would count then.
pub(super) fn remove(text: &str, attribute: &Attribute) -> impl Iterator<Item = TextEdit> {
    std::iter::once(attribute.span)
        .chain(attribute.repeats.iter().copied())
        .map(|span| {
            let is_apart =
                |before: char| before.is_ascii_whitespace() || matches!(before, '"' | '\'');
            let behind =
                text[span.end..].trim_start_matches(|behind: char| behind.is_ascii_whitespace());
            let replacement = if behind.starts_with('=') {
                // Without a slash, an attribute named "=" would become the value of the one before.
                "/"
            } else if text[..span.start].ends_with(is_apart) {
                ""
            } else {
                // Without a space, "<a/href=b>" would become a self-closing tag.
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

/// Whether a value as written is one value without quotes.
fn may_stand_unquoted(raw: &str) -> bool {
    let ends_it = |character: char| character.is_ascii_whitespace() || character == '>';
    !raw.is_empty() && !raw.starts_with(['"', '\'']) && !raw.contains(ends_it)
}
