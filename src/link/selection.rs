//! From an element and an attribute to the rule for its value.
//!
//! # The problem
//!
//! Whether an attribute is a link depends on the names and the namespace, on the enabled presets, on the selectors of
//! the user, and for some rows on the values of other attributes: `meta[content]` is a link if `property` is `og:url`.
//! [`Selection::lookup`] defines the answer. It searches rows, compares strings and decodes values, which is too slow
//! for every attribute of a page. But pages repeat a few pairs of names very often, and for most pairs the names alone
//! determine the answer.
//!
//! # Layers
//!
//! Tokens of the scanner are looked up in layers, each of which answers what it can and leaves the rest to the next
//! one. Layer 2 compares names as integers: a [`NameKey`] is a name of at most eight bytes in lower case, as a `u64`. A
//! *wildcard row* is a row for every element of a namespace, such as `*[style]`.
//!
//! 1. [`Selection::names`], a set of attribute names. The scanner drops an attribute whose name is in no row or
//!    selector, neither as the link nor in a condition. (`rel` and `codebase`, which affect other links, are in the set
//!    too.) Presets do not narrow the set, so one set serves all selections without selectors.
//! 2. [`RowTable`], a hash table that is computed once for a selection. It has the answer for every pair of an element
//!    and an attribute that a row names, and one for each attribute on all other elements, such as `p[style]` (matched
//!    by a wildcard row) and `a[src]` (matched by none).
//! 3. [`Selection::find_row`], a search of the rows for the attribute, for names without a key.
//! 4. [`Selection::lookup`], for pairs whose answer depends on more than the names.
//!
//! Tokens of html5ever have no keys, so their lookups begin with layer 3. The driver for trees calls
//! [`Selection::lookup`] directly.
//!
//! # Conditions and selectors
//!
//! Layers 2 and 3 return a [`RowLookup`], which is the answer as far as the names determine it. A row with a condition
//! usually requires one particular attribute. If that attribute is missing, the answer is no; values are compared only
//! if it is present.
//!
//! The selectors of the user have conditions, too, and take precedence over the table. They are rare, so layers 2 and 3
//! simply answer [`RowLookup::Selectors`] to everything if there is one.
//!
//! Invariant: if a `RowLookup` is `Link` or `NotALink`, [`Selection::lookup`] has the same result for all values of the
//! other attributes, except for the role of a link that depends on `rel` ([`Row::rule_for_element`]).

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::table::{Preset, Row, all_rows, rows, rows_by_attribute};
use super::{LinkRule, LinkSelector, Role, TEXT, XML_BASE_RULE};
use crate::find::starts_with_ignore_case;
use crate::grammar::Grammar;
use crate::html::scan::raw_text;
use crate::markup::Namespace;
use crate::markup::name::NameKey;
use crate::markup::name_set::{AttributeRole, NameSet};
use crate::markup::probe_table::ProbeTable;
use crate::markup::tokens::{Attribute, StartTag, Tokens};
use crate::xml::XML_BASE;

/// The links to search for: presets of the built-in table, and the selectors of the user.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    presets: Vec<Preset>,
    /// The links that the user added; later ones take precedence.
    added: Vec<AddedLink>,
    /// The links that the user excluded.
    skipped: Vec<LinkSelector>,
    /// The attributes that the user removes.
    removed: Vec<LinkSelector>,
    /// The attributes beside links about which callbacks are asked.
    beside: &'static [&'static str],
    /// Clones share the tables, whichever of them is used first.
    tables: Arc<SelectionTables>,
}

/// Tables that are computed from a selection on first use.
#[derive(Debug, Default)]
struct SelectionTables {
    /// Empty without selectors and attributes beside links: the set of the table suffices then.
    names: OnceLock<NameSet>,
    /// Empty for the default selection, which shares one table among all rewriters.
    rows: OnceLock<RowTable>,
}

/// A link that the user added.
#[derive(Debug, Clone)]
struct AddedLink {
    selector: LinkSelector,
    grammar: Grammar,
}

/// The rule that was selected for a link, by the table or by the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SelectedRule {
    pub(crate) rule: LinkRule,
    /// Whether the user excluded it from rewriting.
    pub(crate) is_excluded: bool,
    /// Whether the user removes the attribute, which may be no link then.
    pub(crate) is_removed: bool,
}

/// Looks up attributes by the names of element and attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowFinder<'s> {
    selection: &'s Selection,
    table: &'s RowTable,
}

/// The results of [`Selection::find_row`] for names that have keys.
type RowTable = ProbeTable<TableLookup>;

/// The lookup of an attribute on an element, or on all elements of the namespace that have no lookup of their own.
#[derive(Debug, Clone, Copy)]
struct TableLookup {
    namespace: Namespace,
    element: Option<NameKey>,
    attribute: NameKey,
    lookup: RowLookup,
}

impl TableLookup {
    /// Returns the hash of a pair of names.
    #[inline]
    fn hash(element: Option<NameKey>, attribute: NameKey) -> usize {
        element.unwrap_or(attribute).hash_with(attribute)
    }

    #[inline]
    fn is_for(&self, namespace: Namespace, element: Option<NameKey>, attribute: NameKey) -> bool {
        self.attribute == attribute && self.element == element && self.namespace == namespace
    }
}

/// The result of a lookup by names alone.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RowLookup {
    /// The attribute is a link.
    Link(&'static Row),
    /// The attribute is not a link.
    NotALink,
    /// The attribute is a link if other attributes have certain values: see [`Selection::row_for`].
    ///
    /// The part of the table contains all rows that may decide.
    Conditional(&'static [&'static Row]),
    /// Like [`Conditional`](Self::Conditional), and all rows need the attribute of the condition of the first one.
    ConditionalOnOne(&'static [&'static Row]),
    /// The user has selectors: see [`Selection::lookup`].
    Selectors,
}

impl RowLookup {
    /// Returns the rule of a link. Its role may still depend on the `rel` attribute.
    pub(crate) fn rule(self) -> Option<LinkRule> {
        match self {
            Self::Link(row) => Some(row.rule),
            _ => None,
        }
    }
}

impl<'s> RowFinder<'s> {
    /// Creates a finder of the rows of `selection`.
    pub(crate) fn new(selection: &'s Selection) -> Self {
        Self {
            selection,
            table: selection.row_table(),
        }
    }

    /// Looks up `attribute` of `tag`.
    #[inline]
    pub(crate) fn find(
        self,
        tokens: &Tokens<'_>,
        tag: &StartTag<'_>,
        attribute: &Attribute<'_>,
    ) -> RowLookup {
        self.find_name(tokens, tag, &attribute.name, attribute.key)
    }

    /// Looks up the text of `tag`.
    pub(crate) fn find_text(self, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> RowLookup {
        self.find_name(tokens, tag, TEXT, NameKey::of(TEXT.as_bytes()))
    }

    /// Looks up the attribute of that name, whose key is `key`.
    #[inline]
    fn find_name(
        self,
        tokens: &Tokens<'_>,
        tag: &StartTag<'_>,
        attribute: &str,
        key: Option<NameKey>,
    ) -> RowLookup {
        match self.find_keys(tag, key) {
            Some(lookup @ (RowLookup::Link(_) | RowLookup::NotALink)) => lookup,
            lookup => self.find_other(tokens, tag, attribute, lookup),
        }
    }

    /// Looks up the attribute of that name. `lookup` is the result of the table, if it has one.
    ///
    /// Kept out of line, because most lookups need only the table.
    #[inline(never)]
    fn find_other(
        self,
        tokens: &Tokens<'_>,
        tag: &StartTag<'_>,
        attribute: &str,
        lookup: Option<RowLookup>,
    ) -> RowLookup {
        let lookup = lookup.unwrap_or_else(|| {
            let selection = self.selection;
            selection.find_row(tag.namespace, &tag.name, attribute)
        });
        match lookup {
            // The case of most `meta` elements: no value has to be decoded.
            RowLookup::ConditionalOnOne(rows)
                if rows[0].condition.is_some_and(|condition| {
                    tokens.attribute(tag, condition.attribute).is_none()
                }) =>
            {
                RowLookup::NotALink
            }
            lookup => lookup,
        }
    }

    /// Looks up the attribute with that key in the table.
    #[inline]
    fn find_keys(self, tag: &StartTag<'_>, attribute: Option<NameKey>) -> Option<RowLookup> {
        // Without a key there is nothing cheap to compare: names longer than eight bytes, such as `data-src-small`.
        let (element, attribute) = (tag.key?, attribute?);
        let find = |element| {
            let is_wanted = |row: &TableLookup| row.is_for(tag.namespace, element, attribute);
            let hash = TableLookup::hash(element, attribute);
            self.table.find(hash, is_wanted)
        };
        let found = find(Some(element)).or_else(|| find(None))?;
        Some(found.lookup)
    }
}

impl SelectedRule {
    /// Creates the selection of `rule` for a link that is not excluded.
    pub(crate) fn of(rule: LinkRule) -> Self {
        Self {
            rule,
            is_excluded: false,
            is_removed: false,
        }
    }

    /// Returns whether `text`, which is no link, can be the raw text of the element `name`.
    pub(crate) fn accepts_text(self, name: &str, text: &str) -> bool {
        self.rule.grammar == Grammar::Text && raw_text::can_be_text(text, name)
    }

    /// Replaces a grammar that depends on the value by the grammar of `value`.
    pub(crate) fn for_value(self, value: &str) -> Self {
        if self.rule.grammar != Grammar::UrlOrCss {
            return self;
        }
        let is_css = starts_with_ignore_case(value.trim_ascii_start().as_bytes(), b"url(");
        let grammar = if is_css { Grammar::Css } else { Grammar::Url };
        let rule = self.rule.of_grammar(grammar);
        Self { rule, ..self }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            presets: vec![Preset::Html],
            added: Vec::new(),
            skipped: Vec::new(),
            removed: Vec::new(),
            beside: &[],
            tables: Arc::default(),
        }
    }
}

impl Selection {
    /// Forgets the tables, which each change invalidates, and a clone of this selection may still share.
    fn forget_tables(&mut self) {
        self.tables = Arc::default();
    }

    /// Returns whether the table of links is all that selects links.
    fn has_only_rows(&self) -> bool {
        self.added.is_empty() && self.skipped.is_empty() && self.removed.is_empty()
    }

    /// Enables a preset.
    pub(crate) fn add_preset(&mut self, preset: Preset) {
        if !self.has(preset) {
            self.presets.push(preset);
            self.forget_tables();
        }
    }

    /// Disables all presets.
    pub(crate) fn clear_presets(&mut self) {
        self.presets.clear();
        self.forget_tables();
    }

    /// Returns whether a preset is enabled.
    pub(crate) fn has(&self, preset: Preset) -> bool {
        self.presets.contains(&preset)
    }

    /// Adds links to those of the table; later ones take precedence.
    pub(crate) fn add(&mut self, selector: LinkSelector, grammar: Grammar) {
        self.added.push(AddedLink { selector, grammar });
        self.forget_tables();
    }

    /// Excludes links from rewriting.
    pub(crate) fn skip(&mut self, selector: LinkSelector) {
        self.skipped.push(selector);
        self.forget_tables();
    }

    /// Removes attributes.
    pub(crate) fn remove(&mut self, selector: LinkSelector) {
        self.removed.push(selector);
        self.forget_tables();
    }

    /// Sets the attributes beside links about which callbacks are asked.
    pub(crate) fn set_beside(&mut self, names: &'static [&'static str]) {
        self.beside = names;
        self.forget_tables();
    }

    /// Returns the attributes beside links about which callbacks are asked.
    pub(crate) fn beside(&self) -> &'static [&'static str] {
        self.beside
    }

    /// Returns the names of the attributes that may be links, or that conditions and rules depend on.
    pub(crate) fn names(&self) -> &NameSet {
        static TABLE_NAMES: OnceLock<NameSet> = OnceLock::new();
        if self.has_only_rows() && self.beside.is_empty() {
            return TABLE_NAMES.get_or_init(|| NameSet::new(table_names()));
        }
        let tables = &self.tables;
        tables.names.get_or_init(|| self.names_with_selectors())
    }

    fn row_table(&self) -> &RowTable {
        static DEFAULT_TABLE: OnceLock<RowTable> = OnceLock::new();
        if self.presets == [Preset::Html] && self.has_only_rows() {
            return DEFAULT_TABLE.get_or_init(|| self.new_row_table());
        }
        let tables = &self.tables;
        tables.rows.get_or_init(|| self.new_row_table())
    }

    /// Computes [`row_table`](Self::row_table).
    fn new_row_table(&self) -> RowTable {
        let mut lookups: Vec<(usize, TableLookup)> = Vec::new();
        for rows in rows_by_attribute() {
            let attribute = rows[0].attribute;
            let Some(attribute_key) = NameKey::of(attribute.as_bytes()) else {
                continue;
            };
            let of_rows = rows.iter().map(|row| (row.namespace, row.element));
            let of_others = Namespace::ALL.map(|other| (other, "*"));
            let pairs: Vec<(Namespace, &str)> = of_rows.chain(of_others).collect();
            for (index, &(namespace, element)) in pairs.iter().enumerate() {
                let key = NameKey::of(element.as_bytes()).filter(|_| element != "*");
                // Without a key, a row (`feImage`) may be for an element that has one, because HTML ignores case.
                let is_left_to_search = |&(other, name): &(Namespace, &str)| {
                    other == namespace && NameKey::of(name.as_bytes()).is_none()
                };
                // Several rows may share a pair; `find_row` considers all of them.
                if pairs[..index].contains(&(namespace, element))
                    || (key.is_none() && pairs.iter().any(is_left_to_search))
                {
                    continue;
                }
                let lookup = TableLookup {
                    namespace,
                    element: key,
                    attribute: attribute_key,
                    lookup: self.find_row(namespace, element, attribute),
                };
                lookups.push((TableLookup::hash(key, attribute_key), lookup));
            }
        }
        ProbeTable::new(4, lookups)
    }

    /// Computes [`names`](Self::names) for a selection with selectors.
    fn names_with_selectors(&self) -> NameSet {
        let added = self.added.iter().map(|added| &added.selector);
        let edited = added.chain(&self.removed);
        // `a[*]` can make any attribute a link.
        if edited.clone().any(LinkSelector::selects_every_attribute) {
            return NameSet::all();
        }
        let mut names: Vec<(&str, AttributeRole)> = table_names().collect();
        let links = edited.clone().map(LinkSelector::attribute);
        names.extend(links.map(|name| (name, AttributeRole::Link)));
        // An excluded link adds its conditions only: excluding an attribute that is not a link has no effect.
        let selectors = edited.chain(&self.skipped);
        let conditions = selectors.flat_map(LinkSelector::condition_attributes);
        names.extend(conditions.map(|name| (name, AttributeRole::Condition)));
        let beside = self.beside.iter();
        names.extend(beside.map(|&name| (name, AttributeRole::Condition)));
        NameSet::new(names)
    }

    /// Returns whether the conditions of all selectors compare with printable ASCII only.
    ///
    /// If not, a skeleton of a document does not suffice to evaluate them. The conditions of the table are ASCII.
    pub(crate) fn conditions_are_ascii(&self) -> bool {
        let added = self.added.iter().map(|added| &added.selector);
        added
            .chain(&self.skipped)
            .chain(&self.removed)
            .all(LinkSelector::conditions_are_ascii)
    }

    /// Looks up an attribute by its name, and the name and namespace of its element.
    fn find_row(&self, namespace: Namespace, element: &str, attribute: &str) -> RowLookup {
        // A selector may match any pair and may have conditions.
        let is_removed = |selector: &LinkSelector| selector.selects_attribute(attribute);
        if !self.added.is_empty() || !self.skipped.is_empty() || self.removed.iter().any(is_removed)
        {
            return RowLookup::Selectors;
        }
        let is_enabled = |row: &&&Row| row.is_for(namespace, element) && self.has(row.preset);
        let rows = rows(attribute);
        let first = rows.iter().position(|row| is_enabled(&row));
        let last = rows.iter().rposition(|row| is_enabled(&row));
        let (Some(first), Some(last)) = (first, last) else {
            return RowLookup::NotALink;
        };
        let rows = &rows[first..=last];
        // In order of precedence, so that the first one decides if it has no condition.
        let Some(condition) = &rows[0].condition else {
            return RowLookup::Link(rows[0]);
        };
        // If every row needs the same attribute, an element without it has no link here.
        let needed = condition.needed();
        let needs_same =
            |row: &&Row| row.condition.and_then(|condition| condition.needed()) == needed;
        if needed.is_some() && rows.iter().filter(is_enabled).all(needs_same) {
            RowLookup::ConditionalOnOne(rows)
        } else {
            RowLookup::Conditional(rows)
        }
    }

    /// Returns the rule for an attribute of an element, or `None` if it is not a link.
    ///
    /// `value_of` returns the values of the other attributes of the element, for rows with a condition. The links that
    /// the user added take precedence over those of the table, later ones over earlier ones.
    ///
    /// Names must be as the parser returns them: in lower case for HTML, and in the case of the standards for SVG and
    /// MathML.
    pub(crate) fn lookup<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<SelectedRule> {
        let selects =
            |selector: &LinkSelector| selector.selects(namespace, element, attribute, value_of);
        let added = self
            .added
            .iter()
            .rev()
            .find(|added| selects(&added.selector));
        let rows = rows(attribute);
        let rule_of = |row: &Row| row.rule_for_element(value_of);
        let enabled = self.row_for(rows, namespace, element, value_of);
        let enabled = enabled.map(rule_of);
        let html_rule = || {
            let mut rows = rows.iter().filter(|row| row.preset == Preset::Html);
            let row = rows.find(|row| row.applies(namespace, element, value_of))?;
            Some(rule_of(row))
        };
        let is_removed = attribute != TEXT && self.removed.iter().any(selects);
        let rule = match added {
            // Only the grammar is the user's. The base rule and the role are facts of HTML, even if its preset is
            // disabled, and the `href` of BASE must remain a URL: all other links resolve against it.
            Some(added) => match enabled.or_else(html_rule) {
                Some(rule) if rule.is_base_element() => rule,
                Some(rule) => rule.of_grammar(added.grammar),
                None => LinkRule::new(added.grammar, Role::Resource),
            },
            None if is_removed => enabled.unwrap_or(LinkRule::new(Grammar::Url, Role::Resource)),
            None => enabled?,
        };
        Some(SelectedRule {
            rule,
            is_excluded: self.skipped.iter().any(selects),
            is_removed,
        })
    }

    /// Returns the first of `rows` that applies to the element and has an enabled preset.
    ///
    /// `value_of` returns the values of the attributes of the element.
    pub(crate) fn row_for<'r, 'v>(
        &self,
        rows: &[&'r Row],
        namespace: Namespace,
        element: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<&'r Row> {
        let mut rows = rows.iter().filter(|row| self.has(row.preset));
        rows.find(|row| row.applies(namespace, element, value_of))
            .copied()
    }

    /// Returns the rule for the `xml:base` of an element, or `None` if it is not a link.
    pub(crate) fn xml_base<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<SelectedRule> {
        let selects =
            |selector: &LinkSelector| selector.selects(namespace, element, XML_BASE, value_of);
        self.has(Preset::Html).then(|| SelectedRule {
            rule: XML_BASE_RULE,
            is_excluded: self.skipped.iter().any(selects),
            is_removed: self.removed.iter().any(selects),
        })
    }
}

/// Returns the attributes of all rows, and those that conditions and rules of rows depend on.
fn table_names() -> impl Iterator<Item = (&'static str, AttributeRole)> {
    // Not in conditions: `rel` determines the role of a link, `codebase` the base URL of others, and `mode` whether the
    // content of an Atom feed is in base64.
    let condition_attributes = ["rel", "codebase", "mode"]
        .into_iter()
        .chain(all_rows().flat_map(|row| {
            let condition = row.condition.iter();
            condition.flat_map(|condition| std::iter::once(condition.attribute).chain(condition.or))
        }));
    let links = all_rows()
        .map(|row| row.attribute)
        .filter(|name| *name != TEXT);
    links
        .map(|name| (name, AttributeRole::Link))
        .chain(condition_attributes.map(|name| (name, AttributeRole::Condition)))
}
