//! Writes records, and what is between them, as they are stored.

use std::io::{BufRead, Read, Write};

use super::{MemberRecords, ReaderState, WarcReader};
use crate::container::error::{ContainerError, ContainerErrorKind, write_all};

impl<R: Read> WarcReader<R> {
    /// Writes the last record as it is stored, with the empty lines after it.
    ///
    /// # Errors
    /// - [`ContainerErrorKind::NotCompressedByRecord`]: the record cannot be copied without others.
    ///   [`copy_rest`](Self::copy_rest) must be called to write the part that is missing, together with everything
    ///   after it. Nothing was written yet, or for a block that exceeds the limit, a part of it.
    /// - [`ContainerErrorKind::WrongContentLength`]: a block that exceeds the limit is longer than declared. It was
    ///   written.
    /// - [`ContainerErrorKind::Truncated`], [`ContainerErrorKind::BadCompression`],
    ///   [`ContainerErrorKind::Unreadable`]: a block that exceeds the limit could not be read completely.
    /// - [`ContainerErrorKind::Unwritable`].
    pub fn copy(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        if self.member != MemberRecords::One {
            return Err(self.several_records_error());
        }
        // The decoder may have read the beginning of the next member, which is sought in the retained bytes. They are
        // written with that member, or by `copy_rest`.
        if self.state == ReaderState::Found {
            return Ok(());
        }
        self.write_retained(output)?;
        self.pass_block(output)
    }

    /// Writes the bytes before the last record that belong to no record, if it is not copied but replaced.
    ///
    /// # Errors
    /// [`ContainerErrorKind::Unwritable`].
    pub fn copy_skipped(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        let skipped = &self.bytes.stored.retained[..self.skipped_len];
        write_all(output, skipped, self.record_offset)
    }

    /// Writes everything that was not copied or skipped yet, as it is stored: an unreadable record and whatever
    /// follows it.
    ///
    /// # Errors
    /// - [`ContainerErrorKind::Unwritable`], [`ContainerErrorKind::Unreadable`].
    /// - [`ContainerErrorKind::NotCompressedByRecord`]: records that cannot be copied one by one were dropped.
    ///   Nothing is written.
    pub fn copy_rest(&mut self, output: &mut impl Write) -> Result<(), ContainerError> {
        self.state = ReaderState::Ended;
        if self.has_dropped {
            return Err(self.several_records_error());
        }
        self.bytes.end_member();
        let stored = &mut self.bytes.stored;
        loop {
            write_all(output, &stored.retained, stored.offset)?;
            stored.retained.clear();
            let read = stored.fill_buf().map(<[u8]>::len);
            let read = read.map_err(|error| {
                ContainerErrorKind::Unreadable(error.kind()).at_stored(stored.offset)
            })?;
            if read == 0 {
                return Ok(());
            }
            stored.consume(read);
        }
    }
}
