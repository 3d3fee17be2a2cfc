//! Writing of records: with a new block, or as a conversion of another record.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use uuid::{Builder, Uuid, uuid};

use absolve::{Edit, Span, splice};

use super::digest;
use super::record::{RecordKind, WarcRecord};
use crate::container::http;
use crate::container::transfer::{Coding, decode_chunked, encode_slices};

/// The maximum length of a decoded payload whose digest is computed.
const MAX_PAYLOAD: usize = 256 << 20;

/// Function that returns the bytes of a block that a payload digest may cover.
type Digested = for<'b> fn(&'b [u8]) -> Option<Cow<'b, [u8]>>;

/// The payloads of an HTTP message for which writers make digests: the body as it is stored, the body without the
/// chunked coding, and the body without any coding.
const HTTP_PAYLOADS: [Digested; 3] = [
    |block| {
        let body = http::split_response(block, 0).ok()?.body;
        Some(Cow::Borrowed(&block[body.start..body.end]))
    },
    |block| {
        let body = http::split_response(block, 0).ok()?.body;
        let chunked = decode_chunked(&block[body.start..body.end], MAX_PAYLOAD);
        chunked.error.is_none().then_some(Cow::Owned(chunked.bytes))
    },
    |block| {
        let payload = http::split_response(block, 0)
            .ok()?
            .payload(block, MAX_PAYLOAD);
        payload.error.is_none().then_some(payload.bytes)
    },
];

/// A record to be written: its head, its block, and the empty lines after them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewRecord<'b> {
    /// The version line and the header fields, including the empty line after them.
    pub head: Vec<u8>,
    /// The block.
    pub block: Cow<'b, [u8]>,
}

/// The end of a record.
const END: &[u8] = b"\r\n\r\n";

impl NewRecord<'_> {
    /// Writes the record, compressed as a member of its own if `compression` is a coding.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write(&self, output: &mut impl Write, compression: Option<Coding>) -> io::Result<()> {
        let Self { head, block } = self;
        if let Some(coding) = compression {
            let length = head.len() + block.len() + END.len();
            let record = head.chain(&**block).chain(END);
            return output.write_all(&encode_slices(record, length, coding));
        }
        [head, &**block, END]
            .iter()
            .try_for_each(|part| output.write_all(part))
    }
}

/// A record with another block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplacedRecord<'b> {
    /// The record.
    pub record: NewRecord<'b>,
    /// The new payload digest, if the record has one.
    pub payload_digest: Option<String>,
    /// Whether a digest was removed, because its algorithm is unknown or it covers something unknown.
    pub has_lost_digest: bool,
}

impl WarcRecord {
    /// Returns the record with another block.
    ///
    /// `Content-Length`, `WARC-Block-Digest` and `WARC-Payload-Digest` are corrected; digests keep their algorithm
    /// and notation. A digest in an unknown algorithm, or of something that is not the payload, is removed. Everything
    /// else is unchanged, including the record's identifier, so that references to the record remain valid.
    ///
    /// # Source
    /// WARC 1.1 sections 5.4, 5.8 and 5.9. Writers disagree about the payload of a chunked message; the reading that
    /// fits the existing digest is used.
    #[must_use]
    pub fn with_block<'b>(&self, block: impl Into<Cow<'b, [u8]>>) -> ReplacedRecord<'b> {
        let block = block.into();
        let old = self.block().unwrap_or_default();
        let mut payload_digest = None;
        let mut has_lost_digest = false;
        let head = self.with_fields(|name, value| match name {
            "content-length" => Some(Some(block.len().to_string())),
            "warc-block-digest" | "warc-payload-digest" => {
                let digest = if name == "warc-block-digest" {
                    digest::recompute(value, &block)
                } else {
                    payload_digest = self.payload_digest(value, old, &block);
                    payload_digest.clone()
                };
                has_lost_digest |= digest.is_none();
                Some(digest)
            }
            _ => None,
        });
        ReplacedRecord {
            record: NewRecord { head, block },
            payload_digest,
            has_lost_digest,
        }
    }

    /// Returns this record, of type `revisit`, for another payload: with that `WARC-Payload-Digest`, and with the block
    /// `block`.
    ///
    /// # Source
    /// WARC 1.1 section 6.7: the payload of a `revisit` is that of another record; its block has header fields at most.
    #[must_use]
    pub fn with_payload_of_other<'b>(
        &self,
        payload_digest: &str,
        block: impl Into<Cow<'b, [u8]>>,
    ) -> NewRecord<'b> {
        let block = block.into();
        let head = self.with_fields(|name, value| match name {
            "content-length" => Some(Some(block.len().to_string())),
            "warc-block-digest" => Some(digest::recompute(value, &block)),
            "warc-payload-digest" => Some(Some(payload_digest.to_owned())),
            _ => None,
        });
        NewRecord { head, block }
    }

    /// Returns the head with changed fields. `change` is called with the name of each field, in lower case, and its
    /// value. It returns `None` if the field does not change, and otherwise its new value, or that it has none, which
    /// removes the field.
    fn with_fields(&self, mut change: impl FnMut(&str, &str) -> Option<Option<String>>) -> Vec<u8> {
        let mut edits = Vec::new();
        let head = &self.head;
        for field in self.headers().fields() {
            let text = |span: Span| String::from_utf8_lossy(&head[span.start..span.end]);
            let name = text(field.name).to_ascii_lowercase();
            edits.extend(change(&name, &text(field.value)).map(|value| match value {
                Some(text) => Edit::new(field.value, text),
                None => Edit::new(field.lines, ""),
            }));
        }
        splice(head, &edits).into_owned()
    }

    /// Returns a record of type `conversion` that contains `document` and refers to this record.
    ///
    /// It has the date and the target URI of this record. Its identifier depends only on that of this record and on
    /// `document`, so repeating a conversion yields the same record.
    ///
    /// # Source
    /// WARC 1.1 section 6.7. The identifier is a name-based UUID; see [`conversion_id`].
    #[must_use]
    pub fn conversion<'d>(
        &self,
        document: impl Into<Cow<'d, [u8]>>,
        content_type: &str,
    ) -> NewRecord<'d> {
        let document = document.into();
        let headers = self.headers();
        let version = Span::new(0, headers.span().start);
        let mut head = self.head[version.start..version.end].to_vec();
        let record_id = headers.text("WARC-Record-ID").unwrap_or_default();
        let mut add = |name: &str, value: &str| {
            // Without control characters, a value cannot end its line early.
            let value: String = value.chars().filter(|c| !c.is_control()).collect();
            head.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        };
        add("WARC-Type", "conversion");
        add("WARC-Record-ID", &conversion_id(&record_id, &document));
        if !record_id.is_empty() {
            add("WARC-Refers-To", &record_id);
        }
        for name in ["WARC-Date", "WARC-Target-URI"] {
            if let Some(value) = headers.text(name) {
                add(name, &value);
            }
        }
        add("WARC-Block-Digest", &digest::sha1_base32(&document));
        add("Content-Type", content_type);
        add("Content-Length", &document.len().to_string());
        head.extend_from_slice(b"\r\n");
        NewRecord {
            head,
            block: document,
        }
    }

    /// Returns the payload digest of the block `new`, covering what `digest` covers of the block `old`. Returns
    /// `None` if `digest` fits no payload of `old`.
    fn payload_digest(&self, digest: &str, old: &[u8], new: &[u8]) -> Option<String> {
        let is_http = self.kind() == RecordKind::Response && http::begins_response(old);
        let payloads: &[Digested] = if is_http {
            &HTTP_PAYLOADS
        } else {
            &[|block| Some(Cow::Borrowed(block))]
        };
        let fits = |payload: &&Digested| {
            payload(old).is_some_and(|payload| digest::matches_digest(digest, &payload))
        };
        let payload = payloads.iter().find(fits)?;
        digest::recompute(digest, &payload(new)?)
    }
}

/// The namespace of the identifiers of conversions.
const CONVERSIONS: Uuid = uuid!("f957b55e-a882-4846-8165-e17e5d32718f");

/// Returns the identifier of a [`conversion`](WarcRecord::conversion), in the form `<urn:uuid:...>`.
///
/// It is a name-based UUID of version 5. Its name is the identifier `original`, followed by the SHA-1 digest of
/// `document`.
///
/// # Source
/// RFC 9562 section 5.5.
#[must_use]
pub fn conversion_id(original: &str, document: &[u8]) -> String {
    let name = [original.as_bytes(), &digest::sha1(document)].concat();
    let hash = digest::sha1(&[CONVERSIONS.as_bytes(), &name[..]].concat());
    // A UUID has the first 16 of the 20 bytes.
    let id = Builder::from_sha1_bytes(std::array::from_fn(|index| hash[index])).into_uuid();
    format!("<{}>", id.urn())
}
