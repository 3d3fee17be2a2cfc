//! The command line: output, messages, exit codes and files of every verb.

mod support;
#[path = "support/world.rs"]
mod world;

#[path = "cli/base.rs"]
mod base;
#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/in_place.rs"]
mod in_place;
#[path = "cli/links.rs"]
mod links;
#[path = "cli/resolve.rs"]
mod resolve;
#[path = "cli/rewrite.rs"]
mod rewrite;
#[path = "cli/xml.rs"]
mod xml;
