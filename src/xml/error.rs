//! Errors of XML documents.

use crate::unsupported::{IllFormed, IllFormedReason};

/// The reason why a construct cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The text ends within it.
    Incomplete,
    /// An error at this offset.
    IllFormed(usize, IllFormedReason),
}

impl ReadError {
    /// Creates an error at an offset of the text.
    pub(super) fn at(offset: usize, reason: IllFormedReason) -> Self {
        Self::IllFormed(offset, reason)
    }
}

/// Returns the error at `offset` of `text` with its line and column.
pub(crate) fn ill_formed(text: &str, offset: usize, reason: IllFormedReason) -> IllFormed {
    let before = &text[..offset];
    let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let bytes = before.as_bytes();
    let ends = bytes.iter().enumerate().filter(|&(index, byte)| {
        *byte == b'\n' || (*byte == b'\r' && bytes.get(index + 1) != Some(&b'\n'))
    });
    IllFormed {
        line: 1 + ends.count(),
        column: 1 + before[line_start..].chars().count(),
        reason,
    }
}
