//! The stored bytes of an archive, retained from the beginning of the current record, and the decompression of
//! members.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Size of the read buffer in bytes.
const BUFFER: usize = 64 * 1024;

/// A buffered source that retains the bytes it was asked to consume.
#[derive(Debug)]
pub(super) struct Stored<R> {
    inner: io::BufReader<R>,
    /// The number of bytes consumed so far, which is the offset of the next byte in the archive.
    pub(super) offset: u64,
    /// The bytes consumed since the record began, except those that were written or dropped already.
    pub(super) retained: Vec<u8>,
    /// The maximum length of `retained`. More stored bytes cannot belong to one readable record.
    pub(super) max_retained: usize,
}

impl<R: Read> Stored<R> {
    pub(super) fn new(inner: R, max_retained: usize) -> Self {
        Self {
            inner: io::BufReader::with_capacity(BUFFER, inner),
            offset: 0,
            retained: Vec::new(),
            max_retained,
        }
    }
}

impl<R: Read> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.inner.buffer().is_empty() {
            // A gzip member can be endless and decompress to nothing, so this limit is needed in addition to that of
            // the block.
            if self.retained.len() > self.max_retained {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            while let Err(error) = self.inner.fill_buf() {
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
        Ok(self.inner.buffer())
    }

    fn consume(&mut self, amount: usize) {
        let buffer = self.inner.buffer();
        let amount = amount.min(buffer.len());
        self.retained.extend_from_slice(&buffer[..amount]);
        self.inner.consume(amount);
        self.offset += amount as u64;
    }
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// The bytes of records: plain, or the decompressed content of the current gzip member.
#[derive(Debug)]
pub(super) enum Bytes<R> {
    Plain(Stored<R>),
    Member(Box<io::BufReader<GzDecoder<Stored<R>>>>),
}

impl<R: Read> Bytes<R> {
    /// Opens the gzip member that begins at the current position of `stored`.
    pub(super) fn member(stored: Stored<R>) -> Self {
        // `GzDecoder` of `bufread` stops at the end of the member and consumes no byte after it, so the next member
        // begins where `stored` is then.
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
