//! Documents: their bytes, and the facts about them that are known from outside.
//!
//! [`Position`] and [`Excerpt`] show a span of a document to a person. What becomes of the links of a document is
//! decided in `crate::rewrite`.

mod excerpt;
mod position;

use encoding_rs::Encoding;

pub use excerpt::Excerpt;
pub use position::Position;

use crate::base::{BaseCandidates, BaseSource};
use crate::encoding::{self, Confidence, Decoded, Detected};
use crate::grammar::{Grammar, declared_encoding};
use crate::html;
use crate::json_feed;
use crate::limits::Placement;
use crate::markup::Namespace;
use crate::names::named_values;
use crate::unsupported::Unsupported;
use crate::xml;

/// The media type of JSON of any kind.
const JSON: &str = "application/json";

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
}

/// The language of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// An HTML document.
    Html,
    /// A CSS style sheet in a file of its own.
    StyleSheet,
    /// An XML document: XHTML, an SVG image in a file of its own, a feed, an outline or a sitemap.
    Xml,
    /// A JSON Feed.
    JsonFeed,
}

named_values! { DocumentKind, "kind of document":
    Html => "html",
    StyleSheet => "css",
    Xml => "xml",
    JsonFeed => "json-feed",
}

impl DocumentKind {
    /// Number of bytes of a document that are sniffed.
    pub const SNIFF_LEN: usize = 1 << 14;

    /// Returns the kind of documents with this media type, or `None` if absolve does not read such documents.
    ///
    /// `essence` is type and subtype in lower case, such as `text/html`.
    #[must_use]
    pub fn of(essence: &str) -> Option<Self> {
        match essence {
            "text/html" => Some(Self::Html),
            "text/css" => Some(Self::StyleSheet),
            "application/xhtml+xml"
            | "image/svg+xml"
            | "application/rss+xml"
            | "application/atom+xml"
            | "application/rdf+xml"
            | "text/x-opml" => Some(Self::Xml),
            "application/feed+json" => Some(Self::JsonFeed),
            _ => None,
        }
    }

    /// Returns the extensions of the names of such documents, in lower case and without the dot.
    ///
    /// A file with [another one](Self::general_extension) may be such a document, too.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Html => &["html", "htm", "shtml"],
            Self::StyleSheet => &["css"],
            Self::Xml => &["xhtml", "xht", "svg", "rss", "atom", "rdf", "opml"],
            Self::JsonFeed => &[],
        }
    }

    /// Returns the extension of all files in the language of these documents. The content of such a file determines
    /// whether it is a document: see [`sniff`](Self::sniff).
    #[must_use]
    pub fn general_extension(self) -> Option<&'static str> {
        match self {
            Self::Html | Self::StyleSheet => None,
            Self::Xml => Some("xml"),
            Self::JsonFeed => Some("json"),
        }
    }

    /// Returns the kind of which this is one of the [`extensions`](Self::extensions), in any letter case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is_one = |kind: &&Self| {
            let mut extensions = kind.extensions().iter();
            extensions.any(|known| known.eq_ignore_ascii_case(extension))
        };
        Self::ALL.iter().find(is_one).copied()
    }

    /// Returns the kind of a document with this media type and content, or `None` if absolve does not read it.
    ///
    /// The media types `text/xml`, `application/xml` and `application/json` say little. Such a document is read if its
    /// root element is in a namespace that the link table knows, or if it declares a version of JSON Feed.
    #[must_use]
    pub fn of_content(essence: &str, content: &[u8]) -> Option<Self> {
        if !Self::needs_content(essence) {
            return Self::of(essence);
        }
        let prefix = Self::prefix(content);
        if essence == JSON {
            return json_feed::is_feed(prefix).then_some(Self::JsonFeed);
        }
        xml::sniff::root(prefix).map(|_| Self::Xml)
    }

    /// Returns whether [`of_content`](Self::of_content) depends on the content of a document with this media type.
    #[must_use]
    pub fn needs_content(essence: &str) -> bool {
        matches!(essence, "text/xml" | "application/xml" | JSON)
    }

    /// Returns the kind of a document that begins with these bytes; it examines [`SNIFF_LEN`](Self::SNIFF_LEN) of them.
    ///
    /// It is XML if its root element is in a namespace that the link table knows. XHTML must also begin with an XML
    /// declaration, because many HTML pages declare its namespace. It is a JSON Feed if it declares a version of that.
    /// Everything else is HTML.
    ///
    /// # Source
    /// MIME Sniffing, section 7.1, for the XML declaration.
    #[must_use]
    pub fn sniff(prefix: &[u8]) -> Self {
        let prefix = Self::prefix(prefix);
        let is_xml = match xml::sniff::root(prefix) {
            Some(root) => root.namespace != Namespace::Html || root.has_declaration,
            None => false,
        };
        if is_xml {
            Self::Xml
        } else if json_feed::is_feed(prefix) {
            Self::JsonFeed
        } else {
            Self::Html
        }
    }

    /// Returns the kind of a document of which only the bytes are known: like [`sniff`](Self::sniff), but XHTML that is
    /// not well-formed is HTML, as which programs that were not told otherwise read it.
    ///
    /// # Complexity
    /// Linear in the length of the document.
    #[must_use]
    pub fn sniff_whole(document: &[u8]) -> Self {
        if Self::needs_whole(document) && !xml::sniff::is_well_formed(document) {
            return Self::Html;
        }
        Self::sniff(document)
    }

    /// Returns whether [`sniff_whole`](Self::sniff_whole) needs more than these first bytes of a document.
    #[must_use]
    pub fn needs_whole(prefix: &[u8]) -> bool {
        let root = xml::sniff::root(Self::prefix(prefix));
        root.is_some_and(|root| root.namespace == Namespace::Html && root.has_declaration)
    }

    /// Returns the bytes of a document that are sniffed.
    fn prefix(document: &[u8]) -> &[u8] {
        &document[..document.len().min(Self::SNIFF_LEN)]
    }

    /// Returns the grammar of the document and its element name in reports, or `None` for a document with markup.
    ///
    /// A document without markup is a single value, like that of an attribute.
    pub(crate) fn value(self) -> Option<(Grammar, &'static str)> {
        match self {
            Self::Html | Self::Xml | Self::JsonFeed => None,
            Self::StyleSheet => Some((Grammar::Css, "css")),
        }
    }
}

impl<'d> Document<'d> {
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
        match self.kind {
            DocumentKind::Html => html::encoding::detect(self.bytes, self.encoding),
            DocumentKind::Xml => xml::encoding::detect(self.bytes, self.encoding),
            // RFC 8259, section 8.1: JSON is in UTF-8, and a BOM may be ignored.
            DocumentKind::JsonFeed => Detected {
                encoding: encoding_rs::UTF_8,
                bom_len: if self.bytes.starts_with(b"\xef\xbb\xbf") {
                    3
                } else {
                    0
                },
                confidence: Confidence::Certain,
                evidence_len: self.bytes.len(),
            },
            DocumentKind::StyleSheet => {
                // CSS Syntax 3, section 3.2: a BOM takes precedence over the transport, the transport over `@charset`.
                let declared = self.encoding.or_else(|| declared_encoding(self.bytes));
                let named = declared.unwrap_or(encoding_rs::UTF_8);
                let (encoding, bom_len) = Encoding::for_bom(self.bytes).unwrap_or((named, 0));
                Detected {
                    encoding,
                    bom_len,
                    // `@charset` must be at the very beginning, so nothing that follows can declare another encoding.
                    confidence: Confidence::Certain,
                    evidence_len: self.bytes.len(),
                }
            }
        }
    }

    /// Decodes the document in an encoding that was [detected](Self::detect) for it.
    pub(crate) fn decode_as(&self, detected: &Detected) -> Result<Decoded<'d>, Unsupported> {
        let Detected {
            encoding, bom_len, ..
        } = *detected;
        match self.kind {
            DocumentKind::Html => detected.decode(self.bytes),
            // The replacement encoding decodes every document to a single U+FFFD.
            _ if encoding == encoding_rs::REPLACEMENT => Err(Unsupported::NoEncoding),
            DocumentKind::StyleSheet | DocumentKind::Xml | DocumentKind::JsonFeed => {
                Ok(encoding::decode(self.bytes, encoding, bom_len))
            }
        }
    }

    /// Decodes the document, taking every declaration of its encoding into account.
    pub(crate) fn decode(&self) -> Result<Decoded<'d>, Unsupported> {
        match self.kind {
            DocumentKind::Html => html::encoding::decode(self.bytes, self.encoding),
            DocumentKind::StyleSheet | DocumentKind::Xml | DocumentKind::JsonFeed => {
                self.decode_as(&self.detect())
            }
        }
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

    /// Returns the line and column of each of `offsets`.
    ///
    /// `offsets` are in bytes of the document and must be in ascending order. Returns an empty vector if the document
    /// is [unsupported](Unsupported).
    ///
    /// # Complexity
    /// Linear in the length of the document and the number of offsets.
    #[must_use]
    pub fn positions(&self, offsets: &[usize]) -> Vec<Position> {
        let Ok(decoded) = self.decode() else {
            // Not an error here: a report of this document has the reason, and no links that could have a position.
            return Vec::new();
        };
        position::positions(&decoded, offsets)
    }
}
