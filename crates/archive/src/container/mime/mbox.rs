//! Mailboxes in the mbox format: messages one after another in one file.
//!
//! Every message begins with a separator line, `From SENDER DATE`. Writers differ in everything else (RFC 4155 lists
//! the differences): in the form of the sender and the date, whether an empty line precedes the separator, which lines
//! of a body are quoted as `>From `, and whether `Content-Length` states the length of the body, in which case no line
//! is quoted (`mboxcl2`).
//!
//! Bodies are read as they are stored. Whether a `>` was added cannot be known (`mboxo` does not quote `>From `), and a
//! `>` that is removed by mistake may have been the end of a tag.

use absolve::Span;

use crate::container::headers::{HeaderBlock, MalformedLine, content_of, is_field, line_at};

/// The maximum length of a separator line, and of the first line of the field after it (RFC 5322 section 2.1.1).
/// Without a limit, each wrong `Content-Length` could cost the time for reading a long line.
const MAX_LINE: usize = 1_000;

/// The beginning of a separator line.
const SEPARATOR: &[u8] = b"From ";

/// A message in a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MboxMessage {
    /// The message with its separator line, without the empty line after it.
    pub span: Span,
    /// The value of the `Content-Length` field of the message, if it is a number. The body need not have that length.
    pub length: Option<Span>,
}

/// Returns whether `prefix` begins with a separator line that has a time, and a header field after it.
#[must_use]
pub fn begins_mbox(prefix: &[u8]) -> bool {
    is_separator(prefix, 0, false)
}

/// Returns whether a message begins with a separator line, as all messages in a mailbox do.
pub(super) fn begins_message(message: &[u8]) -> bool {
    message.starts_with(SEPARATOR)
}

/// The numbers of lines in a body that can be read as separator lines.
pub(super) struct SeparatorCount {
    /// The lines that are separators for many readers: all that begin with `From `.
    lines: usize,
    /// The lines that are separators for [`split_mbox`].
    separators: usize,
}

impl SeparatorCount {
    /// Returns whether no number is greater than in `other`.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.lines <= other.lines && self.separators <= other.separators
    }
}

/// Counts the lines of `body` that can be read as separator lines.
pub(super) fn count_separators(body: &[u8]) -> SeparatorCount {
    let mut count = SeparatorCount {
        lines: 0,
        separators: 0,
    };
    // An empty line precedes a body.
    let mut is_after_empty_line = true;
    let mut position = 0;
    while position < body.len() {
        let line = line_at(body, position);
        count.lines += usize::from(body[position..].starts_with(SEPARATOR));
        count.separators += usize::from(is_separator(body, position, is_after_empty_line));
        is_after_empty_line = content_of(body, line).is_empty();
        position = line.end;
    }
    count
}

/// Splits a mailbox into its messages; `None` if `source` does not begin with a separator line.
///
/// # Source
/// RFC 4155, and the practice of readers. A line that begins with `From ` is a separator if a header field follows it,
/// and if an empty line precedes it or it contains a time of day: so a message whose writer quoted nothing is not split
/// at a sentence that begins with that word. As in mutt, `Content-Length` determines the end of a message if the next
/// separator or the end of the mailbox is there.
///
/// # Complexity
/// Linear in the length of `source`.
#[must_use]
pub fn split_mbox(source: &[u8]) -> Option<Vec<MboxMessage>> {
    if !begins_message(source) {
        return None;
    }
    let mut messages = Vec::new();
    let mut start = 0;
    while start < source.len() {
        let first_line = line_at(source, start);
        let mut gap = next_separator(source, first_line.end);
        let headers = HeaderBlock::split(&source[..gap.end], start, MalformedLine::EndHeaders);
        let declared = declared_length(source, &headers);
        let mut end = gap.start.max(headers.body_start().min(gap.end));
        let declared_end = declared.and_then(|(_, length)| body_end(source, &headers, length));
        if let Some(body_end) = declared_end {
            end = body_end;
            // Lines of the body that look like separators are skipped.
            if body_end > gap.end {
                gap = next_separator(source, body_end);
            }
        }
        messages.push(MboxMessage {
            span: Span::new(start, end),
            length: declared.map(|(value, _)| value),
        });
        start = gap.end;
    }
    Some(messages)
}

/// Finds the first separator line at or after `start`, which must be the start of a line. Returns the empty line before
/// it, which belongs to no message and may be missing: it ends where the separator or the end of the mailbox is.
fn next_separator(source: &[u8], start: usize) -> Span {
    let mut position = start;
    // The start of the line before `position`, if it is empty.
    let mut empty_line = None;
    while position < source.len() {
        if is_separator(source, position, empty_line.is_some()) {
            break;
        }
        let line = line_at(source, position);
        empty_line = content_of(source, line).is_empty().then_some(position);
        position = line.end;
    }
    Span::new(empty_line.unwrap_or(position), position)
}

/// Returns whether the line at `start` separates messages.
fn is_separator(source: &[u8], start: usize, is_after_empty_line: bool) -> bool {
    let end = source.len().min(start + 2 * MAX_LINE);
    let text = &source[start..end];
    if !text.starts_with(SEPARATOR) {
        return false;
    }
    let line = line_at(text, 0);
    (is_after_empty_line || has_time(&text[..line.end])) && is_field(text, line_at(text, line.end))
}

/// Returns whether `line` contains a time of day: a colon between digits.
fn has_time(line: &[u8]) -> bool {
    line.windows(3)
        .any(|text| text[0].is_ascii_digit() && text[1] == b':' && text[2].is_ascii_digit())
}

/// Returns the span of the value of `Content-Length`, and the value; `None` if there is no such field or it is not a
/// number.
fn declared_length(source: &[u8], headers: &HeaderBlock<'_>) -> Option<(Span, usize)> {
    let value = headers.find("Content-Length")?.value;
    let digits = std::str::from_utf8(&source[value.start..value.end]).ok()?;
    Some((value, digits.parse().ok()?))
}

/// Returns the end of a body of `length` bytes; `None` if the message does not end there.
fn body_end(source: &[u8], headers: &HeaderBlock<'_>, length: usize) -> Option<usize> {
    let end = headers.body_start().checked_add(length)?;
    // The line end of the body, if the writer does not count it, and the empty line after it.
    let mut next = end;
    for line_end in [b"\r\n".as_slice(), b"\n"].repeat(2) {
        if source.get(next..)?.starts_with(line_end) {
            next += line_end.len();
        }
    }
    let is_end = next == source.len();
    let is_line = source[..next].ends_with(b"\n");
    (is_end || is_line && is_separator(source, next, true)).then_some(end)
}
