//! The body of a response as a document, and a new one put in its place.

use std::borrow::Cow;

use super::Response;
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine};
use crate::container::transfer::{
    Coding, decode_chunked, decode_coding, encode_chunked, encode_coding,
};
use crate::span::Span;
use crate::splice::Edit;

/// Header fields with a digest of the body that was, which nobody could trust any more.
const DIGESTS: &[&str] = &["Content-MD5", "Digest", "Content-Digest", "Repr-Digest"];

/// More codings than this, one in the other, are nobody's but an attacker's.
const MOST_CODINGS: usize = 4;

/// The body of a response without transfer and content codings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload<'s> {
    /// The document; borrowed if the body is stored as it is.
    pub bytes: Cow<'s, [u8]>,
    /// In what the body is stored.
    pub framing: Framing,
    /// Why that is not all of the document, if it is not. Offsets count in the dump.
    pub error: Option<ContainerError>,
}

/// In what a body is really stored, whatever its header fields say.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Framing {
    /// Its trailer fields, if it is chunked.
    trailers: Option<Vec<u8>>,
    /// The content codings, in the order they were applied.
    codings: Vec<Coding>,
}

impl Framing {
    /// Whether the body is chunked.
    #[must_use]
    pub fn is_chunked(&self) -> bool {
        self.trailers.is_some()
    }

    /// The content codings of the body, in the order they were applied.
    #[must_use]
    pub fn codings(&self) -> &[Coding] {
        &self.codings
    }
}

/// Whether the header fields say that the body is chunked.
pub(super) fn is_chunked(headers: &HeaderBlock<'_>) -> bool {
    let list = list_in(headers, "Transfer-Encoding");
    names(&list).any(|name| name.eq_ignore_ascii_case("chunked"))
}

/// Whether a client decoded the body: its header fields name a content coding, and the body is not in it.
pub(super) fn is_decoded(headers: &HeaderBlock<'_>, body: &[u8]) -> bool {
    let list = list_in(headers, "Content-Encoding");
    names(&list).next_back().is_some_and(|name| {
        Coding::of(name, body).is_none()
            && (is_known(name) || looks_like_text(body))
            && !body.is_empty()
    })
}

/// The list in all fields with that name, one behind the other (RFC 9110 section 5.3).
fn list_in(headers: &HeaderBlock<'_>, name: &str) -> String {
    let mut list = String::new();
    for field in headers.all(name) {
        list.push_str(&headers.text_at(field.value));
        list.push(',');
    }
    list
}

/// The names in a list, in order.
fn names(value: &str) -> impl DoubleEndedIterator<Item = &str> {
    value
        .split(',')
        .map(str::trim_ascii)
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"))
}

impl Response {
    /// The body without its codings; `limit` is for the decoded length.
    ///
    /// Clients print what they decoded under the header fields of what they received. So a coding is undone only
    /// where the body is in it.
    #[must_use]
    pub fn payload<'s>(&self, source: &'s [u8], limit: usize) -> Payload<'s> {
        let headers = self.headers(source);
        let at_body = |error: ContainerError| ContainerError {
            kind: error.kind,
            offset: self.body.start as u64 + error.offset,
        };
        let mut payload = Payload {
            bytes: Cow::Borrowed(&source[self.body.start..self.body.end]),
            framing: Framing::default(),
            error: None,
        };
        if is_chunked(&headers) {
            let chunked = decode_chunked(&payload.bytes, limit);
            let is_decoded_already = chunked.error.is_some() && chunked.bytes.is_empty();
            if !is_decoded_already {
                let trailers = kept_trailers(&payload.bytes, chunked.trailers);
                let is_all = chunked.error.is_some() || chunked.end == payload.bytes.len();
                payload = Payload {
                    bytes: Cow::Owned(chunked.bytes),
                    framing: Framing {
                        trailers: Some(trailers),
                        codings: Vec::new(),
                    },
                    error: chunked.error.map(at_body),
                };
                if !is_all {
                    let end = self.body.start + chunked.end;
                    payload.error = Some(ContainerErrorKind::BadChunk.at(end));
                }
            }
        }
        self.undo_codings(&headers, &mut payload, limit);
        payload
    }

    fn undo_codings(&self, headers: &HeaderBlock<'_>, payload: &mut Payload<'_>, limit: usize) {
        let fields = ["Content-Encoding", "Transfer-Encoding"].map(|name| list_in(headers, name));
        let listed: Vec<&str> = fields
            .iter()
            .flat_map(|list| names(list))
            .filter(|name| !name.eq_ignore_ascii_case("chunked"))
            .collect();
        if listed.len() > MOST_CODINGS {
            payload.error = Some(ContainerErrorKind::UnknownCoding.at(self.body.start));
            return;
        }
        for name in listed.iter().rev() {
            if payload
                .error
                .is_some_and(|error| error.kind != ContainerErrorKind::Truncated)
            {
                return;
            }
            let Some(coding) = Coding::of(name, &payload.bytes) else {
                if !is_known(name) && !looks_like_text(&payload.bytes) {
                    payload.error = Some(ContainerErrorKind::UnknownCoding.at(self.body.start));
                    return;
                }
                continue;
            };
            let decoded = decode_coding(&payload.bytes, coding, limit);
            payload.bytes = Cow::Owned(decoded.bytes);
            payload.framing.codings.insert(0, coding);
            if let Some(error) = decoded.error {
                payload.error = Some(error.kind.at(self.body.start));
            }
        }
    }

    /// The edits that put `document` in the place of the body, in the codings the body is stored in, with header
    /// fields that say so: `Content-Length` is set right if it is there, `Transfer-Encoding` and `Content-Encoding` are
    /// taken away where they name codings the stored body is not in, and so are digests of the body that was.
    ///
    /// No edits if the document is the one that is there. Edits are in order and disjoint.
    ///
    /// # Errors
    /// That of [`payload`](Self::payload): a document of which a part could not be read cannot be replaced without
    /// losing that part.
    pub fn with_document(
        &self,
        source: &[u8],
        payload: &Payload<'_>,
        document: &[u8],
    ) -> Result<Vec<Edit>, ContainerError> {
        if *payload.bytes == *document {
            return Ok(Vec::new());
        }
        if let Some(error) = payload.error {
            return Err(error);
        }
        let framing = &payload.framing;
        let mut body = Cow::Borrowed(document);
        for &coding in &framing.codings {
            body = Cow::Owned(encode_coding(&body, coding));
        }
        let length = body.len();
        if let Some(trailers) = &framing.trailers {
            body = Cow::Owned(encode_chunked(&body, trailers));
        }
        let mut edits = self.header_edits(source, framing, length);
        edits.push(Edit {
            span: self.body,
            replacement: body.into_owned(),
        });
        Ok(edits)
    }

    fn header_edits(&self, source: &[u8], framing: &Framing, length: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        for field in self.headers(source).fields() {
            let name = &source[field.name.start..field.name.end];
            let value = &source[field.value.start..field.value.end];
            let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
            let is_wrong = is_digest(name)
                || is("Content-Encoding") && framing.codings.is_empty() && is_any_known(value)
                || is("Transfer-Encoding") && !framing.is_chunked() && framing.codings.is_empty();
            if is_wrong {
                edits.push(Edit {
                    span: field.lines,
                    replacement: Vec::new(),
                });
            } else if is("Content-Length") && !framing.is_chunked() {
                edits.push(Edit {
                    span: Span::new(field.value.start, field.value.end),
                    replacement: length.to_string().into_bytes(),
                });
            }
        }
        edits
    }
}

/// The trailer fields without digests of the body.
fn kept_trailers(body: &[u8], trailers: Span) -> Vec<u8> {
    let within = &body[..trailers.end];
    let block = HeaderBlock::split(within, trailers.start, MalformedLine::Skip);
    let mut kept = Vec::new();
    let mut position = trailers.start;
    for field in block.fields() {
        let name = &body[field.name.start..field.name.end];
        if is_digest(name) {
            kept.extend_from_slice(&body[position..field.lines.start]);
            position = field.lines.end;
        }
    }
    kept.extend_from_slice(&body[position..trailers.end]);
    kept
}

fn is_digest(name: &[u8]) -> bool {
    DIGESTS
        .iter()
        .any(|digest| name.eq_ignore_ascii_case(digest.as_bytes()))
}

/// Whether a list names a coding that would have been undone, had the body been in it.
fn is_any_known(value: &[u8]) -> bool {
    let value = String::from_utf8_lossy(value);
    names(&value).next().is_some()
}

fn is_known(name: &str) -> bool {
    ["gzip", "x-gzip", "deflate"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the bytes are a document rather than something compressed: there is a `<` or an ASCII letter first, and no
/// control characters that no text has.
fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    !head
        .iter()
        .any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127))
}
