//! Which encoding an HTML document has.
//!
//! Source: HTML, "determining the character encoding", without the parts that need a browser's history or locale.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, WINDOWS_1252};

use super::Unread;
use super::prescan::{declared, prescan};
use super::tap::LONGEST_TEXT;
use super::tree::declared_encoding;
use crate::encoding::{self, Decoded};

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
) -> Result<Decoded<'d>, Unread> {
    let (encoding, mark_length) = detect(document, transport);
    if encoding == REPLACEMENT {
        return Err(Unread::NoEncoding);
    }
    let decoded = encoding::decode(document, encoding, mark_length);
    if decoded.text.len() > LONGEST_TEXT {
        return Err(Unread::TooLong);
    }
    Ok(decoded)
}

/// The encoding a document has, and the length of its byte order mark.
fn detect(document: &[u8], transport: Option<&'static Encoding>) -> (&'static Encoding, usize) {
    Encoding::for_bom(document).unwrap_or_else(|| {
        let named = transport
            .or_else(|| prescan(document))
            .or_else(|| late_declaration(document));
        (named.unwrap_or_else(|| default(document)), 0)
    })
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
    if !has(b"charset") || !has(b"<meta") {
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
/// last byte beyond ASCII is percent-encoded; but then it reads the same.
pub(crate) fn reads_as(
    rewritten: &[u8],
    transport: Option<&'static Encoding>,
    encoding: &'static Encoding,
    text: impl Fn() -> String,
) -> bool {
    let (detected, mark_length) = detect(rewritten, transport);
    detected == encoding
        || detected
            .decode_without_bom_handling(&rewritten[mark_length..])
            .0
            == text()
}

fn default(document: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(document).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    }
}
