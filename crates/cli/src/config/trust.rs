//! Whether a configuration file that was found, and not named, may determine what is read.
//!
//! The search begins at the input, so the file may be part of what somebody else sent: an unpacked archive, a
//! repository that was cloned, a directory that others can write to. Git has the same rule for its configuration
//! (CVE-2022-24765).

use std::env;
use std::path::Path;

use super::file::Setting;

/// The options that a file in the input must not set: they make a run read other directories or files, or more than a
/// document is worth. Others determine the form of the output alone, as the documents beside the file do.
const WIDENING: [&str; 5] = [
    "follow",
    "limit",
    "insert-head",
    "insert-head-end",
    "insert-body-end",
];

/// Returns whether the setting is one that only a trusted file may have.
pub(super) fn needs_trust(setting: &Setting) -> bool {
    WIDENING.contains(&&*setting.key)
}

/// Returns whether a file is in the current directory or above it, where the user chose to be.
pub(super) fn is_above_current_directory(path: &Path) -> bool {
    let is_above = env::current_dir().and_then(|current| {
        let path = current.join(path);
        let directory = path.parent().unwrap_or(&path).canonicalize()?;
        Ok(current.canonicalize()?.starts_with(directory))
    });
    is_above.unwrap_or(false)
}

/// Returns whether a file belongs to the user or to root.
#[cfg(unix)]
pub(super) fn is_owner_trusted(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let user = rustix::process::geteuid().as_raw();
    let owner = path.metadata().map(|metadata| metadata.uid());
    // A file that cannot be read is reported when it is read.
    owner.map_or(true, |owner| owner == user || owner == 0)
}

/// Returns whether a file belongs to the user: not known on this system.
#[cfg(not(unix))]
pub(super) fn is_owner_trusted(_path: &Path) -> bool {
    true
}
