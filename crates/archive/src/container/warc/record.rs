//! A record of an archive.

use crate::container::content_type::ContentType;
use crate::container::error::ContainerError;
use crate::container::headers::{HeaderBlock, HeaderExtent, MalformedLine, line_at};
use crate::container::http::begins_response;

/// A record of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// The offset at which the record begins in the archive as stored; for a compressed record, the offset of its
    /// gzip member or Zstandard frame.
    pub offset: u64,
    /// The number of the record among the records of its member or frame, counted from one. If an archive is compressed
    /// as a whole, all records have the same [`offset`](Self::offset).
    pub number: u64,
    /// The version line and the header fields as they are stored, including the empty line after them.
    pub head: Vec<u8>,
    /// The block.
    pub block: RecordBlock,
    /// The error in the record, if there is one; the record was read nevertheless.
    pub error: Option<ContainerError>,
    /// The place of the header fields in `head`.
    headers: HeaderExtent,
    kind: RecordKind,
}

/// The block of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordBlock {
    /// The whole block.
    Whole(Vec<u8>),
    /// A block that exceeds the limit, with its length in bytes. The record can be copied and skipped.
    TooLong(u64),
}

/// The type of a record, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// A response, including the header fields of its protocol.
    Response,
    /// A document without header fields of a protocol.
    Resource,
    /// A reference to a record with the same document; it contains header fields at most.
    Revisit,
    /// A document made from that of another record.
    Conversion,
    /// Any other type: `warcinfo`, `request`, `metadata`, `continuation`.
    Other,
}

impl WarcRecord {
    /// Creates a record from a head that was read. Its block is still to be read.
    pub(super) fn new(offset: u64, number: u64, head: Vec<u8>) -> Self {
        let version = line_at(&head, 0);
        let headers = HeaderBlock::split(&head, version.end, MalformedLine::Skip);
        let name = headers.value("WARC-Type").unwrap_or_default();
        let kinds = [
            ("response", RecordKind::Response),
            ("resource", RecordKind::Resource),
            ("revisit", RecordKind::Revisit),
            ("conversion", RecordKind::Conversion),
        ];
        let kind = kinds
            .iter()
            .find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        Self {
            offset,
            number,
            block: RecordBlock::TooLong(0),
            error: None,
            headers: headers.extent(),
            kind: kind.map_or(RecordKind::Other, |&(_, kind)| kind),
            head,
        }
    }

    /// Returns the header fields.
    #[must_use]
    pub fn headers(&self) -> HeaderBlock<'_> {
        HeaderBlock::at(&self.head, self.headers)
    }

    /// Returns the type.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.kind
    }

    /// Returns `WARC-Target-URI` without angle brackets. Some writers add them: the grammar of WARC 1.0 contains
    /// them, but its examples do not.
    #[must_use]
    pub fn target_uri(&self) -> Option<String> {
        let value = self.headers().text("WARC-Target-URI")?;
        let inner = value
            .strip_prefix('<')
            .and_then(|value| value.strip_suffix('>'));
        let uri = inner.unwrap_or(&value).trim_ascii();
        (!uri.is_empty()).then(|| uri.to_owned())
    }

    /// Returns whether the block is a part of a longer one, which several records contain (WARC 1.1, "Record
    /// segmentation").
    #[must_use]
    pub fn is_segment(&self) -> bool {
        self.headers().find("WARC-Segment-Number").is_some()
    }

    /// Returns the block, or `None` if it exceeds the limit.
    #[must_use]
    pub fn block(&self) -> Option<&[u8]> {
        match &self.block {
            RecordBlock::Whole(block) => Some(block),
            RecordBlock::TooLong(_) => None,
        }
    }

    /// Returns whether the block is an HTTP response: it begins with a status line, and its `Content-Type` is
    /// `application/http` or missing.
    #[must_use]
    pub fn is_http_response(&self) -> bool {
        let is_response = self.block().is_some_and(begins_response);
        is_response && self.declared_as_http().unwrap_or(true)
    }

    /// Returns whether the block is declared as `application/http` and does not begin with a status line.
    #[must_use]
    pub fn is_damaged_http(&self) -> bool {
        let is_no_response = self.block().is_some_and(|block| !begins_response(block));
        is_no_response && self.declared_as_http().unwrap_or(false)
    }

    /// Returns whether the `Content-Type` is `application/http`, or `None` if there is none.
    fn declared_as_http(&self) -> Option<bool> {
        let content_type = self.headers().value("Content-Type")?;
        Some(ContentType::parse(&content_type).essence == "application/http")
    }
}
