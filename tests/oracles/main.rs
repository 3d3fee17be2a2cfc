//! Third-party tests, real pages and other programs, which a test compares absolve with where they are installed.

mod agreement;
mod canonical_xml;
mod containers;
mod corpora;
mod feed_suites;
mod feeds;
mod mirror;
mod peers;
mod profiles;
mod sites;
mod stream;
mod texts;
