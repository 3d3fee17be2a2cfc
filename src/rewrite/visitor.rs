//! From markup to its links and to the edits that rewrite them: the whole of a document, a document in an attribute, a
//! conditional comment.

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
use crate::grammar::{Notation, ReferenceToken};
use crate::html::charref::{self, DecodedValue};
use crate::html::foreign_text;
use crate::html::tokens::{Attribute, StartTag, TextContent, TextKind, Tokens};
use crate::link::{Preset, RowLookup, Selected, TEXT};
use crate::offset_map::OffsetMap;
use crate::span::Span;

/// The element that may declare the encoding.
pub(super) const META: &str = "meta";

/// An element of a text that was read.
pub(super) struct VisitedElement<'e, 't> {
    pub(super) text: &'t str,
    pub(super) tokens: &'e Tokens<'t>,
    pub(super) tag: &'e StartTag<'t>,
    pub(super) site: SpanMapper<'e>,
}

impl<'t> VisitedElement<'_, 't> {
    /// The value of the attribute of that name.
    pub(super) fn value_of(&self, name: &str) -> Option<Cow<'t, str>> {
        let attribute = self.tokens.attribute(self.tag, name)?;
        Some(value(self.text, attribute).text)
    }
}

impl LinkVisitor<'_> {
    /// The links of `text`, which was read as `tokens`, added to `links` in the order of the text, and the edits of
    /// it, in order and disjoint.
    pub(super) fn markup<'t>(
        &mut self,
        text: &'t str,
        tokens: &Tokens<'t>,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        self.tags += tokens.tags;
        self.mismatched_tags += tokens.mismatches;
        links.reserve(tokens.start_tags.len());
        let mut edits = Vec::new();
        let has_comments = self.resolver.settings.selection.has(Preset::Comments);
        let mut comments = tokens.conditional_comments.iter().copied().peekable();
        for tag in &tokens.start_tags {
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                if has_comments {
                    self.comment(text, comment, site, links, &mut edits);
                }
            }
            let element = VisitedElement {
                text,
                tokens,
                tag,
                site,
            };
            let before = edits.len();
            for attribute in tokens.attributes(tag) {
                if attribute.may_be_link {
                    let found = self.rows.find(tokens, tag, attribute);
                    if !self.simple_attribute(&element, attribute, found, links, &mut edits) {
                        self.attribute(&element, attribute, found, links, &mut edits);
                    }
                }
            }
            self.edits_meta |= edits.len() > before && tag.name == META;
            if let Some(content) = &tag.text {
                let found = self.rows.find_text(tokens, tag);
                if let Some(selected) = self.selected_text(&element, found) {
                    self.text(&element, content, selected, links, &mut edits);
                }
            }
        }
        for comment in comments.filter(|_| has_comments) {
            self.comment(text, comment, site, links, &mut edits);
        }
        // A repeated attribute stands behind others that may have been edited.
        if !edits.is_sorted_by_key(|edit| edit.span.start) {
            edits.sort_by_key(|edit| edit.span.start);
        }
        edits
    }

    /// The link of an attribute that is plain, or that it has none; whether that is so.
    fn simple_attribute<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        attribute: &Attribute<'t>,
        found: RowLookup,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> bool {
        let VisitedElement {
            text, tag, site, ..
        } = *element;
        let is_resolved = match self.decide {
            Decider::Resolve => true,
            Decider::Keep => false,
            Decider::Ask(_) => return false,
        };
        let resolver = self.resolver;
        let Some(simple) = resolver.simple(text, attribute, found) else {
            return false;
        };
        let place = ValueSite {
            element,
            attribute: Some(attribute),
            found,
        };
        if let SimpleReference::None = simple {
            return place.is_alone();
        }
        let Some(listed) = SimpleLink::of(&place, text, &simple) else {
            return false;
        };
        let span = listed.span;
        let Some(whole) = site
            .span(span)
            .filter(|_| listed.is_decoded || !is_resolved)
        else {
            return false;
        };
        if let Outcome::Resolved(target) = &listed.outcome
            && is_resolved
        {
            let written = ReferenceToken::plain(text, span, Notation::Plain);
            let Ok(edit) = value::edit(&written, target, false) else {
                return false;
            };
            edits.push(edit);
        }
        let names = (
            element_name(tag.namespace, &tag.name),
            attribute.name.clone(),
        );
        let reference = listed.decoded(&text[span.start..span.end]);
        let base = resolver.document.as_ref().map(|own| &own.base);
        links.push(LinkReport {
            depth: self.depth,
            ..listed.link_report(names, reference, whole, base)
        });
        true
    }

    /// The links of an attribute, of which the table says what was found.
    pub(super) fn attribute<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        attribute: &Attribute<'t>,
        found: RowLookup,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let VisitedElement {
            text,
            tokens,
            tag,
            site,
        } = *element;
        let value_of = |name: &str| Some(value(text, tokens.attribute(tag, name)?).text);
        let name = &*attribute.name;
        let selected = self.selected(tag, name, found, &value_of);
        // An attribute may have that name, too, and means nothing then.
        let Some(selected) = selected.filter(|_| name != TEXT) else {
            return;
        };
        let holder = ValueOwner {
            namespace: tag.namespace,
            element: &tag.name,
            part: ValueKind::Attribute(&attribute.name),
            value_of: &value_of,
        };
        let written = |span: Span| &text[span.start..span.end];
        let others = attribute
            .repeats
            .spans()
            .iter()
            .filter(|&&span| written(span) != written(attribute.span));
        self.repeats
            .extend(others.filter_map(|&span| site.span(span)));
        let value = value(text, attribute);
        // Character references can say what the document's encoding lacks.
        let within = SpanMapper {
            ascii_only: false,
            ..site
        };
        match self.mapped(&holder, selected, &value, within, links) {
            ValueEdit::Keep => {}
            ValueEdit::EditOnce(mut own) => {
                if edit::move_to_attribute(attribute, &value, &mut own) {
                    edits.push(own);
                } else {
                    edits.extend(edit::in_attribute(attribute, &value, &[own]));
                }
            }
            ValueEdit::Edit(own) => edits.extend(edit::in_attribute(attribute, &value, &own)),
            ValueEdit::RemoveElement
                if tokens.attributes(tag).len() == 1
                    && !makes_doctype_ignored(text, tokens, tag) =>
            {
                edits.push(TextEdit::new(tag.span, String::new()));
            }
            ValueEdit::Remove | ValueEdit::RemoveElement => {
                edits.extend(edit::remove(text, attribute));
            }
        }
    }

    /// The links of the text of an element, which is the link `selected`.
    pub(super) fn text<'t>(
        &mut self,
        element: &VisitedElement<'_, 't>,
        content: &TextContent,
        selected: Selected,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let VisitedElement {
            text,
            tokens,
            tag,
            site,
        } = *element;
        let value_of = |name: &str| Some(value(text, tokens.attribute(tag, name)?).text);
        let holder = ValueOwner {
            namespace: tag.namespace,
            element: &tag.name,
            part: ValueKind::Text,
            value_of: &value_of,
        };
        let raw = &text[content.span.start..content.span.end];
        let first = links.len();
        let changed = match &content.kind {
            TextKind::Raw => {
                let value = charref::decode_raw(raw, content.span.start);
                let change = self.mapped(&holder, selected, &value, site, links);
                let Some(own) = change.edits() else { return };
                edit::in_raw_text(&value, own)
            }
            TextKind::Foreign => {
                let text = foreign_text::decode(raw, content.span.start);
                let change = self.mapped(&holder, selected, &text.value, site, links);
                let Some(own) = change.edits() else { return };
                edit::in_foreign_text(&text, own)
            }
            TextKind::Fragmented(whole) => {
                let mut own = Vec::new();
                self.value(&holder, selected, whole, DETACHED, &mut own);
                for link_report in own {
                    links.push(link_report.into_owned());
                }
                return;
            }
        };
        match changed {
            Some(own) => edits.extend(own),
            None => mark_skipped(&mut links[first..], SkipReason::Unwritable),
        }
    }

    /// The links of `value`, which is mapped to the text it stands in.
    fn mapped<'t>(
        &mut self,
        holder: &ValueOwner<'_, 't, '_>,
        selected: Selected,
        value: &DecodedValue<'t>,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> ValueEdit {
        if let Cow::Borrowed(text) = value.text {
            // It stands there as it is.
            let locate = |span: Span| {
                let (start, end) = (span.start + value.start, span.end + value.start);
                site.span(Span::new(start, end))
            };
            let site = SpanMapper {
                locate: site.locate.is_some().then_some(&locate),
                ascii_only: site.ascii_only,
            };
            return self.value(holder, selected, text, site, links);
        }
        let locate = |span| {
            let span = value.map.inner_span(span)?;
            // What is in two CDATA sections, or in one and outside, cannot be replaced as one.
            let is_together = value.map.is_all_text(span);
            site.span(span).filter(|_| is_together)
        };
        let site = SpanMapper {
            locate: site.locate.is_some().then_some(&locate),
            ascii_only: site.ascii_only,
        };
        let mut own = Vec::new();
        let change = self.value(holder, selected, &value.text, site, &mut own);
        for link_report in own {
            links.push(link_report.into_owned());
        }
        change
    }

    /// The links of the markup in a conditional comment.
    pub(super) fn comment<'t>(
        &mut self,
        text: &'t str,
        comment: Span,
        site: SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let markup = &text[comment.start..comment.end];
        let mut map = OffsetMap::new(comment.start, 1);
        map.run(markup.len());
        let locate = |span| site.span(map.source_span(span)?);
        let inside = SpanMapper {
            locate: site.locate.is_some().then_some(&locate),
            ascii_only: site.ascii_only,
        };
        let first = links.len();
        let tokens = self.resolver.settings.read(markup).tokens;
        let own = self.markup(markup, &tokens, inside, links);
        match edit::in_comment(markup, comment.start, own) {
            Some(own) => edits.extend(own),
            None => mark_skipped(&mut links[first..], SkipReason::Unwritable),
        }
    }

    /// Whether an attribute of an element, or its text, is a link.
    pub(super) fn is_link(&self, element: &VisitedElement<'_, '_>, attribute: &str) -> bool {
        self.lookup(element.tag, attribute, &|name| element.value_of(name))
            .is_some()
    }

    /// The link that the text of an element is, of which the table says what was found.
    pub(super) fn selected_text(
        &self,
        element: &VisitedElement<'_, '_>,
        found: RowLookup,
    ) -> Option<Selected> {
        let tag = element.tag;
        let selected = self.selected(tag, TEXT, found, &|name| element.value_of(name));
        let is_read = || tag.namespace.has_text_that_is_read(&tag.name);
        selected.filter(|_| is_read())
    }

    /// The link that an attribute of an element, or its text, is, where the table says what was found.
    fn selected<'v>(
        &self,
        tag: &StartTag<'_>,
        attribute: &str,
        found: RowLookup,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<Selected> {
        match found {
            RowLookup::Link(row) => Some(row.selected(value_of)),
            RowLookup::NotALink => None,
            RowLookup::NeedsAttribute(_) | RowLookup::Dynamic => {
                self.lookup(tag, attribute, value_of)
            }
        }
    }

    fn lookup<'v>(
        &self,
        tag: &StartTag<'_>,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<Selected> {
        let selection = &self.resolver.settings.selection;
        selection.lookup(tag.namespace, &tag.name, attribute, value_of)
    }
}

/// Whether `tag` begins the document and a DOCTYPE behind it, which is ignored for that reason, would count without it:
/// browsers would lay the document out in another way.
fn makes_doctype_ignored(text: &str, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    tokens.head_start == Some(tag.span.start)
        && text.as_bytes()[tag.span.end..]
            .windows(DOCTYPE.len())
            .any(|window| window.eq_ignore_ascii_case(DOCTYPE))
}

fn value<'t>(text: &'t str, attribute: &Attribute<'_>) -> DecodedValue<'t> {
    let Span { start, end } = attribute.value;
    charref::decode(&text[start..end], start)
}
