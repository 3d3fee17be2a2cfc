//! The input of a stream: a buffer of the bytes in use, and a spool of the bytes released before them.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::report::StreamError;

/// The input of a stream.
///
/// Invariant: the released bytes, which are in the spool, then the buffer from `start` on, then the unread bytes of
/// `reader` are the whole document.
pub(super) struct SpooledInput<'m, R, S> {
    reader: R,
    buffer: Vec<u8>,
    /// Offset in `buffer` of the first byte that is not released.
    start: usize,
    /// Whether `reader` is exhausted.
    is_over: bool,
    /// Number of bytes released so far.
    released: u64,
    /// Creates the spool; `None` once it was called.
    make_spool: Option<Box<dyn FnOnce() -> io::Result<S> + 'm>>,
    /// The spool, or the first error in creating or writing it; `None` before it is created.
    spool: Option<io::Result<S>>,
}

impl<'m, R: Read, S: Read + Write + Seek> SpooledInput<'m, R, S> {
    pub(super) fn new(reader: R, make_spool: impl FnOnce() -> io::Result<S> + 'm) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            is_over: false,
            released: 0,
            make_spool: Some(Box::new(make_spool)),
            spool: None,
        }
    }

    /// Returns the bytes that were read and are not released.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Returns whether the end of the document is in the buffer.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the number of bytes released so far.
    pub(super) fn released(&self) -> u64 {
        self.released
    }

    /// Reads until the buffer has `length` bytes that are not released, or the document ends.
    ///
    /// The number does not depend on how the reader delivers the bytes. A replay relies on that.
    pub(super) fn fill(&mut self, length: usize) -> Result<(), StreamError> {
        let wanted = length.saturating_sub(self.bytes().len());
        if wanted == 0 || self.is_over {
            return Ok(());
        }
        // Moves only what is not released: at most the rest of one chunk.
        self.buffer.drain(..self.start);
        self.start = 0;
        // Not `reserve`, which may double the capacity: memory is what streaming is meant to save.
        self.buffer.reserve_exact(wanted);
        let mut limited = (&mut self.reader).take(wanted as u64);
        let read = limited.read_to_end(&mut self.buffer);
        let read = read.map_err(StreamError::Read)?;
        // `read_to_end` returns less than the limit at the end of the input only.
        self.is_over = read < wanted;
        Ok(())
    }

    /// Creates the spool and returns whether that succeeded.
    pub(super) fn create_spool(&mut self) -> bool {
        if let Some(make) = self.make_spool.take() {
            self.spool = Some(make());
        }
        matches!(self.spool, Some(Ok(_)))
    }

    /// Releases the first `length` bytes of the buffer to the spool.
    ///
    /// An error in writing the spool is kept until the spool is read back, which most documents never need.
    pub(super) fn release(&mut self, length: usize) {
        if let Some(Ok(spool)) = &mut self.spool
            && let Err(error) = spool.write_all(&self.buffer[self.start..self.start + length])
        {
            self.spool = Some(Err(error));
        }
        self.start += length;
        self.released += length as u64;
    }

    /// Returns a reader of the released bytes, from the first on, and their number.
    pub(super) fn rewound(&mut self) -> Result<(impl Read, u64), StreamError> {
        if let Some(Err(_)) = &self.spool
            && let Some(Err(error)) = self.spool.take()
        {
            return Err(StreamError::Spool(error));
        }
        let Some(Ok(spool)) = &mut self.spool else {
            return Err(StreamError::Spool(io::ErrorKind::NotFound.into()));
        };
        let rewound = spool.seek(SeekFrom::Start(0));
        rewound.map_err(StreamError::Spool)?;
        Ok((spool.take(self.released), self.released))
    }

    /// Returns the whole document, reading back the spool and reading the rest of the input.
    pub(super) fn into_bytes(mut self) -> Result<Vec<u8>, StreamError> {
        self.buffer.drain(..self.start);
        let mut bytes = Vec::new();
        match self.spool {
            Some(spool) if self.released > 0 => {
                let mut spool = spool.map_err(StreamError::Spool)?;
                let read = spool
                    .seek(SeekFrom::Start(0))
                    .and_then(|_| spool.read_to_end(&mut bytes))
                    .map_err(StreamError::Spool)?;
                // The spool is the caller's and may not return what was written to it.
                if read as u64 != self.released {
                    return Err(StreamError::Spool(io::ErrorKind::UnexpectedEof.into()));
                }
                bytes.append(&mut self.buffer);
            }
            // Nothing was released: the buffer is the beginning of the document and needs no copy.
            _ => bytes = self.buffer,
        }
        if !self.is_over {
            let read = self.reader.read_to_end(&mut bytes);
            read.map_err(StreamError::Read)?;
        }
        Ok(bytes)
    }
}
