//! A rewritten document: the facts that messages and reports have.

use absolve::stream::SkippedCount;
use absolve::{BaseElementPolicy, BaseSource, Report, SkipReason};

use crate::inputs::located_document::LocatedDocument;

/// A rewritten document.
pub(crate) struct RewrittenDocument<'r> {
    pub(crate) located: LocatedDocument<'r>,
    pub(crate) report: &'r Report<'r>,
    /// Number of skipped references by reason, in order of first occurrence.
    pub(crate) skipped: Vec<SkippedCount>,
    /// The retrieval URL.
    pub(crate) url: Option<&'r str>,
    /// Number of edits.
    pub(crate) edited: usize,
    /// Whether the bytes of the document change.
    pub(crate) changed: bool,
    /// Number of relative references whose target changes because BASE was removed.
    pub(crate) moved: usize,
}

impl RewrittenDocument<'_> {
    /// Returns the numbers of references that could not be resolved or written.
    pub(crate) fn failures(&self) -> impl Iterator<Item = &SkippedCount> {
        let skipped = self.skipped.iter();
        skipped.filter(|skipped| skipped.reason.is_failure())
    }
}

/// Counts the skipped references by reason, in order of first occurrence.
pub(crate) fn count_skipped(report: &Report<'_>) -> Vec<SkippedCount> {
    let mut counts = Vec::new();
    SkippedCount::add(&mut counts, &report.links);
    counts
}

/// Returns the number of relative references whose target changes because `--base-element remove` removed their BASE.
pub(crate) fn count_moved_by_base_removal(policy: BaseElementPolicy, report: &Report<'_>) -> usize {
    let base = report.base.base.as_ref();
    if base.is_none_or(|base| base.source != BaseSource::Embedded)
        || policy != BaseElementPolicy::Remove
    {
        return 0;
    }
    // These are meant to refer to the document itself.
    let to_itself = [SkipReason::Empty, SkipReason::Local, SkipReason::Fragment];
    let skipped = count_skipped(report).into_iter();
    let moved = skipped.filter(|skipped| !to_itself.contains(&skipped.reason));
    moved.map(|moved| moved.count).sum()
}
