//! Paths that nobody can redirect while they are used.
//!
//! Between the time when a path is checked and the time when it is used, another process may replace a directory on it
//! by a symbolic link. [`PinnedPath`] therefore opens the directory, one component after the other, and refers to the
//! open directory from then on.
//!
//! Only Linux has paths of open directories, in `/proc`. Elsewhere, the components are checked, and the path itself is
//! used: a link that replaces one of them later is followed.

use std::fs;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A path in a directory that remains the same, whatever happens to the names of the directories.
#[derive(Debug)]
pub(crate) struct PinnedPath {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    _directory: std::os::fd::OwnedFd,
}

impl PinnedPath {
    /// Pins the directory of `path`, in which no symbolic link among the last `depth` components is followed: somebody
    /// else may have made it. If `depth` is 0, all links are followed, including one at `path` itself.
    ///
    /// The name in the directory is not opened. It need not exist, unless `depth` is 0.
    ///
    /// # Errors
    /// The directory cannot be opened, or one of these components is a symbolic link.
    pub(crate) fn new(path: &Path, depth: usize) -> io::Result<Self> {
        let Some(depth_of_directory) = depth.checked_sub(1) else {
            return Self::new(&fs::canonicalize(path)?, 1);
        };
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let mut pinned = Self::directory(directory, depth_of_directory)?;
        pinned.path.push(name);
        Ok(pinned)
    }

    /// Pins the directory at `path` itself, like [`new`](Self::new).
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub(super) fn directory(path: &Path, depth: usize) -> io::Result<Self> {
        let root = path.ancestors().nth(depth).unwrap_or(path);
        let names = path.strip_prefix(root).unwrap_or(path);
        let is_current = root.as_os_str().is_empty();
        pin(if is_current { Path::new(".") } else { root }, names)
    }
}

impl Deref for PinnedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

#[cfg(target_os = "linux")]
fn pin(root: &Path, names: &Path) -> io::Result<PinnedPath> {
    use std::os::fd::AsRawFd;
    use std::sync::LazyLock;

    use rustix::fs::{Mode, OFlags, open, openat};

    static HAS_PROC: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").is_dir());
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut directory = open(root, flags, Mode::empty())?;
    for name in names {
        directory = openat(&directory, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Ok(PinnedPath {
        path: if *HAS_PROC {
            format!("/proc/self/fd/{}", directory.as_raw_fd()).into()
        } else {
            root.join(names)
        },
        _directory: directory,
    })
}

#[cfg(not(target_os = "linux"))]
fn pin(root: &Path, names: &Path) -> io::Result<PinnedPath> {
    let mut path = root.to_owned();
    for name in names {
        path.push(name);
        if !fs::symlink_metadata(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
    }
    Ok(PinnedPath { path })
}
