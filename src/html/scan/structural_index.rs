//! The bytes that begin and end tags and values.

use crate::find::{Block, ByteMatches, ByteSet};

/// Goes from one `<`, `>`, `"` or `'` to the next.
pub(super) type StructuralIndex<'t> = ByteMatches<'t, TagDelimiters>;

/// `<`, `>`, `"` and `'`.
pub(super) struct TagDelimiters;

impl ByteSet for TagDelimiters {
    #[inline]
    fn matches(block: Block) -> Block {
        // "<" and ">" differ in one bit.
        let brackets = block.set_bits(0x02).equal(b'>');
        let quotes = block.equal(b'"').or(block.equal(b'\''));
        brackets.or(quotes)
    }
}
