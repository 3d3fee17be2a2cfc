//! Values with character references, in whatever language: decoded values, and escaping.

use std::borrow::Cow;

use crate::offset_map::OffsetMap;
use crate::span::Span;

/// A value decoded as the parser of its language decodes it, with a map back to its source.
pub(crate) struct DecodedValue<'t> {
    /// The value as written.
    pub(crate) raw: &'t str,
    /// The offset of the raw value in the text that it was cut from.
    pub(crate) start: usize,
    /// The value with character references decoded and line breaks normalized.
    pub(crate) text: Cow<'t, str>,
    /// The map from offsets in `text` to offsets in the text that the raw value was cut from.
    pub(crate) map: OffsetMap,
    /// The contents of the CDATA sections, in order, as spans of the text that the raw value was cut from.
    pub(crate) cdata: Vec<Span>,
}

impl DecodedValue<'_> {
    /// Returns whether `offset`, in the text that the value was cut from, is in a CDATA section.
    ///
    /// Both ends of its content count as inside.
    pub(crate) fn is_in_cdata(&self, offset: usize) -> bool {
        let index = self.cdata.partition_point(|span| span.end < offset);
        let section = self.cdata.get(index);
        section.is_some_and(|span| span.start <= offset)
    }

    /// Returns the offset of a literal text in the text that the value was cut from.
    ///
    /// It is after `start` if the text is only a part of the raw value, such as the content of a CDATA section.
    pub(crate) fn text_start(&self) -> usize {
        let start = self.map.inner_span(Span::new(0, 0));
        start.map_or(self.start, |start| start.start)
    }

    /// Returns whether a character reference without a semicolon ends at `offset` in the text that the value was cut
    /// from.
    pub(crate) fn ends_unterminated_reference(&self, offset: usize) -> bool {
        let before = self.raw.as_bytes().get(..offset.saturating_sub(self.start));
        let last = before.and_then(<[u8]>::last);
        last.is_some_and(u8::is_ascii_alphanumeric) && self.map.is_piece_end(offset)
    }
}

/// Returns `text` with each character for which `reference` returns a character reference replaced by that.
pub(crate) fn replace_characters(
    text: &str,
    reference: impl Fn(char) -> Option<&'static str>,
) -> Cow<'_, str> {
    if !text.contains(|character| reference(character).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match reference(character) {
            Some(reference) => escaped.push_str(reference),
            None => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}
