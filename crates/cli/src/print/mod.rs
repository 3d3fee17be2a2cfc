//! The output of a run: data on standard output, messages on standard error, and files of links.
//!
//! [`printer`] gets the results of all jobs, in order. The other modules make text, which it prints or counts.

pub(crate) mod bundles;
pub(crate) mod diff;
pub(crate) mod format;
pub(crate) mod html;
pub(crate) mod job_result;
pub(crate) mod jsonl_report;
pub(crate) mod link_entry;
pub(crate) mod printer;
mod progress;
pub(crate) mod rewritten_document;
pub(crate) mod style;
pub(crate) mod tally;
pub(crate) mod terminal;
pub(crate) mod warnings;
