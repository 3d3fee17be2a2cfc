//! Half-open ranges of bytes.

/// A range of bytes in a buffer that the one who hands it out names: `start` is part of it, `end` is not.
///
/// `start <= end` always. Unlike `std::ops::Range` it is `Copy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte, counted from zero.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to `end`; an `end` before `start` makes it empty.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// The span of something that begins at `offset`, of which this is a span.
    pub(crate) fn from(self, offset: usize) -> Self {
        Self {
            start: self.start + offset,
            end: self.end + offset,
        }
    }

    /// The number of bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether there are no bytes in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}
