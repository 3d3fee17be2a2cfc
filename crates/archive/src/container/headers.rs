//! Header blocks: the fields before a body in HTTP, mail and WARC.
//!
//! A [`HeaderBlock`] is a span that was scanned once for its end. Fields are split again on each access and nothing
//! is copied or stored, so a block of any length takes linear time and constant memory.
//!
//! Hand-written because one tolerant parser must serve three formats and return spans. `httparse` accepts only HTTP/1
//! status lines, needs storage for all fields in advance and reports errors without an offset; `mail-parser` does not
//! report where a message is damaged.

use std::borrow::Cow;

use memchr::memchr;

use absolve::Span;

/// The treatment of a line that is not a header field, such as one without a colon. No standard allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MalformedLine {
    /// The headers end before the line, and the body begins with it. For mail, where the empty line is sometimes
    /// missing.
    ///
    /// The line is ignored if a MIME field follows, which would be strange in a body: `MIME-Version`, or a name that
    /// begins with `Content-`. Only fields before the next empty line and the next line that begins with `--`, as
    /// boundaries do, are considered.
    EndHeaders,
    /// The line is ignored. For HTTP and WARC.
    Skip,
}

/// The header fields before a body.
///
/// # Source
/// RFC 5322 section 2.2 and RFC 9112 section 5. Lines end in CRLF or, as both allow readers to accept, in LF alone.
/// Bytes above 127 are kept unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderBlock<'s> {
    source: &'s [u8],
    extent: HeaderExtent,
}

/// The place of a header block in its source, for an owner of the source who reads the fields more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct HeaderExtent {
    span: Span,
    body_start: usize,
    /// Whether the end of the headers was found before the end of the source.
    is_closed: bool,
    /// The offset of the first line that is not a header field.
    malformed_line: Option<usize>,
}

/// One header field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name, without the white space before the colon.
    pub name: Span,
    /// The value, trimmed of white space; line breaks inside it (folding) are included.
    pub value: Span,
    /// All lines of the field with their line ends: the span to cut in order to remove the field.
    pub lines: Span,
}

impl<'s> HeaderBlock<'s> {
    /// Splits the header block that begins at `start` in `source`. Never fails.
    ///
    /// # Complexity
    /// Linear in the length of the block.
    #[must_use]
    pub fn split(source: &'s [u8], start: usize, malformed: MalformedLine) -> Self {
        let start = start.min(source.len());
        let mut position = start;
        let mut malformed_line = None;
        // Determined at the first malformed line.
        let mut mime_fields_end = None;
        let (end, body_start, is_closed) = loop {
            let line = line_at(source, position);
            if line.is_empty() {
                break (source.len(), source.len(), false);
            }
            if content_of(source, line).is_empty() {
                break (line.start, line.end, true);
            }
            let is_first = position == start;
            let is_continuation = !is_first && source[line.start].is_ascii_whitespace();
            if !is_continuation && !is_envelope(source, line, is_first) && !is_field(source, line) {
                malformed_line.get_or_insert(line.start);
                let fields_end =
                    *mime_fields_end.get_or_insert_with(|| end_of_mime_fields(source, line));
                if malformed == MalformedLine::EndHeaders && line.start >= fields_end {
                    break (line.start, line.start, true);
                }
            }
            position = line.end;
        };
        let extent = HeaderExtent {
            span: Span::new(start, end),
            body_start,
            is_closed,
            malformed_line,
        };
        Self { source, extent }
    }

    /// Returns the header block of `source` whose `extent` was found before, with malformed lines skipped. A source
    /// that is too short for the extent is another one, and is split again.
    pub(crate) fn at(source: &'s [u8], extent: HeaderExtent) -> Self {
        if source.len() < extent.body_start {
            return Self::split(source, extent.span.start, MalformedLine::Skip);
        }
        Self { source, extent }
    }

    /// Returns the place of the block in the source.
    pub(crate) fn extent(&self) -> HeaderExtent {
        self.extent
    }

    /// Returns the span of all fields in the source, without the empty line after them.
    #[must_use]
    pub fn span(&self) -> Span {
        self.extent.span
    }

    /// Returns the offset in the source at which the body begins.
    #[must_use]
    pub fn body_start(&self) -> usize {
        self.extent.body_start
    }

    /// Returns whether the end of the headers was found; if not, the source ended first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.extent.is_closed
    }

    /// Returns the offset of the first line that is not a header field, if there is one: a line that is skipped, or the
    /// one before which the headers end.
    #[must_use]
    pub fn malformed_line(&self) -> Option<usize> {
        self.extent.malformed_line
    }

    /// Iterates over all fields in order; lines that are not fields are skipped.
    pub fn fields(&self) -> impl Iterator<Item = Field> + use<'s> {
        let Span { start, end } = self.extent.span;
        let source = &self.source[..end];
        let mut position = start;
        std::iter::from_fn(move || {
            while position < end {
                let first = line_at(source, position);
                let mut lines = first;
                while lines.end < end && matches!(source[lines.end], b' ' | b'\t') {
                    lines.end = line_at(source, lines.end).end;
                }
                position = lines.end;
                if let Some(name) = name_of(source, first) {
                    let colon = memchr(b':', &source[name.end..])
                        .map_or(name.end, |found| name.end + found + 1);
                    let value = trimmed(source, Span::new(colon, lines.end));
                    return Some(Field { name, value, lines });
                }
            }
            None
        })
    }

    /// Iterates over the fields called `name` in order; names are compared ASCII case-insensitively.
    pub fn all<'n>(&self, name: &'n str) -> impl Iterator<Item = Field> + use<'s, 'n> {
        let source = self.source;
        self.fields().filter(move |field| {
            source[field.name.start..field.name.end].eq_ignore_ascii_case(name.as_bytes())
        })
    }

    /// Returns the first field called `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Field> {
        self.all(name).next()
    }

    /// Returns the unfolded value of the first field called `name`.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Cow<'s, [u8]>> {
        let field = self.find(name)?;
        Some(unfolded(&self.source[field.value.start..field.value.end]))
    }

    /// Returns the field value at the span `value`, unfolded and decoded as by [`text_of`].
    #[must_use]
    pub fn text_at(&self, value: Span) -> String {
        text_of(&unfolded(&self.source[value.start..value.end]))
    }

    /// Returns the value of the first field called `name`, unfolded and decoded as by [`text_of`].
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(|value| text_of(&value))
    }
}

/// Returns `value` without its line breaks (RFC 5322 section 2.2.3); the white space after them is kept.
#[must_use]
pub fn unfolded(value: &[u8]) -> Cow<'_, [u8]> {
    let is_kept = |byte: &u8| !matches!(byte, b'\r' | b'\n');
    if value.iter().all(is_kept) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(value.iter().copied().filter(is_kept).collect())
    }
}

/// Decodes header bytes: as UTF-8 (RFC 6532), or if that fails, one character per byte (RFC 9110 section 5.5).
#[must_use]
pub fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Returns the line that begins at `start`, including its line end; empty at the end of the source.
pub(crate) fn line_at(source: &[u8], start: usize) -> Span {
    let line_end = memchr(b'\n', &source[start..]);
    let end = line_end.map_or(source.len(), |found| start + found + 1);
    Span::new(start, end)
}

/// Returns a line without its line end. Lines that were converted twice end in CR CR LF, so every CR before LF is
/// removed.
pub(crate) fn content_of(source: &[u8], line: Span) -> Span {
    let mut text = &source[line.start..line.end];
    if let Some(ended) = text.strip_suffix(b"\n") {
        text = ended;
        while let Some(shorter) = text.strip_suffix(b"\r") {
            text = shorter;
        }
    }
    Span::new(line.start, line.start + text.len())
}

/// Returns whether `line` is the first line of a header field.
pub(crate) fn is_field(source: &[u8], line: Span) -> bool {
    name_of(source, line).is_some()
}

/// Returns whether `line` is the line `From SENDER DATE` that a mailbox puts before a message, or a quoted one, which
/// can be anywhere in the headers.
fn is_envelope(source: &[u8], line: Span, is_first: bool) -> bool {
    let text = &source[line.start..line.end];
    (is_first && text.starts_with(b"From ")) || text.starts_with(b">From ")
}

/// Returns the offset after the first line of the last MIME field among the lines from `line` to the next empty line
/// or possible boundary; 0 if there is none.
fn end_of_mime_fields(source: &[u8], line: Span) -> usize {
    let mut line = line;
    let mut end = 0;
    loop {
        let content = content_of(source, line);
        let text = &source[content.start..content.end];
        if text.is_empty() || text.starts_with(b"--") {
            return end;
        }
        if let Some(name) = name_of(source, line) {
            let name = &source[name.start..name.end];
            let prefix = name.get(.."Content-".len()).unwrap_or_default();
            if prefix.eq_ignore_ascii_case(b"Content-")
                || name.eq_ignore_ascii_case(b"MIME-Version")
            {
                end = line.end;
            }
        }
        line = line_at(source, line.end);
    }
}

/// Returns the name of a field: visible ASCII before the first colon (RFC 5322 `ftext`), optionally followed by white
/// space (`obs-optional`). Returns `None` if the line is not a field. HTTP names are a subset.
fn name_of(source: &[u8], line: Span) -> Option<Span> {
    let text = &source[line.start..line.end];
    let colon = memchr(b':', text)?;
    let name = text[..colon].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    is_name.then(|| Span::new(line.start, line.start + name.len()))
}

/// Returns `span` without the white space at both ends.
fn trimmed(source: &[u8], span: Span) -> Span {
    let text = &source[span.start..span.end];
    let end = span.start + text.trim_ascii_end().len();
    Span::new(end - text.trim_ascii().len(), end)
}

#[cfg(test)]
mod tests {
    use super::MalformedLine::{EndHeaders, Skip};
    use super::*;

    fn fields(source: &str) -> Vec<(String, String)> {
        let block = HeaderBlock::split(source.as_bytes(), 0, Skip);
        let fields = block.fields().map(|field| {
            let text = |span: Span| source[span.start..span.end].to_owned();
            (text(field.name), text(field.value))
        });
        fields.collect()
    }

    #[test]
    fn fields_yields_names_and_values_in_order() {
        let expected = vec![
            ("A".to_owned(), "1".to_owned()),
            ("b".to_owned(), "2\r\n\t3".to_owned()),
            ("C".to_owned(), String::new()),
        ];
        assert_eq!(fields("A: 1\r\nb : 2\r\n\t3 \r\nC:\r\n\r\nbody"), expected);
        assert_eq!(fields("A:1\nno field\nb:2\r\n\t3\nC:"), expected);
    }

    #[test]
    fn split_ends_at_the_empty_line_or_a_malformed_line() {
        let end = |source: &str, malformed| {
            let block = HeaderBlock::split(source.as_bytes(), 0, malformed);
            (block.span().end, block.body_start(), block.is_closed())
        };
        for policy in [EndHeaders, Skip] {
            assert_eq!(end("A:1\r\n\r\nx", policy), (5, 7, true));
            assert_eq!(end("\nx", policy), (0, 1, true));
            assert_eq!(end("A:1", policy), (3, 3, false));
            assert_eq!(end("", policy), (0, 0, false));
        }
        assert_eq!(end("A:1\n<p>\n\n", EndHeaders), (4, 4, true));
        assert_eq!(end("A:1\n<p>\n\n", Skip), (8, 9, true));
        assert_eq!(end("From a Sat\nA:1\n\n", EndHeaders), (15, 16, true));
        assert_eq!(end("A:1\n>From a Sat\nB:1\n\n", EndHeaders), (20, 21, true));
        // A MIME field after the malformed line.
        assert_eq!(
            end("A:1\nx\nMime-Version:1\n\n", EndHeaders),
            (21, 22, true)
        );
        assert_eq!(
            end("A:1\nx\ncontent-x:1\ny\nB:1\n\n", EndHeaders),
            (18, 18, true)
        );
        assert_eq!(
            end("A:1\nx\n--b\nContent-X:1\n\n", EndHeaders),
            (4, 4, true)
        );
        assert_eq!(end("A:1\nx\n\nContent-X:1\n\n", EndHeaders), (4, 4, true));
    }

    #[test]
    fn split_and_fields_handle_long_header_blocks() {
        let source = b"a:b\n".repeat(2_500_000);
        let block = HeaderBlock::split(&source, 0, EndHeaders);
        assert_eq!(block.fields().count(), 2_500_000);
        assert_eq!(block.find("c"), None);
        let folded = [b"a: b".to_vec(), b"\n c".repeat(2_500_000)].concat();
        let block = HeaderBlock::split(&folded, 0, EndHeaders);
        assert_eq!(block.fields().count(), 1);
    }

    #[test]
    fn value_keeps_bytes_above_127() {
        let block = HeaderBlock::split(b"A: \xE9\xFF\n", 0, EndHeaders);
        assert_eq!(block.value("a").as_deref(), Some(&b"\xE9\xFF"[..]));
        assert_eq!(block.text("a").as_deref(), Some("\u{e9}\u{ff}"));
    }
}
