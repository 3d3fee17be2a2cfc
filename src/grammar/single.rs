//! A value that is one reference.

use crate::span::Span;

/// The span of the one reference in `value`, in bytes of `value`: all of it but the white space around it.
///
/// # Source
/// HTML, "valid URL potentially surrounded by spaces"; white space is ASCII white space.
pub(crate) fn single(value: &str) -> Span {
    let is_space = |character: char| character.is_ascii_whitespace();
    let trimmed = value.trim_start_matches(is_space);
    let start = value.len() - trimmed.len();
    Span::new(start, start + trimmed.trim_end_matches(is_space).len())
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
