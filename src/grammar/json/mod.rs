//! Values that are JSON texts: the inline data blocks of HTML that contain references, one file for each kind.
//!
//! A text that is not valid JSON has no references, because no user agent would find any in it. References are returned
//! in the order of the text. If members have the same name, all of them are read, although `JSON.parse` keeps only the
//! last: editing the others has no effect.

mod import_map;
mod json_ld;
mod schema_org;
mod speculation_rules;
mod string;
mod text;

pub(crate) use import_map::import_map;
pub(in crate::grammar) use import_map::is_url_like;
pub(crate) use json_ld::json_ld;
pub(in crate::grammar) use json_ld::may_be_reference;
pub(crate) use speculation_rules::speculation_rules;
pub(crate) use string::{escape, read as decode_string};
pub(crate) use text::{JsonValue, read};

#[cfg(test)]
mod tests;
