//! The stored bytes of an archive, retained from the beginning of the current record, and the decompression of
//! members.

use std::io::{self, BufRead, Read, Seek};
use std::ops::Range;

use crate::container::DecodeBudget;
use crate::container::transfer::Coding;
use crate::container::transfer::gzip::{self, GzipDecoding};
use crate::container::transfer::zstandard::{FrameDecoding, SKIPPABLE_HEADER_LEN, skippable_frame};

/// Returns the coding of the members of an archive whose first byte is `first`; `None` if it is not compressed.
pub(super) fn compression_of(first: u8) -> Option<Coding> {
    match first {
        // The version line of a record that is not compressed. A skippable frame may begin with this byte, too, but no
        // program writes such a frame first.
        b'W' => None,
        _ if begins_skippable_frame(first) => Some(Coding::Zstandard),
        _ => [Coding::Gzip, Coding::Zstandard]
            .into_iter()
            .find(|&coding| first == begin_of(coding)),
    }
}

/// Returns the first byte of a member in `coding`.
pub(super) fn begin_of(coding: Coding) -> u8 {
    match coding {
        Coding::Zstandard => 0x28,
        _ => 0x1F,
    }
}

/// Returns whether a member in `coding` may begin with these bytes.
///
/// # Source
/// RFC 8878 section 3.1.1; [`gzip::begins_member`].
pub(super) fn begins_member_header(header: [u8; 4], coding: Coding) -> bool {
    match coding {
        Coding::Zstandard => header == [0x28, 0xB5, 0x2F, 0xFD],
        _ => gzip::begins_member(header),
    }
}

/// Returns whether `first` may be the first byte of a skippable frame of Zstandard.
pub(super) fn begins_skippable_frame(first: u8) -> bool {
    matches!(first, 0x50..=0x5F)
}

/// Size of the read buffer in bytes. Single records, which are read at their offsets, are shorter than a larger one.
const BUFFER: usize = 16 * 1024;

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

/// The maximum number of bytes of a member that are decoded at once: most members in one step.
const CHUNK: usize = 64 * 1024;

/// The bytes of records: plain, or the decoded content of the current member.
///
/// Decoding stops at the end of the member and consumes no byte after it, so the next member begins where the stored
/// bytes are then.
#[derive(Debug)]
pub(super) struct Bytes<R> {
    pub(super) stored: Stored<R>,
    /// Whether the bytes are those of a member.
    pub(super) is_member: bool,
    /// The decoder of all members; `None` before the first one, if there is no dictionary.
    pub(super) decoder: Option<MemberDecoder>,
    buffer: Vec<u8>,
    /// The place in `buffer` of the decoded bytes that were not consumed.
    decoded: Range<usize>,
}

/// A decoder of any number of members, one after another.
#[derive(Debug)]
pub(super) enum MemberDecoder {
    Gzip(GzipDecoding),
    Zstandard(FrameDecoding),
}

impl<R: Read> Bytes<R> {
    pub(super) fn new(stored: Stored<R>) -> Self {
        Self {
            stored,
            is_member: false,
            decoder: None,
            buffer: Vec::new(),
            decoded: 0..0,
        }
    }

    /// Begins the member at the current position of the stored bytes.
    pub(super) fn begin_member(&mut self, coding: Coding) {
        let decoder = self.decoder.get_or_insert_with(|| match coding {
            Coding::Zstandard => MemberDecoder::Zstandard(FrameDecoding::new()),
            _ => MemberDecoder::Gzip(GzipDecoding::new()),
        });
        match decoder {
            MemberDecoder::Gzip(member) => member.begin(),
            MemberDecoder::Zstandard(frame) => frame.begin(),
        }
        self.buffer.resize(CHUNK, 0);
        self.is_member = true;
    }

    /// Continues with the stored bytes after those of the member that were read.
    pub(super) fn end_member(&mut self) {
        self.decoded = 0..0;
        self.is_member = false;
    }

    /// Decodes up to `count` bytes of the member, which replace those before.
    ///
    /// # Errors
    /// `QuotaExceeded` if the decoded bytes exceed the budget, and the errors of the decoder.
    pub(super) fn decode(&mut self, count: usize) -> io::Result<&[u8]> {
        let buffer = &mut self.buffer[..count];
        let read = match &mut self.decoder {
            Some(MemberDecoder::Gzip(member)) => member.read(&mut self.stored, buffer)?,
            Some(MemberDecoder::Zstandard(frame)) => frame.read(&mut self.stored, buffer)?,
            None => 0,
        };
        if !self.stored.decode_budget.take(read) {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        self.decoded = 0..read;
        Ok(&self.buffer[..read])
    }
}

impl<R: Read> Read for Bytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Bytes<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_member {
            return self.stored.fill_buf();
        }
        if self.decoded.is_empty() {
            return self.decode(CHUNK);
        }
        Ok(&self.buffer[self.decoded.clone()])
    }

    fn consume(&mut self, amount: usize) {
        if self.is_member {
            self.decoded.start += amount;
        } else {
            self.stored.consume(amount);
        }
    }
}
