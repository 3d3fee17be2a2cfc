//! [`SourceText`]: the text of a document that is scanned; [`SpanMapper`]: from its spans to bytes of the document.
//!
//! # Three forms of a text
//!
//! | form | document | offsets |
//! |---|---|---|
//! | `Utf8` | valid UTF-8 | those of the document after the BOM |
//! | `Skeleton` | another ASCII-compatible encoding, or malformed UTF-8 | those of the document after the BOM |
//! | `Decoded` | any | mapped by an [`OffsetMap`] |
//!
//! `Utf8` and `Decoded` are *exact*: they are the text of the document. `Utf8` is used whenever it exists. A skeleton
//! costs much less than decoding, but some decisions need the decoded text.
//!
//! # Skeleton
//!
//! A skeleton is a text of the same length as the bytes it is made from, in which every non-ASCII byte is [`MASK`]. It
//! has the same markup as the document: among the bytes that delimit markup, only `[` and `]` can also be the trail
//! byte of a multi-byte character, and [`mask_may_matter`] detects the documents where that makes a difference. So no
//! document has to be decoded as a whole, and every offset in the skeleton is an offset in the document after the BOM.
//!
//! The conditions of the link table, and the `rel` that determines a role, are evaluated on masked values. They compare
//! a value, or the words in it, with strings of printable ASCII, which no mask is equal to, and the white space that
//! separates words cannot be a trail byte. So the result is that of the decoded value. A selector of the user may
//! compare with other text, which [`mask_may_matter`] detects.
//!
//! The skeleton does not show what a masked range contains. The simple path can do without it:
//!
//! * The resolver's shortcut accepts only references without a mask.
//! * An absolute reference may contain a mask. It is only counted, or decoded for a list ([`Skeleton::reference`]).
//! * A `srcset` or CSS value that contains a mask is decoded alone ([`Skeleton::decoded`]) before it is split.
//!
//! In all other cases, a decision that depends on a masked range ends the pass with [`Fallback::Collect`]:
//!
//! * the name of an element or attribute, or an attribute of BASE, contains a mask ([`Segment::check_masked_names`]);
//! * a link takes the general path, and its value (an attribute or the text of an element) or the `codebase` of its
//!   element contains a mask;
//! * an edit is not ASCII or is next to a masked byte ([`Segment::can_write`]).
//!
//! # Coordinates
//!
//! A span of a decoded value is mapped to the text that contains the value, and from there to the document. For a
//! nested document or a comment there are more levels. Each level is one [`SpanMapper`] that refers to the next. The
//! outer span may not exist, for example if a reference is spread over two CDATA sections. Then the link is reported
//! without a span and is not edited.

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::Encoding;
use memchr::{memchr_iter, memmem};

use super::edit::TextEdit;
use super::fallback::Fallback;
use crate::base::Base;
use crate::document::Document;
use crate::encoding::{self, Decoded, MASK};
use crate::find::find_ignore_case;
use crate::grammar::NonAscii;
use crate::html::charref;
use crate::link::{Preset, RowLookup, Selection};
use crate::markup::tokens::{
    Attribute, DuplicateAttributes, StartTag, Syntax, TextContent, TextKind, Tokens,
};
use crate::markup::value::DecodedValue;
use crate::offset_map::OffsetMap;
use crate::span::Span;
use crate::xml::{self, text::is_literal_in_section};

/// The text of a document in one encoding, without the BOM.
pub(super) enum SourceText<'d> {
    /// The document itself, which is valid UTF-8.
    Utf8 { text: &'d str, bom_len: usize },
    /// A skeleton, which is `text`, and the bytes it was made from.
    Skeleton {
        text: String,
        skeleton: Skeleton<'d>,
        bom_len: usize,
    },
    /// The decoded document. Invariant: its text is owned.
    Decoded(Decoded<'d>),
}

impl<'d> SourceText<'d> {
    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Utf8 { text, .. } => text,
            Self::Skeleton { text, .. } => text,
            Self::Decoded(decoded) => &decoded.text,
        }
    }

    /// Returns the bytes that the text was made from, if it is a skeleton.
    pub(super) fn skeleton(&self) -> Option<Skeleton<'d>> {
        match self {
            Self::Skeleton { skeleton, .. } => Some(*skeleton),
            Self::Utf8 { .. } | Self::Decoded(_) => None,
        }
    }

    /// Returns whether U+FFFD replaces malformed bytes of `document` in the text.
    pub(super) fn has_malformed_bytes(&self, document: &Document<'_>) -> bool {
        let Self::Decoded(decoded) = self else {
            return false;
        };
        let (encoding, body) = (decoded.encoding, &document.bytes[decoded.bom.len()..]);
        let text = encoding.decode_without_bom_handling_and_without_replacement(body);
        text.is_none()
    }

    /// Returns the mapper from the text to the document, which is in `encoding`.
    pub(super) fn span_mapper(&self, encoding: &'static Encoding) -> SpanMapper<'_> {
        let origin = match self {
            // Reported spans are in bytes of the document, and the text begins after the BOM.
            Self::Utf8 { bom_len, .. } | Self::Skeleton { bom_len, .. } => {
                Origin::Document { start: *bom_len }
            }
            Self::Decoded(decoded) => Origin::Decoded(&decoded.map),
        };
        SpanMapper::new(origin, encoding)
    }
}

/// The bytes that a skeleton text was made from.
#[derive(Clone, Copy)]
pub(super) struct Skeleton<'d> {
    /// Invariant: as long as the text.
    pub(super) bytes: &'d [u8],
    pub(super) encoding: &'static Encoding,
}

impl<'d> Skeleton<'d> {
    /// Decodes `span`, which must be delimited by ASCII bytes that cannot be trail bytes.
    ///
    /// With valid input the result is the text of the document there. In malformed input a character may be incomplete
    /// at the end of `span`; the text may then differ from its lead byte on.
    pub(super) fn decoded(&self, span: Span) -> Decoded<'d> {
        encoding::decode(&self.bytes[span.start..span.end], self.encoding, 0)
    }

    /// Returns the text at `span`, as far as that is possible without the bytes around it; borrowed if it is ASCII.
    ///
    /// Returns `None` if it contains non-ASCII bytes and the encoding is not a single-byte encoding: decoding may then
    /// depend on the bytes around the span.
    pub(super) fn reference(&self, span: Span) -> Option<Cow<'d, str>> {
        let bytes = &self.bytes[span.start..span.end];
        match str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() => Some(Cow::Borrowed(text)),
            _ if self.encoding.is_single_byte() => Some(self.decoded(span).text),
            _ => None,
        }
    }
}

/// A mapper from spans of a visited text to bytes of the document.
#[derive(Clone, Copy)]
pub(super) struct SpanMapper<'s> {
    pub(super) origin: Origin<'s>,
    /// The form of non-ASCII characters in replacements, where the notation has escapes.
    ///
    /// Escaped if the encoding lacks characters, except in attributes, where character references represent any of
    /// them.
    pub(super) non_ascii: NonAscii,
}

/// The place that a text comes from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'s> {
    /// A decoded value of a tree, which spans refer to. There is no source, so links without a span are written anyway.
    Tree,
    /// Several places in a source. Nothing in the text can be replaced.
    Fragments,
    /// The document, from byte `start` on.
    Document { start: usize },
    /// The document, decoded.
    Decoded(&'s OffsetMap),
    /// A part of another text, from byte `start` on.
    Part {
        outer: &'s SpanMapper<'s>,
        start: usize,
    },
    /// A value in another text, decoded.
    Value {
        outer: &'s SpanMapper<'s>,
        map: &'s OffsetMap,
    },
}

impl<'s> SpanMapper<'s> {
    /// Creates the mapper of a text from `origin` that is written in `encoding`, without character references.
    pub(super) fn new(origin: Origin<'s>, encoding: &'static Encoding) -> Self {
        Self {
            origin,
            non_ascii: NonAscii::escaped_if(encoding::lacks_characters(encoding)),
        }
    }

    /// Returns the bytes of the document, or of the value of a tree, that a span of the text comes from, if they can be
    /// replaced.
    #[inline]
    pub(super) fn source_span(&self, span: Span) -> Option<Span> {
        match self.origin {
            Origin::Document { start } => Some(span.shifted(start)),
            _ => self.source_span_in_part(span),
        }
    }

    /// Returns the same as [`source_span`](Self::source_span), for text that is not the document itself.
    fn source_span_in_part(&self, span: Span) -> Option<Span> {
        match self.origin {
            Origin::Fragments => None,
            Origin::Tree => Some(span),
            Origin::Document { start } => Some(span.shifted(start)),
            Origin::Decoded(map) => map.source_span(span),
            Origin::Part { outer, start } => outer.source_span(span.shifted(start)),
            Origin::Value { outer, map } => {
                let span = map.inner_span(span)?;
                // A reference that crosses the delimiter of a CDATA section cannot be replaced as one.
                if !map.is_all_text(span) {
                    return None;
                }
                outer.source_span(span)
            }
        }
    }

    /// Returns whether there is a source, so that an edit needs a span in it.
    pub(super) fn has_source(&self) -> bool {
        match self.origin {
            Origin::Tree => false,
            Origin::Part { outer, .. } | Origin::Value { outer, .. } => outer.has_source(),
            Origin::Fragments | Origin::Document { .. } | Origin::Decoded(_) => true,
        }
    }

    /// Returns the mapper of the part of this text that begins at `start`.
    pub(super) fn part(&'s self, start: usize) -> Self {
        Self {
            origin: Origin::Part { outer: self, start },
            ..*self
        }
    }

    /// Returns the mapper of a decoded value in this text.
    pub(super) fn value(&'s self, value: &'s DecodedValue<'_>) -> Self {
        match value.text {
            // Nothing was decoded: a constant shift replaces the search in the offset map.
            Cow::Borrowed(_) => self.part(value.text_start()),
            Cow::Owned(_) => Self {
                origin: Origin::Value {
                    outer: self,
                    map: &value.map,
                },
                ..*self
            },
        }
    }
}

/// A range of tokens of a text: the unit of work of a visitor.
#[derive(Clone, Copy)]
pub(super) struct Segment<'p, 't> {
    /// The text that the spans of `tokens` refer to. It may extend beyond the segment.
    pub(super) text: &'t str,
    pub(super) tokens: &'p Tokens<'t>,
    /// The mapper from spans of the text to those of the document, for reports.
    pub(super) span_mapper: &'p SpanMapper<'p>,
    /// The source of the text, if the text is a skeleton.
    pub(super) skeleton: Option<Skeleton<'p>>,
    /// The base URL of simple references, for reports.
    pub(super) base: Option<&'p Arc<Base>>,
    /// The number of documents that this one is nested in.
    pub(super) depth: usize,
    /// Whether the text is in a CDATA section, which must be able to contain each edit as it is.
    pub(super) is_in_section: bool,
    /// The spans of the text that are removed, in which nothing is a link.
    pub(super) removed: &'p [Span],
}

impl Segment<'_, '_> {
    /// Returns whether `replacement` has no effect but its own, whatever is around it in a CDATA section.
    #[inline]
    pub(super) fn is_literal(&self, replacement: &str) -> bool {
        !self.is_in_section || is_literal_in_section(replacement)
    }

    /// Checks that no name, and no attribute of a BASE element, contains a mask.
    ///
    /// # Errors
    /// [`Fallback::Collect`]: the text is a skeleton, and one of them contains a mask.
    pub(super) fn check_masked_names(&self) -> Result<(), Fallback> {
        if self.skeleton.is_none() {
            return Ok(());
        }
        let has_mask = |text: &str| text.contains(MASK);
        let tokens = self.tokens;
        let bases = tokens.base_elements.iter();
        let mut base_attributes = bases.flat_map(|base| &base.attributes);
        let has_masked_name = |tag: &StartTag<'_>| {
            let attributes = tokens.attributes(tag).iter();
            // Only names of the link table and of user selectors have a key. All of these are ASCII, so the search for
            // a mask can skip them.
            let mut unknown = attributes.filter(|attribute| attribute.key.is_none());
            has_mask(&tag.name) || unknown.any(|attribute| has_mask(&attribute.name))
        };
        if tokens.start_tags.iter().any(has_masked_name)
            || base_attributes
                .any(|attribute| has_mask(&attribute.name) || has_mask(&attribute.value))
        {
            return Err(Fallback::Collect);
        }
        Ok(())
    }

    /// Returns whether `edit` can be spliced without changing how the bytes around it decode.
    ///
    /// In exact text, every edit can. In a skeleton, the replacement must be ASCII, and neither cut may touch a
    /// multi-byte character. Edits of the simple path need no such test; see [`SpliceSink`](super::sink::SpliceSink).
    pub(super) fn can_write(&self, edit: &TextEdit) -> bool {
        let before = &self.text[..edit.span.start];
        let after = &self.text[edit.span.end..];
        // In GB18030 a digit after a non-ASCII byte may be the second or the fourth byte of a character.
        let before_digit = before.strip_suffix(|last: char| last.is_ascii_digit());
        // A mask before the edit may be a lead byte that would combine with the replacement. A mask after it may be a
        // trail byte whose lead byte is being replaced.
        let is_apart = !before.ends_with(MASK)
            && !before_digit.is_some_and(|before| before.ends_with(MASK))
            && !after.starts_with(MASK);
        self.skeleton.is_none() || (edit.replacement.is_ascii() && is_apart)
    }

    /// Returns whether the text at `span` is the text of the document there.
    pub(super) fn is_exact(&self, span: Span) -> bool {
        self.skeleton.is_none() || !self.text[span.start..span.end].contains(MASK)
    }

    /// Returns whether `text`, the text of an element, is the same in the document.
    pub(super) fn is_exact_text(&self, text: &TextContent) -> bool {
        match &text.kind {
            // A copy that the tree builder made. Parts of it may come from outside `text.span`.
            TextKind::Fragmented(whole) => self.skeleton.is_none() || !whole.contains(MASK),
            TextKind::Raw
            | TextKind::Foreign
            | TextKind::Xml
            | TextKind::XmlSection
            | TextKind::Json => self.is_exact(text.span),
        }
    }
}

/// A start tag, and the segment that contains it.
pub(super) struct Element<'e, 't> {
    pub(super) segment: &'e Segment<'e, 't>,
    pub(super) tag: &'e StartTag<'t>,
}

impl<'t> Element<'_, 't> {
    /// Returns the decoded value of the attribute with that name.
    pub(super) fn value_of(&self, name: &str) -> Option<Cow<'t, str>> {
        let Segment { text, tokens, .. } = *self.segment;
        let attribute = tokens.attribute(self.tag, name)?;
        Some(decoded_value(text, tokens.syntax, attribute).text)
    }
}

/// The attribute, or the text of an element, that contains a simple reference.
pub(super) struct ValueSite<'p, 't> {
    pub(super) element: &'p Element<'p, 't>,
    /// `None` for the text of the element.
    pub(super) attribute: Option<&'p Attribute<'t>>,
    /// The row of the link table that applies, as far as the names determine it.
    pub(super) lookup: RowLookup,
}

impl ValueSite<'_, '_> {
    /// Returns whether no other attribute of the element has the name of this one.
    pub(super) fn is_unique(&self) -> bool {
        // The text of an element has no duplicates.
        let duplicates = self.attribute.map(|attribute| &attribute.duplicates);
        duplicates.is_none_or(DuplicateAttributes::is_empty)
    }
}

/// Returns whether an attribute of that name sets the base URL of its element. In HTML it does not.
#[inline]
pub(super) fn is_xml_base(tokens: &Tokens<'_>, attribute: &str) -> bool {
    tokens.syntax == Syntax::Xml && attribute == xml::XML_BASE
}

/// Decodes the value of `attribute`, whose spans are in bytes of `text`, which is written in `syntax`.
pub(super) fn decoded_value<'t>(
    text: &'t str,
    syntax: Syntax,
    attribute: &Attribute<'_>,
) -> DecodedValue<'t> {
    let Span { start, end } = attribute.value;
    let raw = &text[start..end];
    match syntax {
        Syntax::Html => charref::decode(raw, start),
        Syntax::Xml => xml::text::decode_attribute(raw, start),
    }
}

/// Returns whether `raw`, an attribute value, contains no references with an ampersand other than `&amp;`.
///
/// May return `false` because of text that only looks like a reference. Line breaks and U+0000 are not considered.
///
/// # Complexity
/// Linear in the length of `raw`.
pub(super) fn has_only_amp_references(syntax: Syntax, raw: &str) -> bool {
    match syntax {
        Syntax::Html => charref::only_amp_references(raw),
        // In XML every ampersand begins a reference, and names of entities may contain any letter and `.`.
        Syntax::Xml => {
            memchr_iter(b'&', raw.as_bytes()).all(|ampersand| raw[ampersand..].starts_with("&amp;"))
        }
    }
}

/// The position of a scanned text in its document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentStart {
    /// The text begins with the document.
    Document,
    /// Other text precedes it, in which an SVG or MathML element may have been left open.
    Continuation,
}

/// Returns whether masking may have hidden something in the skeleton `text` that affects the result.
///
/// Masking may have hidden something in these cases:
///
/// 1. A selector of the user compares an attribute with non-ASCII text.
/// 2. A `]` after a mask may be a trail byte and only seem to end a CDATA section. Brackets are the only delimiters of
///    markup that can be trail bytes, and CDATA sections exist in SVG and MathML only.
/// 3. A comment is conditional if it begins with `[if`, also after non-ASCII white space, which a skeleton does not
///    show. With [`Preset::Comments`], every skeleton that contains `[if` is rejected, so conditional comments are only
///    visited in exact text.
///
/// # Complexity
/// Linear in the length of `text`.
pub(super) fn mask_may_matter(text: &str, selection: &Selection, start: SegmentStart) -> bool {
    let contains = |part: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
    let contains_tag = |tag: &[u8]| find_ignore_case(text.as_bytes(), tag).is_some();
    let has_foreign =
        || start == SegmentStart::Continuation || contains_tag(b"<svg") || contains_tag(b"<math");
    // The byte-wise search for tags is slow. It is the last operand, so that it runs only if both strings occur.
    !selection.conditions_are_ascii()
        || (contains("<![CDATA[") && contains("\u{7f}]]>") && has_foreign())
        || (selection.has(Preset::Comments) && contains("[if"))
}
