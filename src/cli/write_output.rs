//! Puts what was worked out where the plan says.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path};

use super::args::OthersArg;
use super::atomic_file::{self, AtomicFile};
use super::input::LoadedInput;
use super::job_result::JobResult;
use super::output::Destination;
use super::walk::Asset;
use super::{diff, terminal};

/// Puts the document, which was read as `loaded`, where `output` says.
///
/// # Errors
/// It could not be written; the file is as it was then.
pub(super) fn document(
    output: &Destination,
    document: &[u8],
    loaded: &LoadedInput,
    others: OthersArg,
    source: Option<&Path>,
    job_result: &mut JobResult,
) -> io::Result<()> {
    let is_same = document == loaded.bytes;
    match output {
        Destination::Stdout => job_result.data.extend_from_slice(document),
        Destination::File(path) => file(path, document)?,
        Destination::Mirrored(path) => match source {
            Some(source) if is_same && others == OthersArg::Link => {
                atomic_file::link(source, path)?
            }
            _ => atomic_file::write_like(path, document, loaded.metadata.as_ref(), is_same)?,
        },
        Destination::CheckOnly(_) | Destination::Diff { .. } | Destination::InPlace { .. }
            if is_same => {}
        Destination::CheckOnly(path) => {
            writeln!(job_result.data, "{}", terminal::escape_control(path))?
        }
        Destination::Diff { path, is_coloured } => {
            diff::write(
                path,
                &loaded.bytes,
                document,
                *is_coloured,
                &mut job_result.data,
            )?;
        }
        Destination::InPlace { path, backup } => {
            in_place(path, backup.as_deref(), document, loaded.metadata.as_ref())?;
        }
    }
    Ok(())
}

/// What is known of an input that is written while it is read.
pub(super) struct StreamedInput<'s> {
    /// Of the file, from before it was read.
    pub(super) metadata: Option<&'s Metadata>,
    pub(super) source: Option<&'s Path>,
    pub(super) others: OthersArg,
}

/// Puts what `write` writes where `output` says; it gives whether that is something new.
///
/// # Errors
/// What `write` gives; it could not be written; the file is as it was then.
pub(super) fn streamed(
    output: &Destination,
    input: &StreamedInput<'_>,
    mut write: impl FnMut(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<()> {
    match output {
        Destination::Stdout => {
            let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
            write(&mut stdout)?;
            stdout.flush()
        }
        Destination::CheckOnly(_) | Destination::Diff { .. } => write(&mut io::sink()).map(drop),
        Destination::File(path) => file_with(path, |to| write(to).map(drop)),
        Destination::Mirrored(path) => {
            let draft = AtomicFile::beside(path, input.metadata)?;
            let is_new = buffered(&draft.file, &mut write)?;
            match (is_new, input.source, input.metadata) {
                (false, Some(source), _) if input.others == OthersArg::Link => {
                    atomic_file::link(source, path)
                }
                (false, _, Some(metadata)) => {
                    draft.date_like(metadata)?;
                    draft.place(path)
                }
                _ => draft.place(path),
            }
        }
        Destination::InPlace { path, backup } => {
            in_place_with(path, backup.as_deref(), input.metadata, |to| {
                buffered(to, &mut write)
            })
        }
    }
}

fn buffered(
    file: &File,
    write: &mut impl FnMut(&mut dyn Write) -> io::Result<bool>,
) -> io::Result<bool> {
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    let is_new = write(&mut buffered)?;
    buffered.flush()?;
    Ok(is_new)
}

/// Copies a file that is no document, or links to it; what a symbolic link is, it becomes again.
pub(super) fn asset(asset: &Asset, path: &Path, others: OthersArg) -> io::Result<()> {
    if asset.is_link {
        if !cfg!(unix) && asset.path.is_dir() {
            return Err(io::Error::other(
                "a link to a directory; name the directory itself",
            ));
        }
        if !stays_inside(&asset.below, &fs::read_link(&asset.path)?) {
            return Err(io::Error::other(
                "a symbolic link that leads out of the directory; put what it leads to in its place",
            ));
        }
        return atomic_file::link_again(&asset.path, path);
    }
    match others {
        OthersArg::Link => atomic_file::link(&asset.path, path),
        OthersArg::Copy | OthersArg::Skip => atomic_file::copy(&asset.path, path),
    }
}

/// Whether a symbolic link at `below` in a site that reads `text` leads to a place in the site, as the names say.
fn stays_inside(below: &Path, text: &Path) -> bool {
    let mut depth = below.components().count().saturating_sub(1);
    for part in text.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return false,
        }
    }
    true
}

/// Writes a document to the file of that name, or to what a link of that name leads to.
fn file(path: &Path, document: &[u8]) -> io::Result<()> {
    file_with(path, |to| to.write_all(document))
}

/// The same with what `put` writes.
fn file_with(path: &Path, put: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if let Some(mut stream) = atomic_file::stream(path)? {
        return put(&mut stream);
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(path).ok();
    if let Some(parent) = path.parent()
        && !parent.as_os_str().is_empty()
    {
        fs::create_dir_all(parent)?;
    }
    let draft = AtomicFile::beside(path, existing.as_ref())?;
    let mut buffered = BufWriter::with_capacity(1 << 16, &draft.file);
    put(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    draft.place(path)
}

/// Replaces the file of that name, or what a link of that name leads to, which was `read` when it was read.
fn in_place(
    path: &Path,
    backup: Option<&Path>,
    document: &[u8],
    read: Option<&Metadata>,
) -> io::Result<()> {
    in_place_with(path, backup, read, |mut file| {
        file.write_all(document)?;
        Ok(true)
    })
}

/// The same with what `write` writes, if it gives that this is something new.
fn in_place_with(
    path: &Path,
    backup: Option<&Path>,
    read: Option<&Metadata>,
    write: impl FnOnce(&File) -> io::Result<bool>,
) -> io::Result<()> {
    let Some(read) = read.filter(|read| read.is_file()) else {
        return Err(io::Error::other(
            "it is no ordinary file; name one for the result with --output",
        ));
    };
    if read.permissions().readonly() {
        return Err(io::Error::other(
            "it is read-only; make it writable, or write elsewhere with --output",
        ));
    }
    // A link stays a link, and what it leads to is replaced.
    let target = if fs::symlink_metadata(path)?.is_symlink() {
        fs::canonicalize(path)?
    } else {
        path.to_owned()
    };
    let draft = AtomicFile::beside(&target, Some(read))?;
    draft.own_like(read)?;
    if !write(&draft.file)? {
        return Ok(());
    }
    let now = fs::metadata(&target)?;
    if (now.len(), now.modified().ok()) != (read.len(), read.modified().ok()) {
        return Err(io::Error::other(
            "the file changed while it was rewritten; run the command again",
        ));
    }
    if let Some(backup) = backup {
        keep(&target, backup)?;
    }
    draft.place(&target)
}

/// Keeps the file at `path`, which is no link, under the name `backup` as well, which must be free.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    let kept = fs::hard_link(path, backup).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // One that is the original already was made by a run that came no further.
            let is_same = fs::read(path)? == fs::read(backup)?;
            return if is_same { Ok(()) } else { Err(error) };
        }
        // Not every file system has hard links.
        atomic_file::copy(path, backup)
    });
    kept.map_err(|error| {
        let backup = terminal::escape_control(&backup.to_string_lossy());
        io::Error::other(format!(
            "the original cannot be kept as {backup}: {error}; name another suffix with --backup"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_under_us_is_left() -> io::Result<()> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("a.html");
        fs::write(&path, "old")?;
        let read = fs::metadata(&path)?;
        fs::write(&path, "newer")?;
        let error = in_place(&path, None, b"rewritten", Some(&read)).expect_err("it changed");
        assert!(
            error.to_string().contains("changed while it was rewritten"),
            "{error}"
        );
        assert_eq!(fs::read(&path)?, b"newer");
        fs::remove_file(&path)?;
        assert!(in_place(&path, None, b"rewritten", Some(&read)).is_err());
        assert_eq!(
            fs::read_dir(directory.path())?.count(),
            0,
            "something is left behind"
        );
        Ok(())
    }

    #[test]
    fn links_stay_inside_or_not() {
        for (below, text, expected) in [
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
                stays_inside(Path::new(below), Path::new(text)),
                expected,
                "{below} -> {text}"
            );
        }
    }
}
