//! The promises of the command, run as a program in temporary directories.

mod check;
mod check_policy;
mod cli;
mod configuration;
mod containers;
mod documentation;
mod fetch;
mod fetch_tls;
mod loss;
mod memory;
mod mirror;
mod sites;
mod sites_files;
mod sites_moved;
mod sites_redirects;
mod sites_selection;
mod sites_stale;
mod stream;
mod walkthrough;
