//! Encoding detection of HTML documents, and verification that rewriting does not change the result.
//!
//! Bytes become text before they become tags, but one of the ways to declare an encoding is a tag. So detection looks
//! at bytes first. If it finds nothing there and a [reader](Reader) then finds a declaration, the caller decodes
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
//! | [prescan](mod@prescan): XML declaration in UTF-16, first `meta`, XML declaration, zeros | certain | 1024 at most |
//! | late `meta`: one that the prescan did not find, but a reader does | declared | all |
//! | default: UTF-8 if all bytes are valid UTF-8, windows-1252 otherwise | tentative | all |
//!
//! [`detect`] handles all steps but the late `meta`. If its answer is [`Confidence::Tentative`] and the reader finds a
//! `meta` element that names another encoding, the caller starts over with [`Detected::with_late_meta`]. That is
//! "changing the encoding while parsing" in HTML. [`decode`] handles all steps, for callers that do not read tokens: it
//! reads documents that may have a late `meta` for nothing else.
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
pub(super) mod prescan;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::reader::Reader;
use super::tap::{LONGEST_TEXT, WorkLimits};
use crate::encoding::{self, Confidence, Decoded, Detected};
use crate::find::find_ignore_case;
use crate::limits::Placement;
use crate::markup::name_set::NameSet;
use crate::unsupported::Unsupported;
pub(crate) use prescan::PRESCAN_LENGTH as DETECTION_PREFIX;
use prescan::prescan;

/// Dependence of the tags of a document on the encoding in which it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagStability {
    /// The tags are the same in every ASCII-compatible encoding.
    AnyEncoding,
    /// Another encoding may result in other tags.
    ThisEncoding,
}

/// Late declaration of a rewritten document: of a `meta` element that the prescan does not find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MetaDeclaration {
    /// The encoding that is declared, if any is.
    Known(Option<&'static Encoding>),
    /// Not determined: the document must be read for it.
    Unknown,
}

impl Confidence {
    /// Returns the late declaration that detection will find in the rewritten document.
    ///
    /// `encoding` is the one in which the document was read, and `declared` the declaration found in it. The `meta`
    /// elements must be unchanged. Detection looks for a late `meta` in the text in the default encoding. A declaration
    /// found in another encoding counts only if the tags are those of [any encoding](TagStability::AnyEncoding);
    /// otherwise the result is [`MetaDeclaration::Unknown`].
    pub(crate) fn declaration_after_rewrite(
        self,
        declared: Option<&'static Encoding>,
        encoding: &'static Encoding,
        tags: TagStability,
    ) -> MetaDeclaration {
        let is_stable = tags == TagStability::AnyEncoding;
        match self {
            // `encoding` is the default, in which detection reads the document as well.
            Self::Tentative => MetaDeclaration::Known(declared),
            Self::Declared if is_stable && declared == Some(encoding) => {
                MetaDeclaration::Known(declared)
            }
            // An earlier step decides. If none does after rewriting, detection looks for a late `meta` in the text in
            // the default encoding. This document may have been read in another one, so the result is unknown.
            Self::Declared | Self::Certain => MetaDeclaration::Unknown,
        }
    }
}

/// Detects the encoding of `document`, except that late `meta` elements are not considered.
///
/// # Complexity
/// Constant if the BOM, the transport or the prescan determines the encoding; linear otherwise.
pub(crate) fn detect(document: &[u8], transport: Option<&'static Encoding>) -> Detected {
    detect_from_prefix(document, transport).unwrap_or_else(|| Detected {
        encoding: default_encoding(document),
        bom_len: 0,
        confidence: Confidence::Tentative,
        evidence_len: DETECTION_PREFIX,
    })
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
    // The UTF-8 BOM. Those of UTF-16 have two bytes.
    const LONGEST_BOM: usize = 3;
    let bom = Encoding::for_bom(prefix);
    let (encoding, evidence_len) = if let Some((encoding, bom_len)) = bom {
        (encoding, bom_len)
    } else if let Some(encoding) = transport {
        // The transport decides only because these bytes are no BOM.
        (encoding, LONGEST_BOM)
    } else {
        let found = prescan(prefix)?;
        (found.encoding, found.evidence_len)
    };
    Some(Detected {
        encoding,
        bom_len: bom.map_or(0, |(_, bom_len)| bom_len),
        confidence: Confidence::Certain,
        evidence_len,
    })
}

/// Adds the late `meta` elements of `document`, which declare `declares`, to the detection of its encoding.
pub(crate) fn with_late_meta(
    detected: Detected,
    document: &[u8],
    declares: MetaDeclaration,
) -> Detected {
    if detected.confidence != Confidence::Tentative {
        return detected;
    }
    let late_meta = match declares {
        MetaDeclaration::Known(encoding) => encoding,
        MetaDeclaration::Unknown => find_late_meta(document, detected.encoding),
    };
    late_meta.map_or(detected, |encoding| detected.with_late_meta(encoding))
}

/// Decodes `document` in its encoding, late `meta` elements included.
///
/// The encoding is determined by the BOM, then by `transport`, then by the prescan, then by a late `meta` element.
/// Without any of these it is UTF-8 if the document is valid UTF-8, and windows-1252 if not.
///
/// # Errors
/// Those of [`Detected::decode`].
///
/// # Complexity
/// Linear.
pub(crate) fn decode<'d>(
    document: &'d [u8],
    transport: Option<&'static Encoding>,
) -> Result<Decoded<'d>, Unsupported> {
    let detected = detect(document, transport);
    with_late_meta(detected, document, MetaDeclaration::Unknown).decode(document, LONGEST_TEXT)
}

/// Returns the encoding that the first `meta` element with a valid declaration names.
///
/// `default` is the [encoding](default_encoding) in which the document is read for it.
///
/// # Source
/// HTML, "changing the encoding while parsing". A browser starts over when it meets the declaration; this function
/// reads the document for it before anything else is done with the document.
///
/// # Complexity
/// Linear; the document is read only if it contains the words of a declaration.
fn find_late_meta(document: &[u8], default: &'static Encoding) -> Option<&'static Encoding> {
    let contains = |word: &[u8]| find_ignore_case(document, word).is_some();
    // Prefilter: reading costs far more than these searches. In the value of `content`, unlike in names, "charset" may
    // be written with character references.
    let may_declare =
        || contains(b"charset") || contains(b"http-equiv") && document.contains(&b'&');
    if !contains(b"<meta") || !may_declare() {
        return None;
    }
    let (text, _) = default.decode_without_bom_handling(document);
    if text.len() > LONGEST_TEXT {
        return None;
    }
    // A declaration that is not found within these limits is found when the document is read.
    let mut limits = WorkLimits::of_length(text.len(), Placement::Container);
    let parsed = Reader::Fast
        .read(&text, &NameSet::default(), &mut limits)
        .ok()?;
    parsed.tokens.declared_encoding
}

/// Returns whether `rewritten` is detected as `encoding`, or as one in which it decodes to the same text.
///
/// `pieces` returns the intended text; it is called only if another encoding is detected. `declares` is the late
/// declaration of `rewritten`; if that is [`MetaDeclaration::Unknown`], `rewritten` is read for it if it matters.
///
/// The detected encoding may differ although the texts are equal: a document that was windows-1252 by default is UTF-8
/// by default once its last byte beyond ASCII is percent-encoded.
///
/// # Complexity
/// Linear; constant if the BOM, the transport or the prescan determines the expected encoding.
pub(crate) fn reads_as<'t, P: Iterator<Item = Cow<'t, str>>>(
    rewritten: &[u8],
    transport: Option<&'static Encoding>,
    encoding: &'static Encoding,
    declares: MetaDeclaration,
    pieces: impl FnOnce() -> P,
) -> bool {
    let detected = with_late_meta(detect(rewritten, transport), rewritten, declares);
    detected.encoding == encoding || {
        let body = &rewritten[detected.bom_len..];
        encoding::decodes_to(body, detected.encoding, pieces())
    }
}

/// Returns the encoding of a document that declares none.
fn default_encoding(document: &[u8]) -> &'static Encoding {
    if simdutf8::basic::from_utf8(document).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}
