//! Rewriting: resolves every link of a document against the document's base URL and splices the targets in.
//!
//! Rewriting a document cannot fail. A document that cannot be parsed is returned unchanged with a reason
//! ([`Report::unsupported`](crate::Report::unsupported)); a link that cannot be resolved or written is left unchanged
//! with a [`SkipReason`](crate::SkipReason).
//!
//! # Steps
//!
//! 1. [`Document`](crate::Document) holds the input and detects its encoding. A [`source_text`] is the text that is
//!    scanned: the document itself if it is valid UTF-8, otherwise a *skeleton*, in which non-ASCII bytes are masked,
//!    or a decoded copy.
//! 2. [`pass`] drives one document. The reader of its kind ([`token_source`]), in HTML the scanner (`html::scan`) or
//!    html5ever (`html::tap`), turns the text into tokens, one segment after another. The first segment covers HEAD,
//!    and the scanner bails out at a later BASE, so [`resolve`] can determine the base URLs before the first
//!    link is resolved.
//! 3. A [`visitor`] iterates the tags of a segment ([`markup`]), and the link table (`crate::link`) determines which
//!    attributes are links. A value takes the simple path ([`simple`]) if it need not be decoded, or the general path
//!    ([`value`]), which splits the decoded value into references; [`markup`] has the exact order.
//! 4. [`resolve`] determines the outcome of each reference, and a [`decision`] of the caller what is written. [`edit`]
//!    maps the edit of a value to an edit of the text.
//! 5. A [`sink`] receives the links and edits: it splices the edits into the output as they arrive, or collects them.
//!    An [`observer`] of a caller may receive the links, too.
//! 6. [`verify`] checks that a reader of the output will get the intended text. Otherwise the document is returned
//!    unchanged ([`Report::unwritten`](crate::Report::unwritten)).
//!
//! # Drivers
//!
//! | driver | text | tokens | sink |
//! |---|---|---|---|
//! | [`in_memory`] | all of a document, in place or decoded | a [`pass`] | one for the document |
//! | [`chunk`], for `crate::stream` | a chunk of a document, in place | of the chunk | one for each chunk |
//! | `tree` | each value of a parsed tree | nodes of the tree | the tree itself |
//!
//! Nested documents (`srcdoc`, content of feeds) are visited by a nested visitor, conditional comments by the same one.
//! Both are segments of their own, and collected; a literal CDATA section is visited in place ([`embedded`]). The first
//! two drivers determine the same outcomes and the same output for a document, which the tests compare. They differ in
//! what they record. `tree` applies the same rules to the elements of a tree.
//!
//! [`base_element`] inserts BASE. [`value`] decides whether one is removed, and [`markup`] removes it. [`insertion`]
//! inserts what the caller wants in HEAD and BODY, and [`removal`] removes elements. [`element_rules`] evaluates
//! selectors, [`budget`] counts what a document may spend, and [`element_text`] finds the text of an element.
//!
//! # Giving up
//!
//! A value that is not simple takes the general path in the same pass. Every other obstacle is a [`Fallback`], whose
//! documentation says who catches it: the visitor repeats a CDATA section, a pass continues with the next reader or
//! runs once more, and otherwise [`in_memory`] discards the output so far and repeats the pass with exact text and a
//! sink that collects. A stream that has written nothing yet buffers the document and rewrites it in memory. A document
//! that cannot be decoded or parsed is left unchanged ([`Report::unsupported`](crate::Report::unsupported)).

mod base_element;
pub(crate) mod budget;
pub(crate) mod chunk;
mod decision;
mod edit;
mod element_rules;
mod element_text;
mod embedded;
mod fallback;
mod header_links;
pub(crate) mod in_memory;
mod insertion;
mod link_lifetime;
mod markup;
mod observer;
mod pass;
mod removal;
pub(crate) mod resolve;
mod simple;
mod simple_link;
mod sink;
#[cfg(test)]
mod sink_example;
mod source_text;
mod token_source;
#[cfg(feature = "rcdom")]
pub(crate) mod tree;
mod value;
mod value_owner;
mod verify;
mod visitor;

pub(crate) use decision::Decider;
pub use decision::{BesideLink, Decision};
pub use element_text::{ElementText, ElementTexts};
pub(crate) use fallback::Fallback;
pub(crate) use header_links::header_links;
