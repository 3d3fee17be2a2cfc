//! The rules of the link table and of the user's selectors for the values of one element.

use super::source_text::{Element, is_xml_base};
use super::visitor::LinkVisitor;
use crate::link::{RowLookup, SelectedRule, TEXT};

impl LinkVisitor<'_> {
    /// Returns the rule for the text of an element, whose row of the link table is `lookup`.
    ///
    /// Returns `None` if the text is not a link, or if this crate never reads the text of such an element.
    pub(super) fn selected_text(
        &self,
        element: &Element<'_, '_>,
        lookup: RowLookup,
    ) -> Option<SelectedRule> {
        let tag = element.tag;
        // A selector of the user may name any element, but only certain texts are read.
        let is_read = |_: &SelectedRule| tag.namespace.text_may_contain_links(&tag.name);
        self.selected(element, TEXT, lookup).filter(is_read)
    }

    /// Returns the rule for an attribute of an element, or for its text, whose row of the link table is `lookup`.
    pub(super) fn selected(
        &self,
        element: &Element<'_, '_>,
        attribute: &str,
        lookup: RowLookup,
    ) -> Option<SelectedRule> {
        let segment = element.segment;
        if is_xml_base(segment.tokens, attribute) {
            let (selection, tag) = (&self.resolver.settings.selection, element.tag);
            let value_of = |name: &str| element.value_of(name);
            return selection.xml_base(tag.namespace, &tag.name, &value_of);
        }
        let row = match self.decided(element, lookup) {
            RowLookup::Link(row) => row,
            RowLookup::Selectors => return self.lookup(element, attribute),
            _ => return None,
        };
        Some(SelectedRule::of(
            row.rule_for_element(&|name| element.value_of(name)),
        ))
    }

    /// Returns `lookup` with the conditions of its rows, if they have any, decided for an element.
    pub(super) fn decided(&self, element: &Element<'_, '_>, lookup: RowLookup) -> RowLookup {
        let (RowLookup::Conditional(rows) | RowLookup::ConditionalOnOne(rows)) = lookup else {
            return lookup;
        };
        let (selection, tag) = (&self.resolver.settings.selection, element.tag);
        let value_of = |name: &str| element.value_of(name);
        let row = selection.row_for(rows, tag.namespace, &tag.name, &value_of);
        row.map_or(RowLookup::NotALink, RowLookup::Link)
    }

    /// Looks up the rule for an attribute of an element, or for its text, by all its attributes.
    pub(super) fn lookup(
        &self,
        element: &Element<'_, '_>,
        attribute: &str,
    ) -> Option<SelectedRule> {
        let (selection, tag) = (&self.resolver.settings.selection, element.tag);
        let value_of = |name: &str| element.value_of(name);
        selection.lookup(tag.namespace, &tag.name, attribute, &value_of)
    }
}
