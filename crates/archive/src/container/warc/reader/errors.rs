//! The errors of [`WarcReader`], with the offsets at which they are reported.

use std::io;

use super::WarcReader;
use crate::container::error::{ContainerError, ContainerErrorKind};

impl<R: io::Read> WarcReader<R> {
    pub(super) fn several_records_error(&self) -> ContainerError {
        ContainerErrorKind::NotCompressedByRecord.at_stored(self.record_offset)
    }

    pub(super) fn wrong_length_error(&self) -> ContainerError {
        ContainerErrorKind::WrongContentLength.at_stored(self.record_offset)
    }

    /// Returns an error at the current offset; in a compressed record, at the offset of its member.
    pub(super) fn error(&self, kind: ContainerErrorKind) -> ContainerError {
        kind.at_stored(if self.bytes.is_member {
            self.record_offset
        } else {
            self.bytes.stored.offset
        })
    }

    /// Returns the error for a failed read.
    pub(super) fn read_error(&self, error: &io::Error) -> ContainerError {
        self.error(match error.kind() {
            io::ErrorKind::FileTooLarge => ContainerErrorKind::RecordTooLong,
            io::ErrorKind::QuotaExceeded => ContainerErrorKind::DecodedTooMuch,
            io::ErrorKind::UnexpectedEof => ContainerErrorKind::Truncated,
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
                if self.compression.is_some() =>
            {
                ContainerErrorKind::BadCompression
            }
            other => ContainerErrorKind::Unreadable(other),
        })
    }
}
