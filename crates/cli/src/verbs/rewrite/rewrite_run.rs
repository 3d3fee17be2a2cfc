//! A run of the verb `rewrite`, to which each way of rewriting adds its methods.

use std::io::BufRead;

use super::integrity::Integrity;
use crate::args::RewriteArgs;
use crate::inputs::input::Input;
use crate::print::job_result::JobResult;
use crate::run::write_run::WriteRun;

/// A run of the verb.
pub(super) struct RewriteRun<'a> {
    pub(super) args: &'a RewriteArgs,
    pub(super) write_run: WriteRun<'a>,
    pub(super) integrity: Option<Integrity>,
}

impl RewriteRun<'_> {
    /// Returns the treatment of `integrity` if `document`, an input of the run, may have the attribute.
    ///
    /// One that cannot be read has none.
    pub(super) fn concerned(&self, document: impl BufRead) -> Option<&Integrity> {
        let integrity = self.integrity.as_ref()?;
        integrity
            .concerns(document)
            .unwrap_or(false)
            .then_some(integrity)
    }
}

/// Reports that `--emit tree` does not support an input, which contains `what`.
pub(super) fn reject_tree(input: &Input, what: &str, job_result: &mut JobResult) {
    let name = input.name();
    job_result.error(format!(
        "{name}: --emit tree does not support {what}; use --emit source"
    ));
}
