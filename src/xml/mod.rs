//! XML: a reader that yields the tokens of `crate::markup::tokens`, and encoding detection.
//!
//! [`reader`] reads a document. It checks that the document is well-formed, because a document that is not has no
//! agreed structure: it is left unchanged, with the line, the column and the rule it violates. Names are those of
//! namespaces, never of prefixes. Everything after the tokens (link table, base URLs, edits) is shared with HTML.
//!
//! # Security
//!
//! No entity is expanded, nothing is fetched, and every step is linear. A document can refer to an entity as often as
//! it likes (*billion laughs*): each reference is a few bytes that are skipped.
//!
//! # What is not read
//!
//! * An external subset, and attribute defaults of the internal one.
//! * The replacement text of entities. A reference to one that has markup makes the document unsupported, because links
//!   could be in it. A link whose value refers to an entity is skipped.
//!
//! # Source
//! XML 1.0 (Fifth Edition); Namespaces in XML 1.0, except that an unbound prefix is no error, because no link depends
//! on it.

mod characters;
mod doctype;
pub(crate) mod encoding;
mod end_tag;
mod error;
mod namespaces;
#[cfg(test)]
mod quick_xml_tests;
mod reader;
mod segments;
pub(crate) mod sniff;
mod start_tag;
mod state;
mod tag;
pub(crate) mod text;

pub(crate) use error::ill_formed;
pub(crate) use reader::{ReadOptions, read_chunk};
pub(crate) use segments::{XmlSegments, XmlSegmentsError};
pub(crate) use start_tag::XML_BASE;
pub(crate) use state::XmlState;
