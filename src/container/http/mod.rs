//! HTTP messages as a client prints them: `curl -i`, `curl -iL`, `wget --save-headers`, the block of a WARC record.
//!
//! A client prints a chain of responses: interim ones (`100`), those of proxies (`200 Connection established`), redirects
//! without or with their bodies, the last one. Whoever reads the chain resolves each `Location` against the URL of
//! the response that has it.

mod payload;

use super::error::{ContainerError, ContainerErrorKind};
use super::headers::{HeaderBlock, MalformedLine, content_of, line_at};
use super::transfer::decode_chunked;
use crate::span::Span;

pub use payload::{Framing, Payload};

/// This many responses are read; what follows is part of the last one's body.
pub const MOST_RESPONSES: usize = 10_000;

/// The responses of a dump, and what was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Every response, in order; at least one.
    pub responses: Vec<Response>,
    /// What was wrong at the end, if anything was: the last body is shorter than its header fields say, or there are
    /// more responses than are read.
    pub error: Option<ContainerError>,
}

/// One response. Spans point into the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Response {
    /// The status line, its line end included.
    pub status_line: Span,
    /// The status code.
    pub status: u16,
    /// Where the body begins and ends, as it is stored.
    pub body: Span,
}

impl Response {
    /// The header fields; `source` is the buffer this was split from.
    #[must_use]
    pub fn headers<'s>(&self, source: &'s [u8]) -> HeaderBlock<'s> {
        HeaderBlock::split(source, self.status_line.end, MalformedLine::Skip)
    }

    /// Whether this sends the client to the URL in `Location`.
    ///
    /// # Source
    /// RFC 9110 section 15.4: 300 to 303, 307 and 308. `Location` in other responses means something else.
    #[must_use]
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 300..=303 | 307 | 308)
    }

    /// Where a redirect leads, as it is written.
    #[must_use]
    pub fn location(&self, source: &[u8]) -> Option<String> {
        let location = self.headers(source).text("Location")?;
        (self.is_redirect() && !location.is_empty()).then_some(location)
    }

    /// Whether a response with that status has no body (RFC 9112 section 6.3).
    fn has_no_body(self) -> bool {
        matches!(self.status, 100..=199 | 204 | 304)
    }
}

/// Splits a dump into its responses.
///
/// A body ends where its header fields say, if another response begins there; otherwise it goes on to the end of the
/// dump, because clients print what they decoded and leave the header fields as they were.
///
/// # Source
/// RFC 9112 sections 2 to 7; status lines of HTTP/2 and HTTP/3 as clients print them, without a reason.
///
/// # Errors
/// [`ContainerErrorKind::NotHttp`] if no status line is at the beginning.
///
/// # Complexity
/// Linear in the length of `source`.
pub fn split_dump(source: &[u8]) -> Result<Dump, ContainerError> {
    let mut responses = Vec::new();
    let mut error = None;
    let mut position = 0;
    while position < source.len() || responses.is_empty() {
        let mut response = split_response(source, position)?;
        if responses.len() + 1 == MOST_RESPONSES {
            error = Some(ContainerErrorKind::TooManyEntities.at(position));
            responses.push(response);
            break;
        }
        let headers = response.headers(source);
        if !headers.is_closed() {
            error = Some(ContainerErrorKind::Truncated.at(source.len()));
        }
        match body_end(source, &response, &headers) {
            BodyEnd::At(end) => {
                // RFC 9112 section 2.2: empty lines before a response mean nothing.
                let next = end + line_ends(&source[end..]);
                if begins_response(&source[next..]) {
                    response.body.end = end;
                    position = next;
                } else if end == source.len() {
                    response.body.end = end;
                }
            }
            BodyEnd::Open => {}
            BodyEnd::Missing if response.body.is_empty() && headers.is_closed() => {
                error = Some(ContainerErrorKind::NoBody.at(source.len()));
            }
            BodyEnd::Missing => error = Some(ContainerErrorKind::Truncated.at(source.len())),
        }
        position = position.max(response.body.end);
        responses.push(response);
    }
    Ok(Dump { responses, error })
}

/// Splits the one response that begins at `start` and goes on to the end of `source`.
///
/// # Errors
/// [`ContainerErrorKind::NotHttp`] if no status line is there.
pub fn split_response(source: &[u8], start: usize) -> Result<Response, ContainerError> {
    let start = start.min(source.len());
    let status_line = line_at(source, start);
    let content = content_of(source, status_line);
    let Some(status) = status_of(&source[content.start..content.end]) else {
        return Err(ContainerErrorKind::NotHttp.at(start));
    };
    let headers = HeaderBlock::split(source, status_line.end, MalformedLine::Skip);
    Ok(Response {
        status_line,
        status,
        body: Span::new(headers.body_start(), source.len()),
    })
}

/// Whether `source` begins like a response.
#[must_use]
pub fn begins_response(source: &[u8]) -> bool {
    let content = content_of(source, line_at(source, 0));
    status_of(&source[..content.end]).is_some()
}

/// How many bytes of line ends are first.
fn line_ends(bytes: &[u8]) -> usize {
    let text = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    text.unwrap_or(bytes.len())
}

enum BodyEnd {
    /// The header fields say so.
    At(usize),
    /// They do not say.
    Open,
    /// They say more than there is.
    Missing,
}

fn body_end(source: &[u8], response: &Response, headers: &HeaderBlock<'_>) -> BodyEnd {
    let start = response.body.start;
    let body = &source[start..];
    // A client that follows redirects, or talks to a proxy, prints no body before the next response.
    if response.has_no_body() || begins_response(body) {
        return BodyEnd::At(start);
    }
    if payload::is_chunked(headers) {
        let chunked = decode_chunked(body, usize::MAX);
        return match chunked.error {
            None => BodyEnd::At(start + chunked.end),
            // Nothing of it is chunked: it is decoded already.
            Some(_) if chunked.bytes.is_empty() => BodyEnd::Open,
            Some(error) if error.kind == ContainerErrorKind::Truncated => BodyEnd::Missing,
            Some(_) => BodyEnd::Open,
        };
    }
    match content_length(headers) {
        // The length of what was compressed says nothing of what it became.
        Some(length) if length > body.len() && payload::is_decoded(headers, body) => BodyEnd::Open,
        Some(length) if length > body.len() => BodyEnd::Missing,
        Some(length) => BodyEnd::At(start + length),
        None => BodyEnd::Open,
    }
}

fn content_length(headers: &HeaderBlock<'_>) -> Option<usize> {
    headers.text("Content-Length")?.parse().ok()
}

/// The status code of a status line: `HTTP/1.1 200 OK`, `HTTP/2 200`.
fn status_of(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/")?;
    let version = rest.iter().position(|&byte| byte == b' ')?;
    let is_version = rest.first().is_some_and(u8::is_ascii_digit)
        && rest[..version]
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let rest = rest[version..].trim_ascii_start();
    let (digits, behind) = rest.split_at_checked(3)?;
    let is_status = is_version
        && matches!(behind.first(), None | Some(b' ' | b'\t'))
        && digits.iter().all(u8::is_ascii_digit);
    if !is_status {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
