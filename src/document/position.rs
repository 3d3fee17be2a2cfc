//! Lines and columns of offsets in a document.

use crate::encoding::Decoded;

/// Returns the line and column of each of `offsets`, which are in bytes of the document and must be ascending.
pub(super) fn positions(decoded: &Decoded<'_>, offsets: &[usize]) -> Vec<Position> {
    let text = &*decoded.text;
    let mut position = Position { line: 1, column: 1 };
    let mut characters = text.char_indices().peekable();
    let mut positions = Vec::with_capacity(offsets.len());
    for &offset in offsets {
        let end = decoded.map.text(offset);
        // One pass for all offsets, which is why they must be ascending.
        while let Some((index, character)) = characters.next_if(|&(index, _)| index < end) {
            // In CR LF only the LF ends the line, so that the pair counts once.
            let is_line_end =
                character == '\n' || (character == '\r' && !text[index + 1..].starts_with('\n'));
            if is_line_end {
                position = Position {
                    line: position.line + 1,
                    column: 1,
                };
            } else {
                position.column += 1;
            }
        }
        positions.push(position);
    }
    positions
}

/// A position in a document as a text editor shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line number, starting at 1. A line ends with LF, CR or CR LF.
    pub line: usize,
    /// The column number, starting at 1, in characters (`char`) of the decoded document.
    pub column: usize,
}
