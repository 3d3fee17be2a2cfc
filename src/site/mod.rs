//! Sites: directories of files that are published under a URL, or were downloaded from one.
//!
//! A site is names only: nothing here reads or writes a file. Paths are relative to the directory, with slashes between
//! the segments; those of what was downloaded are bytes, because that is what names of files are.

mod address;
mod httrack;
mod layout;
mod md5;
mod mirror;
mod names;
mod page;
mod path;

pub use address::{Site, SiteError};
pub use layout::{Layout, UnknownLayout};
pub use mirror::{Mirror, NoRoot};
pub use page::{MirrorScope, Page};
