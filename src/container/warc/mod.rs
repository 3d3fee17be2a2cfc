//! WARC archives, plain and with a gzip member for each record: read record by record, and written again.
//!
//! A [`WarcReader`] holds one record at a time. Records that do not change are copied byte by byte, compressed ones as
//! they are compressed; those that do get lengths and digests that are right.

mod digest;
mod reader;
mod record;
mod source;
mod write;

pub use reader::WarcReader;
pub use record::{RecordBlock, RecordKind, WarcRecord};
pub use write::{compressed, conversion_id};
