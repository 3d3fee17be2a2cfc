//! The verbs, one module for each.

pub(crate) mod base;
pub(crate) mod check;
pub(crate) mod documentation;
pub(crate) mod index;
pub(crate) mod links;
pub(crate) mod mirror;
pub(crate) mod resolve;
pub(crate) mod rewrite;
