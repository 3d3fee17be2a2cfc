//! Notations: the ways in which a reference is written inside a value.

use std::borrow::Cow;

use super::css::{self, Quote};
use super::refresh::{self, Opening};
use super::{curie, json, list, single, srcset};

/// The notation of a reference in a value, which determines how another reference is written in its place.
///
/// The notations of CSS and JSON have escapes. In all others, every character is literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// The whole value, literal.
    Plain,
    /// An item between white space, literal.
    Word,
    /// An item between commas, literal.
    CommaItem,
    /// An item between semicolons, or the value of a `key=value` item, literal.
    SemicolonItem,
    /// The URL of an image candidate, literal.
    Candidate,
    /// The URL of a refresh, literal.
    Refresh(Opening),
    /// The whole value, literal, where a CURIE is also allowed.
    Iri,
    /// An unquoted `url()` of CSS, with escapes.
    CssUrl,
    /// A string of CSS, with escapes.
    CssString(Quote),
    /// A string of JSON, with escapes.
    JsonString,
    /// A string of JSON, with escapes, where a bare specifier is also allowed.
    JsonSpecifier,
    /// A specifier that is the name of a member. If it ends with a slash, its address must end with one, too.
    JsonKey,
    /// A string of JSON, with escapes, where a keyword, a blank node or a compact IRI is also allowed.
    JsonIri,
}

/// The treatment of characters that are not ASCII when a reference is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NonAscii {
    /// Written as they are.
    Literal,
    /// Escaped, if the notation has escapes.
    Escaped,
}

impl NonAscii {
    /// Returns [`Escaped`](Self::Escaped) if the output must be ASCII, and otherwise [`Literal`](Self::Literal).
    pub(crate) fn escaped_if(ascii_only: bool) -> Self {
        if ascii_only {
            Self::Escaped
        } else {
            Self::Literal
        }
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
            Self::Word => list::can_represent(|next| next.is_ascii_whitespace(), text),
            Self::CommaItem => list::can_represent(|next| next == ',', text),
            Self::SemicolonItem => list::can_represent(|next| next == ';', text),
            Self::Candidate => srcset::can_represent(text),
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
            | Self::Word
            | Self::CommaItem
            | Self::SemicolonItem
            | Self::Candidate
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
