//! Lines and columns of offsets in a document.

use memchr::{memchr_iter, memrchr};

use crate::encoding::Decoded;

/// Returns the line and column of each of `offsets`, which are in bytes of the document and must be ascending.
pub(super) fn positions(decoded: &Decoded<'_>, offsets: &[usize]) -> Vec<Position> {
    let text = decoded.text.as_bytes();
    let mut position = Position { line: 1, column: 1 };
    let mut done = 0;
    let mut positions = Vec::with_capacity(offsets.len());
    for &offset in offsets {
        // One pass for all offsets, which is why they must be ascending.
        let end = decoded.map.text(offset).clamp(done, text.len());
        position = position.after(text, done, end);
        done = end;
        positions.push(position);
    }
    positions
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

    /// Returns the line and column of each byte of `text`.
    fn positions(text: &str) -> Vec<(usize, usize)> {
        let offsets: Vec<usize> = (0..text.len()).collect();
        let document = Document::new(text.as_bytes()).encoding("utf-8");
        let positions = document.positions(&offsets);
        positions
            .iter()
            .map(|position| (position.line, position.column))
            .collect()
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
            let offsets: Vec<usize> = (0..text.len()).step_by(step).collect();
            let document = Document::new(text.as_bytes()).encoding("utf-8");
            for (offset, position) in offsets.iter().zip(document.positions(&offsets)) {
                assert_eq!((position.line, position.column), all[*offset], "{offset}");
            }
        }
    }
}
