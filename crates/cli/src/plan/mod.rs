//! The plan of a run that writes: the destination of every input, decided before anything is written.
//!
//! # The problem
//!
//! One command writes a document to standard output, a file over itself, or a directory of thousands of files to
//! another directory. A mistake in the command line must not cost data, and it must be reported before the first file
//! is written, not after half a site.
//!
//! # Destinations
//!
//! [`Plan::new`] chooses by the options, in this order:
//!
//! 1. `--in-place`: each file replaces itself, if it changes.
//! 2. `--check` and `--diff`: nothing is written; paths or diffs go to standard output.
//! 3. No `--output`, or `--output -`: standard output, for a single document.
//! 4. `--output` as a directory, if one of these is true: an input is a directory, there are several documents,
//!    `--root` is given, the output is an existing directory, or it ends with a slash.
//! 5. `--output` as a file, for a single document.
//!
//! In an output directory, a file keeps its path relative to the root of its site: the input directory, or `--root`. A
//! file without a site keeps its name only. Assets, the files of an input directory that are not documents, are planned
//! as well.
//!
//! # Rejected before anything is written
//!
//! * Several documents, or a directory, for standard output or for a single file.
//! * Standard input or a URL with `--in-place`: they are not files that could be replaced.
//! * Standard input for an output directory: it has no file name.
//! * Two inputs with the same output ([`Plan::reject_conflicts`]), and one file with two names with `--in-place`: both
//!   would be written at the same time.
//! * An output or a backup that is an input of the same run.
//! * An output directory that contains the input directory, or the other way round ([`Overlap`]).
//!
//! Outputs are compared by name, inputs by canonical path. A file that appears during the run is not detected, but
//! `--in-place` does not replace a file that was modified since it was read.
//!
//! # Cost
//!
//! Memory is proportional to the number of files. A run over a single input directory skips the checks that need a
//! system call for each file: the names in one directory are distinct, so its outputs cannot collide.

pub(crate) mod stale;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use absolve_site::files::{Overlap, SiteFile};
use absolve_site::run::FolderOutput;

use crate::args::OutputArgs;
use crate::args::named::TransferChoice;
use crate::exit::Abort;
use crate::inputs::input::Input;
use crate::inputs::{Inputs, fetch};
use crate::print::terminal;

/// Destination of one rewritten document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    Stdout,
    /// A file given by name. A symbolic link there is followed.
    File(PathBuf),
    /// The place that [`Plan::output`] has for a file: its counterpart, where a symbolic link is replaced, itself, or
    /// nowhere.
    Folder,
}

/// One file to be processed.
#[derive(Debug)]
pub(crate) enum Job {
    Document(DocumentJob),
    Asset(SiteFile),
}

/// A document or container, and the destination of its result.
#[derive(Debug)]
pub(crate) struct DocumentJob {
    pub(crate) input: Input,
    pub(crate) output: Destination,
}

/// Everything that a run does.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) jobs: Vec<Job>,
    /// The place of the files with the destination [`Folder`](Destination::Folder).
    pub(crate) output: FolderOutput,
    /// Directories to be created, relative to the output directory. Invariant: each comes after its parent.
    pub(crate) directories: Vec<PathBuf>,
    /// The directory whose directories are the models of those in the output directory, if it is a single one.
    pub(crate) model: Option<PathBuf>,
    /// Temporary files that killed runs may have left next to the inputs of `--in-place`.
    pub(crate) leftovers: Vec<PathBuf>,
}

impl Plan {
    /// Plans the run; takes the files out of `inputs`.
    ///
    /// # Errors
    /// A combination of inputs and options that is rejected: see the [module](self).
    pub(crate) fn new(args: &OutputArgs, inputs: &mut Inputs) -> Result<Self, Abort> {
        if args.in_place {
            return Self::in_place(inputs, args.backup.as_deref());
        }
        if args.is_dry_run() {
            return Ok(Self::with_destinations(inputs, || Destination::Folder));
        }
        let count = inputs.documents.len();
        let Some(output) = args.output.as_deref().filter(|path| !is_stdout(path)) else {
            if let Some(directory) = inputs.roots.first() {
                let name = terminal::path(directory);
                return Err(Abort::Usage(format!(
                    "directory {name} cannot be written to standard output\n  hint: use --output DIR, or --in-place to replace its documents"
                )));
            }
            if count > 1 {
                return Err(Abort::Usage(format!(
                    "{count} documents cannot be written to standard output\n  hint: use --output DIR"
                )));
            }
            return Ok(Self::with_destinations(inputs, || Destination::Stdout));
        };
        let has_site_path = |input: &Input| input.site_path().is_some();
        if inputs.has_directory()
            || count > 1
            || inputs.documents.iter().any(has_site_path)
            || is_directory(output)
        {
            return Self::into_directory(inputs, output, args.others);
        }
        let plan = Self::with_destinations(inputs, || Destination::File(output.to_owned()));
        plan.reject_conflicts()?;
        Ok(plan)
    }

    /// Returns a plan with a job for every document; `output` returns the destination of each. Assets are left out.
    fn with_destinations(inputs: &mut Inputs, output: impl Fn() -> Destination) -> Self {
        let documents = std::mem::take(&mut inputs.documents).into_iter();
        let job = |input| {
            let output = output();
            Job::Document(DocumentJob { input, output })
        };
        Self {
            jobs: documents.map(job).collect(),
            ..Self::default()
        }
    }

    /// Plans `--in-place`, with backups if there is a `suffix` for their names.
    fn in_place(inputs: &mut Inputs, suffix: Option<&str>) -> Result<Self, Abort> {
        if let Some(suffix) = suffix
            && (suffix.is_empty() || suffix.contains(std::path::is_separator))
        {
            let problem = "empty, or with a path separator";
            let hint = "use a suffix such as .orig";
            return Err(Abort::invalid_value("--backup", suffix, problem, hint));
        }
        let mut plan = Self::with_destinations(inputs, || Destination::Folder);
        plan.output = FolderOutput::InPlace(suffix.map(str::to_owned));
        for job in plan.documents() {
            match &job.input {
                Input::File { .. } => {}
                Input::Stdin => {
                    return Err(Abort::Usage(
                        "--in-place cannot be used with standard input\n  hint: use --output FILE, or name the files to replace"
                            .to_owned(),
                    ));
                }
                input @ Input::Url(_) => {
                    return Err(Abort::Usage(format!(
                        "--in-place cannot be used with the URL {}\n  hint: use --output FILE",
                        input.name()
                    )));
                }
            }
        }
        plan.leftovers = std::mem::take(&mut inputs.leftovers);
        let input_paths = plan.input_paths();
        if let Some(backup) = plan.output.backup_in(&input_paths) {
            let name = terminal::path(&backup);
            return Err(Abort::Usage(format!(
                "backup file {name} is also an input\n  hint: use another --backup suffix"
            )));
        }
        // Two names of one file would be written at the same time. With a directory among the inputs, `Inputs::new` has
        // rejected them already.
        let mut seen: HashMap<PathBuf, &Path> = HashMap::new();
        for path in input_paths.iter().filter(|_| !inputs.has_directory()) {
            if let Ok(canonical_path) = fs::canonicalize(path)
                && let Some(other) = seen.insert(canonical_path, path)
            {
                let mut names = [*path, other];
                names.sort_unstable();
                let [first, second] = names.map(terminal::path);
                return Err(Abort::Usage(format!(
                    "{first} and {second} are the same file\n  hint: name each document once"
                )));
            }
        }
        Ok(plan)
    }

    /// Plans an output directory: a file in it for each document, and for each asset unless `others` skips them.
    fn into_directory(
        inputs: &mut Inputs,
        directory: &Path,
        others: TransferChoice,
    ) -> Result<Self, Abort> {
        for root in &inputs.roots {
            reject_overlap(root, directory)?;
        }
        if directory.exists() && !directory.is_dir() {
            let name = terminal::path(directory);
            return Err(Abort::Usage(format!(
                "output {name} is not a directory\n  hint: use --output DIR for several documents"
            )));
        }
        let count = inputs.documents.len() + inputs.assets.len();
        let mut plan = Self {
            jobs: Vec::with_capacity(count),
            output: FolderOutput::Directory(directory.to_owned(), others),
            // The walk of an input directory found all its directories, so that empty ones are created, too.
            directories: std::mem::take(&mut inputs.directories),
            ..Self::default()
        };
        for input in std::mem::take(&mut inputs.documents) {
            let output = match &input {
                Input::File {
                    site_path: Some(_), ..
                } => Destination::Folder,
                Input::File { path, .. } => match path.file_name() {
                    Some(name) => Destination::File(directory.join(name)),
                    None => {
                        return Err(Abort::Usage(format!(
                            "{} has no file name for the output",
                            input.name()
                        )));
                    }
                },
                Input::Url(url) => Destination::File(directory.join(fetch::file_name(url))),
                Input::Stdin => {
                    return Err(Abort::Usage(
                        "standard input has no file name for the output directory\n  hint: use --output FILE"
                            .to_owned(),
                    ));
                }
            };
            plan.jobs.push(Job::Document(DocumentJob { input, output }));
        }
        if others.is_some() {
            let assets = std::mem::take(&mut inputs.assets);
            plan.jobs.extend(assets.into_iter().map(Job::Asset));
        }
        let is_single_directory = inputs.roots.len() == 1;
        if let ([root], false) = (&*inputs.roots, inputs.has_prefix) {
            plan.model = Some(root.clone());
        }
        // The walk does not report the directories above its root, nor those of files given individually.
        if !is_single_directory || inputs.has_prefix {
            plan.add_parent_directories(directory);
        }
        // The names in a single directory are distinct.
        if !is_single_directory || plan.has_individual_files() {
            plan.reject_conflicts()?;
        }
        Ok(plan)
    }

    /// Returns whether there are documents that were given individually, without `--root`.
    fn has_individual_files(&self) -> bool {
        self.documents()
            .any(|job| matches!(job.output, Destination::File(_)))
    }

    /// Adds the parent directories of the outputs in `directory`, as far as they are missing.
    fn add_parent_directories(&mut self, directory: &Path) {
        let mut known: HashSet<PathBuf> = self.directories.iter().cloned().collect();
        known.insert(PathBuf::new());
        for output in self.jobs.iter().filter_map(|job| job.output(&self.output)) {
            if let Some(parent) = output.parent()
                && let Ok(site_path) = parent.strip_prefix(directory)
                && known.insert(site_path.to_owned())
            {
                self.directories.push(site_path.to_owned());
            }
        }
        // Sorting puts each directory after its parent.
        self.directories.sort_unstable();
        self.directories.dedup();
    }

    /// Returns whether a document is written to standard output.
    pub(crate) fn writes_to_stdout(&self) -> bool {
        self.documents()
            .any(|job| job.output == Destination::Stdout)
    }

    /// Returns the jobs for documents.
    fn documents(&self) -> impl Iterator<Item = &DocumentJob> {
        self.jobs.iter().filter_map(|job| match job {
            Job::Document(job) => Some(job),
            Job::Asset(_) => None,
        })
    }

    /// Returns the paths of the files that are read as documents.
    fn input_paths(&self) -> Vec<&Path> {
        self.documents()
            .filter_map(|job| job.input.file_path())
            .collect()
    }

    /// Rejects two jobs with the same output, and an output that is an input.
    fn reject_conflicts(&self) -> Result<(), Abort> {
        // `canonicalize` fails for an output that does not exist yet. Such an output cannot be an input.
        let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let input_paths: HashSet<PathBuf> = self.input_paths().into_iter().map(canonical).collect();
        let mut writers: HashMap<PathBuf, &Job> = HashMap::new();
        for job in &self.jobs {
            let Some(path) = job.output(&self.output) else {
                continue;
            };
            let name = terminal::path(&path);
            let is_input = input_paths.contains(&canonical(&path));
            if let Some(earlier) = writers.insert(path, job) {
                let (first, second) = (earlier.name(), job.name());
                return Err(Abort::Usage(format!(
                    "{first} and {second} would both be written to {name}\n  hint: use --root DIR to keep their paths below DIR, or rewrite them in separate runs"
                )));
            }
            if is_input {
                return Err(Abort::Usage(format!(
                    "output {name} is also an input\n  hint: use another --output, or --in-place"
                )));
            }
        }
        Ok(())
    }
}

impl Job {
    /// Returns the path of the file that the job writes, unless it is the input itself. `output` is that of the plan.
    pub(crate) fn output(&self, output: &FolderOutput) -> Option<PathBuf> {
        match self {
            Self::Document(job) => match &job.output {
                Destination::File(path) => Some(path.clone()),
                Destination::Folder => output.counterpart(job.input.site_path()?),
                Destination::Stdout => None,
            },
            Self::Asset(asset) => output.counterpart(&asset.site_path),
        }
    }

    /// Returns the paths of the files that the job reads or writes.
    pub(crate) fn files(&self, output: &FolderOutput) -> impl Iterator<Item = PathBuf> {
        let input = match self {
            Self::Document(job) => job.input.file_path(),
            Self::Asset(asset) => Some(&*asset.path),
        };
        let backup = input.and_then(|path| output.backup(path));
        let input = input.map(Path::to_owned);
        [input, backup, self.output(output)].into_iter().flatten()
    }

    /// Returns the name of the input for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Document(job) => job.input.name(),
            Self::Asset(asset) => terminal::path(&asset.path),
        }
    }
}

/// Rejects an output directory that is, contains or is inside the input directory.
///
/// An input that cannot be found is reported when it is read.
fn reject_overlap(input: &Path, output: &Path) -> Result<(), Abort> {
    let Some(overlap) = Overlap::of(input, output) else {
        return Ok(());
    };
    let [input, output] = [input, output].map(terminal::path);
    Err(Abort::Usage(match overlap {
        Overlap::Same => format!(
            "output directory {output} is the input directory\n  hint: use --in-place to replace its documents"
        ),
        Overlap::OutputInInput => format!(
            "output directory {output} is inside the input directory {input}, and would be an input of the next run\n  hint: use an --output directory outside it"
        ),
        Overlap::InputInOutput => format!(
            "input directory {input} is inside the output directory {output}, and would be overwritten\n  hint: use another --output directory"
        ),
    }))
}

/// Returns whether `path` is a name of standard output.
///
/// A file that the shell redirected standard output to must be written to, and not be replaced.
pub(crate) fn is_stdout(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Returns whether an output is meant as a directory: one exists there, or the path ends with a separator.
fn is_directory(path: &Path) -> bool {
    let name = path.to_string_lossy();
    path.is_dir() || name.ends_with(std::path::is_separator)
}
