//! Reasons why a document is not read, and remains as it is.

use std::fmt;

/// Reason why a document is not read but returned unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// The text is longer than html5ever supports, which is over one gigabyte.
    TooLong,
    /// The Encoding Standard does not decode the encoding, because that would not be safe (`iso-2022-kr`,
    /// `hz-gb-2312`).
    NoEncoding,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "document too long",
            Self::NoEncoding => "unsupported encoding (not decoded by the Encoding Standard)",
        })
    }
}
