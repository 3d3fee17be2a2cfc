//! The tokenizer of tags: splits a start tag into its name and attributes.

use memchr::memchr2;

use super::characters::{is_space, name_end, skip_space};
use super::error::ReadError;
use crate::markup::attribute::{Quoting, RawAttribute};
use crate::span::Span;
use crate::unsupported::IllFormedReason;

/// The end of a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagEnd {
    /// The offset after `>`.
    pub(super) end: usize,
    /// Whether it is an empty-element tag.
    pub(super) is_empty: bool,
}

/// Splits the attributes of the tag whose name ends at `start`, and appends them to `attributes`.
///
/// # Source
/// XML 1.0, productions 40, 41 and 44.
///
/// # Errors
/// [`ReadError::Incomplete`] if the text ends within the tag.
pub(super) fn split(
    text: &str,
    start: usize,
    attributes: &mut Vec<RawAttribute>,
) -> Result<TagEnd, ReadError> {
    let bytes = text.as_bytes();
    let mut pos = start;
    loop {
        let after_space = skip_space(bytes, pos);
        match bytes.get(after_space) {
            None => return Err(ReadError::Incomplete),
            Some(b'>') => {
                return Ok(TagEnd {
                    end: after_space + 1,
                    is_empty: false,
                });
            }
            Some(b'/') => match bytes.get(after_space + 1) {
                None => return Err(ReadError::Incomplete),
                Some(b'>') => {
                    return Ok(TagEnd {
                        end: after_space + 2,
                        is_empty: true,
                    });
                }
                Some(_) => return Err(ReadError::at(after_space, IllFormedReason::Tag)),
            },
            Some(_) if after_space == pos => {
                return Err(ReadError::at(pos, IllFormedReason::Tag));
            }
            Some(_) => pos = attribute(text, after_space, attributes)?,
        }
    }
}

/// Splits the attribute that begins at `start`, appends it to `attributes`, and returns its end.
pub(super) fn attribute(
    text: &str,
    start: usize,
    attributes: &mut Vec<RawAttribute>,
) -> Result<usize, ReadError> {
    let bytes = text.as_bytes();
    let error = |pos| ReadError::at(pos, IllFormedReason::Tag);
    let end = name_end(text, start).ok_or(error(start))?;
    let equals = skip_space(bytes, end);
    match bytes.get(equals) {
        None => return Err(ReadError::Incomplete),
        Some(b'=') => {}
        Some(_) => return Err(error(start)),
    }
    let open = skip_space(bytes, equals + 1);
    let quote = match bytes.get(open) {
        None => return Err(ReadError::Incomplete),
        Some(quote @ (b'"' | b'\'')) => *quote,
        Some(_) => return Err(error(start)),
    };
    let value_start = open + 1;
    let length = memchr2(quote, b'<', &bytes[value_start..]).ok_or(ReadError::Incomplete)?;
    let pos = value_start + length;
    if bytes[pos] != quote {
        return Err(ReadError::at(pos, IllFormedReason::AttributeLessThan));
    }
    attributes.push(RawAttribute {
        name: Span::new(start, end),
        value: Span::new(value_start, pos),
        quoting: Quoting::of(quote),
    });
    Ok(pos + 1)
}

/// Returns the name in the end tag at `start`, and the offset after the tag.
///
/// # Errors
/// [`ReadError::Incomplete`] if the text ends within the tag.
pub(super) fn end_tag(text: &str, start: usize) -> Result<(&str, usize), ReadError> {
    let bytes = text.as_bytes();
    let name_start = start + 2;
    let Some(end) = name_end(text, name_start) else {
        return Err(if name_start == bytes.len() {
            ReadError::Incomplete
        } else {
            ReadError::at(start, IllFormedReason::LessThan)
        });
    };
    let close = skip_space(bytes, end);
    match bytes.get(close) {
        None => Err(ReadError::Incomplete),
        Some(b'>') => Ok((&text[name_start..end], close + 1)),
        Some(_) => Err(ReadError::at(start, IllFormedReason::EndTag)),
    }
}

/// Returns whether a byte may follow the name of a tag.
pub(super) fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'>' | b'/')
}
