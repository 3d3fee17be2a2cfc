//! The inputs of a run: files and URLs given by name, and the files of directories.

pub(crate) mod containers;
pub(crate) mod fetch;
pub(crate) mod input;
pub(crate) mod kind;
pub(crate) mod located_document;
pub(crate) mod stdin;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use absolve_site::files::{self, InvalidGlob, SiteFile, Walk, WalkError, WalkOptions};

use crate::args::{DocumentArgs, WalkArgs};
use crate::exit::Abort;
use crate::inputs::input::Input;
use crate::inputs::kind::InputFormat;
use crate::print::job_result::JobResult;
use crate::print::terminal;

/// All inputs of a run.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Standard input, then files sorted by path, then URLs sorted.
    pub(crate) documents: Vec<Input>,
    /// The directories given by name, sorted.
    pub(crate) roots: Vec<PathBuf>,
    /// Files in these directories that are not documents, and symbolic links.
    pub(crate) assets: Vec<SiteFile>,
    /// Whether one of these directories is below the root of its site, which `--root` sets.
    pub(crate) has_prefix: bool,
    /// Paths, relative to the root of their site, of the directories found. Each comes after its parent.
    pub(crate) directories: Vec<PathBuf>,
    /// Temporary files that killed runs may have left in these directories.
    pub(crate) leftovers: Vec<PathBuf>,
    /// Paths, relative to the root of their site, of the files that `--include`, `--exclude` or `--ignore-files` leaves
    /// out. They exist, but are neither read nor written.
    pub(crate) left_out: Vec<PathBuf>,
    /// Whether the inputs are files of a site: a directory was given by name, or `--root`.
    pub(crate) is_site: bool,
    /// Messages about files and directories that cannot be read, and about directories without documents.
    pub(crate) messages: JobResult,
}

impl Inputs {
    /// Finds the inputs that the arguments name. Without any, the input is standard input.
    ///
    /// # Errors
    /// A list that cannot be read, an input given twice or outside `--root`, or overlapping directories.
    /// Files that cannot be read are not an error here: see [`messages`](Self::messages).
    pub(crate) fn new(args: &DocumentArgs) -> Result<Self, Abort> {
        if args.paths.is_empty() && args.files_from.is_none() {
            if !args.common.run.quiet {
                stdin::announce();
            }
            return Ok(Self {
                documents: vec![Input::Stdin],
                ..Self::default()
            });
        }
        let listed = match &args.files_from {
            Some(list) => read_file_list(list, args)?,
            None => Vec::new(),
        };
        let options = walk_options(&args.common.walk, args.paths.iter().map(PathBuf::as_path))?;
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
        let duplicate = match inputs.documents.len() {
            0 | 1 => duplicate(&paths).or_else(|| duplicate(&urls).map(Path::new)),
            _ => Some(Path::new("-")),
        };
        if let Some(name) = duplicate {
            let name = terminal::path(name);
            return Err(Abort::Usage(format!(
                "duplicate input {name}\n  hint: name each document once"
            )));
        }
        let directories: HashSet<&Path> =
            paths.iter().copied().filter(|path| path.is_dir()).collect();
        inputs.roots = directories.iter().map(|path| (*path).to_owned()).collect();
        inputs.roots.sort_unstable();
        inputs.is_site = args.root.is_some() || inputs.has_directory();
        inputs.reject_overlap(&paths)?;
        for path in paths {
            let is_directory = directories.contains(path);
            // At the start of a line of output, GitHub would take the name for a workflow command.
            let path = &*if path.as_os_str().as_encoded_bytes().starts_with(b"::") {
                Cow::Owned(Path::new(".").join(path))
            } else {
                Cow::Borrowed(path)
            };
            let site_path = match &args.root {
                Some(root) => Some(site_path(root, path)?),
                None => None,
            };
            if is_directory {
                let site_path = site_path.unwrap_or_default();
                inputs.has_prefix |= !site_path.as_os_str().is_empty();
                inputs.walk_site(path, &site_path, args.input_format, &options);
            } else {
                inputs.documents.push(Input::File {
                    path: path.to_owned(),
                    site_path,
                    found: None,
                });
            }
        }
        if inputs.roots.len() > 1 {
            // The walk of a single directory is in order already.
            inputs.documents.sort_by(|a, b| match (a, b) {
                (Input::File { path: a, .. }, Input::File { path: b, .. }) => a.cmp(b),
                _ => a.path().cmp(&b.path()),
            });
        }
        let urls = urls.into_iter().map(|url| Input::Url(url.to_owned()));
        inputs.documents.extend(urls);
        Ok(inputs)
    }

    /// Returns the files of a directory.
    pub(crate) fn of_walk(directory: &Path, walk: Walk) -> Self {
        let mut inputs = Self {
            roots: vec![directory.to_owned()],
            is_site: true,
            ..Self::default()
        };
        inputs.add(walk, Path::new(""));
        inputs
    }

    /// Returns the paths, relative to the root of their site, of the files that were found. A symbolic link to a file
    /// counts as a file. One to a directory does not: the walk did not follow it.
    pub(crate) fn site_paths(&self) -> impl Iterator<Item = &Path> {
        let documents = self.documents.iter().filter_map(Input::site_path);
        let assets = self.assets.iter();
        let assets = assets.filter(|asset| !asset.is_link || asset.path.is_file());
        documents.chain(assets.map(|asset| &*asset.site_path))
    }

    /// Returns whether a directory was given by name.
    pub(crate) fn has_directory(&self) -> bool {
        !self.roots.is_empty()
    }

    /// Returns the deepest directory that contains all documents; `None` if they have none in common, or if not all of
    /// them are files. The current directory is `.`.
    pub(crate) fn common_directory(&self) -> Option<PathBuf> {
        let directories = self
            .documents
            .iter()
            .map(|input| input.file_path()?.parent());
        let directories: Vec<&Path> = directories.collect::<Option<_>>()?;
        let (first, others) = directories.split_first()?;
        let contains_all = |ancestor: &&Path| others.iter().all(|path| path.starts_with(ancestor));
        let common = first.ancestors().find(contains_all)?;
        // Relative and absolute paths have none in common, and `..` may lead out of it.
        let is_inside = |path: &&Path| {
            let below = path.strip_prefix(common).unwrap_or(path);
            let leaves = |component| matches!(component, Component::ParentDir | Component::RootDir);
            !below.components().any(leaves)
        };
        directories.iter().all(is_inside).then(|| match common {
            empty if empty.as_os_str().is_empty() => PathBuf::from("."),
            common => common.to_owned(),
        })
    }

    /// Rejects a file or directory that is given by name and is also inside a directory given by name.
    ///
    /// # Complexity
    /// Linear in the number of paths times their depth: ancestors are looked up in a hash table.
    fn reject_overlap(&self, paths: &[&Path]) -> Result<(), Abort> {
        if self.roots.is_empty() || paths.len() < 2 {
            return Ok(());
        }
        let mut named: HashMap<PathBuf, &Path> = HashMap::new();
        for path in paths {
            // A path that does not exist is reported when it is read.
            let Ok(canonical) = fs::canonicalize(path) else {
                continue;
            };
            if let Some(other) = named.insert(canonical, path) {
                return Err(overlapping(path, other));
            }
        }
        for (canonical, path) in &named {
            for ancestor in canonical.ancestors().skip(1) {
                if let Some(directory) = named.get(ancestor) {
                    return Err(overlapping(path, directory));
                }
            }
        }
        Ok(())
    }

    /// Adds the files below `root`, whose names determine whether they are documents, or their content.
    ///
    /// Warns if there are none.
    fn walk_site(
        &mut self,
        root: &Path,
        root_site_path: &Path,
        format: InputFormat,
        options: &WalkOptions,
    ) {
        let before = (self.documents.len(), self.messages.messages.len());
        let mut walk = files::walk(root, options);
        walk.set_documents(|file| kind::is_document(file, format));
        self.add(walk, root_site_path);
        // Errors explain the absence of documents already.
        if (self.documents.len(), self.messages.messages.len()) == before {
            self.messages.warn(format!(
                "{}: no documents found (extensions: {}); name other files individually",
                terminal::path(root),
                kind::extensions(format).join(", ")
            ));
        }
    }

    /// Adds the files of a directory, whose path relative to the root of its site is `root_site_path`.
    fn add(&mut self, mut walk: Walk, root_site_path: &Path) {
        self.leftovers.append(&mut walk.leftovers);
        let left_out = walk.left_out.iter();
        self.left_out
            .extend(left_out.map(|site_path| root_site_path.join(site_path)));
        let site_paths = walk.directories.iter();
        let site_paths = site_paths.map(|site_path| root_site_path.join(site_path));
        self.directories.extend(site_paths);
        for error in &walk.errors {
            let name = terminal::path(error.path());
            match error {
                WalkError::Unreadable { error, .. } => {
                    self.messages.error(format!("cannot read {name}: {error}"));
                }
                WalkError::Cycle { ancestor, .. } => self.messages.warn(format!(
                    "{name}: symbolic link to {}, which contains it; left out",
                    terminal::path(ancestor)
                )),
                WalkError::IgnoreFile { problem, .. } => self
                    .messages
                    .warn(format!("{name}: {problem}; the line has no effect")),
                error => self.messages.error(format!("{name}: {error}; skipped")),
            }
        }
        let documents = walk.documents.into_iter();
        self.documents.extend(documents.map(|file| Input::File {
            path: file.path,
            site_path: Some(root_site_path.join(file.site_path)),
            found: Some(file.depth),
        }));
        self.assets.extend(walk.files.into_iter().map(|mut file| {
            file.site_path = root_site_path.join(file.site_path);
            file
        }));
    }
}

/// Returns the options of the walks of directories.
///
/// A glob is relative to each directory; one that begins with one of `directories`, to which shells complete names, is
/// relative to that, too.
///
/// # Errors
/// An invalid glob.
pub(crate) fn walk_options<'p>(
    args: &WalkArgs,
    directories: impl IntoIterator<Item = &'p Path>,
) -> Result<WalkOptions, Abort> {
    let invalid = |option: &'static str| {
        move |error: InvalidGlob| {
            let hint = "use a glob in the syntax of .gitignore, such as *.html, drafts or /blog/*";
            Abort::invalid_value(option, &error.glob, error.problem, hint)
        }
    };
    let options = WalkOptions::new()
        .ignore_files(args.ignore_files)
        .follow_links(args.follow);
    let options = options
        .include(&args.include)
        .map_err(invalid("--include"))?;
    let in_directory = |directory: &'p Path| {
        let globs = args.exclude.iter();
        globs.filter_map(move |glob| {
            let rest = Path::new(glob).strip_prefix(directory).ok()?.to_str()?;
            (!rest.is_empty()).then(|| format!("/{rest}"))
        })
    };
    let completed = directories.into_iter().flat_map(in_directory);
    let exclude = args.exclude.iter().cloned().chain(completed);
    options.exclude(exclude).map_err(invalid("--exclude"))
}

/// Returns the first value that occurs twice in a sorted list.
fn duplicate<T: Copy + PartialEq>(sorted: &[T]) -> Option<T> {
    let pair = sorted.windows(2).find(|pair| pair[0] == pair[1]);
    pair.map(|pair| pair[0])
}

/// Returns the error for two inputs of which one contains the other, or that are the same.
fn overlapping(path: &Path, other: &Path) -> Abort {
    let [path, other] = [path, other].map(terminal::path);
    Abort::Usage(format!(
        "{path} and {other} overlap\n  hint: name each document once"
    ))
}

/// Returns the path of `path` relative to `root`, the directory of `--root`.
///
/// # Errors
/// `path` is not inside `root`, or one of them does not exist.
fn site_path(root: &Path, path: &Path) -> Result<PathBuf, Abort> {
    // Without `..`, the names decide, and no system call is needed.
    if let Ok(site_path) = path.strip_prefix(root)
        && !site_path
            .components()
            .any(|component| component == Component::ParentDir)
    {
        return Ok(site_path.to_owned());
    }
    let canonical = |path: &Path| -> io::Result<PathBuf> {
        match (path.parent(), path.file_name()) {
            // For a symbolic link to a file, the location of the link counts, not that of its target.
            (Some(parent), Some(name)) if !path.is_dir() => {
                Ok(files::canonical_directory(parent)?.join(name))
            }
            _ => fs::canonicalize(path),
        }
    };
    let canonical_paths = fs::canonicalize(root).and_then(|root| Ok((root, canonical(path)?)));
    let [name, root_name] = [path, root].map(terminal::path);
    match canonical_paths {
        Ok((root, path)) => path.strip_prefix(root).map(Path::to_owned).map_err(|_| {
            Abort::Usage(format!(
                "{name} is not in --root {root_name}\n  hint: use a --root directory that contains all documents"
            ))
        }),
        Err(error) => Err(Abort::Usage(format!(
            "cannot find {name} in --root {root_name}: {error}\n  hint: use a --root directory that contains all documents"
        ))),
    }
}

/// Reads the names in the list of `--files-from`, separated by line feeds or, with `--null`, by NUL bytes.
fn read_file_list(list: &Path, args: &DocumentArgs) -> Result<Vec<PathBuf>, Abort> {
    let stdin = Path::new("-");
    if list == stdin && args.paths.iter().any(|path| path == stdin) {
        return Err(Abort::Usage(
            "standard input cannot be both a list and a document\n  hint: use --files-from FILE"
                .to_owned(),
        ));
    }
    let bytes = if list == stdin {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(list)
    };
    let bytes = bytes.map_err(|error| {
        let list = terminal::path(list);
        Abort::Usage(format!("cannot read --files-from {list}: {error}"))
    })?;
    let end = if args.null { b'\0' } else { b'\n' };
    let names = bytes.split(|&byte| byte == end);
    let names = names.map(|name| match end {
        b'\n' => name.strip_suffix(b"\r").unwrap_or(name),
        _ => name,
    });
    names
        .filter(|name| !name.is_empty())
        .map(|name| {
            files::path_from_bytes(name).ok_or_else(|| {
                let name = terminal::quoted(&String::from_utf8_lossy(name));
                Abort::Usage(format!("invalid UTF-8 in --files-from: {name}"))
            })
        })
        .collect()
}
