//! Grammars: how a value holds references. A value in, references and where they stand out; nothing here knows HTML or
//! resolves.

#[cfg(test)]
mod check;
mod css;
mod curie;
mod cursor;
mod json;
mod list;
mod notation;
mod pairs;
mod refresh;
mod scheme;
mod single;
mod srcset;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::offset_map::OffsetMap;
use crate::span::Span;

pub(crate) use css::declared_encoding;
use css::{CssPart, css};
use curie::curie;
pub(crate) use json::begins_like_specifier;
use json::{import_map, json_ld, speculation_rules};
use list::{comma_separated, semicolon_separated, space_separated};
pub(crate) use notation::Notation;
use pairs::pairs;
use refresh::refresh;
pub(crate) use single::single;
use srcset::srcset;

/// How a value holds references.
///
/// Further grammars may be added: match with a wildcard arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// One reference, with white space around it allowed: HTML, "valid URL potentially surrounded by spaces".
    Url,
    /// References separated by white space: `ping`, `archive` of OBJECT, `profile`.
    SpaceSeparated,
    /// References separated by commas: `archive` of APPLET.
    CommaSeparated,
    /// References separated by semicolons: `values` of SVG animations.
    SemicolonSeparated,
    /// Image candidates with their descriptors: HTML, "parse a srcset attribute".
    Srcset,
    /// A delay, and a reference behind it: HTML, "shared declarative refresh steps".
    Refresh,
    /// CSS: a style sheet, the declarations of a `style` attribute, or the value of a presentation attribute.
    Css,
    /// One reference, or a CSS value that begins with `url(`: `data-bg`. A link has the one or the other of the two.
    UrlOrCss,
    /// One reference, unless it is a CURIE: `RDFa` 1.1, `SafeCURIEorCURIEorIRI`.
    UrlOrCurie,
    /// `key=value` pairs of Windows tiles, separated by semicolons; references are the values of `polling-uri` and
    /// others.
    Pairs,
    /// An import map: HTML, "parse an import map string".
    ImportMap,
    /// Speculation rules: the `urls` of `prefetch` and `prerender`.
    SpeculationRules,
    /// JSON-LD: `@id`, and what a context in the document says is one.
    JsonLd,
    /// A document of its own: `srcdoc`. Its links have grammars of their own.
    Html,
}

impl Grammar {
    /// Every grammar.
    pub const ALL: &'static [Self] = &[
        Self::Url,
        Self::SpaceSeparated,
        Self::CommaSeparated,
        Self::SemicolonSeparated,
        Self::Srcset,
        Self::Refresh,
        Self::Css,
        Self::UrlOrCss,
        Self::UrlOrCurie,
        Self::Pairs,
        Self::ImportMap,
        Self::SpeculationRules,
        Self::JsonLd,
        Self::Html,
    ];

    /// The name used in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::SpaceSeparated => "url-set-space",
            Self::CommaSeparated => "url-list-comma",
            Self::SemicolonSeparated => "url-list-semicolon",
            Self::Srcset => "srcset",
            Self::Refresh => "refresh",
            Self::Css => "css",
            Self::UrlOrCss => "url-or-css",
            Self::UrlOrCurie => "url-or-curie",
            Self::Pairs => "pairs",
            Self::ImportMap => "json-importmap",
            Self::SpeculationRules => "json-speculationrules",
            Self::JsonLd => "json-ld",
            Self::Html => "html",
        }
    }
}

/// A text that is the name of no [`Grammar`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownGrammar;

impl fmt::Display for UnknownGrammar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no grammar of that name")
    }
}

impl std::error::Error for UnknownGrammar {}

impl FromStr for Grammar {
    type Err = UnknownGrammar;

    fn from_str(name: &str) -> Result<Self, UnknownGrammar> {
        let found = Self::ALL.iter().find(|grammar| grammar.name() == name);
        found.copied().ok_or(UnknownGrammar)
    }
}

/// What a value is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueContext {
    /// An attribute.
    Attribute,
    /// The text of an element, or a file.
    Text,
}

/// The references that `value` holds, in order and disjoint. [`Grammar::Html`] is not for this module to read.
///
/// # Complexity
/// Linear in the length of the value.
pub(crate) fn references(
    grammar: Grammar,
    value: &str,
    of: ValueContext,
) -> Vec<ReferenceToken<'_>> {
    let part = match of {
        ValueContext::Text => CssPart::Stylesheet,
        ValueContext::Attribute => CssPart::Value,
    };
    let url = || vec![ReferenceToken::plain(value, single(value), Notation::Plain)];
    match grammar {
        Grammar::Url => url(),
        Grammar::SpaceSeparated => space_separated(value),
        Grammar::CommaSeparated => comma_separated(value),
        Grammar::SemicolonSeparated => semicolon_separated(value),
        Grammar::Srcset => srcset(value),
        Grammar::Refresh => refresh(value).into_iter().collect(),
        Grammar::UrlOrCurie => curie(value).into_iter().collect(),
        Grammar::Pairs => pairs(value),
        Grammar::Css => trimmed(css(value, part)),
        Grammar::ImportMap => trimmed(import_map(value)),
        Grammar::SpeculationRules => trimmed(speculation_rules(value)),
        Grammar::JsonLd => trimmed(json_ld(value)),
        // Which of the two is for the caller to say, as is what a document is.
        Grammar::UrlOrCss | Grammar::Html => Vec::new(),
    }
}

/// Gives the references of [`references`] to `found`, without making a list: where they stand, and how they are written.
/// `None`, perhaps after some of them, if one does not stand for itself, if `found` gives nothing for one, or if that is
/// not to be had for the value.
///
/// White space in quotes around a reference is part of it here. `value` may have `&amp;` for an ampersand if it is no CSS.
///
/// # Complexity
/// As [`references`].
pub(crate) fn each_simple(
    grammar: Grammar,
    value: &str,
    mut found: impl FnMut(Span, Notation) -> Option<()>,
) -> Option<()> {
    match grammar {
        Grammar::Srcset => srcset::each_url(value, |url| found(url, Notation::Candidate)),
        Grammar::Css => css::each_simple(value, found),
        _ => None,
    }
}

/// `found` without the white space in quotes around a reference, which the URL Standard's parser strips.
fn trimmed(found: Vec<ReferenceToken<'_>>) -> Vec<ReferenceToken<'_>> {
    found.into_iter().map(ReferenceToken::trimmed).collect()
}

/// A reference as it stands in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferenceToken<'v> {
    /// Where it stands, in bytes of the value; delimiters and white space around it are not part of it.
    pub(crate) span: Span,
    /// The reference: what is written there, with the escapes of its notation resolved.
    pub(crate) reference: Cow<'v, str>,
    /// From offsets in the reference to offsets in the value.
    pub(crate) map: OffsetMap,
    /// How it is written.
    pub(crate) notation: Notation,
    /// What it is written in, in CSS: `url()`, `src()`, `image-set()`, `image()`, `@import`.
    pub(crate) construct: Option<&'static str>,
}

impl<'v> ReferenceToken<'v> {
    /// A reference that stands for itself at `span` of `value`.
    pub(crate) fn plain(value: &'v str, span: Span, notation: Notation) -> Self {
        let mut map = OffsetMap::new(span.start, 1);
        map.run(span.len());
        Self {
            span,
            reference: Cow::Borrowed(&value[span.start..span.end]),
            map,
            notation,
            construct: None,
        }
    }

    /// Whether `text` can be written in the place of the reference, and the value means the same otherwise.
    pub(crate) fn can_represent(&self, text: &str) -> bool {
        // HTML, "sort and normalize a module specifier map": a key that ends in a slash wants an address that does.
        let keeps_kind = self.notation != Notation::JsonKey
            || self.reference.ends_with('/') == text.ends_with('/');
        keeps_kind && self.notation.may_contain(text)
    }

    fn within(self, construct: &'static str) -> Self {
        Self {
            construct: Some(construct),
            ..self
        }
    }

    /// The same without white space around it, if it can be cut off.
    fn trimmed(self) -> Self {
        let inner = single(&self.reference);
        if inner.len() == self.reference.len() {
            return self;
        }
        let (Some(span), Some(map)) = (self.map.inner_span(inner), self.map.part(inner)) else {
            return self;
        };
        // What becomes no text at an end that stays is still part of the reference as it is written.
        let start = if inner.start == 0 {
            self.span.start
        } else {
            span.start
        };
        let end = if inner.end == self.reference.len() {
            self.span.end
        } else {
            span.end
        };
        let span = Span::new(start, end);
        let reference = match self.reference {
            Cow::Borrowed(text) => Cow::Borrowed(&text[inner.start..inner.end]),
            Cow::Owned(text) => Cow::Owned(text[inner.start..inner.end].to_owned()),
        };
        Self {
            span,
            reference,
            map,
            ..self
        }
    }
}
