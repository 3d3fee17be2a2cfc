//! Folders that other programs downloaded, converted for reading offline.

mod httrack;
pub(crate) mod server;
mod wget;
