//! The bodies of entities: decoding, and replacement.

use std::borrow::Cow;

use absolve::Edit;

use super::mbox::{begins_message, count_separators};
use super::message::{Message, MimeEntity};
use crate::container::error::{ContainerError, ContainerErrorKind};
use crate::container::headers::{HeaderBlock, MalformedLine};
use crate::container::transfer::{
    decode_base64, decode_quoted_printable, encode_base64, encode_quoted_printable,
    is_base64_cut_off,
};

/// The transfer encoding of a body (RFC 2045 section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferEncoding {
    /// `7bit`: stored unencoded, without bytes above 127. The default.
    SevenBit,
    /// `8bit` and `binary`: stored unencoded.
    Identity,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
    /// Any other, which is not supported.
    Unknown,
}

impl TransferEncoding {
    /// Returns whether the body is stored unencoded.
    #[must_use]
    pub fn is_identity(self) -> bool {
        matches!(self, Self::SevenBit | Self::Identity)
    }
}

impl MimeEntity {
    /// Returns the transfer encoding of the body.
    #[must_use]
    pub fn transfer_encoding(&self, source: &[u8]) -> TransferEncoding {
        let Some(value) = self.header_block(source).text("Content-Transfer-Encoding") else {
            return TransferEncoding::SevenBit;
        };
        // Some writers add a comment or a semicolon.
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

    /// Returns the body without its transfer encoding; borrowed if it is stored unencoded.
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
    /// Returns the edit that replaces the body of the entity at `index` by `document`, in the transfer encoding of
    /// that body. Returns `None` if the decoded body equals `document`, or if there is no such entity.
    ///
    /// # Errors
    /// - [`ContainerErrorKind::UnknownCoding`]: the transfer encoding is not supported.
    /// - [`ContainerErrorKind::Truncated`]: the encoded body ends within the digits of a byte.
    /// - [`ContainerErrorKind::NotSevenBit`], [`ContainerErrorKind::BoundaryInBody`],
    ///   [`ContainerErrorKind::SeparatorInBody`], [`ContainerErrorKind::NoEmptyLine`]: the new message would be
    ///   misread.
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
        if encoding == TransferEncoding::Base64 && is_base64_cut_off(body) {
            return Err(ContainerErrorKind::Truncated.at(entity.body.end));
        }
        let replacement = match encoding {
            TransferEncoding::QuotedPrintable => encode_quoted_printable(document, body),
            TransferEncoding::Base64 => encode_base64(document, body),
            TransferEncoding::SevenBit if old.is_ascii() && !document.is_ascii() => {
                return Err(ContainerErrorKind::NotSevenBit.at(entity.body.start));
            }
            _ => document.to_vec(),
        };
        if self.contains_boundary(source, index, &replacement) {
            return Err(ContainerErrorKind::BoundaryInBody.at(entity.body.start));
        }
        let is_in_mailbox = self
            .entities
            .first()
            .is_some_and(|top| begins_message(&source[top.headers.start..]));
        if is_in_mailbox && !count_separators(&replacement).is_within(&count_separators(body)) {
            return Err(ContainerErrorKind::SeparatorInBody.at(entity.body.start));
        }
        let headers = &source[entity.headers.start..entity.body.start];
        // Without an empty line, the headers end before the first line that is not a field. The new body may begin
        // with one.
        let joined = [headers, &replacement].concat();
        let read = HeaderBlock::split(&joined, 0, MalformedLine::EndHeaders);
        if read.body_start() != headers.len() {
            return Err(ContainerErrorKind::NoEmptyLine.at(entity.body.start));
        }
        Ok(Some(Edit::new(entity.body, replacement)))
    }

    /// Returns whether a line of `body` could be read as a boundary of an enclosing entity.
    fn contains_boundary(&self, source: &[u8], index: usize, body: &[u8]) -> bool {
        let boundaries: Vec<Vec<u8>> = self
            .ancestors(index)
            .skip(1)
            .filter_map(|outer| outer.content_type(source).boundary())
            .collect();
        body.split(|&byte| byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"--"))
            .any(|text| boundaries.iter().any(|boundary| text.starts_with(boundary)))
    }
}
