//! The bytes of an archive as they are stored, kept from the beginning of the current record on.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

const BUFFER: usize = 64 * 1024;

/// Bytes as they are stored.
#[derive(Debug)]
pub(super) struct Stored<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many bytes were consumed.
    pub(super) offset: u64,
    /// What was consumed since the record began, unless it was written or dropped already.
    pub(super) kept: Vec<u8>,
    /// How many bytes are kept at most: what stands behind that is no record that is read.
    most: usize,
}

impl<R: Read> Stored<R> {
    pub(super) fn new(inner: R, most: usize) -> Self {
        Self {
            inner,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            offset: 0,
            kept: Vec::new(),
            most,
        }
    }

    pub(super) fn keep_at_most(&mut self, most: usize) {
        self.most = most;
    }
}

impl<R: Read> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            // A gzip member can go on and on without a byte in it.
            if self.kept.len() > self.most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            (self.start, self.end) = (0, 0);
            self.end = loop {
                match self.inner.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    result => break result?,
                }
            };
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, amount: usize) {
        let amount = amount.min(self.end - self.start);
        let consumed = &self.buffer[self.start..self.start + amount];
        self.kept.extend_from_slice(consumed);
        self.start += amount;
        self.offset += amount as u64;
    }
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let read = available.len().min(buffer.len());
        buffer[..read].copy_from_slice(&available[..read]);
        self.consume(read);
        Ok(read)
    }
}

/// The bytes of records: stored as they are, or the inside of the current gzip member.
#[derive(Debug)]
pub(super) enum Bytes<R> {
    Plain(Stored<R>),
    Member(Box<io::BufReader<GzDecoder<Stored<R>>>>),
}

impl<R: Read> Bytes<R> {
    /// The inside of the gzip member that begins here.
    pub(super) fn member(stored: Stored<R>) -> Self {
        Self::Member(Box::new(io::BufReader::new(GzDecoder::new(stored))))
    }

    pub(super) fn stored(&self) -> &Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => reader.get_ref().get_ref(),
        }
    }

    pub(super) fn stored_mut(&mut self) -> &mut Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => reader.get_mut().get_mut(),
        }
    }

    pub(super) fn into_stored(self) -> Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => reader.into_inner().into_inner(),
        }
    }
}

impl<R: Read> Read for Bytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stored) => stored.read(buffer),
            Self::Member(reader) => reader.read(buffer),
        }
    }
}

impl<R: Read> BufRead for Bytes<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Plain(stored) => stored.fill_buf(),
            Self::Member(reader) => reader.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self {
            Self::Plain(stored) => stored.consume(amount),
            Self::Member(reader) => reader.consume(amount),
        }
    }
}
