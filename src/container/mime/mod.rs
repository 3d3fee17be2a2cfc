//! MIME messages: mail, and web pages saved as one file (MHTML).
//!
//! The structure is read in one pass over the lines; bodies are decoded only when they are asked for. What mail
//! readers tolerate is tolerated, and remarked on.

mod body;
mod structure;

use super::content_type::ContentType;
use super::error::{ContainerError, ContainerErrorKind};
use super::headers::{HeaderBlock, MalformedLine};
use crate::span::Span;

pub use body::TransferEncoding;

/// Entities are read to this depth; what is deeper is one body.
pub const MOST_LEVELS: usize = 100;

/// This many entities are read; what follows is part of the last one's body.
pub const MOST_ENTITIES: usize = 20_000;

/// A message and the entities in it. Spans point into the bytes it was split from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Every entity in the order in which they begin: the message itself, and then what it encloses.
    pub entities: Vec<MimeEntity>,
    /// What is wrong with it, in order of offset. Everything was read that could be.
    pub remarks: Vec<ContainerError>,
}

/// One entity: header fields and a body (RFC 2045 section 2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MimeEntity {
    /// The entity around it, as an index of [`Message::entities`]; `None` for the message itself.
    pub parent: Option<usize>,
    /// What it encloses.
    pub content: Content,
    /// The header fields, without the empty line behind them.
    pub headers: Span,
    /// The body, as it is stored. The line end before a boundary belongs to the boundary.
    pub body: Span,
}

/// What an entity encloses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Other entities, with a boundary between them.
    Multipart,
    /// One message (`message/rfc822`).
    Message,
    /// A document.
    Leaf,
}

impl Message {
    /// Splits a message into its entities.
    ///
    /// # Source
    /// RFC 2046 section 5.1 (multipart) and 5.2.1 (message). A line is a boundary only if nothing but white space
    /// follows it. Of two entities, one in the other, with the same boundary, it is the inner one's.
    ///
    /// # Errors
    /// [`ContainerErrorKind::NotMime`] if no header field is at the beginning.
    ///
    /// # Complexity
    /// Linear in the length of `source`, times the depth of multipart entities that are open, which is limited.
    pub fn split(source: &[u8]) -> Result<Self, ContainerError> {
        let top = HeaderBlock::split(source, 0, MalformedLine::EndHeaders);
        if top.fields().next().is_none() {
            return Err(ContainerErrorKind::NotMime.at(0));
        }
        Ok(structure::split(source))
    }

    /// An entity and those around it, from the inside out.
    pub fn outwards(&self, index: usize) -> impl Iterator<Item = &MimeEntity> {
        let innermost = self.entities.get(index);
        std::iter::successors(innermost, |entity| self.entities.get(entity.parent?))
    }
}

impl MimeEntity {
    /// The header fields; `source` is what the message was split from.
    #[must_use]
    pub fn header_block<'s>(&self, source: &'s [u8]) -> HeaderBlock<'s> {
        let source = &source[..self.headers.end];
        HeaderBlock::split(source, self.headers.start, MalformedLine::EndHeaders)
    }

    /// The media type. Without a `Content-Type`, it is `text/plain` (RFC 2045 section 5.2).
    #[must_use]
    pub fn content_type(&self, source: &[u8]) -> ContentType {
        let value = self.header_block(source).value("Content-Type");
        ContentType::parse(value.as_deref().unwrap_or(b"text/plain"))
    }

    /// What stands between the angle brackets of `Content-ID`.
    #[must_use]
    pub fn content_id(&self, source: &[u8]) -> Option<String> {
        let value = self.header_block(source).text("Content-ID")?;
        let id = value.trim_ascii();
        let id = id.strip_prefix('<').unwrap_or(id);
        Some(id.strip_suffix('>').unwrap_or(id).to_owned())
    }

    /// The URL in a header field such as `Content-Location` or `Content-Base`, which may be relative.
    ///
    /// # Source
    /// RFC 2557 section 4.4: the field is unfolded, words encoded as in RFC 2047 are decoded, and white space that was
    /// put into a long URL is taken out.
    #[must_use]
    pub fn url_field(&self, source: &[u8], name: &str) -> Option<String> {
        let value = self.header_block(source).value(name)?;
        let text = body::decode_words(&value);
        let url: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let unquoted = url
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'));
        let url = unquoted.map_or_else(|| url.clone(), str::to_owned);
        (!url.is_empty()).then_some(url)
    }
}
