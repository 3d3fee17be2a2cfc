//! [`LinkVisitor`] over one value: from a decoded value to its links and to the edits that rewrite them.
//!
//! A value is the text of an attribute or element after decoding, or a whole style sheet. [`LinkVisitor::visit_value`]
//! sees only the value. Its callers map the edits back: [`super::visitor`] to the source text, [`super::tree`] to a
//! tree node.
//!
//! # Steps
//!
//! 1. The grammar of the link splits the value into references ([`references`]). Each [`ReferenceToken`] has the
//!    unescaped reference, its span, and a map between the two.
//! 2. The resolver determines the [`Outcome`]. A resolved reference is skipped after all if the value cannot represent
//!    the target, or if there is a source and the reference has no span in it.
//! 3. The [`Decider`] determines what is written: always the target, nothing, or what a callback returns for the
//!    [`LinkReport`]. The decision changes the reported outcome only if it cannot be carried out.
//! 4. [`reference_edit`] computes the edit. It keeps the common suffix of reference and target as the author wrote it,
//!    escapes included.
//!
//! A value that is a document (`srcdoc`) is parsed and visited by a nested visitor instead, whose edits become those of
//! the value.
//!
//! # Invariant
//!
//! Every link of a value is appended to the list of links, in document order, whether it is written or not. If the text
//! to write (the target of a resolved link, or the text that a callback returned) cannot be written, the link is
//! recorded as skipped, with the reason.
//!
//! There is one exception. If all edits of a text turn out to be impossible, [`mark_skipped`] changes *resolved* links
//! only. For any other link, the text that a callback returned is dropped without a record.

use std::borrow::Cow;
use std::sync::Arc;

use super::edit::{TextEdit, reference_edit};
use super::options::BaseElementPolicy;
use super::report::{Decision, LinkReport, Outcome, SkipReason};
use super::resolve::ResolutionBase;
use super::source_text::SpanMapper;
use super::visitor::LinkVisitor;
use crate::grammar::{Grammar, Notation, ReferenceToken, ValueContext, references, single};
use crate::html::{Namespace, tap};
use crate::link::{Link, LinkRule, Role, RowFinder, SelectedRule, TEXT};
use crate::span::Span;

/// The maximum nesting depth of documents in attributes.
///
/// Each level is parsed separately, so the limit bounds the time. No real page comes close to it, because every level
/// escapes the escapes of the levels in it once more.
const MAX_DEPTH: usize = 16;

/// The element name in reports of links of a style sheet that is a document of its own.
const STYLE_SHEET_ELEMENT: &str = "css";

/// The source of decisions about links.
pub(super) enum Decider<'w> {
    /// Writes every target.
    Resolve,
    /// Writes nothing.
    Keep,
    /// Asks a callback.
    Ask(&'w mut dyn FnMut(&LinkReport<'_>) -> Decision),
}

impl Decider<'_> {
    /// Returns the decision about a link.
    fn decide(&mut self, link_report: &LinkReport<'_>) -> Decision {
        match self {
            Self::Resolve => Decision::Resolve,
            Self::Keep => Decision::Keep,
            Self::Ask(decide) => decide(link_report),
        }
    }

    /// Returns a decider for a nested visitor, which borrows the callback of this one.
    pub(super) fn reborrow(&mut self) -> Decider<'_> {
        match self {
            Self::Resolve => Decider::Resolve,
            Self::Keep => Decider::Keep,
            Self::Ask(decide) => Decider::Ask(&mut **decide),
        }
    }
}

/// The owner of a value: an element, and the part of the element that the value is.
pub(super) struct ValueOwner<'h, 'v, 'w> {
    pub(super) namespace: Namespace,
    pub(super) element: &'h Cow<'v, str>,
    pub(super) kind: ValueKind<'h, 'v>,
    /// The decoded values of the element's attributes, by name.
    pub(super) value_of: &'h dyn Fn(&str) -> Option<Cow<'w, str>>,
}

/// The part of an element that a value is.
#[derive(Clone, Copy)]
pub(super) enum ValueKind<'h, 'v> {
    /// The attribute with this name.
    Attribute(&'h Cow<'v, str>),
    /// The text of the element.
    Text,
    /// There is no element: the value is a style sheet that is a document of its own.
    StyleSheet,
}

/// The change of a value.
pub(super) enum ValueEdit {
    /// No change.
    Keep,
    /// One edit, in bytes of the value. The common case, without a list.
    OneEdit(TextEdit),
    /// Edits in bytes of the value, ordered and disjoint.
    Edits(Vec<TextEdit>),
    /// Removal of the attribute.
    Remove,
    /// Removal of the attribute, and of the element if it has no other attribute.
    RemoveElement,
}

impl ValueEdit {
    /// Adds an edit, unless the value is removed.
    fn add(&mut self, edit: TextEdit) {
        match self {
            Self::Keep => *self = Self::OneEdit(edit),
            Self::OneEdit(first) => {
                let edits = vec![std::mem::take(first), edit];
                *self = Self::Edits(edits);
            }
            Self::Edits(edits) => edits.push(edit),
            Self::Remove | Self::RemoveElement => {}
        }
    }

    /// Returns the edits, or `None` if the value is kept or removed.
    pub(super) fn edits(&self) -> Option<&[TextEdit]> {
        match self {
            Self::OneEdit(edit) => Some(std::slice::from_ref(edit)),
            Self::Edits(edits) => Some(edits),
            Self::Keep | Self::Remove | Self::RemoveElement => None,
        }
    }
}

/// Properties that all references of one value share.
struct ReferenceContext<'c, 'v, 'w> {
    owner: &'c ValueOwner<'c, 'v, 'w>,
    selected: SelectedRule,
    resolution_base: Result<Option<&'c ResolutionBase>, SkipReason>,
    value_context: ValueContext,
    span_mapper: &'c SpanMapper<'c>,
}

/// The action to take for a link.
enum LinkAction {
    Keep,
    /// Replace the reference with its target.
    Resolve,
    /// Replace the reference with this text.
    Replace(String),
    /// Remove the attribute, and perhaps the element: [`ValueEdit::Remove`] or [`ValueEdit::RemoveElement`].
    Remove(ValueEdit),
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
                ValueKind::Text | ValueKind::StyleSheet => ValueContext::Text,
            },
            span_mapper,
        };
        let mut change = ValueEdit::Keep;
        if selected.rule.grammar == Grammar::Url {
            // Most values are one reference, which needs no list.
            let token = ReferenceToken::literal(value, single(value), Notation::Plain);
            self.visit_reference(&context, &token, links, &mut change);
        } else {
            for token in references(selected.rule.grammar, value, context.value_context) {
                self.visit_reference(&context, &token, links, &mut change);
            }
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
        let ReferenceContext {
            owner,
            selected,
            resolution_base,
            span_mapper,
            ..
        } = *context;
        let span = span_mapper.source_span(token.span);
        // There is a source, but this range of it cannot be replaced. In a tree there is no source and no such limit.
        let is_unmappable = span_mapper.has_source() && span.is_none();
        let outcome = match self
            .resolver
            .outcome(selected, &token.reference, resolution_base)
        {
            Outcome::Resolved(target) if !token.can_represent(&target) => {
                Outcome::Skipped(SkipReason::Unwritable)
            }
            Outcome::Resolved(_) if is_unmappable => Outcome::Skipped(SkipReason::Undecodable),
            outcome => outcome,
        };
        let mut link_report = LinkReport {
            outcome,
            base: resolution_base
                .ok()
                .flatten()
                .map(|resolution_base| Arc::clone(&resolution_base.base)),
            link: owner.link(selected, token, span),
            depth: self.depth,
        };
        let text = match (self.action(selected, &link_report), &link_report.outcome) {
            (LinkAction::Resolve, Outcome::Resolved(target)) => Some(Cow::Borrowed(&**target)),
            // `action` returns `Resolve` for a resolved link only.
            (LinkAction::Resolve | LinkAction::Keep, _) => None,
            (LinkAction::Replace(text), _) => Some(Cow::Owned(text)),
            (LinkAction::Remove(removal), _)
                if context.value_context == ValueContext::Attribute =>
            {
                *change = removal;
                None
            }
            (LinkAction::Remove(_), _) => {
                // There is no attribute to remove.
                link_report.outcome = Outcome::Skipped(SkipReason::Unwritable);
                None
            }
        };
        // With relative output the target may be the reference itself, and a callback may return it too.
        if let Some(text) = text.filter(|text| *text != link_report.link.reference) {
            match reference_edit(token, &text, span_mapper.non_ascii) {
                // Only the text of a callback gets here: an outcome was checked above.
                Ok(_) if is_unmappable => {
                    link_report.outcome = Outcome::Skipped(SkipReason::Undecodable);
                }
                Ok(edit) => change.add(edit),
                Err(reason) => link_report.outcome = Outcome::Skipped(reason),
            }
        }
        links.push(link_report);
    }

    /// Returns the action for a link, by the decider and the settings.
    fn action(&mut self, selected: SelectedRule, link_report: &LinkReport<'_>) -> LinkAction {
        let removes_base = selected.rule.is_base_element()
            && self.resolver.settings.base_element == BaseElementPolicy::Remove
            && can_remove_base(&link_report.outcome);
        match (self.decider.decide(link_report), &link_report.outcome) {
            // Before `Resolve`: a BASE to be removed has a target too.
            (Decision::Resolve, _) if removes_base => LinkAction::Remove(ValueEdit::RemoveElement),
            (Decision::Resolve, Outcome::Resolved(_)) => LinkAction::Resolve,
            (Decision::Replace(text), _) => LinkAction::Replace(text),
            (Decision::Remove, _) => LinkAction::Remove(ValueEdit::Remove),
            (Decision::Resolve | Decision::Keep, _) => LinkAction::Keep,
        }
    }

    /// Appends the links of a style sheet that is a document of its own to `links` and returns its edits.
    ///
    /// The edits are ordered and disjoint.
    pub(super) fn visit_style_sheet<'t>(
        &mut self,
        text: &'t str,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'t>>,
    ) -> Vec<TextEdit> {
        let owner = ValueOwner {
            namespace: Namespace::Html,
            element: &Cow::Borrowed(STYLE_SHEET_ELEMENT),
            kind: ValueKind::StyleSheet,
            value_of: &|_| None,
        };
        let selected = SelectedRule::of(LinkRule::new(Grammar::Css, Role::Resource));
        let change = self.visit_value(&owner, selected, text, span_mapper, links);
        change.edits().map(<[TextEdit]>::to_vec).unwrap_or_default()
    }

    /// Appends the links of a document that is the value of an attribute to `links` and returns the change of the
    /// value.
    ///
    /// A document that is excluded, too long or too deeply nested is a single skipped link.
    fn visit_nested_document<'v>(
        &mut self,
        owner: &ValueOwner<'_, 'v, '_>,
        selected: SelectedRule,
        value: &'v str,
        span_mapper: &SpanMapper<'_>,
        links: &mut Vec<LinkReport<'v>>,
    ) -> ValueEdit {
        let reason = if selected.is_excluded {
            Some(SkipReason::Excluded)
        } else if self.depth == MAX_DEPTH || value.len() > tap::LONGEST_TEXT {
            Some(SkipReason::TooDeep)
        } else {
            None
        };
        if let Some(reason) = reason {
            let whole = Span::new(0, value.len());
            let token = ReferenceToken::literal(value, whole, Notation::Plain);
            links.push(LinkReport {
                outcome: Outcome::Skipped(reason),
                base: None,
                depth: self.depth,
                link: owner.link(selected, &token, span_mapper.source_span(whole)),
            });
            return ValueEdit::Keep;
        }
        let tokens = self.resolver.settings.parse(value).tokens;
        let resolver = self.resolver.nested(&tokens.base_elements);
        let mut nested = LinkVisitor {
            resolver: &resolver,
            decider: self.decider.reborrow(),
            rows: RowFinder::new(&resolver.settings.selection),
            depth: self.depth + 1,
            stats: self.stats,
        };
        let segment = nested.segment(value, &tokens, span_mapper, None);
        let edits = nested.collect(&segment, links);
        if edits.is_empty() {
            ValueEdit::Keep
        } else {
            ValueEdit::Edits(edits)
        }
    }
}

impl<'v> ValueOwner<'_, 'v, '_> {
    /// Returns the link of `token`, whose span in the document is `span`.
    fn link(
        &self,
        selected: SelectedRule,
        token: &ReferenceToken<'v>,
        span: Option<Span>,
    ) -> Link<'v> {
        let attribute = match self.kind {
            ValueKind::Attribute(name) => name.clone(),
            ValueKind::Text => Cow::Borrowed(TEXT),
            // Reports name the CSS construct instead: `url()`, `@import` and so on. Every CSS reference has one.
            ValueKind::StyleSheet => Cow::Borrowed(token.construct.unwrap_or(TEXT)),
        };
        Link {
            element: element_name(self.namespace, self.element),
            attribute,
            grammar: selected.rule.grammar,
            role: selected.rule.role,
            reference: token.reference.clone(),
            span,
        }
    }
}

/// Returns the name of an element in reports: with a prefix in SVG and MathML.
pub(super) fn element_name<'v>(namespace: Namespace, name: &Cow<'v, str>) -> Cow<'v, str> {
    match namespace.prefix() {
        "" => name.clone(),
        prefix => Cow::Owned([prefix, name].concat()),
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

/// Marks every resolved link among `links` as skipped, because the edits of their common text turned out to be
/// impossible.
pub(super) fn mark_skipped(links: &mut [LinkReport<'_>], reason: SkipReason) {
    for link_report in links {
        if matches!(link_report.outcome, Outcome::Resolved(_)) {
            link_report.outcome = Outcome::Skipped(reason);
        }
    }
}
