//! Encoding detection of HTML documents, and verification that rewriting does not change the result.
//!
//! Bytes become text before they become tags, but one of the ways to declare an encoding is a tag. So detection looks
//! at bytes first. If it finds nothing there and a [reader](super::Reader) then finds a declaration, the caller decodes
//! the document again.
//!
//! # Order
//!
//! The first of these that names an encoding determines it:
//!
//! | source | confidence | bytes it depends on |
//! |---|---|---|
//! | BOM (UTF-8, UTF-16BE, UTF-16LE) | certain | the BOM |
//! | transport: the label of a `Content-Type` header, from the caller | certain | the first 3, which are no BOM |
//! | [prescan](mod@prescan): XML declaration in UTF-16, first `meta`, XML declaration | certain | 1024 at most |
//! | late `meta`: one that the prescan did not find, but a reader does | declared | all |
//! | default: UTF-8 if all bytes are valid UTF-8, windows-1252 otherwise | tentative | all |
//!
//! [`detect`] handles all steps but the late `meta`. If its answer is [`Confidence::Tentative`] and the reader finds a
//! `meta` element that names another encoding, the caller starts over with [`decode_as`]. That is "changing the
//! encoding while parsing" in HTML. [`decode`] handles all steps, at the cost of a second parse for documents that may
//! have a late `meta`.
//!
//! A prescan result is final here. In HTML it is tentative until the parser itself has processed a `meta` element. The
//! difference matters if the prescan took a `meta` in a script for an element, or if a late `meta` contradicts an XML
//! declaration.
//!
//! # Prefixes
//!
//! The first three steps need [`DETECTION_PREFIX`] bytes at most, so [`detect_from_prefix`] can decide them for a
//! stream. The last two cannot be decided from a prefix: the byte that is not UTF-8, or the late `meta`, may be the
//! last thing in the document. Then the whole document must be buffered.
//!
//! # Verification
//!
//! If rewriting changed the detected encoding, the output might not decode to the intended text. These are the ways in
//! which it could:
//!
//! * a longer reference moves a declaration out of the first 1024 bytes, or a shorter one moves one in;
//! * the prescan knows less of HTML than a parser, and may find a declaration or the end of a comment in a rewritten
//!   attribute;
//! * a document that was windows-1252 by default becomes valid UTF-8 because its last byte beyond ASCII is
//!   percent-encoded;
//! * a late `meta` was found in one encoding, but detection of the output looks for it in another.
//!
//! [`Detected::is_detected_for_same_reason`] is the cheap test: the deciding prefix is unchanged. [`reads_as`] is the
//! complete one: it detects again and, if the result differs, decodes and compares the texts. It need not parse the
//! output for that if [`Confidence::declaration_after_rewrite`] determines the late declaration.
//!
//! Source: HTML, "determining the character encoding", without the parts that need a browser's history or locale.

pub(super) mod meta;
mod prescan;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, WINDOWS_1252};

use super::Unsupported;
use super::tap::LONGEST_TEXT;
use super::tokens::MetaDeclaration;
use super::tree::first_meta_encoding;
use crate::encoding::{self, Decoded};
pub(crate) use prescan::PRESCAN_LENGTH as DETECTION_PREFIX;
use prescan::{Prescan, effective_encoding, prescan};

/// Certainty of a detected encoding.
///
/// # Source
/// HTML, "determining the character encoding", "confidence".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confidence {
    /// The default: a `meta` element that the prescan did not find may declare another encoding.
    Tentative,
    /// Declared by a `meta` element that the prescan did not find. The rewritten document must still declare it there.
    Declared,
    /// Determined by the BOM, the transport or the prescan: nothing later in the document can change it.
    Certain,
}

/// Dependence of the tags of a document on the encoding in which it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagStability {
    /// The tags are the same in every ASCII-compatible encoding.
    AnyEncoding,
    /// Another encoding may result in other tags.
    ThisEncoding,
}

impl Confidence {
    /// Returns the late declaration that detection will find in the rewritten document.
    ///
    /// `encoding` is the one in which the document was read, and `declares` the declaration found in it. The `meta`
    /// elements must be unchanged. Detection looks for a late `meta` in the text in the default encoding. A declaration
    /// found in another encoding counts only if the tags are those of [any encoding](TagStability::AnyEncoding);
    /// otherwise the result is [`MetaDeclaration::Unknown`].
    pub(crate) fn declaration_after_rewrite(
        self,
        declares: MetaDeclaration,
        encoding: &'static Encoding,
        tags: TagStability,
    ) -> MetaDeclaration {
        let is_known = match self {
            // `encoding` is the default, in which detection reads the document as well.
            Self::Tentative => true,
            Self::Declared => {
                tags == TagStability::AnyEncoding && declares == MetaDeclaration::Encoding(encoding)
            }
            // An earlier step decides. If none does after rewriting, detection looks for a late `meta` in the text in
            // the default encoding. This document may have been read in another one, so the result is unknown.
            Self::Certain => false,
        };
        if is_known {
            declares
        } else {
            MetaDeclaration::Unknown
        }
    }
}

/// The encoding of a document as far as it is known before the document is read.
pub(crate) struct Detected {
    pub(crate) encoding: &'static Encoding,
    /// Length of the BOM, which is not part of the text; 0 if there is none.
    pub(crate) bom_len: usize,
    /// Whether a `meta` element may still declare another encoding.
    pub(crate) confidence: Confidence,
    /// Length of the prefix that determined the encoding, or that was searched without a result; may exceed the
    /// document.
    pub(crate) evidence_len: usize,
}

impl Detected {
    /// Returns whether `rewritten` is detected as UTF-8 for the same reason as `document`, without detecting it again.
    ///
    /// It is if the deciding prefix is unchanged. `document` must be valid UTF-8, detected as such, and its `meta`
    /// elements must be unchanged. Without a declaration, detection tests UTF-8 validity, which splicing preserves.
    pub(crate) fn is_detected_for_same_reason(&self, rewritten: &[u8], document: &[u8]) -> bool {
        let evidence = document.get(..self.evidence_len);
        // If `document` is shorter than the evidence, its end is part of the evidence and may have moved. So `None` on
        // both sides does not count as equal.
        evidence.is_some() && rewritten.get(..self.evidence_len) == evidence
    }
}

/// Detects the encoding of `document`, except that late `meta` elements are not considered.
///
/// # Complexity
/// Constant if the BOM, the transport or the prescan determines the encoding; linear otherwise.
pub(crate) fn detect(document: &[u8], transport: Option<&'static Encoding>) -> Detected {
    let sniffed = sniff(document, transport);
    Detected {
        encoding: sniffed
            .encoding
            .unwrap_or_else(|| default_encoding(document)),
        bom_len: sniffed.bom_len,
        confidence: match sniffed.encoding {
            Some(_) => Confidence::Certain,
            None => Confidence::Tentative,
        },
        evidence_len: sniffed.evidence_len,
    }
}

/// Detects the encoding of any document that begins with `prefix`.
///
/// `prefix` must be [`DETECTION_PREFIX`] bytes or more, or the whole document. Returns `None` if the encoding depends
/// on what follows.
///
/// # Complexity
/// Constant.
pub(crate) fn detect_from_prefix(
    prefix: &[u8],
    transport: Option<&'static Encoding>,
) -> Option<Detected> {
    let sniffed = sniff(prefix, transport);
    Some(Detected {
        encoding: sniffed.encoding?,
        bom_len: sniffed.bom_len,
        confidence: Confidence::Certain,
        evidence_len: sniffed.evidence_len,
    })
}

/// A document decoded in the encoding that [`detect`] found, before it is read.
pub(crate) struct DetectedText<'d> {
    pub(crate) decoded: Decoded<'d>,
    /// If it is tentative and the reader finds a `meta` element that declares another encoding, the document must be
    /// decoded again with [`decode_as`].
    pub(crate) confidence: Confidence,
}

/// Decodes `document` in its encoding, except that late `meta` elements are not considered.
///
/// # Errors
/// Those of [`decode`].
///
/// # Complexity
/// Linear; the document is not parsed.
pub(crate) fn decode_as_detected<'d>(
    document: &'d [u8],
    transport: Option<&'static Encoding>,
) -> Result<DetectedText<'d>, Unsupported> {
    let detected = detect(document, transport);
    Ok(DetectedText {
        decoded: decode_in(document, detected.encoding, detected.bom_len)?,
        confidence: detected.confidence,
    })
}

/// Decodes `document` in `encoding`, which a late `meta` element declares.
///
/// # Errors
/// Those of [`decode`].
///
/// # Complexity
/// Linear.
pub(crate) fn decode_as<'d>(
    document: &'d [u8],
    encoding: &'static Encoding,
) -> Result<Decoded<'d>, Unsupported> {
    // A BOM would have determined the encoding, so there is none if a `meta` element does.
    decode_in(document, encoding, 0)
}

/// Decodes `document` in its encoding, late `meta` elements included.
///
/// The encoding is determined by the BOM, then by `transport`, then by the prescan, then by a late `meta` element.
/// Without any of these it is UTF-8 if the document is valid UTF-8, and windows-1252 if not.
///
/// # Errors
/// [`Unsupported::NoEncoding`] if the encoding is one that the Encoding Standard does not decode;
/// [`Unsupported::TooLong`] if the text is longer than [`LONGEST_TEXT`].
///
/// # Complexity
/// Linear.
pub(crate) fn decode<'d>(
    document: &'d [u8],
    transport: Option<&'static Encoding>,
) -> Result<Decoded<'d>, Unsupported> {
    let (encoding, bom_len) = detect_with_late_meta(document, transport);
    decode_in(document, encoding, bom_len)
}

/// Decodes `document` in `encoding`, after a BOM of `bom_len` bytes, within html5ever's limits.
fn decode_in<'d>(
    document: &'d [u8],
    encoding: &'static Encoding,
    bom_len: usize,
) -> Result<Decoded<'d>, Unsupported> {
    // The standard's decoder would replace the whole document by one U+FFFD.
    if encoding == REPLACEMENT {
        return Err(Unsupported::NoEncoding);
    }
    let decoded = encoding::decode(document, encoding, bom_len);
    if decoded.text.len() > LONGEST_TEXT {
        return Err(Unsupported::TooLong);
    }
    Ok(decoded)
}

/// Returns the encoding of `document`, late `meta` elements included, and the length of its BOM.
fn detect_with_late_meta(
    document: &[u8],
    transport: Option<&'static Encoding>,
) -> (&'static Encoding, usize) {
    let SniffedEncoding {
        encoding, bom_len, ..
    } = sniff(document, transport);
    let encoding = encoding
        .or_else(|| find_late_meta(document))
        .unwrap_or_else(|| default_encoding(document));
    (encoding, bom_len)
}

/// The encoding that a prefix of a document determines.
struct SniffedEncoding {
    /// The encoding that the BOM, the transport or the prescan determines.
    encoding: Option<&'static Encoding>,
    bom_len: usize,
    /// Length of the prefix that determined `encoding`, or that was searched without a result; may exceed the document.
    evidence_len: usize,
}

/// Detects the encoding as far as the first [`DETECTION_PREFIX`] bytes and the transport determine it.
fn sniff(document: &[u8], transport: Option<&'static Encoding>) -> SniffedEncoding {
    // The UTF-8 BOM. Those of UTF-16 have two bytes.
    const LONGEST_BOM: usize = 3;
    if let Some((encoding, bom_len)) = Encoding::for_bom(document) {
        return SniffedEncoding {
            encoding: Some(encoding),
            bom_len,
            evidence_len: bom_len,
        };
    }
    if let Some(encoding) = transport {
        return SniffedEncoding {
            encoding: Some(encoding),
            bom_len: 0,
            // The transport decides only because these bytes are no BOM.
            evidence_len: LONGEST_BOM,
        };
    }
    let Prescan {
        encoding,
        evidence_len,
    } = prescan(document);
    SniffedEncoding {
        encoding,
        bom_len: 0,
        evidence_len,
    }
}

/// Returns the late declaration of `document`, given that its reader reported `declares`; never `Unknown`.
///
/// If `declares` is `Unknown`, the document is parsed for its declarations. The prescan must have found none.
///
/// # Complexity
/// Linear.
pub(crate) fn resolve_declaration(document: &[u8], declares: MetaDeclaration) -> MetaDeclaration {
    match declares {
        MetaDeclaration::Unknown => {
            find_late_meta(document).map_or(MetaDeclaration::Nothing, MetaDeclaration::Encoding)
        }
        MetaDeclaration::Nothing | MetaDeclaration::Encoding(_) => declares,
    }
}

/// Returns the encoding that the first `meta` element with a valid declaration names.
///
/// # Source
/// HTML, "changing the encoding while parsing". A browser starts over when it meets the declaration; this function
/// parses up to it, before the document is read.
///
/// # Complexity
/// Linear; the document is parsed only if it contains the words of a declaration.
fn find_late_meta(document: &[u8]) -> Option<&'static Encoding> {
    let contains = |word: &[u8]| {
        document
            .windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word))
    };
    // Prefilter: parsing costs far more than these searches. In the value of `content`, unlike in names, "charset" may
    // be written with character references.
    let may_declare =
        || contains(b"charset") || contains(b"http-equiv") && document.contains(&b'&');
    if !contains(b"<meta") || !may_declare() {
        return None;
    }
    let (text, _) = default_encoding(document).decode_without_bom_handling(document);
    if text.len() > LONGEST_TEXT {
        return None;
    }
    first_meta_encoding(&text).map(effective_encoding)
}

/// Returns whether `rewritten` is detected as `encoding`, or as one in which it decodes to the same text.
///
/// `text` returns the intended text; it is called only if another encoding is detected. `declares` is the late
/// declaration of `rewritten`; if that is [`MetaDeclaration::Unknown`], `rewritten` is parsed for it if it matters.
///
/// The detected encoding may differ although the texts are equal: a document that was windows-1252 by default is UTF-8
/// by default once its last byte beyond ASCII is percent-encoded.
///
/// # Complexity
/// Linear; constant if the BOM, the transport or the prescan determines the expected encoding.
pub(crate) fn reads_as(
    rewritten: &[u8],
    transport: Option<&'static Encoding>,
    encoding: &'static Encoding,
    declares: MetaDeclaration,
    text: impl Fn() -> String,
) -> bool {
    let sniffed = sniff(rewritten, transport);
    let (detected, bom_len) = match sniffed.encoding {
        Some(encoding) => (encoding, sniffed.bom_len),
        None => match declares {
            MetaDeclaration::Nothing => (default_encoding(rewritten), 0),
            MetaDeclaration::Encoding(encoding) => (encoding, 0),
            MetaDeclaration::Unknown => detect_with_late_meta(rewritten, transport),
        },
    };
    detected == encoding
        || detected
            .decode_without_bom_handling(&rewritten[bom_len..])
            .0
            == text()
}

/// Returns the encoding of a document that declares none.
fn default_encoding(document: &[u8]) -> &'static Encoding {
    if simdutf8::basic::from_utf8(document).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}
