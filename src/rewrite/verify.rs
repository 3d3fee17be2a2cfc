//! Verification: a reader of the output must get the intended text.
//!
//! Writing targets may change how the output is read. If a reader would not get the intended text, nothing is written
//! at all: the document is returned unchanged, every resolved link is skipped, and
//! [`Report::unwritten`](crate::Report::unwritten) has the reason. There are two conditions:
//!
//! * Decoded in the encoding of the input, the bytes must yield the edited text. This holds if every character is
//!   encoded independently of its neighbors, so single-byte encodings are not checked. It holds for UTF-8, because
//!   splicing strings into it yields the intended text, and for a skeleton, because only ASCII is spliced into it and
//!   never next to a masked byte. It may fail for decoded text, in an encoding that switches between character sets
//!   (ISO-2022-JP) or where the input is malformed.
//! * A reader must detect that encoding, or another one in which the bytes decode to the same text. This may fail if a
//!   target looks like an encoding declaration to the prescan, if an edit changes a declaration or moves one into or
//!   out of the first 1024 bytes, or if removing the last non-ASCII byte turns a windows-1252 document into valid
//!   UTF-8.
//!
//! In the common case this costs nothing: for UTF-8 it suffices that the prefix that determined the encoding is
//! unchanged.

use std::borrow::Cow;

use super::pass::{Pass, PassSummary};
use super::source_text::SourceText;
use crate::document::DocumentKind;
use crate::encoding::{self, Detected};
use crate::html::encoding::{MetaDeclaration, TagStability, reads_as};
use crate::record::SkipReason;

/// Returns why a reader of `bytes`, the output of `pass`, would not get the text whose pieces `pieces` returns.
///
/// `source` must be the text that was visited. Returns `None` if the reader gets the text.
///
/// # Complexity
/// Linear; constant for valid UTF-8 if no edit is in the prefix that determined the encoding.
pub(super) fn misreading<'t, P: Iterator<Item = Cow<'t, str>>>(
    pass: &Pass<'_, '_>,
    source: &SourceText<'_>,
    summary: &PassSummary,
    bytes: &[u8],
    pieces: impl Fn() -> P,
) -> Option<SkipReason> {
    let Detected {
        encoding,
        bom_len,
        confidence,
        ..
    } = pass.detected;
    let is_decoded = matches!(source, SourceText::Decoded(_));
    if is_decoded
        && !encoding.is_single_byte()
        && !encoding::decodes_to(&bytes[bom_len..], encoding, pieces())
    {
        return Some(SkipReason::Undecodable);
    }
    // Only HTML declares an encoding where an edit may be. `@charset` and an XML declaration are in the first bytes.
    if pass.document.kind != DocumentKind::Html {
        return None;
    }
    let edits_meta = summary.stats.edits_meta;
    // Spliced UTF-8 is UTF-8 as long as no declaration contradicts it.
    if matches!(source, SourceText::Utf8 { .. })
        && !edits_meta
        && pass
            .detected
            .is_detected_for_same_reason(bytes, pass.document.bytes)
    {
        return None;
    }
    let declared_encoding = if edits_meta {
        // The edit may have changed the declaration itself.
        MetaDeclaration::Unknown
    } else {
        // A reader finds a late declaration by parsing the document in its default encoding. There it may find other
        // tags if characters have several bytes or if ASCII bytes have another meaning. A skeleton has the tags of the
        // document in every ASCII-compatible encoding, also a multi-byte one: `mask_may_matter` excludes the
        // exceptions.
        let tags = match source {
            SourceText::Skeleton { .. } => TagStability::AnyEncoding,
            SourceText::Decoded(_) if encoding.is_single_byte() => TagStability::AnyEncoding,
            SourceText::Utf8 { .. } | SourceText::Decoded(_) => TagStability::ThisEncoding,
        };
        confidence.declaration_after_rewrite(summary.declared_encoding, encoding, tags)
    };
    let transport = pass.document.encoding;
    let is_read = reads_as(bytes, transport, encoding, declared_encoding, pieces);
    (!is_read).then_some(SkipReason::EncodingDeclaration)
}
