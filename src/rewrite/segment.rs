//! Visits one segment of a document and pushes every link to a [`Sink`].
//!
//! A [`Segment`] is a range of tokens (start tags, attributes, texts, conditional comments) of a text. It is the unit
//! of work of the drivers that write while they scan: [`super::pass`] for a document in memory, [`super::stream`] for
//! a document that is read in chunks.
//!
//! # Three paths for a value
//!
//! [`LinkVisitor::visit_segment`] tries, in this order:
//!
//! 1. [`LinkResolver::simple`](super::resolve::LinkResolver::simple): the attribute is not a link, or its value is one
//!    simple reference. See [`super::simple`] for the definition.
//! 2. [`LinkResolver::each_simple`](super::resolve::LinkResolver::each_simple): the value is a `srcset` or CSS, and
//!    each of its references is simple. References are pushed as they are found. If a later one is not simple, the
//!    sink is rolled back and the whole value takes path 3.
//! 3. The general path: [`LinkVisitor::visit_attribute`] and [`LinkVisitor::visit_text`] decode the value, split it
//!    into references and collect links and edits, which are then pushed.
//!
//! Paths 1 and 2, the simple path, push what path 3 would. They exist because they need neither a decoded value nor a
//! list of its references. Most links of most pages take path 1.
//!
//! # Skeleton text
//!
//! A document is scanned as a *skeleton* if its encoding is ASCII-compatible but not UTF-8, or if it is malformed UTF-8
//! (which [`super::stream`] buffers instead). The skeleton is a text of the same length in which every non-ASCII byte
//! is [`MASK`]. It has the same markup as the document: among the bytes that delimit markup, only `[` and `]` can also
//! be the trail byte of a multi-byte character, and [`mask_may_matter`] detects the documents where that makes a
//! difference. So no document has to be decoded as a whole, and every offset in the skeleton is an offset in the
//! document after the BOM.
//!
//! The conditions of the link table, and the `rel` that determines a role, are evaluated on masked values. They compare
//! a value, or the words in it, with strings of printable ASCII, which no mask is equal to, and the white space that
//! separates words cannot be a trail byte. So the result is that of the decoded value. A selector of the user may
//! compare with other text, which [`mask_may_matter`] detects.
//!
//! The skeleton does not show what a masked range contains. The simple path can do without it:
//!
//! * The resolver's shortcut accepts only references without a mask.
//! * An absolute reference may contain a mask. It is only counted, or it is decoded by
//!   [`SkeletonListSink`](super::list_sinks::SkeletonListSink).
//! * A `srcset` or CSS value that contains a mask is decoded alone ([`SkeletonSource::decoded`]) before it is split.
//!
//! In all other cases, a decision that depends on a masked range ends with [`NeedsWholeDocument`]:
//!
//! * the name of an element or attribute, or an attribute of BASE, contains a mask ([`Segment::check_masked_names`]);
//! * a link takes the general path, and its value (an attribute or the text of an element) or the `codebase` of its
//!   element contains a mask;
//! * an edit is not ASCII or is next to a masked byte ([`Segment::can_write`]).

use encoding_rs::Encoding;
use memchr::memmem;

use super::edit::TextEdit;
use super::report::LinkReport;
use super::sink::{Sink, ValueSite};
use super::value::{LinkVisitor, SpanMapper};
use super::visitor::{META, VisitedElement};
use crate::encoding::{self, Decoded, MASK};
use crate::grammar::ValueContext;
use crate::html::tokens::{StartTag, TextContent, TextKind, Tokens};
use crate::link::{LinkRule, Preset, Selection};
use crate::span::Span;

/// The error of a pass or stream that cannot handle its document.
///
/// Either a decision depends on masked text, or an edit cannot be spliced. An edit cannot be spliced if it is out of
/// order; in a skeleton, also if it is not ASCII or is next to a masked byte.
pub(super) struct NeedsWholeDocument;

/// A range of tokens of a text, and the mapping from that text to the document.
pub(super) struct Segment<'p, 't> {
    /// The text that the spans of `tokens` refer to. It may extend beyond the segment.
    pub(super) text: &'t str,
    /// The source of the text, if the text is a skeleton.
    pub(super) skeleton: Option<SkeletonSource<'p>>,
    pub(super) tokens: &'p Tokens<'t>,
    /// From spans of the text to spans of the document, for reports.
    pub(super) span_mapper: SpanMapper<'p>,
}

/// The bytes that a skeleton text was made from.
#[derive(Clone, Copy)]
pub(super) struct SkeletonSource<'p> {
    /// Invariant: as long as the text.
    pub(super) bytes: &'p [u8],
    pub(super) encoding: &'static Encoding,
}

impl SkeletonSource<'_> {
    /// Decodes `span`, which must be delimited by ASCII bytes that cannot be trail bytes.
    ///
    /// With valid input the result is the text of the document there. In malformed input a character may be incomplete
    /// at the end of `span`; the text may then differ from its lead byte on.
    pub(super) fn decoded(&self, span: Span) -> Decoded<'_> {
        encoding::decode(&self.bytes[span.start..span.end], self.encoding, 0)
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

impl Segment<'_, '_> {
    /// Checks that no name, and no attribute of a BASE element, contains a mask.
    ///
    /// # Errors
    /// The text is a skeleton, and one of them contains a mask.
    pub(super) fn check_masked_names(&self) -> Result<(), NeedsWholeDocument> {
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
            return Err(NeedsWholeDocument);
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
    fn is_exact(&self, span: Span) -> bool {
        self.skeleton.is_none() || !self.text[span.start..span.end].contains(MASK)
    }

    /// Returns whether `text`, the text of an element, is the same in the document.
    fn is_exact_text(&self, text: &TextContent) -> bool {
        match &text.kind {
            // A copy that the tree builder made. Parts of it may come from outside `text.span`.
            TextKind::Fragmented(whole) => self.skeleton.is_none() || !whole.contains(MASK),
            TextKind::Raw | TextKind::Foreign => self.is_exact(text.span),
        }
    }
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
    let contains_tag = |tag: &[u8]| {
        let mut windows = text.as_bytes().windows(tag.len());
        windows.any(|window| window.eq_ignore_ascii_case(tag))
    };
    let has_foreign =
        || start == SegmentStart::Continuation || contains_tag(b"<svg") || contains_tag(b"<math");
    // The byte-wise search for tags is slow. It is the last operand, so that it runs only if both strings occur.
    !selection.conditions_are_ascii()
        || (contains("<![CDATA[") && contains("\u{7f}]]>") && has_foreign())
        || (selection.has(Preset::Comments) && contains("[if"))
}

impl LinkVisitor<'_> {
    /// Pushes every link of `segment` and its edit to `sink`, in document order.
    ///
    /// # Errors
    /// The sink has received part of the segment, and the caller must discard it.
    pub(super) fn visit_segment<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        sink: &mut S,
    ) -> Result<(), NeedsWholeDocument> {
        let Segment {
            text,
            tokens,
            span_mapper,
            ..
        } = *segment;
        self.tags += tokens.tags;
        self.mismatched_tags += tokens.mismatches;
        let has_comments = self.resolver.settings.selection.has(Preset::Comments);
        let mut comments = tokens
            .conditional_comments
            .iter()
            .copied()
            .filter(|_| has_comments)
            .peekable();
        // Buffers of the general path. Each push drains them, so they are allocated once at most.
        let mut links = Vec::new();
        let mut edits = Vec::new();
        for tag in &tokens.start_tags {
            // Tags and comments are separate lists: merge them, because links are reported in document order.
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                self.visit_exact_comment(segment, comment, &mut links, &mut edits)?;
                sink.push_collected(segment, &mut links, &mut edits)?;
            }
            let element = VisitedElement {
                text,
                tokens,
                tag,
                span_mapper,
            };
            let edits_before = sink.edit_count();
            for attribute in tokens.attributes(tag) {
                if !attribute.may_be_link {
                    continue;
                }
                let lookup = self.rows.find(tokens, tag, attribute);
                let site = ValueSite {
                    element: &element,
                    attribute: Some(attribute),
                    lookup,
                };
                let simple = self.resolver.simple(text, attribute, lookup);
                let is_handled = if let Some(simple) = simple {
                    sink.push_simple(&site, text, &simple, Some).is_some()
                } else {
                    // Unquoted lists are left to the general path, and so are duplicates, which only it reports.
                    let value = (attribute.value, ValueContext::Attribute);
                    attribute.is_quoted_and_unique()
                        && self.push_simple_list(segment, &site, value, lookup.rule(), sink)
                };
                if !is_handled {
                    // Only the value of a link has to be exact. `may_be_link` goes by the attribute's name, and on most
                    // elements an attribute of that name is not a link.
                    let codebase = tokens.attribute(tag, "codebase");
                    let is_exact = segment.is_exact(attribute.value)
                        && codebase.is_none_or(|codebase| segment.is_exact(codebase.value));
                    if !is_exact && self.is_link(&element, &attribute.name) {
                        return Err(NeedsWholeDocument);
                    }
                    self.visit_attribute(&element, attribute, lookup, &mut links, &mut edits);
                    sink.push_collected(segment, &mut links, &mut edits)?;
                }
            }
            self.edits_meta |= sink.edit_count() > edits_before && tag.name == META;
            if let Some(content) = &tag.text {
                let lookup = self.rows.find_text(tokens, tag);
                let Some(selected) = self.selected_text(&element, lookup) else {
                    continue;
                };
                // The simple path knows no exclusions, so an excluded link takes the general path, which reports it.
                let rule = (!selected.is_excluded).then_some(selected.rule);
                let site = ValueSite {
                    element: &element,
                    attribute: None,
                    lookup,
                };
                let value = (content.span, ValueContext::Text);
                // `Foreign` text has character references, and `Fragmented` text is not contiguous in the document.
                if content.kind == TextKind::Raw
                    && self.push_simple_list(segment, &site, value, rule, sink)
                {
                    continue;
                }
                if !segment.is_exact_text(content) {
                    return Err(NeedsWholeDocument);
                }
                self.visit_text(&element, content, selected, &mut links, &mut edits);
                sink.push_collected(segment, &mut links, &mut edits)?;
            }
        }
        for comment in comments {
            self.visit_exact_comment(segment, comment, &mut links, &mut edits)?;
            sink.push_collected(segment, &mut links, &mut edits)?;
        }
        Ok(())
    }

    /// Pushes the references of the value at `span` and returns `true`, if all of them are simple.
    ///
    /// Otherwise leaves `sink` unchanged and returns `false`.
    fn push_simple_list<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        site: &ValueSite<'_, 't>,
        (span, context): (Span, ValueContext),
        rule: Option<LinkRule>,
        sink: &mut S,
    ) -> bool {
        let Some(rule) = rule else {
            return false;
        };
        let resolver = self.resolver;
        let checkpoint = sink.checkpoint();
        let pushed = if let Some(skeleton) = segment.skeleton.filter(|_| !segment.is_exact(span)) {
            // CSS and `srcset` may contain any text next to a simple reference, so a masked value is decoded. Spans of
            // the decoded text are mapped back to the segment, which has the offsets of the document.
            let decoded = skeleton.decoded(span);
            let text = &*decoded.text;
            let to_segment = |inner| Some(decoded.map.source_span(inner)?.shifted(span.start));
            resolver.each_simple(text, Span::new(0, text.len()), rule, context, |reference| {
                sink.push_simple(site, text, &reference, to_segment)
            })
        } else {
            resolver.each_simple(segment.text, span, rule, context, |reference| {
                sink.push_simple(site, segment.text, &reference, Some)
            })
        };
        if pushed.is_none() {
            // References before the first one that is not simple have been pushed.
            sink.rollback(checkpoint);
        }
        pushed.is_some()
    }

    /// Collects the links of a conditional comment.
    ///
    /// # Errors
    /// The comment contains a mask. Cannot happen, because [`mask_may_matter`] has rejected every skeleton with a
    /// conditional comment.
    fn visit_exact_comment<'t>(
        &mut self,
        segment: &Segment<'_, 't>,
        comment: Span,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsWholeDocument> {
        // The markup is parsed as a document of its own, for which there is no skeleton.
        if !segment.is_exact(comment) {
            return Err(NeedsWholeDocument);
        }
        self.visit_comment(segment.text, comment, segment.span_mapper, links, edits);
        Ok(())
    }
}
