//! Markup: [`LinkVisitor::visit_segment`] visits the tokens of a text and pushes every link to a [`Sink`].
//!
//! The unit of work is a [`Segment`]: a range of tokens (start tags, attributes, texts, conditional comments) of a
//! text. [`super::pass`] visits a document in memory, [`super::chunk`] one that is read in chunks. Documents in
//! attributes and the markup in comments are segments, too ([`LinkVisitor::visit_collecting`]).
//!
//! # Three paths for a value
//!
//! For each value, these are tried in order:
//!
//! 1. [`LinkVisitor::push_simple`]: the attribute is not a link, or its value is one simple reference. See
//!    [`super::simple`] for the definition.
//! 2. [`LinkVisitor::push_simple_list`]: the value is a `srcset` or CSS, and each of its references is simple.
//!    References are pushed as they are found. If a later one is not simple, the sink is rolled back and the whole
//!    value takes path 3. Markup in a CDATA section is visited in place in the same way (`push_markup_text`).
//! 3. The general path: [`LinkVisitor::visit_attribute`] and [`LinkVisitor::visit_text`] look up whether the value is a
//!    link and decode it. [`super::value`] resolves the references in it, and [`super::edit`] turns the edits
//!    of the decoded value into edits of the text. Links and edits are then pushed.
//!
//! Paths 1 and 2, the simple path, push what path 3 would. They exist because they need neither a decoded value nor a
//! list of its references. Most links of most pages take path 1. A callback always gets path 3: it must see the report
//! of a link before anything is written, and may choose a text that has to be escaped.

use std::borrow::Cow;

use super::base_element::would_enable_doctype;
use super::decision::{BesideLink, Decider, Decision};
use super::edit::{self, TextEdit};
use super::fallback::Fallback;
use super::link_lifetime::Retain;
use super::resolve::scopes::ScopeResolvers;
use super::sink::{CollectSink, Collected, Sink};
use super::source_text::{
    Element, Origin, Segment, SpanMapper, ValueSite, decoded_value, is_xml_base,
};
use super::value::ValueEdit;
use super::value_owner::{ValueKind, ValueOwner};
use super::visitor::LinkVisitor;
use crate::grammar::{NonAscii, ValueContext, decode_string};
use crate::html::charref;
use crate::html::foreign_text;
use crate::link::{Preset, RowLookup, SelectedRule, TEXT};
use crate::markup::tokens::{Attribute, StartTag, Syntax, TextContent, TextKind};
use crate::markup::value::DecodedValue;
use crate::record::{LinkReport, SkipReason, mark_skipped};
use crate::span::Span;
use crate::xml::text::{decode_text, has_entities, is_literal_content};

/// The name of the element that may declare the encoding.
const META: &str = "meta";

impl LinkVisitor<'_> {
    /// Pushes every link of `segment` and its edit to `sink`, in document order.
    ///
    /// # Errors
    /// See [`Fallback`]. The sink has received part of the segment, and the caller must discard it. Never fails for a
    /// [`CollectSink`] and a text that is not a skeleton, unless it is in a section.
    pub(super) fn visit_segment<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        sink: &mut S,
    ) -> Result<(), Fallback> {
        segment.check_masked_names()?;
        let tokens = segment.tokens;
        self.stats.tags += tokens.tags;
        self.stats.mismatched_tags += tokens.mismatches;
        let has_comments = self.resolver.settings.selection.has(Preset::Comments);
        let mut comments = tokens
            .conditional_comments
            .iter()
            .copied()
            .filter(|comment| has_comments && !Span::any_contains(segment.removed, comment.start))
            .peekable();
        // A buffer of the general path. Each push drains it, so it is allocated once at most.
        let mut collected = Collected::default();
        // Most tags were recorded because of one attribute that may be a link.
        sink.reserve(tokens.start_tags.len());
        for tag in &tokens.start_tags {
            if self.stats.is_unsupported() {
                return Ok(());
            }
            // Tags and comments are separate lists: merge them, because links are reported in document order.
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                self.visit_comment(segment, comment, &mut collected)?;
                push(segment, None, &mut collected, sink)?;
            }
            if !Span::any_contains(segment.removed, tag.span.start) {
                self.visit_tag(segment, tag, &mut collected, sink)?;
            }
        }
        for comment in comments {
            self.visit_comment(segment, comment, &mut collected)?;
            push(segment, None, &mut collected, sink)?;
        }
        Ok(())
    }

    /// Pushes every link of `segment`, whatever its language.
    ///
    /// # Errors
    /// Those of [`visit_segment`](Self::visit_segment).
    pub(super) fn visit_any<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        sink: &mut S,
    ) -> Result<(), Fallback> {
        if segment.tokens.scopes.is_empty() {
            self.visit_segment(segment, sink)
        } else {
            self.visit_scopes(segment, sink)
        }
    }

    /// Pushes every link of `segment` as [`visit_segment`](Self::visit_segment) does, each resolved in its scope.
    ///
    /// `tokens.scopes` must not be empty, and the segment must have no conditional comments.
    ///
    /// # Errors
    /// Those of [`visit_segment`](Self::visit_segment).
    fn visit_scopes<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        sink: &mut S,
    ) -> Result<(), Fallback> {
        let tokens = segment.tokens;
        self.stats.tags += tokens.tags;
        let mut collected = Collected::default();
        let mut resolvers = ScopeResolvers::new(self.resolver, &tokens.scopes);
        for tags in tokens.start_tags.chunk_by(|a, b| a.scope == b.scope) {
            let resolver = resolvers.enter(tags[0].scope);
            let document_base = resolver.document_base.as_ref();
            let segment = Segment {
                base: document_base.map(|resolution_base| &resolution_base.base),
                ..*segment
            };
            let mut visitor = LinkVisitor {
                resolver,
                decider: self.decider.reborrow(),
                rows: self.rows,
                stats: self.stats,
                depth: self.depth,
                added: Vec::new(),
            };
            for tag in tags {
                if visitor.stats.is_unsupported() {
                    return Ok(());
                }
                visitor.visit_tag(&segment, tag, &mut collected, sink)?;
            }
        }
        Ok(())
    }

    /// Pushes the links of the attributes and the text of `tag`.
    ///
    /// `collected` is a buffer, which is empty before and after. See [`visit_segment`](Self::visit_segment).
    #[inline]
    fn visit_tag<'t, S: Sink<'t>>(
        &mut self,
        segment: &Segment<'_, 't>,
        tag: &StartTag<'t>,
        collected: &mut Collected<'t>,
        sink: &mut S,
    ) -> Result<(), Fallback> {
        let tokens = segment.tokens;
        let is_asked = matches!(self.decider, Decider::Ask(_));
        let element = Element { segment, tag };
        let edits_before = sink.edit_count();
        for attribute in tokens.attributes(tag) {
            if !attribute.may_be_link {
                continue;
            }
            let lookup = if is_xml_base(tokens, &attribute.name) {
                // It has no row, and so takes the general path.
                RowLookup::Selectors
            } else {
                self.rows.find(tokens, tag, attribute)
            };
            let site = ValueSite {
                element: &element,
                attribute: Some(attribute),
                lookup,
            };
            if is_asked || !self.push_simple(&site, attribute, sink) {
                if !self.may_select(&element, lookup) {
                    return Ok(());
                }
                self.check_exact(&element, attribute)?;
                self.visit_attribute(&element, attribute, lookup, collected);
                if matches!(&*attribute.name, "href" | "src") {
                    self.visit_beside(&element, collected);
                }
                // New attributes come before the edits of the others.
                if self.added.is_empty() {
                    push(segment, Some(tag), collected, sink)?;
                }
            }
        }
        if !self.added.is_empty() {
            let added = std::mem::take(&mut self.added);
            let edit = edit::add_attributes(segment.text, tag.span, &added, tokens.syntax);
            collected.edits.splice(0..0, edit);
            push(segment, Some(tag), collected, sink)?;
        }
        // A `meta` element in a nested document declares nothing: the value is text already.
        self.stats.edits_meta |=
            sink.edit_count() > edits_before && tag.name == META && self.depth == 0;
        let Some(content) = &tag.text else {
            return Ok(());
        };
        // With its condition decided, the text may take the simple path.
        let lookup = self.decided(&element, self.rows.find_text(tokens, tag));
        let Some(selected) = self.selected_text(&element, lookup) else {
            return Ok(());
        };
        if !is_asked && self.push_markup_text(&element, content, selected, sink)? {
            return Ok(());
        }
        // The simple path knows no exclusions, so an excluded link takes the general path, which reports it.
        let rule = (!selected.is_excluded && !is_asked).then_some(selected.rule);
        let site = ValueSite {
            element: &element,
            attribute: None,
            lookup,
        };
        let value = (content.span, ValueContext::Text);
        let is_literal = match content.kind {
            TextKind::Raw => true,
            TextKind::Xml => {
                is_literal_content(&segment.text[content.span.start..content.span.end])
            }
            // These have references or escapes, or are not contiguous in the document.
            TextKind::Foreign | TextKind::XmlSection | TextKind::Json | TextKind::Fragmented(_) => {
                false
            }
        };
        if is_literal && self.push_simple_list(&site, value, rule, sink) {
            return Ok(());
        }
        if !segment.is_exact_text(content) {
            return Err(Fallback::Collect);
        }
        self.visit_text(&element, content, selected, collected);
        push(segment, Some(tag), collected, sink)
    }

    /// Appends the links of `segment` to `links` in document order, and returns the edits of its text.
    ///
    /// The text must not be a skeleton. The edits are ordered and disjoint.
    pub(super) fn visit_collecting<'t>(
        &mut self,
        segment: &Segment<'_, 't>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        let mut sink = CollectSink::new(&self.decider, Retain::borrowing(segment.text));
        self.visit_segment(segment, &mut sink)
            .expect("the text is exact, and the sink accepts every edit");
        let mut collected = sink.into_collected();
        links.append(&mut collected.links);
        collected.edits
    }

    /// Checks that the general path can handle `attribute`.
    ///
    /// # Errors
    /// [`Fallback::Collect`]: the text is a skeleton, the attribute is a link, and its value contains a mask.
    fn check_exact(
        &self,
        element: &Element<'_, '_>,
        attribute: &Attribute<'_>,
    ) -> Result<(), Fallback> {
        let segment = element.segment;
        if segment.skeleton.is_none() {
            return Ok(());
        }
        let is_exact = |attribute: &Attribute<'_>| segment.is_exact(attribute.value);
        let codebase = segment.tokens.attribute(element.tag, "codebase");
        if is_exact(attribute) && codebase.is_none_or(is_exact) {
            return Ok(());
        }
        // Only the value of a link has to be exact. `may_be_link` depends on the attribute's name alone, and on most
        // elements an attribute of that name is not a link.
        match self.lookup(element, &attribute.name) {
            Some(_) => Err(Fallback::Collect),
            None => Ok(()),
        }
    }

    /// Collects the links of an attribute, whose row of the link table is `lookup`.
    fn visit_attribute<'t>(
        &mut self,
        element: &Element<'_, 't>,
        attribute: &Attribute<'t>,
        lookup: RowLookup,
        Collected { links, edits }: &mut Collected<'t>,
    ) {
        let (segment, tag) = (element.segment, element.tag);
        let text = segment.text;
        let selected = self.selected(element, &attribute.name, lookup);
        // An attribute may be called `#text`, which in the table is the name for the text of an element. It is no link.
        let Some(selected) = selected.filter(|_| attribute.name != TEXT) else {
            return;
        };
        let owner = ValueOwner {
            namespace: tag.namespace,
            element: &tag.name,
            kind: ValueKind::Attribute(&attribute.name),
            value_of: &|name| element.value_of(name),
        };
        // An exact copy of the attribute is harmless and not worth reporting.
        let written = |span: Span| &text[span.start..span.end];
        let duplicates = attribute.duplicates.spans().iter();
        let different = duplicates.filter(|&&span| written(span) != written(attribute.span));
        let sources = different.filter_map(|&span| segment.span_mapper.source_span(span));
        self.stats.duplicates.extend(sources);
        let syntax = segment.tokens.syntax;
        let value = decoded_value(text, syntax, attribute);
        // In an attribute, character references can represent any character that the encoding lacks.
        let value_mapper = SpanMapper {
            non_ascii: NonAscii::Literal,
            origin: if syntax == Syntax::Xml && has_entities(value.raw) {
                // The text of the value is not in the document.
                Origin::Fragments
            } else {
                segment.span_mapper.origin
            },
        };
        match self.visit_decoded(&owner, selected, &value, &value_mapper, links) {
            ValueEdit::Edits(value_edits) => {
                self.keep_original(selected, &value.text, &value_edits);
                edits.extend(edit::in_attribute(attribute, &value, value_edits, syntax));
            }
            ValueEdit::RemoveElement
                if segment.tokens.attributes(tag).len() == 1
                    && !would_enable_doctype(text, segment.tokens, tag) =>
            {
                edits.push(TextEdit::new(tag.span, String::new()));
            }
            ValueEdit::Remove | ValueEdit::RemoveElement => {
                edits.extend(edit::remove_attribute(text, attribute));
            }
        }
    }

    /// Collects the edits of the attributes beside the link of an element that was collected last.
    fn visit_beside(
        &mut self,
        element: &Element<'_, '_>,
        Collected { links, edits }: &mut Collected<'_>,
    ) {
        let Segment { text, tokens, .. } = *element.segment;
        let Some(link_report) = links.last() else {
            return;
        };
        for &name in self.resolver.settings.selection.beside() {
            let Some(attribute) = tokens.attribute(element.tag, name) else {
                continue;
            };
            let value = decoded_value(text, tokens.syntax, attribute);
            let beside = BesideLink {
                name,
                value: &value.text,
            };
            match self.decider.decide(link_report, Some(beside)) {
                Decision::Replace(new) | Decision::ReplaceAdding(new, _) => {
                    let edit = TextEdit::new(Span::new(0, value.text.len()), new);
                    let edit = edit::in_attribute(attribute, &value, vec![edit], tokens.syntax);
                    edits.extend(edit);
                }
                Decision::Remove => edits.extend(edit::remove_attribute(text, attribute)),
                Decision::Resolve | Decision::Keep => {}
            }
        }
    }

    /// Collects the links of the text of an element, which the link table or a selector has `selected`.
    fn visit_text<'t>(
        &mut self,
        element: &Element<'_, 't>,
        content: &TextContent,
        selected: SelectedRule,
        Collected { links, edits }: &mut Collected<'t>,
    ) {
        let span_mapper = element.segment.span_mapper;
        let owner = ValueOwner {
            namespace: element.tag.namespace,
            element: &element.tag.name,
            kind: ValueKind::Text,
            value_of: &|name| element.value_of(name),
        };
        let raw = &element.segment.text[content.span.start..content.span.end];
        let first_link = links.len();
        let text_edits = match &content.kind {
            TextKind::Raw => {
                let value = charref::decode_raw(raw, content.span.start);
                let change = self.visit_decoded(&owner, selected, &value, span_mapper, links);
                let edits = change.into_edits();
                let accepts = |text: &str| selected.accepts_text(&element.tag.name, text);
                edit::in_raw_text(&value, &edits, accepts)
            }
            TextKind::Foreign => {
                let value = foreign_text::decode(raw, content.span.start);
                let change = self.visit_decoded(&owner, selected, &value, span_mapper, links);
                edit::in_foreign_text(&value, &change.into_edits())
            }
            TextKind::Xml | TextKind::XmlSection => {
                let text = decode_text(raw, content.span.start);
                let mut span_mapper = *span_mapper;
                if text.has_entities {
                    span_mapper.origin = Origin::Fragments;
                }
                let change = self.visit_decoded(&owner, selected, &text.value, &span_mapper, links);
                edit::in_xml_text(&text, &change.into_edits(), span_mapper.non_ascii)
            }
            TextKind::Json => {
                // The reader has decoded it before.
                let Some(string) = decode_string(element.segment.text, content.span.start) else {
                    return;
                };
                let value = DecodedValue {
                    raw,
                    start: content.span.start,
                    text: string.reference,
                    map: string.map,
                    cdata: Vec::new(),
                };
                let change = self.visit_decoded(&owner, selected, &value, span_mapper, links);
                edit::in_json_text(&value, &change.into_edits(), span_mapper.non_ascii)
            }
            TextKind::Fragmented(whole) => {
                // The text was assembled by the tree builder and is nowhere in the source as such. Its links are
                // reported as skipped, so there are no edits.
                let span_mapper = SpanMapper {
                    origin: Origin::Fragments,
                    non_ascii: NonAscii::Literal,
                };
                self.visit_temporary_value(&owner, selected, whole, &span_mapper, links);
                return;
            }
        };
        match text_edits {
            Some(text_edits) => edits.extend(text_edits),
            None => mark_skipped(&mut links[first_link..], SkipReason::Unwritable),
        }
    }

    /// Collects the links of `value` and returns its edits; `span_mapper` maps the text that the value was cut from.
    fn visit_decoded<'t>(
        &mut self,
        owner: &ValueOwner<'_, 't, '_>,
        selected: SelectedRule,
        value: &DecodedValue<'t>,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> ValueEdit {
        let value_mapper = span_mapper.value(value);
        if let Cow::Borrowed(text) = value.text {
            return self.visit_value(owner, selected, text, &value_mapper, links);
        }
        // The decoded text does not outlive this call.
        self.visit_temporary_value(owner, selected, &value.text, &value_mapper, links)
    }
}

/// Pushes the links of a value of `tag`, or of a comment of `segment`, and its edits unless they could end a NOSCRIPT
/// around it.
///
/// # Errors
/// Those of [`Sink::push`], and [`Fallback::Section`]: a CDATA section around it may not be able to contain an edit.
fn push<'t, S: Sink<'t>>(
    segment: &Segment<'_, 't>,
    tag: Option<&StartTag<'t>>,
    collected: &mut Collected<'t>,
    sink: &mut S,
) -> Result<(), Fallback> {
    let could_end_noscript = |edit: &TextEdit| {
        edit.replacement.contains('<') && segment.tokens.is_in_noscript(edit.span.start)
    };
    if collected.edits.iter().any(could_end_noscript) {
        mark_skipped(&mut collected.links, SkipReason::Unwritable);
        collected.edits.clear();
    }
    let is_literal = |edit: &TextEdit| segment.is_literal(&edit.replacement);
    if !collected.edits.iter().all(is_literal) {
        return Err(Fallback::Section);
    }
    sink.push(segment, tag, collected)
}
