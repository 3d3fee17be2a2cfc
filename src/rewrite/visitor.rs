//! [`LinkVisitor`] over markup: from the tags of a document to its links and edits.
//!
//! [`LinkVisitor::collect_markup`] is the variant that returns lists: it visits all tokens of a text and collects links
//! and edits. It is used for whole documents, for documents in attributes (`srcdoc`) and for conditional comments.
//! [`LinkVisitor::visit_segment`] is the variant that pushes to a sink. Both try the simple path first
//! (`collect_markup` for single references only), and share the general path of this module.
//!
//! The general path handles one value: it looks up whether the value is a link, decodes it, lets [`super::value`]
//! resolve the references in it, and lets [`super::edit`] turn the edits of the decoded value into edits of the text.
//!
//! # Spans
//!
//! Three coordinate systems are involved, each nested in the next: the decoded value, the text, and the document in
//! bytes. Edits are returned in bytes of the text, because they are applied to it. Spans in reports are in bytes of
//! the document. A [`SpanMapper`] maps a span of the text that is being visited to the document; for a nested text, a
//! new one is chained to it. An outer span may not exist, for example if the reference is spread over two CDATA
//! sections. Then the link is reported without a span and is not edited.

use std::borrow::Cow;

use super::edit::{self, TextEdit};
use super::list_sinks::SimpleLink;
use super::report::{LinkReport, Outcome, SkipReason};
use super::simple::SimpleReference;
use super::sink::ValueSite;
use super::value::{
    self, DETACHED, Decider, LinkVisitor, SpanMapper, ValueEdit, ValueKind, ValueOwner,
    element_name, mark_skipped,
};
use crate::grammar::{NonAscii, Notation, ReferenceToken};
use crate::html::charref::{self, DecodedValue};
use crate::html::foreign_text;
use crate::html::tokens::{Attribute, StartTag, TextContent, TextKind, Tokens};
use crate::link::{Preset, RowLookup, SelectedRule, TEXT};
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// The name of the element that may declare the encoding.
pub(super) const META: &str = "meta";

/// A start tag, and the text it was read from.
pub(super) struct VisitedElement<'e, 't> {
    pub(super) text: &'t str,
    pub(super) tokens: &'e Tokens<'t>,
    pub(super) tag: &'e StartTag<'t>,
    pub(super) span_mapper: SpanMapper<'e>,
}

impl<'t> VisitedElement<'_, 't> {
    /// Returns the decoded value of the attribute with that name.
    pub(super) fn value_of(&self, name: &str) -> Option<Cow<'t, str>> {
        let attribute = self.tokens.attribute(self.tag, name)?;
        Some(decoded_value(self.text, attribute).text)
    }
}

impl LinkVisitor<'_> {
    /// Appends the links of `text`, parsed as `tokens`, to `links` in document order, and returns the edits of `text`.
    ///
    /// The edits are ordered and disjoint.
    pub(super) fn collect_markup<'t>(
        &mut self,
        text: &'t str,
        tokens: &Tokens<'t>,
        span_mapper: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        self.tags += tokens.tags;
        self.mismatched_tags += tokens.mismatches;
        // The tokens contain only tags that may have links, so one link for each tag is a good estimate.
        links.reserve(tokens.start_tags.len());
        let mut edits = Vec::new();
        let has_comments = self.resolver.settings.selection.has(Preset::Comments);
        let mut comments = tokens.conditional_comments.iter().copied().peekable();
        for tag in &tokens.start_tags {
            // Tags and comments are separate lists: merge them, because links are reported in document order.
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                if has_comments {
                    self.visit_comment(text, comment, span_mapper, links, &mut edits);
                }
            }
            let element = VisitedElement {
                text,
                tokens,
                tag,
                span_mapper,
            };
            let edits_before = edits.len();
            for attribute in tokens.attributes(tag) {
                if attribute.may_be_link {
                    let lookup = self.rows.find(tokens, tag, attribute);
                    if !self.collect_simple(&element, attribute, lookup, links, &mut edits) {
                        self.visit_attribute(&element, attribute, lookup, links, &mut edits);
                    }
                }
            }
            self.edits_meta |= edits.len() > edits_before && tag.name == META;
            if let Some(content) = &tag.text {
                let lookup = self.rows.find_text(tokens, tag);
                if let Some(selected) = self.selected_text(&element, lookup) {
                    self.visit_text(&element, content, selected, links, &mut edits);
                }
            }
        }
        for comment in comments.filter(|_| has_comments) {
            self.visit_comment(text, comment, span_mapper, links, &mut edits);
        }
        // Removing an attribute also removes its duplicates, which may come after other attributes that were edited.
        if !edits.is_sorted_by_key(|edit| edit.span.start) {
            edits.sort_by_key(|edit| edit.span.start);
        }
        edits
    }

    /// Collects the link of a simple attribute and returns `true`, also if the attribute has no link.
    ///
    /// Otherwise returns `false` and collects nothing.
    fn collect_simple<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        attribute: &Attribute<'t>,
        lookup: RowLookup,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> bool {
        let VisitedElement {
            text,
            tag,
            span_mapper,
            ..
        } = *element;
        let writes_target = match self.decider {
            Decider::Resolve => true,
            Decider::Keep => false,
            // The callback must see the report first, and may choose a text that has to be escaped.
            Decider::Ask(_) => return false,
        };
        let resolver = self.resolver;
        let Some(simple) = resolver.simple(text, attribute, lookup) else {
            return false;
        };
        let site = ValueSite {
            element,
            attribute: Some(attribute),
            lookup,
        };
        if let SimpleReference::NoReference = simple {
            // Duplicate attributes are reported by the general path only.
            return site.is_unique();
        }
        let Some(simple_link) = SimpleLink::new(&site, text, &simple) else {
            return false;
        };
        let span = simple_link.span;
        // Without a source span nothing can be written. And `reference_edit` compares the target with the reference as
        // written, so the latter must be literal.
        let Some(source_span) = span_mapper
            .source_span(span)
            .filter(|_| simple_link.is_literal || !writes_target)
        else {
            return false;
        };
        if let Outcome::Resolved(target) = &simple_link.outcome
            && writes_target
        {
            let token = ReferenceToken::literal(text, span, Notation::Plain);
            let Ok(edit) = value::reference_edit(&token, target, NonAscii::Literal) else {
                return false;
            };
            edits.push(edit);
        }
        let names = (
            element_name(tag.namespace, &tag.name),
            attribute.name.clone(),
        );
        let reference = simple_link.decode(&text[span.start..span.end]);
        let base = resolver
            .document_base
            .as_ref()
            .map(|resolution_base| &resolution_base.base);
        links.push(LinkReport {
            depth: self.depth,
            ..simple_link.into_report(names, reference, source_span, base)
        });
        true
    }

    /// Collects the links of an attribute, whose row of the link table is `lookup`.
    pub(super) fn visit_attribute<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        attribute: &Attribute<'t>,
        lookup: RowLookup,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let VisitedElement {
            text,
            tokens,
            tag,
            span_mapper,
        } = *element;
        let value_of = |name: &str| Some(decoded_value(text, tokens.attribute(tag, name)?).text);
        let name = &*attribute.name;
        let selected = self.selected(tag, name, lookup, &value_of);
        // An attribute may be called `#text`, which in the table is the name for the text of an element. It is no link.
        let Some(selected) = selected.filter(|_| name != TEXT) else {
            return;
        };
        let owner = ValueOwner {
            namespace: tag.namespace,
            element: &tag.name,
            kind: ValueKind::Attribute(&attribute.name),
            value_of: &value_of,
        };
        // An exact copy of the attribute is harmless and not worth reporting.
        let written = |span: Span| &text[span.start..span.end];
        let different = attribute
            .duplicates
            .spans()
            .iter()
            .filter(|&&span| written(span) != written(attribute.span));
        self.duplicates
            .extend(different.filter_map(|&span| span_mapper.source_span(span)));
        let value = decoded_value(text, attribute);
        // In an attribute, character references can represent any character that the encoding lacks.
        let value_mapper = SpanMapper {
            ascii_only: false,
            ..span_mapper
        };
        match self.visit_decoded(&owner, selected, &value, value_mapper, links) {
            ValueEdit::Keep => {}
            ValueEdit::OneEdit(mut value_edit) => {
                // Most values are literal and have one edit. Shifting it avoids a list, and a copy of the value.
                if edit::shift_literal_edit(attribute, &value, &mut value_edit) {
                    edits.push(value_edit);
                } else {
                    edits.extend(edit::in_attribute(attribute, &value, &[value_edit]));
                }
            }
            ValueEdit::Edits(value_edits) => {
                edits.extend(edit::in_attribute(attribute, &value, &value_edits));
            }
            ValueEdit::RemoveElement
                if tokens.attributes(tag).len() == 1
                    && !would_enable_doctype(text, tokens, tag) =>
            {
                edits.push(TextEdit::new(tag.span, String::new()));
            }
            ValueEdit::Remove | ValueEdit::RemoveElement => {
                edits.extend(edit::remove_attribute(text, attribute));
            }
        }
    }

    /// Collects the links of the text of an element, which the link table or a selector has `selected`.
    pub(super) fn visit_text<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        content: &TextContent,
        selected: SelectedRule,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let VisitedElement {
            text,
            tokens,
            tag,
            span_mapper,
        } = *element;
        let value_of = |name: &str| Some(decoded_value(text, tokens.attribute(tag, name)?).text);
        let owner = ValueOwner {
            namespace: tag.namespace,
            element: &tag.name,
            kind: ValueKind::Text,
            value_of: &value_of,
        };
        let raw = &text[content.span.start..content.span.end];
        let first_link = links.len();
        let text_edits = match &content.kind {
            TextKind::Raw => {
                let value = charref::decode_raw(raw, content.span.start);
                let change = self.visit_decoded(&owner, selected, &value, span_mapper, links);
                let Some(value_edits) = change.edits() else {
                    return;
                };
                edit::in_raw_text(&value, value_edits)
            }
            TextKind::Foreign => {
                let foreign = foreign_text::decode(raw, content.span.start);
                let change =
                    self.visit_decoded(&owner, selected, &foreign.value, span_mapper, links);
                let Some(value_edits) = change.edits() else {
                    return;
                };
                edit::in_foreign_text(&foreign, value_edits)
            }
            TextKind::Fragmented(whole) => {
                // The text was assembled by the tree builder and is nowhere in the source as such. Its links are
                // reported as skipped, so there are no edits.
                let mut own_links = Vec::new();
                self.visit_value(&owner, selected, whole, DETACHED, &mut own_links);
                for link_report in own_links {
                    links.push(link_report.into_owned());
                }
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
        span_mapper: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> ValueEdit {
        if let Cow::Borrowed(text) = value.text {
            // Nothing was decoded: a constant shift replaces the search in the offset map, and links may borrow.
            let to_source = |span: Span| {
                let (start, end) = (span.start + value.start, span.end + value.start);
                span_mapper.source_span(Span::new(start, end))
            };
            let value_mapper = SpanMapper {
                to_source: span_mapper.to_source.is_some().then_some(&to_source),
                ascii_only: span_mapper.ascii_only,
            };
            return self.visit_value(owner, selected, text, value_mapper, links);
        }
        let to_source = |span| {
            let span = value.map.inner_span(span)?;
            // A reference that crosses the delimiter of a CDATA section cannot be replaced as one.
            let is_contiguous = value.map.is_all_text(span);
            span_mapper.source_span(span).filter(|_| is_contiguous)
        };
        let value_mapper = SpanMapper {
            to_source: span_mapper.to_source.is_some().then_some(&to_source),
            ascii_only: span_mapper.ascii_only,
        };
        // These borrow from the decoded value, which does not outlive this call.
        let mut own_links = Vec::new();
        let change = self.visit_value(owner, selected, &value.text, value_mapper, &mut own_links);
        for link_report in own_links {
            links.push(link_report.into_owned());
        }
        change
    }

    /// Collects the links of the markup at `comment`, the inside of a conditional comment of `text`.
    pub(super) fn visit_comment<'t>(
        &mut self,
        text: &'t str,
        comment: Span,
        span_mapper: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let markup = &text[comment.start..comment.end];
        let mut map = OffsetMap::new(comment.start, 1);
        map.run(markup.len());
        let to_source = |span| span_mapper.source_span(map.source_span(span)?);
        let markup_mapper = SpanMapper {
            to_source: span_mapper.to_source.is_some().then_some(&to_source),
            ascii_only: span_mapper.ascii_only,
        };
        let first_link = links.len();
        // Parsed on its own, but resolved with the base URL of this document: programs that honor the comment read its
        // markup as part of the document.
        let tokens = self.resolver.settings.parse(markup).tokens;
        let markup_edits = self.collect_markup(markup, &tokens, markup_mapper, links);
        match edit::in_comment(markup, comment.start, markup_edits) {
            Some(comment_edits) => edits.extend(comment_edits),
            None => mark_skipped(&mut links[first_link..], SkipReason::Unwritable),
        }
    }

    /// Returns whether an attribute of an element, or its text, is a link.
    pub(super) fn is_link(&self, element: &VisitedElement<'_, '_>, attribute: &str) -> bool {
        self.lookup(element.tag, attribute, &|name| element.value_of(name))
            .is_some()
    }

    /// Returns the rule for the text of an element, whose row of the link table is `lookup`.
    ///
    /// Returns `None` if the text is not a link, or if this crate never reads the text of such an element.
    pub(super) fn selected_text(
        &self,
        element: &VisitedElement<'_, '_>,
        lookup: RowLookup,
    ) -> Option<SelectedRule> {
        let tag = element.tag;
        let selected = self.selected(tag, TEXT, lookup, &|name| element.value_of(name));
        // A selector of the user may name any element, but only certain texts are read.
        let is_read = || tag.namespace.text_may_contain_links(&tag.name);
        selected.filter(|_| is_read())
    }

    /// Returns the rule for an attribute of an element, or for its text, whose row of the link table is `lookup`.
    fn selected<'v>(
        &self,
        tag: &StartTag<'_>,
        attribute: &str,
        lookup: RowLookup,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<SelectedRule> {
        match lookup {
            RowLookup::Link(row) => Some(row.selected(value_of)),
            RowLookup::NotALink => None,
            RowLookup::NeedsAttribute(_) | RowLookup::Dynamic => {
                self.lookup(tag, attribute, value_of)
            }
        }
    }

    /// Looks up the rule for an attribute of an element, or for its text, by all its attributes.
    fn lookup<'v>(
        &self,
        tag: &StartTag<'_>,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<SelectedRule> {
        let selection = &self.resolver.settings.selection;
        selection.lookup(tag.namespace, &tag.name, attribute, value_of)
    }
}

/// Returns whether removing `tag` would enable a DOCTYPE that is ignored because `tag` precedes it.
///
/// Browsers would then lay out the document in another mode. May return `true` although there is no such DOCTYPE: any
/// later `<!doctype` counts, even in a script or after a DOCTYPE that is in effect.
fn would_enable_doctype(text: &str, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    // HEAD begins with `tag`: any earlier element but HTML would have begun it.
    tokens.head_start == Some(tag.span.start)
        && text.as_bytes()[tag.span.end..]
            .windows(DOCTYPE.len())
            .any(|window| window.eq_ignore_ascii_case(DOCTYPE))
}

/// Decodes the value of `attribute`, whose spans are in bytes of `text`.
fn decoded_value<'t>(text: &'t str, attribute: &Attribute<'_>) -> DecodedValue<'t> {
    let Span { start, end } = attribute.value;
    charref::decode(&text[start..end], start)
}
