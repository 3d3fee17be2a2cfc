//! Rewrites the links of a parsed tree in place.
//!
//! The values of a tree are decoded already, and the serializer will escape them. So edits are applied to the values
//! directly, and spans refer to values. Nothing is read back, so there is no verification and no fallback.
//!
//! Markup within the tree that is not read, because it exceeds a limit, is left unchanged. The rest is rewritten, since
//! nodes before it have changed already.
//!
//! # Text that is not escaped
//!
//! The serializer escapes neither comments nor the text of `style` and `script`. In such text, characters that the
//! encoding lacks are written as escapes of the grammar; in comments as character references, which programs that read
//! the comment as markup decode. A replacement that would end the element or the comment is not written, and its links
//! are skipped.
//!
//! # Changes of the tree
//!
//! Attributes and texts change while the tree is iterated. Nodes are removed and replaced only after that, all at once
//! ([`Replacements`]):
//!
//! * With [`BaseElementPolicy::Remove`](crate::BaseElementPolicy::Remove), the `href` of a BASE is removed if it is
//!   empty or if its URL went into the other links. If it is the only attribute, the node is removed instead. Unlike in
//!   a document of bytes, that cannot bring a DOCTYPE into effect.
//! * A conditional comment with edits is replaced by a new node, because the text of a comment node is immutable.
//!
//! Last, [`BaseElementPolicy::Insert`](crate::BaseElementPolicy::Insert) adds a BASE.

use std::borrow::Cow;

use super::budget::LinkBudget;
use super::source_text::{Origin, SpanMapper};
use super::value::ValueEdit;
use super::visitor::{LinkVisitor, VisitStats};
use crate::base::BaseCandidates;
use crate::grammar::NonAscii;
use crate::html::charref;
use crate::html::conditional_comment::conditional_markup;
use crate::html::tap;
use crate::html::tree::element::{ElementChange, NodeText, TreeElement};
use crate::html::tree::replacements::Replacements;
use crate::html::tree::{Comment, Tree, Visited};
use crate::link::{Preset, TEXT};
use crate::markup::Namespace;
use crate::outcome::bases::DocumentBases;
use crate::outcome::edit::{TextEdit, apply_edits, in_comment};
use crate::outcome::options::Rewriter;
use crate::outcome::report::{
    Decider, LinkCounts, LinkPlace, LinkReport, Report, SkipReason, mark_skipped,
};
use crate::outcome::resolve::LinkResolver;
use crate::outcome::value_owner::{ValueKind, ValueOwner};
use crate::unsupported::Unsupported;

/// The mapper of the value of an attribute in a tree, which has no source.
const NO_SOURCE: SpanMapper<'static> = SpanMapper {
    origin: Origin::Tree,
    non_ascii: NonAscii::Literal,
};

/// The report of a rewritten tree, and the place of each link.
pub(super) struct RewrittenTree {
    pub(super) report: Report<'static>,
    /// The place of each link of the report.
    pub(super) places: Vec<LinkPlace>,
}

/// The links that were found so far in the nodes of a tree, and markup that was not read.
#[derive(Default)]
struct TreeLinks {
    links: Vec<LinkReport<'static>>,
    /// The place of each link. Invariant: as long as `links`, between visits of values.
    places: Vec<LinkPlace>,
    /// The reason why markup within the tree was not read, if any was not.
    unsupported: Option<Unsupported>,
}

impl TreeLinks {
    /// Ends the visit of a value: sets the place of its links, and lets the visit of the tree go on, also if the value
    /// has markup that was not read.
    fn end_value(&mut self, stats: &mut VisitStats, node: usize, attribute: Option<usize>) {
        let place = LinkPlace { node, attribute };
        self.places.resize(self.links.len(), place);
        self.unsupported = self.unsupported.or(stats.unsupported.take());
    }
}

/// Rewrites the links of `tree` according to `decider`.
pub(super) fn rewrite(
    settings: &Rewriter,
    tree: &Tree,
    candidates: &BaseCandidates<'_>,
    mut decider: Decider<'_>,
) -> RewrittenTree {
    let bases = DocumentBases::establish(&tree.base_elements(), candidates, settings);
    let resolver = LinkResolver::new(settings, &bases, candidates, tree.encoding());
    let mut stats = VisitStats::new(LinkBudget::of_tree(&settings.limits));
    let mut visitor = LinkVisitor::new(&resolver, decider.reborrow(), &mut stats);
    let mut found = TreeLinks::default();
    // Nodes are removed and replaced only after the iteration of the tree.
    let mut replacements = Replacements::default();
    for (index, node) in tree.nodes().enumerate() {
        match node {
            Visited::Element(element) => {
                visitor.visit_tree_element(index, &element, &mut replacements, &mut found);
                let is_noscript = tree.has_raw_noscripts() && element.is_noscript();
                if is_noscript || element.is_noframes() {
                    visitor.visit_tree_noscript(&element, &mut found.links);
                    found.end_value(visitor.stats, index, None);
                }
            }
            Visited::Comment(comment) if settings.selection.has(Preset::Comments) => {
                visitor.visit_tree_comment(&comment, &mut replacements, &mut found.links);
                found.end_value(visitor.stats, index, None);
            }
            Visited::Comment(_) => {}
        }
    }
    replacements.make();
    if let Some(base) = resolver.inserted_base() {
        tree.insert_base(&base);
    }
    let TreeLinks {
        links,
        places,
        unsupported,
    } = found;
    let report = Report {
        base: bases.report,
        counts: LinkCounts::of(&links),
        links,
        unsupported,
        tags: stats.tags,
        mismatched_tags: stats.mismatched_tags,
        ..Report::default()
    };
    RewrittenTree { report, places }
}

impl LinkVisitor<'_> {
    /// Rewrites the links of an element, which is the node at `index`.
    fn visit_tree_element(
        &mut self,
        index: usize,
        element: &TreeElement,
        replacements: &mut Replacements,
        found: &mut TreeLinks,
    ) {
        let Some(namespace) = element.namespace() else {
            return;
        };
        if !self.visit_tree_attributes(index, namespace, element, found) {
            element.remove(replacements);
        } else if namespace.text_may_contain_links(element.name()) {
            self.visit_tree_text(namespace, element, &mut found.links);
            found.end_value(self.stats, index, None);
        }
    }

    /// Rewrites the links of the element's attributes; returns whether the element is kept.
    fn visit_tree_attributes(
        &mut self,
        index: usize,
        namespace: Namespace,
        element: &TreeElement,
        found: &mut TreeLinks,
    ) -> bool {
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
        let selection = &self.resolver.settings.selection;
        let mut is_removed = false;
        let mut position = 0;
        element.for_each_attribute(|name, value| {
            let attribute = position;
            position += 1;
            let selected = selection.lookup(namespace, element.name(), name, &value_of);
            // An attribute can be called `#text`, the name that selects the text of an element. It is no link.
            let Some(selected) = selected.filter(|_| name != TEXT) else {
                return ElementChange::Keep;
            };
            let owner = ValueOwner {
                namespace,
                element: &Cow::Borrowed(element.name()),
                kind: ValueKind::Attribute(&Cow::Borrowed(name)),
                value_of: &value_of,
            };
            let links = &mut found.links;
            self.stats.budget.lengthen(value.len());
            let change = self.visit_temporary_value(&owner, selected, value, &NO_SOURCE, links);
            found.end_value(self.stats, index, Some(attribute));
            match change {
                ValueEdit::Edits(edits) if edits.is_empty() => ElementChange::Keep,
                ValueEdit::Edits(edits) => ElementChange::Set(apply_edits(value, &edits)),
                ValueEdit::Remove => ElementChange::Remove,
                ValueEdit::RemoveElement => {
                    // Changes take effect after the last attribute, so this one is still counted.
                    is_removed = element.attributes().len() == 1;
                    ElementChange::Remove
                }
            }
        });
        !is_removed
    }

    /// Rewrites the links of the element's text.
    fn visit_tree_text(
        &mut self,
        namespace: Namespace,
        element: &TreeElement,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
        let selection = &self.resolver.settings.selection;
        let selected = selection.lookup(namespace, element.name(), TEXT, &value_of);
        let Some(selected) = selected else {
            return;
        };
        let NodeText { text, is_whole } = element.text();
        let owner = ValueOwner {
            namespace,
            element: &Cow::Borrowed(element.name()),
            kind: ValueKind::Text,
            value_of: &value_of,
        };
        let first_link = links.len();
        // A text in several nodes, with others between them, has no node that it could be written to.
        let origin = if is_whole {
            Origin::Tree
        } else {
            Origin::Fragments
        };
        let span_mapper = SpanMapper::new(origin, self.resolver.encoding);
        self.stats.budget.lengthen(text.len());
        let change = self.visit_temporary_value(&owner, selected, &text, &span_mapper, links);
        let edits = change.into_edits();
        // The serializer does not escape raw text, so `<` could end the element.
        if edits.iter().any(|edit| edit.replacement.contains('<')) {
            mark_skipped(&mut links[first_link..], SkipReason::Unwritable);
        } else if !edits.is_empty() {
            element.set_text(&apply_edits(&text, &edits));
        }
    }

    /// Rewrites the links in the text of a NOSCRIPT element, which is read as markup.
    fn visit_tree_noscript(&mut self, element: &TreeElement, links: &mut Vec<LinkReport<'static>>) {
        let NodeText { text, is_whole } = element.text();
        // More than html5ever accepts.
        if !is_whole || text.len() > tap::LONGEST_TEXT {
            return;
        }
        let budget = &mut self.stats.budget;
        budget.lengthen(text.len());
        let tokens = match self.resolver.settings.parse_noscript(&text, budget) {
            Ok(tokens) => tokens,
            Err(reason) => {
                self.stats.unsupported = Some(reason);
                return;
            }
        };
        let mut own_links = Vec::new();
        let encoding = self.resolver.encoding;
        let span_mapper = SpanMapper::new(Origin::Tree, encoding);
        let segment = self.segment(&text, &tokens, &span_mapper, None);
        let edits = self.collect(&segment, &mut own_links);
        if !edits.is_empty() {
            let edits: Vec<_> = edits
                .into_iter()
                .map(|edit| edit.in_encoding(encoding))
                .collect();
            element.set_text(&apply_edits(&text, &edits));
        }
        links.extend(own_links.into_iter().map(LinkReport::into_owned));
    }

    /// Rewrites the links of a comment, if it is a conditional one.
    fn visit_tree_comment(
        &mut self,
        comment: &Comment,
        replacements: &mut Replacements,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let text = comment.text();
        let Some(span) = conditional_markup(text) else {
            return;
        };
        let markup = &text[span.start..span.end];
        // More than html5ever accepts.
        if markup.len() > tap::LONGEST_TEXT {
            return;
        }
        self.stats.budget.lengthen(markup.len());
        let mut own_links = Vec::new();
        let encoding = self.resolver.encoding;
        let text_mapper = SpanMapper::new(Origin::Tree, encoding);
        let markup = charref::decode_raw(markup, span.start);
        let edits = self.visit_markup(&markup, &text_mapper, &mut own_links);
        // The serializer does not escape comments, so this must happen here. Only programs that read the comment as
        // markup decode these character references.
        let to_writable = |edit: TextEdit| edit.in_encoding(encoding);
        let edits: Vec<_> = edits.into_iter().map(to_writable).collect();
        match in_comment(&markup, &edits) {
            Some(edits) if edits.is_empty() => {}
            Some(edits) => comment.set_text(&apply_edits(text, &edits), replacements),
            None => mark_skipped(&mut own_links, SkipReason::Unwritable),
        }
        links.extend(own_links.into_iter().map(LinkReport::into_owned));
    }
}
