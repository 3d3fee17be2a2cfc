//! The WebAssembly module of the npm package `absolve`.
//!
//! It passes documents and settings to the library, and has no rules about links or base URLs. The TypeScript in
//! `web/js` checks the types of arguments, and makes objects of the results.
//!
//! # Boundary
//!
//! Values cross as bytes and strings, because these are copied at once, and objects member by member:
//!
//! * JavaScript writes a document to the memory of the module ([`input`]); a string in UTF-8.
//! * Options and facts are lists of strings ([`options`], [`document`]).
//! * Results are JSON ([`rows`]). Of a rewritten string, JavaScript receives the edits, and of rewritten bytes the
//!   bytes ([`rewritten`]).
//! * An error is a string, for which `web/js` throws an error object.
//!
//! Offsets are in UTF-16 code units for strings, and in bytes otherwise.

#[cfg(feature = "containers")]
mod container;
mod document;
mod input;
mod options;
mod resolve;
mod rewriter;
mod rewritten;
mod rows;
mod utf16;

#[cfg(feature = "containers")]
pub use container::RawContainer;
pub use input::{RawInput, module_memory};
pub use resolve::{explain, relative, resolve};
pub use rewriter::RawRewriter;
pub use rewritten::RawRewritten;
