//! References in CSS: which tokens are references, with their spans.
//!
//! This is not a parser of style sheets. It does not know properties or their values, so a `url()` is a reference
//! wherever it appears, also in a rule or declaration that a user agent drops.
//!
//! # Two searches
//!
//! [`skim`] contains the fast search. It looks for `url()` only and skips everything else without reading tokens. That
//! suffices for most texts, because a `url()` outside comments and strings is a reference whatever is around it. It
//! gives up at anything for which the context matters, such as a string that may be a reference (`image-set("a")`,
//! `@import "a"`), an `@namespace`, or an escape that may be part of such a name.
//!
//! [`scan`] contains the complete search. It reads every token with `cssparser` and tracks the open blocks. If the fast
//! search gives up, the complete one reads the whole text.
//!
//! The two never disagree: a property test compares them on generated texts. Before either of them,
//! [`may_contain_reference`] rejects texts that contain no name that could introduce a reference, which is true of most
//! `style` attributes.
//!
//! [`notation`] decodes and writes the references themselves, in strings and unquoted urls. [`charset`] determines the
//! encoding of a style sheet.

mod charset;
mod notation;
mod scan;
mod skim;
#[cfg(test)]
mod tests;

pub(crate) use charset::declared_encoding;
pub(crate) use notation::Quote;
pub(in crate::grammar) use notation::escape;

use memchr::memchr3_iter;

use super::{Notation, ReferenceToken};
use crate::span::Span;

/// The kind of a CSS text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssPart {
    /// A style sheet: the text of a STYLE element, or a file without its byte order mark.
    Stylesheet,
    /// The value of a `style` attribute or of an SVG presentation attribute, which cannot contain an `@import`.
    Value,
}

/// Returns the references in `text`, in order and disjoint; spans are in bytes of `text`.
///
/// These are references, also if the text ends inside them, which CSS permits:
///
/// * an unquoted url;
/// * the string that is the first component of `url()` or `src()`;
/// * a string directly in `image-set()` or `image()`;
/// * the string that is the first component of a top-level `@import`.
///
/// Empty and fragment-only references are included. A string or url in the prelude of `@namespace` is a name, not a
/// reference.
///
/// # Source
/// CSS Syntax 3, sections 4 and 5; CSS Values 4, "Resource Locators: the `<url>` type"; CSS Images 4, `image()` and
/// `image-set()`; CSS Cascade 5, "Importing Style Sheets"; CSS Namespaces 3, "Declaring namespaces". Deviation:
///
/// 1. An `@import` after other rules counts. A user agent ignores it, but link extractors follow it.
///
/// # Complexity
/// Linear in the length of `text`, whatever its nesting; nothing recurses.
pub(crate) fn css(text: &str, part: CssPart) -> Vec<ReferenceToken<'_>> {
    if !may_contain_reference(text) {
        return Vec::new();
    }
    skim::scan_references(text).unwrap_or_else(|| scan::scan(text, part))
}

/// Calls `visit` with each reference that [`css`] returns, if all of them are literal and in `url()`.
///
/// Returns `None` if `visit` did, if a reference contains escapes, or if [`skim`] gives up; `visit` may have been
/// called for some references by then.
pub(super) fn each_simple(
    text: &str,
    mut visit: impl FnMut(Span, Notation) -> Option<()>,
) -> Option<()> {
    if !may_contain_reference(text) {
        return Some(());
    }
    skim::each_reference(text, |reference| {
        if reference.is_literal {
            visit(reference.span, reference.notation)
        } else {
            None
        }
    })
}

/// The construct of a reference in `url()`, quoted or not.
const URL: &str = "url()";

/// Returns whether `text` may contain a reference.
///
/// A reference is in one of a few functions or follows `@import`. Any escape counts as well, because it may be part of
/// such a name.
fn may_contain_reference(text: &str) -> bool {
    // The ends of the names: "-set" is the end of `image-set` with any vendor prefix.
    const FUNCTIONS: [&[u8]; 4] = [b"url", b"src", b"-set", b"image"];
    const AT_RULE: &[u8] = b"@import";
    let bytes = text.as_bytes();
    memchr3_iter(b'(', b'@', b'\\', bytes).any(|offset| match bytes[offset] {
        b'(' => FUNCTIONS.iter().any(|name| {
            let start = offset.checked_sub(name.len());
            start.is_some_and(|start| bytes[start..offset].eq_ignore_ascii_case(name))
        }),
        b'@' => bytes[offset..]
            .get(..AT_RULE.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(AT_RULE)),
        _ => true,
    })
}
