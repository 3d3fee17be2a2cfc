//! Conversion of html5ever's names of elements and attributes.

use std::borrow::Cow;

use html5ever::{QualName, ns};

use crate::markup::tokens::Namespace;

/// Returns the namespace of an element, or `None` if it is not HTML, SVG or MathML.
pub(in crate::html) fn namespace_of(name: &QualName) -> Option<Namespace> {
    match name.ns {
        ns!(html) => Some(Namespace::Html),
        ns!(svg) => Some(Namespace::Svg),
        ns!(mathml) => Some(Namespace::MathMl),
        _ => None,
    }
}

/// Returns the name of an attribute, including its prefix if it has one.
pub(in crate::html) fn qualified(name: &QualName) -> Cow<'_, str> {
    match &name.prefix {
        Some(prefix) => Cow::Owned(format!("{prefix}:{}", name.local)),
        None => Cow::Borrowed(&*name.local),
    }
}
