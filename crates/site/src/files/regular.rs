//! Regular files below a directory. What has their name may be anything, and may change at any time.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::pinned_path::PinnedPath;

/// The maximum length in bytes of a file that is read as a whole. The log of a download of a million pages is shorter.
const MAX_LENGTH: u64 = 1 << 28;

/// Reads a regular file, which may be a list or a file of rules. `depth` is that of [`open_regular`].
///
/// # Errors
/// Those of [`open_regular`], `FileTooLarge` above 256 MiB, and other errors of the file system.
pub(crate) fn read_regular(path: &Path, depth: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open_regular(path, depth)?
        .take(MAX_LENGTH + 1)
        .read_to_end(&mut bytes)?;
    if read as u64 > MAX_LENGTH {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Reads a file of any kind, with its metadata from before it was read.
///
/// # Errors
/// `OutOfMemory` for a file that is too long, and other errors of the file system.
pub fn read_all(mut file: &File) -> io::Result<(Vec<u8>, Metadata)> {
    let metadata = file.metadata()?;
    // A file longer than the address space cannot be read: `read_to_end` runs out of memory below.
    let length = usize::try_from(metadata.len()).unwrap_or(0);
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(length);
    reserved.map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.take(metadata.len()).read_to_end(&mut bytes)?;
    // The length of a pipe is unknown, and a file may have grown or shrunk; one of the expected length is complete.
    if !metadata.is_file() || bytes.len() != length {
        file.read_to_end(&mut bytes)?;
    }
    Ok((bytes, metadata))
}

/// Opens a regular file for reading. No symbolic link among the last `depth` components of `path` is followed; if it is
/// 0, all are.
///
/// A pipe would wait for a writer, a device may have no end, and a symbolic link leads to a file of somebody else.
///
/// # Errors
/// `InvalidInput` for anything but a regular file, and the errors of the file system.
pub fn open_regular(path: &Path, depth: usize) -> io::Result<File> {
    open(&PinnedPath::new(path, depth)?)
}

/// Opens the regular file at a path whose directory is known. A symbolic link there is not followed.
///
/// # Errors
/// Those of [`open_regular`].
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Opening a device may have effects.
    require_regular(path)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        // Something else may have replaced the file since.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    let file = options.open(path)?;
    require(&file.metadata()?)?;
    Ok(file)
}

/// Checks that there is a regular file at `path`, and not a symbolic link to one.
///
/// # Errors
/// Those of [`open_regular`].
pub(super) fn require_regular(path: &Path) -> io::Result<()> {
    require(&fs::symlink_metadata(path)?)
}

fn require(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else {
        let kind = io::ErrorKind::InvalidInput;
        Err(io::Error::new(kind, "not a regular file"))
    }
}
