//! [`ValueOwner`]: the element that a value belongs to.

use std::borrow::Cow;

use crate::grammar::ReferenceToken;
use crate::link::{Link, SelectedRule, TEXT};
use crate::markup::Namespace;
use crate::span::Span;

/// The owner of a value: an element, and the part of the element that the value is.
pub(crate) struct ValueOwner<'h, 'v, 'w> {
    pub(crate) namespace: Namespace,
    pub(crate) element: &'h Cow<'v, str>,
    pub(crate) kind: ValueKind<'h, 'v>,
    /// The decoded values of the element's attributes, by name.
    pub(crate) value_of: &'h dyn Fn(&str) -> Option<Cow<'w, str>>,
}

/// The part of an element that a value is.
#[derive(Clone, Copy)]
pub(crate) enum ValueKind<'h, 'v> {
    /// The attribute with this name.
    Attribute(&'h Cow<'v, str>),
    /// The text of the element.
    Text,
    /// There is no element: the value is a document of its own, such as a style sheet.
    Document,
}

impl<'v> ValueOwner<'_, 'v, '_> {
    /// Returns whether the value is in base64.
    ///
    /// # Source
    /// The Atom Syndication Format 0.3, section 3.1.2 (`mode`). RFC 4287 has base64 for other content than HTML only.
    pub(crate) fn is_in_base64(&self) -> bool {
        self.namespace == Namespace::Atom
            && (self.value_of)("mode").is_some_and(|mode| mode.eq_ignore_ascii_case("base64"))
    }

    /// Returns whether the value is that of an attribute on which the elements around it depend.
    ///
    /// # Source
    /// HTML, "the rules for parsing tokens in foreign content", "in table", "in head", and "HTML integration point".
    pub(crate) fn affects_tree(&self) -> bool {
        let ValueKind::Attribute(attribute) = self.kind else {
            return false;
        };
        match (self.namespace, &**self.element) {
            (Namespace::Html, "input") => attribute == "type",
            (Namespace::Html, "font") => matches!(&**attribute, "color" | "face" | "size"),
            (Namespace::Html, "template") => attribute == "shadowrootmode",
            (Namespace::MathMl, "annotation-xml") => attribute == "encoding",
            _ => false,
        }
    }

    /// Returns the link of `token`, whose span in the document is `span`.
    pub(crate) fn link(
        &self,
        selected: SelectedRule,
        token: &ReferenceToken<'v>,
        span: Option<Span>,
    ) -> Link<'v> {
        let attribute = match self.kind {
            ValueKind::Attribute(name) => name.clone(),
            ValueKind::Text => Cow::Borrowed(TEXT),
            // Reports name the CSS construct instead: `url()`, `@import` and so on. Every CSS reference has one.
            ValueKind::Document => Cow::Borrowed(token.construct.unwrap_or(TEXT)),
        };
        Link {
            element: element_name(self.namespace, self.element),
            attribute,
            grammar: selected.rule.grammar,
            role: selected.rule.role,
            reference: token.reference.clone(),
            span,
        }
    }
}

/// Returns the name of an element in reports: with the prefix of its vocabulary, unless that is HTML.
#[inline]
pub(crate) fn element_name<'v>(namespace: Namespace, name: &Cow<'v, str>) -> Cow<'v, str> {
    match namespace.prefix() {
        "" => name.clone(),
        prefix => Cow::Owned([prefix, name].concat()),
    }
}
