//! Vectorized byte search for short distances, and a structural index over long texts.
//!
//! [`memchr`](mod@memchr) is the right tool to cross a long stretch of text. Markup is different: the distance from one
//! tag to the next, or from one quote to the next, is mostly short, and every search begins where the one before it
//! ended. Two costs dominate there: the fixed cost of each call, and the latency from the load of the bytes to the
//! position that the next search depends on. This module has one tool against each.
//!
//! # Building blocks
//!
//! A [`Block`] is sixteen bytes in one vector register. Its comparisons return another `Block`, with each byte all ones
//! or all zeros, and [`Block::mask`] collects the result into a [`Mask`] with one bit per byte, lowest bit first. The
//! first match is then the number of trailing zeros, and `mask & (mask - 1)` clears it. A *set* of bytes is a function
//! that makes such a comparison; one `or` per byte is often avoidable, because bytes that differ in a single bit can be
//! compared together after that bit is set.
//!
//! # Near search
//!
//! [`memchr_near`] compares a few blocks inline and calls `memchr` only if none of them matches. It avoids the call,
//! not the latency.
//!
//! # Structural index
//!
//! [`ByteMatches`] avoids the latency, with the idea of simdjson's first stage. It compares a stride of 64 bytes with a
//! set in one go, and keeps the matches as the bits of a `u64`. As long as bits are left, the next position is a few
//! cycles away and depends on no load, so the processor can work on several tags at once. simdjson indexes its whole
//! input before the second stage runs; here the index is computed lazily, a stride at a time, because the caller may
//! leave at any match, and [`ByteMatches::advance_to`] resumes after what it handled otherwise.
//!
//! # Invariants
//!
//! - The positions that [`ByteMatches`] returns are strictly increasing. Every match from the start on is returned
//!   unless `advance_to` skips it.
//! - No load is out of bounds: the last, incomplete block or stride is copied into a padded array. The padding never
//!   adds a match: [`contains_any`] pads with a byte that is already there, and [`ByteMatches`] with U+0000, which its
//!   sets must not contain.
//!
//! # Cost
//!
//! Linear, without allocation. For a long text without any match, `memchr` reads more bytes per cycle.

use memchr::memchr;
use wide::u8x16;

/// Number of bytes in a [`Block`]: a vector register of SSE2 and of NEON.
pub(crate) const WIDTH: usize = 16;

/// Number of blocks that [`memchr_near`] compares inline before it calls [`memchr`](mod@memchr).
const NEAR: usize = 4;

/// Sixteen bytes, or the result of comparing sixteen bytes: each byte all ones for a match, all zeros otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block(u8x16);

/// One bit for each byte of a [`Block`]; the lowest bit is the first byte.
pub(crate) type Mask = u32;

impl Block {
    /// Loads the bytes from `offset` on. Returns `None` if fewer than [`WIDTH`] are left.
    #[inline]
    pub(crate) fn at(bytes: &[u8], offset: usize) -> Option<Self> {
        bytes.get(offset..)?.first_chunk().map(Self::of)
    }

    /// Loads `bytes`.
    #[inline]
    pub(crate) fn of(bytes: &[u8; WIDTH]) -> Self {
        Self(u8x16::new(*bytes))
    }

    /// Matches the bytes equal to `byte`.
    #[inline]
    pub(crate) fn equal(self, byte: u8) -> Self {
        Self(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// Matches the bytes less than or equal to `last`.
    #[inline]
    pub(crate) fn le(self, last: u8) -> Self {
        // SSE2 compares bytes as signed numbers only; an unsigned minimum and an equality test do instead.
        Self(self.0.min(u8x16::splat(last)).simd_eq(self.0))
    }

    /// Matches the bytes from `first` to `last`, both included.
    #[inline]
    pub(crate) fn in_range(self, first: u8, last: u8) -> Self {
        // The subtraction wraps: bytes below `first` become large, so that one comparison checks both bounds.
        Self(self.0 - u8x16::splat(first)).le(last - first)
    }

    /// Returns the bytes with `bits` set in each, so that bytes that differ in these bits compare equal.
    #[inline]
    pub(crate) fn set_bits(self, bits: u8) -> Self {
        Self(self.0 | u8x16::splat(bits))
    }

    /// Matches the bytes that either comparison matches.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the bits of the bytes that a comparison matched.
    #[inline]
    pub(crate) fn mask(self) -> Mask {
        self.0.to_bitmask()
    }
}

/// Returns the offset of the first `word` in `bytes`, ASCII case-insensitive. Slow: compares at every offset.
pub(crate) fn find_ignore_case(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(word.len());
    windows.position(|window| window.eq_ignore_ascii_case(word))
}

/// Returns whether `bytes` begins with `prefix`, in any ASCII case.
#[inline]
pub(crate) fn starts_with_ignore_case(bytes: &[u8], prefix: &[u8]) -> bool {
    let start = bytes.get(..prefix.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Returns the offset of the first `needle` in `bytes` at or after `from`; fast if that is near.
#[inline]
pub(crate) fn memchr_near(needle: u8, bytes: &[u8], from: usize) -> Option<usize> {
    let mut offset = from;
    for _ in 0..NEAR {
        let Some(block) = Block::at(bytes, offset) else {
            break;
        };
        let mask = block.equal(needle).mask();
        if mask != 0 {
            return Some(offset + mask.trailing_zeros() as usize);
        }
        offset += WIDTH;
    }
    // The distance is long, or less than a block is left.
    Some(offset + memchr(needle, bytes.get(offset..)?)?)
}

/// Returns whether `bytes` contains a byte of the set.
#[inline]
pub(crate) fn contains_any(bytes: &[u8], set: impl Fn(Block) -> Block + Copy) -> bool {
    let (strides, rest) = bytes.as_chunks::<STRIDE>();
    strides.iter().any(|stride| has_match(stride, set)) || contains_any_near(rest, set)
}

/// Returns whether a stride contains a byte of the set.
#[inline]
fn has_match(stride: &[u8; STRIDE], set: impl Fn(Block) -> Block) -> bool {
    // One mask for four comparisons.
    let blocks = stride.as_chunks::<WIDTH>().0.iter().map(Block::of);
    let matches = blocks.map(set).reduce(Block::or);
    matches.is_some_and(|matches| matches.mask() != 0)
}

/// Returns whether `bytes`, which are fewer than a stride, contains a byte of the set.
#[inline]
fn contains_any_near(bytes: &[u8], set: impl Fn(Block) -> Block) -> bool {
    let (blocks, tail) = bytes.as_chunks();
    let has_match = |block: &[u8; WIDTH]| set(Block::of(block)).mask() != 0;
    let tail_has_match = |&first: &u8| {
        // Pads with a byte that is already present, so the padding cannot add a match.
        let mut padded = [first; WIDTH];
        padded[..tail.len()].copy_from_slice(tail);
        has_match(&padded)
    };
    blocks.iter().any(has_match) || tail.first().is_some_and(tail_has_match)
}

/// Number of bytes that [`ByteMatches`] compares at a time: as many as a `u64` has bits.
pub(crate) const STRIDE: usize = 64;

/// An iterator over the offsets of the bytes of a set, in order: the [structural index](self#structural-index).
pub(crate) struct ByteMatches<'t, S> {
    bytes: &'t [u8],
    /// The offset of the current stride.
    start: usize,
    /// The matches of the current stride that have not been returned; the lowest bit is the byte at `start`.
    mask: u64,
    set: S,
}

impl<'t, S: Fn(Block) -> Block + Copy> ByteMatches<'t, S> {
    /// Returns an iterator over the matches of `set` in `bytes` at or after `start`; the set must not contain U+0000.
    pub(crate) fn new(bytes: &'t [u8], start: usize, set: S) -> Self {
        let (start, mask) = next_stride(bytes, start, set);
        Self {
            bytes,
            start,
            mask,
            set,
        }
    }

    /// Skips all matches before `offset`, which must not be before the offset returned last.
    #[inline]
    pub(crate) fn advance_to(&mut self, offset: usize) {
        match offset.checked_sub(self.start) {
            // A shift by less than the width of the mask, as 64 or more would overflow.
            Some(passed @ 0..STRIDE) => self.mask &= u64::MAX << passed,
            Some(_) => *self = Self::new(self.bytes, offset, self.set),
            // The current stride is the first one with a match, so there is no match between `offset` and its start.
            None => {}
        }
    }
}

impl<S: Fn(Block) -> Block + Copy> Iterator for ByteMatches<'_, S> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.mask == 0 {
            (self.start, self.mask) = next_stride(self.bytes, self.start + STRIDE, self.set);
            if self.mask == 0 {
                return None;
            }
        }
        let offset = self.start + self.mask.trailing_zeros() as usize;
        // Clears the lowest set bit. The mask is not zero here, so the subtraction cannot overflow.
        self.mask &= self.mask - 1;
        Some(offset)
    }
}

/// Returns the offset and the mask of the first stride from `start` on that has a match.
///
/// The mask is zero if there is none up to the end of `bytes`. Not inlined, so that [`ByteMatches::next`] is only a few
/// instructions wherever it is inlined.
#[inline(never)]
fn next_stride(bytes: &[u8], start: usize, set: impl Fn(Block) -> Block + Copy) -> (usize, u64) {
    let mut start = start;
    while let Some(rest) = bytes.get(start..) {
        let mask = match rest.first_chunk() {
            Some(stride) => stride_mask(stride, set),
            None => tail_mask(rest, set),
        };
        if mask != 0 {
            return (start, mask);
        }
        start += STRIDE;
    }
    (start, 0)
}

/// Returns the matches among the last bytes, which are fewer than a stride.
#[cold]
fn tail_mask(tail: &[u8], set: impl Fn(Block) -> Block) -> u64 {
    // The padding is U+0000, which is in none of the sets, so no offset past the end can be returned.
    let mut stride = [0; STRIDE];
    stride[..tail.len()].copy_from_slice(tail);
    stride_mask(&stride, set)
}

/// Returns the matches in a stride; the lowest bit is its first byte.
#[inline]
pub(crate) fn stride_mask(bytes: &[u8; STRIDE], set: impl Fn(Block) -> Block) -> u64 {
    let mut mask = 0;
    // Four independent comparisons: the loop is unrolled, and none of them waits for another.
    for (index, block) in bytes.as_chunks::<WIDTH>().0.iter().enumerate() {
        let matches = set(Block::of(block));
        mask |= u64::from(matches.mask()) << (index * WIDTH);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memchr_near_finds_the_first_match_at_any_distance() {
        for length in 0..100 {
            for offset in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[offset] = b'<';
                for from in 0..=length + 1 {
                    let expected = (from <= offset).then_some(offset);
                    assert_eq!(
                        memchr_near(b'<', &bytes, from),
                        expected,
                        "{offset} of {length} from {from}"
                    );
                }
            }
        }
    }

    fn is_comma(block: Block) -> Block {
        block.equal(b',')
    }

    #[test]
    fn contains_any_finds_a_match_at_any_offset() {
        for length in 0..100 {
            let mut bytes = vec![b'a'; length];
            assert!(!contains_any(&bytes, is_comma));
            for offset in 0..length {
                bytes[offset] = b',';
                assert!(contains_any(&bytes, is_comma));
                bytes[offset] = b'a';
            }
        }
    }

    #[test]
    fn byte_matches_yields_every_match_in_order() {
        for length in 0..300 {
            for step in [1, 2, 7, 63, 64, 65, 200] {
                let byte_at = |offset| {
                    if offset % step == step / 2 {
                        b','
                    } else {
                        b'a'
                    }
                };
                let bytes: Vec<u8> = (0..length).map(byte_at).collect();
                let commas = |from| (from..length).filter(|&offset| bytes[offset] == b',');
                for from in 0..=length + 1 {
                    assert!(ByteMatches::new(&bytes, from, is_comma).eq(commas(from)));
                    let mut matches = ByteMatches::new(&bytes, from / 2, is_comma);
                    let first = matches.next();
                    assert_eq!(first, commas(from / 2).next());
                    if first.is_none_or(|first| first < from) {
                        matches.advance_to(from);
                        assert!(matches.eq(commas(from)), "{step} of {length} from {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn block_comparisons_hold_for_every_byte() {
        for byte in 0..=u8::MAX {
            let mut bytes = [b'-'; WIDTH];
            bytes[3] = byte;
            let block = Block::at(&bytes, 0).expect("sixteen bytes");
            let is_match = |matches: Block| matches.mask() & 1 << 3 != 0;
            assert_eq!(is_match(block.equal(b'-')), byte == b'-');
            assert_eq!(is_match(block.le(b' ')), byte <= b' ');
            assert_eq!(
                is_match(block.in_range(b'a', b'z')),
                byte.is_ascii_lowercase()
            );
            assert_eq!(
                is_match(block.set_bits(0x20).equal(b'a')),
                matches!(byte, b'a' | b'A')
            );
        }
        assert!(Block::at(&[0; WIDTH], 1).is_none());
    }
}
