//! From markup to its links and to the edits that rewrite them: the whole of a document, a document in an attribute, a
//! conditional comment.

use std::borrow::Cow;

use super::edit::{self, TextEdit};
use super::outcome::{Judged, SkipReason};
use super::value::{Change, Holder, NOWHERE, Part, Walk, Whereabouts, leave};
use crate::html::charref::{self, Value};
use crate::html::foreign;
use crate::html::reading::{Attribute, Reading, StartTag, Text, TextKind};
use crate::html::tap;
use crate::link::{Preset, Selected, TEXT};
use crate::offset_map::OffsetMap;
use crate::span::Span;

impl Walk<'_> {
    /// The links of `text`, which was read as `reading`, added to `links` in the order of the text, and the edits of
    /// it, in order and disjoint.
    pub(super) fn markup<'t>(
        &mut self,
        text: &'t str,
        reading: &Reading,
        site: Whereabouts<'_>,
        links: &mut Vec<Judged<'t>>,
    ) -> Vec<TextEdit> {
        self.tags += reading.tags;
        self.unread_tags += reading.mismatches;
        let mut edits = Vec::new();
        let has_comments = self.judge.settings.selection.has(Preset::Comments);
        let mut comments = reading.conditional_comments.iter().copied().peekable();
        for tag in &reading.start_tags {
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                if has_comments {
                    self.comment(text, comment, site, links, &mut edits);
                }
            }
            let is_needed = makes_doctype_ignored(text, reading, tag);
            self.tag(text, tag, is_needed, site, links, &mut edits);
            if let Some(content) = &tag.text {
                self.text(text, tag, content, site, links, &mut edits);
            }
        }
        for comment in comments.filter(|_| has_comments) {
            self.comment(text, comment, site, links, &mut edits);
        }
        // A repeated attribute stands behind others that may have been edited.
        edits.sort_by_key(|edit| edit.span.start);
        edits
    }

    /// The links of the attributes of a start tag; `is_needed` says that the tag stays, whatever becomes of them.
    fn tag<'t>(
        &mut self,
        text: &'t str,
        tag: &StartTag,
        is_needed: bool,
        site: Whereabouts<'_>,
        links: &mut Vec<Judged<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let value_of = |name: &str| Some(value(text, tag.attribute(name)?).text.into_owned());
        for attribute in &tag.attributes {
            let name = attribute.name();
            let selected = self.lookup(tag, &name, &value_of);
            // An attribute may have that name, too, and means nothing then.
            let Some(selected) = selected.filter(|_| name != TEXT) else {
                continue;
            };
            let holder = Holder {
                namespace: tag.namespace,
                element: tag.name(),
                part: Part::Attribute(&name),
                value_of: &value_of,
            };
            let written = |span: Span| &text[span.start..span.end];
            let others = attribute
                .repeats
                .iter()
                .filter(|&&span| written(span) != written(attribute.span));
            self.repeats
                .extend(others.filter_map(|&span| site.span(span)));
            let value = value(text, attribute);
            // Character references can say what the document's encoding lacks.
            let within = Whereabouts {
                ascii_only: false,
                ..site
            };
            match self.mapped(&holder, selected, &value, within, links) {
                Change::Keep => {}
                Change::Edit(own) => edits.extend(edit::in_attribute(attribute, &value, &own)),
                Change::RemoveElement if tag.attributes.len() == 1 && !is_needed => {
                    edits.push(TextEdit::new(tag.span, String::new()));
                }
                Change::Remove | Change::RemoveElement => {
                    edits.extend(edit::remove(text, attribute));
                }
            }
        }
    }

    /// The links of the text of an element.
    fn text<'t>(
        &mut self,
        text: &'t str,
        tag: &StartTag,
        content: &Text,
        site: Whereabouts<'_>,
        links: &mut Vec<Judged<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let value_of = |name: &str| Some(value(text, tag.attribute(name)?).text.into_owned());
        let selected = self.lookup(tag, TEXT, &value_of);
        let is_read = tag.namespace.has_text_that_is_read(tag.name());
        let Some(selected) = selected.filter(|_| is_read) else {
            return;
        };
        let holder = Holder {
            namespace: tag.namespace,
            element: tag.name(),
            part: Part::Text,
            value_of: &value_of,
        };
        let raw = &text[content.span.start..content.span.end];
        let first = links.len();
        let changed = match &content.kind {
            TextKind::Raw => {
                let value = charref::decode_raw(raw, content.span.start);
                match self.mapped(&holder, selected, &value, site, links) {
                    Change::Edit(own) => edit::in_raw_text(&value, &own),
                    Change::Keep | Change::Remove | Change::RemoveElement => return,
                }
            }
            TextKind::Foreign => {
                let text = foreign::decode(raw, content.span.start);
                match self.mapped(&holder, selected, &text.value, site, links) {
                    Change::Edit(own) => edit::in_foreign_text(&text, &own),
                    Change::Keep | Change::Remove | Change::RemoveElement => return,
                }
            }
            TextKind::Scattered(whole) => {
                let mut own = Vec::new();
                self.value(&holder, selected, whole, NOWHERE, &mut own);
                for judged in own {
                    links.push(judged.into_owned());
                }
                return;
            }
        };
        match changed {
            Some(own) => edits.extend(own),
            None => leave(&mut links[first..], SkipReason::Unwritable),
        }
    }

    /// The links of `value`, which is mapped to the text it stands in.
    fn mapped<'t>(
        &mut self,
        holder: &Holder<'_>,
        selected: Selected,
        value: &Value<'t>,
        site: Whereabouts<'_>,
        links: &mut Vec<Judged<'t>>,
    ) -> Change {
        let locate = |span| {
            let span = value.map.inner_span(span)?;
            // What is in two CDATA sections, or in one and outside, cannot be replaced as one.
            let is_together = value.map.is_all_text(span);
            site.span(span).filter(|_| is_together)
        };
        let site = Whereabouts {
            locate: site.locate.is_some().then_some(&locate),
            ascii_only: site.ascii_only,
        };
        match value.text {
            Cow::Borrowed(text) => self.value(holder, selected, text, site, links),
            Cow::Owned(ref text) => {
                let mut own = Vec::new();
                let change = self.value(holder, selected, text, site, &mut own);
                for judged in own {
                    links.push(judged.into_owned());
                }
                change
            }
        }
    }

    /// The links of the markup in a conditional comment.
    fn comment<'t>(
        &mut self,
        text: &'t str,
        comment: Span,
        site: Whereabouts<'_>,
        links: &mut Vec<Judged<'t>>,
        edits: &mut Vec<TextEdit>,
    ) {
        let markup = &text[comment.start..comment.end];
        let mut map = OffsetMap::new(comment.start, 1);
        map.run(markup.len());
        let locate = |span| site.span(map.source_span(span)?);
        let inside = Whereabouts {
            locate: site.locate.is_some().then_some(&locate),
            ascii_only: site.ascii_only,
        };
        let first = links.len();
        let own = self.markup(markup, &tap::read(markup), inside, links);
        match edit::in_comment(markup, comment.start, own) {
            Some(own) => edits.extend(own),
            None => leave(&mut links[first..], SkipReason::Unwritable),
        }
    }

    fn lookup(
        &self,
        tag: &StartTag,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Selected> {
        let selection = &self.judge.settings.selection;
        selection.lookup(tag.namespace, tag.name(), attribute, value_of)
    }
}

/// Whether `tag` begins the document and a DOCTYPE behind it, which is ignored for that reason, would count without it:
/// browsers would lay the document out in another way.
fn makes_doctype_ignored(text: &str, reading: &Reading, tag: &StartTag) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    reading.head_start == Some(tag.span.start)
        && text.as_bytes()[tag.span.end..]
            .windows(DOCTYPE.len())
            .any(|window| window.eq_ignore_ascii_case(DOCTYPE))
}

fn value<'t>(text: &'t str, attribute: &Attribute) -> Value<'t> {
    let Span { start, end } = attribute.value;
    charref::decode(&text[start..end], start)
}
