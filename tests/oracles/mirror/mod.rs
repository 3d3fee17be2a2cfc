//! Folders that other programs downloaded, converted for reading offline.

mod httrack;
mod server;
mod wget;
