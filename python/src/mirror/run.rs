//! The run of a conversion: files are found, read, converted and written.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use absolve::DocumentKind;
use absolve_site::files::{self, Durability, PinnedPath, SiteFile, Transfer, Walk, WalkOptions};
use absolve_site::{MirrorFolder, MirroredFile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::report::{FileResult, MirrorReport};
use crate::facts::Facts;
use crate::python_io::{check_signals, error_of_file, error_of_io};
use crate::threads;

/// The destination of the converted documents.
pub(super) enum Destination {
    /// The counterparts of the files in this directory; other files get there in this way, if at all.
    Directory(PathBuf, Option<Transfer>),
    /// The files themselves. Originals are kept with this suffix.
    InPlace(Option<String>),
    /// Nothing is written.
    Nowhere,
}

/// A file of the folder.
enum Job<'f> {
    Document(&'f SiteFile),
    Other(&'f SiteFile),
}

/// A conversion.
pub(super) struct MirrorRun {
    pub(super) folder: PathBuf,
    pub(super) mirror: MirrorFolder,
    /// Whether only the path of the folder is known.
    pub(super) is_host_unknown: bool,
    pub(super) settings: absolve::Rewriter,
    pub(super) facts: Facts,
    pub(super) destination: Destination,
    pub(super) durability: Durability,
    /// Directories that could not be created: nothing is written into them.
    pub(super) unwritable: HashSet<PathBuf>,
}

impl MirrorRun {
    /// Converts the documents and transfers the other files.
    ///
    /// # Errors
    /// An invalid backup, an output directory that cannot be used, or the exception of a signal handler.
    pub(super) fn convert(
        mut self,
        py: Python<'_>,
        walk: &Walk,
        documents: Vec<SiteFile>,
        mut others: Vec<SiteFile>,
        threads: usize,
    ) -> PyResult<MirrorReport> {
        // The originals that `wget --backup-converted` kept are copied.
        let (documents, originals): (Vec<_>, Vec<_>) = documents
            .into_iter()
            .partition(|file| self.mirror.contains(&file.site_path));
        others.extend(originals);
        self.reject_backups_of_documents(&documents)?;
        let mut report = MirrorReport::default();
        for error in &walk.errors {
            report.add_problem(error.path(), error);
        }
        py.detach(|| self.prepare(walk, &mut report))?;
        let others = match self.destination {
            Destination::Directory(_, Some(_)) => others,
            _ => Vec::new(),
        };
        let documents = documents.iter().map(Job::Document);
        let jobs = documents.chain(others.iter().map(Job::Other));
        threads::for_each_file(
            py,
            jobs,
            threads,
            |job| (job.file(), self.process(&job)),
            |(file, result)| report.add(file, result),
        )?;
        Ok(report)
    }

    /// Rejects backups that are documents themselves: they would be converted, too, or prevent the backup.
    fn reject_backups_of_documents(&self, documents: &[SiteFile]) -> PyResult<()> {
        let paths: HashSet<&Path> = documents.iter().map(|file| &*file.path).collect();
        for file in documents {
            if let Some(backup) = self.backup(&file.path)
                && paths.contains(&*backup)
            {
                return Err(PyValueError::new_err(format!(
                    "backup: {} is also a document; use another suffix",
                    backup.display()
                )));
            }
        }
        Ok(())
    }

    /// Returns the path under which the original of a document is kept.
    fn backup(&self, path: &Path) -> Option<PathBuf> {
        match &self.destination {
            Destination::InPlace(Some(suffix)) => {
                let mut name = path.to_owned().into_os_string();
                name.push(suffix);
                Some(PathBuf::from(name))
            }
            _ => None,
        }
    }

    /// Creates the output directories, and removes what killed processes left.
    ///
    /// # Errors
    /// The output directory itself cannot be used.
    fn prepare(&mut self, walk: &Walk, report: &mut MirrorReport) -> PyResult<()> {
        match &self.destination {
            Destination::Nowhere => {}
            Destination::InPlace(_) => {
                for path in &walk.leftovers {
                    if let Err(error) = files::remove_leftover(path) {
                        report.add_problem(path, &error);
                    }
                }
            }
            Destination::Directory(output, _) => {
                files::create_directory(output).map_err(|error| error_of_file(error, output))?;
                for site_path in &walk.directories {
                    let directory = output.join(site_path);
                    // Parents come first: one problem is enough for a directory and everything in it.
                    if self.is_unwritable(&directory) {
                        continue;
                    }
                    if let Err(error) =
                        files::create_directory_inside(output, site_path, Some(&self.folder))
                    {
                        report.add_problem(&directory, &error);
                        self.unwritable.insert(directory);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns whether a path is in a directory that could not be created.
    fn is_unwritable(&self, path: &Path) -> bool {
        !self.unwritable.is_empty() && path.ancestors().any(|path| self.unwritable.contains(path))
    }

    /// Processes one file.
    fn process(&self, job: &Job<'_>) -> FileResult {
        let mut result = FileResult::default();
        if let Destination::Directory(output, _) = &self.destination
            && self.is_unwritable(&output.join(&job.file().site_path))
        {
            result.add_problem(&"cannot write: unusable directory");
            return result;
        }
        match (job, &self.destination) {
            (Job::Document(file), _) => match read(file) {
                Ok((bytes, metadata)) => self.document(file, &bytes, &metadata, &mut result),
                Err(error) => result.add_problem(&format!("cannot read: {error}")),
            },
            (Job::Other(file), Destination::Directory(output, Some(transfer))) => {
                let target = output.join(&file.site_path);
                match file.transfer(&target, *transfer, self.durability) {
                    Ok(()) => result.is_transferred = true,
                    Err(error) => result.add_problem(&format!("cannot copy: {error}")),
                }
            }
            (Job::Other(_), _) => {}
        }
        result
    }

    /// Converts and writes a document.
    fn document(
        &self,
        file: &SiteFile,
        bytes: &[u8],
        metadata: &Metadata,
        result: &mut FileResult,
    ) {
        let kind: DocumentKind = MirroredFile::of_path(&file.site_path).document_kind();
        let document = self.facts.document_of_kind(kind, bytes);
        let Some(page) = self
            .mirror
            .page_of(&file.site_path, &document, &self.settings)
        else {
            if self.write(file, bytes, false, metadata, result) {
                result.is_document = true;
                result.add_problem(
                    &"left unchanged: not in a directory named after a host; convert its directory with a URL",
                );
            }
            return;
        };
        let retrieved = document.clone().retrieved_from(page.url());
        let mut lost = 0;
        let rewritten = self.settings.rewrite_with(&retrieved, |link_report| {
            let decision = page.decide(link_report);
            // Links whose host is not known do not become absolute.
            let is_lost = !self.is_host_unknown && page.loses_file(link_report, &decision);
            lost += usize::from(is_lost);
            decision
        });
        let is_changed = *rewritten.bytes != *bytes;
        if self.write(file, &rewritten.bytes, is_changed, metadata, result) {
            result.add(&rewritten.report, is_changed, lost);
        }
    }

    /// Writes the new content of a document. Returns whether it could be written.
    fn write(
        &self,
        file: &SiteFile,
        bytes: &[u8],
        is_changed: bool,
        metadata: &Metadata,
        result: &mut FileResult,
    ) -> bool {
        let write = |to: &mut dyn Write| to.write_all(bytes).map(|()| is_changed);
        let written = match &self.destination {
            Destination::Directory(output, transfer) => {
                let depth = file.site_path.components().count();
                let path = PinnedPath::new(&output.join(&file.site_path), depth);
                path.and_then(|path| {
                    if !is_changed && *transfer == Some(Transfer::Link) {
                        let source = PinnedPath::new(&file.path, file.depth)?;
                        files::hard_link_or_copy(&source, &path, self.durability)
                    } else {
                        files::write_document(&path, bytes, is_changed, metadata, self.durability)
                    }
                })
            }
            Destination::InPlace(_) if is_changed => {
                let backup = self.backup(&file.path);
                let replaced = files::replace_in_place(
                    &file.path,
                    file.depth,
                    backup.as_deref(),
                    Some(metadata),
                    self.durability,
                    |to| files::write_buffered(to, write),
                );
                replaced.map(|lost| {
                    for attribute in lost {
                        result.add_problem(&format!("{attribute} of the original not kept"));
                    }
                })
            }
            Destination::InPlace(_) | Destination::Nowhere => Ok(()),
        };
        match written {
            Ok(()) => true,
            Err(error) => {
                result.add_problem(&format!("cannot write: {error}"));
                false
            }
        }
    }
}

impl<'f> Job<'f> {
    fn file(&self) -> &'f SiteFile {
        match self {
            Self::Document(file) | Self::Other(file) => file,
        }
    }
}

/// Finds the files of the folder.
///
/// # Errors
/// The folder itself cannot be read.
pub(super) fn walk(folder: &Path, options: &WalkOptions) -> PyResult<Walk> {
    fs::read_dir(folder).map_err(|error| error_of_file(error, folder))?;
    Ok(files::walk(folder, options))
}

/// Takes the files of a walk: documents, and others.
pub(super) fn classified(walk: &mut Walk) -> (Vec<SiteFile>, Vec<SiteFile>) {
    std::mem::take(&mut walk.files)
        .into_iter()
        .partition(|file| {
            // A file that cannot be read is reported when it is copied.
            let prefix = || read_prefix(file).unwrap_or_default();
            !file.is_link && MirroredFile::of_path(&file.site_path).is_document(prefix)
        })
}

fn read_prefix(file: &SiteFile) -> io::Result<Vec<u8>> {
    let mut prefix = Vec::new();
    let file = files::open_regular(&file.path, file.depth)?;
    file.take(MirroredFile::PREFIX_LEN)
        .read_to_end(&mut prefix)?;
    Ok(prefix)
}

/// Passes files of `folder` to the mirror, which learns from them facts that the names do not contain.
///
/// # Errors
/// That of a signal handler. Files that cannot be read are skipped here, and reported when they are converted.
pub(super) fn observed(
    mut mirror: MirrorFolder,
    folder: &Path,
    documents: &[SiteFile],
) -> PyResult<MirrorFolder> {
    let mut signaled = Ok(());
    // All were found with the same options.
    let follows = documents.iter().any(|file| file.depth == 0);
    let documents = documents.iter().map(|file| &*file.site_path);
    mirror.observe_files(documents, |path| {
        if signaled.is_ok() {
            signaled = check_signals();
        }
        match signaled {
            Ok(()) => {
                let depth = if follows {
                    0
                } else {
                    path.components().count()
                };
                files::read_regular(&folder.join(path), depth).ok()
            }
            Err(_) => None,
        }
    });
    signaled.map_err(error_of_io)?;
    Ok(mirror)
}

/// Reads a file with its metadata, from before it is read.
fn read(file: &SiteFile) -> io::Result<(Vec<u8>, Metadata)> {
    let mut file = files::open_regular(&file.path, file.depth)?;
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((bytes, metadata))
}
