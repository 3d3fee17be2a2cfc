//! Which output there is for which input; refused before anything is written where two would meet or one would be lost.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::args::{ColorArg, OthersArg};
use super::input::Input;
use super::walk::{Asset, Inputs};
use super::{Abort, diff, fetch, overlap, terminal};

/// Where one rewritten document goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    Stdout,
    /// A file, or what a link of that name leads to.
    File(PathBuf),
    /// A file in a directory that is made like another; a link of that name is replaced.
    Mirrored(PathBuf),
    /// Where it came from, if it changed; the original is kept under the other name.
    InPlace {
        path: PathBuf,
        backup: Option<PathBuf>,
    },
    /// Nowhere: it is only told whether it would change.
    CheckOnly(String),
    /// Nowhere: it is only shown how it would change.
    Diff {
        path: String,
        is_coloured: bool,
    },
}

/// What was asked for: where the results go, if anywhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputOptions<'a> {
    pub(super) output: Option<&'a Path>,
    pub(super) others: OthersArg,
    pub(super) in_place: bool,
    pub(super) backup: Option<&'a str>,
    pub(super) check: bool,
    pub(super) diff: bool,
    pub(super) color: ColorArg,
}

/// One file to be worked on.
#[derive(Debug)]
pub(super) enum Job {
    Document { input: Input, output: Destination },
    Asset { asset: Asset, output: PathBuf },
}

/// All that is to be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) jobs: Vec<Job>,
    /// Directories that must be there, each after the one it is in.
    pub(super) directories: Vec<PathBuf>,
    /// Drafts that may have been left behind.
    pub(super) drafts: Vec<PathBuf>,
}

impl Destination {
    /// Whether nothing but what would change is written.
    pub(super) fn is_dry(&self) -> bool {
        matches!(self, Self::CheckOnly(_) | Self::Diff { .. })
    }

    /// The name for people of what is written.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdout | Self::CheckOnly(_) | Self::Diff { .. } => "standard output".to_owned(),
            Self::File(path) | Self::Mirrored(path) | Self::InPlace { path, .. } => {
                terminal::escape_control(&path.to_string_lossy())
            }
        }
    }
}

impl Plan {
    pub(super) fn new(asked: &OutputOptions<'_>, inputs: &mut Inputs) -> Result<Self, Abort> {
        if asked.in_place {
            return Self::in_place(inputs, asked.backup);
        }
        if asked.check {
            return Ok(Self::of(inputs, |input| {
                Destination::CheckOnly(input.path())
            }));
        }
        if asked.diff {
            let is_coloured = diff::is_coloured(asked.color);
            let shown = |input: &Input| Destination::Diff {
                path: input.path(),
                is_coloured,
            };
            return Ok(Self::of(inputs, shown));
        }
        let output = asked.output;
        let is_stdout = output.is_none_or(is_stdout);
        if let (true, Some(directory)) = (is_stdout, inputs.roots.first()) {
            let name = terminal::escape_control(&directory.to_string_lossy());
            return Err(Abort::Usage(format!(
                "{name} is a directory; name one for the result with --output, or replace its documents with --in-place"
            )));
        }
        match output {
            Some(directory)
                if !is_stdout
                    && (inputs.has_directory()
                        || inputs.documents.len() > 1
                        || inputs.documents.iter().any(|input| input.below().is_some())
                        || is_directory(directory)) =>
            {
                Self::to_directory(inputs, directory, asked.others)
            }
            Some(path) if !is_stdout => {
                let plan = Self::of(inputs, |_| Destination::File(path.to_owned()));
                plan.refuse_loss()?;
                Ok(plan)
            }
            _ if inputs.documents.len() > 1 => Err(Abort::Usage(format!(
                "{} documents and one standard output; name a directory for them with --output",
                inputs.documents.len()
            ))),
            _ => Ok(Self::of(inputs, |_| Destination::Stdout)),
        }
    }

    /// Every document, with the output it gets.
    fn of(inputs: &mut Inputs, output: impl Fn(&Input) -> Destination) -> Self {
        let documents = std::mem::take(&mut inputs.documents).into_iter();
        let job = |input| Job::Document {
            output: output(&input),
            input,
        };
        Self {
            jobs: documents.map(job).collect(),
            ..Self::default()
        }
    }

    /// The inputs themselves as outputs.
    fn in_place(inputs: &mut Inputs, suffix: Option<&str>) -> Result<Self, Abort> {
        if let Some(suffix) = suffix
            && (suffix.is_empty() || suffix.contains(std::path::is_separator))
        {
            let suffix = terminal::quoted(suffix);
            return Err(Abort::Usage(format!(
                "--backup {suffix}: no suffix that makes another name beside the first; give one such as .orig"
            )));
        }
        let backup_of = |path: &Path| {
            let mut name = path.to_owned().into_os_string();
            name.push(suffix?);
            Some(PathBuf::from(name))
        };
        if inputs.documents.contains(&Input::Stdin) {
            return Err(Abort::Usage(
                "standard input has no place to be written to; name files for --in-place"
                    .to_owned(),
            ));
        }
        let is_url = |input: &&Input| matches!(input, Input::Url(_));
        if let Some(url) = inputs.documents.iter().find(is_url) {
            return Err(Abort::Usage(format!(
                "{} is no file to be replaced; name one for the result with --output",
                url.name()
            )));
        }
        let mut plan = Self::of(inputs, |input| match input {
            Input::Stdin | Input::Url(_) => Destination::Stdout,
            Input::File { path, .. } => Destination::InPlace {
                path: path.clone(),
                backup: backup_of(path),
            },
        });
        plan.drafts = std::mem::take(&mut inputs.drafts);
        // What is kept under the name of an input would be rewritten, too.
        let read = plan.read();
        for (_, output) in plan.documents() {
            let Destination::InPlace {
                backup: Some(backup),
                ..
            } = output
            else {
                continue;
            };
            if read.contains(&**backup) {
                let name = terminal::escape_control(&backup.to_string_lossy());
                return Err(Abort::Usage(format!(
                    "{name} is an input; name another suffix with --backup"
                )));
            }
        }
        // Two names of one file would be written at the same time.
        let mut seen: HashMap<PathBuf, &Path> = HashMap::new();
        for path in read.iter().filter(|_| !inputs.has_directory()) {
            if let Ok(real) = fs::canonicalize(path)
                && let Some(other) = seen.insert(real, path)
            {
                let mut names = [*path, other];
                names.sort_unstable();
                let [one, other] =
                    names.map(|path| terminal::escape_control(&path.to_string_lossy()));
                return Err(Abort::Usage(format!(
                    "{one} and {other} are the same file; name each document once"
                )));
            }
        }
        Ok(plan)
    }

    /// A file in `directory` for each document, and for each other file of a directory.
    fn to_directory(
        inputs: &mut Inputs,
        directory: &Path,
        others: OthersArg,
    ) -> Result<Self, Abort> {
        for root in &inputs.roots {
            overlap::refuse_overlap(root, directory)?;
        }
        if directory.exists() && !directory.is_dir() {
            let name = terminal::escape_control(&directory.to_string_lossy());
            return Err(Abort::Usage(format!(
                "{name} is no directory; name one with --output for the documents"
            )));
        }
        let mut plan = Self {
            directories: vec![directory.to_owned()],
            ..Self::default()
        };
        // Of a directory that is read, each is known; for files named one by one, those they need.
        let below = std::mem::take(&mut inputs.directories);
        plan.directories
            .extend(below.iter().map(|below| directory.join(below)));
        let has_names = inputs.has_directory();
        for input in std::mem::take(&mut inputs.documents) {
            let output = match &input {
                Input::File {
                    below: Some(below), ..
                } => Destination::Mirrored(directory.join(below)),
                Input::File { path, .. } => match path.file_name() {
                    Some(name) => Destination::File(directory.join(name)),
                    None => {
                        return Err(Abort::Usage(format!(
                            "{} has no file name to be written under",
                            input.name()
                        )));
                    }
                },
                Input::Url(url) => Destination::File(directory.join(fetch::file_name(url))),
                Input::Stdin => {
                    return Err(Abort::Usage(
                        "standard input has no file name to be written under; name a file with --output"
                            .to_owned(),
                    ));
                }
            };
            plan.jobs.push(Job::Document { input, output });
        }
        if others != OthersArg::Skip {
            for asset in std::mem::take(&mut inputs.assets) {
                let output = directory.join(&asset.below);
                plan.jobs.push(Job::Asset { asset, output });
            }
        }
        if !has_names || inputs.roots.len() > 1 || inputs.has_prefix {
            plan.need_parents();
        }
        if !has_names || inputs.roots.len() > 1 || plan.names_files_too() {
            plan.refuse_loss()?;
        }
        Ok(plan)
    }

    /// Whether there are documents that were named one by one.
    fn names_files_too(&self) -> bool {
        self.documents()
            .any(|(_, output)| matches!(output, Destination::File(_)))
    }

    /// Adds the directories that the outputs are in and that are not known yet.
    fn need_parents(&mut self) {
        let mut known: HashSet<&Path> = self.directories.iter().map(PathBuf::as_path).collect();
        let mut needed = Vec::new();
        for directory in self.jobs.iter().filter_map(|job| job.output()?.parent()) {
            if known.insert(directory) {
                needed.push(directory.to_owned());
            }
        }
        self.directories.extend(needed);
        self.directories.sort_unstable();
        self.directories.dedup();
    }

    /// Whether a document goes to standard output.
    pub(super) fn writes_to_stdout(&self) -> bool {
        self.documents()
            .any(|(_, output)| *output == Destination::Stdout)
    }

    fn documents(&self) -> impl Iterator<Item = (&Input, &Destination)> {
        self.jobs.iter().filter_map(|job| match job {
            Job::Document { input, output } => Some((input, output)),
            Job::Asset { .. } => None,
        })
    }

    /// The files that are read as documents.
    fn read(&self) -> HashSet<&Path> {
        self.documents()
            .filter_map(|(input, _)| match input {
                Input::File { path, .. } => Some(&**path),
                Input::Stdin | Input::Url(_) => None,
            })
            .collect()
    }

    /// Refuses two inputs with one output, and an output that is an input.
    fn refuse_loss(&self) -> Result<(), Abort> {
        let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let read: HashSet<PathBuf> = self.read().into_iter().map(canonical).collect();
        let mut taken: HashMap<&Path, &Job> = HashMap::new();
        for job in &self.jobs {
            let Some(path) = job.output() else { continue };
            let name = terminal::escape_control(&path.to_string_lossy());
            if let Some(other) = taken.insert(path, job) {
                let (one, other) = (job.name(), other.name());
                return Err(Abort::Usage(format!(
                    "{other} and {one} would both be written to {name}; rewrite them in two runs, to two directories, or say with --root which directory they are in"
                )));
            }
            if read.contains(&canonical(path)) {
                return Err(Abort::Usage(format!(
                    "{name} is an input; name another --output"
                )));
            }
        }
        Ok(())
    }
}

impl Job {
    /// The file it writes, if it writes one that is not its own input.
    fn output(&self) -> Option<&Path> {
        match self {
            Self::Document {
                output: Destination::File(path) | Destination::Mirrored(path),
                ..
            }
            | Self::Asset { output: path, .. } => Some(path),
            Self::Document { .. } => None,
        }
    }

    /// The files it reads or writes.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let read = match self {
            Self::Document {
                input: Input::File { path, .. },
                ..
            } => Some(&**path),
            Self::Asset { asset, .. } => Some(&*asset.path),
            Self::Document { .. } => None,
        };
        let kept = match self {
            Self::Document {
                output: Destination::InPlace { backup, .. },
                ..
            } => backup.as_deref(),
            _ => None,
        };
        [read, kept, self.output()].into_iter().flatten()
    }

    /// The name for people of what it reads.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Document { input, .. } => input.name(),
            Self::Asset { asset, .. } => terminal::escape_control(&asset.path.to_string_lossy()),
        }
    }
}

/// Whether an output is standard output, by any of its names: a file that a shell opened there is to be written to, and
/// not to be replaced.
pub(super) fn is_stdout(path: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| path == Path::new(name))
}

/// Whether an output is a directory: it is there as one, or is written like one.
fn is_directory(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator)
}
