//! Archives read record by record.

use std::io::{self, BufRead, Read, Write};

use super::record::{RecordBlock, WarcRecord};
use super::source::{Bytes, Stored};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine, line_at};

/// The longest head of a record that is read.
const MOST_HEAD: usize = 1 << 20;

/// The longest block that is read, if nothing else is said.
const MOST_BLOCK: usize = 8 << 20;

/// How far behind its end a block is looked for.
const MOST_TAIL: usize = 1 << 12;

/// What stands behind a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Empty lines.
    Empty,
    /// So many bytes of a line that should not be there.
    LongerThan(usize),
}

/// Reads an archive record by record.
///
/// # Source
/// WARC 1.0 and 1.1 (ISO 28500), section 4; annex D of 1.1 for compression by record. Earlier drafts are read as well:
/// what matters here is the same in them.
///
/// # Complexity
/// Linear in the length of the archive. Memory is for one record, of which a block longer than
/// [`limit`](Self::limit) is not part.
///
/// # Examples
/// ```
/// use absolve::container::warc::{WarcReader, RecordKind};
///
/// let archive = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
/// let mut reader = WarcReader::new(&archive[..]);
/// let record = reader.next_record().expect("a record")?;
/// assert_eq!(record.kind(), RecordKind::Resource);
/// assert_eq!(record.block(), Some(&b"<p>"[..]));
/// # Ok::<(), absolve::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct WarcReader<R> {
    /// `None` only while a gzip member is begun.
    bytes: Option<Bytes<R>>,
    limit: usize,
    state: ReaderState,
    is_compressed: bool,
    member: Member,
    /// Whether bytes of a member with several records were dropped before they were copied.
    has_dropped: bool,
    /// Where the current record begins.
    record_offset: u64,
    /// Which it is in its gzip member.
    record_number: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    Begin,
    /// At the end of a record.
    Between,
    /// Inside of a block that is not read: so many bytes are left of it.
    InBlock(u64),
    /// Nothing is read any more.
    Ended,
}

/// What the gzip member of the current record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    /// That record; or there is no gzip member.
    One,
    /// More records behind it.
    More,
    /// More records before it, and none behind it.
    Last,
}

impl<R: Read> WarcReader<R> {
    /// Reads from `source`; whether it is compressed, its first byte tells.
    pub fn new(source: R) -> Self {
        Self {
            bytes: Some(Bytes::Plain(Stored::new(source, most_kept(MOST_BLOCK)))),
            limit: MOST_BLOCK,
            state: ReaderState::Begin,
            is_compressed: false,
            member: Member::One,
            has_dropped: false,
            record_offset: 0,
            record_number: 1,
        }
    }

    /// Sets the length up to which blocks are read; longer ones can be copied and passed over. Default: 8 MiB.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        if let Some(source) = &mut self.bytes {
            source.stored_mut().keep_at_most(most_kept(bytes));
        }
        self
    }

    /// Whether the archive is compressed; known once a record was asked for.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.is_compressed
    }

    /// The next record; `None` at the end, and behind an error.
    ///
    /// # Errors
    /// [`ContainerErrorKind::NotWarc`] where no record begins, [`ContainerErrorKind::NoContentLength`],
    /// [`ContainerErrorKind::HeadersTooLong`], and [`ContainerErrorKind::Truncated`],
    /// [`ContainerErrorKind::BadCompression`], [`ContainerErrorKind::Unreadable`] in the head of a record; in its block,
    /// these are a remark of the record, which is the last one.
    pub fn next_record(&mut self) -> Option<Result<WarcRecord, ContainerError>> {
        let result = self.try_next();
        if result.is_err() {
            self.state = ReaderState::Ended;
        }
        result.transpose()
    }

    fn try_next(&mut self) -> Result<Option<WarcRecord>, ContainerError> {
        if let ReaderState::InBlock(_) = self.state {
            // What is passed over of a member cannot be copied any more.
            let passed = self.pass(&mut io::sink());
            self.has_dropped |= self.member == Member::More;
            passed?;
        }
        if self.state == ReaderState::Ended || !self.begin_record()? {
            self.state = ReaderState::Ended;
            return Ok(None);
        }
        let head = self.read_head()?;
        let version = line_at(&head, 0);
        let headers = HeaderBlock::split(&head, version.end, MalformedLine::Skip);
        let length: Option<u64> = headers
            .text("Content-Length")
            .and_then(|value| value.parse().ok());
        let Some(length) = length else {
            return Err(self.error(ContainerErrorKind::NoContentLength));
        };
        let mut record = WarcRecord {
            offset: self.record_offset,
            number: self.record_number,
            head,
            block: RecordBlock::TooLong(length),
            remark: None,
        };
        let short = usize::try_from(length)
            .ok()
            .filter(|&length| length <= self.limit);
        let Some(short) = short else {
            self.state = ReaderState::InBlock(length);
            return Ok(Some(record));
        };
        let (block, problem) = self.read_block(short);
        record.block = RecordBlock::Whole(block);
        self.state = ReaderState::Between;
        match problem.map_or_else(|| self.read_tail(), Err) {
            Ok(_) if self.member != Member::One => record.remark = Some(self.not_by_record()),
            Ok(Tail::Empty) => {}
            Ok(Tail::LongerThan(_)) => record.remark = Some(self.wrong_length()),
            Err(error) => {
                record.remark = Some(error);
                self.state = ReaderState::Ended;
            }
        }
        Ok(Some(record))
    }

    /// Writes the record that was read last as it is stored, with the empty lines behind it.
    ///
    /// # Errors
    /// [`ContainerErrorKind::NotCompressedByRecord`]: the record cannot be copied without others. Nothing was written
    /// of it; [`copy_rest`](Self::copy_rest) will, together with everything that follows.
    /// [`ContainerErrorKind::Unwritable`], and those of [`next_record`](Self::next_record).
    pub fn copy(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        if self.member != Member::One {
            return Err(self.not_by_record());
        }
        self.write_kept(output)?;
        self.pass(output)
    }

    /// Writes everything that was not read as a record, as it is stored: what follows an error, and what it was
    /// noticed in.
    ///
    /// # Errors
    /// [`ContainerErrorKind::Unwritable`] and [`ContainerErrorKind::Unreadable`];
    /// [`ContainerErrorKind::NotCompressedByRecord`] if records that could not be copied by themselves are behind us:
    /// then nothing is written.
    pub fn copy_rest(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        self.state = ReaderState::Ended;
        if self.has_dropped {
            return Err(self.not_by_record());
        }
        let Some(bytes) = self.bytes.take() else {
            return Ok(());
        };
        let mut stored = bytes.into_stored();
        loop {
            write(output, &stored.kept, stored.offset)?;
            stored.kept.clear();
            let read = stored.fill_buf().map(<[u8]>::len);
            let read = read.map_err(|error| ContainerError {
                kind: ContainerErrorKind::Unreadable(error.kind()),
                offset: stored.offset,
            })?;
            if read == 0 {
                return Ok(());
            }
            stored.consume(read);
        }
    }

    /// Finds the beginning of the next record. `false` at the end of the archive.
    fn begin_record(&mut self) -> Result<bool, ContainerError> {
        let is_first = self.state == ReaderState::Begin;
        if self.member == Member::More {
            // The next record is in the same member, which is kept from its beginning as long as it is short.
            let is_long = |bytes: &Bytes<R>| bytes.stored().kept.len() > self.limit;
            if self.bytes.as_ref().is_some_and(is_long) {
                self.has_dropped = true;
                self.clear_kept();
            }
            self.member = Member::Last;
            self.record_number += 1;
            return Ok(true);
        }
        let Some(bytes) = self.bytes.take() else {
            return Ok(false);
        };
        let mut stored = bytes.into_stored();
        let first = stored.fill_buf().map(|buffer| buffer.first().copied());
        if matches!(first, Ok(None)) {
            if self.member == Member::One {
                stored.kept.clear();
            }
            self.bytes = Some(Bytes::Plain(stored));
            return Ok(false);
        }
        self.has_dropped |= self.member != Member::One;
        self.member = Member::One;
        stored.kept.clear();
        self.record_offset = stored.offset;
        self.record_number = 1;
        let begins_member = matches!(first, Ok(Some(0x1F)));
        if is_first {
            self.is_compressed = begins_member;
        }
        self.bytes = Some(if self.is_compressed && begins_member {
            Bytes::member(stored)
        } else {
            Bytes::Plain(stored)
        });
        match first {
            Err(error) => Err(self.error(ContainerErrorKind::Unreadable(error.kind()))),
            Ok(_) if self.is_compressed && !begins_member => {
                Err(self.error(ContainerErrorKind::NotWarc))
            }
            Ok(_) => Ok(true),
        }
    }

    /// Reads the version line and the header fields.
    fn read_head(&mut self) -> Result<Vec<u8>, ContainerError> {
        let mut head = Vec::new();
        loop {
            let before = head.len();
            let room = (MOST_HEAD - before) as u64;
            let Some(bytes) = &mut self.bytes else {
                return Err(self.error(ContainerErrorKind::NotWarc));
            };
            let read = bytes.take(room).read_until(b'\n', &mut head);
            read.map_err(|error| self.read_error(&error))?;
            let line = &head[before..];
            let is_empty =
                line.ends_with(b"\n") && line.trim_ascii_end().is_empty() && line[0] != b' ';
            // Empty lines before a record are too many behind the last one.
            if before == 0 && is_empty {
                head.clear();
                continue;
            }
            if before == 0 && !is_version(line) {
                return Err(self.error(ContainerErrorKind::NotWarc));
            }
            if is_empty {
                return Ok(head);
            }
            if !line.ends_with(b"\n") {
                return Err(self.error(if head.len() >= MOST_HEAD {
                    ContainerErrorKind::HeadersTooLong
                } else {
                    ContainerErrorKind::Truncated
                }));
            }
        }
    }

    /// Reads the block, and what is wrong with it.
    fn read_block(&mut self, length: usize) -> (Vec<u8>, Option<ContainerError>) {
        // No more than the limit, and no more than once: growing would take twice as much.
        let mut block = Vec::with_capacity(length);
        if let Some(Bytes::Plain(stored)) = &mut self.bytes {
            stored.kept.reserve_exact(length);
        }
        while block.len() < length {
            let missing = length - block.len();
            let Some(bytes) = &mut self.bytes else { break };
            match bytes.fill_buf() {
                Ok([]) => return (block, Some(self.error(ContainerErrorKind::Truncated))),
                Ok(available) => {
                    let read = available.len().min(missing);
                    block.extend_from_slice(&available[..read]);
                    bytes.consume(read);
                }
                Err(error) => return (block, Some(self.read_error(&error))),
            }
        }
        (block, None)
    }

    /// Reads the empty lines behind a block, and to the end of the gzip member. A block that goes on where it should end
    /// is given up at the end of its line, as other programs do.
    fn read_tail(&mut self) -> Result<Tail, ContainerError> {
        let mut tail = Tail::Empty;
        let mut is_line_start = false;
        loop {
            let Some(bytes) = &mut self.bytes else {
                return Ok(tail);
            };
            let is_member = matches!(bytes, Bytes::Member(_));
            let first = match bytes.fill_buf() {
                Ok(available) => available.first().copied(),
                Err(error) => return Err(self.read_error(&error)),
            };
            match first {
                None => return Ok(tail),
                Some(b'\r' | b'\n') => is_line_start |= first == Some(b'\n'),
                Some(_) if is_member => {
                    self.member = Member::More;
                    return Ok(tail);
                }
                // The next record, or nothing that is one.
                Some(_) if is_line_start || tail == Tail::LongerThan(MOST_TAIL) => return Ok(tail),
                Some(_) => {
                    tail = match tail {
                        Tail::Empty => Tail::LongerThan(1),
                        Tail::LongerThan(length) => Tail::LongerThan(length + 1),
                    }
                }
            }
            bytes.consume(1);
        }
    }

    /// Goes to the end of the record, and writes what is on the way, as it is stored.
    fn pass(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        let ReaderState::InBlock(mut left) = self.state else {
            return Ok(());
        };
        // In a member, everything up to its end belongs to the record.
        self.state = ReaderState::Ended;
        while left > 0 {
            let Some(bytes) = &mut self.bytes else {
                return Ok(());
            };
            let available = match bytes.fill_buf() {
                Ok(available) => available.len(),
                Err(error) => return Err(self.read_error(&error)),
            };
            if available == 0 {
                self.write_kept(output)?;
                return Err(self.error(ContainerErrorKind::Truncated));
            }
            let read = usize::try_from(left).unwrap_or(usize::MAX).min(available);
            bytes.consume(read);
            left -= read as u64;
            self.write_kept(output)?;
        }
        let tail = self.read_tail()?;
        if self.member == Member::More {
            return Err(self.not_by_record());
        }
        self.write_kept(output)?;
        self.state = ReaderState::Between;
        match tail {
            Tail::Empty => Ok(()),
            Tail::LongerThan(_) => Err(self.wrong_length()),
        }
    }

    fn write_kept(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        if let Some(bytes) = &self.bytes {
            write(output, &bytes.stored().kept, self.record_offset)?;
        }
        self.clear_kept();
        Ok(())
    }

    fn clear_kept(&mut self) {
        if let Some(bytes) = &mut self.bytes {
            bytes.stored_mut().kept.clear();
        }
    }

    fn not_by_record(&self) -> ContainerError {
        ContainerError {
            kind: ContainerErrorKind::NotCompressedByRecord,
            offset: self.record_offset,
        }
    }

    fn wrong_length(&self) -> ContainerError {
        ContainerError {
            kind: ContainerErrorKind::WrongContentLength,
            offset: self.record_offset,
        }
    }

    /// The error, here; inside of a compressed record, where that begins.
    fn error(&self, kind: ContainerErrorKind) -> ContainerError {
        let offset = match &self.bytes {
            Some(Bytes::Plain(stored)) => stored.offset,
            _ => self.record_offset,
        };
        ContainerError { kind, offset }
    }

    fn read_error(&self, error: &io::Error) -> ContainerError {
        self.error(match error.kind() {
            io::ErrorKind::FileTooLarge => ContainerErrorKind::RecordTooLong,
            io::ErrorKind::UnexpectedEof => ContainerErrorKind::Truncated,
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput if self.is_compressed => {
                ContainerErrorKind::BadCompression
            }
            other => ContainerErrorKind::Unreadable(other),
        })
    }
}

/// How many bytes as stored belong to a record that is read: compressing can make them more.
fn most_kept(limit: usize) -> usize {
    limit.saturating_mul(2).saturating_add(4 * MOST_HEAD)
}

fn is_version(line: &[u8]) -> bool {
    let version = line.strip_prefix(b"WARC/").map(<[u8]>::trim_ascii_end);
    version.is_some_and(|version| {
        version.first().is_some_and(u8::is_ascii_digit)
            && version
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}

fn write(output: &mut impl Write, bytes: &[u8], offset: u64) -> Result<(), ContainerError> {
    output.write_all(bytes).map_err(|error| ContainerError {
        kind: ContainerErrorKind::Unwritable(error.kind()),
        offset,
    })
}
