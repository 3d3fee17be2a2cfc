//! Captures: the records of an archive that hold the content of a URL, as indexes describe them.

use super::digest::sha1_base32;
use super::index::is_loss;
use super::record::{RecordKind, WarcRecord};
use crate::container::http::split_response;

/// A record with the content of a URL, described without it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Capture {
    /// The type of the record; [`RecordKind::Other`] for `metadata`.
    pub kind: RecordKind,
    /// `WARC-Target-URI`.
    pub url: String,
    /// `WARC-Date` with 14 digits, those that are missing filled in: `20260131120000`.
    pub timestamp: String,
    /// The media type, as it is written; `None` for a `revisit`.
    pub media_type: Option<String>,
    /// The status of an HTTP response.
    pub status: Option<u16>,
    /// `WARC-Payload-Digest`; otherwise the SHA-1 digest of the content as stored.
    pub digest: Option<String>,
    /// The `Location` of a redirect, as it is written.
    pub location: Option<String>,
    /// Whether the record has the whole content: it was read to its end, and is no segment.
    pub is_complete: bool,
}

impl Capture {
    /// Returns the capture in a record; `None` if the record has no content of a URL.
    ///
    /// # Source
    /// The records that pywb and cdxj-indexer list: all but `warcinfo`, `request` and those with
    /// `application/warc-fields`.
    #[must_use]
    pub fn of(record: &WarcRecord) -> Option<Self> {
        let headers = record.headers();
        let (kind, content_type) = (record.kind(), headers.text("Content-Type"));
        let is_type = |name: &str| {
            let value = headers.value("WARC-Type");
            value.is_some_and(|value| value.eq_ignore_ascii_case(name.as_bytes()))
        };
        if (kind == RecordKind::Other && !is_type("metadata"))
            || content_type.as_deref() == Some("application/warc-fields")
        {
            return None;
        }
        // A space is not allowed, but occurs.
        let url = record.target_uri()?.replace(' ', "%20");
        let mut digits: String = headers.text("WARC-Date")?;
        digits.retain(|digit| digit.is_ascii_digit());
        digits.truncate(14);
        digits.push_str(&"00000101000000"[digits.len()..]);
        let block = record.block().unwrap_or_default();
        let has_response = matches!(kind, RecordKind::Response | RecordKind::Revisit);
        let response = split_response(block, 0).ok();
        let response = response.filter(|_| has_response && record.is_http_response());
        let body = response.map_or(block, |response| &block[response.body.start..]);
        let media_type = match (kind, response) {
            (RecordKind::Revisit, _) => None,
            (_, Some(response)) => response.headers(block).text("Content-Type"),
            // A response that is none.
            (RecordKind::Response, None) if record.is_damaged_http() => None,
            (_, None) => content_type,
        };
        let essence = |value: String| {
            let end = |letter: char| letter == ';' || letter.is_whitespace();
            value.split(end).next().unwrap_or_default().to_owned()
        };
        let has_content = kind != RecordKind::Revisit && record.block().is_some();
        let digest = headers.text("WARC-Payload-Digest");
        Some(Self {
            kind,
            url,
            timestamp: digits,
            media_type: media_type.map(essence),
            status: response.map(|response| response.status),
            digest: digest.or_else(|| has_content.then(|| sha1_base32(body))),
            is_complete: record.block().is_some()
                && !record.is_segment()
                && !record.error.is_some_and(|error| is_loss(error.kind)),
            location: response.and_then(|response| response.location(block)),
        })
    }
}
