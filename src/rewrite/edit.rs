//! [`TextEdit`]: from edits of a decoded value to edits of the source text, in the author's quoting.
//!
//! # Problem
//!
//! `crate::rewrite` computes edits of a *decoded* value. The source text has the value as the author wrote it: in
//! double, single or no quotes, with any ampersand bare or as one of its character references, in a CDATA section, in
//! a comment. The source must change as little as possible, and its parser must read exactly the edited value from
//! the result.
//!
//! # Approach
//!
//! Each edit is mapped on its own through the offset map of the value, and its replacement is escaped for the place
//! where it goes ([`map_edits`]). An edit can begin and end only where the map has an offset, so not within a
//! character reference. [`TextEdit::cut_where`] moves the end to the next possible cut.
//!
//! Mapping edits one by one cannot see everything. A replacement may complete a character reference, or an unquoted
//! value may end early. So wherever the syntax is not trivial, the result is decoded again and compared with the
//! edited value. If they differ:
//!
//! * an attribute is written anew as a whole, in quotes ([`in_attribute`]), which always succeeds;
//! * text and comments have no such alternative. The functions return `None`, and the caller marks the links as
//!   skipped.
//!
//! # The common case
//!
//! Most values are literal, and so are the replacements. [`shift_literal_edits`] handles them without copying the
//! value.

use std::borrow::Cow;
use std::iter;

use encoding_rs::Encoding;

use crate::encoding;
use crate::grammar::{NonAscii, Notation, ReferenceToken, decode_string};
use crate::html::charref;
use crate::html::{foreign_text, tag};
use crate::markup::attribute::Quoting;
use crate::markup::tokens::{Attribute, Syntax};
use crate::markup::value::DecodedValue;
use crate::record::SkipReason;
use crate::span::Span;
use crate::xml;

/// A span of a text and its replacement.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextEdit {
    pub(crate) span: Span,
    pub(crate) replacement: String,
    /// The end of the reference that begins with `span`.
    ///
    /// The text from the end of `span` to here is kept. If `span` cannot end where it does, its end moves towards here.
    pub(crate) reference_end: usize,
}

impl TextEdit {
    /// Creates the edit that replaces all of a reference at `span`.
    pub(crate) fn new(span: Span, replacement: String) -> Self {
        let reference_end = span.end;
        Self {
            span,
            replacement,
            reference_end,
        }
    }

    /// Moves this edit of a part that begins at `start` to the whole.
    fn shift(&mut self, start: usize) {
        self.span = self.span.shifted(start);
        self.reference_end += start;
    }

    /// Moves the end of this edit of `text` to the first offset that `can_cut_at` allows, at most to the end of the
    /// reference.
    ///
    /// The text that is passed over is appended to the replacement, so the edited text is the same.
    pub(crate) fn cut_where(mut self, text: &str, can_cut_at: impl Fn(usize) -> bool) -> Self {
        let kept = &text[self.span.end..self.reference_end];
        // Only before ASCII: that is a character boundary in every encoding.
        let ends = kept.bytes().enumerate().filter(|(_, byte)| byte.is_ascii());
        let length = ends
            .map(|(offset, _)| offset)
            .find(|offset| can_cut_at(self.span.end + offset))
            .unwrap_or(kept.len());
        self.replacement.push_str(&kept[..length]);
        self.span.end += length;
        self
    }

    /// Replaces the characters that `encoding` lacks by numeric character references.
    pub(crate) fn in_encoding(self, encoding: &'static Encoding) -> Self {
        match encoding::in_encoding(&self.replacement, encoding) {
            Cow::Borrowed(_) => self,
            Cow::Owned(replacement) => Self {
                replacement,
                ..self
            },
        }
    }
}

/// Returns `text` with `edits` applied, which must be ordered and disjoint.
pub(crate) fn apply_edits(text: &str, edits: &[TextEdit]) -> String {
    edited_pieces(text, 0, edits).collect()
}

/// Returns the pieces of `part`, which begins at `start` of a text, with `edits` of the text applied, which must be
/// within it, ordered and disjoint.
pub(crate) fn edited_pieces<'t>(
    part: &'t str,
    start: usize,
    edits: &'t [TextEdit],
) -> impl Iterator<Item = &'t str> {
    let part_end = start + part.len();
    let from = iter::once(start).chain(edits.iter().map(|edit| edit.span.end));
    let to = edits.iter().map(|edit| edit.span.start);
    let kept = from.zip(to.chain([part_end])).map(move |(from, to)| {
        // Spans of edits are at character boundaries.
        part.get(from - start..to - start).unwrap_or_default()
    });
    let replacements = edits.iter().map(|edit| &*edit.replacement);
    kept.zip(replacements.chain([""]))
        .flat_map(<[&str; 2]>::from)
}

/// Returns the source edits that have the effect of `edits` on the decoded value of `attribute`.
///
/// If the edits cannot be made one by one, the result is one edit that writes the whole value, in quotes if necessary.
pub(crate) fn in_attribute(
    attribute: &Attribute<'_>,
    value: &DecodedValue<'_>,
    mut edits: Vec<TextEdit>,
    syntax: Syntax,
) -> Vec<TextEdit> {
    // Most values and replacements are literal, so that no copy of the value is needed.
    if edits.is_empty() || shift_literal_edits(attribute, value, &mut edits, syntax) {
        return edits;
    }
    let expected = apply_edits(&value.text, &edits);
    let whole = |replacement| vec![TextEdit::new(attribute.value, replacement)];
    if syntax == Syntax::Xml {
        let quoting = attribute.quoting;
        let mapped = map_edits(value, &edits, |edit, _, _| {
            xml::text::escape_attribute(&edit.replacement, quoting).into_owned()
        });
        // Every reference ends with a semicolon, so the replacements cannot complete one.
        return mapped.unwrap_or_else(|| {
            whole(xml::text::escape_attribute(&expected, quoting).into_owned())
        });
    }
    let in_quotes = || format!("\"{}\"", charref::escape(&expected, Quoting::Double));
    // `<a href>` has no value to edit, and no `=`.
    if attribute.quoting == Quoting::Absent {
        return whole(format!("={}", in_quotes()));
    }
    let quoting = attribute.quoting;
    let mapped = map_edits(value, &edits, |edit, start, after| {
        let escaped = charref::escape(&edit.replacement, quoting);
        // The byte that will follow the text before the edit.
        let next = escaped.bytes().next().or(after.bytes().next());
        let continues = |next: u8| matches!(next, b'=' | b';') || next.is_ascii_alphanumeric();
        // The author may have written a character reference without its semicolon. The replacement may make it
        // necessary: "&#x20" followed by "ftp:" would become "&#x20f".
        if next.is_some_and(continues) && value.ends_unterminated_reference(start) {
            format!(";{escaped}")
        } else {
            escaped.into_owned()
        }
    });
    if let Some(mapped) = mapped {
        let raw = edited_pieces(value.raw, value.start, &mapped).collect::<String>();
        let is_one_value = attribute.quoting != Quoting::Unquoted || is_valid_unquoted(&raw);
        // The final check: the parser reads the value that was intended.
        if is_one_value && charref::decodes_to(&raw, &expected) {
            return mapped;
        }
    }
    match attribute.quoting {
        Quoting::Single | Quoting::Double => {
            whole(charref::escape(&expected, quoting).into_owned())
        }
        // Quotes allow any value.
        Quoting::Unquoted | Quoting::Absent => whole(in_quotes()),
    }
}

/// Turns `edits` of the value of `attribute` into edits of the source text, if value and replacements are literal.
///
/// Otherwise leaves them unchanged and returns `false`.
fn shift_literal_edits(
    attribute: &Attribute<'_>,
    value: &DecodedValue<'_>,
    edits: &mut [TextEdit],
    syntax: Syntax,
) -> bool {
    let is_literal = |edit: &TextEdit| {
        let new = edit.replacement.as_bytes();
        match attribute.quoting {
            _ if syntax == Syntax::Xml => xml::text::is_literal_in_attribute(&edit.replacement),
            Quoting::Double => !new.iter().any(|byte| b"&\"\r\0".contains(byte)),
            Quoting::Single => !new.iter().any(|byte| b"&'\r\0".contains(byte)),
            // An empty replacement could leave no value, and the next attribute would become the value.
            Quoting::Unquoted => !new.is_empty() && new.iter().copied().all(is_literal_unquoted),
            Quoting::Absent => false,
        }
    };
    // An owned text means that decoding changed something, so offsets do not just differ by the start.
    if matches!(value.text, Cow::Owned(_)) || !edits.iter().all(is_literal) {
        return false;
    }
    for edit in edits {
        edit.shift(value.start);
    }
    true
}

/// Returns whether a byte is literal at every position of an unquoted value.
fn is_literal_unquoted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/:.-_~%?#=+,;@!$*()".contains(&byte)
}

/// Returns the source edits that have the effect of `edits` on `value`, the decoded raw text of an element.
///
/// Returns `None` if a replacement contains `<`, which could end the element, unless `accepts` returns `true` for the
/// whole text.
pub(crate) fn in_raw_text(
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
    accepts: impl Fn(&str) -> bool,
) -> Option<Vec<TextEdit>> {
    let has_markup = |edit: &TextEdit| edit.replacement.contains('<');
    if edits.iter().any(has_markup) && !accepts(&apply_edits(&value.text, edits)) {
        return None;
    }
    map_edits(value, edits, |edit, _, _| edit.replacement.clone())
}

/// Returns the source edits that have the effect of `edits` on `value`, the decoded text of an SVG or MathML element.
///
/// Returns `None` if a replacement contains `<`, or if the parser would read another text.
pub(crate) fn in_foreign_text(
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
) -> Option<Vec<TextEdit>> {
    let mapped = map_edits(value, edits, |edit, start, _| {
        // Character references are not decoded in a CDATA section.
        if value.is_in_cdata(start) {
            edit.replacement.clone()
        } else {
            charref::escape(&edit.replacement, Quoting::Unquoted).into_owned()
        }
    })?;
    // The comparison also covers "]]>" in a CDATA section, and character references that the edits complete.
    let raw = edited_pieces(value.raw, value.start, &mapped).collect::<String>();
    let is_safe = |edit: &TextEdit| !edit.replacement.contains('<');
    let reads_as_intended = foreign_text::decode(&raw, 0).text == apply_edits(&value.text, edits);
    (reads_as_intended && mapped.iter().all(is_safe)).then_some(mapped)
}

/// Returns the source edits that have the effect of `edits` on `text`, the decoded text of an element in XML.
///
/// Characters beyond ASCII need a character reference if `non_ascii` is escaped, which a CDATA section cannot contain.
/// Returns `None` if a CDATA section cannot contain a replacement: it would end the section, for example.
pub(crate) fn in_xml_text(
    text: &xml::text::XmlText<'_>,
    edits: &[TextEdit],
    non_ascii: NonAscii,
) -> Option<Vec<TextEdit>> {
    let value = &text.value;
    if text.accepts_literals() {
        let mapped = map_edits(value, edits, |edit, _, _| edit.replacement.clone())?;
        let is_literal = |edit: &TextEdit| xml::text::is_literal_in_text(&edit.replacement);
        if mapped.iter().all(is_literal) {
            return Some(mapped);
        }
    }
    let is_in_cdata = |edit: &TextEdit| value.is_in_cdata(edit.span.start);
    let mapped = map_edits(value, edits, |edit, start, _| {
        if value.is_in_cdata(start) {
            edit.replacement.clone()
        } else {
            xml::text::escape_text(&edit.replacement).into_owned()
        }
    })?;
    let is_lost = |edit: &TextEdit| {
        non_ascii == NonAscii::Escaped && is_in_cdata(edit) && !edit.replacement.is_ascii()
    };
    // A "]]>" ends a CDATA section, also if only part of it is in a replacement. The text may be the same then, but the
    // end of the section is now in it. With lenient reading it may have been there before.
    let raw = edited_pieces(value.raw, value.start, &mapped).collect::<String>();
    let edited = xml::text::decode_text(&raw, 0);
    let is_text = edited.has_stray_cdata_end == text.has_stray_cdata_end
        && edited.value.text == apply_edits(&value.text, edits);
    (is_text && !mapped.iter().any(is_lost)).then_some(mapped)
}

/// Returns the source edits that have the effect of `edits` on `value`, a decoded string of JSON.
///
/// Returns `None` if the edits would join two escapes to one character.
pub(crate) fn in_json_text(
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
    non_ascii: NonAscii,
) -> Option<Vec<TextEdit>> {
    let mapped = map_edits(value, edits, |edit, _, _| {
        Notation::JsonString
            .escape(&edit.replacement, non_ascii)
            .into_owned()
    })?;
    let mut raw = edited_pieces(value.raw, value.start, &mapped).collect::<String>();
    raw.push('"');
    let edited = decode_string(&raw, 0)?;
    (edited.reference == apply_edits(&value.text, edits)).then_some(mapped)
}

/// Returns the source edits that have the effect of `edits` on `markup`, the decoded inside of a conditional comment.
///
/// Returns `None` if the edited markup would end the comment.
pub(crate) fn in_comment(markup: &DecodedValue<'_>, edits: &[TextEdit]) -> Option<Vec<TextEdit>> {
    let text = apply_edits(&markup.text, edits);
    // Only these two can end a comment here. The other forms (`<!-->`, `<!--->`) occur at its beginning only. Neither
    // of the two can extend beyond the markup, which is between "]>" and "<!".
    if text.contains("-->") || text.contains("--!>") {
        return None;
    }
    map_edits(markup, edits, |edit, _, _| edit.replacement.clone())
}

/// Maps `edits` of `value` to the source text.
///
/// `write` returns the text to be written, given the edit, its start in the source, and the source after it up to the
/// end of the value. Returns `None` if the source has no offset for an edit.
fn map_edits(
    value: &DecodedValue<'_>,
    edits: &[TextEdit],
    write: impl Fn(&TextEdit, usize, &str) -> String,
) -> Option<Vec<TextEdit>> {
    let can_cut_at = |offset| value.map.source(offset).is_some();
    let to_source = |edit: &TextEdit| {
        let edit = edit.clone().cut_where(&value.text, can_cut_at);
        let span = value.map.inner_span(edit.span)?;
        let reference_end = value
            .map
            .inner_span(Span::new(edit.span.start, edit.reference_end))?
            .end;
        let after = value.raw.get(span.end.checked_sub(value.start)?..)?;
        let replacement = write(&edit, span.start, after);
        Some(TextEdit {
            span,
            replacement,
            reference_end,
        })
    };
    edits.iter().map(to_source).collect()
}

/// Returns the edits that remove `attribute` and its duplicates, the first of which would otherwise take effect.
pub(crate) fn remove_attribute(
    text: &str,
    attribute: &Attribute<'_>,
) -> impl Iterator<Item = TextEdit> {
    iter::once(attribute.span)
        .chain(attribute.duplicates.spans().iter().copied())
        .map(|span| {
            // White space, or the closing quote of the attribute before, already separates the neighbors.
            let is_separator =
                |before: char| before.is_ascii_whitespace() || matches!(before, '"' | '\'');
            let after =
                text[span.end..].trim_start_matches(|after: char| after.is_ascii_whitespace());
            let replacement = if after.starts_with('=') {
                // An attribute whose name begins with "=" follows. Without the slash it would become the value of the
                // attribute before.
                "/"
            } else if text[..span.start].ends_with(is_separator) {
                ""
            } else {
                // A slash precedes. Without the space, "<a/href=b>" would become the self-closing "<a/>".
                " "
            };
            TextEdit::new(span, replacement.to_owned())
        })
}

/// Returns the edit that adds attributes to the start tag at `span`, each unless the tag has it. Returns `None` if none
/// is added.
pub(crate) fn add_attributes(
    text: &str,
    span: Span,
    added: &[(String, String)],
    syntax: Syntax,
) -> Option<TextEdit> {
    let bytes = text.as_bytes();
    let tag = tag::split(bytes, span.start)?;
    let mut written = String::new();
    for (index, (name, value)) in added.iter().enumerate() {
        let is_known = |(known, _): &(String, String)| known.eq_ignore_ascii_case(name);
        let is_first = !added[..index].iter().any(is_known);
        if is_first && tag::is_plain_name(name) && tag.attribute(bytes, name.as_bytes()).is_none() {
            let value = match syntax {
                Syntax::Html => charref::escape(value, Quoting::Double),
                Syntax::Xml => xml::text::escape_attribute(value, Quoting::Double),
            };
            written.extend([" ", name, "=\"", &value, "\""]);
        }
    }
    let after_name = Span::new(tag.name.end, tag.name.end);
    (!written.is_empty()).then(|| TextEdit::new(after_name, written))
}

/// Returns whether `raw` is a complete unquoted value.
fn is_valid_unquoted(raw: &str) -> bool {
    let ends_value = |character: char| character.is_ascii_whitespace() || character == '>';
    !raw.is_empty() && !raw.starts_with(['"', '\'']) && !raw.contains(ends_value)
}

/// Returns the edit that replaces the reference `token` with `text`, in bytes of the value.
///
/// The common suffix of the two is kept as the author wrote it. Usually only the beginning of a reference is replaced.
///
/// # Errors
/// The notation of the reference cannot represent `text`.
pub(crate) fn reference_edit(
    token: &ReferenceToken<'_>,
    text: &str,
    non_ascii: NonAscii,
) -> Result<TextEdit, SkipReason> {
    if !token.can_represent(text) {
        return Err(SkipReason::Unwritable);
    }
    let source = |offset| token.map.source(offset);
    let kept = kept_suffix_len(&token.reference, text, |offset| source(offset).is_some());
    let cut = if kept == 0 {
        token.span.end
    } else {
        // Always present: `kept_suffix_len` cuts only at offsets that have a source.
        source(token.reference.len() - kept).unwrap_or(token.span.end)
    };
    let prefix = &text[..text.len() - kept];
    // A script has no escapes for characters that the encoding may lack.
    if token.notation == Notation::Text && non_ascii == NonAscii::Escaped && !prefix.is_ascii() {
        return Err(SkipReason::Unwritable);
    }
    Ok(TextEdit {
        span: Span::new(token.span.start, cut),
        replacement: token.notation.escape(prefix, non_ascii).into_owned(),
        reference_end: token.span.end,
    })
}

/// Returns the length of the suffix of `reference` that is also a suffix of `text` and can be kept.
///
/// The cut is before an ASCII character, so that it is a character boundary in every encoding, and only where
/// `can_cut_at` allows it.
fn kept_suffix_len(reference: &str, text: &str, can_cut_at: impl Fn(usize) -> bool) -> usize {
    // A shortcut for the common case: without its leading dot segments, the whole reference is the suffix. That is one
    // comparison instead of a loop over bytes.
    let mut tail = reference.trim_start_matches("../");
    tail = tail.strip_prefix("./").unwrap_or(tail);
    let known = if text.ends_with(tail) { tail.len() } else { 0 };
    let (rest, text_rest) = (
        &reference.as_bytes()[..reference.len() - known],
        &text.as_bytes()[..text.len() - known],
    );
    let pairs = rest.iter().rev().zip(text_rest.iter().rev());
    let common = known + pairs.take_while(|(a, b)| a == b).count();
    let first = reference.len() - common;
    // The common bytes may begin within a character or an escape. The cut moves to the right until it is in neither.
    let suffix = reference.as_bytes()[first..].iter().enumerate();
    let cut = suffix
        .filter(|(_, byte)| byte.is_ascii())
        .map(|(offset, _)| first + offset)
        .find(|&offset| can_cut_at(offset));
    cut.map_or(0, |cut| reference.len() - cut)
}
