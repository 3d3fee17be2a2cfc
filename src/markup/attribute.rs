//! Attributes as they are written. Readers of HTML and of XML split tags into these.

use crate::span::Span;

/// An attribute as it is written, with spans in bytes of the text that it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawAttribute {
    /// The name as written.
    pub(crate) name: Span,
    /// The value as written, without quotes.
    pub(crate) value: Span,
    /// The delimiters of the value.
    pub(crate) quoting: Quoting,
}

/// The delimiters of an attribute value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `name="value"`.
    Double,
    /// `name='value'`.
    Single,
    /// `name=value`.
    Unquoted,
    /// `name`: there is no value, and its span is empty, at the end of the name.
    Absent,
}

impl Quoting {
    /// Returns the kind of value that `quote`, one of the two quotes, delimits.
    #[inline]
    pub(crate) fn of(quote: u8) -> Self {
        if quote == b'"' {
            Self::Double
        } else {
            Self::Single
        }
    }
}

impl RawAttribute {
    /// Returns the span from the name to the end of the value, including quotes.
    pub(crate) fn span(&self) -> Span {
        let quote = match self.quoting {
            Quoting::Double | Quoting::Single => 1,
            Quoting::Unquoted | Quoting::Absent => 0,
        };
        Span::new(self.name.start, self.value.end + quote)
    }
}
