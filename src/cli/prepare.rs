//! What is done before the first document: directories made, drafts of killed runs cleared away.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::job_result::JobResult;
use super::output::Plan;
use super::{atomic_file, terminal};

/// Directories that could not be made, or that lead elsewhere: nothing is written into them.
#[derive(Debug, Default)]
pub(super) struct UnwritableDirs {
    directories: HashSet<PathBuf>,
}

impl UnwritableDirs {
    /// Whether it is one of them or in one.
    ///
    /// # Complexity
    /// Linear in the length of the path.
    pub(super) fn has(&self, path: &Path) -> bool {
        !self.directories.is_empty() && path.ancestors().any(|path| self.directories.contains(path))
    }
}

/// Makes the directories of the plan, and removes drafts in them and those it names.
pub(super) fn prepare(plan: &Plan, job_result: &mut JobResult) -> UnwritableDirs {
    for draft in &plan.drafts {
        if let Err(error) = atomic_file::clear(draft) {
            let name = terminal::escape_control(&draft.to_string_lossy());
            job_result.error(format!(
                "{name}: left behind by a run that was killed, and cannot be removed: {error}"
            ));
        }
    }
    let mut barred = UnwritableDirs::default();
    for (index, directory) in plan.directories.iter().enumerate() {
        if barred.has(directory) {
            continue;
        }
        // What was named may be a link to a directory; what is found in it would lead out of it.
        if let Err(error) = make(directory, index == 0) {
            let name = terminal::escape_control(&directory.to_string_lossy());
            job_result.error(format!("{name}: cannot be written to: {error}"));
            barred.directories.insert(directory.clone());
        }
    }
    barred
}

/// Makes a directory, or makes one ready that is there.
fn make(directory: &Path, may_be_link: bool) -> io::Result<()> {
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let metadata = fs::symlink_metadata(directory)?;
            if metadata.is_symlink() && !may_be_link {
                return Err(io::Error::other(
                    "a symbolic link is in the place of a directory; remove it, or name another --output",
                ));
            }
            atomic_file::clear_directory(directory)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(directory),
        made => made,
    }
}
