//! Conditional comments, the content of which some programs treat as markup.

use super::charref;
use crate::span::Span;

/// Returns the span of the markup in `data`, the text of a comment, if the comment is conditional.
///
/// # Source
/// Microsoft, "About conditional comments": the downlevel-hidden form, `<!--[if mso]>...<![endif]-->`.
pub(crate) fn conditional_markup(data: &str) -> Option<Span> {
    const CLOSE: &str = "<![endif]";
    if !data.trim_start().starts_with("[if") {
        return None;
    }
    let open = data.find("]>")? + "]>".len();
    let close = data.trim_end().len().checked_sub(CLOSE.len())?;
    let is_closed = data.get(close..)?.trim_end().eq_ignore_ascii_case(CLOSE);
    (is_closed && open <= close).then(|| Span::new(open, close))
}

/// Returns the span of the markup in the comment at `span`, whose token has the text `data`, if it is a conditional
/// comment.
pub(super) fn markup_in_comment(text: &str, span: Span, data: &str) -> Option<Span> {
    const OPEN: &str = "<!--";
    // Most comments are not conditional, so the token is tested before the source is looked at.
    conditional_markup(data)?;
    let inner = text.get(span.start..span.end)?.strip_prefix(OPEN)?;
    let start = span.start + OPEN.len();
    let inner = inner
        .strip_suffix("-->")
        .or_else(|| inner.strip_suffix("--!>"))?;
    let markup = conditional_markup(inner)?;
    // The delimiters are a guess, so the text between them must be that of the token.
    let is_same = charref::decode_raw(inner, 0).text == data;
    is_same.then(|| Span::new(start + markup.start, start + markup.end))
}
