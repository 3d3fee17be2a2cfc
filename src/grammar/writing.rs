//! Writing a reference into a value: each notation with the rules of its grammar.

use std::borrow::Cow;

use super::notation::{NonAscii, Notation};
use super::token::ReferenceToken;
use super::{css, curie, json, list, refresh, single, srcset};

impl ReferenceToken<'_> {
    /// Returns whether `text` can replace the reference without changing the meaning of the rest of the value.
    pub(crate) fn can_represent(&self, text: &str) -> bool {
        // HTML, "sort and normalize a module specifier map": a key that ends with a slash requires an address that ends
        // with one, too.
        let keeps_kind = self.notation != Notation::JsonKey
            || self.reference.ends_with('/') == text.ends_with('/');
        keeps_kind && self.notation.can_represent(text)
    }
}

impl Notation {
    /// Returns whether a reference in this notation can be `text`.
    ///
    /// If so, it is read back as exactly that text, and the rest of the value as before. These rules apply:
    ///
    /// * No `text` may have ASCII white space at its ends, because it would be stripped.
    /// * `text` may be empty only if the grammar has empty references.
    /// * Where a CURIE is also allowed, `text` must not look like one.
    /// * Each grammar documents its further restrictions at its own `can_represent`.
    pub(crate) fn can_represent(self, text: &str) -> bool {
        match self {
            Self::Plain | Self::CssUrl | Self::CssString(_) | Self::JsonString => {
                single::is_trimmed(text)
            }
            // A parser replaces both.
            Self::Text => !text.contains(['\r', '\0']),
            Self::Word => list::can_represent(|next| next.is_ascii_whitespace(), text),
            Self::CommaItem => list::can_represent(|next| next == ',', text),
            Self::SemicolonItem => list::can_represent(|next| next == ';', text),
            Self::Candidate | Self::InvalidCandidate => srcset::can_represent(text),
            Self::Refresh(opening) => refresh::can_represent(opening, text),
            Self::Iri => single::is_trimmed(text) && !curie::is_curie(text),
            Self::JsonSpecifier | Self::JsonKey => {
                single::is_trimmed(text) && json::is_url_like(text)
            }
            Self::JsonIri => single::is_trimmed(text) && json::may_be_reference(text),
        }
    }

    /// Returns `text` as it is written in this notation, borrowed if no character needs an escape.
    pub(crate) fn escape(self, text: &str, non_ascii: NonAscii) -> Cow<'_, str> {
        match self {
            Self::Plain
            | Self::Text
            | Self::Word
            | Self::CommaItem
            | Self::SemicolonItem
            | Self::Candidate
            | Self::InvalidCandidate
            | Self::Refresh(_)
            | Self::Iri => Cow::Borrowed(text),
            Self::CssUrl => css::escape(text, None, non_ascii),
            Self::CssString(quote) => css::escape(text, Some(quote), non_ascii),
            Self::JsonString | Self::JsonSpecifier | Self::JsonKey | Self::JsonIri => {
                json::escape(text, non_ascii)
            }
        }
    }
}
