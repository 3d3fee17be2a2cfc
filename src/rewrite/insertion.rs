//! Insertions into HTML documents: [`Rewriter::insert`](crate::Rewriter::insert).
//!
//! HEAD begins and ends at tokens that the scanner finds, whatever follows. The end of BODY is found by its last end
//! tag, which may be text in a comment or a script. So what precedes it is read, followed by a tag.

use encoding_rs::Encoding;

use super::edit::TextEdit;
use super::source_text::SpanMapper;
use crate::encoding;
use crate::find::find_ignore_case;
use crate::html::{ends_outside_markup, scan};
use crate::record::LinkCounts;
use crate::settings::{InsertionPlace, RewriteSettings};
use crate::span::Span;

/// Returns the edits that insert what `settings` say into `text`, an HTML document in `encoding`, in any order, and
/// counts them.
pub(super) fn insertions(
    settings: &RewriteSettings,
    text: &str,
    span_mapper: &SpanMapper<'_>,
    encoding: &'static Encoding,
    counts: &mut LinkCounts,
) -> Vec<TextEdit> {
    if settings.insertions.is_empty() {
        return Vec::new();
    }
    let head = scan::head(text);
    let edit = |(place, markup): &(InsertionPlace, String)| {
        let offset = match place {
            InsertionPlace::HeadStart => head?.start,
            InsertionPlace::HeadEnd => head?.end?,
            InsertionPlace::BodyEnd => body_end(text)?,
        };
        let is_known = offset < text.len() && *place != InsertionPlace::BodyEnd;
        let edit = TextEdit::new(Span::new(offset, offset), markup.clone());
        let can_write = (is_known || ends_outside_markup(&text[..offset]))
            && span_mapper.source_span(edit.span).is_some()
            && encoding::in_encoding(markup, encoding) == **markup;
        can_write.then_some(edit)
    };
    let edits: Vec<_> = settings.insertions.iter().filter_map(edit).collect();
    counts.beside += edits.len();
    counts.left += settings.insertions.len() - edits.len();
    edits
}

/// Returns the offset of the last end tag of BODY, or of HTML if there is none, or the end.
///
/// Returns `None` if BODY has not begun there, so that a script would be in HEAD, or if FRAMESET may replace it.
fn body_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let last = |name: &[u8; 6]| {
        let is_tag = |window: &[u8]| {
            window[..6].eq_ignore_ascii_case(name) && b"> /\t\n\r\x0c".contains(&window[6])
        };
        bytes.windows(7).rposition(is_tag)
    };
    let end = last(b"</body").or_else(|| last(b"</html"));
    let end = end.unwrap_or(text.len());
    let is_in_body =
        scan::head(&text[..end])?.body.is_some() && find_ignore_case(bytes, b"<frameset").is_none();
    is_in_body.then_some(end)
}
