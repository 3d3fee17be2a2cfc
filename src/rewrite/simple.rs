//! Values that need no second thought: one plain reference, as most are, several, or none at all.

use std::borrow::Cow;

use memchr::memchr;

use super::options::AbsoluteReferences;
use super::resolve::{LinkResolver, ResolutionBase};
use crate::find::{self, Block, ByteSet};
use crate::grammar::{Grammar, ValueContext, each_simple, single};
use crate::html::charref;
use crate::html::tag::Quoting;
use crate::html::tokens::Attribute;
use crate::link::{BaseRule, LinkRule, RowLookup};
use crate::reference::{begins_with_http, begins_with_scheme};
use crate::span::Span;

/// What is in an attribute, and what becomes of it.
pub(super) enum SimpleReference<'p> {
    /// There is no link in it.
    None,
    /// The reference at this span of the text is absolute, and stays.
    Absolute(Span),
    /// The reference at this span of the text is resolved; target and reference are written as they are.
    Resolved(Span, SplitTarget<'p>),
}

/// One of these is before each reference in a style attribute.
struct BeforeReferences;

impl ByteSet for BeforeReferences {
    #[inline]
    fn matches(block: Block) -> Block {
        let escapes = block.equal(b'\\').or(block.equal(b'&'));
        escapes.or(block.equal(b'('))
    }
}

/// A target in two parts, the second of which is the end of the reference, written as it is there: `&` as `&amp;`.
pub(super) struct SplitTarget<'p> {
    pub(super) prefix: &'p str,
    pub(super) suffix: &'p str,
}

impl SplitTarget<'_> {
    /// What of the reference at `span` the head is written in the place of.
    pub(super) fn replaced(&self, span: Span) -> Span {
        Span::new(span.start, span.end - self.suffix.len())
    }
}

impl LinkResolver<'_> {
    /// What becomes of `attribute`, which stands in `text` and of which the table says what was found, if it is plain.
    pub(super) fn simple<'p>(
        &'p self,
        text: &'p str,
        attribute: &Attribute<'_>,
        found: RowLookup,
    ) -> Option<SimpleReference<'p>> {
        if let RowLookup::NotALink = found {
            return Some(SimpleReference::None);
        }
        let rule = found.rule()?;
        let span = attribute.value;
        let value = &text[span.start..span.end];
        if rule.grammar == Grammar::Css {
            // Neither a function, nor an escape or a character reference that might hide one.
            let is_without = !find::contains_any::<BeforeReferences>(value.as_bytes());
            return is_without.then_some(SimpleReference::None);
        }
        if rule.grammar != Grammar::Url
            || rule.base_rule != BaseRule::Document
            || !self.is_straight
            || attribute.quoting == Quoting::Absent
        {
            return None;
        }
        self.simple_reference(rule, text, single(value).from(span.start))
    }

    /// What becomes of the reference at `span` of `text`, which stands for itself there but for character references, if
    /// it is plain.
    fn simple_reference<'p>(
        &'p self,
        rule: LinkRule,
        text: &'p str,
        span: Span,
    ) -> Option<SimpleReference<'p>> {
        let reference = &text[span.start..span.end];
        if reference.starts_with('#') && self.may_be_kept_as_fragment(rule) {
            return None;
        }
        let keeps_absolute = self.settings.absolute == AbsoluteReferences::Keep;
        if keeps_absolute && begins_with_http(reference) {
            return Some(SimpleReference::Absolute(span));
        }
        let resolution_base = self.document.as_ref();
        if let Some(target) = resolution_base
            .and_then(|resolution_base| resolution_base.simple_target(rule, text, span))
        {
            return Some(SimpleReference::Resolved(span, target));
        }
        // Neither their first characters nor what they say can be hidden.
        (keeps_absolute && begins_with_scheme(reference)).then_some(SimpleReference::Absolute(span))
    }

    /// Gives to `found` what becomes of each of the references in the value at `span` of `text`; `None`, perhaps after some
    /// of them, if one is not plain, or if `found` gives nothing for it. The value is an attribute in quotes, or the text of
    /// an element, of which it does not matter how line breaks are written.
    pub(super) fn each_simple<'p>(
        &'p self,
        text: &'p str,
        span: Span,
        rule: LinkRule,
        of: ValueContext,
        mut found: impl FnMut(SimpleReference<'p>) -> Option<()>,
    ) -> Option<()> {
        let is_list = matches!(rule.grammar, Grammar::Srcset | Grammar::Css);
        if !is_list || rule.base_rule != BaseRule::Document || !self.is_straight {
            return None;
        }
        let value = &text[span.start..span.end];
        // In CSS it matters what an ampersand stands beside, where that is escaped.
        let is_literal = match (of, rule.grammar) {
            (ValueContext::Text, _) => true,
            (ValueContext::Attribute, Grammar::Css) => memchr(b'&', value.as_bytes()).is_none(),
            (ValueContext::Attribute, _) => charref::only_amp_references(value),
        };
        if !is_literal {
            return None;
        }
        let document = self.document.as_ref();
        let never_escaped =
            document.is_some_and(|resolution_base| resolution_base.is_simple_in_css);
        each_simple(rule.grammar, value, |inner, notation| {
            let one = self.simple_reference(rule, text, inner.from(span.start))?;
            if let SimpleReference::Resolved(_, target) = &one
                && !never_escaped
                && matches!(notation.escape(target.prefix, true), Cow::Owned(_))
            {
                return None;
            }
            found(one)
        })
    }
}

impl ResolutionBase {
    /// The target of the reference at `span` of `text` where nothing in it has to be escaped in any place.
    #[inline]
    fn simple_target<'p>(
        &'p self,
        rule: LinkRule,
        text: &'p str,
        span: Span,
    ) -> Option<SplitTarget<'p>> {
        if !self.is_simple {
            return None;
        }
        // The character reference of an ampersand is as good as one, and in the tail.
        let (prefix, suffix) =
            self.resolver_for(rule)
                .shortcut_parts(text, span, charref::only_amp_references)?;
        Some(SplitTarget { prefix, suffix })
    }
}
