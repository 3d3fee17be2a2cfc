//! `--delete`: files that earlier runs wrote to the output directory and that this one does not write.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_site::files::OutputManifest;
use absolve_site::run::FolderOutput;

use crate::args::OutputArgs;
use crate::exit::{Abort, Exit};
use crate::plan::Plan;
use crate::print::job_result::JobResult;
use crate::print::tally::Counted;
use crate::print::terminal;

/// The stale files of an output directory.
pub(crate) struct StaleFiles {
    directory: PathBuf,
    manifest: OutputManifest,
    /// The paths of the files that the run writes, relative to the directory.
    written: BTreeSet<PathBuf>,
}

impl StaleFiles {
    /// Finds the stale files of the output directory of `plan`. Returns `None` without `--delete`.
    ///
    /// # Errors
    /// The output is no directory, or the list of an earlier run cannot be read.
    pub(crate) fn new(args: &OutputArgs, plan: &Plan) -> Result<Option<Self>, Abort> {
        if !args.delete {
            return Ok(None);
        }
        let FolderOutput::Directory(directory, _) = &plan.output else {
            return Err(Abort::Usage(
                "--delete is for output directories\n  hint: use --output DIR with an input directory"
                    .to_owned(),
            ));
        };
        let manifest = OutputManifest::read(directory).map_err(|error| {
            let name = terminal::path(directory);
            Abort::Usage(format!("cannot read the list of files in {name}: {error}"))
        })?;
        let outputs = plan.jobs.iter().filter_map(|job| job.output(&plan.output));
        let written = outputs.filter_map(|output| {
            let site_path = output.strip_prefix(directory).ok()?;
            Some(site_path.to_owned())
        });
        Ok(Some(Self {
            directory: directory.clone(),
            manifest,
            written: written.collect(),
        }))
    }

    /// Prints the paths of the files that would be deleted.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn list(&self) -> Result<Exit, Abort> {
        let mut stdout = io::stdout().lock();
        for path in self.manifest.stale(&self.written) {
            writeln!(stdout, "{}", terminal::path(&self.directory.join(path)))?;
        }
        stdout.flush()?;
        Ok(Exit::Done)
    }

    /// Deletes the files, if the run is complete, and updates the list. `plan` is that of the run.
    pub(crate) fn finish(self, plan: &Plan, is_complete: bool, job_result: &mut JobResult) {
        let keep: HashSet<&Path> = plan.directories.iter().map(PathBuf::as_path).collect();
        let stale = if is_complete {
            self.manifest.stale(&self.written)
        } else {
            job_result.warn("no files deleted, because the run is not complete".to_owned());
            Vec::new()
        };
        let mut is_complete = is_complete;
        for path in stale {
            let name = terminal::path(&self.directory.join(&path));
            match self.manifest.delete(&path, &keep) {
                Ok(true) => {
                    job_result.tally.count(Counted::Deleted, 1);
                    job_result.info(format!("{name}: deleted"));
                }
                Ok(false) => {}
                Err(error) => {
                    is_complete = false;
                    job_result.error(format!("cannot delete {name}: {error}"));
                }
            }
        }
        if let Err(error) = self.manifest.update(self.written, is_complete) {
            let name = terminal::path(&self.directory);
            job_result.error(format!("cannot write the list of files in {name}: {error}"));
        }
    }
}
