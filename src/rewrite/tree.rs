//! From a tree to its links, rewritten in place.

use super::Rewriter;
use super::bases::Bases;
use super::edit::{TextEdit, edited, in_comment};
use super::report::{LinkCounts, LinkReport, Report, SkipReason};
use super::resolve::Judge;
use super::value::{self, Decide, Holder, NOWHERE, Part, Walk, Whereabouts, leave};
use crate::base::BaseCandidates;
use crate::encoding::lacks_characters;
use crate::html::Namespace;
use crate::html::conditional_comment::{Comment, conditional_markup};
use crate::html::element::{Change, Element, ElementText};
use crate::html::replacements::Replacements;
use std::borrow::Cow;

use crate::html::tap;
use crate::html::tree::{Tree, Visited};
use crate::link::{Preset, TEXT};

/// In a tree there are no bytes.
const IN_A_TREE: Whereabouts<'static> = Whereabouts {
    locate: None,
    ascii_only: false,
};

impl Judge<'_> {
    /// Where nothing stands for characters that the document's encoding lacks, once the tree is written in it.
    fn raw_site(&self) -> Whereabouts<'static> {
        let ascii_only = lacks_characters(self.encoding);
        Whereabouts {
            ascii_only,
            ..IN_A_TREE
        }
    }
}

/// Rewrites the links of `tree` as `decide` decides.
pub(super) fn rewrite(
    settings: &Rewriter,
    tree: &Tree,
    candidates: &BaseCandidates<'_>,
    mut decide: Decide<'_>,
) -> Report<'static> {
    let bases = Bases::establish(&tree.base_elements(), candidates, settings);
    let judge = Judge::new(settings, &bases, candidates, tree.encoding());
    let mut walk = Walk::new(&judge, decide.again());
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
    if let Some(base) = judge.inserted_base() {
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

impl Walk<'_> {
    fn element(
        &mut self,
        element: &Element,
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
        element: &Element,
        links: &mut Vec<LinkReport<'static>>,
    ) -> bool {
        let value_of = |other: &str| element.attribute(other).map(Cow::Owned);
        let selection = &self.judge.settings.selection;
        let mut is_removed = false;
        element.for_each_attribute(|name, value| {
            let selected = selection.lookup(namespace, element.name(), name, &value_of);
            let Some(selected) = selected.filter(|_| name != TEXT) else {
                return Change::Keep;
            };
            let holder = Holder {
                namespace,
                element: &Cow::Borrowed(element.name()),
                part: Part::Attribute(&Cow::Borrowed(name)),
                value_of: &value_of,
            };
            let mut own = Vec::new();
            let change = self.value(&holder, selected, value, IN_A_TREE, &mut own);
            links.extend(own.into_iter().map(LinkReport::into_owned));
            match change {
                value::Change::Keep => Change::Keep,
                value::Change::EditOnce(edit) => Change::Set(edited(value, &[edit])),
                value::Change::Edit(edits) => Change::Set(edited(value, &edits)),
                value::Change::Remove => Change::Remove,
                value::Change::RemoveElement => {
                    is_removed = element.attribute_count() == 1;
                    Change::Remove
                }
            }
        });
        !is_removed
    }

    fn text_of_tree(
        &mut self,
        namespace: Namespace,
        element: &Element,
        links: &mut Vec<LinkReport<'static>>,
    ) {
        let value_of = |other: &str| element.attribute(other).map(Cow::Owned);
        let selection = &self.judge.settings.selection;
        let selected = selection.lookup(namespace, element.name(), TEXT, &value_of);
        let Some(selected) = selected else {
            return;
        };
        let ElementText { text, is_whole } = element.text();
        let holder = Holder {
            namespace,
            element: &Cow::Borrowed(element.name()),
            part: Part::Text,
            value_of: &value_of,
        };
        let mut own = Vec::new();
        let site = if is_whole {
            self.judge.raw_site()
        } else {
            NOWHERE
        };
        let change = self.value(&holder, selected, &text, site, &mut own);
        if let Some(edits) = change.edits() {
            if edits.iter().any(|edit| edit.replacement.contains('<')) {
                leave(&mut own, SkipReason::Unwritable);
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
        let encoding = self.judge.encoding;
        let site = self.judge.raw_site();
        let reading = self.judge.settings.read(markup).reading;
        let edits = self.markup(markup, &reading, site, &mut own);
        // As it will have to be written: nothing decodes a character reference in a comment but whoever reads the
        // markup.
        let writable = |edit: TextEdit| edit.in_encoding(encoding);
        let edits = edits.into_iter().map(writable).collect();
        match in_comment(markup, span.start, edits) {
            Some(edits) if edits.is_empty() => {}
            Some(edits) => comment.set_text(&edited(text, &edits), replacements),
            None => leave(&mut own, SkipReason::Unwritable),
        }
        links.extend(own.into_iter().map(LinkReport::into_owned));
    }
}
