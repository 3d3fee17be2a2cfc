//! The bodies of entities: decoded, and put back.

use std::borrow::Cow;

use super::{Message, MimeEntity};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine, text_of};
use crate::container::transfer::{
    decode_base64, decode_quoted_printable, encode_base64, encode_quoted_printable,
};
use crate::splice::Edit;

/// How a body is written (RFC 2045 section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferEncoding {
    /// As it is, without bytes above 127. The default.
    SevenBit,
    /// As it is: `8bit` and `binary`.
    Identity,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
    /// Another one, which is not read.
    Unknown,
}

impl TransferEncoding {
    /// Whether the body is written as it is.
    #[must_use]
    pub fn is_identity(self) -> bool {
        matches!(self, Self::SevenBit | Self::Identity)
    }
}

impl MimeEntity {
    /// How the body is written.
    #[must_use]
    pub fn transfer_encoding(&self, source: &[u8]) -> TransferEncoding {
        let Some(value) = self.header_block(source).text("Content-Transfer-Encoding") else {
            return TransferEncoding::SevenBit;
        };
        // Some write a comment or a semicolon behind it.
        let name = value
            .split([';', ' ', '\t', '('])
            .next()
            .unwrap_or_default();
        match name.trim_matches('"').to_ascii_lowercase().as_str() {
            "" | "7bit" | "7-bit" => TransferEncoding::SevenBit,
            "8bit" | "8-bit" | "binary" => TransferEncoding::Identity,
            "quoted-printable" => TransferEncoding::QuotedPrintable,
            "base64" => TransferEncoding::Base64,
            _ => TransferEncoding::Unknown,
        }
    }

    /// The body without its transfer encoding; borrowed if it is written as it is.
    ///
    /// # Errors
    /// [`ContainerErrorKind::UnknownCoding`] if the transfer encoding is not one of RFC 2045.
    pub fn document<'s>(&self, source: &'s [u8]) -> Result<Cow<'s, [u8]>, ContainerError> {
        let body = &source[self.body.start..self.body.end];
        match self.transfer_encoding(source) {
            TransferEncoding::SevenBit | TransferEncoding::Identity => Ok(Cow::Borrowed(body)),
            TransferEncoding::QuotedPrintable => Ok(Cow::Owned(decode_quoted_printable(body))),
            TransferEncoding::Base64 => Ok(Cow::Owned(decode_base64(body))),
            TransferEncoding::Unknown => Err(ContainerErrorKind::UnknownCoding.at(self.body.start)),
        }
    }
}

impl Message {
    /// The edit that puts `document` in the place of the body of the entity with that index, written as that body is;
    /// `None` if it is the document that is there, or if there is no such entity.
    ///
    /// # Errors
    /// [`ContainerErrorKind::UnknownCoding`] as in [`MimeEntity::document`]; [`ContainerErrorKind::NotSevenBit`],
    /// [`ContainerErrorKind::BoundaryInBody`] and [`ContainerErrorKind::NoEmptyLine`] if the message would not be read as
    /// it is meant.
    pub fn with_document(
        &self,
        source: &[u8],
        index: usize,
        document: &[u8],
    ) -> Result<Option<Edit>, ContainerError> {
        let Some(entity) = self.entities.get(index) else {
            return Ok(None);
        };
        let old = entity.document(source)?;
        if *old == *document {
            return Ok(None);
        }
        let body = &source[entity.body.start..entity.body.end];
        let encoding = entity.transfer_encoding(source);
        let replacement = match encoding {
            TransferEncoding::QuotedPrintable => encode_quoted_printable(document, body),
            TransferEncoding::Base64 => encode_base64(document, body),
            TransferEncoding::SevenBit if old.is_ascii() && !document.is_ascii() => {
                return Err(ContainerErrorKind::NotSevenBit.at(entity.body.start));
            }
            _ => document.to_vec(),
        };
        if self.holds_boundary(source, index, &replacement) {
            return Err(ContainerErrorKind::BoundaryInBody.at(entity.body.start));
        }
        let headers = &source[entity.headers.start..entity.body.start];
        let joined = [headers, &replacement].concat();
        let read = HeaderBlock::split(&joined, 0, MalformedLine::EndHeaders);
        if read.body_start() != headers.len() {
            return Err(ContainerErrorKind::NoEmptyLine.at(entity.body.start));
        }
        Ok(Some(Edit {
            span: entity.body,
            replacement,
        }))
    }

    /// Whether a line of `body` could be taken for a boundary of an entity around it.
    fn holds_boundary(&self, source: &[u8], index: usize, body: &[u8]) -> bool {
        let boundaries: Vec<Vec<u8>> = self
            .outwards(index)
            .skip(1)
            .filter_map(|outer| outer.content_type(source).boundary())
            .collect();
        body.split(|&byte| byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"--"))
            .any(|text| boundaries.iter().any(|boundary| text.starts_with(boundary)))
    }
}

/// A header value with its encoded words decoded, if they are in UTF-8 or ASCII; others stay as they are.
///
/// # Source
/// RFC 2047 section 2: `=?charset?encoding?text?=`; white space between two of them is not part of the value.
pub(super) fn decode_words(value: &[u8]) -> String {
    let text = text_of(value);
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let Some((plain, behind)) = decode_word(word) else {
            decoded.push_str(before);
            decoded.push_str("=?");
            rest = &word[2..];
            continue;
        };
        if decoded.is_empty() || !before.trim_ascii().is_empty() {
            decoded.push_str(before);
        }
        decoded.push_str(&plain);
        rest = behind;
    }
    decoded.push_str(rest);
    decoded
}

/// The encoded word that `text` begins with, decoded, and what follows it.
fn decode_word(text: &str) -> Option<(String, &str)> {
    // An encoded word is not longer than 75 characters; the end is not looked for any further than that.
    let end = text
        .char_indices()
        .nth(80)
        .map_or(text.len(), |(end, _)| end);
    let head = &text[..end];
    let mut pieces = head.strip_prefix("=?")?.splitn(4, '?');
    let (charset, encoding, payload, rest) = (
        pieces.next()?,
        pieces.next()?,
        pieces.next()?,
        pieces.next()?,
    );
    rest.strip_prefix('=')?;
    let is_known = ["utf-8", "us-ascii"]
        .iter()
        .any(|known| charset.eq_ignore_ascii_case(known));
    if !is_known {
        return None;
    }
    let bytes = match encoding {
        "B" | "b" => decode_base64(payload.as_bytes()),
        "Q" | "q" => decode_quoted_printable(payload.replace('_', " ").as_bytes()),
        _ => return None,
    };
    let length = 2 + charset.len() + 1 + encoding.len() + 1 + payload.len() + 2;
    Some((String::from_utf8(bytes).ok()?, text.get(length..)?))
}
