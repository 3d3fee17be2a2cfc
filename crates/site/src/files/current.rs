//! Files that have their content already, and need not be written again.
//!
//! A rename that replaces a file is much slower than one that creates it: file systems write the new content to the
//! disk first. Reading a file and comparing it is fast.

use std::fs::{File, FileTimes, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::attributes::permissions;
use super::regular;

/// Number of bytes compared at once.
const BLOCK: usize = 1 << 14;

/// A regular file at the place of an output.
pub(super) struct ExistingFile {
    file: File,
    metadata: Metadata,
}

impl ExistingFile {
    /// Opens the file at `path` if it is a regular file of `len` bytes that has no other name. A link to it would
    /// otherwise change with it, or be the input itself.
    pub(super) fn open(path: &Path, len: u64) -> Option<Self> {
        let file = regular::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        (metadata.len() == len && !has_other_names(&metadata)).then_some(Self { file, metadata })
    }

    /// Returns whether the content is that of `expected`, which is read to its end if it is.
    ///
    /// # Errors
    /// One of the two cannot be read.
    pub(super) fn has_content(&mut self, mut expected: impl Read) -> io::Result<bool> {
        let (mut ours, mut theirs) = ([0; BLOCK], [0; BLOCK]);
        loop {
            let len = read_block(&mut expected, &mut theirs)?;
            if read_block(&mut self.file, &mut ours)? != len || ours[..len] != theirs[..len] {
                return Ok(false);
            }
            if len < BLOCK {
                return Ok(true);
            }
        }
    }

    /// Gives the file the mode of `model`, and its modification time if `keeps_time`, as far as they differ.
    ///
    /// # Errors
    /// They cannot be set: the file belongs to another user.
    pub(super) fn copy_metadata(&self, model: &Metadata, keeps_time: bool) -> io::Result<()> {
        let permissions = permissions(model);
        if self.metadata.permissions() != permissions {
            self.file.set_permissions(permissions)?;
        }
        match model.modified() {
            Ok(modified) if keeps_time && self.metadata.modified().ok() != Some(modified) => {
                let times = FileTimes::new().set_modified(modified);
                self.file.set_times(times)
            }
            // Not every platform has modification times.
            _ => Ok(()),
        }
    }
}

/// Returns whether a file has further hard links.
fn has_other_names(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        metadata.nlink() > 1
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Fills `block`, or less at the end of `input`. Returns the number of bytes read.
fn read_block(input: &mut impl Read, block: &mut [u8; BLOCK]) -> io::Result<usize> {
    let mut len = 0;
    while len < BLOCK {
        match input.read(&mut block[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}
