//! What is read: as much of it as is looked at, and the rest kept aside.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::StreamError;

/// A document that is being read. What is looked at is in `buffer`; what was let go, in the spool.
pub(super) struct Spool<R, S, M> {
    reader: R,
    buffer: Vec<u8>,
    /// Where in it begins what was not let go.
    start: usize,
    is_over: bool,
    /// Of how many bytes it was said that nobody looks at them any more.
    released: u64,
    make_spool: Option<M>,
    /// Once it was made, whether it still works.
    spool: Option<io::Result<S>>,
}

impl<R, S, M> Spool<R, S, M>
where
    R: Read,
    S: Read + Write + Seek,
    M: FnOnce() -> io::Result<S>,
{
    pub(super) fn new(reader: R, make_spool: M) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            is_over: false,
            released: 0,
            make_spool: Some(make_spool),
            spool: None,
        }
    }

    /// What was read and not let go.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Whether nothing follows.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn released(&self) -> u64 {
        self.released
    }

    /// Reads on, until `length` bytes are there or the input is over.
    pub(super) fn fill(&mut self, length: usize) -> Result<(), StreamError> {
        let wanted = length.saturating_sub(self.bytes().len());
        if wanted == 0 || self.is_over {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        self.buffer.reserve_exact(wanted);
        let mut part = (&mut self.reader).take(wanted as u64);
        let read = part.read_to_end(&mut self.buffer);
        let read = read.map_err(StreamError::Read)?;
        self.is_over = read < wanted;
        Ok(())
    }

    /// Makes the spool; whether there is one.
    pub(super) fn makes_spool(&mut self) -> bool {
        if let Some(make) = self.make_spool.take() {
            self.spool = Some(make());
        }
        matches!(self.spool, Some(Ok(_)))
    }

    /// Lets go of the first `length` bytes. That they could not be kept aside matters only if they are needed.
    pub(super) fn release(&mut self, length: usize) {
        if let Some(Ok(spool)) = &mut self.spool
            && let Err(error) = spool.write_all(&self.buffer[self.start..self.start + length])
        {
            self.spool = Some(Err(error));
        }
        self.start += length;
        self.released += length as u64;
    }

    /// The whole document.
    pub(super) fn all(self) -> Result<Vec<u8>, StreamError> {
        let Self {
            mut reader,
            mut buffer,
            start,
            is_over,
            released,
            spool,
            ..
        } = self;
        buffer.drain(..start);
        let mut bytes = Vec::new();
        match spool {
            Some(spool) if released > 0 => {
                let mut spool = spool.map_err(StreamError::Spool)?;
                let read = spool
                    .seek(SeekFrom::Start(0))
                    .and_then(|_| spool.read_to_end(&mut bytes))
                    .map_err(StreamError::Spool)?;
                if read as u64 != released {
                    return Err(StreamError::Spool(io::ErrorKind::UnexpectedEof.into()));
                }
                bytes.append(&mut buffer);
            }
            _ => bytes = buffer,
        }
        if !is_over {
            let read = reader.read_to_end(&mut bytes);
            read.map_err(StreamError::Read)?;
        }
        Ok(bytes)
    }
}
