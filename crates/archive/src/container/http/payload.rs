//! The body of a response as a document, and its replacement.

use std::borrow::Cow;

use absolve::{Edit, Span};

use super::response::Response;
use crate::container::DecodeBudget;
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine};
use crate::container::transfer::{
    Coding, decode_chunked, decode_coding, encode_chunked, encode_coding, is_known, looks_like_text,
};

/// Header fields with a digest of the old body, which are removed because the digest would be wrong.
const DIGESTS: &[&str] = &["Content-MD5", "Digest", "Content-Digest", "Repr-Digest"];

/// Limit on nested codings. Servers apply one or two; each further level multiplies the work that a malicious body
/// can cause.
const MAX_CODINGS: usize = 4;

/// The body of a response without its transfer and content codings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Payload<'s> {
    /// The document; borrowed if the body is stored without codings.
    pub bytes: Cow<'s, [u8]>,
    /// The codings in which the body is stored.
    pub framing: Framing,
    /// The error that prevented complete decoding, if there is one. Its offset is relative to the dump.
    pub error: Option<ContainerError>,
}

/// The codings in which a body is really stored, whatever its header fields declare.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Framing {
    /// The trailer fields without digests if the body is chunked, otherwise `None`.
    trailers: Option<Vec<u8>>,
    /// The content codings, and transfer codings other than `chunked`, in the order in which they were applied.
    codings: Vec<Coding>,
    /// For each of `codings`, the bytes after the encoded data. They are written back.
    trailing: Vec<Vec<u8>>,
}

impl Framing {
    /// Returns whether the body is chunked.
    #[must_use]
    pub fn is_chunked(&self) -> bool {
        self.trailers.is_some()
    }

    /// Returns the codings of the body other than `chunked`, in the order in which they were applied.
    #[must_use]
    pub fn codings(&self) -> &[Coding] {
        &self.codings
    }
}

/// Returns whether the header fields declare the body as chunked.
pub(super) fn is_chunked(headers: &HeaderBlock<'_>) -> bool {
    let list = joined_field_values(headers, "Transfer-Encoding");
    coding_names(&list).any(|name| name.eq_ignore_ascii_case("chunked"))
}

/// Returns whether a client has decoded the body: it is not in the last content coding that the header fields name.
/// If that coding is not supported, a body that looks like text counts as decoded.
pub(super) fn is_decoded(headers: &HeaderBlock<'_>, body: &[u8]) -> bool {
    let list = joined_field_values(headers, "Content-Encoding");
    coding_names(&list).next_back().is_some_and(|name| {
        Coding::of(name, body).is_none()
            && (is_known(name) || looks_like_text(body))
            && !body.is_empty()
    })
}

/// Joins the lists in all fields called `name` (RFC 9110 section 5.3).
fn joined_field_values(headers: &HeaderBlock<'_>, name: &str) -> String {
    let mut list = String::new();
    for field in headers.all(name) {
        list.push_str(&headers.text_at(field.value));
        list.push(',');
    }
    list
}

/// Iterates over the names in a comma-separated list, except `identity`.
fn coding_names(value: &str) -> impl DoubleEndedIterator<Item = &str> {
    value
        .split(',')
        .map(str::trim_ascii)
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"))
}

impl Response {
    /// Returns the body without its codings. `limit` is the maximum decoded length in bytes.
    ///
    /// Clients print the decoded body below the header fields that they received. Therefore a coding is undone only
    /// if the body is really in it.
    #[must_use]
    pub fn payload<'s>(&self, source: &'s [u8], limit: usize) -> Payload<'s> {
        self.payload_within(source, limit, &mut DecodeBudget::new(usize::MAX, 0))
    }

    /// Like [`payload`](Self::payload), for a container that may be decoded to no more than `budget`.
    pub(crate) fn payload_within<'s>(
        &self,
        source: &'s [u8],
        limit: usize,
        budget: &mut DecodeBudget,
    ) -> Payload<'s> {
        let headers = self.headers(source);
        let mut payload = Payload {
            bytes: Cow::Borrowed(&source[self.body.start..self.body.end]),
            framing: Framing::default(),
            error: None,
        };
        if is_chunked(&headers) {
            let chunked = decode_chunked(&payload.bytes, limit);
            let is_decoded_already = chunked.error.is_some() && chunked.bytes.is_empty();
            if !is_decoded_already {
                let is_all = chunked.end == payload.bytes.len();
                let kind = match chunked.error {
                    Some(error) => Some(error.kind),
                    None => (!is_all).then_some(ContainerErrorKind::BadChunk),
                };
                let trailers = trailers_without_digests(&payload.bytes, chunked.trailers);
                payload.framing.trailers = Some(trailers);
                payload.error = kind.map(|kind| kind.at(self.body.start + chunked.end));
                payload.bytes = Cow::Owned(chunked.bytes);
            }
        }
        self.undo_codings(&headers, &mut payload, limit, budget);
        payload
    }

    /// Undoes the codings that the header fields name and the body is in, last applied first.
    fn undo_codings(
        &self,
        headers: &HeaderBlock<'_>,
        payload: &mut Payload<'_>,
        limit: usize,
        budget: &mut DecodeBudget,
    ) {
        let fields = ["Content-Encoding", "Transfer-Encoding"]
            .map(|name| joined_field_values(headers, name));
        let listed: Vec<&str> = fields
            .iter()
            .flat_map(|list| coding_names(list))
            .filter(|name| !name.eq_ignore_ascii_case("chunked"))
            .collect();
        if listed.len() > MAX_CODINGS {
            payload.error = Some(ContainerErrorKind::UnknownCoding.at(self.body.start));
            return;
        }
        for name in listed.iter().rev() {
            // A truncated body is decoded as far as possible; after any other error, decoding further makes no sense.
            if payload
                .error
                .is_some_and(|error| error.kind != ContainerErrorKind::Truncated)
            {
                return;
            }
            let Some(coding) = Coding::of(name, &payload.bytes) else {
                // An unsupported coding was undone by the client if the body looks like text; otherwise it is still
                // there.
                if !is_known(name) && !looks_like_text(&payload.bytes) {
                    payload.error = Some(ContainerErrorKind::UnknownCoding.at(self.body.start));
                    return;
                }
                continue;
            };
            let left = budget.left();
            let decoded = decode_coding(&payload.bytes, coding, limit.min(left));
            budget.take(decoded.bytes.len());
            let end = payload.bytes.len() - decoded.trailing_len;
            let trailing = payload.bytes[end..].to_vec();
            payload.bytes = Cow::Owned(decoded.bytes);
            payload.framing.codings.insert(0, coding);
            payload.framing.trailing.insert(0, trailing);
            if let Some(error) = decoded.error {
                let kind = match error.kind {
                    ContainerErrorKind::BodyTooLong if left < limit => {
                        ContainerErrorKind::DecodedTooMuch
                    }
                    kind => kind,
                };
                payload.error = Some(kind.at(self.body.start));
            }
        }
    }

    /// Returns the edits that replace the body by `document`, stored in the codings in which the body is stored.
    ///
    /// Header fields are adjusted. `Content-Length` is corrected if it is present and the body is not chunked.
    /// `Content-Encoding` is removed if the body is stored in no coding other than `chunked`, and `Transfer-Encoding`
    /// if the body is stored in no coding. Digests of the old body are removed. There are no edits if the payload
    /// equals `document`. Edits are in order and disjoint.
    ///
    /// # Errors
    /// The error of `payload`, if it has one: replacing a document of which only a part was read would lose the rest.
    pub fn with_document<'d>(
        &self,
        source: &[u8],
        payload: &Payload<'_>,
        document: impl Into<Cow<'d, [u8]>>,
    ) -> Result<Vec<Edit>, ContainerError> {
        let mut body = document.into();
        if payload.bytes == body {
            return Ok(Vec::new());
        }
        if let Some(error) = payload.error {
            return Err(error);
        }
        let framing = &payload.framing;
        for (&coding, trailing) in framing.codings.iter().zip(&framing.trailing) {
            let mut encoded = encode_coding(&body, coding);
            encoded.extend_from_slice(trailing);
            body = Cow::Owned(encoded);
        }
        let length = body.len();
        if let Some(trailers) = &framing.trailers {
            body = Cow::Owned(encode_chunked(&body, trailers));
        }
        let mut edits = self.header_edits(source, framing, length);
        edits.push(Edit::new(self.body, body));
        Ok(edits)
    }

    /// Returns the edits of the header fields for a new body whose length without chunked coding is `length`.
    fn header_edits(&self, source: &[u8], framing: &Framing, length: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        for field in self.headers(source).fields() {
            let name = &source[field.name.start..field.name.end];
            let value = &source[field.value.start..field.value.end];
            let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
            let is_wrong = is_digest(name)
                || is("Content-Encoding") && framing.codings.is_empty() && names_any_coding(value)
                || is("Transfer-Encoding") && !framing.is_chunked() && framing.codings.is_empty();
            if is_wrong {
                edits.push(Edit::new(field.lines, ""));
            } else if is("Content-Length") && !framing.is_chunked() {
                edits.push(Edit::new(field.value, length.to_string()));
            }
        }
        edits
    }
}

/// Returns the trailer fields without digests of the body.
fn trailers_without_digests(body: &[u8], trailers: Span) -> Vec<u8> {
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

/// Returns whether a list names any coding but `identity`.
fn names_any_coding(value: &[u8]) -> bool {
    let value = String::from_utf8_lossy(value);
    coding_names(&value).next().is_some()
}
