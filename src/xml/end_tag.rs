//! End tags: the text of an element, and the link of a feed or item, are known when the element ends.

use std::borrow::Cow;

use super::error::ReadError;
use super::reader::XmlReader;
use super::state::{FeedPart, OpenXmlElement};
use super::tag;
use super::text;
use crate::markup::Namespace;
use crate::markup::tokens::{TextContent, TextKind};
use crate::span::Span;
use crate::unsupported::IllFormedReason;

/// The maximum number of open elements that an unexpected end tag is compared with.
const MAX_RECOVERY: usize = 64;

impl XmlReader<'_, '_> {
    /// Reads the end tag that begins at `start`, and returns its end.
    pub(super) fn end_tag(&mut self, start: usize) -> Result<usize, ReadError> {
        let (name, end) = tag::end_tag(self.text, start)?;
        self.tokens.tags += 1;
        let is_open = |element: &OpenXmlElement, names: &str| names[element.name_start..] == *name;
        let is_match = self
            .state
            .open
            .last()
            .is_some_and(|element| is_open(element, &self.state.open_names));
        if is_match {
            self.close(start);
            return Ok(end);
        }
        self.reject(start, IllFormedReason::EndTag)?;
        let mut names_end = self.state.open_names.len();
        let is_wanted = |element: &OpenXmlElement| {
            let is_wanted = self.state.open_names[element.name_start..names_end] == *name;
            names_end = element.name_start;
            is_wanted
        };
        let depth = self.state.open.iter().rev().take(MAX_RECOVERY).position({
            let mut is_wanted = is_wanted;
            move |element| is_wanted(element)
        });
        for _ in 0..depth.map_or(0, |depth| depth + 1) {
            self.close(start);
        }
        Ok(end)
    }

    /// Sets the link of the feed or item that is the innermost open element, unless it has one.
    fn set_feed_link(&mut self, text: Span) {
        let parent = self.state.open.last();
        let scope = match parent.map(|parent| (parent.feed_part, parent.outer_scopes)) {
            // The items of RSS 1.0 are outside the channel.
            Some((FeedPart::Channel, _)) => 0,
            // The scope of the item itself.
            Some((FeedPart::Item, outer_scopes)) => self.state.scope_path[outer_scopes],
            _ => return,
        };
        let raw = &self.text[text.start..text.end];
        let link = &mut self.tokens.scopes[scope as usize].link;
        if link.is_none() {
            let known = if text::is_literal_content(raw) {
                Some(Cow::Borrowed(raw))
            } else {
                let decoded = text::decode_text(raw, 0);
                Some(decoded.value.text).filter(|_| !decoded.has_entities)
            };
            let trimmed = known.as_deref().map_or("", str::trim);
            *link = (!trimmed.is_empty()).then(|| trimmed.to_owned());
        }
    }

    /// Closes the innermost open element, whose content ends at `content_end`.
    fn close(&mut self, content_end: usize) {
        let Some(element) = self.state.open.pop() else {
            return;
        };
        if let Some(tag) = element.text_tag
            && !element.has_children
        {
            let span = Span::new(element.content_start, content_end);
            let kind = if span == self.last_section {
                TextKind::XmlSection
            } else {
                TextKind::Xml
            };
            let tag = &mut self.tokens.start_tags[tag];
            tag.text = Some(TextContent { span, kind });
            if tag.namespace == Namespace::Rss && tag.name == "link" {
                self.set_feed_link(span);
            }
        }
        self.state.open_names.truncate(element.name_start);
        self.state.bindings.truncate(element.outer_bindings);
        self.state.scope_path.truncate(element.outer_scopes);
        self.state.pending -= usize::from(element.is_pending());
        self.state.is_in_head &= !element.is_head;
        self.state.open_templates -= usize::from(element.is_template);
    }
}
