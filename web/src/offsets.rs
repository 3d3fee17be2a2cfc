//! Offsets in the unit of a document: bytes, or UTF-16 code units of a string.

use absolve::Span;

/// Offsets of a document in the unit of its type.
pub(crate) enum Offsets<'d> {
    /// Bytes, or characters of one byte and one code unit each.
    Bytes,
    /// UTF-16 code units.
    CodeUnits {
        /// The document in UTF-8; lone surrogates are encoded like other characters.
        bytes: &'d [u8],
        /// The number of code units before each block of [`BLOCK`] bytes.
        counts: Vec<usize>,
    },
}

/// Number of bytes between two counts, and so the number that finding an offset may have to count.
const BLOCK: usize = 1024;

impl<'d> Offsets<'d> {
    /// Prepares the offsets of a document.
    ///
    /// # Complexity
    /// Linear in the length of a string.
    pub(crate) fn new(bytes: &'d [u8], is_text: bool) -> Self {
        if !is_text || bytes.is_ascii() {
            return Self::Bytes;
        }
        let mut count = 0;
        let counts = bytes.chunks(BLOCK).map(|block| {
            let before = count;
            count += code_units(block);
            before
        });
        Self::CodeUnits {
            counts: counts.collect(),
            bytes,
        }
    }

    /// Converts a span in bytes.
    pub(crate) fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    fn offset(&self, offset: usize) -> usize {
        match self {
            Self::Bytes => offset,
            Self::CodeUnits { bytes, counts } => {
                // The end of a document may be the end of its last block, which has no count after it.
                let block = (offset / BLOCK).min(counts.len().saturating_sub(1));
                let before = counts.get(block).copied().unwrap_or(0);
                before + code_units(bytes.get(block * BLOCK..offset).unwrap_or_default())
            }
        }
    }
}

/// Counts the UTF-16 code units of the characters that begin in `bytes`.
fn code_units(bytes: &[u8]) -> usize {
    let units = bytes.iter().map(|byte| match byte {
        // A trail byte.
        0x80..=0xBF => 0,
        // A character of four bytes is a pair of surrogates.
        0xF0..=0xFF => 2,
        _ => 1,
    });
    units.sum()
}
