//! Encoding with the vectors of WebAssembly.

use core::arch::wasm32::{
    i8x16_swizzle, i32x4_bitmask, i32x4_lt, u8x16, u8x16_narrow_i16x8, u16x8, u16x8_eq,
    u16x8_splat, u32x4_extend_high_u16x8, u32x4_extend_low_u16x8, u32x4_shl, u32x4_shr,
    u32x4_splat, u64x2_extract_lane, v128, v128_and, v128_any_true, v128_or,
};

use super::sizes::{BLOCK, VECTOR};

/// Encodes the first blocks, as long as they are ASCII, and returns the length.
pub(super) fn encode_ascii(units: &[u16], output: &mut [u8]) -> usize {
    let blocks = units.as_chunks().0.iter();
    let mut count = 0;
    for (block, bytes) in blocks.zip(output.as_chunks_mut().0) {
        let (low, high) = vectors(block);
        if v128_any_true(v128_and(v128_or(low, high), u16x8_splat(0xFF80))) {
            break;
        }
        store(u8x16_narrow_i16x8(low, high), bytes);
        count += 1;
    }
    count * BLOCK
}

/// Encodes a block of any characters, and returns the length, or `None` if it has surrogates.
pub(super) fn encode_block(block: &[u16; BLOCK], output: &mut [u8]) -> Option<usize> {
    let (low, high) = vectors(block);
    if has_surrogates(low) || has_surrogates(high) {
        return None;
    }
    let fours = [
        u32x4_extend_low_u16x8(low),
        u32x4_extend_high_u16x8(low),
        u32x4_extend_low_u16x8(high),
        u32x4_extend_high_u16x8(high),
    ];
    let mut written = 0;
    for four in fours {
        written += encode_four(four, &mut output[written..]);
    }
    Some(written)
}

/// Encodes four characters that have a code unit each, and returns the length.
///
/// There are no branches, whose directions would be hard to predict in most languages.
fn encode_four(units: v128, output: &mut [u8]) -> usize {
    let low_six = |value| v128_and(value, u32x4_splat(0x3F));
    let is_short = i32x4_lt(units, u32x4_splat(0x800));
    let is_ascii = i32x4_lt(units, u32x4_splat(0x80));
    // Three bytes; the last two of them, but for a bit, if the character has two; and a fourth one, which is ASCII.
    let parts = [
        u32x4_splat(0x0080_80E0),
        u32x4_shr(units, 12),
        u32x4_shl(low_six(u32x4_shr(units, 6)), 8),
        u32x4_shl(low_six(units), 16),
        v128_and(is_short, u32x4_splat(0x4000)),
        u32x4_shl(units, 24),
    ];
    let [a, b, c, d, e, f] = parts;
    let bytes = v128_or(v128_or(v128_or(a, b), v128_or(c, d)), v128_or(e, f));
    let lengths = i32x4_bitmask(is_ascii) | (i32x4_bitmask(is_short) << 4);
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = SELECTED[usize::from(lengths)];
    let selected = u8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    if let Some(output) = output.first_chunk_mut() {
        store(i8x16_swizzle(bytes, selected), output);
    }
    // Each character has three bytes, and one less for each bit.
    12 - lengths.count_ones() as usize
}

/// The indices of the bytes of four characters that [`encode_four`] writes. Bits of the index of an entry: whether each
/// is ASCII, and whether it is below U+0800.
static SELECTED: [[u8; VECTOR]; 256] = {
    let mut table = [[0; VECTOR]; 256];
    let mut lengths = 0;
    while lengths < table.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < 4 {
            let (mut byte, end) = match (lengths >> lane & 1, lengths >> (lane + 4) & 1) {
                (1, _) => (3, 4),
                (_, 1) => (1, 3),
                _ => (0, 3),
            };
            while byte < end {
                table[lengths][count] = lane * 4 + byte;
                byte += 1;
                count += 1;
            }
            lane += 1;
        }
        lengths += 1;
    }
    table
};

/// Returns whether one of eight code units is half of a pair.
fn has_surrogates(units: v128) -> bool {
    let first_bits = v128_and(units, u16x8_splat(0xF800));
    v128_any_true(u16x8_eq(first_bits, u16x8_splat(0xD800)))
}

/// Returns a block as two vectors. The compiler loads each at once.
fn vectors(block: &[u16; BLOCK]) -> (v128, v128) {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *block;
    (u16x8(a, b, c, d, e, f, g, h), u16x8(i, j, k, l, m, n, o, p))
}

/// Writes a vector. The compiler stores it at once.
fn store(vector: v128, bytes: &mut [u8; VECTOR]) {
    let low = u64x2_extract_lane::<0>(vector).to_le_bytes();
    let high = u64x2_extract_lane::<1>(vector).to_le_bytes();
    bytes[..8].copy_from_slice(&low);
    bytes[8..].copy_from_slice(&high);
}
