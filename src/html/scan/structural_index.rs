//! The structural index of the [body path](super::body): the bytes that delimit tags and quoted values.

use crate::find::{Block, ByteMatches, ByteSet};

/// An iterator over the offsets of `<`, `>`, `"` and `'`.
pub(super) type StructuralIndex<'t> = ByteMatches<'t, TagDelimiters>;

/// The set of `<`, `>`, `"` and `'`.
pub(super) struct TagDelimiters;

impl ByteSet for TagDelimiters {
    #[inline]
    fn matches(block: Block) -> Block {
        // "<" and ">" differ in one bit, and no other byte becomes ">" when it is set: one comparison for both.
        let brackets = block.set_bits(0x02).equal(b'>');
        // The quotes differ in two bits; ignoring both would match "#" and "&" as well.
        let quotes = block.equal(b'"').or(block.equal(b'\''));
        brackets.or(quotes)
    }
}
