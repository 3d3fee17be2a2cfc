//! The output of a run: the place of each file's new content, and the files that are not written.

use std::collections::HashSet;
use std::fmt;
use std::fs::Metadata;
use std::io::{self, ErrorKind, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::files::{
    Durability, LostAttribute, PinnedPath, SiteFile, Transfer, create_directory,
    create_directory_inside, remove_leftover, replace_in_place, write_buffered, write_counterpart,
    write_document,
};

/// The place to which the files of folders are written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum FolderOutput {
    /// Their counterparts in this directory. Other files than documents get there in this way, if at all.
    Directory(PathBuf, Option<Transfer>),
    /// The documents themselves, if they change. The originals are kept with this suffix.
    InPlace(Option<String>),
    /// Nothing is written.
    #[default]
    Nowhere,
}

impl FolderOutput {
    /// Returns the path of the counterpart of a file; `None` if there is no output directory.
    #[must_use]
    pub fn counterpart(&self, site_path: &Path) -> Option<PathBuf> {
        match self {
            Self::Directory(directory, _) => Some(directory.join(site_path)),
            Self::InPlace(_) | Self::Nowhere => None,
        }
    }

    /// Returns the path under which the original of a document is kept.
    #[must_use]
    pub fn backup(&self, path: &Path) -> Option<PathBuf> {
        let Self::InPlace(Some(suffix)) = self else {
            return None;
        };
        let mut name = path.to_owned().into_os_string();
        name.push(suffix);
        Some(PathBuf::from(name))
    }

    /// Returns a backup that is one of `documents` itself: it would be written, too, or would prevent the backup.
    #[must_use]
    pub fn backup_in(&self, documents: &[&Path]) -> Option<PathBuf> {
        let paths: HashSet<&Path> = documents.iter().copied().collect();
        let mut backups = documents.iter().filter_map(|path| self.backup(path));
        backups.find(|backup| paths.contains(&**backup))
    }
}

/// The reason why the files after one without space are not written.
const NO_SPACE: &str = "no space for an earlier file";

/// The reason why a file is not written.
#[derive(Debug)]
pub enum Unwritten {
    /// A problem that was reported before: of its directory, or of the first file without space.
    Reported(&'static str),
    /// It cannot be written.
    Failed(io::Error),
}

impl fmt::Display for Unwritten {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reported(problem) => formatter.write_str(problem),
            Self::Failed(error) => error.fmt(formatter),
        }
    }
}

/// Writes the files of a run. After one for which there is no space, no other is written.
#[derive(Debug)]
pub struct OutputWriter {
    /// The place of the files.
    pub output: FolderOutput,
    durability: Durability,
    /// Directories that could not be created, or are symbolic links: nothing is written into them.
    unusable: HashSet<PathBuf>,
    /// Whether there was no space for a file.
    is_full: AtomicBool,
}

impl OutputWriter {
    /// Creates a writer.
    #[must_use]
    pub fn new(output: FolderOutput, durability: Durability) -> Self {
        Self {
            output,
            durability,
            unusable: HashSet::new(),
            is_full: AtomicBool::new(false),
        }
    }

    /// Creates the output directory and `directories` in it, each after its parent, with the modes of those in `model`;
    /// or removes `leftovers` of killed runs from folders that are written in place. Returns the paths with problems.
    pub fn prepare(
        &mut self,
        directories: &[PathBuf],
        leftovers: &[PathBuf],
        model: Option<&Path>,
    ) -> Vec<(PathBuf, io::Error)> {
        let mut problems = Vec::new();
        match &self.output {
            FolderOutput::Nowhere => {}
            FolderOutput::InPlace(_) => {
                for path in leftovers {
                    let removed = remove_leftover(path).map_err(|error| (path.clone(), error));
                    problems.extend(removed.err());
                }
            }
            FolderOutput::Directory(output, _) => {
                let inside = directories
                    .iter()
                    .map(|site_path| (output.join(site_path), Some(site_path)));
                for (path, site_path) in iter::once((output.clone(), None)).chain(inside) {
                    // Parents come first: one problem is enough for a directory and everything in it.
                    if contains(&self.unusable, &path) {
                        continue;
                    }
                    let created = match site_path {
                        Some(site_path) => create_directory_inside(output, site_path, model),
                        // The user may give a link as output directory.
                        None => create_directory(output),
                    };
                    if let Err(error) = created {
                        self.unusable.insert(path.clone());
                        problems.push((path, error));
                    }
                }
            }
        }
        problems
    }

    /// Checks that a file may be written to `path`.
    ///
    /// # Errors
    /// [`Unwritten::Reported`].
    pub fn check(&self, path: &Path) -> Result<(), Unwritten> {
        if contains(&self.unusable, path) {
            Err(Unwritten::Reported("unusable directory"))
        } else if self.is_full.load(Ordering::Relaxed) {
            Err(Unwritten::Reported(NO_SPACE))
        } else {
            Ok(())
        }
    }

    /// Writes `bytes`, the new content of a document that had the content `original` and this metadata, or none if it
    /// is from an archive. Returns the attributes that a replaced file loses.
    ///
    /// # Errors
    /// The document cannot be written, which [`unwritten`](Self::unwritten) must know. An existing file is left
    /// unchanged.
    pub fn write(
        &self,
        file: &SiteFile,
        (original, metadata): (&[u8], Option<&Metadata>),
        bytes: &[u8],
    ) -> io::Result<Vec<LostAttribute>> {
        let is_changed = bytes != original;
        match &self.output {
            FolderOutput::Directory(directory, Some(Transfer::Link)) if !is_changed => {
                let target = directory.join(&file.site_path);
                file.transfer(&target, Transfer::Link, self.durability)
                    .map(|()| Vec::new())
            }
            FolderOutput::Directory(..) => {
                let path = self.place(file)?;
                write_document(&path, bytes, is_changed, metadata, self.durability)?;
                Ok(Vec::new())
            }
            FolderOutput::InPlace(_) if is_changed => {
                self.write_with(file, metadata, |to| to.write_all(bytes).map(|()| true))
            }
            FolderOutput::InPlace(_) | FolderOutput::Nowhere => Ok(Vec::new()),
        }
    }

    /// Writes the new content of a document like [`write`](Self::write), with the bytes that `write` produces; `write`
    /// returns whether they differ from the document.
    ///
    /// # Errors
    /// `write` fails, or the document cannot be written. An existing file is left unchanged.
    pub fn write_with(
        &self,
        file: &SiteFile,
        metadata: Option<&Metadata>,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<bool>,
    ) -> io::Result<Vec<LostAttribute>> {
        match &self.output {
            FolderOutput::Directory(_, transfer) => {
                let source = match transfer {
                    Some(Transfer::Link) => Some(PinnedPath::new(&file.path, file.depth)?),
                    Some(Transfer::Copy) | None => None,
                };
                let path = self.place(file)?;
                write_counterpart(&path, metadata, source.as_deref(), self.durability, write)?;
                Ok(Vec::new())
            }
            FolderOutput::InPlace(_) => {
                let backup = self.output.backup(&file.path);
                let write = |to: &_| write_buffered(to, write);
                let backup = backup.as_deref();
                replace_in_place(
                    &file.path,
                    file.depth,
                    backup,
                    metadata,
                    self.durability,
                    write,
                )
            }
            FolderOutput::Nowhere => write(&mut io::sink()).map(|_| Vec::new()),
        }
    }

    /// Copies a file that is not a document to the output directory, or makes a hard link to it.
    ///
    /// # Errors
    /// It cannot be written. An existing file is left unchanged.
    pub fn copy(&self, file: &SiteFile) -> Result<(), Unwritten> {
        let FolderOutput::Directory(directory, Some(transfer)) = &self.output else {
            return Ok(());
        };
        let target = directory.join(&file.site_path);
        self.check(&target)?;
        let copied = file.transfer(&target, *transfer, self.durability);
        copied.map_err(|error| self.unwritten(error))
    }

    /// Returns the reason why a file is not written after `error`.
    pub fn unwritten(&self, error: io::Error) -> Unwritten {
        let kind = error.kind();
        if !matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            Unwritten::Failed(error)
        } else if self.is_full.swap(true, Ordering::Relaxed) {
            Unwritten::Reported(NO_SPACE)
        } else {
            let problem = format!("{error}; no other file is written");
            Unwritten::Failed(io::Error::new(kind, problem))
        }
    }

    /// Returns the place of a document in the output directory, in which no symbolic link is followed.
    fn place(&self, file: &SiteFile) -> io::Result<PinnedPath> {
        let path = self.output.counterpart(&file.site_path);
        let path = path.ok_or(ErrorKind::Unsupported)?;
        PinnedPath::new(&path, file.site_path.components().count())
    }
}

/// Returns whether `path` is one of `directories` or inside one.
///
/// # Complexity
/// Linear in the length of the path.
fn contains(directories: &HashSet<PathBuf>, path: &Path) -> bool {
    !directories.is_empty() && path.ancestors().any(|path| directories.contains(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_after_a_file_without_space() {
        let writer = OutputWriter::new(FolderOutput::Nowhere, Durability::Cached);
        let path = Path::new("a.html");
        let other = writer.unwritten(ErrorKind::PermissionDenied.into());
        assert!(matches!(other, Unwritten::Failed(_)));
        assert!(writer.check(path).is_ok());
        let first = writer.unwritten(ErrorKind::StorageFull.into());
        assert!(first.to_string().ends_with("; no other file is written"));
        let second = writer.unwritten(ErrorKind::QuotaExceeded.into());
        assert!(matches!(second, Unwritten::Reported(_)));
        assert!(matches!(writer.check(path), Err(Unwritten::Reported(_))));
    }

    #[test]
    fn backup_in_finds_a_backup_that_is_a_document() {
        let output = FolderOutput::InPlace(Some(".orig".to_owned()));
        let paths = ["a.html", "b.html", "b.html.orig"].map(Path::new);
        assert_eq!(output.backup_in(&paths), Some("b.html.orig".into()));
        assert_eq!(output.backup_in(&paths[..2]), None);
        assert_eq!(FolderOutput::InPlace(None).backup_in(&paths), None);
    }
}
