//! `absolve links --format html`: one row for all links to the same target.

use std::collections::HashMap;
use std::io::{self, Write};

use absolve::{LinkReport, Outcome, Position};
use serde::Serialize;

use crate::print::html::{Bar, host, write};
use crate::print::tally::Tally;

/// The number of targets that a report shows: those with the most links.
const SHOWN: usize = 20_000;

/// The statuses of links, with their titles.
const STATUSES: [(&str, &str); 3] = [
    ("resolved", "relative references with a target"),
    ("absolute", "references that are absolute already"),
    ("skipped", "references that are left unchanged"),
];

/// The links of a run, from all threads.
#[derive(Default)]
pub(crate) struct LinkTargets {
    /// The targets by status, as an index of [`STATUSES`], and by target; skipped links by reference.
    targets: HashMap<(usize, String), TargetRow>,
}

/// All links to a target.
#[derive(Serialize)]
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
    documents: usize,
    targets: usize,
    bars: Vec<Bar>,
    rows: Vec<(usize, &'r str, &'r str, &'r TargetRow)>,
}

impl LinkTargets {
    /// Adds the link at `place` among those of the document that `name` names.
    pub(crate) fn add(
        &mut self,
        name: &str,
        place: usize,
        link_report: &LinkReport<'_>,
        position: Option<Position>,
    ) {
        let link = &link_report.link;
        let (status, target, reason) = match &link_report.outcome {
            Outcome::Resolved(target) => (0, &**target, None),
            Outcome::Absolute => (1, &*link.reference, None),
            Outcome::Skipped(reason) => (2, &*link.reference, Some(reason.name())),
        };
        let known = self.targets.get(&(status, target.to_owned()));
        let is_first = known.is_none_or(|row| (name, place) < (&*row.path, row.place));
        let count = known.map_or(1, |row| row.count + 1);
        let key = (status, target.to_owned());
        if !is_first {
            // Known: otherwise the link is the first one.
            if let Some(row) = self.targets.get_mut(&key) {
                row.count = count;
            }
            return;
        }
        let row = TargetRow {
            count,
            path: name.to_owned(),
            place,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            element: link.element.clone().into_owned(),
            attribute: link.attribute.clone().into_owned(),
            reference: link.reference.clone().into_owned(),
            reason,
        };
        self.targets.insert(key, row);
    }

    /// Writes the report.
    ///
    /// # Errors
    /// Those of `to`.
    pub(crate) fn write(&self, tally: &Tally, to: &mut impl Write) -> io::Result<()> {
        let mut counts = [0; STATUSES.len()];
        let mut rows = Vec::with_capacity(self.targets.len());
        for ((status, target), row) in &self.targets {
            counts[*status] += row.count;
            rows.push((*status, &**target, host(target), row));
        }
        rows.sort_unstable_by(|a, b| (b.3.count, a.0, a.1).cmp(&(a.3.count, b.0, b.1)));
        rows.truncate(SHOWN);
        let bars = STATUSES.iter().zip(counts);
        let bars = bars.map(|(&(name, title), count)| Bar { name, title, count });
        let links = counts.iter().sum::<usize>();
        let (documents, targets) = (tally.documents, self.targets.len());
        let data = TargetData {
            kind: "links",
            summary: &format!("{links} links to {targets} targets in {documents} documents"),
            documents,
            targets,
            bars: bars.collect(),
            rows,
        };
        write(&data, to)
    }
}
