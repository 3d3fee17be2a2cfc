//! The transfer encoding `quoted-printable`.
//!
//! Hand-written because a changed body must keep the spelling of every unchanged line. The `quoted_printable` crate
//! encodes all of it anew.

use data_encoding::HEXUPPER_PERMISSIVE;

use absolve::Span;

use super::LineStyle;
use crate::container::headers::{content_of, line_at};

/// A line of the decoded body with its encoded form, which may contain soft line breaks.
struct HardLine {
    encoded: Span,
    /// The span in the decoded body.
    decoded: Span,
}

/// Decodes `source`. A malformed escape is literal. White space at the end of a line was added in transport and is
/// removed.
///
/// # Source
/// RFC 2045 section 6.7.
#[must_use]
pub fn decode_quoted_printable(source: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(source.len());
    decode_lines(source, &mut bytes);
    bytes
}

/// Appends the decoded `source` to `bytes`, and returns its lines. Spans in `bytes` are absolute.
fn decode_lines(source: &[u8], bytes: &mut Vec<u8>) -> Vec<HardLine> {
    let mut lines = Vec::new();
    let mut hard_start = (0, bytes.len());
    let mut position = 0;
    while position < source.len() {
        let line = line_at(source, position);
        let content = content_of(source, line);
        let text = trim_trailing_blanks(&source[content.start..content.end]);
        let has_end = content.end < line.end;
        // A soft line break joins two lines; at the end of the body, there is nothing to join.
        let is_soft = text.ends_with(b"=");
        decode_text(text.strip_suffix(b"=").unwrap_or(text), bytes);
        if has_end && !is_soft {
            bytes.extend_from_slice(&source[content.end..line.end]);
        }
        position = line.end;
        if !is_soft || position == source.len() {
            lines.push(HardLine {
                encoded: Span::new(hard_start.0, position),
                decoded: Span::new(hard_start.1, bytes.len()),
            });
            hard_start = (position, bytes.len());
        }
    }
    lines
}

/// Returns `line` without the white space at its end (rule 3).
fn trim_trailing_blanks(line: &[u8]) -> &[u8] {
    let end = line
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t'))
        .map_or(0, |last| last + 1);
    &line[..end]
}

/// Appends `text`, which has no line breaks, with its escapes decoded.
fn decode_text(text: &[u8], bytes: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == b'=') {
        bytes.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let mut byte = *b"=";
        let is_escape = rest
            .get(1..3)
            .is_some_and(|digits| HEXUPPER_PERMISSIVE.decode_mut(digits, &mut byte).is_ok());
        bytes.extend_from_slice(&byte);
        rest = &rest[if is_escape { 3 } else { 1 }..];
    }
    bytes.extend_from_slice(rest);
}

/// Encodes `bytes`, a changed version of the body that `original` encodes. Lines that did not change keep their
/// spelling; new lines have the maximum length and the line ends of `original`.
///
/// # Source
/// RFC 2045 section 6.7: literal characters (rules 1 and 2), white space at the end of a line (rule 3), line breaks
/// (rule 4), and soft line breaks, so that no line is longer than 76 characters (rule 5).
///
/// # Complexity
/// Linear in the lengths of both.
#[must_use]
pub fn encode_quoted_printable(bytes: &[u8], original: &[u8]) -> Vec<u8> {
    let style = LineStyle::of(original);
    let mut decoded = Vec::with_capacity(original.len());
    let old_lines = decode_lines(original, &mut decoded);
    let new_lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let mut encoded = Vec::with_capacity(original.len() + original.len() / 8);
    // Links contain no line breaks, so a rewritten body has as many lines as before. If it has not, or if the
    // original writes line breaks as escapes, lines cannot be matched by index, and the whole body is encoded anew.
    let can_reuse_lines = old_lines.len() == new_lines.len()
        && old_lines.iter().all(|line| {
            let text = &decoded[line.decoded.start..line.decoded.end];
            let before_end = text.strip_suffix(b"\n").unwrap_or(text);
            !before_end.contains(&b'\n')
        });
    for (index, line) in new_lines.iter().enumerate() {
        match old_lines.get(index) {
            Some(old)
                if can_reuse_lines && decoded[old.decoded.start..old.decoded.end] == **line =>
            {
                encoded.extend_from_slice(&original[old.encoded.start..old.encoded.end]);
            }
            _ => encode_line(line, style, &mut encoded),
        }
    }
    encoded
}

/// Encodes a line and its line break.
fn encode_line(line: &[u8], style: LineStyle, encoded: &mut Vec<u8>) {
    let text = line.strip_suffix(style.end);
    let is_ended = text.is_some();
    let text = text.unwrap_or(line);
    // A line break in another style is content: it is escaped, and a soft line break follows.
    let is_joined = !is_ended && line.ends_with(b"\n");
    let mut column = 0;
    for (index, &byte) in text.iter().enumerate() {
        let is_last = index + 1 == text.len();
        // After the last character there is no soft line break, so no column is reserved for its `=`.
        let available = style.length - usize::from(!is_last || is_joined);
        // A line that begins with `From ` would begin a message in a mailbox, and some mail programs change it (RFC
        // 2049 section 3).
        let begins_line = column == 0 || column == available;
        let is_literal = match byte {
            b'F' if begins_line => !text[index..].starts_with(b"From "),
            b'!'..=b'~' => byte != b'=',
            b' ' | b'\t' => !is_last,
            _ => false,
        };
        let width = if is_literal { 1 } else { 3 };
        if column + width > available {
            encoded.push(b'=');
            encoded.extend_from_slice(style.end);
            column = 0;
        }
        if is_literal {
            encoded.push(byte);
        } else {
            encoded.extend_from_slice(format!("={byte:02X}").as_bytes());
        }
        column += width;
    }
    if is_joined {
        encoded.push(b'=');
    }
    if is_ended || is_joined {
        encoded.extend_from_slice(style.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encode_quoted_printable_escapes_from_at_the_beginning_of_lines() {
        let line = |length: usize| [&*"x".repeat(length), "From "].concat();
        for (text, expected) in [
            ("From a".to_owned(), "=46rom a".to_owned()),
            (
                "a\nFrom a\nFrom\n".to_owned(),
                "a\n=46rom a\nFrom\n".to_owned(),
            ),
            (line(10) + "a", line(10) + "a"),
            (line(75) + "a", "x".repeat(75) + "=\n=46rom a"),
            (line(74) + "a", "x".repeat(74) + "F=\nrom a"),
        ] {
            assert_eq!(
                encode_quoted_printable(text.as_bytes(), b"a=\n")
                    .escape_ascii()
                    .to_string(),
                expected.as_bytes().escape_ascii().to_string(),
            );
        }
    }

    #[test]
    fn encode_quoted_printable_reuses_unchanged_lines() {
        // Unnecessary and lower-case escapes; a space that transport added; lines of different lengths.
        let original = b"=41=e9 \r\nabc=\r\nde\r\nlast=";
        let decoded = decode_quoted_printable(original);
        assert_eq!(decoded, b"A\xE9\r\nabcde\r\nlast");
        let changed = b"A\xE9\r\nab=de\r\nlast";
        assert_eq!(
            encode_quoted_printable(changed, original),
            b"=41=e9 \r\nab=3Dde\r\nlast=",
        );
        assert_eq!(encode_quoted_printable(&decoded, original), original);
    }
}
