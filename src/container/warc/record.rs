//! One record of an archive.

use crate::container::content_type::ContentType;
use crate::container::error::ContainerError;
use crate::container::headers::{HeaderBlock, MalformedLine, line_at};
use crate::container::http::begins_response;

/// One record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// Where it begins in the archive as it is stored; for a compressed record, where its gzip member begins.
    pub offset: u64,
    /// Which it is of those in its gzip member, counted from one. Where an archive is compressed as a whole, all have one
    /// [`offset`](Self::offset).
    pub number: u64,
    /// The version line and the header fields, up to the empty line and with it.
    pub head: Vec<u8>,
    /// What follows.
    pub block: RecordBlock,
    /// What is wrong with the record, if anything is; it was read all the same.
    pub remark: Option<ContainerError>,
}

/// The block of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordBlock {
    /// All of it.
    Whole(Vec<u8>),
    /// It has that many bytes, which is more than is read. The record can be copied and passed over.
    TooLong(u64),
}

/// The types of records that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// A response, with the header fields of its protocol.
    Response,
    /// A document without such.
    Resource,
    /// That a document is the same as in another record; with the header fields, at most.
    Revisit,
    /// A document made from another record's.
    Conversion,
    /// Everything else: `warcinfo`, `request`, `metadata`, `continuation`.
    Other,
}

impl WarcRecord {
    /// The header fields.
    #[must_use]
    pub fn headers(&self) -> HeaderBlock<'_> {
        let version = line_at(&self.head, 0);
        HeaderBlock::split(&self.head, version.end, MalformedLine::Skip)
    }

    /// The type.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        let name = self.headers().text("WARC-Type").unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "response" => RecordKind::Response,
            "resource" => RecordKind::Resource,
            "revisit" => RecordKind::Revisit,
            "conversion" => RecordKind::Conversion,
            _ => RecordKind::Other,
        }
    }

    /// `WARC-Target-URI`, without the angle brackets that some writers put around it because the grammar of WARC 1.0
    /// has them and its examples have not.
    #[must_use]
    pub fn target_uri(&self) -> Option<String> {
        let value = self.headers().text("WARC-Target-URI")?;
        let inner = value
            .strip_prefix('<')
            .and_then(|value| value.strip_suffix('>'));
        let uri = inner.unwrap_or(&value).trim_ascii();
        (!uri.is_empty()).then(|| uri.to_owned())
    }

    /// The block, if it was read.
    #[must_use]
    pub fn block(&self) -> Option<&[u8]> {
        match &self.block {
            RecordBlock::Whole(block) => Some(block),
            RecordBlock::TooLong(_) => None,
        }
    }

    /// Whether the block is an HTTP response: `application/http`, or nothing else said, and a status line in it.
    #[must_use]
    pub fn is_http_response(&self) -> bool {
        let begins_well = self.block().is_some_and(begins_response);
        begins_well && self.says_http().unwrap_or(true)
    }

    /// Whether the block says that it is an HTTP message, and does not begin like one.
    #[must_use]
    pub fn is_damaged_http(&self) -> bool {
        let begins_badly = self.block().is_some_and(|block| !begins_response(block));
        begins_badly && self.says_http().unwrap_or(false)
    }

    /// Whether the type of the block is `application/http`, if it has a type.
    fn says_http(&self) -> Option<bool> {
        let content_type = self.headers().value("Content-Type")?;
        Some(ContentType::parse(&content_type).essence == "application/http")
    }
}
