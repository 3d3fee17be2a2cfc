//! Records written: with a new block, or as a conversion of another.

use std::borrow::Cow;

use super::digest;
use super::record::{RecordKind, WarcRecord};
use crate::container::http;
use crate::container::transfer::{Coding, decode_chunked, encode_coding};
use crate::span::Span;
use crate::splice::{Edit, splice};

/// The longest decoded payload of which a digest is taken.
const MOST_PAYLOAD: usize = 256 << 20;

/// What the payload digest of a record was taken of: writers differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digested {
    /// All of the block.
    Block,
    /// The body of the HTTP message, as it is stored.
    StoredBody,
    /// The same, not chunked.
    Unchunked,
    /// The same, without content codings too.
    Document,
}

impl WarcRecord {
    /// The record with another block, uncompressed: `Content-Length`, `WARC-RecordBlock-Digest` and `WARC-Payload-Digest` are made
    /// right, with the algorithm and in the notation they had. A digest of another algorithm, or of something else than
    /// the payload, is taken away. Everything else stays, the record's own identifier too, so that what refers to
    /// it still does.
    ///
    /// # Source
    /// WARC 1.1 sections 5.4, 5.8 and 5.9. On what the payload of a chunked message is, writers disagree: whichever
    /// reading fits the digest that is there is followed.
    #[must_use]
    pub fn with_block(&self, block: &[u8]) -> Vec<u8> {
        let old = self.block().unwrap_or_default();
        let mut edits = Vec::new();
        for field in self.headers().fields() {
            let name = &self.head[field.name.start..field.name.end];
            let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
            let value = String::from_utf8_lossy(&self.head[field.value.start..field.value.end]);
            let replaced = if is("Content-Length") {
                Some(block.len().to_string())
            } else if is("WARC-Block-Digest") {
                digest::like(&value, block)
            } else if is("WARC-Payload-Digest") {
                self.payload_digest(&value, old, block)
            } else {
                continue;
            };
            edits.push(match replaced {
                Some(text) => Edit {
                    span: field.value,
                    replacement: text.into_bytes(),
                },
                None => Edit {
                    span: field.lines,
                    replacement: Vec::new(),
                },
            });
        }
        let head = splice(&self.head, &edits);
        [&head, block, b"\r\n\r\n"].concat()
    }

    /// A record of type `conversion` that holds `document`, made from this one, uncompressed. It has the date of this
    /// one, and an identifier that the same conversion of the same record has every time.
    ///
    /// # Source
    /// WARC 1.1 section 6.7; the identifier is a name-based UUID (RFC 9562 section 5.5).
    #[must_use]
    pub fn conversion(&self, document: &[u8], content_type: &str) -> Vec<u8> {
        let headers = self.headers();
        let version = Span::new(0, headers.span().start);
        let mut written = self.head[version.start..version.end].to_vec();
        let own_id = headers.text("WARC-Record-ID").unwrap_or_default();
        let mut add = |name: &str, value: &str| {
            // A value cannot end its own line.
            let value: String = value.chars().filter(|c| !c.is_control()).collect();
            written.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        };
        add("WARC-Type", "conversion");
        add("WARC-Record-ID", &conversion_id(&own_id, document));
        if !own_id.is_empty() {
            add("WARC-Refers-To", &own_id);
        }
        for name in ["WARC-Date", "WARC-Target-URI"] {
            if let Some(value) = headers.text(name) {
                add(name, &value);
            }
        }
        add("WARC-Block-Digest", &digest::sha1_base32(document));
        add("Content-Type", content_type);
        add("Content-Length", &document.len().to_string());
        written.extend_from_slice(b"\r\n");
        written.extend_from_slice(document);
        written.extend_from_slice(b"\r\n\r\n");
        written
    }

    fn payload_digest(&self, digest: &str, old: &[u8], new: &[u8]) -> Option<String> {
        let readings = [
            Digested::StoredBody,
            Digested::Unchunked,
            Digested::Document,
            Digested::Block,
        ];
        let reading = readings.into_iter().find(|&reading| {
            self.payload(reading, old)
                .is_some_and(|payload| digest::is_of(digest, &payload))
        })?;
        digest::like(digest, &self.payload(reading, new)?)
    }

    fn payload<'b>(&self, reading: Digested, block: &'b [u8]) -> Option<Cow<'b, [u8]>> {
        let is_http = self.kind() == RecordKind::Response && http::begins_response(block);
        if reading == Digested::Block {
            return (!is_http).then_some(Cow::Borrowed(block));
        }
        if !is_http {
            return None;
        }
        let response = http::split_response(block, 0).ok()?;
        let stored = &block[response.body.start..response.body.end];
        match reading {
            Digested::Unchunked => {
                let chunked = decode_chunked(stored, MOST_PAYLOAD);
                chunked.error.is_none().then_some(Cow::Owned(chunked.bytes))
            }
            Digested::Document => {
                let payload = response.payload(block, MOST_PAYLOAD);
                payload.error.is_none().then_some(payload.bytes)
            }
            Digested::StoredBody | Digested::Block => Some(Cow::Borrowed(stored)),
        }
    }
}

/// A record as a gzip member of its own.
#[must_use]
pub fn compressed(record: &[u8]) -> Vec<u8> {
    encode_coding(record, Coding::Gzip)
}

/// The identifier of a [`conversion`](WarcRecord::conversion), made of that of the original and of what was made from it:
/// `<urn:uuid:...>`.
#[must_use]
pub fn conversion_id(original: &str, document: &[u8]) -> String {
    let mut name = original.as_bytes().to_vec();
    name.extend_from_slice(&digest::sha1(document));
    let mut bytes = digest::sha1(&name);
    // RFC 9562 section 5.5: version 5, and the variant.
    bytes[6] = (bytes[6] & 0x0F) | 0x50;
    bytes[8] = (bytes[8] & 0x3F) | 0x80;
    let hex = digest::hex(&bytes[..16]);
    format!(
        "<urn:uuid:{}-{}-{}-{}-{}>",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}
