//! [`DecodeBudget`]: what a container may be decoded to, in proportion to its length.

/// The number of bytes that the compressed parts of a container may still be decoded to, all codings counted.
///
/// A limit for each part is not enough: a container of 100 kB may have a thousand parts, each of which decodes to
/// megabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecodeBudget {
    left: u64,
    /// The number of bytes that each byte of the container adds.
    ratio: u64,
}

impl DecodeBudget {
    /// The number of bytes that any container may be decoded to, unless other settings apply.
    pub(crate) const DEFAULT_FREE: usize = 8 << 20;

    /// The number of bytes that each byte of a container adds, unless other settings apply.
    ///
    /// Pages are compressed to a fifth or a tenth. A few of them, to a hundredth, are within what is free.
    pub(crate) const DEFAULT_RATIO: usize = 32;

    /// Creates a budget of `free` bytes, and `ratio` more for each byte of the container.
    pub(crate) fn new(free: usize, ratio: usize) -> Self {
        Self {
            left: free as u64,
            ratio: ratio as u64,
        }
    }

    /// Adds `count` bytes to the length of the container.
    pub(crate) fn lengthen(&mut self, count: usize) {
        let added = self.ratio.saturating_mul(count as u64);
        self.left = self.left.saturating_add(added);
    }

    /// Takes `count` decoded bytes; returns `false` if fewer are left.
    pub(crate) fn take(&mut self, count: usize) -> bool {
        let is_enough = self.left >= count as u64;
        self.left = self.left.saturating_sub(count as u64);
        is_enough
    }

    pub(crate) fn left(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }
}

impl Default for DecodeBudget {
    fn default() -> Self {
        Self::new(Self::DEFAULT_FREE, Self::DEFAULT_RATIO)
    }
}
