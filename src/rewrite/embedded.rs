//! Markup inside of something else: conditional comments, and CDATA sections of XML.
//!
//! Both are [`LinkVisitor`] methods that visit the markup as a segment of its own.

use std::borrow::Cow;

use super::edit::{self, TextEdit};
use super::fallback::Fallback;
use super::sink::{Collected, Sink};
use super::source_text::{Element, Segment, SpanMapper};
use super::value_owner::{ValueKind, ValueOwner};
use super::visitor::LinkVisitor;
use crate::grammar::Grammar;
use crate::html::charref;
use crate::link::SelectedRule;
use crate::markup::tokens::{TextContent, TextKind, Tokens};
use crate::markup::value::DecodedValue;
use crate::record::{LinkReport, SkipReason, mark_skipped};
use crate::span::Span;
use crate::xml::text::{is_section_literal, may_contain_less_than, section_content};

impl LinkVisitor<'_> {
    /// Pushes the links of `content`, a text of XML that is markup, and returns `true`, if it needs no decoding.
    ///
    /// The markup in a CDATA section that is all of the text is visited in place: its links need no mapping, and its
    /// edits no copy of the section. A text without a `<` has no links. Leaves `sink` unchanged and returns `false` if
    /// the text has another form, the markup is not read, or the section may not be able to contain an edit.
    ///
    /// # Errors
    /// Those of [`visit_segment`](Self::visit_segment).
    pub(super) fn push_markup_text<'t, S: Sink<'t>>(
        &mut self,
        element: &Element<'_, 't>,
        content: &TextContent,
        selected: SelectedRule,
        sink: &mut S,
    ) -> Result<bool, Fallback> {
        let segment = element.segment;
        let text = segment.text;
        if selected.rule.grammar != Grammar::Html {
            return Ok(false);
        }
        let raw = &text[content.span.start..content.span.end];
        let owner = ValueOwner {
            namespace: element.tag.namespace,
            element: &element.tag.name,
            kind: ValueKind::Text,
            value_of: &|name| element.value_of(name),
        };
        let section = match content.kind {
            TextKind::XmlSection if is_section_literal(raw) => section_content(content.span),
            TextKind::Xml => {
                let has_no_links =
                    !selected.is_excluded && !may_contain_less_than(raw) && !owner.is_in_base64();
                return Ok(has_no_links);
            }
            _ => return Ok(false),
        };
        let markup = &text[section.start..section.end];
        let Ok(mut tokens) = self.nested_tokens(&owner, selected, markup) else {
            return Ok(false);
        };
        tokens.shift(section.start);
        let (before, checkpoint) = (self.stats.checkpoint(), sink.checkpoint());
        let pushed = self.with_nested(selected, &tokens, |nested| {
            let section = Segment {
                is_in_section: true,
                ..nested.segment(text, &tokens, segment.span_mapper, None)
            };
            nested.visit_segment(&section, sink)
        });
        match pushed {
            None | Some(Ok(())) => {
                sink.commit();
                Ok(true)
            }
            Some(Err(Fallback::Section)) => {
                self.stats.rollback(&before);
                sink.rollback(checkpoint);
                Ok(false)
            }
            Some(Err(other)) => Err(other),
        }
    }

    /// Collects the links of the markup at `comment`, the inside of a conditional comment.
    ///
    /// # Errors
    /// [`Fallback::Collect`]: the comment contains a mask. Cannot happen, because
    /// [`mask_may_matter`](super::source_text::mask_may_matter) has rejected every skeleton with a conditional comment.
    pub(super) fn visit_comment<'t>(
        &mut self,
        segment: &Segment<'_, 't>,
        comment: Span,
        Collected { links, edits }: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        // The markup is parsed as a document of its own, for which there is no skeleton.
        if !segment.is_exact(comment) {
            return Err(Fallback::Collect);
        }
        let markup = charref::decode_raw(&segment.text[comment.start..comment.end], comment.start);
        let first_link = links.len();
        let markup_edits = self.visit_markup(&markup, segment.span_mapper, links);
        match edit::in_comment(&markup, &markup_edits) {
            Some(comment_edits) => edits.extend(comment_edits),
            None => mark_skipped(&mut links[first_link..], SkipReason::Unwritable),
        }
        Ok(())
    }

    /// Appends the links of `markup`, the inside of a conditional comment, to `links`, and returns the edits of the
    /// decoded text; `span_mapper` maps the text that contains the comment.
    ///
    /// The markup is parsed on its own, but resolved with the base URL of this document: programs that honor the
    /// comment read its markup as part of the document.
    pub(super) fn visit_markup<'t>(
        &mut self,
        markup: &DecodedValue<'t>,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        let span_mapper = span_mapper.value(markup);
        if let Cow::Borrowed(text) = markup.text {
            let Some(tokens) = self.markup_tokens(text) else {
                return Vec::new();
            };
            return self.visit_collecting(&self.segment(text, &tokens, &span_mapper, None), links);
        }
        // The decoded text does not outlive this call.
        let mut own_links = Vec::new();
        let Some(tokens) = self.markup_tokens(&markup.text) else {
            return Vec::new();
        };
        let segment = self.segment(&markup.text, &tokens, &span_mapper, None);
        let edits = self.visit_collecting(&segment, &mut own_links);
        for link_report in own_links {
            links.push(link_report.into_owned());
        }
        edits
    }

    /// Reads the markup of a conditional comment. If that fails, the document is not read.
    fn markup_tokens<'t>(&mut self, markup: &'t str) -> Option<Tokens<'t>> {
        let (settings, budget) = (self.resolver.settings, &mut self.stats.budget);
        match settings.parse(settings.reader, markup, budget.next_links(), budget) {
            Ok(parsed) => Some(parsed.tokens),
            Err(reason) => {
                self.stats.unsupported = Some(reason);
                None
            }
        }
    }
}
