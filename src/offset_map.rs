//! Maps from offsets in a decoded text to offsets in its source.
//!
//! The source is what the text was decoded from. A reference is decoded in several steps: bytes to text, character
//! references to a value, escapes of CSS or JSON to the reference. An edit must be applied to the source of the first
//! step, so each decoder fills an [`OffsetMap`] while it decodes.

use crate::span::Span;

/// A map between the offsets of a decoded text and those of its source.
///
/// Most of a text is literal: each byte of it comes from `unit` bytes of source. Every other part is a piece, within
/// which offsets have no counterpart. Literal parts take no memory, and a piece takes four or five bytes: some texts
/// are nothing but pieces of one byte.
///
/// Invariant: pieces are sorted and disjoint, in the text as in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OffsetMap {
    /// Number of bytes of source for each byte of literal text.
    unit: usize,
    /// The first of each [`PIECES`] pieces.
    blocks: Vec<PieceBlock>,
    /// The other pieces: three numbers each, in groups of seven bits, the lowest first. They are the lengths of the
    /// literal text before the piece, of its text and of its source.
    lengths: Vec<u8>,
    /// The number of pieces.
    count: usize,
    /// The length of the literal text after the last piece.
    literal: usize,
    /// Offset in the source at which the text begins.
    origin: usize,
    /// End of the part mapped so far, in the text.
    text_end: usize,
    /// End of the part mapped so far, in the source.
    source_end: usize,
}

/// A span of text that corresponds to a span of source only as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// Empty if the source becomes no text.
    text: Span,
    source: Span,
}

/// Number of pieces that are found by reading one after the other.
const PIECES: usize = 32;

/// The beginning of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PieceBlock {
    first: Piece,
    /// Offset in [`OffsetMap::lengths`] of the second piece.
    lengths: usize,
}

impl OffsetMap {
    /// Creates an empty map for a text whose source begins at `origin`, with `unit` bytes of source for a literal byte.
    pub(crate) fn new(origin: usize, unit: usize) -> Self {
        Self {
            unit,
            blocks: Vec::new(),
            lengths: Vec::new(),
            count: 0,
            literal: 0,
            origin,
            text_end: 0,
            source_end: origin,
        }
    }

    /// Appends `length` bytes of literal text.
    pub(crate) fn run(&mut self, length: usize) {
        self.text_end += length;
        self.source_end += length * self.unit;
        self.literal += length;
    }

    /// Appends a piece: `text` bytes of text that come from `source` bytes of source.
    ///
    /// `text` is 0 for source that becomes no text, such as the delimiters of a CDATA section. That source counts as
    /// the beginning of the text after it.
    pub(crate) fn piece(&mut self, text: usize, source: usize) {
        let piece = Piece {
            text: Span::new(self.text_end, self.text_end + text),
            source: Span::new(self.source_end, self.source_end + source),
        };
        self.text_end = piece.text.end;
        self.source_end = piece.source.end;
        if self.count.is_multiple_of(PIECES) {
            self.blocks.push(PieceBlock {
                first: piece,
                lengths: self.lengths.len(),
            });
        } else {
            for length in [self.literal, text, source] {
                push_number(&mut self.lengths, length);
            }
        }
        self.count += 1;
        self.literal = 0;
    }

    /// Iterates over the pieces from the last block on whose first piece meets `condition`, or from the first block on.
    /// The pieces that meet it precede all others.
    fn pieces_near(&self, condition: impl Fn(&Piece) -> bool) -> impl Iterator<Item = Piece> {
        let after = self.blocks.partition_point(|block| condition(&block.first));
        let mut number = after.saturating_sub(1) * PIECES;
        let (mut piece, mut lengths) = (None, &*self.lengths);
        std::iter::from_fn(move || {
            if number == self.count {
                return None;
            }
            piece = match piece {
                Some(last) if !number.is_multiple_of(PIECES) => {
                    Some(self.piece_after(last, &mut lengths))
                }
                _ => {
                    let block = self.blocks[number / PIECES];
                    lengths = &self.lengths[block.lengths..];
                    Some(block.first)
                }
            };
            number += 1;
            piece
        })
    }

    /// Returns the piece after `last`, and removes its numbers from the beginning of `lengths`.
    fn piece_after(&self, last: Piece, lengths: &mut &[u8]) -> Piece {
        let [literal, text, source] = std::array::from_fn(|_| take_number(lengths));
        let text_start = last.text.end + literal;
        let source_start = last.source.end + literal * self.unit;
        Piece {
            text: Span::new(text_start, text_start + text),
            source: Span::new(source_start, source_start + source),
        }
    }

    /// Returns the last of the pieces at the beginning of the map for which `condition` holds.
    fn last_while(&self, condition: impl Fn(&Piece) -> bool) -> Option<Piece> {
        let pieces = self.pieces_near(&condition);
        pieces.take_while(|piece| condition(piece)).last()
    }

    /// Returns the offset in the source of an offset in the text, or `None` inside a piece.
    ///
    /// Source that becomes no text is after the returned offset, unless another piece follows it immediately.
    ///
    /// # Complexity
    /// Logarithmic in the number of pieces.
    pub(crate) fn source(&self, text: usize) -> Option<usize> {
        let Some(piece) = self.last_while(|piece| piece.text.start <= text) else {
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

    /// Returns the span of source of a span of text, or `None` if that begins or ends inside a piece.
    ///
    /// Source that becomes no text is included on both sides. In ISO-2022-JP, this is the escape sequence before the
    /// text that switches to another character set, and the one after the text that switches back.
    pub(crate) fn source_span(&self, text: Span) -> Option<Span> {
        let end = self.source(text.end)?;
        // A piece without text that begins at the end: `source` has returned its beginning.
        let dropped = self
            .last_while(|piece| piece.source.start <= end)
            .filter(|piece| piece.source.start == end && piece.text.is_empty());
        Some(Span::new(
            self.source(text.start)?,
            dropped.map_or(end, |piece| piece.source.end),
        ))
    }

    /// Returns the span of source of a span of text, without source at its ends that becomes no text.
    ///
    /// Unlike [`source_span`](Self::source_span), this excludes the delimiters of a CDATA section, for example. Returns
    /// `None` if the span of text begins or ends inside a piece.
    pub(crate) fn inner_span(&self, text: Span) -> Option<Span> {
        // The last piece without text at the start: the text begins after it.
        let dropped = self
            .last_while(|piece| piece.text.start <= text.start)
            .filter(|piece| piece.text == Span::new(text.start, text.start));
        let start = match dropped {
            Some(piece) => piece.source.end,
            None => self.source(text.start)?,
        };
        if text.is_empty() {
            return Some(Span::new(start, start));
        }
        // The first of the pieces that begin at the end, so that those without text are excluded.
        let first = self
            .pieces_near(|piece| piece.text.start < text.end)
            .find(|piece| piece.text.start >= text.end);
        let end = match first {
            Some(piece) if piece.text.start == text.end => piece.source.start,
            _ => self.source(text.end)?,
        };
        Some(Span::new(start, end))
    }

    /// Returns whether all of a span of source becomes text.
    ///
    /// # Complexity
    /// Linear in the number of pieces in the span.
    pub(crate) fn is_all_text(&self, source: Span) -> bool {
        self.pieces_near(|piece| piece.source.start < source.start)
            .skip_while(|piece| piece.source.start < source.start)
            .take_while(|piece| piece.source.start < source.end)
            .all(|piece| !piece.text.is_empty())
    }

    /// Returns the map of a part of the text, or `None` if the part begins or ends inside a piece.
    ///
    /// # Complexity
    /// Linear in the number of pieces in the part.
    pub(crate) fn part(&self, text: Span) -> Option<Self> {
        let origin = self.source(text.start)?;
        let source_end = self.source(text.end)?;
        let mut part = Self::new(origin, self.unit);
        let pieces = self
            .pieces_near(|piece| piece.source.start < origin)
            // Leaves out a piece without text that is at the beginning of the part, but before `origin`.
            .skip_while(|piece| piece.source.start < origin)
            .take_while(|piece| piece.text.end <= text.end);
        for piece in pieces {
            part.run(piece.text.start - text.start - part.text_end);
            part.piece(piece.text.len(), piece.source.len());
        }
        part.run(text.len() - part.text_end);
        part.source_end = source_end;
        Some(part)
    }

    /// Returns whether a piece ends at an offset in the source.
    ///
    /// # Complexity
    /// Logarithmic in the number of pieces.
    pub(crate) fn is_piece_end(&self, source: usize) -> bool {
        self.last_while(|piece| piece.source.end <= source)
            .is_some_and(|piece| piece.source.end == source)
    }

    /// Returns the offset in the text of an offset in the source. For an offset inside a piece, this is where the piece
    /// begins.
    ///
    /// # Complexity
    /// Logarithmic in the number of pieces.
    pub(crate) fn text(&self, source: usize) -> usize {
        let Some(piece) = self.last_while(|piece| piece.source.start <= source) else {
            return source.saturating_sub(self.origin) / self.unit;
        };
        if source < piece.source.end {
            piece.text.start
        } else {
            piece.text.end + (source - piece.source.end) / self.unit
        }
    }
}

/// Appends `number` in groups of seven bits, the lowest first. All groups but the last have the highest bit.
fn push_number(to: &mut Vec<u8>, mut number: usize) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        if number == 0 {
            to.push(low);
            break;
        }
        to.push(low | 0x80);
    }
}

/// Removes a number from the beginning of `from`.
fn take_number(from: &mut &[u8]) -> usize {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = from.split_first() {
        *from = rest;
        number |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte <= 0x7f {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_and_text_are_inverse() {
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
    fn source_span_includes_dropped_source_and_inner_span_does_not() {
        // "[ab]", whose brackets become no text.
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
    fn source_counts_units_of_two_bytes() {
        let mut map = OffsetMap::new(2, 2);
        map.run(3);
        map.piece(4, 4);
        map.run(1);
        for (text, source) in [(0, 2), (3, 8), (7, 12), (8, 14)] {
            assert_eq!(map.source(text), Some(source), "{text}");
            assert_eq!(map.text(source), text, "{source}");
        }
    }

    #[test]
    fn pieces_are_found_in_any_block() {
        let mut map = OffsetMap::new(5, 2);
        let mut ends = vec![(0, 5, true)];
        for number in 0..200 {
            map.run(number % 3 * 70);
            let (text, source) = (number % 2 * 300, 1 + number % 5 * 200);
            map.piece(text, source);
            ends.push((map.text_end, map.source_end, text > 0));
        }
        for pair in ends.windows(2) {
            let [(_, before, _), (text, source, has_text)] = *pair else {
                unreachable!("pairs");
            };
            assert!(map.is_piece_end(source));
            assert_eq!(map.text(source), text);
            assert_eq!(map.is_all_text(Span::new(before, source)), has_text);
        }
        let (start, end) = (ends[71], ends[141]);
        let part = map.part(Span::new(start.0, end.0));
        let part = part.expect("between pieces");
        for (text, source, _) in &ends[72..141] {
            assert_eq!(part.text(*source), text - start.0);
            assert_eq!(part.source(text - start.0), map.source(*text));
        }
    }
}
