//! The message digest MD5, which HTTrack uses to distinguish files whose URLs differ in the query.
//!
//! Hand-written rather than taken from the `md-5` crate: it identifies files and protects nothing, and the input is a
//! short query.
//!
//! Source: RFC 1321.

/// Returns the digest of `message` as HTTrack writes it: hexadecimal, in lower case.
pub(super) fn hex(message: &[u8]) -> String {
    digest(message)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}

/// The rotations of each round (section 3.4).
const ROTATIONS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// Returns the digest of `message` (section 3).
fn digest(message: &[u8]) -> [u8; 16] {
    // Steps 1 and 2: append a set bit, zeros, and the length in bits.
    let mut padded = message.to_owned();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    // The length is defined modulo 2^64.
    let bits = (message.len() as u64).wrapping_mul(8);
    padded.extend_from_slice(&bits.to_le_bytes());

    // Step 3: initialize the state.
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    // Step 4: process each block of 16 words.
    for block in padded.chunks_exact(64) {
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        let [mut a, mut b, mut c, mut d] = state;
        for step in 0..64 {
            let (mixed, word) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (b & d | c & !d, (5 * step + 1) % 16),
                2 => (b ^ c ^ d, (3 * step + 5) % 16),
                _ => (c ^ (b | !d), 7 * step % 16),
            };
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(words[word])
                .wrapping_add(sine(step));
            let rotated = sum.rotate_left(ROTATIONS[step / 16][step % 4]);
            (a, b, c, d) = (d, b.wrapping_add(rotated), b, c);
        }
        for (part, new) in state.iter_mut().zip([a, b, c, d]) {
            *part = part.wrapping_add(new);
        }
    }
    // Step 5: output the state in little-endian order.
    let mut digest = [0; 16];
    for (bytes, part) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&part.to_le_bytes());
    }
    digest
}

/// Returns an element of the table T (section 3.4): 2^32 times the absolute sine of the step, counted from one, in
/// radians.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "below 2^32, not negative, and at most 64"
)]
fn sine(step: usize) -> u32 {
    (4_294_967_296.0 * ((step + 1) as f64).sin().abs()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_passes_the_test_suite_of_the_rfc() {
        for (message, expected) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "abcdefghijklmnopqrstuvwxyz",
                "c3fcd3d76192e4007dfb496cca67e13b",
            ),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f",
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a",
            ),
        ] {
            assert_eq!(hex(message.as_bytes()), expected, "{message:?}");
        }
    }
}
