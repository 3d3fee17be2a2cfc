//! Grammars: each takes a value and returns the references in it, with their spans. Nothing here knows HTML or resolves
//! references.
//!
//! A link is a reference in an attribute or in the text of an element, and many attributes and texts contain more than
//! references: descriptors, CSS, JSON, a delay. A [`Grammar`] determines which parts of a value are references. Each is
//! implemented by a function that takes the value, decoded from HTML, and returns a [`ReferenceToken`] for each
//! reference: its span, its text with the escapes of the grammar decoded, and an
//! [`OffsetMap`](crate::offset_map::OffsetMap) from that text to the value.
//!
//! # Writing back
//!
//! A token also records its [`Notation`]. Before a target is written in the place of a reference,
//! [`ReferenceToken::can_represent`] determines whether it would be read back as exactly that target, with the rest of
//! the value unchanged; [`Notation::escape`] then writes it. The property tests in `check` hold every grammar to this:
//! replacing a reference changes that reference only, and `can_represent` is true if and only if that is so.
//!
//! # Invariants
//!
//! * Spans are in bounds, in order, disjoint and on character boundaries.
//! * Reading a value never fails. A malformed part has no references, as the standard of the grammar defines.
//! * Time is linear in the length of the value, and nothing recurses, however deep the value is nested.
//!
//! # The fast path
//!
//! Collecting tokens allocates. For `srcset` and CSS, [`each_simple`] calls a closure with each span and notation
//! instead. It succeeds only if every reference is literal, that is, contains no escapes. Otherwise the caller discards
//! what it did and calls [`references`]. A reference that is the whole value needs only [`single()`].

mod css;
mod curie;
mod cursor;
mod json;
mod link_header;
mod list;
mod notation;
mod refresh;
mod scheme;
mod single;
mod srcset;
#[cfg(test)]
mod test_support;
mod token;
mod writing;

use crate::names::named_values;
use crate::span::Span;

pub(crate) use css::declared_encoding;
use css::{CssPart, css};
use curie::curie;
pub(crate) use json::{JsonValue, decode_string, read as read_json};
use json::{import_map, json_ld, speculation_rules};
pub(crate) use link_header::link_header;
use list::{comma_separated, semicolon_separated, space_separated};
pub(crate) use notation::{NonAscii, Notation};
use refresh::refresh;
pub(crate) use single::single;
use srcset::srcset;
pub(crate) use token::{INTEGRITY, ReferenceToken};

/// The syntax in which a value contains references.
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
    /// A delay, optionally followed by a reference: HTML, "shared declarative refresh steps".
    Refresh,
    /// CSS: a style sheet, the declarations of a `style` attribute, or the value of a presentation attribute.
    Css,
    /// One reference, or a CSS value that begins with `url(`: `data-bg`. For each value, one of these two grammars
    /// applies, so no link is reported with this one.
    UrlOrCss,
    /// One reference, unless it is a CURIE: `RDFa` 1.1, `SafeCURIEorCURIEorIRI`.
    UrlOrCurie,
    /// An import map: HTML, "parse an import map string".
    ImportMap,
    /// Speculation rules: the `urls` of `prefetch` and `prerender`.
    SpeculationRules,
    /// JSON-LD: the values of `@id`, and of terms that a context in the document defines as references.
    JsonLd,
    /// A nested document: `srcdoc`. Its links have grammars of their own.
    Html,
    /// A text that is no reference, such as a script, for a callback to [replace](crate::Decision::Replace). Its
    /// outcome is always [`Excluded`](crate::SkipReason::Excluded).
    Text,
}

named_values! { Grammar, "grammar":
    Url => "url",
    SpaceSeparated => "url-set-space",
    CommaSeparated => "url-list-comma",
    SemicolonSeparated => "url-list-semicolon",
    Srcset => "srcset",
    Refresh => "refresh",
    Css => "css",
    UrlOrCss => "url-or-css",
    UrlOrCurie => "url-or-curie",
    ImportMap => "json-importmap",
    SpeculationRules => "json-speculationrules",
    JsonLd => "json-ld",
    Html => "html",
    Text => "text",
}

impl Grammar {
    /// Returns whether a value is split at separators, wherever they appear in it.
    pub(crate) fn has_separators(self) -> bool {
        match self {
            Self::SpaceSeparated
            | Self::CommaSeparated
            | Self::SemicolonSeparated
            | Self::Srcset => true,
            Self::Url
            | Self::Refresh
            | Self::Css
            | Self::UrlOrCss
            | Self::UrlOrCurie
            | Self::ImportMap
            | Self::SpeculationRules
            | Self::JsonLd
            | Self::Html
            | Self::Text => false,
        }
    }
}

/// The part of a document that a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueContext {
    /// An attribute.
    Attribute,
    /// The text of an element, or a whole file.
    Text,
}

/// Returns the references in `value`, in order and disjoint, the first `max` at most.
///
/// Returns none for [`Grammar::UrlOrCss`] and [`Grammar::Html`], which the caller must handle.
///
/// # Complexity
/// Linear in the length of the value.
pub(crate) fn references(
    grammar: Grammar,
    value: &str,
    context: ValueContext,
    max: usize,
) -> Vec<ReferenceToken<'_>> {
    let part = match context {
        ValueContext::Text => CssPart::Stylesheet,
        ValueContext::Attribute => CssPart::Value,
    };
    match grammar {
        Grammar::Url => {
            let url = ReferenceToken::literal(value, single(value), Notation::Plain);
            vec![url]
        }
        Grammar::Text => {
            let whole = Span::new(0, value.len());
            vec![ReferenceToken::literal(value, whole, Notation::Text)]
        }
        Grammar::SpaceSeparated => space_separated(value).take(max).collect(),
        Grammar::CommaSeparated => comma_separated(value).take(max).collect(),
        Grammar::SemicolonSeparated => semicolon_separated(value).take(max).collect(),
        Grammar::Srcset => srcset(value).take(max).collect(),
        Grammar::Refresh => refresh(value).into_iter().collect(),
        Grammar::UrlOrCurie => curie(value).into_iter().collect(),
        Grammar::Css => trim_all(css(value, part, max)),
        Grammar::ImportMap => trim_all(import_map(value, max)),
        Grammar::SpeculationRules => trim_all(speculation_rules(value, max)),
        Grammar::JsonLd => trim_all(json_ld(value, max)),
        // The caller decides between URL and CSS, and parses nested documents.
        Grammar::UrlOrCss | Grammar::Html => Vec::new(),
    }
}

/// Calls `visit` with the span and notation of each reference that [`references`] returns, without allocating.
///
/// Returns `false` if the caller must use [`references`] instead: `visit` returned `false`, a reference contains
/// escapes, or the grammar or the value has no fast path. `visit` may have been called for some references by then.
///
/// Unlike in [`references`], white space between quotes and a reference is part of the span. Unless it is CSS, `value`
/// may still contain `&amp;` for an ampersand.
///
/// # Complexity
/// Linear in the length of the value.
pub(crate) fn each_simple(
    grammar: Grammar,
    value: &str,
    visit: impl FnMut(Span, Notation) -> bool,
) -> bool {
    match grammar {
        Grammar::Srcset => srcset::each_simple(value, visit),
        Grammar::Css => css::each_simple(value, visit),
        _ => false,
    }
}

/// Removes the white space between quotes and a reference from the tokens; the URL Standard's parser strips it.
fn trim_all(tokens: Vec<ReferenceToken<'_>>) -> Vec<ReferenceToken<'_>> {
    tokens.into_iter().map(ReferenceToken::trimmed).collect()
}
