//! Documents inside containers: each with the base URLs that its container gives it, and a way to put it back.
//!
//! [`Container`] is for HTTP dumps and MIME messages, which are read as a whole; [`warc_entities`] and [`rewrite_warc`]
//! are for archives of any length. All of them hand out an [`Entity`], which a [`Rewriter`] takes.
//!
//! ```
//! use absolve::Rewriter;
//! use absolve::archive::{ArchiveSettings, Container};
//!
//! let message = b"Content-Type: text/html\r\nContent-Location: http://a/b/c\r\n\r\n<a href=d>d</a>";
//! let container = Container::mime(message, &ArchiveSettings::new())?;
//! let rewritten = container.rewrite(&Rewriter::new());
//! assert!(rewritten.bytes.ends_with(b"<a href=http://a/b/d>d</a>"));
//! # Ok::<(), absolve::container::ContainerError>(())
//! ```
//!
//! What gave a document its base URL is told by [`Entity::candidates`], and how its container led to it by
//! [`Entity::chain`]: each redirect of an HTTP dump, the nesting of the parts of a message, the record of an archive and
//! the HTTP message in it, with the header fields that concern URLs as they are written.
//!
//! ```
//! use absolve::archive::{ArchiveSettings, Container};
//!
//! let dump = b"HTTP/1.1 302 WarcItem\r\nLocation: ../c/\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=d>d</a>";
//! let container = Container::http(dump, &ArchiveSettings::new().retrieved_from("http://a/b/x"))?;
//! let steps = container.entities()[0].chain();
//! let of_step = |number: usize| (steps[number].kind.name(), steps[number].url.as_deref());
//! assert_eq!(of_step(0), ("given", Some("http://a/b/x")));
//! assert_eq!(of_step(1), ("redirect", Some("http://a/c/")));
//! assert_eq!(of_step(2), ("response", None));
//! # Ok::<(), absolve::container::ContainerError>(())
//! ```

mod aggregate;
mod bases;
mod chain;
mod entity;
mod http;
mod mime;
mod warc;
mod writer;

use std::borrow::Cow;

use crate::container::ContainerError;
use crate::rewrite::{Report, Rewriter};
use crate::splice::{Edit, splice};

pub use chain::{ChainStep, ChainStepField, ChainStepKind};
pub use entity::{DocumentKind, Entity};
pub use warc::{RecordForm, WarcEntities, WarcItem, rewrite_warc, warc_entities};
pub use writer::ContainerWriter;

/// What is known about a container from outside, and how much of it is read.
#[derive(Debug, Clone)]
#[must_use]
pub struct ArchiveSettings {
    retrieval_url: Option<String>,
    legacy_headers: bool,
    document_limit: usize,
    record_limit: usize,
}

impl Default for ArchiveSettings {
    fn default() -> Self {
        Self {
            retrieval_url: None,
            legacy_headers: false,
            document_limit: 16 << 20,
            record_limit: 8 << 20,
        }
    }
}

impl ArchiveSettings {
    /// Nothing is known; documents are read to 16 MiB, records of archives to 8 MiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the URL the container was retrieved under; for a chain of HTTP responses, the one that was asked for first.
    pub fn retrieved_from(self, url: &str) -> Self {
        Self {
            retrieval_url: Some(url.to_owned()),
            ..self
        }
    }

    /// Sets whether `Base`, `Content-Base` and `Content-Location` of HTTP responses set the base URL, as RFC 1808 and RFC 2068
    /// have it and RFC 7231 no longer does. In MIME messages they always do.
    pub fn legacy_headers(self, are_honoured: bool) -> Self {
        Self {
            legacy_headers: are_honoured,
            ..self
        }
    }

    /// Sets the length in bytes up to which a document is decoded.
    pub fn document_limit(self, bytes: usize) -> Self {
        Self {
            document_limit: bytes,
            ..self
        }
    }

    /// Sets the length in bytes up to which a record of an archive is read; longer ones are copied unread.
    pub fn record_limit(self, bytes: usize) -> Self {
        Self {
            record_limit: bytes,
            ..self
        }
    }
}

/// A container that is read as a whole, and the documents in it.
#[derive(Debug, Clone)]
pub struct Container<'c> {
    source: &'c [u8],
    places: BodyLocations,
    entities: Vec<Entity<'c>>,
    remarks: Vec<ContainerError>,
}

/// Where the documents are, in the order of the entities.
#[derive(Debug, Clone)]
enum BodyLocations {
    Http(Vec<http::BodyLocation>),
    Mime(mime::MimeLocations),
}

/// A container with new documents in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rebuilt<'c> {
    /// The container; borrowed if nothing changed.
    pub bytes: Cow<'c, [u8]>,
    /// Which documents could not be put in, and why. In their place is what was there.
    pub refused: Vec<Refused>,
}

/// A document that could not be put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refused {
    /// Which, as an index of [`Container::entities`].
    pub entity: usize,
    /// Why not.
    pub error: ContainerError,
}

/// A rewritten container, and what was found in each document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RewrittenContainer<'c> {
    /// The container; borrowed if nothing changed.
    pub bytes: Cow<'c, [u8]>,
    /// Which documents could not be put in, and why. In their place is what was there.
    pub refused: Vec<Refused>,
    /// What was found in each document, in the order of [`Container::entities`].
    pub reports: Vec<Report<'static>>,
}

impl<'c> Container<'c> {
    /// Reads HTTP responses as a client prints them.
    ///
    /// # Errors
    /// [`NotHttp`](crate::container::ContainerErrorKind::NotHttp).
    pub fn http(source: &'c [u8], settings: &ArchiveSettings) -> Result<Self, ContainerError> {
        http::read(source, settings)
    }

    /// Reads a MIME message: mail, MHTML.
    ///
    /// A relative URL in `Base`, `Content-Base` or `Content-Location` has no effect on base URLs if it resolves to more than
    /// 8 KiB, or if all those of the message resolve to more than 8 MiB; that is
    /// [remarked](crate::container::ContainerErrorKind::UrlsTooLong) on once. The same holds for
    /// [`legacy_headers`](ArchiveSettings::legacy_headers) of HTTP dumps.
    ///
    /// # Errors
    /// [`NotMime`](crate::container::ContainerErrorKind::NotMime).
    pub fn mime(source: &'c [u8], settings: &ArchiveSettings) -> Result<Self, ContainerError> {
        mime::read(source, settings)
    }

    /// Every HTML document and style sheet in it, in order.
    #[must_use]
    pub fn entities(&self) -> &[Entity<'c>] {
        &self.entities
    }

    /// What is wrong with the container, in order of offset. What could be read was.
    #[must_use]
    pub fn remarks(&self) -> &[ContainerError] {
        &self.remarks
    }

    /// The container with these documents in the place of those it has: one for each of
    /// [`entities`](Self::entities), `None` for those that stay.
    ///
    /// A document is stored as the one before it was. Bytes that do not belong to a document that changed stay, but
    /// for the header fields of HTTP that would be wrong.
    #[must_use]
    pub fn with_documents(&self, documents: &[Option<Cow<'_, [u8]>>]) -> Rebuilt<'c> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut refused = Vec::new();
        for (index, document) in documents.iter().enumerate() {
            let Some(document) = document else {
                continue;
            };
            match self.edits(index, document) {
                Ok(made) => edits.extend(made),
                Err(error) => refused.push(Refused {
                    entity: index,
                    error,
                }),
            }
        }
        Rebuilt {
            bytes: splice(self.source, &edits),
            refused,
        }
    }

    /// The edits that put `document` in the place of that with this index, if there is one.
    fn edits(&self, index: usize, document: &[u8]) -> Result<Vec<Edit>, ContainerError> {
        match (&self.places, self.entities.get(index)) {
            (BodyLocations::Http(places), Some(entity)) => {
                places[index].edits(self.source, entity, document)
            }
            (BodyLocations::Mime(places), Some(_)) => places.edits(self.source, index, document),
            (_, None) => Ok(Vec::new()),
        }
    }

    /// The container with every document in it rewritten.
    #[must_use]
    pub fn rewrite(&self, rewriter: &Rewriter) -> RewrittenContainer<'c> {
        let mut reports = Vec::new();
        let mut documents = Vec::new();
        for entity in &self.entities {
            let rewritten = entity.rewrite(rewriter);
            reports.push(rewritten.report.into_owned());
            documents.push(match rewritten.bytes {
                Cow::Owned(bytes) => Some(Cow::Owned(bytes)),
                Cow::Borrowed(_) => None,
            });
        }
        let rebuilt = self.with_documents(&documents);
        RewrittenContainer {
            bytes: rebuilt.bytes,
            refused: rebuilt.refused,
            reports,
        }
    }
}
