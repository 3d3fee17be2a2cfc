//! The counts of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use absolve::stream::SkippedCount;
use absolve::{BailOut, LinkCounts, LinkObserver, ObservedLink, Report};
use absolve_site::LocalPage;

use crate::args::OutputArgs;
use crate::print::bundles::Generator;
use crate::print::terminal::several;

/// Something that is counted. Warnings about totals are in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Counted {
    /// Documents read.
    Documents,
    /// Documents whose bytes change.
    Changed,
    /// Containers read.
    Containers,
    /// Assets that were copied, hard-linked or recreated as symbolic links.
    Others,
    /// Stale files that were deleted.
    Deleted,
    /// Files that were not written, for a reason that was reported once.
    Unwritten,
    /// Links of a mirror that led to files of other URLs and became absolute.
    Lost,
    Resolved,
    Absolute,
    /// Skipped references.
    Unresolved,
    /// Skipped references of a reason, as far as it is known.
    Skipped(&'static str),
    /// Edits beside links.
    Beside,
    /// Findings of `check`.
    Findings,
    /// Findings that are warnings.
    Warnings,
    /// Findings that comments suppress.
    Suppressed,
    /// Links to files that a directory lacks, and that the server may send.
    LeftToServer,
    /// Links to paths of the host that are outside the site.
    Outside,
    /// Findings that the baseline lists.
    Known,
    /// Findings in the baseline that were not found.
    Gone,
    /// Documents with findings.
    WithFindings,
    /// Documents of a directory with relative references that lack a base URL.
    WithoutBase,
    /// Documents whose relative links became absolute: see [`Settings::keeps_host_of`].
    ///
    /// [`Settings::keeps_host_of`]: crate::settings::Settings::keeps_host_of
    WithHost,
    /// Module scripts in files, which browsers do not load from a disk.
    ModuleScripts,
    /// Documents for a disk with a content security policy.
    Policies,
    /// Documents whose scripts cannot be moved, of a generator.
    Bundles(&'static Generator),
    /// Documents that the fast reader left to html5ever, for a reason.
    BailOuts(BailOut),
    /// Bytes of those documents.
    BailOutBytes,
    /// Bytes of the documents.
    Bytes,
}

/// Counts for a document, or their sums for a run. Invariant: no number is zero.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally(BTreeMap<Counted, u64>);

impl Tally {
    /// Returns the counts of one document of `bytes` bytes, with these skipped references.
    pub(crate) fn of(report: &Report<'_>, skipped: &[SkippedCount], bytes: usize) -> Self {
        let mut tally = Self::of_counts(&report.counts, bytes);
        for skipped in skipped {
            tally.count(Counted::Skipped(skipped.reason.name()), skipped.count);
        }
        if let Some(reason) = report.bail_out {
            tally.count(Counted::BailOuts(reason), 1);
            tally.count(Counted::BailOutBytes, bytes);
        }
        tally
    }

    /// Returns the counts of one document of `bytes` bytes with these links.
    pub(crate) fn of_counts(links: &LinkCounts, bytes: usize) -> Self {
        let mut tally = Self::default();
        tally.count(Counted::Documents, 1);
        tally.count(Counted::Resolved, links.resolved);
        tally.count(Counted::Absolute, links.absolute);
        tally.count(Counted::Unresolved, links.skipped);
        tally.count(Counted::Beside, links.beside);
        tally.count(Counted::Bytes, bytes);
        tally
    }

    /// Adds what browsers do not load from a disk.
    pub(crate) fn add_local(&mut self, page: LocalPage) {
        self.count(Counted::ModuleScripts, page.module_scripts);
        self.count(Counted::Policies, usize::from(page.has_policy));
    }

    /// Adds `number` to a count.
    pub(crate) fn count(&mut self, what: Counted, number: usize) {
        if number > 0 {
            *self.0.entry(what).or_default() += number as u64;
        }
    }

    /// Adds the counts of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        for (what, number) in &other.0 {
            *self.0.entry(*what).or_default() += number;
        }
    }

    /// Returns a count.
    pub(crate) fn get(&self, what: Counted) -> u64 {
        self.0.get(&what).copied().unwrap_or(0)
    }

    /// Returns the counts of which `name` returns a name, with that name.
    pub(crate) fn named<N>(
        &self,
        name: impl Fn(Counted) -> Option<N>,
    ) -> impl Iterator<Item = (N, u64)> {
        let counts = self.0.iter();
        counts.filter_map(move |(&what, &number)| Some((name(what)?, number)))
    }

    /// Returns the number of links.
    pub(crate) fn links(&self) -> u64 {
        self.get(Counted::Resolved) + self.get(Counted::Absolute) + self.get(Counted::Unresolved)
    }

    /// Returns the one-line summary of a run of `rewrite` or `mirror`.
    pub(crate) fn summary(&self, args: &OutputArgs) -> String {
        let changed = if args.is_dry_run() {
            "would change"
        } else {
            "changed"
        };
        let counts = [Counted::Documents, Counted::Changed].map(|what| self.get(what));
        let summary = format!("documents: {}, {changed}: {}", counts[0], counts[1]);
        let names = [
            ("other files", Counted::Others),
            ("deleted", Counted::Deleted),
            ("edits beside links", Counted::Beside),
            ("links to wrong files that became absolute", Counted::Lost),
            ("not written", Counted::Unwritten),
        ];
        self.with_counts(summary, &names)
    }

    /// Returns the one-line summary of a run of `check`.
    pub(crate) fn summary_of_findings(&self) -> String {
        let documents = several(self.get(Counted::Documents), "document");
        let summary = match self.get(Counted::Findings) {
            0 => format!("no findings in {documents}"),
            findings => {
                let findings = several(findings, "finding");
                let with_findings = self.get(Counted::WithFindings);
                format!("{findings} in {with_findings} of {documents}")
            }
        };
        let outside = "links outside the path of the site, not checked";
        let names = [
            ("warnings", Counted::Warnings),
            ("suppressed", Counted::Suppressed),
            ("links left to rules of the server", Counted::LeftToServer),
            (outside, Counted::Outside),
            ("in the baseline", Counted::Known),
            ("gone from the baseline", Counted::Gone),
        ];
        self.with_counts(summary, &names)
    }

    /// Returns `text` with the counts that are not zero.
    fn with_counts(&self, mut text: String, names: &[(&str, Counted)]) -> String {
        for (name, what) in names {
            match self.get(*what) {
                0 => {}
                number => text.extend(["; ", name, ": ", &number.to_string()]),
            }
        }
        text
    }

    /// Returns the lines of `--stats`.
    pub(crate) fn lines(&self, time: Duration) -> Vec<String> {
        let mut lines = vec![format!(
            "links: {}; resolved: {}, absolute: {}, skipped: {}",
            self.links(),
            self.get(Counted::Resolved),
            self.get(Counted::Absolute),
            self.get(Counted::Unresolved)
        )];
        if self.get(Counted::Containers) > 0 {
            lines.insert(0, format!("containers: {}", self.get(Counted::Containers)));
        }
        let skipped = self.named(|what| match what {
            Counted::Skipped(reason) => Some(reason),
            _ => None,
        });
        let skipped: Vec<_> = skipped
            .map(|(name, number)| format!("{name}: {number}"))
            .collect();
        if !skipped.is_empty() {
            lines.push(format!("skipped: {}", skipped.join(", ")));
        }
        let bail_outs = self.named(|what| match what {
            Counted::BailOuts(reason) => Some(reason),
            _ => None,
        });
        let bail_outs: Vec<_> = bail_outs.collect();
        let fallbacks: u64 = bail_outs.iter().map(|(_, number)| number).sum();
        let mut parsed = vec![format!(
            "documents parsed with html5ever: {fallbacks}, bytes: {}",
            self.get(Counted::BailOutBytes)
        )];
        let bail_outs = bail_outs.into_iter();
        parsed.extend(bail_outs.map(|(reason, number)| format!("{reason}: {number}")));
        lines.push(parsed.join("; "));
        let (bytes, seconds) = (self.get(Counted::Bytes), time.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
        let rate = bytes as f64 / 1e6 / seconds.max(1e-9);
        lines.push(format!("bytes: {bytes}"));
        lines.push(format!("seconds: {seconds:.3}, MB/s: {rate:.1}"));
        lines
    }
}

/// Counts the skipped links by reason.
impl LinkObserver for Tally {
    fn start_over(&mut self) {
        self.0.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        if let Some(reason) = link.outcome.skip_reason() {
            self.count(Counted::Skipped(reason.name()), 1);
        }
    }
}
