//! The files of a directory.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::atomic_file::is_temp_file;
use super::site_file::SiteFile;

/// Names of directories that are not part of a site, because they belong to version control.
const VCS_DIRECTORIES: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// The files of a directory, and what is in it besides.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Walk {
    /// The files and symbolic links, sorted by name in each directory.
    pub files: Vec<SiteFile>,
    /// The paths of the directories in it, relative to it. Each comes after its parent.
    pub directories: Vec<PathBuf>,
    /// The paths of temporary files that killed processes may have left.
    pub leftovers: Vec<PathBuf>,
    /// The errors, in the same order as the files.
    pub errors: Vec<WalkError>,
}

/// An error for a file or directory that is left out.
#[derive(Debug)]
#[non_exhaustive]
pub enum WalkError {
    /// It cannot be read.
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// It is a device, a pipe or a socket.
    NotRegular {
        /// The path.
        path: PathBuf,
    },
}

impl WalkError {
    /// Returns the path of the file or directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Unreadable { path, .. } | Self::NotRegular { path } => path,
        }
    }
}

impl fmt::Display for WalkError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { error, .. } => error.fmt(formatter),
            Self::NotRegular { .. } => formatter.write_str("not a regular file"),
        }
    }
}

impl std::error::Error for WalkError {}

/// Finds the files below the directory `root`.
///
/// Symbolic links are not followed. The directories of version control systems are left out.
#[must_use]
pub fn walk(root: &Path) -> Walk {
    let mut walk = Walk::default();
    let entries = WalkDir::new(root)
        .min_depth(1)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !has_vcs_name(entry));
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let error = error.into_io_error();
                let error = error.unwrap_or_else(|| io::Error::other("directory loop"));
                walk.errors.push(WalkError::Unreadable { path, error });
                continue;
            }
        };
        let kind = entry.file_type();
        let path = entry.into_path();
        // The path of every entry begins with `root`.
        let Ok(site_path) = path.strip_prefix(root).map(Path::to_owned) else {
            continue;
        };
        if kind.is_dir() {
            walk.directories.push(site_path);
        } else if !kind.is_file() && !kind.is_symlink() {
            walk.errors.push(WalkError::NotRegular { path });
        } else if kind.is_file() && path.file_name().is_some_and(is_temp_file) {
            walk.leftovers.push(path);
        } else {
            walk.files.push(SiteFile {
                path,
                site_path,
                is_link: kind.is_symlink(),
            });
        }
    }
    walk
}

/// Returns whether an entry has the name of a version control directory. A file of that name counts as well: a Git
/// worktree has one.
fn has_vcs_name(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    VCS_DIRECTORIES.iter().any(|vcs_name| name == *vcs_name)
}
