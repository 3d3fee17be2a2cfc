//! Settings for reading containers.

use std::sync::Arc;

use absolve::Document;

use crate::container::DecodeBudget;
use crate::container::headers::HeaderBlock;

/// The maximum length of the header fields of a response or part whose links are listed, in bytes. A link in `Link`
/// takes four bytes, and hundreds of memory. Browsers refuse a header of 256 KiB.
const MAX_LINK_FIELDS: usize = 1 << 16;

/// A limit of what a container may take; [`ArchiveSettings::limit`] sets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContainerLimit {
    /// The maximum decoded length of a document in bytes. Default: 16 MiB.
    DecodedSize,
    /// The number of bytes to which the compressed parts of a container may decode for each of its own bytes, after
    /// half of those of one document. Default: 32. Parts that would decode to more have the error
    /// [`DecodedTooMuch`](crate::container::ContainerErrorKind::DecodedTooMuch).
    DecodedRatio,
    /// The maximum length in bytes of a record that is read from an archive; longer ones are copied unread. Default:
    /// 8 MiB.
    RecordSize,
}

absolve::names::named_values! { ContainerLimit, "limit of containers":
    DecodedSize => "decoded-size",
    DecodedRatio => "decoded-ratio",
    RecordSize => "record-size",
}

/// The settings for reading a container: facts that only the caller knows, and limits.
#[derive(Debug, Clone)]
#[must_use]
pub struct ArchiveSettings {
    pub(super) retrieval_url: Option<Arc<str>>,
    pub(super) legacy_headers: bool,
    pub(super) header_links: bool,
    pub(super) document_limit: usize,
    pub(super) record_limit: usize,
    pub(super) decoded_ratio: usize,
    pub(super) threads: usize,
}

impl Default for ArchiveSettings {
    fn default() -> Self {
        Self {
            retrieval_url: None,
            legacy_headers: false,
            header_links: false,
            document_limit: 16 << 20,
            record_limit: 8 << 20,
            decoded_ratio: DecodeBudget::DEFAULT_RATIO,
            threads: 1,
        }
    }
}

impl ArchiveSettings {
    /// Creates settings without a retrieval URL, and with the default of each limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the URL under which the container was retrieved; for a chain of HTTP responses, the URL of the first
    /// request.
    pub fn retrieved_from(self, url: &str) -> Self {
        Self {
            retrieval_url: Some(Arc::from(url)),
            ..self
        }
    }

    /// Sets whether `Base`, `Content-Base` and `Content-Location` of HTTP responses set the base URL.
    ///
    /// RFC 1808 and RFC 2068 specify this, and RFC 7231 no longer does. Default: `false`. In MIME messages, these
    /// fields always set the base URL.
    pub fn legacy_headers(self, enabled: bool) -> Self {
        Self {
            legacy_headers: enabled,
            ..self
        }
    }

    /// Sets whether documents have the [header fields](Document::header_fields) around them, for listing their links. A
    /// response with such links whose content is no document is then an empty HTML document. Default: `false`.
    pub fn header_links(self, enabled: bool) -> Self {
        Self {
            header_links: enabled,
            ..self
        }
    }

    /// Returns the fields with links among the header fields `headers`, up to [`MAX_LINK_FIELDS`].
    pub(super) fn link_fields(&self, headers: &HeaderBlock<'_>) -> Vec<(String, String)> {
        let names = Document::LINK_HEADERS.iter().filter(|_| self.header_links);
        let fields = names.flat_map(|name| headers.all(name).map(|field| (*name, field.value)));
        let mut left = MAX_LINK_FIELDS;
        let fields = fields.take_while(|(name, value)| {
            let rest = left.checked_sub(name.len() + value.len());
            left = rest.unwrap_or(left);
            rest.is_some()
        });
        let fields = fields.map(|(name, value)| (name.to_owned(), headers.text_at(value)));
        fields.collect()
    }

    /// Sets the value of a limit.
    pub fn limit(mut self, limit: ContainerLimit, value: usize) -> Self {
        match limit {
            ContainerLimit::DecodedSize => self.document_limit = value,
            ContainerLimit::DecodedRatio => self.decoded_ratio = value,
            ContainerLimit::RecordSize => self.record_limit = value,
        }
        self
    }

    /// Sets the number of threads on which an archive is rewritten. Default: 1, the calling thread.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Returns what a container with these settings may be decoded to, before any byte of it is read.
    pub(super) fn decode_budget(&self) -> DecodeBudget {
        DecodeBudget::new(self.document_limit / 2, self.decoded_ratio)
    }
}
