//! Rewriting straight into the output, where nobody asks about single links: for the links that most pages have most of,
//! nothing is kept but a count.
//!
//! What is not plain goes the same way as in [`super::markup`]; the result is the same, which is tested.

use memchr::memmem;

use super::edit::TextEdit;
use super::judge::Against;
use super::outcome::Judged;
use super::settings::AbsoluteReferences;
use super::value::{Walk, Whereabouts};
use crate::encoding::MASK;
use crate::grammar::{Grammar, single};
use crate::html::reading::{Attribute, Reading, StartTag, Text, TextKind};
use crate::html::tag::Quoting;
use crate::link::{BaseRule, Preset, Rule, Selection, TEXT};
use crate::reference::begins_with_authority;
use crate::span::Span;
use crate::splice::Splicer;

/// What stands in the way of rewriting a document like that: edits out of order, of which only a list can be sorted, or
/// something that matters in characters that a masked text does not have.
pub(super) struct SecondLook;

/// A document that is rewritten directly.
pub(super) struct Page<'p, 't> {
    pub(super) text: &'t str,
    /// Whether [`MASK`] stands for what the text says.
    pub(super) is_masked: bool,
    pub(super) reading: &'p Reading<'t>,
    pub(super) site: Whereabouts<'p>,
}

/// What became of a link without anything being written about it.
enum Passed {
    Resolved,
    Absolute,
}

impl<'t> Page<'_, 't> {
    /// Whether names, and all that BASE says, are known, and what is markup.
    pub(super) fn check(&self, selection: &Selection) -> Result<(), SecondLook> {
        if self.is_masked && (self.hides_markup(selection) || !selection.is_told_by_ascii()) {
            return Err(SecondLook);
        }
        let mut tags = self.reading.start_tags.iter();
        let attributes = || {
            let bases = self.reading.base_elements.iter();
            bases.flat_map(|base| &base.attributes)
        };
        if self.is_masked
            && (tags.any(|tag| tag.name.contains(MASK))
                || attributes().any(|one| one.name.contains(MASK) || one.value.contains(MASK)))
        {
            return Err(SecondLook);
        }
        Ok(())
    }

    /// Whether something that may begin or end markup may be the second half of a character: a bracket is the only such
    /// byte. There may be white space beyond ASCII before a conditional comment, too.
    fn hides_markup(&self, selection: &Selection) -> bool {
        let has = |part: &str| memmem::find(self.text.as_bytes(), part.as_bytes()).is_some();
        (has("<![CDATA[") && has("\u{7f}]]>")) || (selection.has(Preset::Comments) && has("[if"))
    }

    /// Whether what is written can be written in the encoding, and what stands around it is not read in another way then:
    /// what is taken out may have been between the halves of a character.
    fn may_write(&self, edit: &TextEdit) -> bool {
        let before = &self.text[..edit.span.start];
        let behind = &self.text[edit.span.end..];
        // A digit may be the second byte of four.
        let open = before.strip_suffix(|last: char| last.is_ascii_digit());
        let is_apart = !before.ends_with(MASK)
            && !open.is_some_and(|open| open.ends_with(MASK))
            && !behind.starts_with(MASK);
        !self.is_masked || (edit.replacement.is_ascii() && is_apart)
    }

    /// Whether a part of the text says what the document says there.
    fn says(&self, span: Span) -> bool {
        !self.is_masked || !self.text[span.start..span.end].contains(MASK)
    }

    /// Whether the text of an element says what the document says there.
    fn says_text(&self, text: &Text) -> bool {
        match &text.kind {
            // Its parts stand elsewhere, too.
            TextKind::Scattered(whole) => !self.is_masked || !whole.contains(MASK),
            TextKind::Raw | TextKind::Foreign => self.says(text.span),
        }
    }
}

impl Walk<'_> {
    /// Rewrites `page` into `output`; the links that are skipped are added to `links`.
    pub(super) fn page<'t>(
        &mut self,
        page: &Page<'_, 't>,
        links: &mut Vec<Judged<'t>>,
        output: &mut Splicer<'_>,
    ) -> Result<(), SecondLook> {
        let Page {
            text,
            reading,
            site,
            ..
        } = *page;
        self.tags += reading.tags;
        self.unread_tags += reading.mismatches;
        let has_comments = self.judge.settings.selection.has(Preset::Comments);
        let mut comments = reading
            .conditional_comments
            .iter()
            .copied()
            .filter(|_| has_comments)
            .peekable();
        let mut edits = Vec::new();
        for tag in &reading.start_tags {
            while let Some(comment) = comments.next_if(|comment| comment.end <= tag.span.start) {
                self.comment_of_page(page, comment, links, &mut edits)?;
                self.write(page, links, &mut edits, output)?;
            }
            for attribute in reading.attributes(tag) {
                if !attribute.may_be_link {
                    continue;
                }
                match self.pass(text, tag, attribute, output) {
                    Some(Passed::Resolved) => self.counts.resolved += 1,
                    Some(Passed::Absolute) => self.counts.absolute += 1,
                    None => {
                        let codebase = reading.attribute(tag, "codebase");
                        let says = page.says(attribute.value)
                            && codebase.is_none_or(|codebase| page.says(codebase.value));
                        if !says && self.is_link(text, reading, tag, &attribute.name) {
                            return Err(SecondLook);
                        }
                        self.attribute(text, reading, tag, attribute, site, links, &mut edits);
                        self.write(page, links, &mut edits, output)?;
                    }
                }
            }
            if let Some(content) = &tag.text {
                if !page.says_text(content) && self.is_link(text, reading, tag, TEXT) {
                    return Err(SecondLook);
                }
                self.text(text, reading, tag, content, site, links, &mut edits);
                self.write(page, links, &mut edits, output)?;
            }
        }
        for comment in comments {
            self.comment_of_page(page, comment, links, &mut edits)?;
            self.write(page, links, &mut edits, output)?;
        }
        Ok(())
    }

    fn comment_of_page<'t>(
        &mut self,
        page: &Page<'_, 't>,
        comment: Span,
        links: &mut Vec<Judged<'t>>,
        edits: &mut Vec<TextEdit>,
    ) -> Result<(), SecondLook> {
        if !page.says(comment) {
            return Err(SecondLook);
        }
        self.comment(page.text, comment, page.site, links, edits);
        Ok(())
    }

    /// Writes what is to be edited, and of the links counts those that are not skipped.
    fn write(
        &mut self,
        page: &Page<'_, '_>,
        links: &mut Vec<Judged<'_>>,
        edits: &mut Vec<TextEdit>,
        output: &mut Splicer<'_>,
    ) -> Result<(), SecondLook> {
        self.counts.take_up(links);
        for edit in edits.drain(..) {
            if !page.may_write(&edit) || !output.replace(edit.span, edit.replacement.as_bytes()) {
                return Err(SecondLook);
            }
        }
        Ok(())
    }

    /// Deals with an attribute that is one plain reference, of which nothing has to be said.
    fn pass(
        &self,
        text: &str,
        tag: &StartTag<'_>,
        attribute: &Attribute<'_>,
        output: &mut Splicer<'_>,
    ) -> Option<Passed> {
        let judge = self.judge;
        if !judge.is_straight || attribute.quoting == Quoting::Absent {
            return None;
        }
        let rule =
            judge
                .settings
                .selection
                .plain_rule(tag.namespace, &tag.name, &attribute.name)?;
        if rule.grammar != Grammar::Url || rule.against != BaseRule::Document {
            return None;
        }
        let value = &text[attribute.value.start..attribute.value.end];
        let span = single(value);
        let reference = &value[span.start..span.end];
        if begins_with_authority(reference) && judge.settings.absolute == AbsoluteReferences::Keep {
            return Some(Passed::Absolute);
        }
        if reference.starts_with('#') && judge.may_be_kept_as_fragment(rule) {
            return None;
        }
        let against = judge.document.as_ref()?;
        let target = against.plain_target(rule, reference)?;
        let start = attribute.value.start + span.start;
        let head = Span::new(start, start + reference.len() - target.tail.len());
        output
            .replace(head, target.head.as_bytes())
            .then_some(Passed::Resolved)
    }
}

impl Against {
    /// The target of `reference` where nothing in it has to be escaped in any place.
    fn plain_target<'s>(&'s self, rule: Rule, reference: &'s str) -> Option<PlainTarget<'s>> {
        // An ampersand may begin a character reference.
        if !self.is_plain || memchr::memchr(b'&', reference.as_bytes()).is_some() {
            return None;
        }
        let (head, tail) = self.resolver_for(rule).shortcut_parts(reference)?;
        Some(PlainTarget { head, tail })
    }
}

/// A target in two parts, the second of which is the end of the reference.
struct PlainTarget<'s> {
    head: &'s str,
    tail: &'s str,
}
