//! The kinds of documents: a table with a row for each, by which they are recognized and decoded.
//!
//! The tokens of each kind come from a reader of its own, which `crate::rewrite` calls in one place.

use encoding_rs::{Encoding, UTF_8};

use crate::encoding::Detected;
use crate::grammar::{Grammar, declared_encoding};
use crate::html;
use crate::json_feed;
use crate::markup::Namespace;
use crate::names::named_values;
use crate::xml;

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

/// A row of the table.
pub(super) struct KindRow {
    /// The media types of such documents.
    media_types: &'static [&'static str],
    /// The media types of everything in their language, of which `is_document` selects them.
    general_media_types: &'static [&'static str],
    extensions: &'static [&'static str],
    general_extension: Option<&'static str>,
    /// Returns whether something in their language that begins with these bytes is such a document.
    is_document: fn(&[u8]) -> bool,
    /// Detects the encoding by the bytes of the document and the declaration of the transport.
    pub(super) detect: fn(&[u8], Option<&'static Encoding>) -> Detected,
    /// The length in bytes up to which a text is read.
    pub(super) max_text_len: usize,
    /// The grammar of documents that are one value, and its element name in reports.
    value: Option<(Grammar, &'static str)>,
}

const HTML: KindRow = KindRow {
    media_types: &["text/html"],
    general_media_types: &[],
    extensions: &["html", "htm", "shtml"],
    general_extension: None,
    is_document: |_| true,
    detect: html::encoding::detect,
    max_text_len: html::tap::LONGEST_TEXT,
    value: None,
};

const STYLE_SHEET: KindRow = KindRow {
    media_types: &["text/css"],
    general_media_types: &[],
    extensions: &["css"],
    general_extension: None,
    is_document: |_| true,
    // CSS Syntax 3, section 3.2: a BOM takes precedence over the transport, the transport over `@charset`.
    detect: |bytes, transport| {
        Detected::by_bom_or(bytes, || transport.or_else(|| declared_encoding(bytes)))
    },
    max_text_len: usize::MAX,
    value: Some((Grammar::Css, "css")),
};

const XML: KindRow = KindRow {
    media_types: &[
        "application/xhtml+xml",
        "image/svg+xml",
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "text/x-opml",
    ],
    general_media_types: &["text/xml", "application/xml"],
    extensions: &["xhtml", "xht", "svg", "rss", "atom", "rdf", "opml"],
    general_extension: Some("xml"),
    is_document: |prefix| xml::sniff::root(prefix).is_some(),
    detect: xml::encoding::detect,
    max_text_len: usize::MAX,
    value: None,
};

const JSON_FEED: KindRow = KindRow {
    media_types: &["application/feed+json"],
    general_media_types: &["application/json"],
    extensions: &[],
    general_extension: Some("json"),
    is_document: json_feed::is_feed,
    // RFC 8259, section 8.1: JSON is in UTF-8, and a BOM may be ignored.
    detect: |bytes, _| {
        let bom_len = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Detected::certain(UTF_8, bom_len)
    },
    max_text_len: usize::MAX,
    value: None,
};

impl DocumentKind {
    /// Number of bytes of a document that are sniffed.
    pub const SNIFF_LEN: usize = 1 << 14;

    /// Returns the row of this kind.
    pub(super) fn row(self) -> &'static KindRow {
        match self {
            Self::Html => &HTML,
            Self::StyleSheet => &STYLE_SHEET,
            Self::Xml => &XML,
            Self::JsonFeed => &JSON_FEED,
        }
    }

    /// Returns the kind whose row has a property.
    fn find(has_property: impl Fn(&KindRow) -> bool) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| has_property(kind.row()))
    }

    /// Returns the kind of documents with this media type, or `None` if absolve does not read such documents.
    ///
    /// `essence` is type and subtype in lower case, such as `text/html`.
    #[must_use]
    pub fn of(essence: &str) -> Option<Self> {
        Self::find(|row| row.media_types.contains(&essence))
    }

    /// Returns the extensions of the names of such documents, in lower case and without the dot.
    ///
    /// A file with [another one](Self::general_extension) may be such a document, too.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Returns the extension of all files in the language of these documents. The content of such a file determines
    /// whether it is a document: see [`sniff`](Self::sniff).
    #[must_use]
    pub fn general_extension(self) -> Option<&'static str> {
        self.row().general_extension
    }

    /// Returns the kind of which this is one of the [`extensions`](Self::extensions), in any letter case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::find(|row| {
            let mut extensions = row.extensions.iter();
            extensions.any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// Returns the kind of a document with this media type and content, or `None` if absolve does not read it.
    ///
    /// The media types `text/xml`, `application/xml` and `application/json` say little. Such a document is read if its
    /// root element is in a namespace that the link table knows, or if it declares a version of JSON Feed.
    #[must_use]
    pub fn of_content(essence: &str, content: &[u8]) -> Option<Self> {
        match Self::of_general(essence) {
            Some(kind) => (kind.row().is_document)(Self::prefix(content)).then_some(kind),
            None => Self::of(essence),
        }
    }

    /// Returns whether [`of_content`](Self::of_content) depends on the content of a document with this media type.
    #[must_use]
    pub fn needs_content(essence: &str) -> bool {
        Self::of_general(essence).is_some()
    }

    /// Returns the kind that documents with this media type may have.
    fn of_general(essence: &str) -> Option<Self> {
        Self::find(|row| row.general_media_types.contains(&essence))
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
        self.row().value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_content_needs_the_content_of_general_types_only() {
        for (essence, content, expected) in [
            ("text/html", "{}", Some(DocumentKind::Html)),
            ("text/x-opml", "", Some(DocumentKind::Xml)),
            ("text/xml", "<opml>", Some(DocumentKind::Xml)),
            ("application/xml", "<html>", None),
            ("application/json", "{}", None),
            ("", "<opml>", None),
            ("text/html text/css", "", None),
        ] {
            let found = DocumentKind::of_content(essence, content.as_bytes());
            assert_eq!(found, expected, "{essence}");
        }
        assert!(!DocumentKind::needs_content(""));
    }
}
