//! Notations: the ways in which a reference is written inside a value.

/// The notation of a reference in a value, which determines how another reference is written in its place.
///
/// The notations of CSS and JSON have escapes. In all others, every character is literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// The whole value, literal.
    Plain,
    /// The whole value with the white space around it, literal.
    Text,
    /// An item between white space, literal.
    Word,
    /// An item between commas, literal.
    CommaItem,
    /// An item between semicolons, or the value of a `key=value` item, literal.
    SemicolonItem,
    /// The URL of an image candidate, literal.
    Candidate,
    /// The URL of an image candidate with a parse error in its descriptors, literal. It is not used.
    InvalidCandidate,
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

/// The text before the URL of a refresh, white space aside. It restricts which URLs can be written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The time, followed by white space only.
    WhiteSpace,
    /// A semicolon or a comma.
    Delimiter,
    /// `url=`.
    Key,
    /// A quotation mark, with or without a closing one after the URL.
    Quote(char),
}

/// The quotes around a string of CSS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// `'`
    Single,
    /// `"`
    Double,
}

impl Quote {
    /// Returns the quotes whose quotation mark is `byte`, if it is one.
    pub(super) fn of(byte: u8) -> Option<Self> {
        [Self::Single, Self::Double]
            .into_iter()
            .find(|quote| quote.byte() == byte)
    }

    /// Returns the quotation mark.
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Single => b'\'',
            Self::Double => b'"',
        }
    }
}
