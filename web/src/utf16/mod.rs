//! Encodes UTF-16 in UTF-8. `encoding_rs` does not use vectors here, and is optimized for size.

mod sizes;
#[cfg(target_arch = "wasm32")]
mod vectors;

/// Lints run on other targets, whose vectors are different.
#[cfg(not(target_arch = "wasm32"))]
mod vectors {
    pub(super) fn encode_ascii(_: &[u16], _: &mut [u8]) -> usize {
        0
    }

    pub(super) fn encode_block(_: &[u16; super::sizes::BLOCK], _: &mut [u8]) -> Option<usize> {
        None
    }
}

use sizes::{BLOCK, VECTOR};

/// Returns the number of bytes that [`encode`] needs for a number of code units.
///
/// A code unit has at most three bytes in UTF-8. Vectors are written whole, and the next ones overwrite their rest.
pub(crate) fn room_for(units: usize) -> usize {
    units * 3 + VECTOR
}

/// Encodes `units` in UTF-8 and returns the length. U+FFFD replaces lone surrogates.
///
/// Calls `run` for each part: whether it is ASCII, and its length in bytes and in code units. `output` must have the
/// length of [`room_for`].
pub(crate) fn encode(
    units: &[u16],
    output: &mut [u8],
    mut run: impl FnMut(bool, usize, usize),
) -> usize {
    let mut written = 0;
    let mut rest = units;
    while !rest.is_empty() {
        let length = vectors::encode_ascii(rest, &mut output[written..]);
        run(true, length, length);
        written += length;
        let (block, after) = split_block(&rest[length..]);
        let length = encode_block(block, &mut output[written..]);
        run(length == block.len(), length, block.len());
        written += length;
        rest = after;
    }
    written
}

/// Splits `units` after the first block, which does not end between the halves of a pair.
fn split_block(units: &[u16]) -> (&[u16], &[u16]) {
    let is_half = |index: usize, first| units.get(index).is_some_and(|unit| unit & 0xFC00 == first);
    let splits_pair = is_half(BLOCK - 1, 0xD800) && is_half(BLOCK, 0xDC00);
    units.split_at(units.len().min(BLOCK + usize::from(splits_pair)))
}

/// Encodes a block of any characters, and returns the length.
fn encode_block(block: &[u16], output: &mut [u8]) -> usize {
    let whole = block.try_into().ok();
    if let Some(written) = whole.and_then(|block| vectors::encode_block(block, output)) {
        return written;
    }
    let mut written = 0;
    for character in char::decode_utf16(block.iter().copied()) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        written += character.encode_utf8(&mut output[written..]).len();
    }
    written
}
