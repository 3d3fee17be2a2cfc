//! [`LinkVisitor`]: the state of a visit of one document, and the simple path of it.
//!
//! Most of its methods are in other modules: [`super::markup`] visits the tokens of a text, [`super::value`] a decoded
//! value, [`super::embedded`] markup within markup, and [`super::tree`] a tree. Those of this module push values that
//! need not be decoded ([`super::simple`]).

use super::budget::LinkBudget;
use super::decision::Decider;
use super::resolve::LinkResolver;
use super::simple::SimpleReference;
use super::sink::Sink;
use super::source_text::{Element, Segment, Skeleton, SpanMapper, ValueSite};
use crate::grammar::ValueContext;
use crate::limits::Limit;
use crate::link::{LinkRule, RowFinder, RowLookup};
use crate::markup::tokens::{Attribute, Tokens};
use crate::record::LinkCounts;
use crate::span::Span;
use crate::unsupported::Unsupported;

/// Visits the links of one document: resolves each link, obtains a decision about it, and computes its edit.
pub(super) struct LinkVisitor<'w> {
    pub(super) resolver: &'w LinkResolver<'w>,
    pub(super) decider: Decider<'w>,
    pub(super) rows: RowFinder<'w>,
    pub(super) stats: &'w mut VisitStats,
    /// The number of documents that this one is nested in.
    pub(super) depth: usize,
    /// The attributes that a callback or a setting has added to the element.
    pub(super) added: Vec<(String, String)>,
}

/// Facts about the tags and links that were visited, including those of nested documents.
pub(super) struct VisitStats {
    /// The budget of the document, and what was spent of it.
    pub(super) budget: LinkBudget,
    /// The number of tags.
    pub(super) tags: usize,
    /// The number of tags that were left unchanged because splitting them did not yield html5ever's attributes.
    pub(super) mismatched_tags: usize,
    /// The numbers of edits beside links, and of those that were not made.
    pub(super) beside: LinkCounts,
    /// Whether an attribute of a `meta` element was edited, which may change the declared encoding.
    pub(super) edits_meta: bool,
    /// Attributes that repeat a link attribute of the same tag with different text, in bytes of the document.
    pub(super) duplicates: Vec<Span>,
    /// The reason why the document is unsupported after all: for example, the markup of a conditional comment is.
    pub(super) unsupported: Option<Unsupported>,
}

/// The numbers of [`VisitStats`] at a time.
pub(super) struct StatsCheckpoint {
    budget: LinkBudget,
    tags: usize,
    mismatched_tags: usize,
    beside: LinkCounts,
    duplicates: usize,
    unsupported: Option<Unsupported>,
}

impl VisitStats {
    pub(super) fn new(budget: LinkBudget) -> Self {
        Self {
            budget,
            tags: 0,
            mismatched_tags: 0,
            beside: LinkCounts::default(),
            edits_meta: false,
            duplicates: Vec::new(),
            unsupported: None,
        }
    }

    /// Returns whether the document is unsupported: the rest of its links need not be visited. Records that its budget
    /// is spent.
    #[inline]
    pub(super) fn is_unsupported(&mut self) -> bool {
        if self.budget.is_exceeded() {
            self.unsupported = self.budget.exceeded().map(Unsupported::LimitExceeded);
        }
        self.unsupported.is_some()
    }

    /// Returns whether a value may have another reference after `earlier` ones; records the limit if not.
    pub(super) fn may_visit(&mut self, earlier: usize) -> bool {
        if earlier >= self.budget.value_links() {
            self.unsupported = Some(Unsupported::LimitExceeded(Limit::ValueLinks));
        }
        !self.is_unsupported()
    }

    /// Spends what `reference` costs in as many nested documents as `depth`.
    #[inline]
    fn spend(&mut self, reference: &SimpleReference<'_>, depth: usize) {
        match reference {
            SimpleReference::NoReference => {}
            SimpleReference::Absolute(_) => self.budget.spend(0, depth),
            SimpleReference::Resolved(_, target) => {
                self.budget.spend(target.len(), depth);
            }
        }
    }

    /// Returns the current numbers, for [`rollback`](Self::rollback).
    pub(super) fn checkpoint(&self) -> StatsCheckpoint {
        StatsCheckpoint {
            budget: self.budget,
            tags: self.tags,
            mismatched_tags: self.mismatched_tags,
            beside: self.beside,
            duplicates: self.duplicates.len(),
            unsupported: self.unsupported,
        }
    }

    /// Drops the facts about what was visited since `checkpoint`, which must not include tags of the document itself.
    pub(super) fn rollback(&mut self, checkpoint: &StatsCheckpoint) {
        self.budget = checkpoint.budget;
        self.tags = checkpoint.tags;
        self.mismatched_tags = checkpoint.mismatched_tags;
        self.beside = checkpoint.beside;
        self.duplicates.truncate(checkpoint.duplicates);
        self.unsupported = checkpoint.unsupported;
    }
}

impl<'w> LinkVisitor<'w> {
    /// Creates a visitor for a document that is not nested.
    pub(super) fn new(
        resolver: &'w LinkResolver<'w>,
        decider: Decider<'w>,
        stats: &'w mut VisitStats,
    ) -> Self {
        Self {
            resolver,
            decider,
            rows: RowFinder::new(&resolver.settings.selection),
            stats,
            depth: 0,
            added: Vec::new(),
        }
    }

    /// Returns the segment of `text` whose tokens are `tokens`.
    pub(super) fn segment<'p, 't>(
        &self,
        text: &'t str,
        tokens: &'p Tokens<'t>,
        span_mapper: &'p SpanMapper<'p>,
        skeleton: Option<Skeleton<'p>>,
    ) -> Segment<'p, 't>
    where
        'w: 'p,
    {
        let document_base = self.resolver.document_base.as_ref();
        Segment {
            text,
            tokens,
            span_mapper,
            skeleton,
            base: document_base.map(|resolution_base| &resolution_base.base),
            depth: self.depth,
            is_in_section: false,
            removed: &[],
        }
    }
}

impl LinkVisitor<'_> {
    /// Pushes the references of `attribute` and returns `true`, if all of them are simple or it has none.
    ///
    /// Otherwise leaves `sink` unchanged and returns `false`.
    #[inline]
    pub(super) fn push_simple<'t, S: Sink<'t>>(
        &mut self,
        site: &ValueSite<'_, 't>,
        attribute: &Attribute<'t>,
        sink: &mut S,
    ) -> bool {
        let (text, syntax) = (
            site.element.segment.text,
            site.element.segment.tokens.syntax,
        );
        let resolver = self.resolver;
        if let Some(simple) = resolver.simple(text, attribute, site.lookup, syntax) {
            let is_pushed = push_reference(sink, site, text, &simple, Some);
            if is_pushed {
                self.stats.spend(&simple, self.depth);
            }
            return is_pushed;
        }
        // Unquoted lists are left to the general path, and so are duplicates, which only it reports.
        let value = (attribute.value, ValueContext::Attribute);
        attribute.is_quoted_and_unique()
            && self.push_simple_list(site, value, site.lookup.rule(), sink)
    }

    /// Returns whether an attribute of `element` may be looked up; records the limit if not.
    ///
    /// The condition of a selector searches all attributes, and `*` may select each of them.
    pub(super) fn may_select(&mut self, element: &Element<'_, '_>, lookup: RowLookup) -> bool {
        let count = element.segment.tokens.attributes(element.tag).len();
        let is_limited = matches!(lookup, RowLookup::Selectors);
        if is_limited && count > self.resolver.settings.limits.get(Limit::Attributes) {
            self.stats.unsupported = Some(Unsupported::LimitExceeded(Limit::Attributes));
            return false;
        }
        true
    }

    /// Pushes the references of the value at `span` and returns `true`, if all of them are simple.
    ///
    /// Otherwise leaves `sink` unchanged and returns `false`.
    pub(super) fn push_simple_list<'t, S: Sink<'t>>(
        &mut self,
        site: &ValueSite<'_, 't>,
        (span, context): (Span, ValueContext),
        rule: Option<LinkRule>,
        sink: &mut S,
    ) -> bool {
        let Some(rule) = rule else {
            return false;
        };
        let (resolver, segment) = (self.resolver, site.element.segment);
        let context = (context, segment.tokens.syntax);
        let (budget, checkpoint) = (self.stats.budget, sink.checkpoint());
        let (stats, depth) = (&mut *self.stats, self.depth);
        let mut earlier = 0;
        let mut may_push = |reference: &SimpleReference<'_>| {
            if !stats.may_visit(earlier) {
                return false;
            }
            earlier += 1;
            stats.spend(reference, depth);
            !stats.is_unsupported()
        };
        let is_pushed = if let Some(skeleton) = segment.skeleton.filter(|_| !segment.is_exact(span))
        {
            // CSS and `srcset` may contain any text next to a simple reference, so a masked value is decoded. Spans of
            // the decoded text are mapped back to the segment, which has the offsets of the document.
            let decoded = skeleton.decoded(span);
            let text = &*decoded.text;
            let to_segment = |inner| Some(decoded.map.source_span(inner)?.shifted(span.start));
            resolver.each_simple(text, Span::new(0, text.len()), rule, context, |reference| {
                may_push(&reference) && push_reference(sink, site, text, &reference, to_segment)
            })
        } else {
            resolver.each_simple(segment.text, span, rule, context, |reference| {
                may_push(&reference) && push_reference(sink, site, segment.text, &reference, Some)
            })
        };
        if is_pushed {
            sink.commit();
        } else {
            // References before the first one that is not simple have been pushed.
            sink.rollback(checkpoint);
            if !self.stats.is_unsupported() {
                self.stats.budget = budget;
            }
        }
        is_pushed
    }
}

/// Pushes a simple reference as [`Sink::push_simple`] does, if a CDATA section around it is able to contain its edit.
#[inline]
fn push_reference<'t, S: Sink<'t>>(
    sink: &mut S,
    site: &ValueSite<'_, 't>,
    text: &str,
    simple: &SimpleReference<'_>,
    to_segment: impl Fn(Span) -> Option<Span>,
) -> bool {
    if let SimpleReference::Resolved(_, target) = simple
        && !site.element.segment.is_literal(target.prefix)
    {
        return false;
    }
    sink.push_simple(site, text, simple, to_segment)
}
