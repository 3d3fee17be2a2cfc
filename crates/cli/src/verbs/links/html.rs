//! `absolve links --format html`: one row for all links to the same target.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::print::format::OutputFormat;
use crate::print::html::{self, Bar};
use crate::print::link_entry::LinkEntry;
use crate::print::tally::{Counted, Tally};

/// The number of targets that a report shows: those with the most links.
const SHOWN: usize = 20_000;

/// The number of places of a target that a report has.
const PLACES: usize = 5;

/// The statuses of links, with their titles.
const STATUSES: [(&str, &str); 3] = [
    ("resolved", "relative references with a target"),
    ("absolute", "references that are absolute already"),
    ("skipped", "references that are left unchanged"),
];

/// A page about the links of a run, from all threads, which is written at its end.
#[derive(Default)]
pub(super) struct LinkPage {
    /// The targets by status, as an index of [`STATUSES`], and by target; skipped links by reference.
    targets: Mutex<HashMap<(usize, String), TargetLinks>>,
}

/// All links to a target.
#[derive(Default)]
struct TargetLinks {
    count: usize,
    /// The first links, in their order.
    places: Vec<TargetPlace>,
}

/// The place of a link, and its reference as it is written there.
struct TargetPlace {
    path: String,
    place: usize,
    line: Option<usize>,
    column: Option<usize>,
    element: String,
    reference: String,
    reason: Option<&'static str>,
}

/// The data of the report.
#[derive(Serialize)]
struct TargetData<'r> {
    kind: &'static str,
    summary: &'r str,
    targets: usize,
    bars: Vec<Bar>,
    paths: Vec<&'r str>,
    rows: Vec<TargetRow<'r>>,
}

/// A target in the report: the index of its status, target, host, number of links, the reason why the first is skipped,
/// and first places, each the index of a path, line, column, element with attribute, and reference.
type TargetRow<'r> = (
    usize,
    &'r str,
    &'r str,
    usize,
    Option<&'static str>,
    Vec<(usize, Option<usize>, Option<usize>, &'r str, &'r str)>,
);

impl OutputFormat<LinkEntry<'_>> for LinkPage {
    fn collects_rows(&self) -> bool {
        true
    }

    fn write(&self, entry: &LinkEntry<'_>, _: &mut Vec<u8>) -> io::Result<()> {
        let link = &entry.link;
        let status = STATUSES.iter().position(|(name, _)| *name == link.status);
        let status = status.expect("the table has every status");
        let target = link.target.unwrap_or(link.reference);
        let (path, place) = (entry.located.name(), entry.place);
        // A panic of another thread ends the run.
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let row = targets.entry((status, target.to_owned())).or_default();
        row.count += 1;
        let is_before = |other: &TargetPlace| (&other.path, other.place) < (&path, place);
        let index = row.places.partition_point(is_before);
        if index < PLACES {
            row.places.truncate(PLACES - 1);
            let new = TargetPlace {
                path,
                place,
                line: entry.line,
                column: entry.column,
                element: format!("{}[{}]", link.element, link.attribute),
                reference: link.reference.to_owned(),
                reason: link.reason,
            };
            row.places.insert(index, new);
        }
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        let targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = [0; STATUSES.len()];
        let mut sorted: Vec<_> = targets.iter().collect();
        for ((status, _), row) in &sorted {
            counts[*status] += row.count;
        }
        sorted.sort_unstable_by_key(|(key, row)| (Reverse(row.count), *key));
        sorted.truncate(SHOWN);
        let places = sorted.iter().flat_map(|(_, row)| &row.places);
        let paths: BTreeSet<&str> = places.map(|place| &*place.path).collect();
        let paths: Vec<&str> = paths.into_iter().collect();
        let rows = sorted.into_iter().map(|((status, target), row)| {
            let places = row.places.iter().map(|place| {
                let path = paths.binary_search(&&*place.path).unwrap_or_default();
                let (element, reference) = (&*place.element, &*place.reference);
                (path, place.line, place.column, element, reference)
            });
            (
                *status,
                &**target,
                html::host(target),
                row.count,
                row.places.first().and_then(|place| place.reason),
                places.collect(),
            )
        });
        let rows = rows.collect();
        let bars = STATUSES.iter().zip(counts);
        let bars = bars.map(|(&(name, title), count)| Bar { name, title, count });
        let links = counts.iter().sum::<usize>();
        let (documents, targets) = (tally.get(Counted::Documents), targets.len());
        html::page(&TargetData {
            kind: "links",
            summary: &format!("{links} links to {targets} targets in {documents} documents"),
            targets,
            bars: bars.collect(),
            paths,
            rows,
        })
    }
}
