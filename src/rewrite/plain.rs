//! Attributes that need no second thought: one plain reference, as most are, or none at all.

use memchr::{memchr, memchr3};

use super::judge::{Against, Judge};
use super::settings::AbsoluteReferences;
use crate::grammar::{Grammar, single};
use crate::html::reading::Attribute;
use crate::html::tag::Quoting;
use crate::link::{BaseRule, FoundRow, Rule};
use crate::reference::begins_with_authority;
use crate::span::Span;

/// What is in an attribute, and what becomes of it.
pub(super) enum Plain<'p> {
    /// There is no link in it.
    Nothing,
    /// The reference at this span of the text is absolute, and stays.
    Absolute(Span),
    /// The reference at this span of the text is resolved; target and reference are written as they are.
    Resolved(Span, PlainTarget<'p>),
}

/// A target in two parts, the second of which is the end of the reference.
pub(super) struct PlainTarget<'p> {
    pub(super) head: &'p str,
    pub(super) tail: &'p str,
}

impl PlainTarget<'_> {
    /// What of the reference at `span` the head is written in the place of.
    pub(super) fn replaced(&self, span: Span) -> Span {
        Span::new(span.start, span.end - self.tail.len())
    }
}

impl Judge<'_> {
    /// What becomes of `attribute`, which stands in `text` and of which the table says what was found, if it is plain.
    pub(super) fn plain<'p>(
        &'p self,
        text: &'p str,
        attribute: &Attribute<'_>,
        found: FoundRow,
    ) -> Option<Plain<'p>> {
        if let FoundRow::Nothing = found {
            return Some(Plain::Nothing);
        }
        let rule = found.rule()?;
        let span = attribute.value;
        let value = &text[span.start..span.end];
        if rule.grammar == Grammar::Css {
            // Neither a function, nor an escape or a character reference that might hide one.
            let is_without = memchr3(b'(', b'\\', b'&', value.as_bytes()).is_none();
            return is_without.then_some(Plain::Nothing);
        }
        if rule.grammar != Grammar::Url
            || rule.against != BaseRule::Document
            || !self.is_straight
            || attribute.quoting == Quoting::Absent
        {
            return None;
        }
        let span = single(value).from(span.start);
        let reference = &text[span.start..span.end];
        if reference.starts_with('#') && self.may_be_kept_as_fragment(rule) {
            return None;
        }
        let against = self.document.as_ref();
        if let Some(target) = against.and_then(|against| against.plain_target(rule, text, span)) {
            return Some(Plain::Resolved(span, target));
        }
        let is_absolute =
            self.settings.absolute == AbsoluteReferences::Keep && begins_with_authority(reference);
        is_absolute.then_some(Plain::Absolute(span))
    }
}

impl Against {
    /// The target of the reference at `span` of `text` where nothing in it has to be escaped in any place.
    #[inline]
    fn plain_target<'p>(
        &'p self,
        rule: Rule,
        text: &'p str,
        span: Span,
    ) -> Option<PlainTarget<'p>> {
        if !self.is_plain {
            return None;
        }
        let resolver = self.resolver_for(rule);
        let parts = resolver.usual_parts(text, span).or_else(|| {
            let reference = &text[span.start..span.end];
            // An ampersand may begin a character reference.
            let is_plain = memchr(b'&', reference.as_bytes()).is_none();
            is_plain.then(|| resolver.shortcut_parts(reference))?
        });
        let (head, tail) = parts?;
        Some(PlainTarget { head, tail })
    }
}
