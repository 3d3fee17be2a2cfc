//! Where rewritten documents go.

use std::collections::{HashMap, HashSet};
use std::fs;
#[cfg(unix)]
use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::Builder;

use super::args::ColorArg;
use super::input::Input;
use super::talk;
use super::{Stop, diff, fetch};

/// Where one rewritten document goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Output {
    Stdout,
    File(PathBuf),
    /// Where it came from, if it changed; the original is kept under the other name.
    InPlace {
        path: PathBuf,
        backup: Option<PathBuf>,
    },
    /// Nowhere: it is only told whether it would change.
    Told(String),
    /// Nowhere: it is only shown how it would change.
    Shown {
        path: String,
        is_coloured: bool,
    },
}

/// What a file was when it was read, as far as it can be told whether it changed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    length: u64,
    modified: Option<SystemTime>,
}

impl Output {
    /// An output for each input; refused before anything is written where two would meet or an input would be lost.
    pub(super) fn for_inputs(inputs: &[Input], output: Option<&Path>) -> Result<Vec<Self>, Stop> {
        let outputs = match output {
            None if inputs.len() > 1 => {
                return Err(Stop::Usage(format!(
                    "{} documents and one standard output; name a directory for them with --output",
                    inputs.len()
                )));
            }
            None => vec![Self::Stdout],
            Some(path) if path == Path::new("-") && inputs.len() == 1 => vec![Self::Stdout],
            Some(path) if inputs.len() == 1 && !is_directory(path) => {
                vec![Self::File(path.to_owned())]
            }
            Some(directory) => inputs
                .iter()
                .map(|input| Self::in_directory(input, directory))
                .collect::<Result<_, _>>()?,
        };
        let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let read: HashSet<PathBuf> = inputs
            .iter()
            .filter_map(|input| match input {
                Input::File(file) => Some(canonical(file)),
                Input::Stdin | Input::Url(_) => None,
            })
            .collect();
        let mut taken: HashMap<&Path, &Input> = HashMap::new();
        for (input, output) in inputs.iter().zip(&outputs) {
            let Self::File(path) = output else { continue };
            let name = talk::visible(&path.to_string_lossy());
            if let Some(other) = taken.insert(path, input) {
                let (one, other) = (input.name(), other.name());
                return Err(Stop::Usage(format!(
                    "{other} and {one} would both be written to {name}; rewrite them in two runs, to two directories"
                )));
            }
            if read.contains(&canonical(path)) {
                return Err(Stop::Usage(format!(
                    "{name} is an input; name another --output"
                )));
            }
        }
        Ok(outputs)
    }

    /// The inputs themselves as outputs.
    pub(super) fn in_place(inputs: &[Input], suffix: Option<&str>) -> Result<Vec<Self>, Stop> {
        if let Some(suffix) = suffix
            && (suffix.is_empty() || suffix.contains(std::path::is_separator))
        {
            let suffix = talk::quoted(suffix);
            return Err(Stop::Usage(format!(
                "--backup {suffix}: no suffix that makes another name beside the first; give one such as .orig"
            )));
        }
        let backup_of = |path: &Path, suffix: &str| {
            let mut name = path.to_owned().into_os_string();
            name.push(suffix);
            let backup = PathBuf::from(name);
            // What is kept under the name of an input would be rewritten, too.
            if inputs.contains(&Input::File(backup.clone())) {
                let name = talk::visible(&backup.to_string_lossy());
                return Err(Stop::Usage(format!(
                    "{name} is an input; name another suffix with --backup"
                )));
            }
            Ok(backup)
        };
        let in_place = |input: &Input| match input {
            Input::File(path) => Ok(Self::InPlace {
                path: path.clone(),
                backup: suffix.map(|suffix| backup_of(path, suffix)).transpose()?,
            }),
            Input::Url(_) => Err(Stop::Usage(format!(
                "{} is no file to be replaced; name one for the result with --output",
                input.name()
            ))),
            Input::Stdin => Err(Stop::Usage(
                "standard input has no place to be written to; name files for --in-place"
                    .to_owned(),
            )),
        };
        inputs.iter().map(in_place).collect()
    }

    /// The inputs, of which it is only told whether they would change.
    pub(super) fn told(inputs: &[Input]) -> Vec<Self> {
        inputs
            .iter()
            .map(|input| Self::Told(input.path()))
            .collect()
    }

    /// The inputs, of which it is only shown how they would change.
    pub(super) fn shown(inputs: &[Input], color: ColorArg) -> Vec<Self> {
        let is_coloured = diff::is_coloured(color);
        let shown = |input: &Input| Self::Shown {
            path: input.path(),
            is_coloured,
        };
        inputs.iter().map(shown).collect()
    }

    /// Whether nothing but what would change is written.
    pub(super) fn is_dry(&self) -> bool {
        matches!(self, Self::Told(_) | Self::Shown { .. })
    }

    /// The name for people of what is written.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdout | Self::Told(_) | Self::Shown { .. } => "standard output".to_owned(),
            Self::File(path) | Self::InPlace { path, .. } => talk::visible(&path.to_string_lossy()),
        }
    }

    /// What the file is now that will be replaced.
    pub(super) fn state(&self) -> Option<State> {
        match self {
            Self::InPlace { path, .. } => State::of(path),
            Self::Stdout | Self::File(_) | Self::Told(_) | Self::Shown { .. } => None,
        }
    }

    fn in_directory(input: &Input, directory: &Path) -> Result<Self, Stop> {
        match input {
            Input::File(file) => match file.file_name() {
                Some(name) => Ok(Self::File(directory.join(name))),
                None => Err(Stop::Usage(format!(
                    "{} has no file name to be written under",
                    input.name()
                ))),
            },
            Input::Url(url) => Ok(Self::File(directory.join(fetch::file_name(url)))),
            Input::Stdin => Err(Stop::Usage(
                "standard input has no file name to be written under; name a file with --output"
                    .to_owned(),
            )),
        }
    }

    /// Writes the document, which was `original` when the file it came from was in `state`.
    ///
    /// # Errors
    /// It could not be written; the file is as it was then.
    pub(super) fn write(
        &self,
        document: &[u8],
        original: &[u8],
        state: Option<&State>,
    ) -> io::Result<()> {
        match self {
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(document)?;
                stdout.flush()
            }
            Self::File(path) => write_file(path, document, || Ok(())),
            Self::Told(_) | Self::Shown { .. } | Self::InPlace { .. } if document == original => {
                Ok(())
            }
            Self::Told(path) => writeln!(io::stdout().lock(), "{}", talk::visible(path)),
            Self::Shown { path, is_coloured } => {
                let mut stdout = BufWriter::new(io::stdout().lock());
                diff::write(path, original, document, *is_coloured, &mut stdout)?;
                stdout.flush()
            }
            Self::InPlace { path, .. } if !path.is_file() => Err(io::Error::other(
                "it is no ordinary file; name one for the result with --output",
            )),
            Self::InPlace { path, backup } => write_file(path, document, || {
                if State::of(path).as_ref() != state {
                    return Err(io::Error::other(
                        "the file changed while it was rewritten; run the command again",
                    ));
                }
                match backup {
                    Some(backup) => keep(path, backup),
                    None => Ok(()),
                }
            }),
        }
    }
}

impl State {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

/// Keeps the file at `path` under the name `backup` as well, which must be free.
fn keep(path: &Path, backup: &Path) -> io::Result<()> {
    // What a link leads to is kept: another link to it would lead to what replaces it.
    let path = &fs::canonicalize(path)?;
    let kept = fs::hard_link(path, backup).or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // One that is the original already was made by a run that came no further.
            let is_same = fs::read(path)? == fs::read(backup)?;
            return if is_same { Ok(()) } else { Err(error) };
        }
        // Not every file system has hard links.
        let mut copy = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(backup)?;
        io::copy(&mut fs::File::open(path)?, &mut copy)?;
        copy.sync_all()
    });
    kept.map_err(|error| {
        let backup = talk::visible(&backup.to_string_lossy());
        io::Error::other(format!(
            "the original cannot be kept as {backup}: {error}; name another suffix with --backup"
        ))
    })
}

/// Writes a document to a file, which is there whole or not at all; `before_it_is_there` is called when all is written but
/// not yet under that name.
fn write_file(
    path: &Path,
    document: &[u8],
    before_it_is_there: impl FnOnce() -> io::Result<()>,
) -> io::Result<()> {
    // A link stays a link: what it leads to is written.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(path).ok();
    if existing
        .as_ref()
        .is_some_and(|existing| !existing.is_file() && !existing.is_dir())
    {
        // A pipe or a device has no place to put another file in.
        return fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(document);
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory)?;
    let mut builder = Builder::new();
    match existing {
        Some(existing) => {
            builder.permissions(existing.permissions());
        }
        None => allow_what_the_mask_allows(&mut builder),
    }
    let mut file = builder.prefix(".absolve-").tempfile_in(directory)?;
    file.write_all(document)?;
    before_it_is_there()?;
    file.persist(path)?;
    Ok(())
}

/// Whether an output is a directory: it is there as one, or is written like one.
fn is_directory(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator)
}

/// A new file is not private, as temporary files are, but what the process's mask makes of it.
#[cfg(unix)]
fn allow_what_the_mask_allows(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn allow_what_the_mask_allows(_builder: &mut Builder<'_, '_>) {}
