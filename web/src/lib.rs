//! The WebAssembly module of the npm package `absolve`.
//!
//! It passes documents and settings to the library, and has no rules about links or base URLs. The TypeScript in `web/js`
//! checks the types of arguments, and makes objects of the results.
//!
//! # Boundary
//!
//! Values cross as bytes and strings, because these are copied at once, and objects member by member:
//!
//! * A document is its bytes, and whether JavaScript has it as a string ([`document`]).
//! * Options and facts are lists of strings ([`options`], [`document`]).
//! * Results are JSON ([`rows`]), except for rewritten documents.
//! * An error is a string, for which `web/js` throws an error object.
//!
//! Offsets are in UTF-16 code units for strings, and in bytes otherwise ([`offsets`]).

mod document;
mod offsets;
mod options;
mod resolve;
mod rewriter;
mod rows;

pub use resolve::{explain, relative, resolve};
pub use rewriter::{RawRewriter, RawRewritten};
