//! `--format html`: one file to look at.

use std::collections::BTreeMap;
use std::io::{self, Write};

use absolve::Excerpt;
use absolve::check::Rule;
use serde::Serialize;

use super::finding::ReportedFinding;
use crate::print::html::{Bar, host, write};
use crate::print::tally::Tally;

/// The number of findings that a report shows of each rule: the first ones by path and place.
const SHOWN: usize = 500;

/// The findings of a run, from all threads.
#[derive(Default)]
pub(super) struct FindingReport {
    rules: BTreeMap<Rule, RuleFindings>,
}

/// The findings of a rule.
#[derive(Default)]
struct RuleFindings {
    count: usize,
    /// The first [`SHOWN`] findings. The place is that among all findings of the document.
    shown: BTreeMap<(String, usize), ShownFinding>,
}

/// A finding in the report.
#[derive(Serialize)]
struct ShownFinding {
    severity: &'static str,
    line: Option<usize>,
    column: Option<usize>,
    before: String,
    within: String,
    after: String,
    message: String,
    help: String,
    host: String,
}

/// The data of the report.
#[derive(Serialize)]
struct FindingData<'r> {
    kind: &'static str,
    summary: &'r str,
    documents: usize,
    shown: usize,
    bars: Vec<Bar>,
    rows: Vec<(usize, &'r str, &'r ShownFinding)>,
}

impl FindingReport {
    /// Adds the finding at `place` among those of its document, which `name` names.
    pub(super) fn add(&mut self, name: &str, place: usize, found: &ReportedFinding<'_>) {
        let rule = self.rules.entry(found.finding.rule).or_default();
        rule.count += 1;
        let key = (name.to_owned(), place);
        let is_full = rule.shown.len() == SHOWN;
        if is_full
            && rule
                .shown
                .last_key_value()
                .is_some_and(|(last, _)| *last < key)
        {
            return;
        }
        rule.shown.insert(key, ShownFinding::new(found));
        if is_full {
            rule.shown.pop_last();
        }
    }

    /// Writes the report; `summary` is the line that the command prints.
    ///
    /// # Errors
    /// Those of `to`.
    pub(super) fn write(
        &self,
        summary: &str,
        tally: &Tally,
        to: &mut impl Write,
    ) -> io::Result<()> {
        let rules = self.rules.iter();
        let bars = rules.clone().map(|(rule, findings)| Bar {
            name: rule.name(),
            title: rule.summary(),
            count: findings.count,
        });
        let rows = rules.enumerate().flat_map(|(index, (_, findings))| {
            let rows = findings.shown.iter();
            rows.map(move |((path, _), row)| (index, &**path, row))
        });
        let data = FindingData {
            kind: "check",
            summary,
            documents: tally.documents,
            shown: SHOWN,
            bars: bars.collect(),
            rows: rows.collect(),
        };
        write(&data, to)
    }
}

impl ShownFinding {
    fn new(found: &ReportedFinding<'_>) -> Self {
        let finding = found.finding;
        let cut = |is_cut| if is_cut { "…" } else { "" };
        let excerpt = found.excerpt.as_ref();
        let text = |part: fn(&Excerpt) -> (bool, &str, bool)| {
            excerpt.map_or_else(String::new, |excerpt| {
                let (before, text, after) = part(excerpt);
                [cut(before), text, cut(after)].concat()
            })
        };
        let link = finding.link.as_ref();
        Self {
            severity: found.severity.name(),
            line: excerpt.map(|excerpt| excerpt.start.line),
            column: excerpt.map(|excerpt| excerpt.start.column),
            before: text(|excerpt| (excerpt.is_cut_before, &excerpt.before, false)),
            within: text(|excerpt| (false, &excerpt.within, excerpt.is_cut_within)),
            after: text(|excerpt| (false, &excerpt.after, excerpt.is_cut_after)),
            message: finding.message.clone(),
            help: finding.help.clone(),
            host: link.map_or_else(String::new, |link| host(&link.reference).to_owned()),
        }
    }
}
