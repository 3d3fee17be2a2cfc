//! Reads parts of an archive: records at known offsets, and those that begin before an offset.

use std::io::{Read, Seek};

use super::{MemberRecords, ReaderState, WarcReader, compression_of};
use crate::container::error::ContainerError;
use crate::container::transfer::Coding;

impl<R: Read> WarcReader<R> {
    /// Returns the number of bytes of the archive that were read: between two records, the offset of the next one.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.bytes.stored.offset
    }

    /// Returns the first error that ended reading before the end of the archive, if there was one.
    ///
    /// After other errors, reading continued with the next record.
    #[must_use]
    pub fn damage(&self) -> Option<ContainerError> {
        self.damage
    }
}

impl<R: Read + Seek> WarcReader<R> {
    /// Continues at `offset`, at which a record or its member must begin.
    ///
    /// Reading ends before the first record, or member, that begins at `end` or after it.
    ///
    /// The source must have been at the beginning of the archive when the reader was created. The beginning is read
    /// first if nothing was read yet: it determines the compression, and may contain the dictionary of all frames.
    /// Bytes that were not copied before cannot be copied afterwards; [`copy_rest`](Self::copy_rest) fails.
    ///
    /// # Errors
    /// - [`Unreadable`](crate::container::ContainerErrorKind::Unreadable): the source cannot be read or cannot seek.
    /// - [`Truncated`](crate::container::ContainerErrorKind::Truncated) and
    ///   [`BadCompression`](crate::container::ContainerErrorKind::BadCompression): the beginning is damaged.
    pub fn seek(&mut self, offset: u64, end: u64) -> Result<(), ContainerError> {
        let sought = self.try_seek(offset);
        self.end = end;
        if let Err(error) = sought {
            self.state = ReaderState::Ended;
            self.damage = self.damage.or(Some(error));
        }
        sought
    }

    fn try_seek(&mut self, offset: u64) -> Result<(), ContainerError> {
        if self.state == ReaderState::Begin {
            let first = self.bytes.stored.first_byte();
            let first = first.map_err(|error| self.read_error(&error))?;
            self.compression = first.and_then(compression_of);
            if self.compression == Some(Coding::Zstandard) {
                self.pass_skippable_frames(true)?;
            }
        }
        self.bytes.end_member();
        let sought = self.bytes.stored.seek(offset);
        sought.map_err(|error| self.read_error(&error))?;
        self.has_dropped = true;
        self.member = MemberRecords::One;
        self.skipped_len = 0;
        self.state = ReaderState::Between;
        Ok(())
    }
}
