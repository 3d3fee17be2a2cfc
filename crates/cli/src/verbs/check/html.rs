//! `--format html`: one file to look at.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, PoisonError};

use absolve::Excerpt;
use absolve::check::Rule;
use serde::Serialize;

use super::finding::ReportedFinding;
use crate::print::format::OutputFormat;
use crate::print::html::{self, Bar};
use crate::print::tally::Tally;

/// The number of groups of a rule that have an excerpt: those with the most findings.
const WITH_EXCERPT: usize = 500;

/// A page about the findings of a run, from all threads, which is written at its end.
///
/// A reference that a template repeats on every page is one row, with all its places, so the file has every finding.
#[derive(Default)]
pub(super) struct FindingPage {
    groups: Mutex<BTreeMap<GroupKey, Group>>,
}

/// The common properties of the findings of a group. Most rules name the reference in the message, but not all.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    rule: Rule,
    message: String,
    reference: String,
    help: String,
}

/// The number of a finding among those of its document, with its line and column.
type FindingPlace = (usize, Option<(usize, usize)>);

/// The findings of a group.
struct Group {
    severity: &'static str,
    count: usize,
    /// By path.
    places: BTreeMap<String, Vec<FindingPlace>>,
    /// The excerpt of the first finding, and its number.
    excerpt: (usize, Option<[String; 3]>),
}

/// The data of the report.
#[derive(Serialize)]
struct FindingData<'r> {
    kind: &'static str,
    summary: String,
    bars: Vec<Bar>,
    paths: Vec<&'r str>,
    rows: Vec<GroupRow<'r>>,
}

/// A group in the report: the index of its rule, severity, message, help, host and reference; the text before the
/// span, in it and after it; and places, each the index of a path, and lines and columns in turn. Names would take as
/// much room as values.
type GroupRow<'r> = (
    usize,
    &'static str,
    [&'r str; 4],
    Option<&'r [String; 3]>,
    Vec<Vec<usize>>,
);

impl OutputFormat<ReportedFinding<'_>> for FindingPage {
    fn write(&self, found: &ReportedFinding<'_>, _: &mut Vec<u8>) -> io::Result<()> {
        let finding = found.finding;
        let link = finding.link.as_ref();
        let key = GroupKey {
            rule: finding.rule,
            message: finding.message.clone(),
            reference: link.map_or_else(String::new, |link| link.reference.clone().into_owned()),
            help: finding.help.clone(),
        };
        // A panic of another thread ends the run.
        let mut groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let group = groups.entry(key).or_insert_with(|| Group {
            severity: found.severity.name(),
            count: 0,
            places: BTreeMap::new(),
            excerpt: (usize::MAX, None),
        });
        group.count += 1;
        let is_first = (group.places.first_key_value())
            .is_none_or(|(path, _)| (found.name, found.place) < (&**path, group.excerpt.0));
        if is_first {
            group.excerpt = (found.place, found.excerpt.as_ref().map(parts));
        }
        let start = found.excerpt.as_ref().map(|excerpt| excerpt.start);
        let position = start.map(|start| (start.line, start.column));
        let places = group.places.entry(found.name.to_owned()).or_default();
        places.push((found.place, position));
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        let groups = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = BTreeMap::<Rule, usize>::new();
        let mut paths = BTreeSet::new();
        for (key, group) in &*groups {
            *counts.entry(key.rule).or_default() += group.count;
            paths.extend(group.places.keys().map(String::as_str));
        }
        let paths: Vec<&str> = paths.into_iter().collect();
        let rules: Vec<Rule> = counts.keys().copied().collect();
        let mut sorted: Vec<_> = groups.iter().collect();
        sorted.sort_by_key(|(key, group)| {
            let first = (group.places.keys().next(), group.excerpt.0);
            (Reverse(group.count), key.rule, first)
        });
        let mut with_excerpt = vec![0; rules.len()];
        let rows = sorted.into_iter().map(|(key, group)| {
            let bar = rules.binary_search(&key.rule).unwrap_or_default();
            with_excerpt[bar] += 1;
            let is_shown = with_excerpt[bar] <= WITH_EXCERPT;
            let host = html::host(&key.reference);
            (
                bar,
                group.severity,
                [&key.message, &key.help, host, &key.reference],
                group.excerpt.1.as_ref().filter(|_| is_shown),
                places(group, &paths),
            )
        });
        let rows = rows.collect();
        let bars = counts.iter().map(|(rule, &count)| Bar {
            name: rule.name(),
            title: rule.summary(),
            count,
        });
        html::page(&FindingData {
            kind: "check",
            summary: tally.summary_of_findings(),
            bars: bars.collect(),
            paths,
            rows,
        })
    }
}

/// Returns the places of a group as the report has them.
fn places(group: &Group, paths: &[&str]) -> Vec<Vec<usize>> {
    let of_path = |(path, places): (&String, &Vec<FindingPlace>)| {
        let mut places = places.clone();
        places.sort_unstable();
        let positions = places.into_iter().flat_map(|(_, position)| {
            let (line, column) = position.unwrap_or_default();
            [line, column]
        });
        let path = paths.binary_search(&&**path).unwrap_or_default();
        [path].into_iter().chain(positions).collect()
    };
    group.places.iter().map(of_path).collect()
}

/// Returns the text before the span, in it and after it, with marks where it is cut.
fn parts(excerpt: &Excerpt) -> [String; 3] {
    let cut = |is_cut| if is_cut { "…" } else { "" };
    [
        [cut(excerpt.is_cut_before), &excerpt.before].concat(),
        [&excerpt.within, cut(excerpt.is_cut_within)].concat(),
        [&excerpt.after, cut(excerpt.is_cut_after)].concat(),
    ]
}
