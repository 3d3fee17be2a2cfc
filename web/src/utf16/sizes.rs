//! Sizes that the encoder and its vectors share.

/// Number of code units that are tested at once. Most blocks of most documents are ASCII.
pub(super) const BLOCK: usize = 16;

/// Number of bytes of a vector.
pub(super) const VECTOR: usize = 16;
