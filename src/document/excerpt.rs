//! Excerpts of a document for messages: the line that contains a span, truncated around it.

use super::{Document, Position, Positions};
use crate::span::Span;

/// The maximum length of [`Excerpt::before`], in characters.
const MAX_BEFORE: usize = 48;
/// The maximum length of [`Excerpt::within`], in characters.
const MAX_WITHIN: usize = 96;
/// The maximum length of [`Excerpt::after`], in characters.
const MAX_AFTER: usize = 32;

/// A span of a document with the text around it, short enough for one line of a terminal.
///
/// The text is decoded, but not escaped: it may contain tabs and control characters. It contains no line breaks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Excerpt {
    /// The position of the first character of the span.
    pub start: Position,
    /// The position after the last character of the span.
    pub end: Position,
    /// The text before the span in its line; its beginning is missing if [`is_cut_before`](Self::is_cut_before).
    pub before: String,
    /// The text of the span up to its first line break; its end is missing if [`is_cut_within`](Self::is_cut_within).
    pub within: String,
    /// The text after the span in its line; its end is missing if [`is_cut_after`](Self::is_cut_after).
    ///
    /// Empty if the end of the span is not shown.
    pub after: String,
    /// Whether text of the line is missing before [`before`](Self::before).
    pub is_cut_before: bool,
    /// Whether the span continues after [`within`](Self::within), in the same line or in another one.
    pub is_cut_within: bool,
    /// Whether text of the line is missing after [`after`](Self::after).
    pub is_cut_after: bool,
}

impl Document<'_> {
    /// Returns an excerpt for each of `spans`, in the order of `spans`.
    ///
    /// `spans` are in bytes of the document. Returns an empty vector if the document is
    /// [unsupported](crate::Unsupported).
    ///
    /// # Complexity
    /// Linear in the length of the document and `O(n log n)` in the number of spans, whatever the length of the lines.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Span};
    ///
    /// let document = Document::new(b"<p>\n<a href=g>");
    /// let excerpts = document.excerpts(&[Span::new(12, 13)]);
    /// assert_eq!((excerpts[0].start.line, excerpts[0].start.column), (2, 9));
    /// assert_eq!((&*excerpts[0].before, &*excerpts[0].within), ("<a href=", "g"));
    /// ```
    #[must_use]
    pub fn excerpts(&self, spans: &[Span]) -> Vec<Excerpt> {
        // All positions in one pass over the text, which needs the offsets in ascending order.
        let mut offsets: Vec<usize> = spans
            .iter()
            .flat_map(|span| [span.start, span.end])
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut positions = Positions::new(self);
        let found: Vec<_> = offsets.iter().map(|&offset| positions.at(offset)).collect();
        let Some(decoded) = &positions.decoded else {
            return Vec::new();
        };
        let text = &*decoded.text;
        let position = |offset| {
            let index = offsets.binary_search(&offset).ok();
            // Always present: `offsets` has both ends of every span, and `found` one position for each.
            index
                .and_then(|index| *found.get(index)?)
                .unwrap_or(Position { line: 1, column: 1 })
        };
        let excerpt = |span: &Span| {
            // The caller chooses the spans: they may be out of bounds, reversed, or cut a character in two.
            let text_offset = |offset| floor_char_boundary(text, decoded.map.text(offset));
            let start = text_offset(span.start);
            let end = text_offset(span.end).max(start);
            let before = line_tail(&text[..start], MAX_BEFORE);
            let within = line_head(&text[start..end], MAX_WITHIN);
            let is_whole = start + within.len() == end;
            let after = if is_whole {
                line_head(&text[end..], MAX_AFTER)
            } else {
                ""
            };
            let rest = &text[end + after.len()..];
            Excerpt {
                start: position(span.start),
                end: position(span.end),
                before: before.to_owned(),
                within: within.to_owned(),
                after: after.to_owned(),
                is_cut_before: !matches!(
                    text[..start - before.len()].chars().next_back(),
                    None | Some('\n' | '\r')
                ),
                is_cut_within: !is_whole,
                is_cut_after: is_whole && !matches!(rest.chars().next(), None | Some('\n' | '\r')),
            }
        };
        spans.iter().map(excerpt).collect()
    }
}

/// Returns the last character boundary of `text` at or before `offset`.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut boundary = offset.min(text.len());
    // Terminates at 0, which is always a boundary.
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

/// Returns the end of the last line of `text`, of at most `max` characters.
fn line_tail(text: &str, max: usize) -> &str {
    // `take` comes before the search for the line break, so that the cost does not depend on the length of the line.
    let line = text.chars().rev().take(max);
    let length: usize = line
        .take_while(|character| !matches!(character, '\n' | '\r'))
        .map(char::len_utf8)
        .sum();
    &text[text.len() - length..]
}

/// Returns the beginning of the first line of `text`, of at most `max` characters.
fn line_head(text: &str, max: usize) -> &str {
    let line = text.chars().take(max);
    let length: usize = line
        .take_while(|character| !matches!(character, '\n' | '\r'))
        .map(char::len_utf8)
        .sum();
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_truncate_a_long_line_around_the_span() {
        let line = format!("{}<a href=g>{}", "x".repeat(5000), "y".repeat(5000));
        let excerpts = Document::new(line.as_bytes()).excerpts(&[Span::new(5008, 5009)]);
        let Excerpt {
            before,
            within,
            after,
            is_cut_before,
            is_cut_after,
            ..
        } = &excerpts[0];
        assert_eq!(before, &format!("{}<a href=", "x".repeat(MAX_BEFORE - 8)));
        assert_eq!(within, "g");
        assert_eq!(after, &format!(">{}", "y".repeat(MAX_AFTER - 1)));
        assert!(*is_cut_before && *is_cut_after);
        assert_eq!(
            excerpts[0].start,
            Position {
                line: 1,
                column: 5009
            }
        );
    }

    #[test]
    fn excerpts_truncate_a_span_at_its_first_line_break() {
        let excerpts = Document::new(b"\n<a href='x\ny'>").excerpts(&[Span::new(10, 13)]);
        let Excerpt {
            start,
            end,
            within,
            after,
            is_cut_within,
            ..
        } = &excerpts[0];
        assert_eq!((&**within, &**after, *is_cut_within), ("x", "", true));
        assert_eq!(
            (start.line, start.column, end.line, end.column),
            (2, 10, 3, 2)
        );
    }

    #[test]
    fn excerpts_decode_the_document() {
        // "д" in windows-1251.
        let document = Document::new(b"<meta charset=windows-1251>\xe4<a href=\xe4>");
        let excerpts = document.excerpts(&[Span::new(36, 37)]);
        assert_eq!((&*excerpts[0].within, excerpts[0].start.column), ("д", 37));
    }
}
