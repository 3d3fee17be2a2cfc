//! Which links are looked for: rows of the table by their presets, rows of the user's own, and exceptions.

use super::table::{Preset, rows};
use super::{LinkSelector, Role, Rule};
use crate::grammar::Grammar;
use crate::html::Namespace;

/// Which links are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    presets: Vec<Preset>,
    added: Vec<Added>,
    skipped: Vec<LinkSelector>,
}

#[derive(Debug, Clone)]
struct Added {
    selector: LinkSelector,
    grammar: Grammar,
}

/// A link that was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selected {
    pub(crate) rule: Rule,
    /// Whether it is to stay as it is.
    pub(crate) is_excluded: bool,
}

impl Selected {
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
        }
    }
}

impl Selection {
    pub(crate) fn add_preset(&mut self, preset: Preset) {
        if !self.has(preset) {
            self.presets.push(preset);
        }
    }

    pub(crate) fn clear_presets(&mut self) {
        self.presets.clear();
    }

    pub(crate) fn has(&self, preset: Preset) -> bool {
        self.presets.contains(&preset)
    }

    pub(crate) fn add(&mut self, selector: LinkSelector, grammar: Grammar) {
        self.added.push(Added { selector, grammar });
    }

    pub(crate) fn skip(&mut self, selector: LinkSelector) {
        self.skipped.push(selector);
    }

    /// The rule for an attribute of an element, if it is a link; `value_of` gives the values of the element's other
    /// attributes, for rows that depend on one. The user's own rows go before those of the table, later before earlier.
    ///
    /// Names are in lower case for HTML and as the standards spell them for SVG and MathML, as the parser gives them.
    pub(crate) fn lookup(
        &self,
        namespace: Namespace,
        element: &str,
        attribute: &str,
        value_of: &dyn Fn(&str) -> Option<String>,
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
                None => Rule::new(own.grammar, Role::Resource),
            },
            None => known?,
        };
        Some(Selected {
            rule,
            is_excluded: self.skipped.iter().any(selects),
        })
    }
}

/// The rule of the table for an attribute, by the presets that are on.
fn in_table(
    namespace: Namespace,
    element: &str,
    attribute: &str,
    value_of: &dyn Fn(&str) -> Option<String>,
    is_on: &dyn Fn(Preset) -> bool,
) -> Option<Rule> {
    let row = rows(attribute).iter().find(|row| {
        row.namespace == namespace
            && (row.element == element || row.element == "*")
            && is_on(row.preset)
            && row
                .condition
                .is_none_or(|condition| condition.holds(value_of))
    })?;
    let mut rule = row.rule;
    if row.has_role_by_rel {
        rule.role = Role::of_rel(&value_of("rel").unwrap_or_default());
    }
    Some(rule)
}
