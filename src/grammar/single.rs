//! A value that is one reference.

use crate::span::Span;

/// The span of the one reference in `value`, in bytes of `value`: all of it but the white space around it.
///
/// # Source
/// HTML, "valid URL potentially surrounded by spaces"; white space is ASCII white space.
#[inline]
pub(crate) fn single(value: &str) -> Span {
    let whole = Span::new(0, value.len());
    // Around most there is none.
    if is_trimmed(value) {
        return whole;
    }
    trimmed(value, whole)
}

/// `span` of `value` without the white space at its ends. Where there is nothing else, the empty span at its end.
pub(super) fn trimmed(value: &str, span: Span) -> Span {
    let is_space = |character: char| character.is_ascii_whitespace();
    let text = value[span.start..span.end].trim_start_matches(is_space);
    let start = span.end - text.len();
    Span::new(start, start + text.trim_end_matches(is_space).len())
}

/// Whether there is no white space around `text`.
#[inline]
pub(super) fn is_trimmed(text: &str) -> bool {
    let is_space = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let bytes = text.as_bytes();
    !is_space(bytes.first()) && !is_space(bytes.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_around_the_reference_is_not_part_of_it() {
        for (value, reference) in [
            ("a", "a"),
            (" a b\n", "a b"),
            ("\t\r\n\u{c} ", ""),
            ("", ""),
            ("\u{a0}a", "\u{a0}a"),
        ] {
            let span = single(value);
            assert_eq!(&value[span.start..span.end], reference, "{value:?}");
        }
    }
}
