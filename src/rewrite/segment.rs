//! Going through what was read of a document, part by part.
//!
//! What is plain is taken up at once; what is not goes the same way as in [`super::markup`].

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

/// What stands in the way of going through a document directly: edits out of order, of which only a list can be sorted, or
/// something that matters in characters that a masked text does not have.
pub(super) struct NeedsSlowPath;

/// A part of a document, which may be all of it, that is gone through as it was read.
pub(super) struct Segment<'p, 't> {
    pub(super) text: &'t str,
    /// What the text was read from, if [`MASK`] stands for some of what that says.
    pub(super) masked: Option<SkeletonSource<'p>>,
    pub(super) tokens: &'p Tokens<'t>,
    pub(super) site: SpanMapper<'p>,
}

/// What is masked in a text.
#[derive(Clone, Copy)]
pub(super) struct SkeletonSource<'p> {
    /// As long as the text.
    pub(super) bytes: &'p [u8],
    pub(super) encoding: &'static Encoding,
}

impl SkeletonSource<'_> {
    /// What stands at `span`, which is what is between two bytes of ASCII that can be no part of another character. It reads
    /// as in the document; but where a character of several bytes is missing its end at the end of `span`, what is read from
    /// its beginning on may be something else.
    pub(super) fn decoded(&self, span: Span) -> Decoded<'_> {
        encoding::decode(&self.bytes[span.start..span.end], self.encoding, 0)
    }
}

impl Segment<'_, '_> {
    /// Whether names, and all that BASE says, are known.
    pub(super) fn check(&self) -> Result<(), NeedsSlowPath> {
        if self.masked.is_none() {
            return Ok(());
        }
        let has_mask = |text: &str| text.contains(MASK);
        let tokens = self.tokens;
        let bases = tokens.base_elements.iter();
        let mut of_bases = bases.flat_map(|base| &base.attributes);
        // An attribute that has a key has a name that is looked for, and of those none is beyond ASCII.
        let hides_name = |tag: &StartTag<'_>| {
            let attributes = tokens.attributes(tag).iter();
            let mut unknown = attributes.filter(|one| one.key.is_none());
            has_mask(&tag.name) || unknown.any(|one| has_mask(&one.name))
        };
        if tokens.start_tags.iter().any(hides_name)
            || of_bases.any(|one| has_mask(&one.name) || has_mask(&one.value))
        {
            return Err(NeedsSlowPath);
        }
        Ok(())
    }

    /// Whether what is written can be written in the encoding, and what stands around it is not read in another way then:
    /// what is taken out may have been between the halves of a character. Of what is plain it need not be asked.
    pub(super) fn can_write(&self, edit: &TextEdit) -> bool {
        let before = &self.text[..edit.span.start];
        let behind = &self.text[edit.span.end..];
        // A digit may be the second byte of four.
        let open = before.strip_suffix(|last: char| last.is_ascii_digit());
        let is_apart = !before.ends_with(MASK)
            && !open.is_some_and(|open| open.ends_with(MASK))
            && !behind.starts_with(MASK);
        self.masked.is_none() || (edit.replacement.is_ascii() && is_apart)
    }

    /// Whether a part of the text says what the document says there.
    fn is_exact(&self, span: Span) -> bool {
        self.masked.is_none() || !self.text[span.start..span.end].contains(MASK)
    }

    /// Whether the text of an element says what the document says there.
    fn is_exact_text(&self, text: &TextContent) -> bool {
        match &text.kind {
            // Its parts stand elsewhere, too.
            TextKind::Fragmented(whole) => self.masked.is_none() || !whole.contains(MASK),
            TextKind::Raw | TextKind::Foreign => self.is_exact(text.span),
        }
    }
}

/// Whether it matters what `text`, which is masked, does not say: of the user's own rows; or because something that may
/// begin or end markup may be the second half of a character. A bracket is the only such byte, which means something in
/// SVG and MathML alone, where the text `may_be_foreign` from its beginning on; and there may be white space beyond ASCII
/// before a conditional comment.
///
/// # Complexity
/// Linear in the length of `text`.
pub(super) fn hides_markup(text: &str, selection: &Selection, may_be_foreign: bool) -> bool {
    let has = |part: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
    let has_tag = |tag: &[u8]| {
        let mut places = text.as_bytes().windows(tag.len());
        places.any(|place| place.eq_ignore_ascii_case(tag))
    };
    let has_foreign = || may_be_foreign || has_tag(b"<svg") || has_tag(b"<math");
    !selection.conditions_are_ascii()
        || (has("<![CDATA[") && has("\u{7f}]]>") && has_foreign())
        || (selection.has(Preset::Comments) && has("[if"))
}

impl LinkVisitor<'_> {
    /// Gives what is on `segment` to `sink`.
    pub(super) fn segment<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        sink: &mut S,
    ) -> Result<(), NeedsSlowPath> {
        let Segment {
            text, tokens, site, ..
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
        let mut links = Vec::new();
        let mut edits = Vec::new();
        for tag in &tokens.start_tags {
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                self.comment_of_segment(segment, comment, &mut links, &mut edits)?;
                sink.other_links(segment, &mut links, &mut edits)?;
            }
            let element = VisitedElement {
                text,
                tokens,
                tag,
                site,
            };
            let before = sink.edited();
            for attribute in tokens.attributes(tag) {
                if !attribute.may_be_link {
                    continue;
                }
                let found = self.rows.find(tokens, tag, attribute);
                let place = ValueSite {
                    element: &element,
                    attribute: Some(attribute),
                    found,
                };
                let simple = self.resolver.simple(text, attribute, found);
                let is_handled = if let Some(simple) = simple {
                    sink.simple(&place, text, &simple, Some).is_some()
                } else {
                    let of = (attribute.value, ValueContext::Attribute);
                    attribute.stands_alone_in_quotes()
                        && self.simple_list(segment, &place, of, found.rule(), sink)
                };
                if !is_handled {
                    let codebase = tokens.attribute(tag, "codebase");
                    let says = segment.is_exact(attribute.value)
                        && codebase.is_none_or(|codebase| segment.is_exact(codebase.value));
                    if !says && self.is_link(&element, &attribute.name) {
                        return Err(NeedsSlowPath);
                    }
                    self.attribute(&element, attribute, found, &mut links, &mut edits);
                    sink.other_links(segment, &mut links, &mut edits)?;
                }
            }
            self.edits_meta |= sink.edited() > before && tag.name == META;
            if let Some(content) = &tag.text {
                let found = self.rows.find_text(tokens, tag);
                let Some(selected) = self.selected_text(&element, found) else {
                    continue;
                };
                let rule = (!selected.is_excluded).then_some(selected.rule);
                let place = ValueSite {
                    element: &element,
                    attribute: None,
                    found,
                };
                let of = (content.span, ValueContext::Text);
                if content.kind == TextKind::Raw
                    && self.simple_list(segment, &place, of, rule, sink)
                {
                    continue;
                }
                if !segment.is_exact_text(content) {
                    return Err(NeedsSlowPath);
                }
                self.text(&element, content, selected, &mut links, &mut edits);
                sink.other_links(segment, &mut links, &mut edits)?;
            }
        }
        for comment in comments {
            self.comment_of_segment(segment, comment, &mut links, &mut edits)?;
            sink.other_links(segment, &mut links, &mut edits)?;
        }
        Ok(())
    }

    /// Gives the references of the value at `span` to `sink`, if all of them are plain; whether that is so.
    fn simple_list<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        place: &ValueSite<'_, 't>,
        (span, of): (Span, ValueContext),
        rule: Option<LinkRule>,
        sink: &mut S,
    ) -> bool {
        let Some(rule) = rule else {
            return false;
        };
        let resolver = self.resolver;
        let state = sink.checkpoint();
        let handled = if let Some(masked) = segment.masked.filter(|_| !segment.is_exact(span)) {
            let decoded = masked.decoded(span);
            let text = &*decoded.text;
            let outer = |inner| Some(decoded.map.source_span(inner)?.from(span.start));
            resolver.each_simple(text, Span::new(0, text.len()), rule, of, |one| {
                sink.simple(place, text, &one, outer)
            })
        } else {
            resolver.each_simple(segment.text, span, rule, of, |one| {
                sink.simple(place, segment.text, &one, Some)
            })
        };
        if handled.is_none() {
            sink.rollback(state);
        }
        handled.is_some()
    }

    fn comment_of_segment<'t>(
        &mut self,
        segment: &Segment<'_, 't>,
        comment: Span,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), NeedsSlowPath> {
        if !segment.is_exact(comment) {
            return Err(NeedsSlowPath);
        }
        self.comment(segment.text, comment, segment.site, links, edits);
        Ok(())
    }
}
