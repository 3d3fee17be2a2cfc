//! The stored bytes of an archive, retained from the beginning of the current record, and the decompression of
//! members.

use std::io::{self, BufRead, Read, Seek};

use flate2::bufread::GzDecoder;

use crate::container::DecodeBudget;
use crate::container::transfer::Coding;
use crate::container::transfer::zstandard::{
    FrameDecoding, FrameReader, SKIPPABLE_HEADER_LEN, skippable_frame,
};

/// Returns the coding of the members of an archive whose first byte is `first`; `None` if it is not compressed.
pub(super) fn compression_of(first: u8) -> Option<Coding> {
    match first {
        // The version line of a record that is not compressed. A skippable frame may begin with this byte, too, but no
        // program writes such a frame first.
        b'W' => None,
        _ if begins_skippable_frame(first) => Some(Coding::Zstandard),
        _ => [Coding::Gzip, Coding::Zstandard]
            .into_iter()
            .find(|&coding| begins_member(first, coding)),
    }
}

/// Returns whether `first` may be the first byte of a member in `coding`.
pub(super) fn begins_member(first: u8, coding: Coding) -> bool {
    match coding {
        Coding::Zstandard => first == 0x28,
        _ => first == 0x1F,
    }
}

/// Returns whether a member in `coding` may begin with these bytes.
///
/// # Source
/// RFC 1952 section 2.3.1: signature, method 8, and flags of which the highest three are zero; RFC 8878 section 3.1.1.
pub(super) fn begins_member_header(header: [u8; 4], coding: Coding) -> bool {
    match (coding, header) {
        (Coding::Zstandard, header) => header == [0x28, 0xB5, 0x2F, 0xFD],
        (_, [0x1F, 0x8B, 8, flags]) => flags & 0xE0 == 0,
        _ => false,
    }
}

/// Returns whether `first` may be the first byte of a skippable frame of Zstandard.
pub(super) fn begins_skippable_frame(first: u8) -> bool {
    matches!(first, 0x50..=0x5F)
}

/// Size of the read buffer in bytes.
const BUFFER: usize = 64 * 1024;

/// A buffered source that retains the bytes it was asked to consume.
#[derive(Debug)]
pub(super) struct Stored<R> {
    inner: io::BufReader<R>,
    /// Bytes before those of `inner` that were consumed and are to be read again, from `again` on.
    returned: Vec<u8>,
    again: usize,
    /// The number of bytes consumed so far, which is the offset of the next byte in the archive.
    pub(super) offset: u64,
    /// The bytes consumed since the record began, except those that were written or dropped already.
    pub(super) retained: Vec<u8>,
    /// The maximum length of `retained`. More stored bytes cannot belong to one readable record.
    pub(super) max_retained: usize,
    /// The number of bytes that members, and the bodies in them, may still be decoded to.
    pub(super) decode_budget: DecodeBudget,
}

impl<R: Read> Stored<R> {
    pub(super) fn new(inner: R, max_retained: usize) -> Self {
        Self {
            inner: io::BufReader::with_capacity(BUFFER, inner),
            returned: Vec::new(),
            again: 0,
            offset: 0,
            retained: Vec::new(),
            max_retained,
            decode_budget: DecodeBudget::default(),
        }
    }

    /// Returns the next byte without consuming it, or `None` at the end.
    pub(super) fn first_byte(&mut self) -> io::Result<Option<u8>> {
        Ok(self.fill_buf()?.first().copied())
    }

    /// Returns the last `count` retained bytes, which are read again.
    ///
    /// # Complexity
    /// Constant if they were returned before and no other bytes were consumed since; otherwise linear in the number of
    /// bytes that are to be read again.
    pub(super) fn unread(&mut self, count: usize) {
        let kept = self.retained.len().saturating_sub(count);
        let count = self.retained.len() - kept;
        if count <= self.again {
            self.again -= count;
        } else {
            let rest = self.returned.split_off(self.again);
            self.returned = [&self.retained[kept..], &rest].concat();
            self.again = 0;
        }
        self.retained.truncate(kept);
        self.offset -= count as u64;
    }

    /// Consumes a skippable frame, and returns the last digit of its signature and its content. Returns `None` if the
    /// next bytes are no such frame.
    ///
    /// # Errors
    /// `UnexpectedEof` if the archive ends within the frame, and the errors of the source.
    pub(super) fn pass_skippable_frame(&mut self) -> io::Result<Option<(u8, &[u8])>> {
        let mut header = [0; SKIPPABLE_HEADER_LEN];
        self.read_exact(&mut header)?;
        let Some((digit, length)) = skippable_frame(&header) else {
            return Ok(None);
        };
        let start = self.retained.len();
        // Bytes that are consumed are retained.
        let copied = io::copy(&mut self.take(length.into()), &mut io::sink())?;
        if copied < length.into() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some((digit, &self.retained[start..])))
    }
}

impl<R: Read + Seek> Stored<R> {
    /// Continues at `offset` and retains nothing from before it.
    pub(super) fn seek(&mut self, offset: u64) -> io::Result<()> {
        let unread = self.returned.len() - self.again;
        let distance = i128::from(offset) - i128::from(self.offset) - unread as i128;
        self.returned.clear();
        self.again = 0;
        match i64::try_from(distance) {
            // Keeps the buffer if the offset is in it.
            Ok(distance) => self.inner.seek_relative(distance)?,
            Err(_) => return Err(io::ErrorKind::InvalidInput.into()),
        }
        self.offset = offset;
        self.retained.clear();
        Ok(())
    }
}

impl<R: Read> BufRead for Stored<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.again < self.returned.len() {
            return Ok(&self.returned[self.again..]);
        }
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
        let returned = &self.returned[self.again..];
        let is_again = !returned.is_empty();
        let buffer = if is_again {
            returned
        } else {
            self.inner.buffer()
        };
        let amount = amount.min(buffer.len());
        self.retained.extend_from_slice(&buffer[..amount]);
        if is_again {
            self.again += amount;
        } else {
            self.returned.clear();
            self.again = 0;
            self.inner.consume(amount);
        }
        self.offset += amount as u64;
        self.decode_budget.lengthen(amount);
    }
}

impl<R: Read> Read for Stored<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// The bytes of records: plain, or the decompressed content of the current member.
#[derive(Debug)]
pub(super) enum Bytes<R> {
    Plain(Stored<R>),
    Member(io::BufReader<Member<R>>),
}

/// The decoder of a member: it stops at the end of the member and consumes no byte after it, so the next member begins
/// where the stored bytes are then.
#[derive(Debug)]
pub(super) enum Member<R> {
    /// A gzip member.
    Gzip(Box<GzDecoder<Stored<R>>>),
    /// A Zstandard frame.
    Zstandard(FrameReader<Stored<R>>),
}

impl<R: Read> Bytes<R> {
    /// Opens the member that begins at the current position of `stored`. A Zstandard frame is decoded with `frames`,
    /// which [`into_stored`](Self::into_stored) returns.
    pub(super) fn member(
        stored: Stored<R>,
        coding: Coding,
        frames: &mut Option<FrameDecoding>,
    ) -> Self {
        let member = match coding {
            Coding::Zstandard => {
                let decoding = frames.take().unwrap_or_else(FrameDecoding::new);
                Member::Zstandard(FrameReader::new(stored, decoding))
            }
            _ => Member::Gzip(Box::new(GzDecoder::new(stored))),
        };
        Self::Member(io::BufReader::new(member))
    }

    pub(super) fn stored(&self) -> &Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => match reader.get_ref() {
                Member::Gzip(decoder) => decoder.get_ref(),
                Member::Zstandard(frame) => frame.get_ref(),
            },
        }
    }

    pub(super) fn stored_mut(&mut self) -> &mut Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => match reader.get_mut() {
                Member::Gzip(decoder) => decoder.get_mut(),
                Member::Zstandard(frame) => frame.get_mut(),
            },
        }
    }

    /// Returns the stored bytes, and puts the decoder of a Zstandard frame into `frames`.
    pub(super) fn into_stored(self, frames: &mut Option<FrameDecoding>) -> Stored<R> {
        match self {
            Self::Plain(stored) => stored,
            Self::Member(reader) => match reader.into_inner() {
                Member::Gzip(decoder) => decoder.into_inner(),
                Member::Zstandard(frame) => {
                    let (stored, decoding) = frame.into_parts();
                    *frames = Some(decoding);
                    stored
                }
            },
        }
    }
}

impl<R: Read> Read for Member<R> {
    /// # Errors
    /// `QuotaExceeded` if the decoded bytes exceed the budget, and the errors of the decoder.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (read, stored) = match self {
            Self::Gzip(decoder) => (decoder.read(buffer)?, decoder.get_mut()),
            Self::Zstandard(frame) => (frame.read(buffer)?, frame.get_mut()),
        };
        if stored.decode_budget.take(read) {
            Ok(read)
        } else {
            Err(io::ErrorKind::QuotaExceeded.into())
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
