//! The coding `br` (RFC 7932).
//!
//! The crate's own readers report a body that is cut off as invalid and read past the end of the data, so the decoder
//! beneath them is driven here.

use std::io::{self, Read};

use brotli::enc::{BrotliEncoderParams, StandardAlloc};
use brotli::{BrotliCompress, BrotliDecompressStream, BrotliResult, BrotliState};

use super::DecodedBody;
use crate::container::error::ContainerErrorKind;

/// Size of the buffer for decoded bytes.
const BUFFER: usize = 32 * 1024;

/// The effort of compression, from 0 to 11. Servers use 4 to 6 for bodies that they compress on request.
const QUALITY: i32 = 5;

/// Decodes `source`. `limit` is the maximum decoded length in bytes.
pub(super) fn decode(source: &[u8], limit: usize) -> DecodedBody {
    let mut decoded = DecodedBody::default();
    // Strict: RFC 7932 limits the window to 16 MiB. The format with large windows is another one.
    let mut state = BrotliState::new_strict(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let mut buffer = vec![0; BUFFER];
    let (mut available_in, mut input_offset, mut total_out) = (source.len(), 0, 0);
    let kind = loop {
        let (mut available_out, mut output_offset) = (BUFFER, 0);
        let result = BrotliDecompressStream(
            &mut available_in,
            &mut input_offset,
            source,
            &mut available_out,
            &mut output_offset,
            &mut buffer,
            &mut total_out,
            &mut state,
        );
        let remaining = limit.saturating_sub(decoded.bytes.len());
        let read = &buffer[..output_offset];
        decoded
            .bytes
            .extend_from_slice(&read[..read.len().min(remaining)]);
        if read.len() > remaining {
            break ContainerErrorKind::BodyTooLong;
        }
        match result {
            BrotliResult::ResultSuccess => {
                decoded.trailing_len = available_in;
                return decoded;
            }
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::NeedsMoreInput => break ContainerErrorKind::Truncated,
            BrotliResult::ResultFailure => break ContainerErrorKind::BadCompression,
        }
    };
    decoded.error = Some(kind.at(0));
    decoded
}

/// Returns whether `bytes`, which look like text, are nevertheless in this coding: all of them decode.
///
/// The coding has no signature, and few bytes of a short body need be control characters.
pub(super) fn is_all_brotli(bytes: &[u8]) -> bool {
    /// More than text of a few hundred bytes decodes to.
    const LIMIT: usize = 1 << 20;
    /// More than each byte of a page decodes to.
    const RATIO: usize = 1 << 10;
    let decoded = decode(bytes, bytes.len().saturating_mul(RATIO).min(LIMIT));
    decoded.error.is_none() && decoded.trailing_len == 0
}

/// Encodes the `length` bytes of `source` and appends them to `encoded`. Returns how many it appended.
pub(super) fn encode(
    source: &mut impl Read,
    length: usize,
    encoded: &mut Vec<u8>,
) -> io::Result<usize> {
    let parameters = BrotliEncoderParams {
        quality: QUALITY,
        size_hint: length,
        ..BrotliEncoderParams::default()
    };
    BrotliCompress(source, encoded, &parameters)
}
