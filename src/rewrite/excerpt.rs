//! What of a document to show to a person: the line a span stands in, cut where it gets long.

use super::{Document, Position};
use crate::span::Span;

/// How many characters of a line are shown before a span, of it, and behind it.
const BEFORE: usize = 48;
const WITHIN: usize = 96;
const BEHIND: usize = 32;

/// A span of a document, and what of the line around it fits a screen.
///
/// The text is decoded and otherwise as it stands there: it may hold tabs and control characters, but no line ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Excerpt {
    /// Where the span starts.
    pub start: Position,
    /// Where it ends: behind its last character.
    pub end: Position,
    /// What stands before the span in its line; its beginning is missing if `is_cut_before`.
    pub before: String,
    /// The text of the span, up to the end of its first line; its end is missing if `is_cut_within`.
    pub within: String,
    /// What stands behind the span in its line; its end is missing if `is_cut_behind`. Empty if the span goes on in
    /// another line or is cut.
    pub behind: String,
    /// Whether the line begins before `before`.
    pub is_cut_before: bool,
    /// Whether the span goes on behind `within`.
    pub is_cut_within: bool,
    /// Whether the line goes on behind `behind`.
    pub is_cut_behind: bool,
}

impl Document<'_> {
    /// The lines of `spans`, which are bytes of the document, in the order of `spans`.
    ///
    /// There are none in a document that is not read at all.
    ///
    /// # Complexity
    /// Linear in the length of the document, and `n log n` in the number of spans, however long the lines are.
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
        let Ok(decoded) = self.decode() else {
            return Vec::new();
        };
        let text = &*decoded.text;
        let mut offsets: Vec<usize> = spans
            .iter()
            .flat_map(|span| [span.start, span.end])
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        let positions = super::document::positions(&decoded, &offsets);
        let position = |offset| {
            let found = offsets.binary_search(&offset).ok();
            found
                .and_then(|index| positions.get(index).copied())
                .unwrap_or(Position { line: 1, column: 1 })
        };
        let excerpt = |span: &Span| {
            let at = |offset| floor(text, decoded.map.text(offset));
            let (start, end) = (at(span.start), at(span.end).max(at(span.start)));
            let before = tail(&text[..start]);
            let within = head(&text[start..end], WITHIN);
            let is_whole = start + within.len() == end;
            let behind = if is_whole {
                head(&text[end..], BEHIND)
            } else {
                ""
            };
            let rest = &text[end + behind.len()..];
            Excerpt {
                start: position(span.start),
                end: position(span.end),
                before: before.to_owned(),
                within: within.to_owned(),
                behind: behind.to_owned(),
                is_cut_before: !matches!(
                    text[..start - before.len()].chars().next_back(),
                    None | Some('\n' | '\r')
                ),
                is_cut_within: !is_whole,
                is_cut_behind: is_whole && !matches!(rest.chars().next(), None | Some('\n' | '\r')),
            }
        };
        spans.iter().map(excerpt).collect()
    }
}

/// The last boundary of a character that is not behind `offset`.
fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The end of the last line of `text`, as far as it is shown before a span.
fn tail(text: &str) -> &str {
    let line = text.chars().rev().take(BEFORE);
    let length: usize = line
        .take_while(|character| !matches!(character, '\n' | '\r'))
        .map(char::len_utf8)
        .sum();
    &text[text.len() - length..]
}

/// The beginning of the first line of `text`, of at most that many characters.
fn head(text: &str, longest: usize) -> &str {
    let line = text.chars().take(longest);
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
    fn a_long_line_is_cut_around_the_span() {
        let line = format!("{}<a href=g>{}", "x".repeat(5000), "y".repeat(5000));
        let excerpts = Document::new(line.as_bytes()).excerpts(&[Span::new(5008, 5009)]);
        let Excerpt {
            before,
            within,
            behind,
            is_cut_before,
            is_cut_behind,
            ..
        } = &excerpts[0];
        assert_eq!(before, &format!("{}<a href=", "x".repeat(BEFORE - 8)));
        assert_eq!(within, "g");
        assert_eq!(behind, &format!(">{}", "y".repeat(BEHIND - 1)));
        assert!(*is_cut_before && *is_cut_behind);
        assert_eq!(
            excerpts[0].start,
            Position {
                line: 1,
                column: 5009
            }
        );
    }

    #[test]
    fn a_span_over_lines_ends_with_its_first() {
        let excerpts = Document::new(b"\n<a href='x\ny'>").excerpts(&[Span::new(10, 13)]);
        let Excerpt {
            start,
            end,
            within,
            behind,
            is_cut_within,
            ..
        } = &excerpts[0];
        assert_eq!((&**within, &**behind, *is_cut_within), ("x", "", true));
        assert_eq!(
            (start.line, start.column, end.line, end.column),
            (2, 10, 3, 2)
        );
    }

    #[test]
    fn bytes_are_shown_as_the_text_they_are() {
        // "д" in windows-1251.
        let document = Document::new(b"<meta charset=windows-1251>\xe4<a href=\xe4>");
        let excerpts = document.excerpts(&[Span::new(36, 37)]);
        assert_eq!((&*excerpts[0].within, excerpts[0].start.column), ("д", 37));
    }
}
