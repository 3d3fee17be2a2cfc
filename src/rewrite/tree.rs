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

use encoding_rs::Encoding;

use super::budget::LinkBudget;
use super::decision::{BesideLink, Decider, Decision};
use super::edit::{TextEdit, apply_edits, in_comment};
use super::in_memory::unsupported_document;
use super::resolve::LinkResolver;
use super::resolve::document_bases::DocumentBases;
use super::source_text::{Origin, SpanMapper};
use super::value::ValueEdit;
use super::value_owner::{ValueKind, ValueOwner};
use super::visitor::{LinkVisitor, VisitStats};
use crate::base::BaseCandidates;
use crate::document::Document;
use crate::grammar::NonAscii;
use crate::html::charref;
use crate::html::conditional_comment::conditional_markup;
use crate::html::tap;
use crate::html::tap::outline::NodeText;
use crate::html::tree::Tree;
use crate::html::tree::element::{ElementChange, TreeElement};
use crate::html::tree::node_list::{NodeChange, NodeList};
use crate::html::tree::replacements::Replacements;
use crate::link::{Preset, SelectedRule, TEXT};
use crate::markup::Namespace;
use crate::record::{LinkCounts, LinkReport, Report, Rewritten, SkipReason, mark_skipped};
use crate::settings::{RewriteSettings, Rewriter};
use crate::unsupported::Unsupported;

/// The mapper of the value of an attribute in a tree, which has no source.
const NO_SOURCE: SpanMapper<'static> = SpanMapper {
    origin: Origin::Tree,
    non_ascii: NonAscii::Literal,
};

/// The result of [`rewrite_nodes`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RewrittenNodes {
    /// The changes to the nodes, in document order. An inserted BASE is last.
    pub changes: Vec<NodeChange>,
    /// The base URL and the links of the original tree.
    pub report: Report<'static>,
    /// The place of each link of the report, in the same order.
    pub places: Vec<LinkPlace>,
}

/// The value in a tree that contains a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkPlace {
    /// The index of the node among the elements and comments of the tree, in document order.
    pub node: usize,
    /// The index of the attribute; `None` for the text of the node.
    pub attribute: Option<usize>,
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

/// Makes every link of `tree` absolute, in place, unless `decide` decides otherwise; it is called for every link, in
/// document order. With [`Decision::Keep`], the report lists the links.
///
/// `candidates` are the base URLs known from outside the document; BASE is found in the tree. Prefer
/// [`Rewriter::rewrite`] for a document in bytes: parsing and serializing a tree changes much more than links.
///
/// # Source
/// RFC 1808 sections 3, 4 and 10.
///
/// # Complexity
/// Linear in the size of the tree and of the values written.
///
/// # Examples
/// ```
/// use absolve::tree::{self, Tree};
/// use absolve::{BaseCandidates, BaseSource, Decision, Rewriter};
///
/// let parsed = Tree::parse("<title>x</title><a href=g>g</a>");
/// let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "http://a/b/c");
/// tree::rewrite(&Rewriter::new(), &parsed, &candidates, |_| Decision::Resolve);
/// assert!(parsed.serialize().contains(r#"<a href="http://a/b/g">"#));
/// ```
pub fn rewrite(
    rewriter: &Rewriter,
    tree: &Tree,
    candidates: &BaseCandidates<'_>,
    mut decide: impl FnMut(&LinkReport<'_>) -> Decision,
) -> Report<'static> {
    rewrite_tree(&rewriter.settings, tree, candidates, &mut decide).0
}

/// Rewrites like [`rewrite`] a tree that another program holds, and returns the changes to its nodes.
#[must_use]
pub fn rewrite_nodes(
    rewriter: &Rewriter,
    nodes: NodeList,
    candidates: &BaseCandidates<'_>,
    mut decide: impl FnMut(&LinkReport<'_>) -> Decision,
) -> RewrittenNodes {
    let (report, places) = rewrite_tree(&rewriter.settings, &nodes.tree(), candidates, &mut decide);
    let changed = places.iter().map(|place| place.node);
    RewrittenNodes {
        changes: nodes.changes(changed),
        report,
        places,
    }
}

/// Rewrites the tree of an HTML document, and serializes it: quotes, letter case and white space in tags are those
/// of the serializer.
///
/// The document is returned as it is if it, or markup within it, is unsupported; the reason is in
/// [`Report::unsupported`]. There are no [edits](Rewritten::edits), and links have no spans.
///
/// # Complexity
/// Linear in the size of the tree and of the values written.
#[must_use]
pub fn rewrite_document<'d>(rewriter: &Rewriter, document: &Document<'d>) -> Rewritten<'d> {
    let rewritten = || {
        let tree = Tree::parse_bytes(document.bytes, document.encoding.map(Encoding::name))?;
        let report = rewrite(rewriter, &tree, &document.candidates, |_| Decision::Resolve);
        let unsupported = report.unsupported;
        unsupported.map_or(Ok((tree, report)), Err)
    };
    let (tree, mut report) = match rewritten() {
        Ok(rewritten) => rewritten,
        Err(reason) => return unsupported_document(&rewriter.settings, document, reason),
    };
    for link_report in &mut report.links {
        link_report.link.span = None;
    }
    Rewritten {
        bytes: Cow::Owned(tree.serialize_bytes()),
        edits: Vec::new(),
        edited: report.counts.resolved + report.counts.beside,
        report,
    }
}

/// Rewrites the links of `tree` as `decide` decides, and returns the report and the place of each of its links.
fn rewrite_tree(
    settings: &RewriteSettings,
    tree: &Tree,
    candidates: &BaseCandidates<'_>,
    decide: &mut dyn FnMut(&LinkReport<'_>) -> Decision,
) -> (Report<'static>, Vec<LinkPlace>) {
    let bases = DocumentBases::establish(&tree.base_elements(), candidates, settings);
    let resolver = LinkResolver::new(settings, &bases, candidates, tree.encoding());
    let mut stats = VisitStats::new(LinkBudget::of_tree(&settings.limits));
    // A tree has no bytes beside its links.
    let mut decide = |link_report: &LinkReport<'_>, _: Option<BesideLink<'_>>| decide(link_report);
    let mut visitor = LinkVisitor::new(&resolver, Decider::Ask(&mut decide), &mut stats);
    let mut found = TreeLinks::default();
    // Nodes are removed and replaced only after the iteration of the tree.
    let mut replacements = Replacements::default();
    for (index, node) in tree.nodes().enumerate() {
        if node.comment().is_some() {
            if settings.selection.has(Preset::Comments) {
                visitor.visit_tree_comment(&node, &mut replacements, &mut found.links);
                found.end_value(visitor.stats, index, None);
            }
            continue;
        }
        visitor.visit_tree_element(index, &node, &mut replacements, &mut found);
        let is_noscript = tree.has_raw_noscripts() && node.is_noscript();
        if is_noscript || node.is_noframes() {
            visitor.visit_tree_noscript(&node, &mut found.links);
            found.end_value(visitor.stats, index, None);
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
    let mut counts = LinkCounts::of(&links);
    counts += stats.beside;
    // A tree has no bytes that could be inserted.
    counts.left += settings.insertions.len();
    let report = Report {
        base: bases.report,
        counts,
        links,
        unsupported,
        tags: stats.tags,
        mismatched_tags: stats.mismatched_tags,
        ..Report::default()
    };
    (report, places)
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
        let selection = &self.resolver.settings.selection;
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
        // Before attributes are removed, which it may depend on.
        let selected = if namespace.text_may_contain_links(element.name()) {
            selection.lookup(namespace, element.name(), TEXT, &value_of)
        } else {
            None
        };
        if !self.visit_tree_attributes(index, namespace, element, found) {
            element.remove(replacements);
        } else if let Some(selected) = selected {
            self.visit_tree_text(namespace, element, selected, &mut found.links);
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
        selected: SelectedRule,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let value_of = |name: &str| element.attribute(name).map(Cow::Owned);
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
        let may_end_early = edits.iter().any(|edit| edit.replacement.contains('<'))
            && !selected.accepts_text(element.name(), &apply_edits(&text, &edits));
        if may_end_early {
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
        let edits = self.visit_collecting(&segment, &mut own_links);
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
        comment: &TreeElement,
        replacements: &mut Replacements,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let text = comment.comment().unwrap_or_default();
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
            Some(edits) => comment.set_comment(&apply_edits(text, &edits), replacements),
            None => mark_skipped(&mut own_links, SkipReason::Unwritable),
        }
        links.extend(own_links.into_iter().map(LinkReport::into_owned));
    }
}
