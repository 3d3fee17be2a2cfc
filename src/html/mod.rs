//! HTML: encoding detection, two readers, and trees.
//!
//! The fast reader is the [scanner](scan); it reads most documents. The reference reader is [html5ever](tap), with
//! positions added; it reads the rest. Both produce the same [`Tokens`](crate::markup::tokens::Tokens). No other
//! top-level module imports html5ever. This module does not know which attributes are links or how a reference
//! resolves.

pub(crate) mod charref;
pub(crate) mod conditional_comment;
pub(crate) mod encoding;
pub(crate) mod foreign_text;
mod reader;
pub(crate) mod scan;
pub(crate) mod tag;
pub(crate) mod tap;
#[cfg(feature = "rcdom")]
pub(crate) mod tree;

pub(crate) use reader::Parsed;
pub use reader::Reader;
pub(crate) use reader::ends_outside_markup;
pub use scan::BailOut;
