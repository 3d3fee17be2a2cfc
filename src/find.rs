//! Finding bytes that are likely near: sixteen at a time, without calling anything for the first few.
//!
//! [`memchr`](mod@memchr) is faster over long distances, which is where these functions leave the rest to it. From a tag to
//! the next, and from quote to quote, most distances are short. Names are shorter still, and many in a document are the
//! same: a plain loop over their bytes was measured to be faster.

use memchr::memchr;
use wide::u8x16;

/// How many bytes are looked at together.
pub(crate) const WIDTH: usize = 16;

/// How many times, before [`memchr`](mod@memchr) goes on.
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
    pub(crate) fn up_to(self, last: u8) -> Self {
        Self(self.0.min(u8x16::splat(last)).simd_eq(self.0))
    }

    /// Those from `first` to `last`.
    #[inline]
    pub(crate) fn within(self, first: u8, last: u8) -> Self {
        Self(self.0 - u8x16::splat(first)).up_to(last - first)
    }

    /// The bytes, each with those bits set.
    #[inline]
    pub(crate) fn with(self, bits: u8) -> Self {
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
pub(crate) fn near(needle: u8, bytes: &[u8], from: usize) -> Option<usize> {
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
                        near(b'<', &bytes, from),
                        expected,
                        "{place} of {length} from {from}"
                    );
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
            let has = |found: Block| found.mask() & 1 << 3 != 0;
            assert_eq!(has(block.equal(b'-')), byte == b'-');
            assert_eq!(has(block.up_to(b' ')), byte <= b' ');
            assert_eq!(has(block.within(b'a', b'z')), byte.is_ascii_lowercase());
            assert_eq!(
                has(block.with(0x20).equal(b'a')),
                matches!(byte, b'a' | b'A')
            );
        }
        assert!(Block::at(&[0; WIDTH], 1).is_none());
    }
}
