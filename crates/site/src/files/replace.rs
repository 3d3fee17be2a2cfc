//! Replacement of a file by its rewritten content.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use super::atomic_file::{AtomicFile, Durability, copy};
use super::attributes::LostAttribute;

/// Replaces the file at `path`, or the one that a symbolic link there leads to, by the bytes that `write` produces, if
/// `write` returns `true`: the bytes differ. Returns the attributes of the file that the replacement cannot have.
///
/// `read` is the metadata that the file had when it was read. The original is kept as `backup`, which is never
/// replaced.
///
/// # Errors
/// `write` fails, the file is not a writable regular file, it was modified since it was read, the backup
/// cannot be made, or the replacement cannot be written or cannot have the access control list of the file.
pub fn replace_in_place(
    path: &Path,
    backup: Option<&Path>,
    read: Option<&Metadata>,
    durability: Durability,
    write: impl FnOnce(&File) -> io::Result<bool>,
) -> io::Result<Vec<LostAttribute>> {
    let Some(read) = read.filter(|read| read.is_file()) else {
        return Err(io::Error::other(
            "not a regular file; write to another file",
        ));
    };
    if read.permissions().readonly() {
        return Err(io::Error::other(
            "read-only file; make it writable, or write to another file",
        ));
    }
    // A rename replaces a symbolic link itself, but the link is to be kept and its target replaced.
    let target = if fs::symlink_metadata(path)?.is_symlink() {
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let (temp_file, lost) = AtomicFile::create_replacement(&target, read)?;
    if !write(temp_file.file())? {
        // Unchanged: dropping the temporary file removes it.
        return Ok(Vec::new());
    }
    // Another program may have saved the file during the run; its changes must not be lost.
    let now = fs::metadata(&target)?;
    if (now.len(), now.modified().ok()) != (read.len(), read.modified().ok()) {
        return Err(io::Error::other(
            "file changed during the run; repeat the run",
        ));
    }
    if let Some(backup) = backup {
        back_up(&target, backup, durability)?;
    }
    temp_file.persist(&target, durability)?;
    Ok(lost)
}

/// Gives the file at `path`, which must not be a symbolic link, the additional name `backup`.
///
/// A hard link suffices, because the original is never modified: a new file is renamed to its name. An existing
/// `backup` is never replaced; it is accepted if it has the content of the original.
fn back_up(path: &Path, backup: &Path, durability: Durability) -> io::Result<()> {
    let result = fs::hard_link(path, backup).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // A run that was killed between the backup and the replacement leaves an identical backup.
            let is_same = fs::read(path)? == fs::read(backup)?;
            return if is_same { Ok(()) } else { Err(error) };
        }
        // Not every file system supports hard links.
        copy(path, backup, durability)
    });
    result.map_err(|error| {
        let backup = backup.display().to_string();
        let name = backup.escape_debug();
        io::Error::other(format!(
            "cannot back up the original as {name}: {error}; remove an old backup, or use another name for it"
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn replace_in_place_keeps_a_file_that_was_modified_since() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("a.html");
        fs::write(&path, "old")?;
        let read = fs::metadata(&path)?;
        fs::write(&path, "newer")?;
        let replace = || {
            replace_in_place(&path, None, Some(&read), Durability::Cached, |mut file| {
                file.write_all(b"rewritten")?;
                Ok(true)
            })
        };
        let error = replace().expect_err("it changed");
        assert!(
            error.to_string().contains("changed during the run"),
            "{error}"
        );
        assert_eq!(fs::read(&path)?, b"newer");
        fs::remove_file(&path)?;
        assert!(replace().is_err());
        assert_eq!(
            fs::read_dir(directory.path())?.count(),
            0,
            "unexpected leftover"
        );
        Ok(())
    }
}
