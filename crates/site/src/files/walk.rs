//! The files of a directory.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};

use super::atomic_file::is_temp_file;
use super::regular::open_regular;
use super::site_file::SiteFile;
use super::walk_options::WalkOptions;

/// The number of times that a directory is read if symbolic links are followed.
const MAX_VISITS: usize = 100;

/// The maximum length of an ignore file in bytes. Matchers of its globs occupy several hundred times as many.
const MAX_IGNORE_FILE: u64 = 1 << 18;

/// The files of a directory, and what is in it besides.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Walk {
    /// The documents among the files, as far as [`set_documents`](Self::set_documents) has found them.
    pub documents: Vec<SiteFile>,
    /// The other files and symbolic links, sorted by name in each directory.
    pub files: Vec<SiteFile>,
    /// The paths of the directories in it, relative to it. Each comes after its parent. With
    /// [`WalkOptions::include`], those without a file are left out.
    pub directories: Vec<PathBuf>,
    /// The paths of the files that the options leave out, relative to the directory and sorted like the others. They
    /// exist, but are not to be read or written.
    pub left_out: Vec<PathBuf>,
    /// The paths of temporary files that killed processes may have left.
    pub leftovers: Vec<PathBuf>,
    /// The errors, in the same order as the files.
    pub errors: Vec<WalkError>,
}

impl Walk {
    /// Moves the files for which `is_document` is true to the documents. Symbolic links that are not followed are not
    /// documents.
    pub fn set_documents(&mut self, is_document: impl Fn(&SiteFile) -> bool) {
        let files = mem::take(&mut self.files).into_iter();
        (self.documents, self.files) = files.partition(|file| !file.is_link && is_document(file));
    }

    /// Returns the paths of all files, relative to the directory. A symbolic link to a file counts as a file. One to a
    /// directory does not: the walk did not follow it.
    pub fn site_paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter();
        let files = files.filter(|file| !file.is_link || file.path.is_file());
        let files = self.documents.iter().chain(files);
        files.map(|file| &*file.site_path)
    }
}

/// An error for a file or directory that is left out, or for a file that lists them.
#[derive(Debug)]
#[non_exhaustive]
pub enum WalkError {
    /// It cannot be read.
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// It is a device, a pipe or a socket.
    NotRegular {
        /// The path.
        path: PathBuf,
    },
    /// It is a symbolic link to a directory that contains it, and symbolic links are followed.
    Cycle {
        /// The path.
        path: PathBuf,
        /// The directory that contains it.
        ancestor: PathBuf,
    },
    /// It is a directory that has been read a hundred times, and symbolic links are followed.
    Repeated {
        /// The path.
        path: PathBuf,
    },
    /// It is an ignore file that cannot be read, or has a line that cannot be parsed. The other lines count.
    IgnoreFile {
        /// The path.
        path: PathBuf,
        /// The line, and what is wrong with it.
        problem: String,
    },
}

impl WalkError {
    /// Returns the path of the file or directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Unreadable { path, .. }
            | Self::NotRegular { path }
            | Self::Cycle { path, .. }
            | Self::Repeated { path }
            | Self::IgnoreFile { path, .. } => path,
        }
    }

    /// Converts an error of the traversal; `path` is the path if the error names none.
    fn of_traversal(error: ignore::Error, path: &Path) -> Self {
        match error {
            ignore::Error::WithDepth { err, .. } => Self::of_traversal(*err, path),
            ignore::Error::WithPath { path, err } => Self::of_traversal(*err, &path),
            ignore::Error::Loop { ancestor, child } => Self::Cycle {
                path: child,
                ancestor,
            },
            ignore::Error::Io(error) => Self::Unreadable {
                path: path.to_owned(),
                error: os_error(error),
            },
            error => Self::Unreadable {
                path: path.to_owned(),
                error: io::Error::other(error),
            },
        }
    }

    /// Adds the errors in the ignore files of the directory `path` to `errors`.
    fn add_of_ignore_files(error: &ignore::Error, path: &Path, errors: &mut Vec<Self>) {
        match error {
            ignore::Error::Partial(parts) => {
                for part in parts {
                    Self::add_of_ignore_files(part, path, errors);
                }
            }
            ignore::Error::WithPath { path, err } => Self::add_of_ignore_files(err, path, errors),
            error => errors.push(Self::IgnoreFile {
                path: path.to_owned(),
                problem: error.to_string(),
            }),
        }
    }
}

/// Returns the error of the system in an error of the traversal, whose text repeats the path.
fn os_error(error: io::Error) -> io::Error {
    let source = error.get_ref().and_then(|inner| inner.source());
    let source = source.and_then(|source| source.downcast_ref::<io::Error>());
    match source.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

impl fmt::Display for WalkError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { error, .. } => error.fmt(formatter),
            Self::NotRegular { .. } => formatter.write_str("not a regular file"),
            Self::Cycle { ancestor, .. } => {
                let ancestor = ancestor.display();
                write!(formatter, "symbolic link to {ancestor}, which contains it")
            }
            Self::Repeated { .. } => write!(
                formatter,
                "symbolic links lead to this directory more than {MAX_VISITS} times"
            ),
            Self::IgnoreFile { problem, .. } => formatter.write_str(problem),
        }
    }
}

impl std::error::Error for WalkError {}

/// Returns the error for an ignore file in a directory that is not to be read: it has no end, or would take long.
///
/// The traversal opens ignore files itself, and reads whatever has their names.
fn unusable_ignore_file(directory: &Path, options: &WalkOptions) -> Option<WalkError> {
    let names = options.ignore_files_in_use().iter();
    names.map(|name| directory.join(name)).find_map(|path| {
        let file = open_regular(&path, usize::from(!options.follows_links()));
        let error = match file.and_then(|file| file.metadata()) {
            Ok(metadata) if metadata.len() <= MAX_IGNORE_FILE => return None,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Ok(_) => io::ErrorKind::FileTooLarge.into(),
            Err(error) => error,
        };
        let error = io::Error::other(format!("{error}; its directory is left out"));
        Some(WalkError::Unreadable { path, error })
    })
}

/// Counts a visit of a directory. Returns whether there were too many already.
fn is_repeated(directory: &Path, visits: &Mutex<HashMap<PathBuf, usize>>) -> bool {
    // One that has no canonical path cannot be read either.
    let Ok(canonical) = fs::canonicalize(directory) else {
        return false;
    };
    let mut visits = visits.lock().unwrap_or_else(PoisonError::into_inner);
    let visits = visits.entry(canonical).or_default();
    *visits += 1;
    *visits > MAX_VISITS
}

/// Finds the files below the directory `root`.
///
/// The directories of version control systems are left out.
#[must_use]
pub fn walk(root: &Path, options: &WalkOptions) -> Walk {
    let mut walk = Walk::default();
    if let Some(error) = unusable_ignore_file(root, options) {
        walk.errors.push(error);
        return walk;
    }
    let (refuse, refused) = mpsc::channel();
    let (filter, filter_root) = (options.clone(), root.to_owned());
    let visits = Mutex::default();
    let mut builder = options.builder(root);
    builder.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path().strip_prefix(&filter_root);
        if !path.is_ok_and(|path| filter.selects(path, is_directory)) {
            return false;
        }
        let error = if is_directory {
            unusable_ignore_file(entry.path(), &filter).or_else(|| {
                let follows = filter.follows_links();
                let path = entry.path().to_owned();
                (follows && is_repeated(&path, &visits)).then_some(WalkError::Repeated { path })
            })
        } else {
            None
        };
        let is_entered = error.is_none();
        // The receiver exists as long as the walk.
        error.map(|error| refuse.send(error));
        is_entered
    });
    for entry in builder.build() {
        walk.errors.extend(refused.try_iter());
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                walk.errors.push(WalkError::of_traversal(error, root));
                continue;
            }
        };
        if let Some(error) = entry.error() {
            WalkError::add_of_ignore_files(error, entry.path(), &mut walk.errors);
        }
        let depth = entry.depth();
        let Some(kind) = entry.file_type().filter(|_| depth > 0) else {
            continue;
        };
        let path = entry.into_path();
        // The path of every entry begins with `root`.
        let Ok(site_path) = path.strip_prefix(root).map(Path::to_owned) else {
            continue;
        };
        if kind.is_dir() {
            walk.directories.push(site_path);
        } else if !kind.is_file() && !kind.is_symlink() {
            walk.errors.push(WalkError::NotRegular { path });
        } else if kind.is_file() && path.file_name().is_some_and(is_temp_file) {
            walk.leftovers.push(path);
        } else {
            walk.files.push(SiteFile {
                path,
                site_path,
                is_link: kind.is_symlink(),
                depth: if options.follows_links() { 0 } else { depth },
            });
        }
    }
    walk.errors.extend(refused.try_iter());
    if options.has_include() {
        let files = walk.files.iter();
        let used: HashSet<&Path> = files
            .flat_map(|file| file.site_path.ancestors().skip(1))
            .collect();
        walk.directories
            .retain(|directory| used.contains(&**directory));
    }
    if options.is_selective() {
        let all = self::walk(root, &options.without_selection()).files;
        let all = all.into_iter().map(|file| file.site_path);
        let found: HashSet<&Path> = walk.files.iter().map(|file| &*file.site_path).collect();
        walk.left_out = all.filter(|path| !found.contains(&**path)).collect();
    }
    walk
}
