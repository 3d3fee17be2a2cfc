//! What the library promises. The tests need nothing but this repository; a few also read corpora that are there.

mod addresses;
mod agreement;
mod base;
mod cases;
mod check;
mod complexity;
mod containers;
mod docs;
mod feeds;
mod files;
mod json_feed;
mod layers;
mod limits;
mod links;
mod memory;
mod mirror;
mod policies;
mod profiles;
mod properties;
mod prose;
mod resolve;
mod rewrite;
mod rows;
mod stream;
mod xml;
