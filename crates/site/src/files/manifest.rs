//! The files that runs wrote to an output directory, so that a later run can delete those that it does not write.
//!
//! A directory alone does not show who wrote a file in it. [`OutputManifest`] is therefore a list in the directory, in
//! a file of its own. Nothing that is not in the list is ever deleted, and nothing outside the directory: paths in the
//! list are checked like any other input, and no symbolic link is followed.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::atomic_file::Durability;
use super::pinned_path::PinnedPath;
use super::regular::{read_regular, require_regular};
use super::write::write_counterpart;

/// Name of the file with the list, in the output directory. It is not part of any site.
pub(super) const MANIFEST_NAME: &str = ".absolve-output";

/// The paths of the files that runs wrote to a directory, relative to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputManifest {
    directory: PathBuf,
    paths: BTreeSet<PathBuf>,
}

impl OutputManifest {
    /// Reads the list in a directory; it is empty if there is none. Paths that lead out of the directory are left out.
    ///
    /// # Errors
    /// The list exists and cannot be read, or is no regular file.
    pub fn read(directory: &Path) -> io::Result<Self> {
        let bytes = match read_regular(&directory.join(MANIFEST_NAME), 1) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes?,
        };
        let names = bytes.split(|&byte| byte == b'\0');
        let paths = names.filter_map(path_from_bytes);
        Ok(Self {
            directory: directory.to_owned(),
            paths: paths.filter(|path| is_inside(path)).collect(),
        })
    }

    /// Returns the paths in the list that are not in `written`, as far as the files exist. All are relative to the
    /// directory.
    ///
    /// A path that differs from one in `written` only in letter case is not returned: it may be the same file.
    #[must_use]
    pub fn stale(&self, written: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let folded = |path: &Path| path.to_string_lossy().to_lowercase();
        let written: HashSet<String> = written.iter().map(|path| folded(path)).collect();
        let paths = self.paths.iter();
        let stale =
            paths.filter(|path| !written.contains(&folded(path)) && self.file(path).is_some());
        stale.cloned().collect()
    }

    /// Deletes a file in the list, and the directories that are empty then, unless `keep` contains their paths.
    /// Returns whether there was a file to delete.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn delete(&self, path: &Path, keep: &HashSet<&Path>) -> io::Result<bool> {
        let Some(file) = self.file(path).filter(|_| self.paths.contains(path)) else {
            return Ok(false);
        };
        fs::remove_file(&*file)?;
        for parent in path.ancestors().skip(1) {
            let directory = self.directory.join(parent);
            if parent.as_os_str().is_empty() || keep.contains(parent) {
                break;
            }
            let directory = PinnedPath::new(&directory, parent.components().count());
            // Fails for a directory that is not empty.
            if directory.and_then(|path| fs::remove_dir(&*path)).is_err() {
                break;
            }
        }
        Ok(true)
    }

    /// Replaces the list by `written`; if `is_complete` is false, because a run failed, adds them to it.
    ///
    /// # Errors
    /// The list cannot be written, or something else than a regular file is in its place.
    pub fn update(mut self, written: BTreeSet<PathBuf>, is_complete: bool) -> io::Result<()> {
        if is_complete {
            self.paths = written;
        } else {
            self.paths.extend(written);
        }
        let list = PinnedPath::new(&self.directory.join(MANIFEST_NAME), 1)?;
        match require_regular(&list) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            regular => regular?,
        }
        let existing = fs::symlink_metadata(&*list).ok();
        let model = existing.as_ref();
        write_counterpart(&list, model, None, Durability::Cached, |to| {
            for path in &self.paths {
                to.write_all(path.as_os_str().as_encoded_bytes())?;
                to.write_all(b"\0")?;
            }
            Ok(true)
        })
        .map(drop)
    }

    /// Returns the file or symbolic link at `path`, if there is one and no symbolic link leads to it.
    fn file(&self, path: &Path) -> Option<PinnedPath> {
        // The directory itself may be a link that the user gave.
        let depth = path.components().count();
        let file = PinnedPath::new(&self.directory.join(path), depth).ok()?;
        let is_file = fs::symlink_metadata(&*file).is_ok_and(|found| !found.is_dir());
        is_file.then_some(file)
    }
}

/// Returns whether a path leads to a place inside the directory that it is relative to.
fn is_inside(path: &Path) -> bool {
    let mut components = path.components();
    let is_normal = components.all(|component| matches!(component, Component::Normal(_)));
    is_normal && !path.as_os_str().is_empty()
}

/// Returns the path whose name is `name` in the encoding of the file system; `None` if it has no such name, as on
/// systems where names are Unicode and it is not UTF-8.
#[cfg(unix)]
#[must_use]
pub fn path_from_bytes(name: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

/// Returns the path whose name is `name` in UTF-8; `None` if it is not UTF-8.
#[cfg(not(unix))]
#[must_use]
pub fn path_from_bytes(name: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(name).ok().map(PathBuf::from)
}
