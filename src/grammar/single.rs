//! Values that consist of one reference.

use crate::span::Span;

/// Returns the span of the reference that is the whole of `value`, without the white space around it.
///
/// # Source
/// HTML, "valid URL potentially surrounded by spaces"; white space is ASCII white space.
#[inline]
pub(crate) fn single(value: &str) -> Span {
    let whole = Span::new(0, value.len());
    // Most values have no white space around them, and two bytes suffice to find out.
    if is_trimmed(value) {
        return whole;
    }
    trim_span(value, whole)
}

/// Returns `span` without the white space at its ends; the empty span at its end if it contains nothing else.
pub(super) fn trim_span(value: &str, span: Span) -> Span {
    let is_space = |character: char| character.is_ascii_whitespace();
    let text = value[span.start..span.end].trim_start_matches(is_space);
    let start = span.end - text.len();
    Span::new(start, start + text.trim_end_matches(is_space).len())
}

/// Returns whether `text` has no ASCII white space at its ends.
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
    fn single_excludes_surrounding_white_space() {
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
