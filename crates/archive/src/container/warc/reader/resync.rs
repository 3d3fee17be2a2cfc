//! Continues after a damaged member: finds the next one that begins a record.
//!
//! Members are compressed one by one, so damage in one says nothing about the next. The bytes in between are retained
//! before the next record, like skippable frames, and copied with it.

use std::io::{self, BufRead, Read};

use memchr::memchr;

use super::{Bytes, MemberRecords, ReaderState, WarcReader};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::transfer::Coding;
use crate::container::warc::source::{Stored, begins_member_header};

/// The number of stored bytes that are decoded to see whether a member begins a record. Its first line needs fewer.
const MAX_TRIAL: usize = 1 << 16;

/// The cost of a trial in bytes, besides what is decoded: setting up a decoder.
const TRIAL_COST: usize = 1 << 10;

/// The cost of trials, in bytes, that any archive may have. In addition, there may be one for each byte that is passed.
const FREE_COST: usize = 1 << 22;

impl<R: Read> WarcReader<R> {
    /// Decides how to continue after `error`: with the next member, if the archive is compressed.
    pub(super) fn lose(&mut self, error: ContainerError) {
        let is_final = matches!(
            error.kind,
            ContainerErrorKind::Unreadable(_)
                | ContainerErrorKind::RecordTooLong
                | ContainerErrorKind::NotCompressedByRecord
        );
        // The frames may need the dictionary that is there.
        let is_final =
            is_final || (self.compression == Some(Coding::Zstandard) && self.record_offset == 0);
        self.state = if self.compression.is_none() || is_final || self.has_dropped {
            self.damage = self.damage.or(Some(error));
            ReaderState::Ended
        } else {
            ReaderState::Lost(error)
        };
    }

    /// Continues before the next member that begins a record after the one in which `error` occurred; returns `false`
    /// if there is none.
    pub(super) fn resynchronize(&mut self, error: ContainerError) -> bool {
        self.state = ReaderState::Ended;
        let is_found = self.find_member().unwrap_or(false);
        if is_found {
            self.state = ReaderState::Found;
        } else {
            self.damage = self.damage.or(Some(error));
        }
        is_found
    }

    /// Passes the bytes before the next member that begins a record.
    ///
    /// # Complexity
    /// Linear in the number of bytes that are passed.
    fn find_member(&mut self) -> io::Result<bool> {
        let (Some(coding), Some(bytes)) = (self.compression, self.bytes.take()) else {
            return Ok(false);
        };
        let mut stored = bytes.into_stored(&mut self.frames);
        // The decoder may have read the beginning of the next member.
        let after_first = stored.retained.len().saturating_sub(self.skipped_len + 1);
        stored.unread(after_first);
        let mut cost = FREE_COST;
        loop {
            let passed = match pass_to_header(&mut stored, coding) {
                Ok(Some(passed)) => passed,
                none_or_error => {
                    self.bytes = Some(Bytes::Plain(stored));
                    return none_or_error.map(|_| false);
                }
            };
            cost = cost.saturating_add(passed);
            let before = stored.retained.len();
            let limit = std::mem::replace(&mut stored.max_retained, before + MAX_TRIAL);
            let mut member = Bytes::member(stored, coding, &mut self.frames);
            let mut start = [0; 5];
            let is_record = member.read_exact(&mut start).is_ok() && start == *b"WARC/";
            stored = member.into_stored(&mut self.frames);
            stored.max_retained = limit;
            let read = stored.retained.len() - before;
            stored.unread(read);
            let left = cost.checked_sub(TRIAL_COST + read);
            cost = left.unwrap_or_default();
            if is_record || left.is_none() {
                self.member = MemberRecords::One;
                self.bytes = Some(Bytes::Plain(stored));
                return Ok(is_record);
            }
            stored.consume(1);
        }
    }
}

/// Passes the bytes before the next header of a member, and returns how many; `None` if there is none.
fn pass_to_header<R: Read>(stored: &mut Stored<R>, coding: Coding) -> io::Result<Option<usize>> {
    let mut passed = 0;
    loop {
        let available = stored.fill_buf()?;
        let Some(&first) = available.first() else {
            return Ok(None);
        };
        let mut header = [first, 0, 0, 0];
        let length = memchr(begin_of(coding), available).unwrap_or(available.len());
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

/// Returns the first byte of a member.
fn begin_of(coding: Coding) -> u8 {
    match coding {
        Coding::Zstandard => 0x28,
        _ => 0x1F,
    }
}
