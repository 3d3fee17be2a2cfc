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
    let inner = without_end(inner);
    let markup = conditional_markup(inner)?;
    // The delimiters are a guess, so the text between them must be that of the token.
    let is_same = charref::decode_raw(inner, 0).text == data;
    is_same.then(|| Span::new(start + markup.start, start + markup.end))
}

/// Returns the text of a comment, given `inner`, the source from the end of `<!--` to the end of the comment.
///
/// # Source
/// HTML, "comment end state" and "comment end bang state". The end of the document ends a comment, too (parse error
/// "eof-in-comment"). The part of `-->` or `--!>` before it is dropped.
pub(super) fn without_end(inner: &str) -> &str {
    // A comment that the end of the document ends does not end with ">", or only after other text.
    let ends = ["-->", "--!>", "--!", "--", "-"];
    let data = ends.iter().find_map(|end| inner.strip_suffix(end));
    data.unwrap_or(inner)
}
