//! Finding bytes that are likely near, sixteen at a time.
//!
//! [`memchr`](mod@memchr) is faster over long distances, which is where [`memchr_near`] leaves the rest to it. From a tag to the
//! next, and from quote to quote, most distances are short, and where one ends the next begins: [`ByteMatches`] finds all of
//! them ahead, so that none has to be waited for.

use std::marker::PhantomData;

use memchr::memchr;
use wide::u8x16;

/// How many bytes are looked at together.
pub(crate) const WIDTH: usize = 16;

/// How many times [`memchr_near`] does so, before [`memchr`](mod@memchr) goes on.
const NEAR: usize = 4;

/// Sixteen bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block(u8x16);

/// Some bytes of a [`Block`]: the lowest bit is the first byte.
pub(crate) type Mask = u32;

impl Block {
    /// The bytes from `at` on; `None` if there are not that many.
    #[inline]
    pub(crate) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        bytes.get(at..)?.first_chunk().map(Self::of)
    }

    /// These bytes.
    #[inline]
    pub(crate) fn of(bytes: &[u8; WIDTH]) -> Self {
        Self(u8x16::new(*bytes))
    }

    /// Those that are `byte`.
    #[inline]
    pub(crate) fn equal(self, byte: u8) -> Self {
        Self(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// Those that are `last` or less.
    #[inline]
    pub(crate) fn le(self, last: u8) -> Self {
        Self(self.0.min(u8x16::splat(last)).simd_eq(self.0))
    }

    /// Those from `first` to `last`.
    #[inline]
    pub(crate) fn in_range(self, first: u8, last: u8) -> Self {
        Self(self.0 - u8x16::splat(first)).le(last - first)
    }

    /// The bytes, each with those bits set.
    #[inline]
    pub(crate) fn set_bits(self, bits: u8) -> Self {
        Self(self.0 | u8x16::splat(bits))
    }

    /// Those of either.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What a comparison gave.
    #[inline]
    pub(crate) fn mask(self) -> Mask {
        self.0.to_bitmask()
    }
}

/// The offset of the first `needle` in `bytes` that does not stand before `from`.
#[inline]
pub(crate) fn memchr_near(needle: u8, bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..NEAR {
        let Some(block) = Block::at(bytes, at) else {
            break;
        };
        let mask = block.equal(needle).mask();
        if mask != 0 {
            return Some(at + mask.trailing_zeros() as usize);
        }
        at += WIDTH;
    }
    Some(at + memchr(needle, bytes.get(at..)?)?)
}

/// A set of bytes; without U+0000, if they are to be found by [`ByteMatches`].
pub(crate) trait ByteSet {
    /// Those of the set among the bytes of a block.
    fn matches(block: Block) -> Block;
}

/// Whether a byte of the set is in `bytes`, which are few.
#[inline]
pub(crate) fn contains_any<S: ByteSet>(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks();
    let is_in = |block: &[u8; WIDTH]| S::matches(Block::of(block)).mask() != 0;
    let is_in_rest = |&byte: &u8| {
        // What is there twice stands for the bytes that are missing.
        let mut last = [byte; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
        is_in(&last)
    };
    blocks.iter().any(is_in) || rest.first().is_some_and(is_in_rest)
}

/// How many bytes [`ByteMatches`] looks at together.
const STRIDE: usize = 64;

/// Goes from one byte of a set to the next. They are found many at a time: the next one need not be waited for.
pub(crate) struct ByteMatches<'t, S> {
    bytes: &'t [u8],
    /// The beginning of the bytes that were looked at last.
    start: usize,
    /// Which of these are still to come: the lowest bit is that of `start`.
    mask: u64,
    set: PhantomData<S>,
}

impl<'t, S: ByteSet> ByteMatches<'t, S> {
    /// Begins at `start`.
    pub(crate) fn new(bytes: &'t [u8], start: usize) -> Self {
        let (start, mask) = next_stride::<S>(bytes, start);
        Self {
            bytes,
            start,
            mask,
            set: PhantomData,
        }
    }

    /// Goes on at `at`, which is not before the place that came last.
    #[inline]
    pub(crate) fn go_to(&mut self, at: usize) {
        match at.checked_sub(self.start) {
            Some(passed @ 0..STRIDE) => self.mask &= u64::MAX << passed,
            Some(_) => *self = Self::new(self.bytes, at),
            None => {}
        }
    }
}

impl<S: ByteSet> Iterator for ByteMatches<'_, S> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.mask == 0 {
            (self.start, self.mask) = next_stride::<S>(self.bytes, self.start + STRIDE);
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
fn next_stride<S: ByteSet>(bytes: &[u8], start: usize) -> (usize, u64) {
    let mut start = start;
    while let Some(rest) = bytes.get(start..) {
        let mask = match rest.first_chunk() {
            Some(stride) => stride_mask::<S>(stride),
            None => mask_of_end::<S>(rest),
        };
        if mask != 0 {
            return (start, mask);
        }
        start += STRIDE;
    }
    (start, 0)
}

#[cold]
fn mask_of_end<S: ByteSet>(rest: &[u8]) -> u64 {
    // What stands for the bytes that are missing is in no set.
    let mut stride = [0; STRIDE];
    stride[..rest.len()].copy_from_slice(rest);
    stride_mask::<S>(&stride)
}

#[inline]
fn stride_mask<S: ByteSet>(bytes: &[u8; STRIDE]) -> u64 {
    let mut mask = 0;
    for (index, chunk) in bytes.as_chunks::<WIDTH>().0.iter().enumerate() {
        let found = S::matches(Block::of(chunk));
        mask |= u64::from(found.mask()) << (index * WIDTH);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_is_found_wherever_it_is() {
        for length in 0..100 {
            for place in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[place] = b'<';
                for from in 0..=length + 1 {
                    let expected = (from <= place).then_some(place);
                    assert_eq!(
                        memchr_near(b'<', &bytes, from),
                        expected,
                        "{place} of {length} from {from}"
                    );
                }
            }
        }
    }

    struct Commas;

    impl ByteSet for Commas {
        fn matches(block: Block) -> Block {
            block.equal(b',')
        }
    }

    #[test]
    fn a_byte_is_found_or_not() {
        for length in 0..100 {
            let mut bytes = vec![b'a'; length];
            assert!(!contains_any::<Commas>(&bytes));
            for place in 0..length {
                bytes[place] = b',';
                assert!(contains_any::<Commas>(&bytes));
                bytes[place] = b'a';
            }
        }
    }

    #[test]
    fn all_places_are_gone_to() {
        for length in 0..300 {
            for step in [1, 2, 7, 63, 64, 65, 200] {
                let bytes: Vec<u8> = (0..length)
                    .map(|at| if at % step == step / 2 { b',' } else { b'a' })
                    .collect();
                let commas = |from| (from..length).filter(|&at| bytes[at] == b',');
                for from in 0..=length + 1 {
                    assert!(ByteMatches::<Commas>::new(&bytes, from).eq(commas(from)));
                    let mut places = ByteMatches::<Commas>::new(&bytes, from / 2);
                    let first = places.next();
                    assert_eq!(first, commas(from / 2).next());
                    if first.is_none_or(|first| first < from) {
                        places.go_to(from);
                        assert!(places.eq(commas(from)), "{step} of {length} from {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_byte_is_compared_as_it_is() {
        for byte in 0..=u8::MAX {
            let mut bytes = [b'-'; WIDTH];
            bytes[3] = byte;
            let block = Block::at(&bytes, 0).expect("sixteen bytes");
            let contains_any = |found: Block| found.mask() & 1 << 3 != 0;
            assert_eq!(contains_any(block.equal(b'-')), byte == b'-');
            assert_eq!(contains_any(block.le(b' ')), byte <= b' ');
            assert_eq!(
                contains_any(block.in_range(b'a', b'z')),
                byte.is_ascii_lowercase()
            );
            assert_eq!(
                contains_any(block.set_bits(0x20).equal(b'a')),
                matches!(byte, b'a' | b'A')
            );
        }
        assert!(Block::at(&[0; WIDTH], 1).is_none());
    }
}
