//! Writes results to the destinations that the plan assigns: see [`Destination`].

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path};

use absolve::files::{self, AtomicFile, write_buffered, write_file};

use super::args::OthersArg;
use super::job_result::JobResult;
use super::output::Destination;
use super::walk::Asset;
use super::{diff, terminal};

/// Writes `document`, the result for an input with the content `original`, to `output`.
///
/// With [`OthersArg::Link`], the output for an unchanged document of a directory becomes a hard link to it.
///
/// # Errors
/// The output cannot be written; an existing file is left unchanged.
pub(super) fn document(
    output: &Destination,
    document: &[u8],
    original: &[u8],
    input: &StreamedInput<'_>,
    job_result: &mut JobResult,
) -> io::Result<()> {
    let is_changed = document != original;
    match (output, input.source) {
        (Destination::Stdout, _) => job_result.data.extend_from_slice(document),
        (Destination::CheckOnly(_) | Destination::Diff { .. } | Destination::InPlace { .. }, _)
            if !is_changed => {}
        (Destination::CheckOnly(path), _) => {
            writeln!(job_result.data, "{}", terminal::escape_control(path))?;
        }
        (Destination::Diff { path, style }, _) => {
            diff::write(path, original, document, *style, &mut job_result.data)?;
        }
        (Destination::Mirrored(path), Some(source))
            if !is_changed && input.others == OthersArg::Link =>
        {
            files::hard_link_or_copy(source, path)?;
        }
        (Destination::File(_) | Destination::Mirrored(_) | Destination::InPlace { .. }, _) => {
            streamed(output, input, |to| {
                to.write_all(document)?;
                Ok(is_changed)
            })?;
        }
    }
    Ok(())
}

/// Facts about an input whose output is written while the input is read.
pub(super) struct StreamedInput<'s> {
    /// Metadata of the input file, from before it was read.
    pub(super) metadata: Option<&'s Metadata>,
    /// Path of the input, if it is a file.
    pub(super) source: Option<&'s Path>,
    pub(super) others: OthersArg,
}

/// Writes to `output` the bytes that `write` produces; `write` returns whether they differ from the input.
///
/// # Errors
/// `write` fails, or the output cannot be written. An existing file is left unchanged.
pub(super) fn streamed(
    output: &Destination,
    input: &StreamedInput<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<()> {
    match output {
        Destination::Stdout => {
            let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
            write(&mut stdout)?;
            stdout.flush()
        }
        Destination::CheckOnly(_) | Destination::Diff { .. } => write(&mut io::sink()).map(drop),
        Destination::File(path) => write_file(path, write).map(drop),
        Destination::Mirrored(path) => {
            let temp_file = AtomicFile::create(path, input.metadata)?;
            let is_changed = write_buffered(temp_file.file(), write)?;
            match (is_changed, input.source, input.metadata) {
                (false, Some(source), _) if input.others == OthersArg::Link => {
                    files::hard_link_or_copy(source, path)
                }
                (false, _, Some(metadata)) => {
                    temp_file.copy_modified_time(metadata)?;
                    temp_file.persist(path)
                }
                _ => temp_file.persist(path),
            }
        }
        Destination::InPlace { path, backup } => {
            replace_in_place(path, backup.as_deref(), input.metadata, |to| {
                write_buffered(to, write)
            })
        }
    }
}

/// Copies an asset to `path`, or makes a hard link to it. A symbolic link is recreated.
///
/// # Errors
/// The asset cannot be copied, or is a symbolic link to a place outside its site.
pub(super) fn write_asset(asset: &Asset, path: &Path, others: OthersArg) -> io::Result<()> {
    if asset.is_link {
        if !cfg!(unix) && asset.path.is_dir() {
            return Err(io::Error::other(
                "symbolic link to a directory; name the directory instead",
            ));
        }
        if !stays_in_site(&asset.site_path, &fs::read_link(&asset.path)?) {
            return Err(io::Error::other(
                "symbolic link to a place outside the directory; replace the link with its target",
            ));
        }
        return files::recreate_symlink(&asset.path, path);
    }
    match others {
        OthersArg::Link => files::hard_link_or_copy(&asset.path, path),
        OthersArg::Copy | OthersArg::Skip => files::copy(&asset.path, path),
    }
}

/// Returns whether a symbolic link with the text `text`, at `site_path` in a site, leads to a place in the site.
///
/// Only path components are counted; a directory on the way that is itself a symbolic link is not followed. A copy of
/// the site contains the target of such a link, but not that of one that leaves the site.
fn stays_in_site(site_path: &Path, text: &Path) -> bool {
    // Depth of the directory of the link, from which a relative `text` starts.
    let mut depth = site_path.components().count().saturating_sub(1);
    for component in text.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// Replaces the file at `path`, or the one that a symbolic link there leads to, by the bytes that `write` produces, if
/// `write` returns `true`: the bytes differ.
///
/// `read` is the metadata that the file had when it was read.
///
/// # Errors
/// `write` fails, the file is not a writable regular file, it was modified since it was read, the backup
/// cannot be made, or the replacement cannot be written.
fn replace_in_place(
    path: &Path,
    backup: Option<&Path>,
    read: Option<&Metadata>,
    write: impl FnOnce(&File) -> io::Result<bool>,
) -> io::Result<()> {
    let Some(read) = read.filter(|read| read.is_file()) else {
        return Err(io::Error::other("not a regular file; use --output"));
    };
    if read.permissions().readonly() {
        return Err(io::Error::other(
            "read-only file; make it writable, or use --output",
        ));
    }
    // A rename replaces a symbolic link itself, but the link is to be kept and its target replaced.
    let target = if fs::symlink_metadata(path)?.is_symlink() {
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let temp_file = AtomicFile::create(&target, Some(read))?;
    temp_file.copy_owner(read)?;
    if !write(temp_file.file())? {
        // Unchanged: dropping the temporary file removes it.
        return Ok(());
    }
    // Another program may have saved the file during the run; its changes must not be lost.
    let now = fs::metadata(&target)?;
    if (now.len(), now.modified().ok()) != (read.len(), read.modified().ok()) {
        return Err(io::Error::other(
            "file changed during the run; run the command again",
        ));
    }
    if let Some(backup) = backup {
        back_up(&target, backup)?;
    }
    temp_file.persist(&target)
}

/// Gives the file at `path`, which must not be a symbolic link, the additional name `backup`.
///
/// A hard link suffices, because the original is never modified: a new file is renamed to its name. An existing
/// `backup` is never replaced; it is accepted if it has the content of the original.
fn back_up(path: &Path, backup: &Path) -> io::Result<()> {
    let result = fs::hard_link(path, backup).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // A run that was killed between the backup and the replacement leaves an identical backup.
            let is_same = fs::read(path)? == fs::read(backup)?;
            return if is_same { Ok(()) } else { Err(error) };
        }
        // Not every file system supports hard links.
        files::copy(path, backup)
    });
    result.map_err(|error| {
        let backup = terminal::path(backup);
        io::Error::other(format!(
            "cannot back up the original as {backup}: {error}; use another --backup suffix"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replace_in_place_keeps_a_file_that_was_modified_since() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("a.html");
        fs::write(&path, "old")?;
        let read = fs::metadata(&path)?;
        fs::write(&path, "newer")?;
        let replace = || {
            replace_in_place(&path, None, Some(&read), |mut file| {
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

    #[test]
    fn stays_in_site_compares_path_components() {
        for (site_path, text, expected) in [
            ("a", "b", true),
            ("a", ".", true),
            ("a", "..", false),
            ("x/a", "..", true),
            ("x/a", "../b/c", true),
            ("x/a", "../../b", false),
            ("x/a", "../../site/x/b", false),
            ("x/a", "y/../../b", true),
            ("a", "/etc/passwd", false),
        ] {
            assert_eq!(
                stays_in_site(Path::new(site_path), Path::new(text)),
                expected,
                "{site_path} -> {text}"
            );
        }
    }
}
