//! Values that are JSON texts: the inline data blocks of HTML that hold references, one kind a file.
//!
//! What is not valid JSON has no references: no reader of these blocks would get any from it. References come in the
//! order of the text. Where the name of a member stands twice all of them are read, though `JSON.parse` keeps the last:
//! an edit to the others changes nothing.

mod import_map;
mod json_ld;
mod speculation_rules;
mod string;
mod text;

pub(in crate::grammar) use import_map::is_url_like;
pub(crate) use import_map::{begins_like_specifier, import_map};
pub(crate) use json_ld::json_ld;
pub(in crate::grammar) use json_ld::may_be_reference;
pub(crate) use speculation_rules::speculation_rules;
pub(crate) use string::escape;

#[cfg(test)]
mod tests;
