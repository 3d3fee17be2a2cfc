//! Temporary files that replace their targets.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::process;
use std::sync::LazyLock;

use tempfile::{Builder, NamedTempFile};

/// Prefix of the names of temporary files. The ID of the process that writes the file, a hyphen, and random letters and
/// digits follow.
const PREFIX: &str = ".absolve-";

/// A temporary file in the directory of its target, removed on drop unless it was persisted.
#[derive(Debug)]
pub struct AtomicFile {
    temp_file: NamedTempFile,
}

impl AtomicFile {
    /// Creates an empty file in the directory of `target`, with the mode of `model`, or else the default mode.
    ///
    /// # Errors
    /// The file cannot be created, or its mode cannot be set.
    pub fn create(target: &Path, model: Option<&Metadata>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(model) = model {
            use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
            // Set at creation: with the default mode, others could open a private document before its mode is changed.
            options.mode(model.mode() & 0o777);
        }
        let temp_file = create_beside(target, |path| options.open(path))?;
        if let Some(model) = model {
            // The umask may have removed bits from the mode at creation.
            temp_file.as_file().set_permissions(model.permissions())?;
        }
        Ok(Self { temp_file })
    }

    /// Returns the open file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.temp_file.as_file()
    }

    /// Sets the modification time to that of `model`.
    ///
    /// # Errors
    /// The time cannot be set.
    pub fn copy_modified_time(&self, model: &Metadata) -> io::Result<()> {
        match model.modified() {
            Ok(modified) => self
                .file()
                .set_times(FileTimes::new().set_modified(modified)),
            // Not every platform has modification times.
            Err(_) => Ok(()),
        }
    }

    /// Sets owner and group to those of `model`, the file to be replaced, as far as the process may do so.
    ///
    /// # Errors
    /// The metadata of the file cannot be read, or its mode cannot be set.
    pub fn copy_owner(&self, model: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let current = self.file().metadata()?;
            if (current.uid(), current.gid()) != (model.uid(), model.gid()) {
                // Only root may change the owner. Other users become the owner of the replacement, as with any editor,
                // but can keep the group if they are members of it. Failure of both is therefore not an error.
                let _ = fchown(self.file(), Some(model.uid()), Some(model.gid()))
                    .or_else(|_| fchown(self.file(), None, Some(model.gid())));
                // A change of owner clears the set-user-ID and set-group-ID bits.
                self.file().set_permissions(model.permissions())?;
            }
        }
        #[cfg(not(unix))]
        let _ = model;
        Ok(())
    }

    /// Renames the file to `target`, which is replaced if it exists.
    ///
    /// # Errors
    /// The file cannot be renamed; it is removed.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        self.temp_file.persist(target)?;
        Ok(())
    }
}

/// Calls `create` with names in the directory of `target` until one is free; the file is removed on drop.
///
/// The crate opens files with its own mode and adds their paths to errors, so `create` opens them instead.
fn create_beside<T>(
    target: &Path,
    create: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<NamedTempFile<T>> {
    static PROCESS: LazyLock<String> = LazyLock::new(|| format!("{PREFIX}{}-", process::id()));
    let directory = target.parent().unwrap_or(Path::new(""));
    Builder::new().prefix(&**PROCESS).make_in(directory, create)
}

/// Returns whether `name` is that of a temporary file of this module, in use or left over.
#[must_use]
pub fn is_temp_file(name: &OsStr) -> bool {
    pid_of(name).is_some()
}

/// Returns the digits of the process ID in the name of a temporary file, or `None` for any other name.
fn pid_of(name: &OsStr) -> Option<&str> {
    let consists_of = |text: &str, is_allowed: fn(&u8) -> bool| {
        !text.is_empty() && text.as_bytes().iter().all(is_allowed)
    };
    let (process, rest) = name.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    let is_ours =
        consists_of(process, u8::is_ascii_digit) && consists_of(rest, u8::is_ascii_alphanumeric);
    is_ours.then_some(process)
}

/// Removes a temporary file of a killed process.
///
/// A file of a running process is kept. Without `/proc`, only this process itself is known to run.
///
/// # Errors
/// The file cannot be removed.
pub fn remove_leftover(path: &Path) -> io::Result<()> {
    let is_running =
        |pid: &str| pid.parse() == Ok(process::id()) || Path::new("/proc").join(pid).exists();
    if path.file_name().and_then(pid_of).is_some_and(is_running) {
        return Ok(());
    }
    match fs::remove_file(path) {
        // Its process removed or renamed it after the directory was listed, and ended.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Removes the temporary files of killed processes from `directory`; does not descend into it.
///
/// # Errors
/// The directory cannot be read, or a file cannot be removed.
pub fn remove_leftovers_in(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_temp_file(&entry.file_name()) {
            remove_leftover(&entry.path())?;
        }
    }
    Ok(())
}

/// Opens the pipe or device at `path` for writing; returns `None` if there is a regular file, a directory or nothing.
///
/// A rename would replace a special file, such as `/dev/null`, so it must be written directly.
///
/// # Errors
/// The pipe or device cannot be opened.
pub fn open_special_file(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            OpenOptions::new().write(true).open(path).map(Some)
        }
        // An error of `metadata` recurs when the caller writes the file, and is reported then.
        _ => Ok(None),
    }
}

/// Copies a file with its mode and modification time. A symbolic link at `target` is replaced, not followed.
///
/// # Errors
/// `source` cannot be read, or `target` cannot be written; an existing file is left unchanged.
pub fn copy(source: &Path, target: &Path) -> io::Result<()> {
    let mut file = File::open(source)?;
    let metadata = file.metadata()?;
    let temp_file = AtomicFile::create(target, Some(&metadata))?;
    io::copy(&mut file, &mut temp_file.file())?;
    temp_file.copy_modified_time(&metadata)?;
    temp_file.persist(target)
}

/// Makes `target` a hard link to `source`, or a copy of it where that is not possible. An existing file is replaced.
///
/// # Errors
/// `source` cannot be read, or `target` cannot be written; an existing file is left unchanged.
pub fn hard_link_or_copy(source: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(source, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // There is no call that replaces a file by a link, so the link gets a temporary name first.
            let Ok(link) = create_beside(target, |path| fs::hard_link(source, path)) else {
                return copy(source, target);
            };
            let path = link.path().to_owned();
            link.persist(target)?;
            // If `target` was a link to the same file already, POSIX requires that the rename does nothing: the
            // temporary name is still there. Otherwise the rename has removed it, which is the usual case.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        }
        // Another file system, one without hard links, a file of another user, or too many links to the file.
        Err(_) => copy(source, target),
        Ok(()) => Ok(()),
    }
}

/// Creates a symbolic link at `target` with the same text as the one at `source`. An existing file is replaced.
///
/// # Errors
/// The link cannot be read or created.
#[cfg(unix)]
pub fn recreate_symlink(source: &Path, target: &Path) -> io::Result<()> {
    let text = fs::read_link(source)?;
    let link = create_beside(target, |path| std::os::unix::fs::symlink(&text, path))?;
    link.persist(target)?;
    Ok(())
}

/// Copies the file that the symbolic link at `source` leads to: symbolic links require a privilege on this platform.
///
/// # Errors
/// Those of [`copy`].
#[cfg(not(unix))]
pub fn recreate_symlink(source: &Path, target: &Path) -> io::Result<()> {
    copy(source, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_temp_file_accepts_only_names_of_the_pattern() {
        for (name, expected) in [
            (".absolve-12-0", true),
            (".absolve-4194304-123456", true),
            (".absolve-12-aB3xY9", true),
            (".absolve-12-", false),
            (".absolve--1", false),
            (".absolve-12", false),
            (".absolve-12-0.html", false),
            (".absolve-config-1", false),
            (".absolve", false),
            ("absolve-12-0", false),
        ] {
            assert_eq!(is_temp_file(OsStr::new(name)), expected, "{name}");
        }
    }
}
