//! Preparation of a run: creates output directories and removes temporary files of killed runs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use absolve_site::files;

use super::job_result::JobResult;
use super::output::Plan;
use super::terminal;

/// Directories that could not be created, or are symbolic links: nothing is written into them.
#[derive(Debug, Default)]
pub(super) struct UnwritableDirs {
    directories: HashSet<PathBuf>,
}

impl UnwritableDirs {
    /// Returns whether `path` is one of the directories or inside one.
    ///
    /// # Complexity
    /// Linear in the length of the path.
    pub(super) fn contains(&self, path: &Path) -> bool {
        !self.directories.is_empty() && path.ancestors().any(|path| self.directories.contains(path))
    }
}

/// Creates the directories of the plan, and removes leftovers of killed runs from them and next to the inputs.
///
/// Failures are reported to `job_result`. Returns the directories that cannot be used.
pub(super) fn prepare(plan: &Plan, job_result: &mut JobResult) -> UnwritableDirs {
    for path in &plan.leftovers {
        if let Err(error) = files::remove_leftover(path) {
            let name = terminal::path(path);
            job_result.error(format!(
                "cannot remove {name}, a temporary file of a killed run: {error}"
            ));
        }
    }
    let mut unwritable = UnwritableDirs::default();
    for (index, directory) in plan.directories.iter().enumerate() {
        // Parents come first: one error is enough for a directory and everything in it.
        if unwritable.contains(directory) {
            continue;
        }
        // The user may give a link as output directory.
        let output = &plan.directories[0];
        let created = match directory.strip_prefix(output) {
            Ok(below) if index > 0 => {
                files::create_directory_inside(output, below, plan.model.as_deref())
            }
            _ => files::create_directory(directory),
        };
        if let Err(error) = created {
            let name = terminal::path(directory);
            job_result.error(format!("cannot write to {name}: {error}"));
            unwritable.directories.insert(directory.clone());
        }
    }
    unwritable
}
