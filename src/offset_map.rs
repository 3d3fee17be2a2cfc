//! From offsets in a decoded text back to offsets in what it was decoded from.

use crate::span::Span;

/// Where in a source each byte of a text decoded from it comes from.
///
/// Most of a text stands for itself: a byte of text for `unit` bytes of source. Where it does not, there is a piece,
/// which is all or nothing: an offset inside it has no counterpart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OffsetMap {
    /// How many bytes of source a byte of text is outside the pieces.
    unit: usize,
    /// Sorted and disjoint.
    pieces: Vec<Piece>,
    /// Where text and source begin and where the map ends so far.
    origin: usize,
    text_end: usize,
    source_end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    text: Span,
    source: Span,
}

impl OffsetMap {
    /// A map for a text that is decoded from what begins at `origin` in the source, as yet empty.
    pub(crate) fn new(origin: usize, unit: usize) -> Self {
        Self {
            unit,
            pieces: Vec::new(),
            origin,
            text_end: 0,
            source_end: origin,
        }
    }

    /// Goes on with `length` bytes of text that stand for themselves.
    pub(crate) fn run(&mut self, length: usize) {
        self.text_end += length;
        self.source_end += length * self.unit;
    }

    /// Goes on with `text` bytes of text that come from `source` bytes of source. Source that becomes no text (an
    /// escape sequence) belongs to the text behind it.
    pub(crate) fn piece(&mut self, text: usize, source: usize) {
        let piece = Piece {
            text: Span::new(self.text_end, self.text_end + text),
            source: Span::new(self.source_end, self.source_end + source),
        };
        self.text_end = piece.text.end;
        self.source_end = piece.source.end;
        self.pieces.push(piece);
    }

    /// The offset in the source of an offset in the text, or `None` inside a piece.
    ///
    /// # Complexity
    /// Logarithmic in the number of pieces.
    pub(crate) fn source(&self, text: usize) -> Option<usize> {
        let before = self
            .pieces
            .partition_point(|piece| piece.text.start <= text);
        let Some(piece) = before.checked_sub(1).and_then(|last| self.pieces.get(last)) else {
            return Some(self.origin + text * self.unit);
        };
        if text == piece.text.start {
            Some(piece.source.start)
        } else if text >= piece.text.end {
            Some(piece.source.end + (text - piece.text.end) * self.unit)
        } else {
            None
        }
    }

    /// The span of source that a span of text comes from, or `None` if it begins or ends inside a piece.
    ///
    /// Source that becomes no text is part of the span on both sides: an escape sequence before the text that it
    /// switches to another set, and the one behind it that switches back.
    pub(crate) fn source_span(&self, text: Span) -> Option<Span> {
        let end = self.source(text.end)?;
        let silent = self
            .pieces
            .binary_search_by_key(&end, |piece| piece.source.start)
            .ok();
        let silent = silent
            .map(|index| self.pieces[index])
            .filter(|piece| piece.text.is_empty());
        Some(Span::new(
            self.source(text.start)?,
            silent.map_or(end, |piece| piece.source.end),
        ))
    }

    /// The span of source that a span of text comes from, or `None` if it begins or ends inside a piece; without source
    /// that becomes no text around it, such as the delimiters of a CDATA section.
    pub(crate) fn inner_span(&self, text: Span) -> Option<Span> {
        let silent = self
            .pieces
            .partition_point(|piece| piece.text.start <= text.start)
            .checked_sub(1)
            .map(|last| self.pieces[last])
            .filter(|piece| piece.text == Span::new(text.start, text.start));
        let start = match silent {
            Some(piece) => piece.source.end,
            None => self.source(text.start)?,
        };
        if text.is_empty() {
            return Some(Span::new(start, start));
        }
        let first = self
            .pieces
            .partition_point(|piece| piece.text.start < text.end);
        let end = match self.pieces.get(first) {
            Some(piece) if piece.text.start == text.end => piece.source.start,
            _ => self.source(text.end)?,
        };
        Some(Span::new(start, end))
    }

    /// Whether there is nothing in a span of source that becomes no text.
    ///
    /// # Complexity
    /// Linear in the number of pieces in the span.
    pub(crate) fn is_all_text(&self, source: Span) -> bool {
        let first = self
            .pieces
            .partition_point(|piece| piece.source.start < source.start);
        self.pieces[first..]
            .iter()
            .take_while(|piece| piece.source.start < source.end)
            .all(|piece| !piece.text.is_empty())
    }

    /// The map of a part of the text, or `None` if the part begins or ends inside a piece.
    pub(crate) fn part(&self, text: Span) -> Option<Self> {
        let origin = self.source(text.start)?;
        let source_end = self.source(text.end)?;
        let inside = |piece: &&Piece| text.start <= piece.text.start && piece.text.end <= text.end;
        let shift = |piece: &Piece| Piece {
            text: Span::new(piece.text.start - text.start, piece.text.end - text.start),
            source: piece.source,
        };
        let pieces = self.pieces.iter().filter(inside);
        Some(Self {
            unit: self.unit,
            pieces: pieces
                .filter(|piece| piece.source.start >= origin)
                .map(shift)
                .collect(),
            origin,
            text_end: text.len(),
            source_end,
        })
    }

    /// Whether a piece ends at an offset in the source.
    ///
    /// # Complexity
    /// Logarithmic in the number of pieces.
    pub(crate) fn is_piece_end(&self, source: usize) -> bool {
        let ends = |piece: &Piece| piece.source.end;
        self.pieces.binary_search_by_key(&source, ends).is_ok()
    }

    /// The offset in the text of what an offset in the source became, or began to become.
    pub(crate) fn text(&self, source: usize) -> usize {
        let before = self
            .pieces
            .partition_point(|piece| piece.source.start <= source);
        let Some(piece) = before.checked_sub(1).and_then(|last| self.pieces.get(last)) else {
            return source.saturating_sub(self.origin) / self.unit;
        };
        if source < piece.source.end {
            piece.text.start
        } else {
            piece.text.end + (source - piece.source.end) / self.unit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_there_and_back() {
        // "ab" + "&amp;" + "c" + "\u{e9}" of one byte, in a source that begins at 10.
        let mut map = OffsetMap::new(10, 1);
        map.run(2);
        map.piece(1, 5);
        map.run(1);
        map.piece(2, 1);
        let pairs = [
            (0, 10),
            (1, 11),
            (2, 12),
            (3, 17),
            (4, 18),
            (6, 19),
            (7, 20),
        ];
        for (text, source) in pairs {
            assert_eq!(map.source(text), Some(source), "{text}");
            assert_eq!(map.text(source), text, "{source}");
        }
        assert_eq!(map.source(5), None);
        assert_eq!(map.text(14), 2);
        assert_eq!(map.source_span(Span::new(2, 3)), Some(Span::new(12, 17)));
        assert_eq!(map.source_span(Span::new(2, 5)), None);
    }

    #[test]
    fn source_that_becomes_no_text_is_part_of_a_span_or_not() {
        // "[" + "ab" + "]" of which the brackets become nothing.
        let mut map = OffsetMap::new(0, 1);
        map.piece(0, 1);
        map.run(2);
        map.piece(0, 1);
        map.run(1);
        assert_eq!(map.inner_span(Span::new(0, 2)), Some(Span::new(1, 3)));
        assert_eq!(map.source_span(Span::new(0, 2)), Some(Span::new(0, 4)));
        assert_eq!(map.inner_span(Span::new(2, 3)), Some(Span::new(4, 5)));
        assert_eq!(map.inner_span(Span::new(2, 2)), Some(Span::new(4, 4)));
        assert_eq!(map.inner_span(Span::new(1, 2)), Some(Span::new(2, 3)));
        assert!(map.is_all_text(Span::new(1, 3)) && map.is_all_text(Span::new(4, 5)));
        assert!(!map.is_all_text(Span::new(1, 5)) && !map.is_all_text(Span::new(0, 1)));
    }

    #[test]
    fn a_unit_of_two() {
        let mut map = OffsetMap::new(2, 2);
        map.run(3);
        map.piece(4, 4);
        map.run(1);
        for (text, source) in [(0, 2), (3, 8), (7, 12), (8, 14)] {
            assert_eq!(map.source(text), Some(source), "{text}");
            assert_eq!(map.text(source), text, "{source}");
        }
    }
}
