//! The link table: one row for each attribute, or text, that holds references.
//!
//! Everything the crate knows about where links live is in the rows, but for conditional comments, which are no
//! attribute and no element; adding a link is adding a line. What only looks like a link (`usemap`, `itemtype`,
//! `script[for]`, namespaces) has no row and is never touched.

mod foreign;
mod html;
mod optional;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::selector::{Condition, Test};
use super::{BaseRule, Empty, FragmentOnly, LinkRule, Role};
use crate::grammar::Grammar;
use crate::html::Namespace;

/// A group of links that is switched on or off as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// What the HTML standard and its predecessors define, SVG and MathML included, and what browsers or many pages
    /// have had besides. On by default.
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
    /// What only old software follows: `object[data]` against `codebase`, as HTML 4.01 has it; `definitionURL` of
    /// MathML.
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

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, UnknownPreset> {
        let found = Self::ALL.iter().find(|preset| preset.name() == name);
        found.copied().ok_or(UnknownPreset)
    }
}

/// A text that is the name of no [`Preset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownPreset;

impl fmt::Display for UnknownPreset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no preset of that name")
    }
}

impl std::error::Error for UnknownPreset {}

/// A row of the link table. With an element of `*` it holds for every element of the namespace; [`rows`] says which row
/// goes before which.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) namespace: Namespace,
    pub(super) element: &'static str,
    pub(super) attribute: &'static str,
    pub(super) condition: Option<Condition<&'static str>>,
    pub(super) preset: Preset,
    pub(super) rule: LinkRule,
    /// Whether `rel` says what the link is for.
    pub(super) has_role_by_rel: bool,
    /// The standard, or where there is none the practice, that makes it a link.
    #[expect(dead_code, reason = "for the reader of the table")]
    source: &'static str,
}

/// The namespace of a row, to begin it with.
struct RowBuilder(Namespace);

const HTML: RowBuilder = RowBuilder(Namespace::Html);
const SVG: RowBuilder = RowBuilder(Namespace::Svg);
const MATH: RowBuilder = RowBuilder(Namespace::MathMl);

impl RowBuilder {
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
            rule: LinkRule::new(Grammar::Url, role),
            has_role_by_rel: false,
            source,
        }
    }
}

impl Row {
    const fn when(self, attribute: &'static str, test: Test, value: &'static str) -> Self {
        let condition = Some(Condition {
            attribute,
            or: None,
            test,
            value,
        });
        Self { condition, ..self }
    }

    /// For the names of Open Graph and Twitter cards, which stand in `property` or in `name`.
    const fn when_named(self, value: &'static str) -> Self {
        let condition = Some(Condition {
            attribute: "property",
            or: Some("name"),
            test: Test::HasWord,
            value,
        });
        Self { condition, ..self }
    }

    const fn preset(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    const fn holds(self, grammar: Grammar) -> Self {
        let rule = self.rule.of_grammar(grammar);
        Self { rule, ..self }
    }

    const fn role_by_rel(self) -> Self {
        let has_role_by_rel = true;
        Self {
            has_role_by_rel,
            ..self
        }
    }

    const fn against_fallback(self) -> Self {
        let base_rule = BaseRule::Fallback;
        let rule = LinkRule {
            base_rule,
            ..self.rule
        };
        Self { rule, ..self }
    }

    const fn against_codebase(self) -> Self {
        let base_rule = BaseRule::Codebase;
        let rule = LinkRule {
            base_rule,
            ..self.rule
        };
        Self { rule, ..self }
    }

    const fn empty_is_base(self) -> Self {
        let empty = Empty::Base;
        let rule = LinkRule { empty, ..self.rule };
        Self { rule, ..self }
    }

    /// Whether it may be about attributes of an element of that name.
    pub(super) fn is_for(&self, namespace: Namespace, element: &str) -> bool {
        self.namespace == namespace && (self.element == element || self.element == "*")
    }

    /// The rule, where `value_of` gives the values of the element's other attributes.
    pub(super) fn rule_where<'v>(
        &self,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> LinkRule {
        let mut rule = self.rule;
        if self.has_role_by_rel {
            rule.role = Role::of_rel(&value_of("rel").unwrap_or_default());
        }
        rule
    }

    const fn fragment_is_local(self) -> Self {
        let fragment_only = FragmentOnly::Local;
        let rule = LinkRule {
            fragment_only,
            ..self.rule
        };
        Self { rule, ..self }
    }
}

/// Every row, in no particular order.
pub(super) fn all_rows() -> impl Iterator<Item = &'static Row> + Clone {
    [html::ROWS, optional::ROWS, foreign::ROWS]
        .into_iter()
        .flatten()
}

/// The rows for an attribute name, those first that go before others: the optional ones, then those for one element.
pub(super) fn rows(attribute: &str) -> &'static [&'static Row] {
    // Names of one length are few, and compared faster than hashed.
    static INDEX: OnceLock<Vec<Vec<OfName>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index: Vec<Vec<OfName>> = Vec::new();
        for row in all_rows() {
            let name = row.attribute;
            if index.len() <= name.len() {
                index.resize_with(name.len() + 1, Vec::new);
            }
            let of_length = &mut index[name.len()];
            match of_length.iter_mut().find(|known| known.name == name) {
                Some(known) => known.rows.push(row),
                None => of_length.push(OfName {
                    name,
                    rows: vec![row],
                }),
            }
        }
        for known in index.iter_mut().flatten() {
            known
                .rows
                .sort_by_key(|row| (row.preset == Preset::Html, row.element == "*"));
        }
        index
    });
    let of_length = index.get(attribute.len()).map_or(&[][..], Vec::as_slice);
    let known = of_length.iter().find(|known| known.name == attribute);
    known.map_or(&[], |known| &known.rows)
}

/// The rows for one attribute name.
struct OfName {
    name: &'static str,
    rows: Vec<&'static Row>,
}
