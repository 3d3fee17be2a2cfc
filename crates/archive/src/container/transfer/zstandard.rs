//! The coding `zstd` (RFC 8878): frames, between which there may be skippable frames.
//!
//! The crate reads one frame. This module adds what a body or an archive needs: the checksum is compared, the end of
//! the input within a frame is told from other damage, and skippable frames are recognized.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress};

use super::DecodedBody;
use crate::container::error::ContainerErrorKind;

/// The first bytes of a frame (RFC 8878 section 3.1.1).
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Length in bytes of the header of a skippable frame: signature and length of the content.
pub(in crate::container) const SKIPPABLE_HEADER_LEN: usize = 8;

/// The last digit of the signature of the skippable frame that contains the dictionary of a WARC archive.
pub(in crate::container) const DICTIONARY: u8 = 0xD;

/// The largest window of a body, in bytes (RFC 9659).
const MAX_BODY_WINDOW: u64 = 8 << 20;

/// The maximum length of a dictionary that is stored compressed, in bytes.
const MAX_DICTIONARY: usize = 16 << 20;

/// Returns whether `bytes` begin with a frame, skippable or not.
pub(in crate::container) fn begins_frame(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || skippable_frame(bytes).is_some()
}

/// Returns the last digit of the signature of the skippable frame at the beginning of `bytes`, and the length of its
/// content in bytes. Returns `None` if there is none.
///
/// # Source
/// RFC 8878 section 3.1.2: the signatures are `0x184D2A50` to `0x184D2A5F`; numbers are little-endian.
pub(in crate::container) fn skippable_frame(bytes: &[u8]) -> Option<(u8, u32)> {
    match *bytes {
        [first @ 0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, ..] => {
            Some((first & 0x0F, u32::from_le_bytes([a, b, c, d])))
        }
        _ => None,
    }
}

/// A decoder of any number of frames, one after another.
pub(in crate::container) struct FrameDecoding {
    // Boxed, because it is large.
    decoder: Box<FrameDecoder>,
    /// The identifier of the dictionary, if there is one.
    dictionary: Option<u32>,
    /// Whether the header of the current frame was read.
    is_begun: bool,
}

impl fmt::Debug for FrameDecoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FrameDecoding")
            .field("dictionary", &self.dictionary)
            .finish_non_exhaustive()
    }
}

impl FrameDecoding {
    /// Creates a decoder without dictionary. It accepts windows of up to 128 MiB.
    pub(in crate::container) fn new() -> Self {
        Self {
            decoder: Box::new(FrameDecoder::new()),
            dictionary: None,
            is_begun: false,
        }
    }

    /// Creates a decoder with the dictionary `stored`, which may be compressed.
    ///
    /// # Errors
    /// [`ContainerErrorKind::BadCompression`]: it is not a dictionary.
    pub(in crate::container) fn with_dictionary(stored: &[u8]) -> Result<Self, ContainerErrorKind> {
        let decoded;
        let raw = if stored.starts_with(&MAGIC) {
            decoded = decode(stored, MAX_DICTIONARY);
            if let Some(error) = decoded.error {
                return Err(error.kind);
            }
            &decoded.bytes
        } else {
            stored
        };
        let mut decoding = Self::new();
        let dictionary =
            Dictionary::decode_dict(raw).map_err(|_| ContainerErrorKind::BadCompression)?;
        decoding.dictionary = Some(dictionary.id);
        let added = decoding.decoder.add_dict(dictionary);
        added.map_err(|_| ContainerErrorKind::BadCompression)?;
        Ok(decoding)
    }

    /// Prepares for the next frame.
    pub(in crate::container) fn begin(&mut self) {
        self.is_begun = false;
    }

    /// Reads the header of a frame.
    fn read_header(&mut self, source: &mut impl Read) -> Result<(), FrameDecoderError> {
        self.decoder.reset(source)?;
        self.is_begun = true;
        // A frame need not name its dictionary. One that was made without it does not refer to it either.
        match self.dictionary {
            Some(id) => self.decoder.force_dict(id),
            None => Ok(()),
        }
    }

    /// Reads bytes of the frame in `source`, and no byte after it.
    ///
    /// # Errors
    /// `UnexpectedEof` if the source ends within the frame, `InvalidData` for other damage, and the errors of the
    /// source.
    pub(in crate::container) fn read(
        &mut self,
        source: &mut impl Read,
        buffer: &mut [u8],
    ) -> io::Result<usize> {
        if !self.is_begun {
            self.read_header(source).map_err(|error| io_error(&error))?;
        }
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                return if self.checksum_matches() {
                    Ok(0)
                } else {
                    Err(io::ErrorKind::InvalidData.into())
                };
            }
            self.decoder
                .decode_blocks(&mut *source, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(|error| io_error(&error))?;
        }
    }

    /// Returns whether the checksum of the frame, if it has one, is that of its content.
    fn checksum_matches(&self) -> bool {
        let expected = self.decoder.get_checksum_from_data();
        expected.is_none() || expected == self.decoder.get_calculated_checksum()
    }
}

/// The content of one frame.
struct FrameReader<'f, 's>(&'f mut FrameDecoding, &'f mut &'s [u8]);

impl Read for FrameReader<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(self.1, buffer)
    }
}

/// Returns the error of the source that caused `error`, or else `InvalidData`.
fn io_error(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind().into();
        }
        cause = error.source();
    }
    io::ErrorKind::InvalidData.into()
}

/// Decodes all frames at the beginning of `source`. `limit` is the maximum decoded length in bytes.
pub(super) fn decode(source: &[u8], limit: usize) -> DecodedBody {
    let mut all = DecodedBody::default();
    let mut rest = source;
    let mut decoding = FrameDecoding::new();
    decoding.decoder.set_max_window_size(MAX_BODY_WINDOW);
    loop {
        if let Some((_, length)) = skippable_frame(rest) {
            let content = &rest[SKIPPABLE_HEADER_LEN..];
            let Some(after) = content.get(length as usize..) else {
                all.error = Some(ContainerErrorKind::Truncated.at(0));
                return all;
            };
            rest = after;
        } else if rest.starts_with(&MAGIC) {
            decoding.begin();
            let frame = FrameReader(&mut decoding, &mut rest);
            let decoded = DecodedBody::read_to_limit(frame, limit - all.bytes.len());
            all.bytes.extend_from_slice(&decoded.bytes);
            if decoded.error.is_some() {
                all.error = decoded.error;
                return all;
            }
        } else {
            let is_cut_off = rest.len() == source.len() && MAGIC.starts_with(rest);
            if is_cut_off {
                all.error = Some(ContainerErrorKind::Truncated.at(0));
            } else {
                all.trailing_len = rest.len();
            }
            return all;
        }
    }
}

/// Encodes `source` as one frame with a checksum, without dictionary, and appends it to `encoded`.
pub(super) fn encode(source: impl Read, encoded: &mut Vec<u8>) {
    compress(source, encoded, CompressionLevel::Fastest);
}
