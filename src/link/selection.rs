//! Which links are looked for: rows of the table by their presets, rows of the user's own, and exceptions.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::table::{Preset, Row, all_rows, rows};
use super::{LinkRule, LinkSelector, Role, TEXT};
use crate::grammar::Grammar;
use crate::html::Namespace;
use crate::html::name_set::{AttributeRole, NameKey, NameSet};
use crate::html::tokens::{Attribute, StartTag, Tokens};

/// Which links are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    presets: Vec<Preset>,
    added: Vec<Added>,
    skipped: Vec<LinkSelector>,
    /// The attributes of the table and of `added` and `skipped`; `None` if these say nothing.
    names: Option<Arc<NameSet>>,
    /// Made where it is needed first, unless it is that of the default.
    row_table: OnceLock<Arc<RowTable>>,
}

#[derive(Debug, Clone)]
struct Added {
    selector: LinkSelector,
    grammar: Grammar,
}

/// A link that was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selected {
    pub(crate) rule: LinkRule,
    /// Whether it is to stay as it is.
    pub(crate) is_excluded: bool,
}

/// How many answers are remembered that are not in the table.
const REMEMBERED: usize = 16;

/// What the table says of attributes, by the names of element and attribute alone: a page has few pairs of them, many
/// times.
#[derive(Debug)]
pub(crate) struct RowCache<'s> {
    selection: &'s Selection,
    table: &'s RowTable,
    /// Of what is not in there.
    known: [Option<CachedRow>; REMEMBERED],
}

/// What the table says of the attributes it names of the elements it names, where both names are short; that they are no
/// links, if they are in no preset that is on.
#[derive(Debug, Clone)]
struct RowTable {
    /// A hash table with a power of two of slots, at most half of them taken; collisions go to the slots behind.
    slots: Vec<Option<CachedRow>>,
}

#[derive(Debug, Clone, Copy)]
struct CachedRow {
    namespace: Namespace,
    element: NameKey,
    attribute: NameKey,
    found: RowLookup,
}

impl CachedRow {
    #[inline]
    fn is_for(&self, namespace: Namespace, element: NameKey, attribute: NameKey) -> bool {
        self.attribute == attribute && self.element == element && self.namespace == namespace
    }
}

/// What the table says of an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RowLookup {
    /// It is a link.
    Link(LinkRow),
    /// It is none.
    NotALink,
    /// It is none unless the element has the attribute of this name, on whose value it depends.
    NeedsAttribute(&'static str),
    /// That depends on other attributes, or on rows of the user's own: it has to be looked up.
    Dynamic,
}

/// A row that depends on nothing else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkRow(&'static Row);

impl LinkRow {
    /// The names of the element, unless it may be any, and of the attribute.
    pub(crate) fn names(self) -> (Option<&'static str>, &'static str) {
        let element = Some(self.0.element).filter(|name| *name != "*");
        (element, self.0.attribute)
    }

    /// How values are read.
    pub(crate) fn grammar(self) -> Grammar {
        self.0.rule.grammar
    }

    /// The link it makes of an attribute, where `value_of` gives the values of the element's other attributes.
    pub(crate) fn selected<'v>(self, value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>) -> Selected {
        Selected::of(self.0.rule_where(value_of))
    }
}

impl RowLookup {
    /// The rule, but for the role of the link, if it is one.
    pub(crate) fn rule(self) -> Option<LinkRule> {
        match self {
            Self::Link(LinkRow(row)) => Some(row.rule),
            Self::NotALink | Self::NeedsAttribute(_) | Self::Dynamic => None,
        }
    }

    /// The same where the attributes of `tag` are known.
    #[inline]
    fn given_attributes_of(self, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> Self {
        match self {
            Self::NeedsAttribute(name) if tokens.attribute(tag, name).is_none() => Self::NotALink,
            Self::NeedsAttribute(_) => Self::Dynamic,
            _ => self,
        }
    }
}

impl<'s> RowCache<'s> {
    pub(crate) fn new(selection: &'s Selection) -> Self {
        Self {
            selection,
            table: selection.row_table(),
            known: [None; REMEMBERED],
        }
    }

    /// What the table says of `attribute` of `tag`.
    #[inline]
    pub(crate) fn find(
        &mut self,
        tokens: &Tokens<'_>,
        tag: &StartTag<'_>,
        attribute: &Attribute<'_>,
    ) -> RowLookup {
        self.named(tag, &attribute.name, attribute.key)
            .given_attributes_of(tokens, tag)
    }

    /// What the table says of the text of `tag`.
    pub(crate) fn find_text(&mut self, tokens: &Tokens<'_>, tag: &StartTag<'_>) -> RowLookup {
        self.named(tag, TEXT, NameKey::of(TEXT.as_bytes()))
            .given_attributes_of(tokens, tag)
    }

    #[inline]
    fn named(&mut self, tag: &StartTag<'_>, attribute: &str, key: Option<NameKey>) -> RowLookup {
        let look_up = || {
            let selection = self.selection;
            selection.find_row(tag.namespace, &tag.name, attribute)
        };
        let (Some(element), Some(name)) = (tag.key, key) else {
            return look_up();
        };
        let mixed = element.mixed_with(name);
        if let Some(known) = self.table.find(mixed, tag.namespace, element, name) {
            return known.found;
        }
        let place = mixed % REMEMBERED;
        if let Some(known) = &self.known[place]
            && known.is_for(tag.namespace, element, name)
        {
            return known.found;
        }
        let found = look_up();
        self.known[place] = Some(CachedRow {
            namespace: tag.namespace,
            element,
            attribute: name,
            found,
        });
        found
    }
}

impl RowTable {
    fn new(selection: &Selection) -> Self {
        let rows = all_rows().filter(|row| row.element != "*");
        let mut slots = vec![None; (rows.clone().count() * 2).next_power_of_two()];
        for row in rows {
            let keys = (
                NameKey::of(row.element.as_bytes()),
                NameKey::of(row.attribute.as_bytes()),
            );
            let (Some(element), Some(attribute)) = keys else {
                continue;
            };
            let known = CachedRow {
                namespace: row.namespace,
                element,
                attribute,
                found: selection.find_row(row.namespace, row.element, row.attribute),
            };
            let is_same = |slot: &CachedRow| slot.is_for(row.namespace, element, attribute);
            let mut place = element.mixed_with(attribute) & (slots.len() - 1);
            while slots[place].as_ref().is_some_and(|slot| !is_same(slot)) {
                place = (place + 1) & (slots.len() - 1);
            }
            slots[place] = Some(known);
        }
        Self { slots }
    }

    /// What is known of that attribute of that element, whose keys are `mixed`.
    #[inline]
    fn find(
        &self,
        mixed: usize,
        namespace: Namespace,
        element: NameKey,
        attribute: NameKey,
    ) -> Option<&CachedRow> {
        let mut place = mixed & (self.slots.len() - 1);
        while let Some(slot) = self.slots.get(place)?.as_ref() {
            if slot.is_for(namespace, element, attribute) {
                return Some(slot);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        None
    }
}

impl Selected {
    /// A link of that rule.
    pub(crate) fn of(rule: LinkRule) -> Self {
        Self {
            rule,
            is_excluded: false,
        }
    }

    /// The same for this value, where it is the value that says which grammar it has.
    pub(crate) fn for_value(self, value: &str) -> Self {
        if self.rule.grammar != Grammar::UrlOrCss {
            return self;
        }
        let is_css = value
            .trim_ascii_start()
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("url("));
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
            names: None,
            row_table: OnceLock::new(),
        }
    }
}

impl Selection {
    pub(crate) fn add_preset(&mut self, preset: Preset) {
        if !self.has(preset) {
            self.presets.push(preset);
            self.row_table = OnceLock::new();
        }
    }

    pub(crate) fn clear_presets(&mut self) {
        self.presets.clear();
        self.row_table = OnceLock::new();
    }

    pub(crate) fn has(&self, preset: Preset) -> bool {
        self.presets.contains(&preset)
    }

    pub(crate) fn add(&mut self, selector: LinkSelector, grammar: Grammar) {
        self.added.push(Added { selector, grammar });
        self.names = Some(Arc::new(self.own_names()));
        self.row_table = OnceLock::new();
    }

    pub(crate) fn skip(&mut self, selector: LinkSelector) {
        self.skipped.push(selector);
        self.names = Some(Arc::new(self.own_names()));
        self.row_table = OnceLock::new();
    }

    /// The attributes that may be links, by the table or by the user's own rows, and those that say something about one.
    pub(crate) fn names(&self) -> &NameSet {
        static OF_TABLE: OnceLock<NameSet> = OnceLock::new();
        match &self.names {
            Some(own) => own,
            None => OF_TABLE.get_or_init(|| NameSet::new(names_of_table())),
        }
    }

    fn row_table(&self) -> &RowTable {
        static OF_DEFAULT: OnceLock<RowTable> = OnceLock::new();
        if self.presets == [Preset::Html] && self.names.is_none() {
            return OF_DEFAULT.get_or_init(|| RowTable::new(self));
        }
        self.row_table.get_or_init(|| Arc::new(RowTable::new(self)))
    }

    fn own_names(&self) -> NameSet {
        let added = self.added.iter().map(|own| &own.selector);
        if added.clone().any(LinkSelector::selects_every_attribute) {
            return NameSet::all();
        }
        let mut names: Vec<(&str, AttributeRole)> = Vec::new();
        for (name, worth) in names_of_table() {
            names.push((name, worth));
        }
        for selector in added.clone() {
            names.push((selector.attribute(), AttributeRole::Link));
        }
        for selector in added.chain(&self.skipped) {
            names.extend(
                selector
                    .condition_attributes()
                    .map(|name| (name, AttributeRole::Condition)),
            );
        }
        NameSet::new(names)
    }

    /// Whether the user's own rows ask about nothing beyond ASCII.
    pub(crate) fn conditions_are_ascii(&self) -> bool {
        let added = self.added.iter().map(|own| &own.selector);
        added
            .chain(&self.skipped)
            .all(LinkSelector::conditions_are_ascii)
    }

    /// What the table says of an attribute by its name and that of its element.
    fn find_row(&self, namespace: Namespace, element: &str, attribute: &str) -> RowLookup {
        if !self.added.is_empty() || !self.skipped.is_empty() {
            return RowLookup::Dynamic;
        }
        let is_on = |row: &&&Row| row.is_for(namespace, element) && self.has(row.preset);
        let mut rows = rows(attribute).iter().filter(is_on);
        let Some(first) = rows.next() else {
            return RowLookup::NotALink;
        };
        let Some(condition) = &first.condition else {
            return RowLookup::Link(LinkRow(first));
        };
        let needed = condition.needed();
        let needs_it = |row: &&Row| {
            let condition = row.condition.as_ref();
            condition.is_some_and(|condition| condition.needed() == needed)
        };
        match needed {
            Some(name) if rows.all(needs_it) => RowLookup::NeedsAttribute(name),
            _ => RowLookup::Dynamic,
        }
    }

    /// The rule for an attribute of an element, if it is a link; `value_of` gives the values of the element's other
    /// attributes, for rows that depend on one. The user's own rows go before those of the table, later before earlier.
    ///
    /// Names are in lower case for HTML and as the standards spell them for SVG and MathML, as the parser gives them.
    pub(crate) fn lookup<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> Option<Selected> {
        let selects =
            |selector: &LinkSelector| selector.selects(namespace, element, attribute, value_of);
        let own = self.added.iter().rev().find(|own| selects(&own.selector));
        let in_table = |is_on: &dyn Fn(Preset) -> bool| {
            in_table(namespace, element, attribute, value_of, is_on)
        };
        let known = in_table(&|preset| self.has(preset));
        let rule = match own {
            // What the table says but for the grammar holds in any case: BASE stays what gives others their base URL.
            Some(own) => match known.or_else(|| in_table(&|preset| preset == Preset::Html)) {
                Some(rule) if rule.is_base_element() => rule,
                Some(rule) => rule.of_grammar(own.grammar),
                None => LinkRule::new(own.grammar, Role::Resource),
            },
            None => known?,
        };
        Some(Selected {
            rule,
            is_excluded: self.skipped.iter().any(selects),
        })
    }
}

/// The attributes of the table, and those its rows and rules ask about.
fn names_of_table() -> impl Iterator<Item = (&'static str, AttributeRole)> {
    let condition_attributes = ["rel", "codebase"]
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

/// The rule of the table for an attribute, by the presets that are on.
fn in_table<'v>(
    namespace: Namespace,
    element: &str,
    attribute: &str,
    value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    is_on: &dyn Fn(Preset) -> bool,
) -> Option<LinkRule> {
    let row = rows(attribute).iter().find(|row| {
        row.is_for(namespace, element)
            && is_on(row.preset)
            && row
                .condition
                .is_none_or(|condition| condition.holds(value_of))
    })?;
    Some(row.rule_where(value_of))
}
