//! Lines and columns of offsets in a document.

use memchr::{memchr_iter, memrchr};

use super::Document;
use crate::encoding::Decoded;

impl<'d> Document<'d> {
    /// Returns a function that finds the lines and columns of offsets, in bytes of the document.
    ///
    /// No offset may be less than the one before it. There is no position if the document is
    /// [unsupported](crate::Unsupported).
    ///
    /// # Complexity
    /// Linear in the length of the document, of which it has a copy unless that is UTF-8, for all offsets together.
    ///
    /// # Examples
    /// ```
    /// use absolve::Document;
    ///
    /// let mut position_of = Document::new(b"<p>\n<a href=x>").positions();
    /// let position = position_of(12).expect("a document that can be read");
    /// assert_eq!((position.line, position.column), (2, 9));
    /// ```
    pub fn positions(&self) -> impl FnMut(usize) -> Option<Position> + use<'d> {
        let mut positions = Positions::new(self);
        move |offset| positions.at(offset)
    }
}

/// Finds lines and columns, of one offset after another.
pub(crate) struct Positions<'d> {
    /// `None` if the document is unsupported.
    pub(crate) decoded: Option<Decoded<'d>>,
    /// The last offset that was found, in bytes of the text.
    done: usize,
    /// The position of that offset.
    position: Position,
}

impl<'d> Positions<'d> {
    pub(crate) fn new(document: &Document<'d>) -> Self {
        Self {
            decoded: document.decode().ok(),
            done: 0,
            position: Position { line: 1, column: 1 },
        }
    }

    /// Returns the line and column of `offset`, which is in bytes of the document and not less than the one before it;
    /// `None` if the document is unsupported.
    pub(crate) fn at(&mut self, offset: usize) -> Option<Position> {
        let decoded = self.decoded.as_ref()?;
        let text = decoded.text.as_bytes();
        let end = decoded.map.text(offset).clamp(self.done, text.len());
        self.position = self.position.after(text, self.done, end);
        self.done = end;
        Some(self.position)
    }
}

impl Position {
    /// Returns the position of `end` in `text`, where this is the position of `start`.
    ///
    /// # Complexity
    /// Linear in the distance, with vectors: there are far fewer links than characters.
    fn after(self, text: &[u8], start: usize, end: usize) -> Self {
        let between = &text[start..end];
        // In CR LF only the LF ends the line, so that the pair counts once.
        let is_line_end = |&index: &usize| text.get(start + index + 1) != Some(&b'\n');
        let (cr_count, last_cr) = memchr_iter(b'\r', between)
            .filter(is_line_end)
            .fold((0, None), |(count, _), index| (count + 1, Some(index)));
        let lf_count = memchr_iter(b'\n', between).count();
        let last_lf = memrchr(b'\n', between);
        match last_cr.max(last_lf) {
            None => Self {
                line: self.line,
                column: self.column + count_characters(between),
            },
            Some(line_end) => Self {
                line: self.line + cr_count + lf_count,
                column: 1 + count_characters(&between[line_end + 1..]),
            },
        }
    }
}

/// Returns the number of characters that begin in `bytes`, a part of a text in UTF-8.
fn count_characters(bytes: &[u8]) -> usize {
    let is_trail = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    bytes.len() - bytes.iter().filter(is_trail).count()
}

/// A position in a document as a text editor shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line number, starting at 1. A line ends with LF, CR or CR LF.
    pub line: usize,
    /// The column number, starting at 1, in characters (`char`) of the decoded document.
    pub column: usize,
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    /// Returns the lines and columns of `offsets` in `text`.
    fn positions_of(text: &str, offsets: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        let document = Document::new(text.as_bytes()).encoding("utf-8");
        let positions = offsets.filter_map(document.positions());
        positions
            .map(|position| (position.line, position.column))
            .collect()
    }

    /// Returns the line and column of each byte of `text`.
    fn positions(text: &str) -> Vec<(usize, usize)> {
        positions_of(text, 0..text.len())
    }

    #[test]
    fn lines_end_with_lf_cr_or_both() {
        assert_eq!(positions("a\nb"), [(1, 1), (1, 2), (2, 1)]);
        assert_eq!(positions("a\rb"), [(1, 1), (1, 2), (2, 1)]);
        assert_eq!(positions("a\r\nb"), [(1, 1), (1, 2), (1, 3), (2, 1)]);
        assert_eq!(positions("\n\r\rb"), [(1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(positions("\r\r\nb"), [(1, 1), (2, 1), (2, 2), (3, 1)]);
    }

    #[test]
    fn columns_are_characters() {
        // The trail bytes of a character are after it.
        assert_eq!(positions("é😀x")[0], (1, 1));
        assert_eq!(positions("é😀x")[2], (1, 2));
        assert_eq!(positions("é😀x")[6], (1, 3));
    }

    #[test]
    fn far_offsets_are_those_of_many_near_ones() {
        let text = "ab\r\nc\rdé\n\n😀".repeat(40);
        let all = positions(&text);
        for step in [3, 7, 64, 200] {
            let far = positions_of(&text, (0..text.len()).step_by(step));
            let near: Vec<_> = all.iter().copied().step_by(step).collect();
            assert_eq!(far, near, "{step}");
        }
    }
}
