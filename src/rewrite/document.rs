//! A document and what is known about it from outside.

use encoding_rs::Encoding;

use crate::base::{BaseCandidates, BaseSource};
use crate::encoding::{self, Decoded};
use crate::grammar::declared_encoding;
use crate::html::encoding::{Confidence, DecodedAs};
use crate::html::{self, Unsupported};

/// A document: its bytes, and what is known about it from outside.
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
    pub(super) bytes: &'d [u8],
    pub(super) encoding: Option<&'static Encoding>,
    pub(super) candidates: BaseCandidates<'d>,
    pub(super) kind: SourceKind,
}

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    Html,
    StyleSheet,
}

impl<'d> Document<'d> {
    /// An HTML document about which nothing is known from outside.
    pub fn new(bytes: &'d [u8]) -> Self {
        Self {
            bytes,
            encoding: None,
            candidates: BaseCandidates::new(),
            kind: SourceKind::Html,
        }
    }

    /// A CSS style sheet that is a document of its own. Its references resolve against its own URL, never against the
    /// base URL of a document that uses it (CSS Values 4, "relative URLs").
    pub fn style_sheet(bytes: &'d [u8]) -> Self {
        Self {
            kind: SourceKind::StyleSheet,
            ..Self::new(bytes)
        }
    }

    /// The text of the document, if no `meta` element that the prescan does not reach declares an encoding.
    pub(super) fn decode_as_detected(&self) -> Result<DecodedAs<'d>, Unsupported> {
        match self.kind {
            SourceKind::Html => html::encoding::decode_as_detected(self.bytes, self.encoding),
            SourceKind::StyleSheet => Ok(DecodedAs {
                decoded: self.decode()?,
                confidence: Confidence::Certain,
            }),
        }
    }

    /// The text of the document.
    pub(super) fn decode(&self) -> Result<Decoded<'d>, Unsupported> {
        match self.kind {
            SourceKind::Html => html::encoding::decode(self.bytes, self.encoding),
            SourceKind::StyleSheet => {
                let declared = self.encoding.or_else(|| declared_encoding(self.bytes));
                let named = declared.unwrap_or(encoding_rs::UTF_8);
                let (encoding, bom_len) = Encoding::for_bom(self.bytes).unwrap_or((named, 0));
                if encoding == encoding_rs::REPLACEMENT {
                    return Err(Unsupported::NoEncoding);
                }
                Ok(encoding::decode(self.bytes, encoding, bom_len))
            }
        }
    }

    /// Sets all the base URLs known from outside the document at once.
    pub fn candidates(self, candidates: BaseCandidates<'d>) -> Self {
        Self { candidates, ..self }
    }

    /// Adds the URL the document was retrieved from, after redirects (RFC 1808 section 3.3).
    pub fn retrieved_from(self, url: &'d str) -> Self {
        self.with(BaseSource::Retrieval, url)
    }

    /// Adds the base URL of the entity around the document (RFC 1808 section 3.2); of several, the innermost first.
    pub fn enclosed_by(self, url: &'d str) -> Self {
        self.with(BaseSource::EncapsulatingEntity, url)
    }

    /// Adds the base URL of last resort (RFC 1808 section 3.4).
    pub fn default_base(self, url: &'d str) -> Self {
        self.with(BaseSource::Default, url)
    }

    fn with(self, source: BaseSource, url: &'d str) -> Self {
        let candidates = self.candidates.with(source, url);
        Self { candidates, ..self }
    }

    /// Sets the transport's word on the encoding: a label of the Encoding Standard, such as the `charset` of a
    /// `Content-Type`. A byte order mark goes before it, the document's own `meta` after it; a label that is not known
    /// is passed over.
    pub fn encoding(self, label: &str) -> Self {
        Self {
            encoding: Encoding::for_label(label.as_bytes()),
            ..self
        }
    }

    /// Line and column of each of `offsets`, which are bytes of the document in ascending order.
    ///
    /// There are none in a document that is not read at all.
    ///
    /// # Complexity
    /// Linear in the length of the document.
    #[must_use]
    pub fn positions(&self, offsets: &[usize]) -> Vec<Position> {
        let Ok(decoded) = self.decode() else {
            // No link was found in it, so no offset is one of ours.
            return Vec::new();
        };
        positions(&decoded, offsets)
    }
}

/// Line and column of each of `offsets`, which are bytes of the document in ascending order.
pub(super) fn positions(decoded: &Decoded<'_>, offsets: &[usize]) -> Vec<Position> {
    let text = &*decoded.text;
    let mut position = Position { line: 1, column: 1 };
    let mut characters = text.char_indices().peekable();
    let mut positions = Vec::with_capacity(offsets.len());
    for &offset in offsets {
        let end = decoded.map.text(offset);
        while let Some((at, character)) = characters.next_if(|&(at, _)| at < end) {
            let is_line_end =
                character == '\n' || (character == '\r' && !text[at + 1..].starts_with('\n'));
            if is_line_end {
                position = Position {
                    line: position.line + 1,
                    column: 1,
                };
            } else {
                position.column += 1;
            }
        }
        positions.push(position);
    }
    positions
}

/// A place in a document, as an editor counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line, counted from one. Lines end in a line feed, a carriage return, or both.
    pub line: usize,
    /// The character in the line, counted from one.
    pub column: usize,
}
