//! Spans of element text, which the positions of tags alone do not determine.
//!
//! The text that a span decodes to is compared with the tree, as [`check`](mod@super::check) does
//! for tags.

use super::outline::{NodeId, Outline};
use crate::html::{charref, foreign_text};
use crate::markup::tokens::{TextContent, TextKind};
use crate::span::Span;

/// Text of an element whose end has not been read.
pub(super) struct OpenText<H> {
    /// Index of the start tag.
    pub(super) index: usize,
    /// Offset at which the text begins.
    pub(super) start: usize,
    pub(super) kind: TextKind,
    /// The element, if the start tag created one.
    pub(super) node: Option<H>,
    /// The last offset so far at which the text may end.
    pub(super) end: Option<usize>,
}

/// An offset at which the text of an SVG element may end. An end tag may be ignored there; the finished tree determines
/// which one ended the text.
pub(super) struct PossibleEnd {
    /// Index of the start tag.
    pub(super) index: usize,
    pub(super) offset: usize,
}

/// Returns the text of `node`, with the end that the finished tree confirms.
///
/// `content` is its text according to the tags of `text`, and `ends` are its possible ends if it is foreign. If the
/// tree confirms no end, returns [`TextKind::Fragmented`] for an SVG STYLE that has text, and otherwise `None`.
pub(super) fn text_in_tree(
    text: &str,
    content: Option<TextContent>,
    ends: &[PossibleEnd],
    (tree, node): (&Outline, NodeId),
) -> Option<TextContent> {
    let expected = tree.text_of(node);
    let find_end = |TextContent { span, kind }: &TextContent| match kind {
        TextKind::Raw => raw_end(text, *span, &expected.text),
        // With other children than one text node, no single span of the source is the text.
        TextKind::Foreign if expected.is_whole => foreign_end(text, *span, ends, &expected.text),
        TextKind::Foreign
        | TextKind::Fragmented(_)
        | TextKind::Xml
        | TextKind::XmlSection
        | TextKind::Json => None,
    };
    let end = content.as_ref().and_then(find_end);
    match (content, end) {
        (Some(content), Some(end)) => Some(TextContent {
            span: Span::new(content.span.start, end),
            ..content
        }),
        (content, _) if tree.is_svg_style(node) && !expected.text.is_empty() => Some(TextContent {
            // This span is not equal to the text. It is empty if the tags did not show that the element has text.
            span: content.map_or(Span::default(), |content| content.span),
            kind: TextKind::Fragmented(expected.text),
        }),
        _ => None,
    }
}

/// Returns the end of the raw text that is `expected` in the tree, where `span` extends to the end of the document.
///
/// The tokenizer drops a truncated end tag at the end of the document, so `expected` may be shorter than `span`.
/// Returns `None` if `span` does not begin with `expected`.
fn raw_end(text: &str, span: Span, expected: &str) -> Option<usize> {
    let decoded = charref::decode_raw(&text[span.start..span.end], span.start);
    let end = decoded.map.source(expected.len())?;
    decoded.text.starts_with(expected).then_some(end)
}

/// Returns the first of `ends` at which the text that begins at `span` is `expected`, the text in the tree.
///
/// Returns `None` if there is none, or if `expected` is empty.
fn foreign_end(text: &str, span: Span, ends: &[PossibleEnd], expected: &str) -> Option<usize> {
    let decoded = foreign_text::decode(&text[span.start..span.end], span.start);
    let mut offsets = ends.iter().map(|end| end.offset);
    // Every text begins with the empty text, so an empty `expected` would confirm nothing.
    let is_same = decoded.text.starts_with(expected) && !expected.is_empty();
    let end = offsets.find(|offset| decoded.map.text(*offset) == expected.len());
    end.filter(|_| is_same)
}
