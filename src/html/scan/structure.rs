//! Where the bytes stand that begin and end tags and values, found many at a time: reading need not wait for one to be
//! found to look for the next.

use crate::find::{Block, WIDTH};

/// How many bytes are looked at together.
const STRIDE: usize = 64;

/// Goes from one `<`, `>`, `"` or `'` to the next.
pub(super) struct Structure<'t> {
    bytes: &'t [u8],
    /// The beginning of the bytes that were looked at last.
    start: usize,
    /// Which of these are still to come: the lowest bit is that of `start`.
    mask: u64,
}

impl<'t> Structure<'t> {
    /// Begins at `start`.
    pub(super) fn new(bytes: &'t [u8], start: usize) -> Self {
        let (start, mask) = next_stride(bytes, start);
        Self { bytes, start, mask }
    }
}

impl Iterator for Structure<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.mask == 0 {
            (self.start, self.mask) = next_stride(self.bytes, self.start + STRIDE);
            if self.mask == 0 {
                return None;
            }
        }
        let place = self.start + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some(place)
    }
}

/// The first stride, from `start` on, in which there is something, and which of its bytes that is: the lowest bit is the
/// first of them. At the end of `bytes` there is nothing.
#[inline(never)]
fn next_stride(bytes: &[u8], start: usize) -> (usize, u64) {
    let mut start = start;
    while let Some(rest) = bytes.get(start..) {
        let mask = match rest.first_chunk() {
            Some(stride) => mask(stride),
            None => mask_of_end(rest),
        };
        if mask != 0 {
            return (start, mask);
        }
        start += STRIDE;
    }
    (start, 0)
}

#[cold]
fn mask_of_end(rest: &[u8]) -> u64 {
    let mut stride = [0; STRIDE];
    stride[..rest.len()].copy_from_slice(rest);
    mask(&stride)
}

#[inline]
fn mask(bytes: &[u8; STRIDE]) -> u64 {
    let mut mask = 0;
    for (index, chunk) in bytes.as_chunks::<WIDTH>().0.iter().enumerate() {
        let block = Block::of(chunk);
        // "<" and ">" differ in one bit.
        let brackets = block.with(0x02).equal(b'>');
        let quotes = block.equal(b'"').or(block.equal(b'\''));
        mask |= u64::from(brackets.or(quotes).mask()) << (index * WIDTH);
    }
    mask
}
