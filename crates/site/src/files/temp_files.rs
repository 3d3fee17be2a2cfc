//! The temporary files of this process, which a handler of signals can remove.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};

/// The paths of the temporary files that exist.
static PATHS: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// A lock that is held for reading while a file is created and recorded, and for writing once no more may be created.
static CREATION: RwLock<()> = RwLock::new(());

/// The record of a temporary file, which ends on drop.
#[derive(Debug)]
pub(super) struct TempFileRecord {
    path: PathBuf,
}

impl Drop for TempFileRecord {
    fn drop(&mut self) {
        if let Some(paths) = &mut *paths() {
            paths.remove(&self.path);
        }
    }
}

/// Creates a temporary file and records its path, which `path_of` returns.
///
/// # Errors
/// That of `create`.
pub(super) fn recorded<T>(
    create: impl FnOnce() -> io::Result<T>,
    path_of: impl FnOnce(&T) -> &Path,
) -> io::Result<(T, TempFileRecord)> {
    let _creation = CREATION.read().unwrap_or_else(PoisonError::into_inner);
    let created = create()?;
    let path = path_of(&created).to_owned();
    paths().get_or_insert_default().insert(path.clone());
    Ok((created, TempFileRecord { path }))
}

/// The end of all temporary files of this process: there are none, and while the value exists, none is created.
#[derive(Debug)]
#[must_use]
pub struct NoTempFiles {
    _creation: RwLockWriteGuard<'static, ()>,
}

/// Removes the temporary files of this process, and prevents it from creating others.
///
/// For a process that is about to end, such as in the thread that handles signals: other threads that write files wait,
/// or fail to rename them.
pub fn remove_temp_files() -> NoTempFiles {
    let creation = CREATION.write().unwrap_or_else(PoisonError::into_inner);
    for path in paths().iter().flatten() {
        // It was renamed at the same time, or cannot be removed: a later run removes it.
        let _ = fs::remove_file(path);
    }
    NoTempFiles {
        _creation: creation,
    }
}

fn paths() -> MutexGuard<'static, Option<HashSet<PathBuf>>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}
