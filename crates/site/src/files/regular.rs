//! Small files that programs keep beside documents, such as lists and rules. What has their name may be anything.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The maximum length of such a file in bytes. The log of a download of a million pages is shorter.
const MAX_LENGTH: u64 = 1 << 28;

/// Reads a regular file, which may be a list or a file of rules.
///
/// A pipe would wait for a writer, a device may have no end, and a symbolic link leads to a file of somebody else.
///
/// # Errors
/// `InvalidInput` for anything but a regular file, `FileTooLarge` above 256 MiB, and the errors of the file system.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    require_regular(path)?;
    let mut bytes = Vec::new();
    let read = File::open(path)?
        .take(MAX_LENGTH + 1)
        .read_to_end(&mut bytes)?;
    if read as u64 > MAX_LENGTH {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Checks that there is a regular file at `path`.
///
/// # Errors
/// Those of [`read_regular`].
pub(super) fn require_regular(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}
