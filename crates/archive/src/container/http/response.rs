//! The header of a response.

use absolve::Span;

use crate::container::headers::{HeaderBlock, HeaderExtent};

/// A response. Spans point into the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Response {
    /// The status line, including its line end.
    pub status_line: Span,
    /// The status code.
    pub status: u16,
    /// The body, as it is stored.
    pub body: Span,
    /// The place of the header fields in the dump.
    pub(super) headers: HeaderExtent,
}

impl Response {
    /// Returns the header fields. `source` must be the buffer from which this response was split.
    #[must_use]
    pub fn headers<'s>(&self, source: &'s [u8]) -> HeaderBlock<'s> {
        HeaderBlock::at(source, self.headers)
    }

    /// Returns whether this response redirects the client to the URL in `Location`.
    ///
    /// # Source
    /// RFC 9110 section 15.4: 300 to 303, 307 and 308. `Location` in other responses means something else.
    #[must_use]
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 300..=303 | 307 | 308)
    }

    /// Returns the `Location` of a redirect as it is written; `None` if it is missing or empty, or this is not a
    /// redirect.
    #[must_use]
    pub fn location(&self, source: &[u8]) -> Option<String> {
        let location = self.headers(source).text("Location")?;
        (self.is_redirect() && !location.is_empty()).then_some(location)
    }

    /// Returns whether a response with this status never has a body (RFC 9112 section 6.3).
    pub(super) fn never_has_body(self) -> bool {
        matches!(self.status, 100..=199 | 204 | 304)
    }
}
