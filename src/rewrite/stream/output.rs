//! What is written: not before it is known that it says nothing of another encoding.

use std::io::{self, Write};

use encoding_rs::Encoding;

use super::windows::StreamFallback;
use super::{BufferedReason, StreamError};
use crate::html::encoding::{LONGEST_PREFIX, detect_from_prefix};

/// Where a document goes that is rewritten in windows.
pub(super) struct HeldOutput<W> {
    to: W,
    written: u64,
    /// What is not written yet, because it might say of itself that it is in another encoding.
    beginning: Option<Vec<u8>>,
}

impl<W: Write> HeldOutput<W> {
    pub(super) fn new(to: W) -> Self {
        Self {
            to,
            written: 0,
            beginning: Some(Vec::new()),
        }
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Adds to a document in `encoding`, of which the transport says that it is in `transport`.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        encoding: &'static Encoding,
        transport: Option<&'static Encoding>,
    ) -> Result<(), StreamFallback> {
        let Some(beginning) = &mut self.beginning else {
            return Ok(self.write(bytes)?);
        };
        beginning.extend_from_slice(bytes);
        if beginning.len() < LONGEST_PREFIX {
            return Ok(());
        }
        self.end(encoding, transport)
    }

    /// Nothing that follows changes what the beginning says.
    pub(super) fn end(
        &mut self,
        encoding: &'static Encoding,
        transport: Option<&'static Encoding>,
    ) -> Result<(), StreamFallback> {
        let Some(beginning) = self.beginning.take() else {
            return Ok(());
        };
        let known = detect_from_prefix(&beginning, transport);
        if known.is_none_or(|known| known.encoding != encoding) {
            return Err(BufferedReason::Encoding.into());
        }
        Ok(self.write(&beginning)?)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let written = self.to.write_all(bytes);
        written.map_err(StreamError::Write)?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes of the whole document what was not written yet.
    pub(super) fn go_on_with(&mut self, whole: &[u8]) -> Result<(), StreamError> {
        let written = usize::try_from(self.written).unwrap_or(usize::MAX);
        self.write(whole.get(written..).unwrap_or_default())
    }

    pub(super) fn flush(&mut self) -> Result<(), StreamError> {
        self.to.flush().map_err(StreamError::Write)
    }
}

/// Compares what is written with what is expected.
pub(super) struct Compared<'e> {
    /// What is expected next.
    expected: &'e [u8],
    is_same: bool,
}

impl<'e> Compared<'e> {
    pub(super) fn with(expected: &'e [u8]) -> Self {
        Self {
            expected,
            is_same: true,
        }
    }

    /// Whether all that was written is what was expected.
    pub(super) fn is_same(&self) -> bool {
        self.is_same
    }
}

impl Write for Compared<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.expected.strip_prefix(bytes) {
            Some(rest) => self.expected = rest,
            None => self.is_same = false,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
