//! References in CSS: which tokens are references, and where.
//!
//! What is a token is the affair of `cssparser`; how a reference is written in one, that of [`notation`]. This is not a
//! parser of style sheets: whether a property exists, or a value is valid for it, is not asked, and so a `url()` is a
//! reference wherever it stands, also in a rule or a declaration that a user agent drops.

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

/// What a CSS text is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssPart {
    /// A style sheet: the text of a STYLE element, or a file without its byte order mark.
    Stylesheet,
    /// The value of a style attribute, or of an SVG presentation attribute: no rule can import anything here.
    Value,
}

/// The references in `text`, in order and disjoint; spans are in bytes of `text`.
///
/// A reference is an unquoted url, the string that `url()` or `src()` begins with, a string directly in `image-set()`
/// or `image()`, and the string that the prelude of a top-level `@import` begins with, also where CSS forgives that the
/// text ends inside it. What stands in the prelude of `@namespace` is an identifier. Empty references, and those with
/// nothing but a fragment, are among them.
///
/// # Source
/// CSS Syntax 3, sections 4 and 5; CSS Values 4, "Resource Locators: the `<url>` type"; CSS Images 4, `image()` and
/// `image-set()`; CSS Cascade 5, "Importing Style Sheets"; CSS Namespaces 3, "Declaring namespaces".
///
/// 1. An `@import` behind other rules counts, although a user agent ignores it: link extractors follow it.
///
/// # Complexity
/// Linear in the length of `text`, also in its nesting; nothing recurses.
pub(crate) fn css(text: &str, part: CssPart) -> Vec<ReferenceToken<'_>> {
    if !may_contain_reference(text) {
        return Vec::new();
    }
    skim::scan_references(text).unwrap_or_else(|| scan::scan(text, part))
}

/// Gives the references in `text` that [`css`] gives to `found`, as long as all of them stand for themselves in `url()`,
/// and it gives something; `None` if not, or if it takes more than skimming to find them.
pub(super) fn each_simple(
    text: &str,
    mut found: impl FnMut(Span, Notation) -> Option<()>,
) -> Option<()> {
    if !may_contain_reference(text) {
        return Some(());
    }
    skim::each(text, |one| {
        if one.is_plain {
            found(one.span, one.notation)
        } else {
            None
        }
    })
}

/// What a reference in `url()` is said to stand in.
const URL: &str = "url()";

/// Whether there may be a reference in `text`: it stands in one of few functions or behind `@import`, and their names
/// can only be hidden by escapes.
fn may_contain_reference(text: &str) -> bool {
    // The last letters of `url`, `src`, `image-set` with any prefix, and `image`.
    const FUNCTIONS: [&[u8]; 4] = [b"url", b"src", b"-set", b"image"];
    const AT_RULE: &[u8] = b"@import";
    let bytes = text.as_bytes();
    memchr3_iter(b'(', b'@', b'\\', bytes).any(|at| match bytes[at] {
        b'(' => FUNCTIONS.iter().any(|name| {
            let start = at.checked_sub(name.len());
            start.is_some_and(|start| bytes[start..at].eq_ignore_ascii_case(name))
        }),
        b'@' => bytes[at..]
            .get(..AT_RULE.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(AT_RULE)),
        _ => true,
    })
}
