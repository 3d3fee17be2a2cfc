//! Files that are there whole or not at all: written beside their target, then renamed.
//!
//! Nothing is flushed to the disk: a run that is killed leaves every file old or new, a machine that loses power leaves
//! what its file system makes of a rename.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of files begin with that are not yet where they belong; then comes the process that wrote them, a
/// hyphen, and a number.
const PREFIX: &str = ".absolve-";

/// A file beside its target. It is gone unless it is put in its place.
#[derive(Debug)]
pub(super) struct AtomicFile {
    path: PathBuf,
    pub(super) file: File,
    is_placed: bool,
}

impl AtomicFile {
    /// An empty file beside `target`, with the mode of `like`, or else the one that new files have.
    pub(super) fn beside(target: &Path, like: Option<&Metadata>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(like) = like {
            use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
            // It is never open to more people than the file it is like.
            options.mode(like.mode() & 0o777);
        }
        let (path, file) = free_name(target, |path| options.open(path))?;
        let draft = Self {
            path,
            file,
            is_placed: false,
        };
        if let Some(like) = like {
            // The mask of the process may have taken something away.
            draft.file.set_permissions(like.permissions())?;
        }
        Ok(draft)
    }

    /// Gives it the time of modification that another file has.
    pub(super) fn date_like(&self, like: &Metadata) -> io::Result<()> {
        match like.modified() {
            Ok(modified) => self.file.set_times(FileTimes::new().set_modified(modified)),
            // Not every system keeps it.
            Err(_) => Ok(()),
        }
    }

    /// Gives it the owner that the file has that it is to replace, as far as this process may.
    pub(super) fn own_like(&self, like: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let own = self.file.metadata()?;
            if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
                // Only root may give files away. For others the file that replaces one is their own, as with any editor;
                // the group can be kept where they belong to it.
                let _ = fchown(&self.file, Some(like.uid()), Some(like.gid()))
                    .or_else(|_| fchown(&self.file, None, Some(like.gid())));
                // A change of owner takes some bits away.
                self.file.set_permissions(like.permissions())?;
            }
        }
        #[cfg(not(unix))]
        let _ = like;
        Ok(())
    }

    /// Puts it in its place.
    pub(super) fn place(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // The next run over the directory tries again.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Calls `make` with names beside `target` until one is not taken.
fn free_name<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    static PROCESS: LazyLock<u32> = LazyLock::new(process::id);
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!("{PREFIX}{}-{number}", *PROCESS));
        match make(&path) {
            // A process of the same number was killed here.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|made| (path, made)),
        }
    }
}

/// Whether a file of that name was left behind, or is just being written, by this program.
pub(super) fn is_draft(name: &OsStr) -> bool {
    writer_of(name).is_some()
}

/// The process that wrote a draft of that name.
fn writer_of(name: &OsStr) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (process, number) = name.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    (is_number(process) && is_number(number)).then_some(process)
}

/// Removes a draft that a killed process left behind. One whose process still runs is left to it, where that can be told:
/// of this process itself it can, everywhere.
pub(super) fn clear(draft: &Path) -> io::Result<()> {
    let is_running = |writer: &str| {
        writer.parse() == Ok(process::id()) || Path::new("/proc").join(writer).exists()
    };
    if draft
        .file_name()
        .and_then(writer_of)
        .is_some_and(is_running)
    {
        return Ok(());
    }
    match fs::remove_file(draft) {
        // Its process was about to end.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes what killed processes left behind in a directory.
pub(super) fn clear_directory(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_draft(&entry.file_name()) {
            clear(&entry.path())?;
        }
    }
    Ok(())
}

/// The pipe or the device at `path`, to be written to, if there is one: it has no place to put another file in.
pub(super) fn stream(path: &Path) -> io::Result<Option<File>> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            OpenOptions::new().write(true).open(path).map(Some)
        }
        // What cannot be looked at says so when it is written.
        _ => Ok(None),
    }
}

/// Writes a new file, with the mode of `like`, and its time if `keeps_time`. A link in its place is replaced.
pub(super) fn write_like(
    target: &Path,
    bytes: &[u8],
    like: Option<&Metadata>,
    keeps_time: bool,
) -> io::Result<()> {
    let draft = AtomicFile::beside(target, like)?;
    (&draft.file).write_all(bytes)?;
    if keeps_time && let Some(like) = like {
        draft.date_like(like)?;
    }
    draft.place(target)
}

/// Copies a file, its mode and its time of modification.
pub(super) fn copy(source: &Path, target: &Path) -> io::Result<()> {
    let mut file = File::open(source)?;
    let metadata = file.metadata()?;
    let draft = AtomicFile::beside(target, Some(&metadata))?;
    io::copy(&mut file, &mut &draft.file)?;
    draft.date_like(&metadata)?;
    draft.place(target)
}

/// Makes a hard link to a file, or copies it where that cannot be.
pub(super) fn link(source: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(source, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let Ok((path, ())) = free_name(target, |path| fs::hard_link(source, path)) else {
                return copy(source, target);
            };
            let renamed = fs::rename(&path, target);
            // Where both names are of one file already, a rename does nothing.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => renamed,
            }
        }
        // Another file system, one without hard links, a file of somebody else's, or too many links to it.
        Err(_) => copy(source, target),
        Ok(()) => Ok(()),
    }
}

/// Makes a symbolic link that reads as the one at `source` does.
#[cfg(unix)]
pub(super) fn link_again(source: &Path, target: &Path) -> io::Result<()> {
    let text = fs::read_link(source)?;
    let (path, ()) = free_name(target, |path| std::os::unix::fs::symlink(&text, path))?;
    fs::rename(&path, target).inspect_err(|_| {
        let _ = fs::remove_file(&path);
    })
}

/// Copies what the symbolic link at `source` leads to: links want a privilege here.
#[cfg(not(unix))]
pub(super) fn link_again(source: &Path, target: &Path) -> io::Result<()> {
    copy(source, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_told_from_other_files_by_their_names() {
        for (name, expected) in [
            (".absolve-12-0", true),
            (".absolve-4194304-123456", true),
            (".absolve-12-", false),
            (".absolve--1", false),
            (".absolve-12", false),
            (".absolve-12-0.html", false),
            (".absolve-config-1", false),
            (".absolve", false),
            ("absolve-12-0", false),
        ] {
            assert_eq!(is_draft(OsStr::new(name)), expected, "{name}");
        }
    }
}
