//! Which encoding an HTML document has.
//!
//! Source: HTML, "determining the character encoding", without the parts that need a browser's history or locale.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, WINDOWS_1252};

use super::Unsupported;
pub(crate) use super::prescan::PRESCAN_LENGTH as LONGEST_PREFIX;
use super::prescan::{Prescan, declared, prescan};
use super::tap::LONGEST_TEXT;
use super::tokens::MetaDeclaration;
use super::tree::declared_encoding;
use crate::encoding::{self, Decoded};

/// How certain an encoding is.
///
/// # Source
/// HTML, "determining the character encoding", "confidence".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confidence {
    /// A `meta` element that nobody has seen yet may say otherwise.
    Tentative,
    /// A `meta` element said so that the prescan did not reach. It has to say so still where it stands in a document that
    /// was rewritten.
    Declared,
    /// Nothing in the document can change it.
    Certain,
}

impl Confidence {
    /// What the document will declare once it is rewritten, if it was read in `encoding` and `declares` that, and its
    /// `meta` elements stay as they are; where it `has_same_tags` in every encoding that ASCII is part of.
    ///
    /// What it declares is found by reading it in the encoding of a document that declares nothing. Reading it in
    /// another tells only what is the same in both.
    pub(crate) fn still_declares(
        self,
        declares: MetaDeclaration,
        encoding: &'static Encoding,
        has_same_tags: bool,
    ) -> MetaDeclaration {
        let is_told = match self {
            Self::Tentative => true,
            Self::Declared => has_same_tags && declares == MetaDeclaration::Encoding(encoding),
            Self::Certain => false,
        };
        if is_told {
            declares
        } else {
            MetaDeclaration::Unknown
        }
    }
}

/// What is known of the encoding of a document before it is read.
pub(crate) struct Detected {
    pub(crate) encoding: &'static Encoding,
    pub(crate) bom_len: usize,
    /// If it is tentative, a `meta` element may declare another.
    pub(crate) confidence: Confidence,
    /// How many bytes at the beginning say so, or say nothing; may be more than there are.
    pub(crate) evidence_len: usize,
}

impl Detected {
    /// Whether `rewritten`, which `document` in UTF-8 became, is in UTF-8 for the same reason: it begins like that. What
    /// `meta` elements declare behind that must not have changed.
    ///
    /// Without a declaration the bytes themselves tell, and what is written into UTF-8 is.
    pub(crate) fn is_detected_for_same_reason(&self, rewritten: &[u8], document: &[u8]) -> bool {
        let beginning = document.get(..self.evidence_len);
        beginning.is_some() && rewritten.get(..self.evidence_len) == beginning
    }
}

/// Which encoding `document` has, but for `meta` elements that the prescan does not reach.
///
/// # Complexity
/// Linear, and not even that if something says which.
pub(crate) fn detected(document: &[u8], transport: Option<&'static Encoding>) -> Detected {
    let sniffed = sniff(document, transport);
    Detected {
        encoding: sniffed.encoding.unwrap_or_else(|| default(document)),
        bom_len: sniffed.bom_len,
        confidence: match sniffed.encoding {
            Some(_) => Confidence::Certain,
            None => Confidence::Tentative,
        },
        evidence_len: sniffed.evidence_len,
    }
}

/// Which encoding a document has that begins like this, whatever follows; `None` if that cannot be told. The beginning is
/// [`LONGEST_PREFIX`] bytes or more, or the whole document.
pub(crate) fn detect_from_prefix(
    beginning: &[u8],
    transport: Option<&'static Encoding>,
) -> Option<Detected> {
    let sniffed = sniff(beginning, transport);
    Some(Detected {
        encoding: sniffed.encoding?,
        bom_len: sniffed.bom_len,
        confidence: Confidence::Certain,
        evidence_len: sniffed.evidence_len,
    })
}

/// A document that was decoded before it was read.
pub(crate) struct DecodedAs<'d> {
    pub(crate) decoded: Decoded<'d>,
    /// If it is tentative, and the document has a `meta` element that declares another, it is for [`decode_as`] to
    /// decode it.
    pub(crate) confidence: Confidence,
}

/// As [`decode`], but for `meta` elements that the prescan does not reach.
///
/// # Errors
/// As [`decode`].
///
/// # Complexity
/// Linear; a document is looked at once.
pub(crate) fn decode_as_detected<'d>(
    document: &'d [u8],
    transport: Option<&'static Encoding>,
) -> Result<DecodedAs<'d>, Unsupported> {
    let detected = detected(document, transport);
    Ok(DecodedAs {
        decoded: decode_in(document, detected.encoding, detected.bom_len)?,
        confidence: detected.confidence,
    })
}

/// Reads `document` in the encoding that a `meta` element declares which the prescan does not reach.
///
/// # Errors
/// As [`decode`].
///
/// # Complexity
/// Linear.
pub(crate) fn decode_as<'d>(
    document: &'d [u8],
    encoding: &'static Encoding,
) -> Result<Decoded<'d>, Unsupported> {
    // With a byte order mark it would be certain, and nothing to be declared.
    decode_in(document, encoding, 0)
}

/// Reads `document` in the encoding it has: the one its byte order mark, then the transport, then its own `meta` names.
///
/// Without any of these it is UTF-8 if it is valid UTF-8, and windows-1252 if not.
///
/// # Errors
/// Its text cannot be read as a document.
///
/// # Complexity
/// Linear.
pub(crate) fn decode<'d>(
    document: &'d [u8],
    transport: Option<&'static Encoding>,
) -> Result<Decoded<'d>, Unsupported> {
    let (encoding, bom_len) = detect(document, transport);
    decode_in(document, encoding, bom_len)
}

fn decode_in<'d>(
    document: &'d [u8],
    encoding: &'static Encoding,
    bom_len: usize,
) -> Result<Decoded<'d>, Unsupported> {
    if encoding == REPLACEMENT {
        return Err(Unsupported::NoEncoding);
    }
    let decoded = encoding::decode(document, encoding, bom_len);
    if decoded.text.len() > LONGEST_TEXT {
        return Err(Unsupported::TooLong);
    }
    Ok(decoded)
}

/// The encoding a document has, and the length of its byte order mark.
fn detect(document: &[u8], transport: Option<&'static Encoding>) -> (&'static Encoding, usize) {
    let SniffedEncoding {
        encoding, bom_len, ..
    } = sniff(document, transport);
    let encoding = encoding
        .or_else(|| late_declaration(document))
        .unwrap_or_else(|| default(document));
    (encoding, bom_len)
}

/// What is known of an encoding before a document is parsed.
struct SniffedEncoding {
    /// What the byte order mark, the transport or the prescan says.
    encoding: Option<&'static Encoding>,
    bom_len: usize,
    /// How many bytes at the beginning say so, or say nothing; may be more than there are.
    evidence_len: usize,
}

fn sniff(document: &[u8], transport: Option<&'static Encoding>) -> SniffedEncoding {
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

/// What `document`, of which the prescan says nothing, declares, if reading it found that it `declares` this.
///
/// # Complexity
/// Linear.
pub(crate) fn late_declared(document: &[u8], declares: MetaDeclaration) -> MetaDeclaration {
    match declares {
        MetaDeclaration::Unknown => {
            late_declaration(document).map_or(MetaDeclaration::Nothing, MetaDeclaration::Encoding)
        }
        MetaDeclaration::Nothing | MetaDeclaration::Encoding(_) => declares,
    }
}

/// The encoding that a `meta` element declares which the prescan did not reach.
///
/// # Source
/// HTML, "changing the encoding while parsing": what the parser finds there makes it start over. Here it is found
/// before the start, by parsing as far as need be; only a document that has the word in it is worth that.
fn late_declaration(document: &[u8]) -> Option<&'static Encoding> {
    let has = |word: &[u8]| {
        document
            .windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word))
    };
    // In `content` the word may be written with character references.
    let may_say = || has(b"charset") || has(b"http-equiv") && document.contains(&b'&');
    if !has(b"<meta") || !may_say() {
        return None;
    }
    let (text, _) = default(document).decode_without_bom_handling(document);
    if text.len() > LONGEST_TEXT {
        return None;
    }
    declared_encoding(&text).map(declared)
}

/// Whether `rewritten` will be read as the text that `text` gives, whatever encoding it is found to be in.
///
/// Rewriting may change how the encoding is found. The prescan knows less of HTML than a parser: it may take the end of
/// a comment, or a declaration, from within an attribute that was rewritten. And what was not UTF-8 may be, once its
/// last byte beyond ASCII is percent-encoded; but then it reads the same. What `meta` elements that the prescan does not
/// reach declare, is `declares`.
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
            MetaDeclaration::Nothing => (default(rewritten), 0),
            MetaDeclaration::Encoding(encoding) => (encoding, 0),
            MetaDeclaration::Unknown => detect(rewritten, transport),
        },
    };
    detected == encoding
        || detected
            .decode_without_bom_handling(&rewritten[bom_len..])
            .0
            == text()
}

fn default(document: &[u8]) -> &'static Encoding {
    if simdutf8::basic::from_utf8(document).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}
