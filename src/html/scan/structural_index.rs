//! The bytes that begin and end tags and values.

use crate::find::{Block, ByteSet, Places};

/// Goes from one `<`, `>`, `"` or `'` to the next.
pub(super) type Structure<'t> = Places<'t, Structural>;

/// `<`, `>`, `"` and `'`.
pub(super) struct Structural;

impl ByteSet for Structural {
    #[inline]
    fn among(block: Block) -> Block {
        // "<" and ">" differ in one bit.
        let brackets = block.with(0x02).equal(b'>');
        let quotes = block.equal(b'"').or(block.equal(b'\''));
        brackets.or(quotes)
    }
}
