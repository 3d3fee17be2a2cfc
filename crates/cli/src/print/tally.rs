//! The counts of a run.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use absolve::stream::SkippedCount;
use absolve::{BailOut, LinkCounts, Report};

use absolve_site::LocalPage;

use crate::args::OutputArgs;
use crate::print::bundles::Bundles;
use crate::print::terminal;

/// Counts for a document, or their sums for a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Number of documents read.
    pub(crate) documents: usize,
    /// Number of documents whose bytes change.
    pub(crate) changed: usize,
    /// Number of containers read.
    pub(crate) containers: usize,
    /// Number of assets that were copied, hard-linked or recreated as symbolic links.
    pub(crate) others: usize,
    /// Number of stale files that were deleted.
    pub(crate) deleted: usize,
    /// Number of files that were not written, for a reason that was reported once.
    pub(crate) unwritten: usize,
    /// Number of links of a mirror that led to files of other URLs and became absolute.
    pub(crate) lost: usize,
    /// Number of links by outcome.
    pub(crate) links: LinkCounts,
    /// Number of findings of `check`.
    pub(crate) findings: usize,
    /// Number of findings that are warnings.
    pub(crate) warnings: usize,
    /// Number of findings that comments suppress.
    pub(crate) suppressed: usize,
    /// Number of links to files that a directory lacks, and that the server may send.
    pub(crate) left_to_server: usize,
    /// Number of links to paths of the host that are outside the site.
    pub(crate) outside: usize,
    /// Number of findings that the baseline lists.
    pub(crate) known: usize,
    /// Number of findings in the baseline that were not found.
    pub(crate) gone: usize,
    /// Number of documents with findings.
    pub(crate) with_findings: usize,
    /// Number of skipped references by reason, as far as it is known.
    pub(crate) skipped: BTreeMap<&'static str, usize>,
    /// Number of documents of a directory with relative references that lack a base URL.
    pub(crate) without_base: usize,
    /// Number of documents whose relative links became absolute: see [`Settings::keeps_host_of`].
    ///
    /// [`Settings::keeps_host_of`]: crate::settings::Settings::keeps_host_of
    pub(crate) with_host: usize,
    /// Number of documents whose scripts cannot be moved, by generator.
    pub(crate) bundles: Bundles,
    /// Number of module scripts in files, which browsers do not load from a disk.
    pub(crate) module_scripts: usize,
    /// Number of documents for a disk with a content security policy.
    pub(crate) policies: usize,
    /// Number of documents that the fast reader left to html5ever, by reason.
    pub(crate) bail_outs: BTreeMap<BailOut, usize>,
    /// Total size of those documents, in bytes.
    pub(crate) bail_out_bytes: u64,
    /// Total size of the documents, in bytes.
    pub(crate) bytes: u64,
}

impl Tally {
    /// Returns the counts of one document of `bytes` bytes, with these skipped references.
    ///
    /// To count something new, add a field, and extend this function, [`add`](Self::add) and [`lines`](Self::lines).
    pub(crate) fn of(report: &Report<'_>, skipped: &[SkippedCount], bytes: usize) -> Self {
        let mut tally = Self::of_counts(&report.counts, bytes);
        let skipped = skipped.iter();
        tally.skipped = skipped
            .map(|skipped| (skipped.reason.name(), skipped.count))
            .collect();
        if let Some(reason) = report.bail_out {
            tally.bail_outs.insert(reason, 1);
            tally.bail_out_bytes = tally.bytes;
        }
        tally
    }

    /// Returns the counts of one document of `bytes` bytes with these links.
    pub(crate) fn of_counts(links: &LinkCounts, bytes: usize) -> Self {
        Self {
            documents: 1,
            links: *links,
            bytes: bytes as u64,
            ..Self::default()
        }
    }

    /// Returns the counts of one container, without its documents.
    pub(crate) fn of_container() -> Self {
        Self {
            containers: 1,
            ..Self::default()
        }
    }

    /// Adds what browsers do not load from a disk.
    pub(crate) fn add_local(&mut self, page: LocalPage) {
        self.module_scripts += page.module_scripts;
        self.policies += usize::from(page.has_policy);
    }

    /// Adds the counts of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.changed += other.changed;
        self.containers += other.containers;
        self.others += other.others;
        self.deleted += other.deleted;
        self.unwritten += other.unwritten;
        self.lost += other.lost;
        self.links += other.links;
        self.findings += other.findings;
        self.warnings += other.warnings;
        self.suppressed += other.suppressed;
        self.left_to_server += other.left_to_server;
        self.outside += other.outside;
        self.known += other.known;
        self.gone += other.gone;
        self.with_findings += other.with_findings;
        for (reason, count) in &other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.without_base += other.without_base;
        self.with_host += other.with_host;
        for (generator, count) in &other.bundles {
            *self.bundles.entry(generator).or_default() += count;
        }
        self.module_scripts += other.module_scripts;
        self.policies += other.policies;
        for (reason, count) in &other.bail_outs {
            *self.bail_outs.entry(*reason).or_default() += count;
        }
        self.bail_out_bytes += other.bail_out_bytes;
        self.bytes += other.bytes;
    }

    /// Returns the number of links.
    pub(crate) fn links(&self) -> usize {
        self.links.resolved + self.links.absolute + self.links.skipped
    }

    /// Returns the one-line summary of a run of `rewrite` or `mirror`.
    pub(crate) fn summary(&self, args: &OutputArgs) -> String {
        let changed = if args.is_dry_run() {
            "would change"
        } else {
            "changed"
        };
        let documents = format!("documents: {}, {changed}: {}", self.documents, self.changed);
        let counts = [
            ("other files", self.others),
            ("deleted", self.deleted),
            ("links to wrong files that became absolute", self.lost),
            ("not written", self.unwritten),
        ];
        with_counts(documents, &counts)
    }

    /// Returns the one-line summary of a run of `check`.
    pub(crate) fn summary_of_findings(&self) -> String {
        let documents = terminal::several(self.documents, "document");
        let findings = match self.findings {
            0 => format!("no findings in {documents}"),
            findings => {
                let findings = terminal::several(findings, "finding");
                format!("{findings} in {} of {documents}", self.with_findings)
            }
        };
        let counts = [
            ("warnings", self.warnings),
            ("suppressed", self.suppressed),
            ("links left to rules of the server", self.left_to_server),
            (
                "links outside the path of the site, not checked",
                self.outside,
            ),
            ("in the baseline", self.known),
            ("gone from the baseline", self.gone),
        ];
        with_counts(findings, &counts)
    }

    /// Returns the lines of `--stats`.
    pub(crate) fn lines(&self, time: Duration) -> Vec<String> {
        let mut lines = vec![format!(
            "links: {}; resolved: {}, absolute: {}, skipped: {}",
            self.links(),
            self.links.resolved,
            self.links.absolute,
            self.links.skipped
        )];
        if self.containers > 0 {
            lines.insert(0, format!("containers: {}", self.containers));
        }
        if !self.skipped.is_empty() {
            lines.push(format!("skipped: {}", reasons(&self.skipped).join(", ")));
        }
        let fallbacks: usize = self.bail_outs.values().sum();
        let mut parsed = vec![format!(
            "documents parsed with html5ever: {fallbacks}, bytes: {}",
            self.bail_out_bytes
        )];
        parsed.extend(reasons(&self.bail_outs));
        lines.push(parsed.join("; "));
        let seconds = time.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
        let rate = self.bytes as f64 / 1e6 / seconds.max(1e-9);
        lines.push(format!("bytes: {}", self.bytes));
        lines.push(format!("seconds: {seconds:.3}, MB/s: {rate:.1}"));
        lines
    }
}

/// Returns `text` with the counts that are not zero.
fn with_counts(mut text: String, counts: &[(&str, usize)]) -> String {
    for (name, count) in counts.iter().filter(|(_, count)| *count > 0) {
        text.extend(["; ", name, ": ", &count.to_string()]);
    }
    text
}

/// Returns a text for each reason, with its count.
fn reasons<R: Display>(counts: &BTreeMap<R, usize>) -> Vec<String> {
    let counts = counts.iter();
    counts
        .map(|(reason, count)| format!("{reason}: {count}"))
        .collect()
}
