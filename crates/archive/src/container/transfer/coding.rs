//! The content codings of HTTP.

use std::io::{BufRead, Read};

use flate2::Compression;
use flate2::bufread::{DeflateDecoder, DeflateEncoder, GzEncoder, ZlibDecoder, ZlibEncoder};

use super::gzip::{self, GzipReader};
use super::{DecodedBody, brotli, zstandard};
use crate::container::error::ContainerErrorKind;

/// A content coding that can be decoded and encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// `gzip` (RFC 9110 section 8.4.1.3).
    Gzip,
    /// `deflate`: the zlib format (RFC 9110 section 8.4.1.2).
    Deflate,
    /// The compressed data without the zlib format around it, which some servers send as `deflate`.
    RawDeflate,
    /// `br` (RFC 7932).
    Brotli,
    /// `zstd` (RFC 8878), without a dictionary.
    Zstandard,
}

/// The names of the codings that can be decoded and encoded (RFC 9110 section 8.4.1).
const NAMES: [&str; 5] = ["gzip", "x-gzip", "deflate", "br", "zstd"];

/// Returns whether `name` is that of a coding that can be decoded and encoded.
pub(in crate::container) fn is_known(name: &str) -> bool {
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns whether the bytes look like text rather than compressed data: they begin without control characters other
/// than white space and ESC, which ISO-2022-JP uses.
pub(in crate::container) fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    !head
        .iter()
        .any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127))
}

impl Coding {
    /// Returns the coding that `name` denotes, or `None` if `bytes` are not in it or it is not supported.
    ///
    /// Clients store decoded bodies and keep the header fields, so the bytes decide.
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("gzip") || is("x-gzip") {
            return bytes.starts_with(&gzip::MAGIC).then_some(Self::Gzip);
        }
        if is("zstd") {
            return zstandard::begins_frame(bytes).then_some(Self::Zstandard);
        }
        if is("br") {
            // There is no signature, so everything that a client cannot have decoded is in this coding.
            let is_brotli = !looks_like_text(bytes) || brotli::is_all_brotli(bytes);
            return is_brotli.then_some(Self::Brotli);
        }
        if !is("deflate") {
            return None;
        }
        // RFC 1950 section 2.2: the method is 8, and the first two bytes, as a big-endian number, are a multiple of
        // 31.
        if let [first, second, ..] = *bytes
            && first & 0x0F == 8
            && (u16::from(first) * 256 + u16::from(second)).is_multiple_of(31)
        {
            return Some(Self::Deflate);
        }
        // Raw deflate has no signature, so the beginning is decoded as a trial. It fails for text that was already
        // decoded.
        let decoded = decode_coding(bytes, Self::RawDeflate, 1024);
        let is_deflate = !decoded.bytes.is_empty()
            && decoded
                .error
                .is_none_or(|error| error.kind == ContainerErrorKind::BodyTooLong);
        is_deflate.then_some(Self::RawDeflate)
    }
}

/// Decodes `source`. `limit` is the maximum decoded length in bytes. Concatenated gzip members, or Zstandard frames,
/// are one body.
#[must_use]
pub fn decode_coding(source: &[u8], coding: Coding, limit: usize) -> DecodedBody {
    match coding {
        Coding::Gzip => decode(GzipReader::new(source), limit, |members| members.rest),
        Coding::Deflate => decode(ZlibDecoder::new(source), limit, ZlibDecoder::into_inner),
        Coding::RawDeflate => decode(
            DeflateDecoder::new(source),
            limit,
            DeflateDecoder::into_inner,
        ),
        Coding::Brotli => brotli::decode(source, limit),
        Coding::Zstandard => zstandard::decode(source, limit),
    }
}

/// Reads from `decoder`, of which `rest` returns the bytes after the encoded data.
fn decode<'s, D: Read>(mut decoder: D, limit: usize, rest: fn(D) -> &'s [u8]) -> DecodedBody {
    let body = DecodedBody::read_to_limit(&mut decoder, limit);
    DecodedBody {
        trailing_len: body.error.map_or(rest(decoder).len(), |_| 0),
        ..body
    }
}

/// Encodes `bytes`. The result is deterministic: no modification time is written.
#[must_use]
pub fn encode_coding(bytes: &[u8], coding: Coding) -> Vec<u8> {
    encode_slices(bytes, bytes.len(), coding)
}

/// Encodes the bytes of `slices`, of which there are `length`. `slices` is a slice or a chain of slices.
pub(crate) fn encode_slices(mut slices: impl BufRead, length: usize, coding: Coding) -> Vec<u8> {
    // At the default level, zlib-rs compresses faster, and to a little more than zlib does.
    let level = Compression::new(7);
    let mut encoded = Vec::new();
    let result = match coding {
        Coding::Gzip => GzEncoder::new(slices, level).read_to_end(&mut encoded),
        Coding::Deflate => ZlibEncoder::new(slices, level).read_to_end(&mut encoded),
        Coding::RawDeflate => DeflateEncoder::new(slices, level).read_to_end(&mut encoded),
        Coding::Brotli => brotli::encode(&mut slices, length, &mut encoded),
        Coding::Zstandard => {
            zstandard::encode(slices, &mut encoded);
            Ok(0)
        }
    };
    result.expect("neither reading slices nor writing to memory fails");
    encoded
}
