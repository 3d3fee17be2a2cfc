//! Replacement of a file by its rewritten content.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::atomic_file::{AtomicFile, Durability, copy, hard_link};
use super::attributes::LostAttribute;
use super::pinned_path::PinnedPath;
use super::regular;

/// Replaces the file at `path` by the bytes that `write` produces, if `write` returns `true`: the bytes differ. Returns
/// the attributes of the file that the replacement cannot have.
///
/// No symbolic link among the last `depth` components of `path` is followed; if it is 0, all are.
///
/// `read` is the metadata that the file had when it was read. The original is kept as `backup`, which is never
/// replaced.
///
/// # Errors
/// `write` fails, the file is not a writable regular file, it was modified since it was read, the backup
/// cannot be made, or the replacement cannot be written or cannot have the access control list of the file.
pub(crate) fn replace_in_place(
    path: &Path,
    depth: usize,
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
    // A rename replaces a symbolic link itself, but one that is followed is to be kept and its target replaced.
    let target = PinnedPath::new(path, depth)?;
    let original = regular::open(&target)?;
    require_unchanged(&original.metadata()?, read)?;
    let (temp_file, lost) = AtomicFile::create_replacement(&target, &original, read)?;
    if !write(temp_file.file())? {
        // Unchanged: dropping the temporary file removes it.
        return Ok(Vec::new());
    }
    require_unchanged(&fs::symlink_metadata(&*target)?, read)?;
    if let Some(backup) = backup {
        back_up(&target, backup, depth, durability)?;
    }
    // Windows replaces no file that is open.
    drop(original);
    temp_file.persist(&target, durability)?;
    Ok(lost)
}

/// Checks that the file with the metadata `now` is the one that was read, and has not been modified since: another
/// program may have saved it during the run, and its changes must not be lost.
fn require_unchanged(now: &Metadata, read: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt;
        |metadata: &Metadata| (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let id = |_: &Metadata| ();
    let state = |metadata: &Metadata| (id(metadata), metadata.len(), metadata.modified().ok());
    if state(now) == state(read) {
        return Ok(());
    }
    Err(io::Error::other(
        "file changed during the run; repeat the run",
    ))
}

/// Gives the file at `path`, which must not be a symbolic link, the additional name `backup`.
///
/// A hard link suffices, because the original is never modified: a new file is renamed to its name. An existing
/// `backup` is never replaced; it is accepted if it has the content of the original.
fn back_up(path: &Path, backup: &Path, depth: usize, durability: Durability) -> io::Result<()> {
    let read = |path: &Path| {
        let mut bytes = Vec::new();
        regular::open(path)?.read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(bytes)
    };
    // The backup is beside a symbolic link that is followed.
    let place = PinnedPath::new(backup, depth.max(1))?;
    let result = hard_link(path, &place).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // A run that was killed between the backup and the replacement leaves an identical backup.
            let is_same = read(path)? == read(&place)?;
            return if is_same { Ok(()) } else { Err(error) };
        }
        // Not every file system supports hard links.
        copy(path, &place, durability)
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
            replace_in_place(
                &path,
                1,
                None,
                Some(&read),
                Durability::Cached,
                |mut file| {
                    file.write_all(b"rewritten")?;
                    Ok(true)
                },
            )
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
