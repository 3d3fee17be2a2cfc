//! The index of an archive: the places of its records.

use std::io::Read;

use super::reader::WarcReader;
use super::record::WarcRecord;
use crate::container::error::{ContainerError, ContainerErrorKind};

/// The place of a record in an archive as stored, in bytes. The records of one member have one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordPlace<D = ()> {
    /// The description of the record, the first one of its member: see [`WarcIndex::describing`].
    pub description: D,
    /// The offset at which the record begins; for a compressed record, that of its gzip member or Zstandard frame.
    pub offset: u64,
    /// The number of bytes up to the next record, or up to the end of the archive or of what could be read of it.
    pub length: u64,
}

/// An iterator over the places of the records of an archive.
///
/// An error follows the place of the record in which it is. Some errors end the archive: see
/// [`WarcReader::next_record`].
///
/// # Complexity
/// That of the [`WarcReader`], because records must be decompressed to find the next one.
///
/// # Examples
/// ```
/// use absolve_archive::container::warc::{WarcIndex, WarcReader};
///
/// let archive = b"WARC/1.0\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\nWARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
/// let mut places = WarcIndex::new(WarcReader::new(&archive[..]));
/// let second = places.nth(1).expect("a record")?;
/// assert_eq!((second.offset, second.length), (38, 35));
/// # Ok::<(), absolve_archive::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct WarcIndex<R, D = ()> {
    reader: WarcReader<R>,
    describe: fn(&WarcRecord) -> D,
    /// The offset and the description of the record whose length is not known yet.
    pending: Option<(u64, D)>,
    is_ended: bool,
    /// The error to be returned next.
    error: Option<ContainerError>,
    /// The error in the record whose length is not known yet.
    pending_error: Option<ContainerError>,
    /// The error that was returned last.
    last_error: Option<ContainerError>,
}

impl<R: Read> WarcIndex<R> {
    /// Creates the index of the archive that `reader` reads.
    pub fn new(reader: WarcReader<R>) -> Self {
        Self::describing(reader, |_| ())
    }
}

impl<R: Read, D> WarcIndex<R, D> {
    /// Creates the index of the archive that `reader` reads, with a description of each record.
    pub fn describing(reader: WarcReader<R>, describe: fn(&WarcRecord) -> D) -> Self {
        Self {
            reader,
            describe,
            pending: None,
            is_ended: false,
            error: None,
            pending_error: None,
            last_error: None,
        }
    }

    /// Returns the place of the pending record, after which there is this error or the end of the archive.
    fn end_at(&mut self, error: Option<ContainerError>) -> Option<RecordPlace<D>> {
        let read = self.reader.position();
        // An error after the pending record is at the place where another one should begin.
        let after = error.filter(|error| Some(error.offset) > self.pending_offset());
        self.place(after.map_or(read, |error| error.offset.min(read)))
    }

    /// Returns the place of the pending record, which ends at `end`.
    fn place(&mut self, end: u64) -> Option<RecordPlace<D>> {
        let (offset, description) = self.pending.take()?;
        Some(RecordPlace {
            description,
            offset,
            length: end.saturating_sub(offset),
        })
    }

    /// Returns the offset of the pending record.
    fn pending_offset(&self) -> Option<u64> {
        self.pending.as_ref().map(|(offset, _)| *offset)
    }
}

impl<R: Read, D> Iterator for WarcIndex<R, D> {
    type Item = Result<RecordPlace<D>, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(error) = self.error.take() {
                self.last_error = Some(error);
                return Some(Err(error));
            }
            if self.is_ended {
                return None;
            }
            let place = match self.reader.next_record() {
                Some(Ok(record)) if self.pending_offset() == Some(record.offset) => None,
                Some(Ok(record)) => {
                    let place = self.place(record.offset);
                    self.pending = Some((record.offset, (self.describe)(&record)));
                    self.error = self.pending_error.take();
                    self.pending_error = record.error.filter(|error| is_loss(error.kind));
                    place
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    self.end_at(Some(error))
                }
                None => {
                    self.is_ended = true;
                    let damage = self.pending_error.take().or(self.reader.damage());
                    self.error = damage.filter(|damage| Some(*damage) != self.last_error);
                    self.end_at(self.reader.damage())
                }
            };
            if let Some(place) = place {
                return Some(Ok(place));
            }
        }
    }
}

/// Returns whether an error of this kind in a record means that bytes of it were not read.
pub(super) fn is_loss(kind: ContainerErrorKind) -> bool {
    matches!(
        kind,
        ContainerErrorKind::BadCompression
            | ContainerErrorKind::Truncated
            | ContainerErrorKind::DecodedTooMuch
    )
}
