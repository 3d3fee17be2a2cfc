//! The structural index of the [body path](super::body): the bytes that delimit tags and quoted values, a stride of the
//! text at a time.
//!
//! [`ByteMatches`](crate::find::ByteMatches) is the same for any set of bytes. This index also gives access to the text
//! around a match: the match is an offset in a [`Window`], so that no access has to check that the text is long enough.

use std::num::NonZero;

use crate::find::{Block, STRIDE, WIDTH, stride_mask};

/// A stride of the text, and enough bytes after it for a name that begins at the end of the stride.
pub(super) type Window = [u8; STRIDE + 2 * WIDTH];

/// The offsets of `<`, `>`, `"` and `'` in the text, in order.
///
/// The index ends up to a window before the text does: only strides in a whole window are searched.
pub(super) struct StructuralIndex<'t> {
    bytes: &'t [u8],
    /// The offset of the window in the text.
    start: usize,
    window: &'t Window,
    /// The matches in the stride that have not been returned; the lowest bit is the first byte of the window.
    matches: u64,
}

/// The set of `<`, `>`, `"` and `'`.
#[inline]
fn is_tag_delimiter(block: Block) -> Block {
    // "<" and ">" differ in one bit, and no other byte becomes ">" when it is set: one comparison for both.
    let brackets = block.set_bits(0x02).equal(b'>');
    // The quotes differ in two bits; ignoring both would match "#" and "&" as well.
    let quotes = block.equal(b'"').or(block.equal(b'\''));
    brackets.or(quotes)
}

impl<'t> StructuralIndex<'t> {
    /// Returns the index of `bytes` from `start` on; `None` if fewer bytes are left than a window has.
    #[inline]
    pub(super) fn new(bytes: &'t [u8], start: usize) -> Option<Self> {
        let window: &Window = bytes.get(start..)?.first_chunk()?;
        Some(Self {
            bytes,
            start,
            window,
            matches: matches(window),
        })
    }

    /// Returns the next match as an offset in the [`window`](Self::window), which this call may replace.
    ///
    /// The offset is less than [`STRIDE`]. After the last match, [`end`](Self::end) is where the index ends.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let matches = if let Some(matches) = NonZero::new(self.matches) {
            matches
        } else {
            (self.start, self.matches) = next_stride(self.bytes, self.start);
            self.window = self.bytes.get(self.start..)?.first_chunk()?;
            NonZero::new(self.matches)?
        };
        self.skip();
        // The remainder tells the compiler that the offset is in the window.
        Some(matches.trailing_zeros() as usize % STRIDE)
    }

    /// Skips the next match if it is in the same stride.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.matches &= self.matches.wrapping_sub(1);
    }

    /// Returns the text around the match that was returned last.
    #[inline]
    pub(super) fn window(&self) -> &'t Window {
        self.window
    }

    /// Returns the offset in the text of an offset in the window.
    #[inline]
    pub(super) fn offset_in_text(&self, offset: usize) -> usize {
        self.start + offset
    }

    /// Returns the offset in the text where the index ends. Valid after the last match.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.start
    }
}

/// Returns the matches in the stride of a window.
#[inline]
fn matches(window: &Window) -> u64 {
    window
        .first_chunk()
        .map_or(0, |stride| stride_mask(stride, is_tag_delimiter))
}

/// Returns the offset and the matches of the first stride after the one at `start` that has a match.
///
/// There are no matches if the text ends first; the offset is then that of the first stride that is in no whole window.
///
/// Not inlined, so that [`StructuralIndex::next`] is only a few instructions wherever it is inlined.
#[inline(never)]
fn next_stride(bytes: &[u8], start: usize) -> (usize, u64) {
    let mut start = start + STRIDE;
    while let Some(window) = bytes.get(start..).and_then(<[u8]>::first_chunk) {
        let matches = matches(window);
        if matches != 0 {
            return (start, matches);
        }
        start += STRIDE;
    }
    (start, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_returns_every_match_in_a_whole_window() {
        for length in 0..400 {
            for step in [1, 3, 63, 64, 65, 130] {
                let byte_at = |offset: usize| {
                    if offset.is_multiple_of(step) {
                        b"<>\"'"[offset / step % 4]
                    } else {
                        b"a=#&?"[offset % 5]
                    }
                };
                let text: Vec<u8> = (0..length).map(byte_at).collect();
                for start in [0, 1, 70] {
                    let Some(mut index) = StructuralIndex::new(&text, start) else {
                        assert!(length < start + size_of::<Window>());
                        continue;
                    };
                    let mut found = Vec::new();
                    while let Some(offset) = index.next() {
                        let in_text = index.offset_in_text(offset);
                        assert_eq!(index.window()[offset], text[in_text]);
                        found.push(in_text);
                    }
                    let expected =
                        (start..index.end()).filter(|offset| offset.is_multiple_of(step));
                    assert!(found.into_iter().eq(expected), "{length} {step} {start}");
                    assert!(index.end() + size_of::<Window>() > length);
                }
            }
        }
    }
}
