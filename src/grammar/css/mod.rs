//! References in CSS: which tokens are references, with their spans.
//!
//! This is not a parser of style sheets. It does not know selectors, properties or their values, so a `url()` is a
//! reference wherever it appears, also in a rule or declaration that a user agent drops. Which ones it drops depends on
//! the user agent, and a tool may move a rule to where it is valid. Rewriting a reference that nobody follows is
//! harmless; leaving one that is followed is not. Only a bad string and a bad url (CSS Syntax 3, 4.3) are no reference.
//!
//! [`reader`] finds them. It is not the crate cssparser, which would read every token of a style sheet to find the few
//! that are references, and returns their values without the spans of their contents. The tests compare the two.
//!
//! Before it, [`may_contain_reference`] rejects texts that contain no name that could introduce a reference, which is
//! true of most `style` attributes.
//!
//! [`blocks`] tracks the blocks around a reference where they matter, and [`tokens`] finds the ends of tokens.
//! [`notation`] decodes and writes the references themselves, in strings and unquoted urls. [`charset`] determines the
//! encoding of a style sheet.

mod blocks;
mod charset;
#[cfg(test)]
mod cssparser_tests;
mod notation;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;

pub(crate) use blocks::CssPart;
pub(crate) use charset::declared_encoding;
pub(in crate::grammar) use notation::escape;

use memchr::memchr3_iter;
use reader::{CssReader, is_delimiter};

use super::notation::Notation;
use super::token::ReferenceToken;
use crate::find::starts_with_ignore_case;
use crate::span::Span;

/// Returns the first `max` references in `text`, in order and disjoint; spans are in bytes of `text`.
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
/// `image-set()`; CSS Cascade 5, "Importing Style Sheets"; CSS Namespaces 3, "Declaring namespaces". Deviations:
///
/// 1. An `@import` after other rules counts (CSS Cascade 5, 2: "or else the `@import` rule is invalid"). Link
///    extractors follow it, and a tool that merges style sheets may move it to the start.
/// 2. An `@import` with a `{}` block instead of a semicolon counts, as its `url()` does, for the reason in the
///    [module](self).
///
/// # Complexity
/// Linear in the length of `text`, whatever its nesting; nothing recurses.
pub(crate) fn css(text: &str, part: CssPart, max: usize) -> Vec<ReferenceToken<'_>> {
    if !may_contain_reference(text) {
        return Vec::new();
    }
    reader::references(text, part, max)
}

/// Calls `visit` with each reference that [`css`] returns, if all of them are literal and in `url()`.
///
/// Returns `false` if `visit` did, if a reference contains escapes, or if blocks matter ([`reader`]); `visit` may have
/// been called for some references by then.
pub(super) fn each_simple(text: &str, mut visit: impl FnMut(Span, Notation) -> bool) -> bool {
    if !may_contain_reference(text) {
        return true;
    }
    let mut reader = CssReader::new(text, is_delimiter, None);
    let is_visited = reader.by_ref().all(|found| {
        let content = &found.content;
        content.is_literal && visit(content.span, content.notation)
    });
    is_visited && !reader.needs_blocks
}

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
        b'@' => starts_with_ignore_case(&bytes[offset..], AT_RULE),
        _ => true,
    })
}
