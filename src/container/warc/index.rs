//! The index of an archive: the places of its records.

use std::io::Read;

use super::reader::WarcReader;
use crate::container::error::ContainerError;

/// The place of a record in an archive as stored, in bytes. The records of one member have one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordPlace {
    /// The offset at which the record begins; for a compressed record, that of its gzip member or Zstandard frame.
    pub offset: u64,
    /// The number of bytes up to the next record, or up to the end of the archive or of what could be read of it.
    pub length: u64,
}

/// An iterator over the places of the records of an archive.
///
/// An error ends it. It is the last item, after the place of the record in which it is.
///
/// # Complexity
/// That of the [`WarcReader`], because records must be decompressed to find the next one.
///
/// # Examples
/// ```
/// use absolve::container::warc::{WarcIndex, WarcReader};
///
/// let archive = b"WARC/1.0\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\nWARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
/// let mut places = WarcIndex::new(WarcReader::new(&archive[..]));
/// let second = places.nth(1).expect("a record")?;
/// assert_eq!((second.offset, second.length), (38, 35));
/// # Ok::<(), absolve::container::ContainerError>(())
/// ```
#[derive(Debug)]
pub struct WarcIndex<R> {
    reader: WarcReader<R>,
    /// The offset of the record whose length is not known yet.
    pending: Option<u64>,
    is_ended: bool,
    /// The error that ended the archive, until it is returned.
    error: Option<ContainerError>,
}

impl<R: Read> WarcIndex<R> {
    /// Creates the index of the archive that `reader` reads.
    pub fn new(reader: WarcReader<R>) -> Self {
        Self {
            reader,
            pending: None,
            is_ended: false,
            error: None,
        }
    }

    /// Returns the place of the pending record, which ends at `end`.
    fn place(&mut self, end: u64) -> Option<RecordPlace> {
        let offset = self.pending.take()?;
        Some(RecordPlace {
            offset,
            length: end.saturating_sub(offset),
        })
    }
}

impl<R: Read> Iterator for WarcIndex<R> {
    type Item = Result<RecordPlace, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_ended {
            let place = match self.reader.next_record() {
                Some(Ok(record)) if self.pending == Some(record.offset) => None,
                Some(Ok(record)) => {
                    let place = self.place(record.offset);
                    self.pending = Some(record.offset);
                    place
                }
                Some(Err(_)) | None => {
                    self.is_ended = true;
                    self.error = self.reader.damage();
                    // An error after the pending record is at the place where another one should begin.
                    let read = self.reader.position();
                    let after = self.error.filter(|error| Some(error.offset) > self.pending);
                    self.place(after.map_or(read, |error| error.offset.min(read)))
                }
            };
            if let Some(place) = place {
                return Some(Ok(place));
            }
        }
        self.error.take().map(Err)
    }
}
