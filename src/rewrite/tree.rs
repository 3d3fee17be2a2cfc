//! From a tree to its links, rewritten in place.

use super::Rewriter;
use super::bases::DocumentBases;
use super::edit::{TextEdit, edited, in_comment};
use super::report::{LinkCounts, LinkReport, Report, SkipReason};
use super::resolve::LinkResolver;
use super::value::{
    self, DETACHED, Decider, LinkVisitor, SpanMapper, ValueKind, ValueOwner, mark_skipped,
};
use crate::base::BaseCandidates;
use crate::encoding::lacks_characters;
use crate::html::Namespace;
use crate::html::conditional_comment::{Comment, conditional_markup};
use crate::html::element::{ElementChange, ElementText, TreeElement};
use crate::html::replacements::Replacements;
use std::borrow::Cow;

use crate::html::tap;
use crate::html::tree::{Tree, Visited};
use crate::link::{Preset, TEXT};

/// In a tree there are no bytes.
const TREE_VALUES: SpanMapper<'static> = SpanMapper {
    locate: None,
    ascii_only: false,
};

impl LinkResolver<'_> {
    /// Where nothing stands for characters that the document's encoding lacks, once the tree is written in it.
    fn raw_site(&self) -> SpanMapper<'static> {
        let ascii_only = lacks_characters(self.encoding);
        SpanMapper {
            ascii_only,
            ..TREE_VALUES
        }
    }
}

/// Rewrites the links of `tree` as `decide` decides.
pub(super) fn rewrite(
    settings: &Rewriter,
    tree: &Tree,
    candidates: &BaseCandidates<'_>,
    mut decide: Decider<'_>,
) -> Report<'static> {
    let bases = DocumentBases::establish(&tree.base_elements(), candidates, settings);
    let resolver = LinkResolver::new(settings, &bases, candidates, tree.encoding());
    let mut walk = LinkVisitor::new(&resolver, decide.reborrow());
    let mut links = Vec::new();
    let mut replacements = Replacements::default();
    for node in tree.nodes() {
        match node {
            Visited::Element(element) => walk.element(&element, &mut replacements, &mut links),
            Visited::Comment(comment) if settings.selection.has(Preset::Comments) => {
                walk.comment_of_tree(&comment, &mut replacements, &mut links);
            }
            Visited::Comment(_) => {}
        }
    }
    replacements.make();
    if let Some(base) = resolver.inserted_base() {
        tree.insert_base(&base);
    }
    Report {
        base: bases.document,
        counts: LinkCounts::of(&links),
        links,
        tags: walk.tags,
        mismatched_tags: walk.mismatched_tags,
        ..Report::default()
    }
}

impl LinkVisitor<'_> {
    fn element(
        &mut self,
        element: &TreeElement,
        replacements: &mut Replacements,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let Some(namespace) = element.namespace() else {
            return;
        };
        if !self.attributes(namespace, element, links) {
            element.remove(replacements);
        } else if namespace.has_text_that_is_read(element.name()) {
            self.text_of_tree(namespace, element, links);
        }
    }

    /// The links of the element's attributes, and whether the element stays.
    fn attributes(
        &mut self,
        namespace: Namespace,
        element: &TreeElement,
        links: &mut Vec<LinkReport<'static>>,
    ) -> bool {
        let value_of = |other: &str| element.attribute(other).map(Cow::Owned);
        let selection = &self.resolver.settings.selection;
        let mut is_removed = false;
        element.for_each_attribute(|name, value| {
            let selected = selection.lookup(namespace, element.name(), name, &value_of);
            let Some(selected) = selected.filter(|_| name != TEXT) else {
                return ElementChange::Keep;
            };
            let holder = ValueOwner {
                namespace,
                element: &Cow::Borrowed(element.name()),
                part: ValueKind::Attribute(&Cow::Borrowed(name)),
                value_of: &value_of,
            };
            let mut own = Vec::new();
            let change = self.value(&holder, selected, value, TREE_VALUES, &mut own);
            links.extend(own.into_iter().map(LinkReport::into_owned));
            match change {
                value::ValueEdit::Keep => ElementChange::Keep,
                value::ValueEdit::EditOnce(edit) => ElementChange::Set(edited(value, &[edit])),
                value::ValueEdit::Edit(edits) => ElementChange::Set(edited(value, &edits)),
                value::ValueEdit::Remove => ElementChange::Remove,
                value::ValueEdit::RemoveElement => {
                    is_removed = element.attribute_count() == 1;
                    ElementChange::Remove
                }
            }
        });
        !is_removed
    }

    fn text_of_tree(
        &mut self,
        namespace: Namespace,
        element: &TreeElement,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let value_of = |other: &str| element.attribute(other).map(Cow::Owned);
        let selection = &self.resolver.settings.selection;
        let selected = selection.lookup(namespace, element.name(), TEXT, &value_of);
        let Some(selected) = selected else {
            return;
        };
        let ElementText { text, is_whole } = element.text();
        let holder = ValueOwner {
            namespace,
            element: &Cow::Borrowed(element.name()),
            part: ValueKind::Text,
            value_of: &value_of,
        };
        let mut own = Vec::new();
        let site = if is_whole {
            self.resolver.raw_site()
        } else {
            DETACHED
        };
        let change = self.value(&holder, selected, &text, site, &mut own);
        if let Some(edits) = change.edits() {
            if edits.iter().any(|edit| edit.replacement.contains('<')) {
                mark_skipped(&mut own, SkipReason::Unwritable);
            } else {
                element.set_text(&edited(&text, edits));
            }
        }
        links.extend(own.into_iter().map(LinkReport::into_owned));
    }

    fn comment_of_tree(
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
        if markup.len() > tap::LONGEST_TEXT {
            return;
        }
        let mut own = Vec::new();
        let encoding = self.resolver.encoding;
        let site = self.resolver.raw_site();
        let tokens = self.resolver.settings.read(markup).tokens;
        let edits = self.markup(markup, &tokens, site, &mut own);
        // As it will have to be written: nothing decodes a character reference in a comment but whoever reads the
        // markup.
        let writable = |edit: TextEdit| edit.in_encoding(encoding);
        let edits = edits.into_iter().map(writable).collect();
        match in_comment(markup, span.start, edits) {
            Some(edits) if edits.is_empty() => {}
            Some(edits) => comment.set_text(&edited(text, &edits), replacements),
            None => mark_skipped(&mut own, SkipReason::Unwritable),
        }
        links.extend(own.into_iter().map(LinkReport::into_owned));
    }
}
