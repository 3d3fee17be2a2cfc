//! What a run reads: names, and directories full of them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::args::{DocumentArgs, InputFormat};
use super::input::Input;
use super::{Abort, atomic_file, fetch, input_kind, terminal};

/// Directories that are no part of a site: they belong to version control.
const LEFT_OUT: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// Everything a run is about.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Sorted by path.
    pub(super) documents: Vec<Input>,
    /// The directories that were named.
    pub(super) roots: Vec<PathBuf>,
    /// Files in them that are no documents, and symbolic links.
    pub(super) assets: Vec<Asset>,
    /// Whether a directory that was named is not the root of its site, but below it.
    pub(super) has_prefix: bool,
    /// Where in their sites directories are, each after the one it is in.
    pub(super) directories: Vec<PathBuf>,
    /// Drafts in them that may have been left behind.
    pub(super) drafts: Vec<PathBuf>,
    /// What cannot be read, to be said.
    pub(super) errors: Vec<String>,
    /// What else there is to be said.
    pub(super) remarks: Vec<String>,
}

/// A file in a directory that is no document.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) path: PathBuf,
    /// Where it is in its site.
    pub(super) below: PathBuf,
    pub(super) is_link: bool,
}

impl Inputs {
    /// What the arguments name; nothing at all means standard input.
    pub(super) fn new(args: &DocumentArgs) -> Result<Self, Abort> {
        if args.paths.is_empty() && args.run.files_from.is_none() {
            return Ok(Self {
                documents: vec![Input::Stdin],
                ..Self::default()
            });
        }
        let listed = match &args.run.files_from {
            Some(list) => names_in(list, args)?,
            None => Vec::new(),
        };
        let mut inputs = Self::default();
        let mut paths: Vec<&Path> = Vec::with_capacity(args.paths.len() + listed.len());
        let mut urls: Vec<&str> = Vec::new();
        let (stdin, named): (Vec<_>, Vec<_>) =
            args.paths.iter().partition(|path| *path == Path::new("-"));
        inputs.documents = stdin.iter().map(|_| Input::Stdin).collect();
        for path in named.into_iter().chain(&listed) {
            match path.to_str().filter(|path| fetch::is_url(path)) {
                Some(url) => urls.push(url),
                None => paths.push(path),
            }
        }
        paths.sort_unstable();
        urls.sort_unstable();
        let twice = paths.windows(2).find(|pair| pair[0] == pair[1]);
        let twice = twice.map(|pair| pair[0]).or_else(|| {
            let twice = urls.windows(2).find(|pair| pair[0] == pair[1]);
            twice.map(|pair| Path::new(pair[0]))
        });
        if let Some(name) = match inputs.documents.len() {
            0 | 1 => twice,
            _ => Some(Path::new("-")),
        } {
            let name = terminal::escape_control(&name.to_string_lossy());
            return Err(Abort::Usage(format!(
                "{name} is named twice; name each document once"
            )));
        }
        let directories: HashSet<&Path> =
            paths.iter().copied().filter(|path| path.is_dir()).collect();
        inputs.roots = directories.iter().map(|path| (*path).to_owned()).collect();
        inputs.roots.sort_unstable();
        inputs.refuse_overlap(&paths)?;
        for path in paths {
            let below = match &args.run.root {
                Some(root) => Some(below(root, path)?),
                None => None,
            };
            if directories.contains(path) {
                let below = below.unwrap_or_default();
                inputs.has_prefix |= !below.as_os_str().is_empty();
                inputs.walk(path, &below, args.input_format);
            } else {
                inputs.documents.push(Input::File {
                    path: path.to_owned(),
                    below,
                });
            }
        }
        if inputs.roots.len() > 1 {
            // One directory is walked in order.
            inputs.documents.sort_by(|one, other| match (one, other) {
                (Input::File { path: one, .. }, Input::File { path: other, .. }) => one.cmp(other),
                _ => one.path().cmp(&other.path()),
            });
        }
        let urls = urls.into_iter().map(|url| Input::Url(url.to_owned()));
        inputs.documents.extend(urls);
        Ok(inputs)
    }

    /// Whether there is a directory among what was named.
    pub(super) fn has_directory(&self) -> bool {
        !self.roots.is_empty()
    }

    /// Refuses what is named by itself and in a directory, too.
    fn refuse_overlap(&self, paths: &[&Path]) -> Result<(), Abort> {
        if self.roots.is_empty() || paths.len() < 2 {
            return Ok(());
        }
        let mut named: HashMap<PathBuf, &Path> = HashMap::new();
        for path in paths {
            // What is not there is said when it is read.
            let Ok(real) = fs::canonicalize(path) else {
                continue;
            };
            if let Some(other) = named.insert(real, path) {
                return Err(overlap(path, other));
            }
        }
        for (real, path) in &named {
            for above in real.ancestors().skip(1) {
                if let Some(directory) = named.get(above) {
                    return Err(overlap(path, directory));
                }
            }
        }
        Ok(())
    }

    fn walk(&mut self, root: &Path, below_site: &Path, format: InputFormat) {
        let documents = self.documents.len();
        let errors = self.errors.len();
        let entries = WalkDir::new(root)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| !is_left_out(entry));
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_string_lossy();
                    let reason = error.io_error().map_or_else(
                        || "a directory that contains itself".to_owned(),
                        io::Error::to_string,
                    );
                    self.errors.push(format!(
                        "{}: cannot be read: {reason}",
                        terminal::escape_control(&path)
                    ));
                    continue;
                }
            };
            let kind = entry.file_type();
            let path = entry.into_path();
            let below = match path.strip_prefix(root) {
                Ok(below) => below_site.join(below),
                // Every entry is below the root.
                Err(_) => continue,
            };
            let name = path.file_name().unwrap_or_default();
            if kind.is_dir() {
                self.directories.push(below);
            } else if kind.is_symlink() {
                self.assets.push(Asset {
                    path,
                    below,
                    is_link: true,
                });
            } else if !kind.is_file() {
                self.errors.push(format!(
                    "{}: no ordinary file, and left out",
                    terminal::escape_control(&path.to_string_lossy())
                ));
            } else if atomic_file::is_draft(name) {
                self.drafts.push(path);
            } else if input_kind::is_read(name, format) {
                self.documents.push(Input::File {
                    path,
                    below: Some(below),
                });
            } else {
                self.assets.push(Asset {
                    path,
                    below,
                    is_link: false,
                });
            }
        }
        if self.documents.len() == documents && self.errors.len() == errors {
            self.remarks.push(format!(
                "{}: no documents in it, that is, no files whose names end in {}; assets can be named one by one",
                terminal::escape_control(&root.to_string_lossy()),
                input_kind::names(format).join(", ")
            ));
        }
    }
}

fn is_left_out(entry: &DirEntry) -> bool {
    LEFT_OUT.iter().any(|name| entry.file_name() == *name)
}

fn overlap(path: &Path, other: &Path) -> Abort {
    let [path, other] = [path, other].map(|path| terminal::escape_control(&path.to_string_lossy()));
    Abort::Usage(format!(
        "{path} and {other} have documents in common; name each document once"
    ))
}

/// Where `path` is below `root`.
fn below(root: &Path, path: &Path) -> Result<PathBuf, Abort> {
    let climbs = |path: &Path| path.components().any(|part| part == Component::ParentDir);
    if let Ok(below) = path.strip_prefix(root)
        && !climbs(below)
    {
        return Ok(below.to_owned());
    }
    let real = |path: &Path| -> io::Result<PathBuf> {
        match (path.parent(), path.file_name()) {
            // A link is where it is, not where it leads.
            (Some(parent), Some(name)) if !path.is_dir() => {
                let parent = if parent.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    parent
                };
                Ok(fs::canonicalize(parent)?.join(name))
            }
            _ => fs::canonicalize(path),
        }
    };
    let found = fs::canonicalize(root).and_then(|root| Ok((root, real(path)?)));
    let [name, root_name] =
        [path, root].map(|path| terminal::escape_control(&path.to_string_lossy()));
    match found {
        Ok((root, path)) => path.strip_prefix(root).map(Path::to_owned).map_err(|_| {
            Abort::Usage(format!(
                "{name} is not in {root_name}; name a directory with --root that all documents are in"
            ))
        }),
        Err(error) => Err(Abort::Usage(format!(
            "{name} cannot be found in {root_name}: {error}; name the directory it is in with --root"
        ))),
    }
}

/// The names that a list holds.
fn names_in(list: &Path, args: &DocumentArgs) -> Result<Vec<PathBuf>, Abort> {
    let mut bytes = Vec::new();
    let read = if list == Path::new("-") {
        if args.paths.iter().any(|path| path == Path::new("-")) {
            return Err(Abort::Usage(
                "standard input cannot be both a list and a document; write the list to a file for --files-from".to_owned(),
            ));
        }
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(list).map(|read| bytes = read)
    };
    if let Err(error) = read {
        let list = terminal::escape_control(&list.to_string_lossy());
        return Err(Abort::Usage(format!(
            "--files-from {list}: cannot be read: {error}"
        )));
    }
    let end = if args.run.null { b'\0' } else { b'\n' };
    let names = bytes.split(|&byte| byte == end);
    let names = names.map(|name| match end {
        b'\n' => name.strip_suffix(b"\r").unwrap_or(name),
        _ => name,
    });
    names.filter(|name| !name.is_empty()).map(path_of).collect()
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "elsewhere not all bytes are a name"
)]
fn path_of(name: &[u8]) -> Result<PathBuf, Abort> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> Result<PathBuf, Abort> {
    match std::str::from_utf8(name) {
        Ok(name) => Ok(PathBuf::from(name)),
        Err(_) => Err(Abort::Usage(format!(
            "--files-from: {} is not UTF-8; write the list in UTF-8",
            terminal::quoted(&String::from_utf8_lossy(name))
        ))),
    }
}
