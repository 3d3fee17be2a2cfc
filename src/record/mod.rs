//! Records of links and documents.

mod document;
mod link;
mod outcome;

pub(crate) use document::BaseElementReport;
pub use document::{LinkCounts, Report, RewriteSummary, Rewritten};
pub(crate) use link::mark_skipped;
pub use link::{LinkObserver, LinkReport, LinkRow, ObservedLink, TargetParts};
pub use outcome::{Outcome, SkipReason};
