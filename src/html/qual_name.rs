//! Names of elements and attributes, as html5ever has them.

use std::borrow::Cow;

use html5ever::{QualName, ns};

use super::Namespace;

/// The namespace of an element, or `None` if it is none of the three HTML knows.
pub(super) fn namespace_of(name: &QualName) -> Option<Namespace> {
    match name.ns {
        ns!(html) => Some(Namespace::Html),
        ns!(svg) => Some(Namespace::Svg),
        ns!(mathml) => Some(Namespace::MathMl),
        _ => None,
    }
}

/// The name of an attribute, with its prefix if it has one.
pub(super) fn qualified(name: &QualName) -> Cow<'_, str> {
    match &name.prefix {
        Some(prefix) => Cow::Owned(format!("{prefix}:{}", name.local)),
        None => Cow::Borrowed(&*name.local),
    }
}
