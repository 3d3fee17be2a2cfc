//! Documents: their bytes, and the facts about them that are known from outside.
//!
//! [`Position`] and [`Excerpt`] show a span of a document to a person. What becomes of the links of a document is
//! decided in `crate::rewrite`.

mod excerpt;
mod kind;
mod position;

use encoding_rs::Encoding;

pub use excerpt::Excerpt;
pub use kind::DocumentKind;
pub use position::Position;
pub(crate) use position::Positions;

use crate::base::{BaseCandidates, BaseSource};
use crate::encoding::{Decoded, Detected};
use crate::html::encoding::{MetaDeclaration, with_late_meta};
use crate::limits::Placement;
use crate::unsupported::Unsupported;

/// A document to rewrite, with the facts about it that are known from outside.
///
/// These facts are the base URLs of RFC 1808 sections 3.2 to 3.4, and the encoding that the transport declares. All are
/// optional. Without any base URL, relative references cannot be resolved.
///
/// # Examples
/// ```
/// use absolve::Document;
///
/// let document = Document::new(b"<a href=g>").retrieved_from("https://example.org/a/b").encoding("windows-1251");
/// # let _ = document;
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Document<'d> {
    pub(crate) bytes: &'d [u8],
    pub(crate) encoding: Option<&'static Encoding>,
    pub(crate) candidates: BaseCandidates<'d>,
    pub(crate) kind: DocumentKind,
    pub(crate) placement: Placement,
    pub(crate) header_fields: &'d [(String, String)],
    pub(crate) header_base: Option<&'d str>,
}

impl<'d> Document<'d> {
    /// The names of the header fields that contain links: see [`header_fields`](Self::header_fields).
    pub const LINK_HEADERS: [&'static str; 4] = ["Content-Location", "Link", "Location", "Refresh"];

    /// Creates an HTML document about which nothing is known from outside.
    pub fn new(bytes: &'d [u8]) -> Self {
        Self::of_kind(DocumentKind::Html, bytes)
    }

    /// Creates a CSS style sheet in a file of its own.
    ///
    /// Its references resolve against its own URL, never against the base URL of a document that uses it (CSS Values 4,
    /// "relative URLs").
    pub fn style_sheet(bytes: &'d [u8]) -> Self {
        Self::of_kind(DocumentKind::StyleSheet, bytes)
    }

    /// Creates an XML document: XHTML, an SVG image in a file of its own, a feed, an outline or a sitemap.
    ///
    /// A document that is not well-formed is left unchanged, with the reason in
    /// [`Report::unsupported`](crate::Report::unsupported).
    pub fn xml(bytes: &'d [u8]) -> Self {
        Self::of_kind(DocumentKind::Xml, bytes)
    }

    /// Creates a JSON Feed.
    ///
    /// A document that is none is left unchanged, with the reason in
    /// [`Report::unsupported`](crate::Report::unsupported).
    pub fn json_feed(bytes: &'d [u8]) -> Self {
        Self::of_kind(DocumentKind::JsonFeed, bytes)
    }

    /// Creates a document of the given kind about which nothing is known from outside.
    pub fn of_kind(kind: DocumentKind, bytes: &'d [u8]) -> Self {
        Self {
            bytes,
            encoding: None,
            candidates: BaseCandidates::new(),
            kind,
            placement: Placement::Outermost,
            header_fields: &[],
            header_base: None,
        }
    }

    /// Marks the document as one of any number in a container, so that its own length has to justify the work that
    /// reading it takes; see [`Limit::ParserSteps`](crate::Limit::ParserSteps).
    pub fn in_container(self) -> Self {
        Self {
            placement: Placement::Container,
            ..self
        }
    }

    /// Returns the bytes of the document.
    #[must_use]
    pub fn bytes(&self) -> &'d [u8] {
        self.bytes
    }

    /// Returns the kind of the document.
    #[must_use]
    pub fn kind(&self) -> DocumentKind {
        self.kind
    }

    /// Detects the encoding of the document, as far as its first bytes and the transport determine it.
    ///
    /// If the result is tentative, a later `meta` element may still declare another encoding, for which the caller must
    /// look when it parses the document.
    pub(crate) fn detect(&self) -> Detected {
        (self.kind.row().detect)(self.bytes, self.encoding)
    }

    /// Decodes the document in an encoding that was [detected](Self::detect) for it.
    pub(crate) fn decode_as(&self, detected: &Detected) -> Result<Decoded<'d>, Unsupported> {
        detected.decode(self.bytes, self.max_text_len())
    }

    /// Decodes the document, taking every declaration of its encoding into account.
    pub(crate) fn decode(&self) -> Result<Decoded<'d>, Unsupported> {
        // Only HTML may have a declaration that was not detected.
        let detected = self.detect();
        self.decode_as(&with_late_meta(
            detected,
            self.bytes,
            MetaDeclaration::Unknown,
        ))
    }

    /// Returns the length in bytes up to which a text of this kind is read.
    pub(crate) fn max_text_len(&self) -> usize {
        self.kind.row().max_text_len
    }

    /// Sets the base URLs that are known from outside the document. Those that were added before are dropped.
    pub fn candidates(self, candidates: BaseCandidates<'d>) -> Self {
        Self { candidates, ..self }
    }

    /// Adds the URL the document was retrieved from, after redirects (RFC 1808 section 3.3).
    pub fn retrieved_from(self, url: &'d str) -> Self {
        self.with(BaseSource::Retrieval, url)
    }

    /// Adds the base URL of the entity that encapsulates the document (RFC 1808 section 3.2).
    ///
    /// Nested entities must be added from the innermost outwards.
    pub fn enclosed_by(self, url: &'d str) -> Self {
        self.with(BaseSource::EncapsulatingEntity, url)
    }

    /// Adds the default base URL, which applies if there is no other (RFC 1808 section 3.4).
    pub fn default_base(self, url: &'d str) -> Self {
        self.with(BaseSource::Default, url)
    }

    fn with(self, source: BaseSource, url: &'d str) -> Self {
        let candidates = self.candidates.with(source, url);
        Self { candidates, ..self }
    }

    /// Sets the encoding that the transport declares, such as the `charset` of a `Content-Type` header.
    ///
    /// `label` is a label of the Encoding Standard; an unknown label means none. A byte order mark takes precedence
    /// over this encoding, and this encoding over a `meta` element, `@charset` or an XML declaration.
    pub fn encoding(self, label: &str) -> Self {
        Self {
            encoding: Encoding::for_label(label.as_bytes()),
            ..self
        }
    }

    /// Sets the header fields of the response or message around the document, as names and values, and the URL that the
    /// links in them resolve against.
    ///
    /// [`Rewriter::links`](crate::Rewriter::links) and [`observe`](crate::Rewriter::observe) list the links in
    /// [`LINK_HEADERS`](Self::LINK_HEADERS) after those of the document, without spans, as attributes of an element
    /// `#header`. Nothing else depends on them.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let fields = [("Link".to_owned(), "<d>; rel=next".to_owned())];
    /// let document = Document::new(b"<base href=/x/><p>").header_fields(&fields, Some("http://a/b/c"));
    /// let report = Rewriter::new().links(&document);
    /// assert_eq!(report.links[1].target(), Some("http://a/b/d"));
    /// assert_eq!(report.links[1].link.attribute, "link");
    /// ```
    pub fn header_fields(self, fields: &'d [(String, String)], base: Option<&'d str>) -> Self {
        Self {
            header_fields: fields,
            header_base: base,
            ..self
        }
    }
}
