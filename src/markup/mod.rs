//! Markup in whatever language: the tokens that readers yield, and the names and values in them.
//!
//! The readers (`crate::html`, `crate::xml`, `crate::json_feed`) do not know each other. They share the items here, one
//! form for all languages: a field that one of them does not have is empty in the others.

pub(crate) mod attribute;
pub(crate) mod name;
pub(crate) mod name_set;
pub(crate) mod probe_table;
pub(crate) mod tokens;
pub(crate) mod value;

pub(crate) use tokens::{BaseElement, Namespace, TreeLocation};
