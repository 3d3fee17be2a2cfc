//! Problems with the base URL and the references of a document.
//!
//! This module does not look for links or BASE elements itself: it applies the rules to the report of a rewriter.
//! It checks only what the document contains, and never accesses the network. The caller may know more about the
//! targets of links, such as the files of a site.

mod bases;
mod checker;
mod guess;
mod references;
mod rule;
mod rule_text;
mod scheme;
mod suppression;
mod targets;

pub use checker::{Finding, Violation};
pub use rule::Rule;

use checker::Checker;

use crate::document::Document;
use crate::limits::Limit;
use crate::record::{LinkCounts, LinkReport};
use crate::rewrite::in_memory;
use crate::settings::RewriteSettings;
use crate::unsupported::Unsupported;

/// The result of checking a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// The problems, in document order.
    pub findings: Vec<Finding>,
    /// The number of problems that comments in the document suppress: see [`Rewriter::check`](crate::Rewriter::check).
    pub suppressed: usize,
    /// The number of links by outcome.
    pub counts: LinkCounts,
    /// The reason why the document was not parsed, if it was not, or why it has no findings: there are
    /// [too many](Limit::Findings).
    pub unsupported: Option<Unsupported>,
}

/// Reports problems of `document`; see [`Rewriter::check`](crate::Rewriter::check).
pub(crate) fn check(
    settings: &RewriteSettings,
    document: &Document<'_>,
    examine: impl FnMut(&LinkReport<'_>) -> Option<Violation>,
) -> CheckReport {
    let found = in_memory::links(settings, document);
    let mut checker = Checker::new(settings, &found, document.bytes.len());
    bases::check(&mut checker);
    references::check(&mut checker);
    checker.repeated_attributes();
    targets::check(&mut checker, examine);
    if checker.has_too_many() {
        return CheckReport {
            counts: found.counts,
            unsupported: Some(Unsupported::LimitExceeded(Limit::Findings)),
            ..CheckReport::default()
        };
    }
    let mut findings = checker.in_document_order();
    let suppressed = suppression::suppress(document, &mut findings);
    CheckReport {
        findings,
        suppressed,
        counts: found.counts,
        unsupported: found.unsupported,
    }
}
