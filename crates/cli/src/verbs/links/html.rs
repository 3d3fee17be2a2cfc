//! `absolve links --format html`: one row for all links to the same target.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use absolve::Outcome;
use serde::Serialize;

use crate::print::format::OutputFormat;
use crate::print::html::{self, Bar};
use crate::print::link_entry::LinkEntry;
use crate::print::tally::{Counted, Tally};

/// The number of targets that a report shows: those with the most links.
const SHOWN: usize = 20_000;

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
    targets: Mutex<HashMap<(usize, String), TargetRow>>,
}

/// All links to a target.
#[derive(Default, Serialize)]
struct TargetRow {
    count: usize,
    /// The first link by path and place.
    path: String,
    #[serde(skip)]
    place: usize,
    line: Option<usize>,
    column: Option<usize>,
    element: String,
    attribute: String,
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
    rows: Vec<(usize, &'r str, &'r str, &'r TargetRow)>,
}

impl OutputFormat<LinkEntry<'_>> for LinkPage {
    fn write(&self, entry: &LinkEntry<'_>, _: &mut Vec<u8>) -> io::Result<()> {
        let link = &entry.report.link;
        let (status, target, reason) = match &entry.report.outcome {
            Outcome::Resolved(target) => (0, &**target, None),
            Outcome::Absolute => (1, &*link.reference, None),
            Outcome::Skipped(reason) => (2, &*link.reference, Some(reason.name())),
        };
        let (path, place) = (entry.located.name(), entry.place);
        // A panic of another thread ends the run.
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let row = targets.entry((status, target.to_owned())).or_default();
        row.count += 1;
        if row.count == 1 || (&path, place) < (&row.path, row.place) {
            *row = TargetRow {
                count: row.count,
                path,
                place,
                line: entry.line,
                column: entry.column,
                element: link.element.clone().into_owned(),
                attribute: link.attribute.clone().into_owned(),
                reference: link.reference.clone().into_owned(),
                reason,
            };
        }
        Ok(())
    }

    fn end(&self, tally: &Tally) -> io::Result<Vec<u8>> {
        let targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = [0; STATUSES.len()];
        let mut rows = Vec::with_capacity(targets.len());
        for ((status, target), row) in &*targets {
            counts[*status] += row.count;
            rows.push((*status, &**target, html::host(target), row));
        }
        rows.sort_unstable_by(|a, b| (b.3.count, a.0, a.1).cmp(&(a.3.count, b.0, b.1)));
        rows.truncate(SHOWN);
        let bars = STATUSES.iter().zip(counts);
        let bars = bars.map(|(&(name, title), count)| Bar { name, title, count });
        let links = counts.iter().sum::<usize>();
        let (documents, targets) = (tally.get(Counted::Documents), targets.len());
        html::page(&TargetData {
            kind: "links",
            summary: &format!("{links} links to {targets} targets in {documents} documents"),
            targets,
            bars: bars.collect(),
            rows,
        })
    }
}
