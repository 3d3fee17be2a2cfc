//! HTTP messages as a client prints them: `curl -i`, `curl -iL`, `wget --save-headers`, the block of a WARC record.
//!
//! A client prints a chain of responses: interim responses (`100`), those of proxies (`200 Connection established`),
//! redirects with or without their bodies, and the final response. The caller must resolve each `Location` against
//! the URL of the response that contains it.
//!
//! Hand-written because `httparse` rejects the status lines that clients print for HTTP/2 and HTTP/3, and because
//! such a dump is not a protocol stream: lengths and codings often describe the response before the client decoded
//! it.

mod payload;
mod response;

use absolve::Span;

use super::error::{ContainerError, ContainerErrorKind};
use super::headers::{HeaderBlock, MalformedLine, content_of, line_at};
use super::transfer::decode_chunked;

pub use payload::{Framing, Payload};
pub use response::Response;

/// The maximum number of responses; whatever follows is part of the last one's body.
pub const MAX_RESPONSES: usize = 10_000;

/// The responses of a dump, and an error in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// All responses in order; at least one.
    pub responses: Vec<Response>,
    /// The error at the end, if there is one: the last response is shorter than its header fields declare, or there
    /// are more responses than the limit allows.
    pub error: Option<ContainerError>,
}

/// Splits a dump into its responses.
///
/// A body ends where its header fields declare if another response begins there. Otherwise it extends to the end of
/// the dump, because clients print the decoded body below the header fields of the encoded one.
///
/// # Source
/// RFC 9112 sections 2 to 7; also the status lines of HTTP/2 and HTTP/3 as clients print them, without a reason.
///
/// # Errors
/// [`ContainerErrorKind::NotHttp`] if the dump does not begin with a status line.
///
/// # Complexity
/// Linear in the length of `source`.
pub fn split_dump(source: &[u8]) -> Result<Dump, ContainerError> {
    let mut responses = Vec::new();
    let mut error = None;
    let mut position = 0;
    while position < source.len() || responses.is_empty() {
        let mut response = split_response(source, position)?;
        if responses.len() + 1 == MAX_RESPONSES {
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
                // RFC 9112 section 2.2: empty lines before a response are ignored.
                let next = end + count_line_ends(&source[end..]);
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
        // Always advances: every response has a status line, and `position` is at least its end.
        position = position.max(response.body.end);
        responses.push(response);
    }
    Ok(Dump { responses, error })
}

/// Splits off the response that begins at `start` and extends to the end of `source`.
///
/// # Errors
/// [`ContainerErrorKind::NotHttp`] if there is no status line at `start`.
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
        headers: headers.extent(),
    })
}

/// Returns whether `source` begins with a status line.
#[must_use]
pub fn begins_response(source: &[u8]) -> bool {
    let content = content_of(source, line_at(source, 0));
    status_of(&source[..content.end]).is_some()
}

/// Returns the number of CR and LF bytes at the beginning.
fn count_line_ends(bytes: &[u8]) -> usize {
    let text = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    text.unwrap_or(bytes.len())
}

/// The end of a body according to its header fields.
enum BodyEnd {
    /// An offset.
    At(usize),
    /// Unknown: the body extends to the end of the dump.
    Open,
    /// Beyond the end of the dump.
    Missing,
}

/// Returns the end of a body according to the status, the framing and the length that the header fields declare.
fn body_end(source: &[u8], response: &Response, headers: &HeaderBlock<'_>) -> BodyEnd {
    let start = response.body.start;
    let body = &source[start..];
    // A client that follows redirects, or uses a proxy, may print no body before the next response, whatever length
    // is declared.
    if response.never_has_body() || begins_response(body) {
        return BodyEnd::At(start);
    }
    if payload::is_chunked(headers) {
        let chunked = decode_chunked(body, usize::MAX);
        return match chunked.error {
            None => BodyEnd::At(start + chunked.end),
            // Not even the first chunk is valid: the client has removed the chunked coding.
            Some(_) if chunked.bytes.is_empty() => BodyEnd::Open,
            Some(error) if error.kind == ContainerErrorKind::Truncated => BodyEnd::Missing,
            Some(_) => BodyEnd::Open,
        };
    }
    match content_length(headers) {
        // `Content-Length` is that of the compressed body, which the client has decompressed.
        Some(length) if length > body.len() && payload::is_decoded(headers, body) => BodyEnd::Open,
        Some(length) if length > body.len() => BodyEnd::Missing,
        Some(length) => BodyEnd::At(start + length),
        None => BodyEnd::Open,
    }
}

fn content_length(headers: &HeaderBlock<'_>) -> Option<usize> {
    headers.text("Content-Length")?.parse().ok()
}

/// Returns the status code of a status line, such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
fn status_of(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/")?;
    let version = rest.iter().position(|&byte| byte == b' ')?;
    let is_version = rest.first().is_some_and(u8::is_ascii_digit)
        && rest[..version]
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let rest = rest[version..].trim_ascii_start();
    let (digits, tail) = rest.split_at_checked(3)?;
    let is_status = is_version
        && matches!(tail.first(), None | Some(b' ' | b'\t'))
        && digits.iter().all(u8::is_ascii_digit);
    if !is_status {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
