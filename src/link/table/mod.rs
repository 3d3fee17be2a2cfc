//! The link table: one row for each attribute, or text, that holds references.
//!
//! Everything the crate knows about where links live is in the rows below; adding a link is adding a line. What only
//! looks like a link (`usemap`, `itemtype`, `script[for]`, namespaces) has no row and is never touched.

mod foreign;
mod html;
mod optional;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::selector::{Condition, Test};
use super::{BaseRule, Empty, FragmentOnly, Role, Rule};
use crate::grammar::Grammar;
use crate::html::Namespace;

/// A group of links that is switched on or off as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// Everything that the HTML standard and its predecessors define, SVG and MathML included. On by default.
    Html,
    /// The `meta` elements of Open Graph, Twitter cards and Windows tiles.
    Social,
    /// `data-src` and its kin, from which scripts load images late.
    Lazy,
    /// `about` and `resource` of `RDFa`.
    Rdfa,
    /// `script` elements of type `application/ld+json`.
    JsonLd,
    /// Markup in conditional comments: `<!--[if mso]>...<![endif]-->`.
    Comments,
    /// URLs that SVG animates: `to`, `from`, `by` and `values` where `attributeName` is `href`.
    Animation,
    /// What only old software follows: `object[data]` against `codebase`, as HTML 4.01 has it; `definitionURL` of MathML.
    Legacy,
}

impl Preset {
    /// Every preset.
    pub const ALL: &'static [Self] = &[
        Self::Html,
        Self::Social,
        Self::Lazy,
        Self::Rdfa,
        Self::JsonLd,
        Self::Comments,
        Self::Animation,
        Self::Legacy,
    ];

    /// The name used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Social => "social",
            Self::Lazy => "lazy",
            Self::Rdfa => "rdfa",
            Self::JsonLd => "json-ld",
            Self::Comments => "comments",
            Self::Animation => "animation",
            Self::Legacy => "legacy",
        }
    }
}

/// A row of the link table. With an element of `*` it holds for every element of the namespace that has no row of its own
/// for the attribute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) namespace: Namespace,
    pub(super) element: &'static str,
    attribute: &'static str,
    pub(super) condition: Option<Condition<&'static str>>,
    pub(super) preset: Preset,
    pub(super) rule: Rule,
    /// The standard, or where there is none the practice, that makes it a link.
    #[expect(dead_code, reason = "for the reader of the table")]
    source: &'static str,
}

/// The namespace of a row, to begin it with.
struct In(Namespace);

const HTML: In = In(Namespace::Html);
const SVG: In = In(Namespace::Svg);
const MATH: In = In(Namespace::MathMl);

impl In {
    const fn row(
        &self,
        element: &'static str,
        attribute: &'static str,
        role: Role,
        source: &'static str,
    ) -> Row {
        Row {
            namespace: self.0,
            element,
            attribute,
            condition: None,
            preset: Preset::Html,
            rule: Rule::new(Grammar::Url, role),
            source,
        }
    }
}

impl Row {
    const fn when(self, attribute: &'static str, test: Test, value: &'static str) -> Self {
        let condition = Some(Condition {
            attribute,
            test,
            value,
        });
        Self { condition, ..self }
    }

    const fn preset(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    const fn holds(self, grammar: Grammar) -> Self {
        let rule = Rule::new(grammar, self.rule.role);
        Self { rule, ..self }
    }

    const fn against_fallback(self) -> Self {
        let against = BaseRule::Fallback;
        let rule = Rule {
            against,
            ..self.rule
        };
        Self { rule, ..self }
    }

    const fn against_codebase(self) -> Self {
        let against = BaseRule::Codebase;
        let rule = Rule {
            against,
            ..self.rule
        };
        Self { rule, ..self }
    }

    const fn empty_is_base(self) -> Self {
        let empty = Empty::Base;
        let rule = Rule { empty, ..self.rule };
        Self { rule, ..self }
    }

    const fn fragment_is_local(self) -> Self {
        let fragment_only = FragmentOnly::Local;
        let rule = Rule {
            fragment_only,
            ..self.rule
        };
        Self { rule, ..self }
    }
}

/// The rows for an attribute name, those first that go before others: the optional ones, then those for one element.
pub(super) fn rows(attribute: &str) -> &'static [&'static Row] {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
        for row in [optional::ROWS, html::ROWS, foreign::ROWS]
            .into_iter()
            .flatten()
        {
            index.entry(row.attribute).or_default().push(row);
        }
        for rows in index.values_mut() {
            rows.sort_by_key(|row| (row.preset == Preset::Html, row.element == "*"));
        }
        index
    });
    index.get(attribute).map_or(&[], Vec::as_slice)
}
