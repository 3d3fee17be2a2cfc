//! `--format html`: one file to look at.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use absolve::Excerpt;
use absolve::check::Rule;
use serde::Serialize;

use super::finding::ReportedFinding;
use crate::print::format::OutputFormat;
use crate::print::html::{self, Bar};
use crate::print::tally::{Counted, Tally};

/// The number of findings that a report shows of each rule: the first ones by path and place.
const SHOWN: usize = 500;

/// A page about the findings of a run, from all threads, which is written at its end.
#[derive(Default)]
pub(super) struct FindingPage {
    rules: Mutex<BTreeMap<Rule, RuleFindings>>,
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
    summary: String,
    documents: u64,
    shown: usize,
    bars: Vec<Bar>,
    rows: Vec<(usize, &'r str, &'r ShownFinding)>,
}

impl OutputFormat<ReportedFinding<'_>> for FindingPage {
    fn write(&self, found: &ReportedFinding<'_>, _: &mut Vec<u8>) -> io::Result<()> {
        // A panic of another thread ends the run.
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let rule = rules.entry(found.finding.rule).or_default();
        rule.count += 1;
        let key = (found.name.to_owned(), found.place);
        let last = rule.shown.last_key_value().map(|(last, _)| last);
        let is_full = rule.shown.len() == SHOWN;
        if is_full && last.is_some_and(|last| *last < key) {
            return Ok(());
        }
        rule.shown.insert(key, ShownFinding::new(found));
        if is_full {
            rule.shown.pop_last();
        }
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        let rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let bars = rules.iter().map(|(rule, findings)| Bar {
            name: rule.name(),
            title: rule.summary(),
            count: findings.count,
        });
        let rows = rules.values().enumerate().flat_map(|(index, findings)| {
            let rows = findings.shown.iter();
            rows.map(move |((path, _), row)| (index, &**path, row))
        });
        html::page(&FindingData {
            kind: "check",
            summary: tally.summary_of_findings(),
            documents: tally.get(Counted::Documents),
            shown: SHOWN,
            bars: bars.collect(),
            rows: rows.collect(),
        })
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
            host: link.map_or_else(String::new, |link| html::host(&link.reference).to_owned()),
        }
    }
}
