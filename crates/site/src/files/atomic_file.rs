//! Temporary files that replace their targets.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io::{self, Seek};
use std::path::Path;
use std::process;
use std::sync::LazyLock;

use tempfile::{Builder, NamedTempFile};

use super::attributes::{LostAttribute, copy_attributes, permissions};
use super::current::ExistingFile;
use super::regular::{self, require_regular};
use super::temp_files::{self, TempFileRecord};

/// Prefix of the names of temporary files. The ID of the process that writes the file, a hyphen, and random letters and
/// digits follow.
const PREFIX: &str = ".absolve-";

/// Whether a new file survives a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Durability {
    /// The system writes it to the disk at a time of its choice.
    #[default]
    Cached,
    /// It is written to the disk before it replaces another file, and so is its directory afterwards.
    Synced,
}

/// A temporary file in the directory of its target, removed on drop unless it was persisted.
#[derive(Debug)]
pub struct AtomicFile {
    temp_file: NamedTempFile,
    _record: TempFileRecord,
}

impl AtomicFile {
    /// Creates an empty file in the directory of `target`, with the mode of `model`, or else the default mode.
    ///
    /// # Errors
    /// The file cannot be created, or its mode cannot be set.
    pub fn create(target: &Path, model: Option<&Metadata>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        if let Some(model) = model {
            use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
            // Set at creation: with the default mode, others could open a private document before its mode is changed.
            options.mode(model.mode() & 0o777);
        }
        let created = Self::create_with(target, &mut options)?;
        if let Some(model) = model {
            // The umask may have removed bits from the mode at creation.
            created.file().set_permissions(permissions(model))?;
        }
        Ok(created)
    }

    /// Creates an empty file to replace `original` at `target`, whose metadata is `model`: with its owner, group, mode,
    /// access control list and extended attributes. Returns those that it cannot have, too.
    ///
    /// # Errors
    /// The file cannot be created, the attributes of the original cannot be read, or the mode or the access control
    /// list cannot be set.
    pub fn create_replacement(
        target: &Path,
        original: &File,
        model: &Metadata,
    ) -> io::Result<(Self, Vec<LostAttribute>)> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // For its owner alone, until it has the attributes that determine who else has access.
            options.mode(0o600);
        }
        let created = Self::create_with(target, &mut options)?;
        let lost = copy_attributes(original, model, created.file())?;
        Ok((created, lost))
    }

    fn create_with(target: &Path, options: &mut OpenOptions) -> io::Result<Self> {
        options.write(true).create_new(true);
        let create = || create_beside(target, |path| options.open(path));
        let created = temp_files::recorded(create, NamedTempFile::path);
        let (temp_file, record) = created.map_err(|error| match error.kind() {
            // The file itself may be writable.
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => io::Error::new(
                error.kind(),
                format!("no temporary file can be created in its directory: {error}"),
            ),
            _ => error,
        })?;
        Ok(Self {
            temp_file,
            _record: record,
        })
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

    /// Renames the file to `target`, which is replaced if it exists.
    ///
    /// # Errors
    /// The file cannot be renamed, or not be written to the disk; it is removed. If its directory cannot be written to
    /// the disk, the file remains.
    pub fn persist(self, target: &Path, durability: Durability) -> io::Result<()> {
        if durability == Durability::Synced {
            self.file().sync_all()?;
        }
        self.temp_file.persist(target)?;
        if durability == Durability::Synced {
            sync_directory(target)?;
        }
        Ok(())
    }
}

/// Writes the directory of `path` to the disk, with the names of its files.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().unwrap_or(path);
    let is_current = directory.as_os_str().is_empty();
    File::open(if is_current {
        Path::new(".")
    } else {
        directory
    })?
    .sync_all()
}

/// Does nothing: directories cannot be opened on this platform.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
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
pub(crate) fn is_temp_file(name: &OsStr) -> bool {
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
pub(crate) fn remove_leftover(path: &Path) -> io::Result<()> {
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
pub(crate) fn remove_leftovers_in(directory: &Path) -> io::Result<()> {
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

/// Copies a regular file with its mode and modification time. A symbolic link at `target` is replaced, not followed.
///
/// A file that is a copy already is not written again.
///
/// # Errors
/// `source` cannot be read, or `target` cannot be written; an existing file is left unchanged.
pub(super) fn copy(source: &Path, target: &Path, durability: Durability) -> io::Result<()> {
    let mut file = regular::open(source)?;
    let metadata = file.metadata()?;
    if let Some(mut existing) = ExistingFile::open(target, metadata.len()) {
        if existing.has_content(&file)? && existing.copy_metadata(&metadata, true).is_ok() {
            return Ok(());
        }
        file.rewind()?;
    }
    let temp_file = AtomicFile::create(target, Some(&metadata))?;
    io::copy(&mut file, &mut temp_file.file())?;
    temp_file.copy_modified_time(&metadata)?;
    temp_file.persist(target, durability)
}

/// Makes `target` a hard link to the regular file `source`.
///
/// # Errors
/// There is something at `target`, or the file system cannot make the link.
pub(super) fn hard_link(source: &Path, target: &Path) -> io::Result<()> {
    require_regular(source)?;
    fs::hard_link(source, target)?;
    // A symbolic link may have replaced the file since. It has got another name then.
    require_regular(target).inspect_err(|_| drop(fs::remove_file(target)))
}

/// Makes `target` a hard link to the regular file `source`, or a copy of it where that is not possible. An existing
/// file is replaced.
///
/// # Errors
/// `source` cannot be read, or `target` cannot be written; an existing file is left unchanged.
pub(super) fn hard_link_or_copy(
    source: &Path,
    target: &Path,
    durability: Durability,
) -> io::Result<()> {
    match hard_link(source, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // There is no call that replaces a file by a link, so the link gets a temporary name first.
            let Ok(link) = create_beside(target, |path| hard_link(source, path)) else {
                return copy(source, target, durability);
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
        Err(_) => copy(source, target, durability),
        Ok(()) => Ok(()),
    }
}

/// Creates a symbolic link at `target` with the text `text`, which is that of the one at `source`. An existing file is
/// replaced.
///
/// # Errors
/// The link cannot be created.
#[cfg(unix)]
pub(super) fn recreate_symlink(text: &Path, _source: &Path, target: &Path) -> io::Result<()> {
    let link = create_beside(target, |path| std::os::unix::fs::symlink(text, path))?;
    link.persist(target)?;
    Ok(())
}

/// Copies the file that the symbolic link at `source` leads to: symbolic links require a privilege on this platform.
///
/// # Errors
/// Those of [`copy`].
#[cfg(not(unix))]
pub(super) fn recreate_symlink(_text: &Path, source: &Path, target: &Path) -> io::Result<()> {
    copy(&fs::canonicalize(source)?, target, Durability::Cached)
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
