//! Character classes of XML 1.0: white space, names, and the characters that a document may contain.

use memchr::{memchr, memmem};

use crate::find::{Block, WIDTH, contains_any};

/// Returns whether `byte` is white space.
///
/// # Source
/// XML 1.0, production 3 (`S`).
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns the offset of the first byte at or after `start` that is not white space, or the end of `bytes`.
pub(super) fn skip_space(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let length = rest.iter().take_while(|byte| is_space(**byte)).count();
    start + length
}

/// Bytes that a name may contain: letters, digits, `.`, `-`, `_`, `:`, and every byte beyond ASCII.
const NAME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte: u8 = 0;
    loop {
        bytes[byte as usize] = !byte.is_ascii()
            || byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'-' | b'_' | b':');
        match byte.checked_add(1) {
            Some(next) => byte = next,
            None => break bytes,
        }
    }
};

/// Returns the end of the name that begins at `start`, or `None` if no name begins there.
///
/// # Source
/// XML 1.0, productions 4, 4a and 5 (`Name`).
pub(super) fn name_end(text: &str, start: usize) -> Option<usize> {
    if let Some(end) = short_name_end(text.as_bytes(), start) {
        return Some(end);
    }
    let rest = &text.as_bytes()[start..];
    let is_name_byte = |byte: u8| NAME_BYTES[usize::from(byte)];
    let end = rest.iter().position(|byte| !is_name_byte(*byte));
    let length = end.unwrap_or(rest.len());
    let name = &rest[..length];
    let is_start =
        matches!(name.first(), Some(first) if !matches!(first, b'.' | b'-' | b'0'..=b'9'));
    if !is_start {
        return None;
    }
    if name.is_ascii() {
        return Some(start + length);
    }
    // Bytes beyond ASCII were accepted unseen, so characters that are not part of a name may follow it.
    let name = &text[start..start + length];
    let end = name.find(|character| !is_name_character(character));
    let is_start = name.chars().next().is_some_and(is_name_start);
    is_start.then_some(start + end.unwrap_or(length))
}

/// Returns the end of the name that begins at `start` if it is in ASCII and ends in the same block, as most do.
#[inline]
fn short_name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let block = Block::at(bytes, start)?;
    // Setting bit 5 folds upper case to lower case and maps no other byte to a letter.
    let letters = block.set_bits(0x20).in_range(b'a', b'z');
    let digits_and_colon = block.in_range(b'0', b':');
    let others = block.in_range(b'-', b'.').or(block.equal(b'_'));
    let mask = letters.or(digits_and_colon).or(others).mask();
    let length = mask.trailing_ones() as usize;
    let is_start = !matches!(bytes[start], b'.' | b'-' | b'0'..=b'9');
    let is_end = length < WIDTH && bytes[start + length].is_ascii();
    (length > 0 && is_start && is_end).then_some(start + length)
}

/// # Source
/// XML 1.0, production 4 (`NameStartChar`).
fn is_name_start(character: char) -> bool {
    matches!(
        character,
        ':' | '_' | 'A'..='Z' | 'a'..='z'
            | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
            | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
            | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}'
            | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}'
    )
}

/// # Source
/// XML 1.0, production 4a (`NameChar`).
fn is_name_character(character: char) -> bool {
    is_name_start(character)
        || matches!(
            character,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}'
        )
}

/// Returns whether a document may contain `character`, literally or as a character reference.
///
/// # Source
/// XML 1.0, production 2 (`Char`).
pub(super) fn is_allowed(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        _ => character >= ' ',
    }
}

/// The control characters of ASCII that no document may contain.
#[inline]
fn is_forbidden_control(block: Block) -> Block {
    // All below U+0020 but tab (9), line feed (10) and carriage return (13).
    block
        .in_range(0, 8)
        .or(block.in_range(11, 12))
        .or(block.in_range(14, 31))
}

/// The control characters of ASCII, three of which a document may contain.
#[inline]
fn is_control(block: Block) -> Block {
    block.le(31)
}

/// Number of bytes that are compared with [`is_forbidden_control`] if one of them is a control character.
const CONTROLS_STRIDE: usize = 256;

/// Returns whether `bytes` may contain a character that no document may contain.
///
/// A character of which only a part is in `bytes` does not count.
///
/// # Complexity
/// Linear.
pub(super) fn may_have_forbidden(bytes: &[u8]) -> bool {
    let has_control = |bytes: &[u8]| {
        // Comparing with all controls is fast, and much of a document has none.
        contains_any(bytes, is_control) && contains_any(bytes, is_forbidden_control)
    };
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF. Searching for one byte is faster, and many documents have none.
    let is_noncharacter = |pos: usize| bytes.get(pos + 2).is_some_and(|byte| *byte >= 0xbe);
    bytes.chunks(CONTROLS_STRIDE).any(has_control)
        || memchr(0xef, bytes).is_some_and(|first| {
            let rest = first..bytes.len();
            memmem::find_iter(&bytes[rest], b"\xef\xbf").any(|pos| is_noncharacter(first + pos))
        })
}

/// Returns the offset of the first character in `text` that no document may contain.
///
/// # Complexity
/// Linear.
pub(super) fn find_forbidden(text: &str) -> Option<usize> {
    text.find(|character| !is_allowed(character))
}
