//! The link table: a row for each attribute, or text of an element, that contains references.
//!
//! The rows define the kinds of links that this crate knows, so adding one means adding a line. There are two
//! exceptions, which belong to no element: markup in conditional comments ([`Preset::Comments`]), and style sheets that
//! are documents of their own ([`Document::style_sheet`](crate::Document::style_sheet)). Attributes that only look like
//! links have no row, and are edited only if a selector of the user selects them: `usemap`, `itemtype`, `script[for]`,
//! XML namespaces.

mod foreign;
mod html;
mod optional;

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::OnceLock;

use super::selector::{Condition, Test};
use super::{BaseRule, Empty, FragmentOnly, LinkRule, Role};
use crate::grammar::Grammar;
use crate::html::Namespace;
use crate::names::{self, UnknownName};

/// A group of links that is enabled or disabled as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// The links of HTML, SVG and MathML. Enabled by default.
    ///
    /// Includes those of obsolete standards, and attributes that browsers or many pages use without a standard.
    Html,
    /// The `meta` elements of Open Graph, Twitter cards and Windows tiles.
    Social,
    /// `data-src` and similar attributes, from which scripts load images lazily.
    Lazy,
    /// The attributes `about` and `resource` of `RDFa`.
    Rdfa,
    /// `script` elements of type `application/ld+json`.
    JsonLd,
    /// Markup in conditional comments: `<!--[if mso]>...<![endif]-->`.
    Comments,
    /// URLs animated by SVG: `to`, `from`, `by` and `values` of an animation whose `attributeName` is `href`.
    Animation,
    /// Links that only old software follows.
    ///
    /// These are `object[data]`, resolved against `codebase` (HTML 4.01), and `definitionURL` (MathML).
    Legacy,
}

impl Preset {
    /// All presets.
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

    /// Returns the name used on the command line.
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
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        names::find("preset", name, Self::ALL, Self::name)
    }
}

/// A row of the link table. [`rows`] defines the order of precedence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(super) namespace: Namespace,
    /// The name of the element, or `*` for every element of the namespace (a *wildcard row*).
    pub(super) element: &'static str,
    /// The name of the attribute, or [`TEXT`](super::TEXT).
    pub(super) attribute: &'static str,
    pub(super) condition: Option<Condition<&'static str>>,
    pub(super) preset: Preset,
    /// Its grammar may depend on the value ([`SelectedRule::for_value`](super::SelectedRule::for_value)).
    pub(crate) rule: LinkRule,
    /// Whether the `rel` attribute determines the role.
    pub(super) has_role_by_rel: bool,
    /// The standard that defines the link, or the practice if there is none.
    #[expect(dead_code, reason = "for the reader of the table")]
    source: &'static str,
}

/// Creates the rows of a namespace.
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

    /// Restricts the row to elements with a name of Open Graph or Twitter cards, in `property` or in `name`.
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

    const fn grammar(self, grammar: Grammar) -> Self {
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

    /// Returns whether the row applies to elements of that name.
    pub(super) fn is_for(&self, namespace: Namespace, element: &str) -> bool {
        self.namespace == namespace && (self.element == element || self.element == "*")
    }

    /// Returns the name of the element, or `None` for every element, and the name of the attribute.
    pub(crate) fn names(&self) -> (Option<&'static str>, &'static str) {
        let element = Some(self.element).filter(|name| *name != "*");
        (element, self.attribute)
    }

    /// Returns the rule for an element whose other attributes have the values that `value_of` returns.
    pub(crate) fn rule_for_element<'v>(
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

/// Returns every row, in no particular order.
pub(super) fn all_rows() -> impl Iterator<Item = &'static Row> + Clone {
    [html::ROWS, optional::ROWS, foreign::ROWS]
        .into_iter()
        .flatten()
}

/// Returns the rows for an attribute name in order of precedence, highest first.
///
/// The rows of optional presets precede those of [`Preset::Html`], so that enabling a preset has an effect where both
/// have a row. Within each of the two groups, a row for one element precedes a row for every element.
pub(super) fn rows(attribute: &str) -> &'static [&'static Row] {
    let sorted = sorted_rows();
    let start = sorted.partition_point(|row| row.attribute < attribute);
    let length = sorted[start..].partition_point(|row| row.attribute == attribute);
    &sorted[start..start + length]
}

/// Returns the [`rows`] for each attribute name.
pub(super) fn rows_by_attribute() -> impl Iterator<Item = &'static [&'static Row]> {
    sorted_rows().chunk_by(|row, next| row.attribute == next.attribute)
}

/// Returns every row, ordered by the name of the attribute, and for one name by precedence.
fn sorted_rows() -> &'static [&'static Row] {
    static ROWS: OnceLock<Vec<&'static Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut sorted: Vec<&'static Row> = all_rows().collect();
        // `false` sorts before `true`. The sort is stable, so the order of the lines decides between equals.
        sorted.sort_by_key(|row| {
            let precedence = (row.preset == Preset::Html, row.element == "*");
            (row.attribute, precedence)
        });
        sorted
    })
}
