//! From edits of a value to edits of the text that the value stands in, in the author's quoting.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::encoding;
use crate::html::charref::{self, DecodedValue};
use crate::html::foreign_text;
use crate::html::tag::Quoting;
use crate::html::tokens::Attribute;
use crate::span::Span;
use crate::splice::{Edit, splice};

/// A span of a text and what replaces it.
#[derive(Debug, Clone, Default)]
pub(super) struct TextEdit {
    pub(super) span: Span,
    pub(super) replacement: String,
    /// Where the reference ends, of which `span` is the beginning. The text from the end of `span` to here is kept; if
    /// it cannot be cut there, the cut moves towards here.
    pub(super) until: usize,
}

impl TextEdit {
    /// The edit that replaces all of `span`.
    pub(super) fn new(span: Span, replacement: String) -> Self {
        let until = span.end;
        Self {
            span,
            replacement,
            until,
        }
    }

    /// The same edit of `text` with its end where `may_cut` allows it.
    pub(super) fn cut_where(mut self, text: &str, may_cut: impl Fn(usize) -> bool) -> Self {
        let rest = &text[self.span.end..self.until];
        let ends = rest.bytes().enumerate().filter(|(_, byte)| byte.is_ascii());
        let length = ends
            .map(|(offset, _)| offset)
            .find(|offset| may_cut(self.span.end + offset))
            .unwrap_or(rest.len());
        self.replacement.push_str(&rest[..length]);
        self.span.end += length;
        self
    }

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

/// `text` with `edits`, which are in order and disjoint, applied.
pub(super) fn edited(text: &str, edits: &[TextEdit]) -> String {
    let to_bytes = |edit: &TextEdit| Edit {
        span: edit.span,
        replacement: edit.replacement.clone().into_bytes(),
    };
    let edits: Vec<Edit> = edits.iter().map(to_bytes).collect();
    let edited = splice(text.as_bytes(), &edits).into_owned();
    // Both are text, and so is what is cut and put together at the bounds of characters.
    String::from_utf8(edited)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The edits of the text that `attribute` stands in which make `edits` of its value; each begins and ends where the
/// value can be cut.
pub(super) fn in_attribute(
    attribute: &Attribute<'_>,
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
) -> Vec<TextEdit> {
    let expected = edited(&value.text, edits);
    let whole = |replacement| vec![TextEdit::new(attribute.value, replacement)];
    let in_quotes = || format!("\"{}\"", charref::escape(&expected, Quoting::Double));
    if attribute.quoting == Quoting::Absent {
        return whole(format!("={}", in_quotes()));
    }
    let quoting = attribute.quoting;
    let own = mapped(value, edits, |edit, start, behind| {
        let head = charref::escape(&edit.replacement, quoting);
        let next = head.bytes().next().or(behind.bytes().next());
        let is_taken_in = |next: u8| matches!(next, b'=' | b';') || next.is_ascii_alphanumeric();
        // A character reference that needs no semicolon where it is may need one before what is new: "&#x20" and
        // "ftp:".
        if next.is_some_and(is_taken_in) && value.ends_open_reference(start) {
            format!(";{head}")
        } else {
            head.into_owned()
        }
    });
    if let Some(own) = own {
        let raw = edited_raw(value, &own);
        let is_whole = attribute.quoting != Quoting::Unquoted || may_stand_unquoted(&raw);
        if is_whole && charref::decode(&raw, 0).text == expected {
            return own;
        }
    }
    // What cannot stand there without quotes gets them.
    match attribute.quoting {
        Quoting::Single | Quoting::Double => {
            whole(charref::escape(&expected, quoting).into_owned())
        }
        Quoting::Unquoted | Quoting::Absent => whole(in_quotes()),
    }
}

/// Moves `edit` of the value of `attribute` to the text that this stands in, if the value stands for itself there and so
/// does what is written; whether that is so.
pub(super) fn move_to_attribute(
    attribute: &Attribute<'_>,
    value: &DecodedValue<'_>,
    edit: &mut TextEdit,
) -> bool {
    let new = edit.replacement.as_bytes();
    let is_literal = match attribute.quoting {
        Quoting::Double => !new.iter().any(|byte| b"&\"\r\0".contains(byte)),
        Quoting::Single => !new.iter().any(|byte| b"&'\r\0".contains(byte)),
        // It must not be empty then.
        Quoting::Unquoted => !new.is_empty() && new.iter().copied().all(is_plain_unquoted),
        Quoting::Absent => false,
    };
    if !is_literal || matches!(value.text, Cow::Owned(_)) {
        return false;
    }
    edit.span = Span::new(edit.span.start + value.start, edit.span.end + value.start);
    edit.until += value.start;
    true
}

/// Whether a byte stands for itself in a value without quotes, wherever in it.
fn is_plain_unquoted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/:.-_~%?#=+,;@!$*()".contains(&byte)
}

/// The edits of the text that `value` stands in as raw text which make `edits` of it; `None` if what they write could
/// end the element.
pub(super) fn in_raw_text(value: &DecodedValue<'_>, edits: &[TextEdit]) -> Option<Vec<TextEdit>> {
    let is_safe = |edit: &TextEdit| !edit.replacement.contains('<');
    edits.iter().all(is_safe).then_some(())?;
    mapped(value, edits, |edit, _, _| edit.replacement.clone())
}

/// The edits of the text that `text` was decoded from which make `edits` of it; `None` if it would not be read so.
pub(super) fn in_foreign_text(
    text: &foreign_text::ForeignText<'_>,
    edits: &[TextEdit],
) -> Option<Vec<TextEdit>> {
    let value = &text.value;
    let own = mapped(value, edits, |edit, start, _| {
        if text.is_in_cdata(start) {
            edit.replacement.clone()
        } else {
            charref::escape(&edit.replacement, Quoting::Unquoted).into_owned()
        }
    })?;
    let raw = edited_raw(value, &own);
    let is_safe = |edit: &TextEdit| !edit.replacement.contains('<');
    let reads_right = foreign_text::decode(&raw, 0).value.text == edited(&value.text, edits);
    (reads_right && own.iter().all(is_safe)).then_some(own)
}

/// The edits of the text that a conditional comment stands in at `start` which make `edits` of its `markup`; `None` if
/// the comment would end too soon.
pub(super) fn in_comment(
    markup: &str,
    start: usize,
    mut edits: Vec<TextEdit>,
) -> Option<Vec<TextEdit>> {
    let text = edited(markup, &edits);
    // It stands between "]>" and "<!", so that these are all the ends there can be.
    if text.contains("-->") || text.contains("--!>") {
        return None;
    }
    for edit in &mut edits {
        edit.span = Span::new(edit.span.start + start, edit.span.end + start);
        edit.until += start;
    }
    Some(edits)
}

/// `edits` of `value` as edits of the text it stands in; `write` says what is written, from the edit, where it begins
/// in that text, and what stands behind it there.
fn mapped(
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
    write: impl Fn(&TextEdit, usize, &str) -> String,
) -> Option<Vec<TextEdit>> {
    let may_cut = |offset| value.map.source(offset).is_some();
    let to_outer = |edit: &TextEdit| {
        let edit = edit.clone().cut_where(&value.text, may_cut);
        let span = value.map.inner_span(edit.span)?;
        let until = value
            .map
            .inner_span(Span::new(edit.span.start, edit.until))?
            .end;
        let behind = value.raw.get(span.end.checked_sub(value.start)?..)?;
        let replacement = write(&edit, span.start, behind);
        Some(TextEdit {
            span,
            replacement,
            until,
        })
    };
    edits.iter().map(to_outer).collect()
}

/// What `value` is as written once `edits` are made of the text it stands in.
fn edited_raw(value: &DecodedValue<'_>, edits: &[TextEdit]) -> String {
    let shifted: Vec<TextEdit> = edits
        .iter()
        .map(|edit| {
            let span = Span::new(edit.span.start - value.start, edit.span.end - value.start);
            TextEdit::new(span, edit.replacement.clone())
        })
        .collect();
    edited(value.raw, &shifted)
}

/// The edits that take `attribute` away, and those that repeat its name, one of which would count then.
pub(super) fn remove(text: &str, attribute: &Attribute<'_>) -> impl Iterator<Item = TextEdit> {
    std::iter::once(attribute.span)
        .chain(attribute.repeats.spans().iter().copied())
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
            TextEdit::new(span, replacement.to_owned())
        })
}

/// Whether a value as written is one value without quotes.
fn may_stand_unquoted(raw: &str) -> bool {
    let ends_it = |character: char| character.is_ascii_whitespace() || character == '>';
    !raw.is_empty() && !raw.starts_with(['"', '\'']) && !raw.contains(ends_it)
}
