//! Continues after a damaged member: finds the next one that begins a record.
//!
//! Members are compressed one by one, so damage in one says nothing about the next. The bytes in between are retained
//! before the next record, like skippable frames, and copied with it; those after a record that is copied in a stream
//! belong to the stream.

use std::io::{self, BufRead, Read, Write};

use memchr::memchr;

use super::{MemberRecords, ReaderState, WarcReader};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::transfer::Coding;
use crate::container::warc::source::{Stored, begin_of, begins_member_header};

/// The first bytes of a record.
const START: &[u8] = b"WARC/";

/// The number of stored bytes that are decoded to see whether a member begins a record. Its first line needs fewer.
const MAX_TRIAL: usize = 1 << 16;

/// The cost of a trial in bytes, besides what is decoded: setting up a decoder.
const TRIAL_COST: usize = 1 << 10;

/// The cost of trials, in bytes, that any archive may have. In addition, there may be one for each byte that is passed.
const FREE_COST: usize = 1 << 22;

impl<R: Read> WarcReader<R> {
    /// Continues before the next member that begins a record, and adds to `error`, which is in the current one, the
    /// number of bytes that are skipped. Ends reading if there is no such member, or the archive is not compressed.
    ///
    /// The bytes that are skipped are written to `output`; without it, they are retained.
    pub(super) fn resynchronize(
        &mut self,
        error: &mut ContainerError,
        output: Option<&mut dyn Write>,
    ) {
        let is_final = matches!(
            error.kind,
            ContainerErrorKind::Unreadable(_)
                | ContainerErrorKind::RecordTooLong
                | ContainerErrorKind::NotCompressedByRecord
        );
        // The frames may need the dictionary that is there.
        let is_final =
            is_final || (self.compression == Some(Coding::Zstandard) && self.record_offset == 0);
        // No other record is asked for.
        let is_final = is_final || self.record_offset + 1 >= self.end;
        if !is_final && self.find_member(output).unwrap_or(false) {
            self.state = ReaderState::Found;
            self.member = MemberRecords::One;
            // The member may begin before the error: the record did, or seemed to.
            error.skipped = self.position().saturating_sub(error.offset);
        } else {
            self.state = ReaderState::Ended;
            self.damage = self.damage.or(Some(*error));
        }
    }

    /// Passes the bytes before the next member that begins a record.
    ///
    /// # Complexity
    /// Linear in the number of bytes that are passed.
    fn find_member(&mut self, mut output: Option<&mut dyn Write>) -> io::Result<bool> {
        let Some(coding) = self.compression else {
            return Ok(false);
        };
        self.bytes.end_member();
        let stored = &mut self.bytes.stored;
        // The decoder may have read the beginning of the next member.
        let after_first = stored.retained.len().saturating_sub(self.skipped_len + 1);
        stored.unread(after_first);
        let mut cost = FREE_COST;
        loop {
            let stored = &mut self.bytes.stored;
            let passed = match pass_to_header(stored, coding, self.end, &mut output) {
                Ok(Some(passed)) if stored.offset < self.end => passed,
                none_or_error => return none_or_error.map(|passed| passed.is_some()),
            };
            cost = cost.saturating_add(passed);
            let before = stored.retained.len();
            let limit = std::mem::replace(&mut stored.max_retained, before + MAX_TRIAL);
            self.bytes.begin_member(coding);
            let is_record = self
                .bytes
                .decode(START.len())
                .is_ok_and(|start| start == START);
            self.bytes.end_member();
            let stored = &mut self.bytes.stored;
            stored.max_retained = limit;
            let read = stored.retained.len() - before;
            stored.unread(read);
            let left = cost.checked_sub(TRIAL_COST + read);
            cost = left.unwrap_or_default();
            if is_record || left.is_none() {
                return Ok(is_record);
            }
            stored.consume(1);
        }
    }
}

/// Passes the bytes before the next header of a member, or before `end`, and returns how many; `None` if there is none.
fn pass_to_header<R: Read>(
    stored: &mut Stored<R>,
    coding: Coding,
    end: u64,
    output: &mut Option<&mut dyn Write>,
) -> io::Result<Option<usize>> {
    let mut passed = 0;
    loop {
        if let Some(output) = output {
            output.write_all(&stored.retained)?;
            stored.retained.clear();
        }
        let offset = stored.offset;
        let available = stored.fill_buf()?;
        let Some(&first) = available.first() else {
            return Ok(None);
        };
        let mut header = [first, 0, 0, 0];
        let left = usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(Some(passed));
        }
        let length = memchr(begin_of(coding), available).unwrap_or(available.len());
        let length = length.min(left);
        if length > 0 {
            stored.consume(length);
            passed += length;
            continue;
        }
        match stored.read_exact(&mut header) {
            Ok(()) => stored.unread(header.len()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        if begins_member_header(header, coding) {
            return Ok(Some(passed));
        }
        stored.consume(1);
        passed += 1;
    }
}
