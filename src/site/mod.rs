//! Sites: directories of files that are published under a URL.
//!
//! A site is names only: nothing here reads or writes a file.

mod address;

pub use address::{Site, SiteError};
