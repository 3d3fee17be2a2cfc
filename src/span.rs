//! Half-open byte ranges.

/// A half-open byte range: `start` is part of it, `end` is not.
///
/// The item that contains or returns a span documents which buffer it refers to. Unlike [`std::ops::Range`], a span is
/// `Copy`.
///
/// Invariant: spans made by [`Span::new`] have `start <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte, 0-based.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span from `start` to `end`. It is empty if `end` is less than `start`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// Returns the span shifted by `offset`: from offsets in a part to offsets in the whole.
    pub(crate) fn shifted(self, offset: usize) -> Self {
        Self {
            start: self.start + offset,
            end: self.end + offset,
        }
    }

    /// Returns whether one of `spans`, which must be ordered and disjoint, contains `offset`.
    pub(crate) fn any_contains(spans: &[Self], offset: usize) -> bool {
        let after = spans.partition_point(|span| span.start <= offset);
        after > 0 && offset < spans[after - 1].end
    }

    /// Returns the number of bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the span contains no bytes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
