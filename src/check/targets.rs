//! Links whose targets the caller examines.

use std::collections::HashSet;

use super::checker::{Checker, Violation};
use super::rule::Rule;
use crate::link::Role;
use crate::record::LinkReport;
use crate::span::Span;

/// Rules that report why a link leads nowhere: if one of them fires, another finding is redundant.
const EXPLAIN_MISSING: [Rule; 9] = [
    Rule::Placeholder,
    Rule::LocalFile,
    Rule::MissingAuthority,
    Rule::MisspelledScheme,
    Rule::MissingScheme,
    Rule::ColonInFirstSegment,
    Rule::SingleLabelHost,
    Rule::Malformed,
    Rule::DotsAboveRoot,
];

/// Adds a finding for each violation that `examine` returns.
pub(super) fn check(
    checker: &mut Checker<'_>,
    mut examine: impl FnMut(&LinkReport<'_>) -> Option<Violation>,
) {
    let findings = checker.findings.iter().map(|(_, finding)| finding);
    let leaves_document = findings
        .clone()
        .any(|finding| finding.rule == Rule::FragmentLeavesDocument);
    let explained = findings.filter(|finding| EXPLAIN_MISSING.contains(&finding.rule));
    let explained: HashSet<Span> = explained.filter_map(|finding| finding.span).collect();
    for (index, link_report) in checker.found.links.iter().enumerate() {
        let link = &link_report.link;
        let is_fragment = leaves_document && link.reference.starts_with('#');
        if is_fragment || link.span.is_some_and(|span| explained.contains(&span)) {
            continue;
        }
        // The target of a form is a program, and identifiers are not followed.
        if matches!(link.role, Role::Base | Role::Identifier | Role::Action) {
            continue;
        }
        if let Some(violation) = examine(link_report) {
            checker.add(violation, Some(index));
        }
    }
}
