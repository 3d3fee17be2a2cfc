//! Where the text of an element ends, and the markup in a comment begins: what tags alone do not tell.

use markup5ever_rcdom::Handle;

use super::element::{is_svg_style, text_of};
use super::tokens::{TextContent, TextKind};
use super::{charref, conditional_comment, foreign_text};
use crate::span::Span;

/// An element that may have text, behind its start tag.
pub(super) struct OpenText {
    /// The place of the start tag in `found`.
    pub(super) index: usize,
    pub(super) start: usize,
    pub(super) kind: TextKind,
    pub(super) node: Option<Handle>,
    /// Where the text may end, in order. Which end tag ends it the tree will tell: in foreign content not every one
    /// ends something.
    pub(super) ends: Vec<usize>,
}

/// The text of the element `node`, which by the tags of `text` is `content`, as the tree has it; `ends` is where it may
/// end, if it is foreign.
pub(super) fn settled(
    text: &str,
    content: Option<TextContent>,
    ends: &[usize],
    node: &Handle,
) -> Option<TextContent> {
    let expected = text_of(node);
    let end = match &content {
        Some(TextContent { span, kind }) => match kind {
            TextKind::Raw => raw_end(text, *span, &expected.text),
            TextKind::Foreign if expected.is_whole => {
                foreign_end(text, *span, ends, &expected.text)
            }
            TextKind::Foreign | TextKind::Fragmented(_) => None,
        },
        None => None,
    };
    match (content, end) {
        (Some(content), Some(end)) => Some(TextContent {
            span: Span::new(content.span.start, end),
            ..content
        }),
        (content, _) if is_svg_style(node) && !expected.text.is_empty() => Some(TextContent {
            span: content.map_or(Span::default(), |content| content.span),
            kind: TextKind::Fragmented(expected.text),
        }),
        _ => None,
    }
}

/// The end of the raw text at `span`, which goes on to the end of all and in the tree is `expected`: a cut-off end tag
/// is no part of it.
fn raw_end(text: &str, span: Span, expected: &str) -> Option<usize> {
    let decoded = charref::decode_raw(&text[span.start..span.end], span.start);
    let end = decoded.map.source(expected.len())?;
    decoded.text.starts_with(expected).then_some(end)
}

/// Which of `ends` is that of the text at `span`, which in the tree is `expected`.
fn foreign_end(text: &str, span: Span, ends: &[usize], expected: &str) -> Option<usize> {
    let decoded = foreign_text::decode(&text[span.start..span.end], span.start).value;
    let is_end = |end: &&usize| decoded.map.text(**end) == expected.len();
    let is_same = decoded.text.starts_with(expected) && !expected.is_empty();
    ends.iter().find(is_end).copied().filter(|_| is_same)
}

/// The markup in the comment at `span`, whose text is `data`, if it is a conditional one.
pub(super) fn conditional_comment(text: &str, span: Span, data: &str) -> Option<Span> {
    const OPEN: &str = "<!--";
    conditional_comment::conditional_markup(data)?;
    let inner = text.get(span.start..span.end)?.strip_prefix(OPEN)?;
    let start = span.start + OPEN.len();
    let inner = inner
        .strip_suffix("-->")
        .or_else(|| inner.strip_suffix("--!>"))?;
    let markup = conditional_comment::conditional_markup(inner)?;
    let is_same = charref::decode_raw(inner, 0).text == data;
    is_same.then(|| Span::new(start + markup.start, start + markup.end))
}
