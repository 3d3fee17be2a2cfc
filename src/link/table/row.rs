//! A row of the link table, and the presets that enable rows.

use std::borrow::Cow;

use crate::grammar::Grammar;
use crate::link::selector::{Condition, Test};
use crate::link::{BaseRule, Empty, FragmentOnly, LinkRule, Role};
use crate::markup::Namespace;
use crate::names::named_values;

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

named_values! { Preset, "preset":
    Html => "html",
    Social => "social",
    Lazy => "lazy",
    Rdfa => "rdfa",
    JsonLd => "json-ld",
    Comments => "comments",
    Animation => "animation",
    Legacy => "legacy",
}

/// The roles of a `link` element that are not the same in HTML and Atom.
#[derive(Debug, Clone, Copy)]
pub(in crate::link) struct RolesByRel {
    /// With the link type `alternate`.
    pub(super) alternate: Role,
    /// Without a `rel` attribute.
    pub(super) absent: Role,
}

/// A row of the link table. [`rows`](super::rows) defines the order of precedence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(in crate::link) namespace: Namespace,
    /// The name of the element, or `*` for every element of the namespace (a *wildcard row*).
    pub(in crate::link) element: &'static str,
    /// The name of the attribute, or [`TEXT`](crate::link::TEXT).
    pub(in crate::link) attribute: &'static str,
    pub(in crate::link) condition: Option<Condition<&'static str>>,
    pub(in crate::link) preset: Preset,
    /// Its grammar may depend on the value ([`SelectedRule::for_value`](crate::link::SelectedRule::for_value)).
    pub(crate) rule: LinkRule,
    /// The roles by the `rel` attribute, if it determines the role.
    pub(in crate::link) roles_by_rel: Option<RolesByRel>,
    /// The standard that defines the link, or the practice if there is none.
    #[expect(dead_code, reason = "for the reader of the table")]
    source: &'static str,
}

/// Creates the rows of a namespace.
pub(super) struct RowBuilder(Namespace);

pub(super) const HTML: RowBuilder = RowBuilder(Namespace::Html);
pub(super) const SVG: RowBuilder = RowBuilder(Namespace::Svg);
pub(super) const MATH: RowBuilder = RowBuilder(Namespace::MathMl);
/// Elements of other namespaces, or of none.
pub(super) const XML: RowBuilder = RowBuilder(Namespace::Other);
pub(super) const ATOM: RowBuilder = RowBuilder(Namespace::Atom);
pub(super) const RSS: RowBuilder = RowBuilder(Namespace::Rss);
pub(super) const RDF: RowBuilder = RowBuilder(Namespace::Rdf);
pub(super) const RSS_CONTENT: RowBuilder = RowBuilder(Namespace::RssContent);
pub(super) const MEDIA: RowBuilder = RowBuilder(Namespace::Media);
pub(super) const ITUNES: RowBuilder = RowBuilder(Namespace::Itunes);
pub(super) const PODCAST: RowBuilder = RowBuilder(Namespace::Podcast);
pub(super) const WFW: RowBuilder = RowBuilder(Namespace::Wfw);
pub(super) const OPML: RowBuilder = RowBuilder(Namespace::Opml);
pub(super) const SITEMAP: RowBuilder = RowBuilder(Namespace::Sitemap);
pub(super) const SITEMAP_IMAGE: RowBuilder = RowBuilder(Namespace::SitemapImage);
pub(super) const SITEMAP_VIDEO: RowBuilder = RowBuilder(Namespace::SitemapVideo);
pub(super) const JSON_FEED: RowBuilder = RowBuilder(Namespace::JsonFeed);

impl RowBuilder {
    pub(super) const fn row(
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
            rule: LinkRule {
                has_utf_8_query: !matches!(
                    self.0,
                    Namespace::Html | Namespace::Svg | Namespace::MathMl
                ),
                ..LinkRule::new(Grammar::Url, role)
            },
            roles_by_rel: None,
            source,
        }
    }
}

impl Row {
    pub(super) const fn when(
        mut self,
        attribute: &'static str,
        test: Test,
        value: &'static str,
    ) -> Self {
        self.condition = Some(Condition {
            attribute,
            or: None,
            test,
            value,
        });
        self
    }

    /// Restricts the row to elements with a name of Open Graph or Twitter cards, in `property` or in `name`.
    pub(super) const fn when_named(mut self, value: &'static str) -> Self {
        self.condition = Some(Condition {
            attribute: "property",
            or: Some("name"),
            test: Test::HasWord,
            value,
        });
        self
    }

    pub(super) const fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    pub(super) const fn grammar(mut self, grammar: Grammar) -> Self {
        self.rule = self.rule.of_grammar(grammar);
        self
    }

    pub(super) const fn role_by_rel(mut self, roles: RolesByRel) -> Self {
        self.roles_by_rel = Some(roles);
        self
    }

    pub(super) const fn against_fallback(mut self) -> Self {
        self.rule.base_rule = BaseRule::Fallback;
        self
    }

    pub(super) const fn against_codebase(mut self) -> Self {
        self.rule.base_rule = BaseRule::Codebase;
        self
    }

    pub(super) const fn against_content(mut self) -> Self {
        self.rule.base_rule = BaseRule::Content;
        self
    }

    pub(super) const fn is_identifier(mut self) -> Self {
        self.rule.base_rule = BaseRule::Identifier;
        self
    }

    pub(super) const fn empty_is_base(mut self) -> Self {
        self.rule.empty = Empty::Base;
        self
    }

    /// Returns whether the row applies to elements of that name.
    pub(in crate::link) fn is_for(&self, namespace: Namespace, element: &str) -> bool {
        self.namespace == namespace && (self.element == element || self.element == "*")
    }

    /// Returns the name of the element, or `None` for every element, and the name of the attribute.
    pub(crate) fn names(&self) -> (Option<&'static str>, &'static str) {
        let element = Some(self.element).filter(|name| *name != "*");
        (element, self.attribute)
    }

    /// Returns the rule for an element whose other attributes have the values that `value_of` returns.
    #[inline]
    pub(crate) fn rule_for_element<'v>(
        &self,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> LinkRule {
        let mut rule = self.rule;
        if let Some(roles) = self.roles_by_rel {
            rule.role = match value_of("rel") {
                Some(rel) => Role::of_rel(&rel, roles.alternate),
                None => roles.absent,
            };
        }
        rule
    }

    /// Returns whether the row applies to elements of that name and its condition holds for the values that `value_of`
    /// returns.
    pub(in crate::link) fn applies<'v>(
        &self,
        namespace: Namespace,
        element: &str,
        value_of: &dyn Fn(&str) -> Option<Cow<'v, str>>,
    ) -> bool {
        let condition = self.condition;
        self.is_for(namespace, element)
            && condition.is_none_or(|condition| condition.holds(value_of))
    }

    pub(super) const fn fragment_is_local(mut self) -> Self {
        self.rule.fragment_only = FragmentOnly::Local;
        self
    }
}
