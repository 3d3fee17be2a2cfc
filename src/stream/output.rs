//! The output of a stream: holds back its beginning until it is known not to change the detected encoding.
//!
//! A rewritten link may contain `charset=`, and the encoding detection of HTML may then find another encoding than
//! before. It examines the first [`DETECTION_PREFIX`] bytes only, so later output needs no check.

use std::io::{self, Write};

use encoding_rs::Encoding;

use super::report::{BufferedReason, StreamError, StreamFallback};
use crate::html::encoding::{DETECTION_PREFIX, detect_from_prefix};

/// A writer that holds back the beginning of a document until its encoding is verified.
pub(super) struct HeldOutput<W> {
    writer: W,
    /// Number of bytes written to `writer`, without those held back.
    written: u64,
    /// The beginning of the document; `None` once it is verified and written.
    held: Option<Vec<u8>>,
}

impl<W: Write> HeldOutput<W> {
    pub(super) fn new(writer: W) -> Self {
        Self {
            writer,
            written: 0,
            held: Some(Vec::new()),
        }
    }

    /// Returns the number of bytes written, without those held back.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Appends `bytes` to the document, which must be detected in `encoding`.
    ///
    /// `transport` is the encoding that the transport declares.
    ///
    /// # Errors
    /// As for [`end`](Self::end), or the bytes cannot be written.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        encoding: &'static Encoding,
        transport: Option<&'static Encoding>,
    ) -> Result<(), StreamFallback> {
        let Some(held) = &mut self.held else {
            return Ok(self.write(bytes)?);
        };
        held.extend_from_slice(bytes);
        // With fewer bytes, detection could still change its result.
        if held.len() < DETECTION_PREFIX {
            return Ok(());
        }
        self.end(encoding, transport)
    }

    /// Verifies the bytes held back and writes them, unless that was done before.
    ///
    /// Must be called when the document ends. [`add`](Self::add) calls it as soon as enough bytes are held back.
    ///
    /// # Errors
    /// Returns [`BufferedReason::Encoding`] if the bytes are detected in another encoding. Nothing is written then, so
    /// any other output can still follow.
    pub(super) fn end(
        &mut self,
        encoding: &'static Encoding,
        transport: Option<&'static Encoding>,
    ) -> Result<(), StreamFallback> {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        // The transport is considered, because it takes precedence over a declaration in the document.
        let detected = detect_from_prefix(&held, transport);
        if detected.is_none_or(|detected| detected.encoding != encoding) {
            return Err(BufferedReason::Encoding.into());
        }
        Ok(self.write(&held)?)
    }

    /// Writes `bytes`, and holds nothing back from now on.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let result = self.writer.write_all(bytes);
        result.map_err(StreamError::Write)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes the part of the document `whole` that is not written yet.
    pub(super) fn write_rest_of(&mut self, whole: &[u8]) -> Result<(), StreamError> {
        // Neither default applies: `whole` begins with the bytes that were written, so it is at least as long.
        let written = usize::try_from(self.written).unwrap_or(usize::MAX);
        self.write(whole.get(written..).unwrap_or_default())
    }

    pub(super) fn flush(&mut self) -> Result<(), StreamError> {
        self.writer.flush().map_err(StreamError::Write)
    }
}

/// A writer that compares its input with the expected bytes and discards it.
pub(super) struct ComparingWriter<'e> {
    /// The expected bytes that were not written yet; `None` after a difference.
    expected: Option<&'e [u8]>,
}

impl<'e> ComparingWriter<'e> {
    pub(super) fn new(expected: &'e [u8]) -> Self {
        Self {
            expected: Some(expected),
        }
    }

    /// Returns whether all bytes that were written are the expected ones. Further bytes may be expected.
    pub(super) fn is_equal(&self) -> bool {
        self.expected.is_some()
    }
}

impl Write for ComparingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let expected = self.expected;
        self.expected = expected.and_then(|expected| expected.strip_prefix(bytes));
        // Not an error on a difference: that would end the replay as a failure to write.
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
