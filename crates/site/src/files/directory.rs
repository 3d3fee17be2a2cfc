//! Output directories.

use std::fs;
use std::io;
use std::path::Path;

use super::atomic_file::remove_leftovers_in;
use super::attributes::directory_permissions;
use super::pinned_path::PinnedPath;

/// Creates a directory, or removes leftovers of killed processes from an existing one.
///
/// # Errors
/// The directory cannot be created or read, or a leftover cannot be removed.
pub(crate) fn create_directory(directory: &Path) -> io::Result<()> {
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove_leftovers_in(directory)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(directory),
        result => result,
    }
}

/// Creates the directory at `site_path` inside an output directory, like [`create_directory`]; its parent exists. A new
/// one gets the mode of the directory at `site_path` inside `model`, if that is known, and its owner may use it in any
/// case.
///
/// # Errors
/// Those of [`create_directory`], and a symbolic link in its place: it could lead out of the output directory.
pub(crate) fn create_directory_inside(
    output: &Path,
    site_path: &Path,
    model: Option<&Path>,
) -> io::Result<()> {
    let (path, depth) = (output.join(site_path), site_path.components().count());
    let place = PinnedPath::new(&path, depth)?;
    let is_new = match fs::create_dir(&*place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        created => created.is_ok(),
    };
    if place.is_symlink() {
        return Err(io::Error::other(
            "symbolic link in the place of a directory; remove it, or use another output directory",
        ));
    }
    let directory = PinnedPath::directory(&path, depth)?;
    if !is_new {
        return remove_leftovers_in(&directory);
    }
    match model.map(|model| fs::metadata(model.join(site_path))) {
        // Without its model, it has the mode of any new directory.
        None | Some(Err(_)) => Ok(()),
        Some(Ok(model)) => fs::set_permissions(&*directory, directory_permissions(&model)),
    }
}
