//! A message and its entities, without their bodies.

use absolve::Span;

use super::encoded_word::decode_encoded_words;
use crate::container::content_type::ContentType;
use crate::container::error::ContainerError;
use crate::container::headers::{HeaderBlock, MalformedLine};

/// The maximum nesting depth; an entity at this depth is a leaf, whatever it contains.
pub const MAX_LEVELS: usize = 100;

/// The maximum number of entities. The rest of the message is treated as an epilogue.
pub const MAX_ENTITIES: usize = 20_000;

/// A message and the entities in it. Spans point into the bytes from which it was split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// All entities in the order in which they begin: the message itself, then what it contains. Parents precede
    /// children.
    pub entities: Vec<MimeEntity>,
    /// The errors in the message, in order of offset. Whatever could be read was read.
    pub errors: Vec<ContainerError>,
}

/// An entity: header fields and a body (RFC 2045 section 2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MimeEntity {
    /// The enclosing entity, as an index of [`Message::entities`]; `None` for the message itself.
    pub parent: Option<usize>,
    /// The kind of the content.
    pub content: Content,
    /// The header fields, without the empty line after them.
    pub headers: Span,
    /// The body, as it is stored. The line end before a boundary is part of the boundary.
    pub body: Span,
}

/// The content of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Other entities, separated by a boundary.
    Multipart,
    /// A message (`message/rfc822`, `message/global`).
    Message,
    /// A document.
    Leaf,
}

impl Message {
    /// Iterates over the entity at `index` and those that enclose it, from the inside out.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = &MimeEntity> {
        let innermost = self.entities.get(index);
        std::iter::successors(innermost, |entity| self.entities.get(entity.parent?))
    }
}

impl MimeEntity {
    /// Returns the header fields. `source` must be the bytes from which the message was split.
    #[must_use]
    pub fn header_block<'s>(&self, source: &'s [u8]) -> HeaderBlock<'s> {
        let source = &source[..self.headers.end];
        HeaderBlock::split(source, self.headers.start, MalformedLine::EndHeaders)
    }

    /// Returns the media type. Without a `Content-Type`, it is `text/plain` (RFC 2045 section 5.2).
    #[must_use]
    pub fn content_type(&self, source: &[u8]) -> ContentType {
        let value = self.header_block(source).value("Content-Type");
        ContentType::parse(value.as_deref().unwrap_or(b"text/plain"))
    }

    /// Returns the value of `Content-ID` without its angle brackets.
    #[must_use]
    pub fn content_id(&self, source: &[u8]) -> Option<String> {
        let value = self.header_block(source).text("Content-ID")?;
        let id = value.trim_ascii();
        let id = id.strip_prefix('<').unwrap_or(id);
        Some(id.strip_suffix('>').unwrap_or(id).to_owned())
    }

    /// Returns the URL in a header field such as `Content-Location` or `Content-Base`, which may be relative.
    ///
    /// # Source
    /// RFC 2557 section 4.4: the field is unfolded, encoded words (RFC 2047) are decoded, and the white space that
    /// was inserted into a long URL is removed. Quotes around the URL are removed as well.
    #[must_use]
    pub fn url_field(&self, source: &[u8], name: &str) -> Option<String> {
        let value = self.header_block(source).value(name)?;
        let text = decode_encoded_words(&value);
        let url: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let unquoted = url
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'));
        let url = unquoted.map_or_else(|| url.clone(), str::to_owned);
        (!url.is_empty()).then_some(url)
    }
}
