//! Documents inside HTTP dumps, MIME messages and WARC archives: their base URLs, and the replacement of their
//! bodies.
//!
//! [`Container`] is for HTTP dumps and MIME messages, which are read as a whole; [`warc_entities`] and
//! [`rewrite_warc`] are for archives of any length. Each of them yields an [`Entity`] per document, which a
//! [`Rewriter`] can rewrite.
//!
//! ```
//! use absolve::Rewriter;
//! use absolve_archive::{ArchiveSettings, Container};
//!
//! let message = b"Content-Type: text/html\r\nContent-Location: http://a/b/c\r\n\r\n<a href=d>d</a>";
//! let container = Container::mime(message, &ArchiveSettings::new())?;
//! let rewritten = container.rewrite(&Rewriter::new());
//! assert!(rewritten.bytes.ends_with(b"<a href=http://a/b/d>d</a>"));
//! # Ok::<(), absolve_archive::container::ContainerError>(())
//! ```
//!
//! # Base URLs
//!
//! A relative reference in such a document does not resolve against the file it is stored in. RFC 1808 section 3
//! ranks what determines its base URL instead; BASE in the document itself takes precedence over all of the
//! following.
//!
//! - An HTTP dump is a chain of responses. The retrieval URL (section 3.3) of the first one must be known from
//!   outside; each redirect's `Location` is resolved against the URL of its response. The result is the URL of the
//!   document.
//! - A MIME message encapsulates its parts (section 3.2). `Base`, `Content-Base` and `Content-Location`, in this
//!   order, of the nearest entity that has one of them provide the base URL (RFC 2110 section 5, RFC 2557 section 5).
//!   If that URL is relative, it is resolved against that of the enclosing entities, and finally against the
//!   retrieval URL. The messages of a mailbox have nothing to do with each other.
//!   A part whose URL has no hierarchy (`cid:`) has the base URL of the document that refers to it.
//! - A WARC record has the retrieval URL in `WARC-Target-URI`. Redirects are records of their own.
//! - HTTP responses are treated like MIME messages on request; see [`ArchiveSettings::legacy_headers`].
//!
//! [`Entity::candidates`] returns the resulting URLs, and [`Entity::chain`] how the container leads to them: each
//! redirect, message, part, record and response, with the header fields that concern URLs as they are written.
//!
//! In a `multipart/related` message, a reference may mean another part, whose resolved `Content-Location` must equal
//! the resolved reference octet by octet (RFC 2557 section 8). An absolute, escaped target could break that, so
//! [`Entity::decide`] keeps the reference, or replaces it by the part's `Content-Location`.
//!
//! # Replacing documents
//!
//! A new document is stored like the old one: in the same transfer encoding, content codings, chunked coding and gzip
//! member. `Content-Length` is corrected, also that of a message in a mailbox if it was correct. Digests in HTTP fields
//! are removed; those of a WARC record are computed again with the same algorithm, or removed if that is impossible.
//! `Content-Encoding` and `Transfer-Encoding` are removed if a client has already undone all codings. All other bytes
//! are copied. [`RecordForm::Conversion`] instead adds records to an archive and changes none.
//!
//! A document that could not be decoded completely is reported and never replaced, because the missing part would be
//! lost. A container in which nothing changes is returned borrowed.
//!
//! # Cost
//!
//! Time is linear. A dump or message is held by the caller, and its documents are decoded up to a limit; an archive
//! needs memory for one record. URLs are shared between documents. The URLs that result from resolving relative
//! header fields have a common budget, because a part of a few bytes could otherwise demand a copy of a very long
//! base URL.
//!
//! # Examples
//!
//! ```
//! use absolve_archive::{ArchiveSettings, Container};
//!
//! let dump = b"HTTP/1.1 302 Found\r\nLocation: ../c/\r\n\r\n\
//!     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=d>d</a>";
//! let container = Container::http(dump, &ArchiveSettings::new().retrieved_from("http://a/b/x"))?;
//! let steps = container.entities()[0].chain();
//! let of_step = |number: usize| (steps[number].kind.name(), steps[number].url.as_deref());
//! assert_eq!(of_step(0), ("given", Some("http://a/b/x")));
//! assert_eq!(of_step(1), ("redirect", Some("http://a/c/")));
//! assert_eq!(of_step(2), ("response", None));
//! # Ok::<(), absolve_archive::container::ContainerError>(())
//! ```

mod aggregate;
mod bases;
mod captured;
mod chain;
pub mod container;
mod entity;
mod http;
mod mime;
mod new_errors;
mod referrer;
mod revisits;
mod run;
mod settings;
mod surt;
mod wacz;
mod warc;
mod warc_rewrite;
mod writer;

use std::borrow::Cow;
use std::collections::HashSet;

use absolve::{Report, Rewriter};

use crate::container::{ContainerError, Format};

use entity::Contents;

pub use captured::{CaptureContent, read_capture};
pub use chain::{ChainStep, ChainStepField, ChainStepKind};
pub use entity::{Entity, RecordProperties};
pub use new_errors::NewErrors;
pub use run::{DocumentRewriter, RewriteEvent, RewrittenArchive, RewrittenEntity};
pub use settings::{ArchiveSettings, ContainerLimit};
pub use surt::surt;
pub use wacz::{ArchivePart, PartReader};
pub use warc::{WarcEntities, warc_entities};
pub use warc_rewrite::{RecordForm, WarcItem, rewrite_warc};
pub use writer::ContainerWriter;

/// A container that is held in memory, and the documents in it.
#[derive(Debug, Clone)]
pub struct Container<'c> {
    source: &'c [u8],
    contents: Contents<'c>,
}

/// A document that could not be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refused {
    /// The document, as an index of [`Container::entities`].
    pub entity: usize,
    /// The reason.
    pub error: ContainerError,
}

/// A rewritten container, and a report for each document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RewrittenContainer<'c> {
    /// The container; borrowed if nothing changed.
    pub bytes: Cow<'c, [u8]>,
    /// The documents that could not be replaced. They are unchanged in `bytes`.
    pub refused: Vec<Refused>,
    /// The report for each document, in the order of [`Container::entities`].
    pub reports: Vec<Report<'static>>,
}

impl<'c> Container<'c> {
    /// Parses a container in the given format; returns `None` for an [archive](Format::is_archive), which
    /// [`warc_entities`] reads.
    ///
    /// # Errors
    /// Those of [`http`](Self::http) and [`mime`](Self::mime).
    #[must_use]
    pub fn of_format(
        format: Format,
        source: &'c [u8],
        settings: &ArchiveSettings,
    ) -> Option<Result<Self, ContainerError>> {
        match format {
            Format::Http => Some(Self::http(source, settings)),
            Format::Mime => Some(Self::mime(source, settings)),
            Format::Warc => None,
        }
    }

    /// Parses HTTP responses as a client prints them.
    ///
    /// # Errors
    /// [`NotHttp`](crate::container::ContainerErrorKind::NotHttp) if `source` does not begin with a status line.
    pub fn http(source: &'c [u8], settings: &ArchiveSettings) -> Result<Self, ContainerError> {
        let contents = http::read(source, settings)?;
        Ok(Self { source, contents })
    }

    /// Parses a MIME message (mail or MHTML), or a mailbox of them in the mbox format, which begins with `From ` or is
    /// empty.
    ///
    /// A relative URL in `Base`, `Content-Base` or `Content-Location` does not affect base URLs if it resolves to
    /// more than 8 KiB, or if all those of the message resolve to more than 8 MiB. The first such field is
    /// [reported](crate::container::ContainerErrorKind::UrlsTooLong) in [`errors`](Self::errors). The same holds
    /// for [`legacy_headers`](ArchiveSettings::legacy_headers) of HTTP dumps.
    ///
    /// The base URLs of all documents together may have 8 MiB and the length of `source`. A document that exceeds this
    /// is left out, and the first one is reported as
    /// [`TooManyEntities`](crate::container::ContainerErrorKind::TooManyEntities).
    ///
    /// # Errors
    /// [`NotMime`](crate::container::ContainerErrorKind::NotMime) if `source` does not begin with a header field.
    pub fn mime(source: &'c [u8], settings: &ArchiveSettings) -> Result<Self, ContainerError> {
        let contents = mime::read(source, settings)?;
        Ok(Self { source, contents })
    }

    /// Returns all HTML documents and style sheets in the container, in order.
    #[must_use]
    pub fn entities(&self) -> &[Entity<'c>] {
        &self.contents.entities
    }

    /// Returns the errors in the container, in order of offset. Whatever could be read was read.
    #[must_use]
    pub fn errors(&self) -> &[ContainerError] {
        &self.contents.errors
    }

    /// Returns the [`errors`](Self::errors) that are not those of a document.
    pub fn other_errors(&self) -> impl Iterator<Item = ContainerError> {
        let of_documents = self.entities().iter().filter_map(|entity| entity.error);
        let of_documents: HashSet<ContainerError> = of_documents.collect();
        let errors = self.errors().iter().copied();
        errors.filter(move |error| !of_documents.contains(error))
    }

    /// Rewrites every document in the container.
    #[must_use]
    pub fn rewrite(&self, rewriter: &Rewriter) -> RewrittenContainer<'c> {
        let mut bytes = Vec::new();
        let mut writer = self.writer(&mut bytes);
        let mut is_changed = false;
        let (mut refused, mut reports) = (Vec::new(), Vec::new());
        for (index, entity) in self.entities().iter().enumerate() {
            let rewritten = entity.rewrite(rewriter);
            if let Cow::Owned(document) = &rewritten.bytes {
                match writer.put(index, document) {
                    Ok(changed) => is_changed |= changed,
                    Err(error) => refused.push(Refused {
                        entity: index,
                        error,
                    }),
                }
            }
            reports.push(rewritten.report.into_owned());
        }
        // Writing to a vector cannot fail.
        let is_written = is_changed && writer.finish().is_ok();
        RewrittenContainer {
            bytes: if is_written {
                Cow::Owned(bytes)
            } else {
                Cow::Borrowed(self.source)
            },
            refused,
            reports,
        }
    }
}
