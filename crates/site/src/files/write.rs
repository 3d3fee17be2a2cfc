//! Writing a file by its path.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::atomic_file::{AtomicFile, Durability, hard_link_or_copy, open_special_file};
use super::current::ExistingFile;

/// Writes to the file at `path` the bytes that `write` produces, and returns the result of `write`.
///
/// A symbolic link at `path` is followed, and missing directories are created.
///
/// # Errors
/// `write` fails, or the file cannot be written. An existing file is left unchanged then; a pipe or device has got what
/// was written.
///
/// # Examples
/// ```
/// use std::io::Write;
///
/// use absolve_site::files::Durability;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("new/page.html");
/// absolve_site::files::write_file(&path, Durability::Cached, |to| to.write_all(b"<p>"))?;
/// assert_eq!(std::fs::read(path)?, b"<p>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_file<T>(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    if let Some(mut stream) = open_special_file(path)? {
        return write(&mut stream);
    }
    // Fails for a file that does not exist yet.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(path).ok();
    if let Some(parent) = path.parent()
        && !parent.as_os_str().is_empty()
    {
        fs::create_dir_all(parent)?;
    }
    let temp_file = AtomicFile::create(path, existing.as_ref())?;
    let result = write_buffered(temp_file.file(), write)?;
    temp_file.persist(path, durability)?;
    Ok(result)
}

/// Writes to `path` the bytes that `write` produces from a file of another directory; `write` returns whether they
/// differ from that file. Returns the same.
///
/// `model` is the metadata of the file. If the bytes do not differ, the new file gets its modification time, or becomes
/// a hard link to `link_to`. A symbolic link at `path` is replaced.
///
/// # Errors
/// `write` fails, or the file cannot be written. An existing file is left unchanged.
pub fn write_counterpart(
    path: &Path,
    model: Option<&Metadata>,
    link_to: Option<&Path>,
    durability: Durability,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<bool>,
) -> io::Result<bool> {
    let temp_file = AtomicFile::create(path, model)?;
    let is_changed = write_buffered(temp_file.file(), write)?;
    match (is_changed, link_to, model) {
        (false, Some(source), _) => hard_link_or_copy(source, path, durability)?,
        (false, None, Some(model)) => {
            temp_file.copy_modified_time(model)?;
            temp_file.persist(path, durability)?;
        }
        _ => temp_file.persist(path, durability)?,
    }
    Ok(is_changed)
}

/// Writes `bytes` to `path`, the result for a file of another directory with the metadata `model`, like
/// [`write_counterpart`]; `None` if the content is from no file.
///
/// A file that has this content already is not written again, unless it has several names: one of them may be that of
/// the input.
///
/// # Errors
/// The file cannot be written. An existing file is left unchanged.
pub(crate) fn write_document(
    path: &Path,
    bytes: &[u8],
    is_changed: bool,
    model: Option<&Metadata>,
    durability: Durability,
) -> io::Result<()> {
    if let Some(mut existing) = ExistingFile::open(path, bytes.len() as u64)
        && existing.has_content(bytes)?
        && model.is_none_or(|model| existing.copy_metadata(model, !is_changed).is_ok())
    {
        return Ok(());
    }
    let write = |to: &mut (dyn Write + Send)| to.write_all(bytes).map(|()| is_changed);
    write_counterpart(path, model, None, durability, write).map(drop)
}

/// Calls `write` with a buffered writer to `file` and returns its result.
///
/// # Errors
/// `write` fails, or the file cannot be written.
pub(crate) fn write_buffered<T>(
    file: &File,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    let result = write(&mut writer)?;
    // Dropping the writer would flush it, too, but ignore an error.
    writer.flush()?;
    Ok(result)
}
