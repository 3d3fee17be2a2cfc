//! Reads archives record by record.
//!
//! An archive is a sequence of records: a version line, header fields, an empty line, a block of `Content-Length`
//! bytes, and two line breaks. It is plain, or each record is a *member* of its own: a gzip member or a Zstandard
//! frame. Archives are larger than memory, many are damaged, and some were compressed as a whole, by a tool that knew
//! nothing of records.
//!
//! # Approach
//!
//! The source is read once, from the beginning to the end. `Stored` retains the stored bytes of the current record
//! while they are parsed, so [`WarcReader::copy`] can write an unchanged record exactly as it was stored, although it
//! was decompressed in order to be read. Its member need not be compressed again. A block that exceeds the limit
//! is not read: the caller learns its length, and can copy or skip it in a stream.
//!
//! # Compression
//!
//! The first byte of the archive determines whether it is compressed. The decoder stops exactly at the end
//! of each member, and decodes the next one from its beginning.
//!
//! Skippable frames of Zstandard belong to no record. They are retained with the record after them, so copying does not
//! lose them. One at the beginning of the archive may contain the dictionary of all frames.
//!
//! A member with several records can be read, but its records cannot be copied one by one: compressed bytes cannot be
//! divided. The reader retains them while they are no longer than the limit, so that [`WarcReader::copy_rest`] can
//! copy the whole member. After they are dropped, copying fails instead of leaving a gap.
//!
//! # Damaged input
//!
//! - A block that does not end where its length declares: the next record is sought at the end of the line.
//! - A member that cannot be decompressed, or does not begin a record: reading continues with the next member that
//!   does, and the bytes before it are copied with it.
//! - In an archive that is not compressed, a head that cannot be read, or data that ends: there is no reliable next
//!   record, so reading ends there. [`WarcReader::copy_rest`] copies everything from the damaged record on.
//! - Endless input is limited by `MAX_HEAD`, the limit of a block, and the limit of the retained bytes.
//!
//! # Invariants
//!
//! - Stored bytes that were neither written nor skipped are in `retained` or not read yet; otherwise `has_dropped` is
//!   set.
//! - A record is copied only if `member` is [`MemberRecords::One`]; otherwise the retained bytes belong to several
//!   records.

mod copy;
mod errors;
mod resync;
mod seek;

use std::io::{self, BufRead, Read, Write};

use super::record::{RecordBlock, WarcRecord};
use super::source::{
    Bytes, MemberDecoder, Stored, begin_of, begins_skippable_frame, compression_of,
};
use crate::container::DecodeBudget;
use crate::container::error::{ContainerError, ContainerErrorKind, write_all};
use crate::container::transfer::Coding;
use crate::container::transfer::zstandard::{DICTIONARY, FrameDecoding};

/// The maximum length of the head of a record, in bytes.
const MAX_HEAD: usize = 1 << 20;

/// The default maximum length of a block, in bytes.
const DEFAULT_LIMIT: usize = 8 << 20;

/// The number of bytes after the declared end of a block in which its line end is sought.
const MAX_TAIL: usize = 1 << 12;

/// A reader of an archive, record by record.
///
/// # Source
/// WARC 1.0 and 1.1 (ISO 28500), section 4; annex D of 1.1 for compression by record. Earlier drafts are read as
/// well: they agree in all that matters here. Zstandard: IIPC, "Zstandard compression in WARC files" 1.0.
///
/// # Complexity
/// Linear in the length of the archive. Memory is bounded by one record, decompressed and as stored. A block that
/// exceeds [`limit`](Self::limit) is not held.
///
/// # Examples
/// ```
/// use absolve_archive::container::warc::{WarcReader, RecordKind};
///
/// let archive = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n";
/// let mut reader = WarcReader::new(&archive[..]);
/// let record = reader.next_record().expect("a record")?;
/// assert_eq!(record.kind(), RecordKind::Resource);
/// assert_eq!(record.block(), Some(&b"<p>"[..]));
/// # Ok::<(), absolve_archive::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct WarcReader<R> {
    bytes: Bytes<R>,
    /// The maximum length of a block that is read, in bytes.
    limit: usize,
    state: ReaderState,
    /// The coding of members; `None` if the archive is not compressed.
    compression: Option<Coding>,
    /// The length of the skippable frames at the beginning of the retained bytes.
    skipped_len: usize,
    member: MemberRecords,
    /// Whether bytes of a member with several records were dropped before they were copied. Copying would leave a
    /// gap.
    has_dropped: bool,
    /// The offset at which the current record, or its member, begins.
    record_offset: u64,
    /// The number of the current record in its member, counted from one.
    record_number: u64,
    /// The offset before which records must begin.
    end: u64,
    /// The error that ended reading.
    damage: Option<ContainerError>,
}

/// The position of the reader relative to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    /// Before the first record.
    Begin,
    /// After a record that was read completely.
    Between,
    /// In a block that exceeds the limit, with the number of its bytes that are left.
    InBlock(u64),
    /// Before the member of the next record, after damage that is retained or was written.
    Found,
    /// At the end, or after an error: no further record is read.
    Ended,
}

/// The records in the member of the current record, as far as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberRecords {
    /// This record alone, or the record is not compressed.
    One,
    /// At least one more record after this one.
    More,
    /// At least one record before this one, and none after it was found so far.
    Last,
}

impl<R: Read> WarcReader<R> {
    /// Creates a reader of `source`. The first byte determines whether the archive is compressed.
    pub fn new(source: R) -> Self {
        Self {
            bytes: Bytes::new(Stored::new(source, max_retained_for(DEFAULT_LIMIT))),
            limit: DEFAULT_LIMIT,
            state: ReaderState::Begin,
            compression: None,
            skipped_len: 0,
            member: MemberRecords::One,
            has_dropped: false,
            record_offset: 0,
            record_number: 1,
            end: u64::MAX,
            damage: None,
        }
    }

    /// Sets the maximum length of a block that is read; longer ones can be copied and skipped. Default: 8 MiB.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self.bytes.stored.max_retained = max_retained_for(bytes);
        self
    }

    /// Sets what members may be decoded to. Those who decode bodies of records take from it, too.
    pub(crate) fn with_decode_budget(mut self, budget: DecodeBudget) -> Self {
        self.bytes.stored.decode_budget = budget;
        self
    }

    /// Returns what members, and bodies of records, may still be decoded to.
    pub(crate) fn decode_budget(&mut self) -> &mut DecodeBudget {
        &mut self.bytes.stored.decode_budget
    }

    /// Returns the coding in which each record is compressed, [`Gzip`](Coding::Gzip) or
    /// [`Zstandard`](Coding::Zstandard), or `None`. Valid after the first call of [`next_record`](Self::next_record).
    #[must_use]
    pub fn compression(&self) -> Option<Coding> {
        self.compression
    }

    /// Returns the next record; `None` at the end, and after an error that ends reading.
    ///
    /// After an error in a compressed archive, reading continues with the next member that begins a record.
    ///
    /// # Errors
    /// - [`ContainerErrorKind::NotWarc`]: no record begins here.
    /// - [`ContainerErrorKind::NoContentLength`], [`ContainerErrorKind::HeadersTooLong`]: the head is not usable.
    /// - [`ContainerErrorKind::Truncated`], [`ContainerErrorKind::BadCompression`],
    ///   [`ContainerErrorKind::DecodedTooMuch`], [`ContainerErrorKind::RecordTooLong`],
    ///   [`ContainerErrorKind::Unreadable`]: the head could not be read. If this happens in a block, the record is
    ///   returned with the error in [`error`](WarcRecord::error).
    /// - The errors of [`copy`](Self::copy) except `Unwritable`, while a block that exceeds the limit is skipped.
    pub fn next_record(&mut self) -> Option<Result<WarcRecord, ContainerError>> {
        if let ReaderState::InBlock(_) = self.state {
            // Skipped bytes of a member cannot be copied later, together with the records after it.
            let skipped = self.pass_block(&mut io::sink());
            self.has_dropped |= self.member == MemberRecords::More;
            if let Err(error) = skipped {
                return Some(Err(error));
            }
        }
        let mut result = self.try_next();
        let error = match &mut result {
            Ok(Some(record)) if self.state == ReaderState::Ended => record.error.as_mut(),
            Ok(_) => None,
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            self.resynchronize(error, None);
        }
        result.transpose()
    }

    fn try_next(&mut self) -> Result<Option<WarcRecord>, ContainerError> {
        if self.state == ReaderState::Ended || !self.begin_record()? {
            self.state = ReaderState::Ended;
            return Ok(None);
        }
        let head = self.read_head()?;
        let mut record = WarcRecord::new(self.record_offset, self.record_number, head);
        let length = record.headers().text("Content-Length");
        let Some(length) = length.and_then(|value| value.parse().ok()) else {
            return Err(self.error(ContainerErrorKind::NoContentLength));
        };
        if length > self.limit as u64 {
            record.block = RecordBlock::TooLong(length);
            self.state = ReaderState::InBlock(length);
            return Ok(Some(record));
        }
        // It fits, because the limit is a `usize`.
        let length = usize::try_from(length).unwrap_or(self.limit);
        let (block, problem) = self.read_block(length);
        record.block = RecordBlock::Whole(block);
        self.state = ReaderState::Between;
        match problem.map_or_else(|| self.read_tail(), Err) {
            Ok(_) if self.member != MemberRecords::One => {
                record.error = Some(self.several_records_error());
            }
            Ok(0) => {}
            Ok(_) => record.error = Some(self.wrong_length_error()),
            Err(error) => {
                record.error = Some(error);
                self.state = ReaderState::Ended;
            }
        }
        Ok(Some(record))
    }

    /// Advances to the next record; returns `false` at the end of the archive.
    fn begin_record(&mut self) -> Result<bool, ContainerError> {
        let is_first = self.state == ReaderState::Begin;
        if self.member == MemberRecords::More {
            // The next record is in the same member, which is retained from its beginning while it is short.
            if self.bytes.stored.retained.len() > self.limit {
                self.has_dropped = true;
                self.bytes.stored.retained.clear();
            }
            self.member = MemberRecords::Last;
            self.record_number += 1;
            return Ok(true);
        }
        self.bytes.end_member();
        let stored = &mut self.bytes.stored;
        if stored.offset >= self.end {
            return Ok(false);
        }
        let first = stored.first_byte();
        if matches!(first, Ok(None)) {
            if self.member == MemberRecords::One {
                stored.retained.clear();
            }
            return Ok(false);
        }
        // The member of the last record contains others, and was not copied.
        self.has_dropped |= self.member != MemberRecords::One;
        self.member = MemberRecords::One;
        if self.state != ReaderState::Found {
            stored.retained.clear();
        }
        self.skipped_len = stored.retained.len();
        self.record_offset = stored.offset;
        self.record_number = 1;
        let mut first = first.map_err(|error| self.read_error(&error))?;
        if is_first {
            self.compression = first.and_then(compression_of);
        }
        if self.compression == Some(Coding::Zstandard) {
            first = self.pass_skippable_frames(is_first)?;
            if self.record_offset >= self.end {
                return Ok(false);
            }
        }
        let Some(coding) = self.compression else {
            return Ok(true);
        };
        // The archive may end with skippable frames.
        let Some(first) = first else {
            return Ok(false);
        };
        if first != begin_of(coding) {
            return Err(self.error(ContainerErrorKind::NotWarc));
        }
        self.bytes.begin_member(coding);
        Ok(true)
    }

    /// Reads the skippable frames before a record, and returns the first byte after them.
    ///
    /// The first frame of the archive may contain the dictionary.
    fn pass_skippable_frames(&mut self, is_first: bool) -> Result<Option<u8>, ContainerError> {
        loop {
            let stored = &mut self.bytes.stored;
            self.skipped_len = stored.retained.len();
            self.record_offset = stored.offset;
            match stored.first_byte() {
                Ok(Some(byte)) if begins_skippable_frame(byte) => {}
                other => return other.map_err(|error| self.read_error(&error)),
            }
            match stored.pass_skippable_frame() {
                Ok(Some((DICTIONARY, content))) if is_first && self.skipped_len == 0 => {
                    match FrameDecoding::with_dictionary(content) {
                        Ok(frames) => self.bytes.decoder = Some(MemberDecoder::Zstandard(frames)),
                        Err(kind) => return Err(self.error(kind)),
                    }
                }
                Ok(Some(_)) => {}
                Ok(None) => return Err(self.error(ContainerErrorKind::NotWarc)),
                Err(error) => return Err(self.read_error(&error)),
            }
        }
    }

    /// Reads the version line and the header fields, up to the empty line.
    fn read_head(&mut self) -> Result<Vec<u8>, ContainerError> {
        let mut head = Vec::new();
        loop {
            let before = head.len();
            let remaining = (MAX_HEAD - before) as u64;
            let bytes = self.bytes.by_ref().take(remaining);
            let read = { bytes }.read_until(b'\n', &mut head);
            read.map_err(|error| self.read_error(&error))?;
            let line = &head[before..];
            // A line of white space that begins with a space continues the field before it.
            let is_empty =
                line.ends_with(b"\n") && line.trim_ascii_end().is_empty() && line[0] != b' ';
            // Superfluous empty lines between records are ignored.
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
                return Err(self.error(if head.len() >= MAX_HEAD {
                    ContainerErrorKind::HeadersTooLong
                } else {
                    ContainerErrorKind::Truncated
                }));
            }
        }
    }

    /// Reads a block of `length` bytes; returns what could be read, and an error if that is not all.
    fn read_block(&mut self, length: usize) -> (Vec<u8>, Option<ContainerError>) {
        // Allocated once, because growing would temporarily need twice the memory. `length` is at most the limit.
        let mut block = Vec::with_capacity(length);
        if !self.bytes.is_member {
            self.bytes.stored.retained.reserve_exact(length);
        }
        while block.len() < length {
            let missing = length - block.len();
            match self.bytes.fill_buf() {
                Ok([]) => return (block, Some(self.error(ContainerErrorKind::Truncated))),
                Ok(available) => {
                    let read = available.len().min(missing);
                    block.extend_from_slice(&available[..read]);
                    self.bytes.consume(read);
                }
                Err(error) => return (block, Some(self.read_error(&error))),
            }
        }
        (block, None)
    }

    /// Reads the empty lines after a block; in a compressed record, also the end of the member. Returns by how many
    /// bytes the block exceeds its declared length.
    ///
    /// A block that continues after its declared end is read to the end of its line, as other programs do. Bytes
    /// after the empty lines in a member belong to another record and are not read.
    fn read_tail(&mut self) -> Result<usize, ContainerError> {
        let mut excess = 0;
        let mut is_line_start = false;
        loop {
            let is_member = self.bytes.is_member;
            let first = match self.bytes.fill_buf() {
                Ok(available) => available.first().copied(),
                Err(error) => return Err(self.read_error(&error)),
            };
            match first {
                None => return Ok(excess),
                Some(b'\r' | b'\n') => is_line_start |= first == Some(b'\n'),
                Some(_) if is_member => {
                    self.member = MemberRecords::More;
                    return Ok(excess);
                }
                // The next record begins here, or no record can be found.
                Some(_) if is_line_start || excess == MAX_TAIL => return Ok(excess),
                Some(_) => excess += 1,
            }
            self.bytes.consume(1);
        }
    }

    /// Reads to the end of a record whose block exceeds the limit, and writes it as it is stored, starting with the
    /// retained bytes, with the damage after it. Does nothing for other records.
    fn pass_block(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        let mut passed = self.try_pass_block(output);
        if let (Err(error), ReaderState::Ended) = (&mut passed, self.state) {
            self.resynchronize(error, Some(output));
        }
        passed
    }

    fn try_pass_block(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        let ReaderState::InBlock(mut left) = self.state else {
            return Ok(());
        };
        // If this function returns early, there is no next record to be found.
        self.state = ReaderState::Ended;
        while left > 0 {
            let available = match self.bytes.fill_buf() {
                Ok(available) => available.len(),
                Err(error) => return Err(self.read_error(&error)),
            };
            if available == 0 {
                self.write_retained(output)?;
                return Err(self.error(ContainerErrorKind::Truncated));
            }
            let read = usize::try_from(left).unwrap_or(usize::MAX).min(available);
            self.bytes.consume(read);
            left -= read as u64;
            self.write_retained(output)?;
        }
        let excess = self.read_tail()?;
        if self.member == MemberRecords::More {
            return Err(self.several_records_error());
        }
        self.write_retained(output)?;
        self.state = ReaderState::Between;
        match excess {
            0 => Ok(()),
            _ => Err(self.wrong_length_error()),
        }
    }

    /// Writes the retained bytes and drops them.
    fn write_retained(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        let retained = &mut self.bytes.stored.retained;
        write_all(output, retained, self.record_offset)?;
        retained.clear();
        Ok(())
    }
}

/// Returns the maximum stored length of a readable record. Compression can lengthen incompressible data, and empty
/// gzip blocks add to it, so the maximum is generous.
fn max_retained_for(limit: usize) -> usize {
    limit.saturating_mul(2).saturating_add(4 * MAX_HEAD)
}

/// Returns whether `line` is a version line, such as `WARC/1.1`.
fn is_version(line: &[u8]) -> bool {
    let version = line.strip_prefix(b"WARC/").map(<[u8]>::trim_ascii_end);
    version.is_some_and(|version| {
        version.first().is_some_and(u8::is_ascii_digit)
            && version
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}
