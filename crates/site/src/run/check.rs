//! The check of documents, which may be those of a folder that is published as a site.
//!
//! A link may lead to any file and fragment of the site, so the documents of a folder are read twice: for their
//! fragments, and when they are checked.

use std::sync::atomic::AtomicBool;

use absolve::check::Rule;
use absolve::{Document, Rewriter};

use super::{EmitPart, for_each_ordered};
use crate::{FragmentSet, SiteCheckReport, SiteTargets, UNKNOWN_ORIGIN};

/// The check of documents by some rules.
#[derive(Debug)]
pub struct CheckRun {
    rules: Vec<Rule>,
    /// `None`: links are not followed.
    targets: Option<SiteTargets>,
}

impl CheckRun {
    /// Creates a check by these rules, which knows no site.
    #[must_use]
    pub fn new(rules: Vec<Rule>) -> Self {
        Self {
            rules,
            targets: None,
        }
    }

    /// Returns whether any of the rules is about the files of a site.
    #[must_use]
    pub fn follows_links(&self) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| matches!(rule, Rule::MissingTarget | Rule::MissingFragment))
    }

    /// Adds the files of the site, which are `targets`, and the fragments of its documents, which `threads` threads
    /// read. `read` returns the path of a document in the site, and its fragments; `None` if it has none, or cannot be
    /// read, which is reported when it is checked. `progress` is called after each.
    ///
    /// # Errors
    /// The error of `progress`, which ends the run.
    pub fn read_site<D, E: Send>(
        &mut self,
        mut targets: SiteTargets,
        documents: impl Iterator<Item = D> + Send,
        (threads, is_interrupted): (usize, &AtomicBool),
        read: impl Fn(D) -> Option<(Vec<u8>, FragmentSet)> + Sync,
        mut progress: impl FnMut() -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let work = |document, _: &mut EmitPart<'_, _>| read(document);
        let deliver = |found, _| {
            if let Some((path, fragments)) = found {
                targets.add_fragments(path, fragments);
            }
            progress()
        };
        for_each_ordered(documents, |_| 0, threads, is_interrupted, work, deliver)?;
        self.targets = Some(targets);
        Ok(())
    }

    /// Returns the problems of a document by the rules, without the [`UNKNOWN_ORIGIN`].
    #[must_use]
    pub fn check(&self, rewriter: &Rewriter, document: &Document<'_>) -> SiteCheckReport {
        let mut checked = match &self.targets {
            Some(targets) => targets.check(rewriter, document),
            None => SiteCheckReport {
                report: rewriter.check(document, |_| None),
                left_to_server: 0,
                outside: 0,
            },
        };
        let findings = &mut checked.report.findings;
        findings.retain(|finding| self.rules.contains(&finding.rule));
        for finding in findings {
            finding.remove_origin(UNKNOWN_ORIGIN);
        }
        checked
    }
}
