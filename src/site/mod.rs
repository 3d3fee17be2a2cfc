//! Directories: which URL a file was retrieved from, and which file a URL leads to.
//!
//! Names only: nothing here reads or writes a file. Paths are relative to the directory, with slashes between the
//! segments, and bytes, because that is what names of files are.

mod httrack;
mod layout;
mod md5;
mod mirror;
mod names;
mod page;
mod path;

pub use layout::{Layout, UnknownLayout};
pub use mirror::{Mirror, NoRoot};
pub use page::{MirrorScope, Page};
