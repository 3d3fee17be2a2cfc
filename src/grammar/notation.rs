//! How references are written in their places.

use std::borrow::Cow;

use super::css::{self, Quote};
use super::refresh::{self, Opening};
use super::{curie, json, list, single, srcset};

/// How a reference is written in its place, and so how another would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// As it is, up to the end of the value.
    Plain,
    /// As it is, an item between white space.
    Word,
    /// As it is, an item between commas.
    CommaItem,
    /// As it is, an item between semicolons, or the rest of one.
    SemicolonItem,
    /// As it is, the URL of an image candidate.
    Candidate,
    /// As it is, the URL of a refresh.
    Refresh(Opening),
    /// As it is, up to the end of the value, where a CURIE may stand instead.
    Iri,
    /// In an unquoted url of CSS, with escapes.
    CssUrl,
    /// In a string of CSS, with escapes.
    CssString(Quote),
    /// In a string of JSON, with escapes.
    JsonString,
    /// In a string of JSON, with escapes, where a bare specifier may stand instead.
    JsonSpecifier,
    /// The same, as a key: whether it ends in a slash says what its address must be.
    JsonKey,
    /// In a string of JSON, with escapes, where a keyword, a blank node or a compact IRI may stand instead.
    JsonIri,
}

impl Notation {
    /// Whether a reference written in this notation can be `text`: whether it reads back as exactly that, and all
    /// around it as before.
    ///
    /// Nowhere may there be ASCII white space at the ends of `text`: readers strip it. Empty it may be where the
    /// grammar has empty references. Where a CURIE may stand, it must not look like one. What else each grammar
    /// forbids, and why, is said there.
    pub(crate) fn may_contain(self, text: &str) -> bool {
        match self {
            Self::Plain | Self::CssUrl | Self::CssString(_) | Self::JsonString => {
                single::is_trimmed(text)
            }
            Self::Word => list::may_contain(|next| next.is_ascii_whitespace(), text),
            Self::CommaItem => list::may_contain(|next| next == ',', text),
            Self::SemicolonItem => list::may_contain(|next| next == ';', text),
            Self::Candidate => srcset::may_contain(text),
            Self::Refresh(opening) => refresh::may_contain(opening, text),
            Self::Iri => single::is_trimmed(text) && !curie::is_curie(text),
            Self::JsonSpecifier | Self::JsonKey => {
                single::is_trimmed(text) && json::is_url_like(text)
            }
            Self::JsonIri => single::is_trimmed(text) && json::may_be_reference(text),
        }
    }

    /// `text` as it is written in this notation; with `ascii_only`, in ASCII as far as the notation can write other
    /// characters so.
    ///
    /// Borrowed if it stands for itself.
    pub(crate) fn escape(self, text: &str, ascii_only: bool) -> Cow<'_, str> {
        match self {
            Self::Plain
            | Self::Word
            | Self::CommaItem
            | Self::SemicolonItem
            | Self::Candidate
            | Self::Refresh(_)
            | Self::Iri => Cow::Borrowed(text),
            Self::CssUrl => css::escape(text, None, ascii_only),
            Self::CssString(quote) => css::escape(text, Some(quote), ascii_only),
            Self::JsonString | Self::JsonSpecifier | Self::JsonKey | Self::JsonIri => {
                json::escape(text, ascii_only)
            }
        }
    }
}
