//! WARC archives, plain or compressed record by record: reading records one by one, and writing them.
//!
//! A [`WarcReader`] holds one record at a time. Unchanged records are copied byte for byte, compressed ones in their
//! compressed form; changed ones get correct lengths and digests.
//!
//! Hand-written because the `warc` crate parses header fields into a map. It cannot copy a record byte for byte, keep
//! the order and spelling of the fields of a changed record, or continue after damage.

mod capture;
mod digest;
mod index;
mod reader;
mod record;
mod source;
mod write;

pub use capture::Capture;
pub use index::{RecordPlace, WarcIndex};
pub use reader::WarcReader;
pub use record::{RecordBlock, RecordKind, WarcRecord};
pub use write::{NewRecord, ReplacedRecord, conversion_id};
