//! [`LinkVisitor`] over one value: from a decoded value to its links and to the edits that rewrite them.
//!
//! A value is the text of an attribute or element after decoding, or a whole style sheet. [`LinkVisitor::visit_value`]
//! sees only the value. Its callers map the edits back: [`super::markup`] to the source text, [`super::tree`] to a
//! tree node.
//!
//! # Steps
//!
//! 1. The grammar of the link splits the value into references ([`references`]). Each [`ReferenceToken`] has the
//!    unescaped reference, its span, and a map between the two.
//! 2. The resolver determines the [`Outcome`]. A resolved reference is skipped after all if the value cannot represent
//!    the target, or if there is a source and the reference has no span in it.
//! 3. The [`Decider`] determines what is written: always the target, nothing, or what
//!    a callback returns for the [`LinkReport`]. The decision changes the reported outcome only if it cannot be carried
//!    out.
//! 4. [`reference_edit`] computes the edit. It keeps the common suffix of reference and target as the author wrote it,
//!    escapes included.
//!
//! A value that is a document (`srcdoc`, content of a feed) is parsed and visited by a nested visitor instead, whose
//! edits become those of the value.
//!
//! # Invariant
//!
//! Every link of a value is appended to the list of links, in document order, whether it is written or not. If the text
//! to write (the target of a resolved link, or the text that a callback returned) cannot be written, the link is
//! recorded as skipped, with the reason. If all edits of a text turn out to be impossible,
//! [`mark_skipped`](crate::record::mark_skipped) does so for each of its links that was to be written.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr;

use super::decision::{BesideLink, Decider, Decision};
use super::edit::{TextEdit, reference_edit};
use super::resolve::resolution_base::ResolutionBase;
use super::source_text::SpanMapper;
use super::value_owner::{ValueKind, ValueOwner};
use super::visitor::LinkVisitor;
use crate::grammar::{
    Grammar, INTEGRITY, Notation, ReferenceToken, ValueContext, references, single,
};
use crate::html::tap;
use crate::link::{BaseRule, LinkRule, Role, SelectedRule};
use crate::markup::Namespace;
use crate::markup::tokens::Tokens;
use crate::record::{LinkReport, Outcome, SkipReason};
use crate::settings::BaseElementPolicy;
use crate::span::Span;

/// The maximum nesting depth of documents in values.
///
/// Each level is parsed separately, so the limit bounds the time. No real page comes close to it, because every level
/// escapes the escapes of the levels in it once more.
const MAX_DEPTH: usize = 16;

/// The change of a value.
pub(super) enum ValueEdit {
    /// Edits in bytes of the value, ordered and disjoint. Empty if the value is kept.
    Edits(Vec<TextEdit>),
    /// Removal of the attribute.
    Remove,
    /// Removal of the attribute, and of the element if it has no other attribute.
    RemoveElement,
}

impl ValueEdit {
    /// Returns the edits; none if the value is removed.
    pub(super) fn into_edits(self) -> Vec<TextEdit> {
        match self {
            Self::Edits(edits) => edits,
            Self::Remove | Self::RemoveElement => Vec::new(),
        }
    }
}

/// Properties that all references of one value share.
#[derive(Clone, Copy)]
struct ReferenceContext<'c, 'v, 'w> {
    owner: &'c ValueOwner<'c, 'v, 'w>,
    selected: SelectedRule,
    resolution_base: Result<Option<&'c ResolutionBase>, SkipReason>,
    value_context: ValueContext,
    span_mapper: &'c SpanMapper<'c>,
}

impl LinkVisitor<'_> {
    /// Appends the links in `value` to `links` and returns the change of the value.
    pub(super) fn visit_value<'v>(
        &mut self,
        owner: &ValueOwner<'_, 'v, '_>,
        selected: SelectedRule,
        value: &'v str,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'v>>,
    ) -> ValueEdit {
        if selected.is_removed {
            let is_left = selected.rule.role == Role::Base || owner.affects_tree();
            self.stats.beside.left += usize::from(is_left);
            self.stats.beside.beside += usize::from(!is_left);
            // A base URL remains a link.
            match self.decider {
                _ if selected.rule.role == Role::Base => {}
                Decider::Resolve | Decider::Ask(_) if !is_left => return ValueEdit::Remove,
                _ => return ValueEdit::Edits(Vec::new()),
            }
        }
        if selected.rule.grammar == Grammar::Html {
            return self.visit_nested_document(owner, selected, value, span_mapper, links);
        }
        // For `UrlOrCss`, the value determines which of the two grammars applies.
        let selected = selected.for_value(value);
        let resolver = self.resolver;
        // Once for all references, because a `codebase` has to be resolved itself.
        let resolution_base = resolver.base_for(selected.rule, owner);
        let resolution_base = resolution_base
            .as_ref()
            .map(Option::as_deref)
            .map_err(|&reason| reason);
        let context = ReferenceContext {
            owner,
            selected,
            resolution_base,
            value_context: match owner.kind {
                ValueKind::Attribute(_) => ValueContext::Attribute,
                ValueKind::Text | ValueKind::Document => ValueContext::Text,
            },
            span_mapper,
        };
        let mut change = ValueEdit::Edits(Vec::new());
        if selected.rule.grammar == Grammar::Url {
            // Most values are one reference, which needs no list.
            let token = ReferenceToken::literal(value, single(value), Notation::Plain);
            self.visit_reference(&context, &token, links, &mut change);
        } else {
            let placeholder = self.first_placeholder(selected.rule.grammar, value);
            // One more exceeds a limit.
            let max = self.stats.budget.next_links().saturating_add(1);
            let tokens = references(selected.rule.grammar, value, context.value_context, max);
            let first = links.len();
            for token in tokens {
                if token.construct == Some(INTEGRITY) {
                    self.visit_integrity(&token, span_mapper, links, &mut change);
                    continue;
                }
                if !self.stats.may_visit(links.len() - first) {
                    break;
                }
                let is_certain = placeholder.is_none_or(|offset| token.span.end <= offset);
                let context = ReferenceContext {
                    resolution_base: if is_certain {
                        context.resolution_base
                    } else {
                        Err(SkipReason::Placeholder)
                    },
                    ..context
                };
                self.visit_reference(&context, &token, links, &mut change);
            }
        }
        change
    }

    /// Returns the offset of the first placeholder in `value`, if the references after it are uncertain.
    ///
    /// Markup of a template may contain the separators of a list: `srcset="{{ resize a, b, c }} 2x"`. In CSS and JSON,
    /// references are strings and tokens with an end of their own.
    fn first_placeholder(&self, grammar: Grammar, value: &str) -> Option<usize> {
        if !grammar.has_separators() {
            return None;
        }
        self.resolver.settings.placeholders.first_in(value)
    }

    /// Appends the links in `value` to `links` as [`visit_value`](Self::visit_value) does, but copied: `value` does not
    /// live as long as `links`.
    pub(super) fn visit_temporary_value(
        &mut self,
        owner: &ValueOwner<'_, '_, '_>,
        selected: SelectedRule,
        value: &str,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'_>>,
    ) -> ValueEdit {
        let mut own_links = Vec::new();
        let change = self.visit_value(owner, selected, value, span_mapper, &mut own_links);
        for link_report in own_links {
            links.push(link_report.into_owned());
        }
        change
    }

    /// Appends the link of `token`, a reference of a value, to `links` and adds its edit to `change`.
    fn visit_reference<'v>(
        &mut self,
        context: &ReferenceContext<'_, 'v, '_>,
        token: &ReferenceToken<'v>,
        links: &mut Vec<LinkReport<'v>>,
        change: &mut ValueEdit,
    ) {
        let (owner, selected) = (context.owner, context.selected);
        let (resolution_base, span_mapper) = (context.resolution_base, context.span_mapper);
        let span = span_mapper.source_span(token.span);
        // There is a source, but this range of it cannot be replaced. In a tree there is no source and no such limit.
        let is_unmappable = span_mapper.has_source() && span.is_none();
        let outcome = match self.resolver.outcome(selected, token, resolution_base) {
            Outcome::Resolved(target) if !token.can_represent(&target) => {
                Outcome::Skipped(SkipReason::Unwritable)
            }
            Outcome::Resolved(_) if is_unmappable => Outcome::Skipped(SkipReason::Undecodable),
            outcome => outcome,
        };
        let target_bytes = match &outcome {
            Outcome::Resolved(target) => target.len(),
            Outcome::Absolute | Outcome::Skipped(_) => 0,
        };
        self.stats.budget.spend(target_bytes, self.depth);
        let mut link_report = LinkReport {
            outcome,
            base: resolution_base
                .ok()
                .flatten()
                .map(|resolution_base| Arc::clone(&resolution_base.base)),
            link: owner.link(selected, token, span),
            depth: self.depth,
            is_replaced: false,
        };
        let removes_base = selected.rule.is_base_element()
            && self.resolver.settings.base_element == BaseElementPolicy::Remove
            && !self.resolver.is_base_too_long
            && can_remove_base(&link_report.outcome);
        let mut removal = None;
        let decision = match selected.rule.base_rule {
            // An identifier is never written, whatever a callback decides.
            BaseRule::Identifier => Decision::Keep,
            _ => self.decider.decide(&link_report, None),
        };
        let mut added = Vec::new();
        let text = match (decision, &link_report.outcome) {
            // Before the target: a BASE to be removed has one, too.
            (Decision::Resolve, _) if removes_base => {
                removal = Some(if selected.rule.is_xml_base() {
                    ValueEdit::Remove
                } else {
                    ValueEdit::RemoveElement
                });
                None
            }
            (Decision::Resolve, Outcome::Resolved(target)) => Some(Cow::Borrowed(&**target)),
            (Decision::Replace(text), _) => Some(Cow::Owned(text)),
            (Decision::ReplaceAdding(text, attributes), _) => {
                added = attributes;
                Some(Cow::Owned(text))
            }
            (Decision::Remove, _) => {
                removal = Some(ValueEdit::Remove);
                None
            }
            (Decision::Resolve | Decision::Keep, _) => None,
        };
        // With relative output the target may be the reference itself, and a callback may return it too.
        let text = text.filter(|text| *text != link_report.link.reference);
        if let Some(text) = &text
            && self.resolver.settings.has_unknown_origin(text)
        {
            link_report.outcome = Outcome::Skipped(SkipReason::UnknownOrigin);
        } else if let Some(text) = text {
            match reference_edit(token, &text, span_mapper.non_ascii) {
                // Only the text of a callback gets here: an outcome was checked above.
                Ok(_) if is_unmappable => {
                    link_report.outcome = Outcome::Skipped(SkipReason::Undecodable);
                }
                Ok(edit) => {
                    // A removed value needs no edit.
                    if let ValueEdit::Edits(edits) = change {
                        edits.push(edit);
                        link_report.is_replaced = matches!(text, Cow::Owned(_));
                        if context.value_context == ValueContext::Attribute {
                            self.added.append(&mut added);
                        }
                    }
                }
                Err(reason) => link_report.outcome = Outcome::Skipped(reason),
            }
        }
        match removal {
            Some(removal) if context.value_context == ValueContext::Attribute => *change = removal,
            // There is no attribute to remove.
            Some(_) => link_report.outcome = Outcome::Skipped(SkipReason::Unwritable),
            None => {}
        }
        links.push(link_report);
    }

    /// Adds the attribute that keeps `value`, if it is one URL that `edits` replace and the settings ask for that.
    pub(super) fn keep_original(
        &mut self,
        selected: SelectedRule,
        value: &str,
        edits: &[TextEdit],
    ) {
        if let Some(name) = &self.resolver.settings.original
            && selected.rule.grammar == Grammar::Url
            && !edits.is_empty()
        {
            self.added.push((name.clone(), value.to_owned()));
        }
    }

    /// Adds the edit of `token`, the integrity metadata of the last link, to `change`.
    fn visit_integrity(
        &mut self,
        token: &ReferenceToken<'_>,
        span_mapper: &SpanMapper<'_>,
        links: &[LinkReport<'_>],
        change: &mut ValueEdit,
    ) {
        let is_asked = self
            .resolver
            .settings
            .selection
            .beside()
            .contains(&INTEGRITY);
        let (true, Some(link_report), ValueEdit::Edits(edits)) = (is_asked, links.last(), change)
        else {
            return;
        };
        let beside = BesideLink {
            name: INTEGRITY,
            value: &token.reference,
        };
        let text = match self.decider.decide(link_report, Some(beside)) {
            Decision::Replace(text) | Decision::ReplaceAdding(text, _) => text,
            // Without metadata, the member would be an error.
            Decision::Remove => String::new(),
            Decision::Resolve | Decision::Keep => return,
        };
        edits.extend(reference_edit(token, &text, span_mapper.non_ascii));
    }

    /// Appends the links of a document that is a single value to `links` and returns its edits.
    ///
    /// `element` is its element name in reports. The edits are ordered and disjoint.
    pub(super) fn visit_document_value<'t>(
        &mut self,
        text: &'t str,
        (grammar, element): (Grammar, &'static str),
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        let owner = ValueOwner {
            namespace: Namespace::Html,
            element: &Cow::Borrowed(element),
            kind: ValueKind::Document,
            value_of: &|_| None,
        };
        let selected = SelectedRule::of(LinkRule::new(grammar, Role::Resource));
        let change = self.visit_value(&owner, selected, text, span_mapper, links);
        change.into_edits()
    }

    /// Appends the links of a document that is a value (`srcdoc`, content of a feed) to `links` and returns the change
    /// of the value.
    ///
    /// A document that is excluded, encoded, too long, too complex or too deeply nested is a single skipped link.
    fn visit_nested_document<'v>(
        &mut self,
        owner: &ValueOwner<'_, 'v, '_>,
        selected: SelectedRule,
        value: &'v str,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'v>>,
    ) -> ValueEdit {
        let tokens = match self.nested_tokens(owner, selected, value) {
            Ok(tokens) => tokens,
            Err(reason) => {
                let whole = Span::new(0, value.len());
                let token = ReferenceToken::literal(value, whole, Notation::Plain);
                links.push(LinkReport {
                    outcome: Outcome::Skipped(reason),
                    base: None,
                    depth: self.depth,
                    is_replaced: false,
                    link: owner.link(selected, &token, span_mapper.source_span(whole)),
                });
                return ValueEdit::Edits(Vec::new());
            }
        };
        let edits = self.with_nested(selected, &tokens, |nested| {
            let segment = nested.segment(value, &tokens, span_mapper, None);
            nested.visit_collecting(&segment, links)
        });
        ValueEdit::Edits(edits.unwrap_or_default())
    }

    /// Reads `value`, a document that is the value of a link.
    ///
    /// # Errors
    /// The document is excluded, encoded, too long, too complex or too deeply nested.
    pub(super) fn nested_tokens<'v>(
        &mut self,
        owner: &ValueOwner<'_, '_, '_>,
        selected: SelectedRule,
        value: &'v str,
    ) -> Result<Tokens<'v>, SkipReason> {
        if selected.is_excluded {
            return Err(SkipReason::Excluded);
        }
        if owner.is_in_base64() && !value.trim_ascii().is_empty() {
            return Err(SkipReason::Encoded);
        }
        if self.depth == MAX_DEPTH || value.len() > tap::LONGEST_TEXT {
            return Err(SkipReason::TooDeep);
        }
        // Many texts of feeds are text without markup.
        if memchr(b'<', value.as_bytes()).is_none() {
            return Ok(Tokens::default());
        }
        let (settings, budget) = (self.resolver.settings, &mut self.stats.budget);
        let parsed = settings.parse(settings.reader, value, budget.next_links(), budget);
        let parsed = parsed.map_err(|_| SkipReason::TooDeep)?;
        Ok(parsed.tokens)
    }

    /// Calls `visit` with a visitor for the document that has these tokens and is the value of a link.
    ///
    /// Returns `None` without calling it if the document has no links. Then no base URL need be established.
    pub(super) fn with_nested<R>(
        &mut self,
        selected: SelectedRule,
        tokens: &Tokens<'_>,
        visit: impl FnOnce(&mut LinkVisitor<'_>) -> R,
    ) -> Option<R> {
        if tokens.start_tags.is_empty() && tokens.conditional_comments.is_empty() {
            self.stats.tags += tokens.tags;
            self.stats.mismatched_tags += tokens.mismatches;
            return None;
        }
        let container = self.resolver.container(selected.rule);
        let resolver = self.resolver.nested(container, &tokens.base_elements);
        Some(visit(&mut LinkVisitor {
            resolver: &resolver,
            decider: self.decider.reborrow(),
            rows: self.rows,
            depth: self.depth + 1,
            added: Vec::new(),
            stats: self.stats,
        }))
    }
}

/// Returns whether a BASE whose `href` has this outcome can be removed without loss.
///
/// It can if its URL went into the other links, or if its `href` is empty. A BASE that could not be resolved must
/// remain, because the links that depend on it are still relative.
fn can_remove_base(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Resolved(_) | Outcome::Absolute => true,
        Outcome::Skipped(reason) => *reason == SkipReason::Empty,
    }
}
