//! Where rewritten documents go.

use std::collections::{HashMap, HashSet};
use std::fs;
#[cfg(unix)]
use std::fs::Permissions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::Stop;
use super::input::Input;
use super::talk;

/// Where one rewritten document goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Output {
    Stdout,
    File(PathBuf),
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
                Input::Stdin => None,
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

    fn in_directory(input: &Input, directory: &Path) -> Result<Self, Stop> {
        match input {
            Input::File(file) => match file.file_name() {
                Some(name) => Ok(Self::File(directory.join(name))),
                None => Err(Stop::Usage(format!(
                    "{} has no file name to be written under",
                    input.name()
                ))),
            },
            Input::Stdin => Err(Stop::Usage(
                "standard input has no file name to be written under; name a file with --output"
                    .to_owned(),
            )),
        }
    }

    /// Writes the document: a file is there whole or not at all.
    pub(super) fn write(&self, document: &[u8]) -> io::Result<()> {
        let path = match self {
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(document)?;
                return stdout.flush();
            }
            Self::File(path) => path,
        };
        // A link stays a link: what it leads to is written.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.clone());
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
        file.persist(path)?;
        Ok(())
    }
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
