//! What a run adds up to.

use std::collections::BTreeMap;
use std::time::Duration;

use absolve::{BailOut, Outcome, Report};

/// What a document, or a run, adds up to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) documents: usize,
    /// Documents whose bytes change.
    pub(super) changed: usize,
    /// Files that hold documents and are none.
    pub(super) containers: usize,
    /// Files that are no documents and were copied, or linked.
    pub(super) others: usize,
    pub(super) resolved: usize,
    pub(super) absolute: usize,
    /// How many references were left, by reason.
    pub(super) skipped: BTreeMap<&'static str, usize>,
    /// How many documents the fast reader did not read, by reason.
    pub(super) bail_outs: BTreeMap<BailOut, usize>,
    /// Of the documents.
    pub(super) bytes: u64,
}

impl Tally {
    /// Of one document of that many bytes.
    ///
    /// All that is ever counted of a document is counted here: what else its findings tell goes into another field, into
    /// [`add`](Self::add), and onto a line of [`lines`](Self::lines).
    pub(super) fn of(report: &Report<'_>, bytes: usize) -> Self {
        let mut tally = Self {
            documents: 1,
            bytes: bytes as u64,
            ..Self::default()
        };
        tally.resolved = report.counts.resolved;
        tally.absolute = report.counts.absolute;
        for link_report in &report.links {
            if let Outcome::Skipped(reason) = link_report.outcome {
                *tally.skipped.entry(reason.name()).or_default() += 1;
            }
        }
        if let Some(reason) = report.bail_out {
            tally.bail_outs.insert(reason, 1);
        }
        tally
    }

    /// Of one container, the documents in it aside.
    pub(super) fn of_container() -> Self {
        Self {
            containers: 1,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.changed += other.changed;
        self.containers += other.containers;
        self.others += other.others;
        self.resolved += other.resolved;
        self.absolute += other.absolute;
        for (reason, count) in &other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        for (reason, count) in &other.bail_outs {
            *self.bail_outs.entry(*reason).or_default() += count;
        }
        self.bytes += other.bytes;
    }

    pub(super) fn links(&self) -> usize {
        self.resolved + self.absolute + self.skipped.values().sum::<usize>()
    }

    /// What became of the files, for people; of a dry run, what would become of them.
    pub(super) fn summary(&self, is_dry: bool) -> String {
        let changed = if is_dry { "would change" } else { "changed" };
        let others = match self.others {
            0 => String::new(),
            others => format!("; other files: {others}"),
        };
        format!(
            "documents: {}, {changed}: {}{others}",
            self.documents, self.changed
        )
    }

    /// Everything, for people, one line each.
    pub(super) fn lines(&self, time: Duration) -> Vec<String> {
        let skipped: usize = self.skipped.values().sum();
        let mut lines = vec![
            format!("documents: {}, changed: {}", self.documents, self.changed),
            format!("other files: {}", self.others),
            format!(
                "links: {}; resolved: {}, absolute: {}, skipped: {skipped}",
                self.links(),
                self.resolved,
                self.absolute
            ),
        ];
        if self.containers > 0 {
            lines.insert(1, format!("containers: {}", self.containers));
        }
        if skipped > 0 {
            let reasons = self.skipped.iter();
            let reasons: Vec<_> = reasons
                .map(|(reason, count)| format!("{reason}: {count}"))
                .collect();
            lines.push(format!("skipped: {}", reasons.join(", ")));
        }
        let slow: usize = self.bail_outs.values().sum();
        let reasons = self.bail_outs.iter();
        let reasons: Vec<_> = reasons
            .map(|(reason, count)| format!("; {reason}: {count}"))
            .collect();
        lines.push(format!(
            "documents the fast reader left to the reference reader: {slow}{}",
            reasons.concat()
        ));
        #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
        let rate = self.bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        lines.push(format!("bytes: {}", self.bytes));
        lines.push(format!(
            "seconds: {:.3}, MB/s: {rate:.1}",
            time.as_secs_f64()
        ));
        lines
    }
}
