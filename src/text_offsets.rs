//! [`TextOffsets`]: offsets in units other than bytes.

use crate::span::Span;

/// A unit in which a program counts the positions of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TextUnit {
    /// A byte of UTF-8, as in Rust.
    #[default]
    Byte,
    /// A code point, as in Python.
    CodePoint,
    /// A UTF-16 code unit, as in JavaScript and in most editors.
    Utf16CodeUnit,
}

/// Offsets in a text in UTF-8, converted from bytes to another unit. The default leaves them in bytes.
///
/// # Examples
/// ```
/// use absolve::{Span, TextOffsets, TextUnit};
///
/// let text = "é😀x";
/// let offsets = TextOffsets::new(text.as_bytes(), TextUnit::Utf16CodeUnit);
/// assert_eq!(offsets.span(Span::new(2, 6)), Span::new(1, 3));
/// assert_eq!(offsets.offset(7), 4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct TextOffsets<'t> {
    text: &'t [u8],
    unit: TextUnit,
    /// The number of units before each block of [`BLOCK`] bytes; empty if a unit is a byte.
    counts: Vec<usize>,
}

/// Number of bytes between two counts, and so the number that finding an offset may have to count.
const BLOCK: usize = 128;

impl<'t> TextOffsets<'t> {
    /// Prepares the offsets of `text`.
    ///
    /// A lone surrogate that is encoded like other characters (three bytes) is one unit. Other bytes that are not UTF-8
    /// are counted, but not in any useful way.
    ///
    /// # Complexity
    /// Linear in the length of `text`, unless the unit is a byte.
    #[must_use]
    pub fn new(text: &'t [u8], unit: TextUnit) -> Self {
        let mut offsets = Self {
            text,
            unit: match unit {
                TextUnit::CodePoint | TextUnit::Utf16CodeUnit if text.is_ascii() => TextUnit::Byte,
                unit => unit,
            },
            counts: Vec::new(),
        };
        if offsets.unit != TextUnit::Byte {
            let mut count = 0;
            let counts = text.chunks(BLOCK).map(|block| {
                let before = count;
                count += offsets.count(block);
                before
            });
            offsets.counts = counts.collect();
        }
        offsets
    }

    /// Converts a span in bytes.
    #[must_use]
    pub fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// Converts an offset in bytes. One beyond the end of the text is that of the end, unless each unit is a byte.
    ///
    /// # Complexity
    /// Constant.
    #[must_use]
    pub fn offset(&self, offset: usize) -> usize {
        if self.unit == TextUnit::Byte {
            return offset;
        }
        let offset = offset.min(self.text.len());
        // The end of a text may be the end of its last block, which has no count after it.
        let block = (offset / BLOCK).min(self.counts.len() - 1);
        self.counts[block] + self.count(&self.text[block * BLOCK..offset])
    }

    /// Returns the number of units of the characters that begin in `bytes`, at most a block.
    fn count(&self, bytes: &[u8]) -> usize {
        debug_assert!(bytes.len() <= BLOCK);
        // In `u8`, which the length of a block fits, so that the compiler adds many bytes at once.
        let firsts: u8 = bytes.iter().map(|&byte| u8::from(is_first(byte))).sum();
        let pairs = match self.unit {
            TextUnit::Utf16CodeUnit => bytes.iter().map(|&byte| u8::from(byte >= 0xF0)).sum(),
            TextUnit::CodePoint | TextUnit::Byte => 0u8,
        };
        usize::from(firsts) + usize::from(pairs)
    }
}

/// Returns whether a character begins with `byte`: all bytes but trail bytes.
fn is_first(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_unit() {
        let text = "aé€😀".repeat(900);
        for unit in [TextUnit::Byte, TextUnit::CodePoint, TextUnit::Utf16CodeUnit] {
            let offsets = TextOffsets::new(text.as_bytes(), unit);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let before = &text[..offset];
                let expected = match unit {
                    TextUnit::Byte => before.len(),
                    TextUnit::CodePoint => before.chars().count(),
                    TextUnit::Utf16CodeUnit => before.encode_utf16().count(),
                };
                assert_eq!(offsets.offset(offset), expected, "{unit:?} {offset}");
            }
        }
    }

    #[test]
    fn offsets_beyond_the_end_are_the_end() {
        let offsets = TextOffsets::new("é".as_bytes(), TextUnit::CodePoint);
        assert_eq!(offsets.offset(99), 1);
    }

    #[test]
    fn a_surrogate_is_one_unit() {
        let offsets = TextOffsets::new(b"\xED\xA0\x80x", TextUnit::Utf16CodeUnit);
        assert_eq!(offsets.offset(3), 1);
    }
}
