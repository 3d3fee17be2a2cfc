//! Detection of input and output directories that contain each other.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The relation of an output directory to an input directory, if one of them contains the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// They are the same directory.
    Same,
    /// The output is inside the input, and would be an input of the next run.
    OutputInInput,
    /// The input is inside the output, and would be overwritten.
    InputInOutput,
}

impl Overlap {
    /// Returns the relation of two directories; `None` if neither contains the other, or if the input does not exist.
    /// The output need not exist.
    #[must_use]
    pub fn of(input: &Path, output: &Path) -> Option<Self> {
        let input = fs::canonicalize(input).ok()?;
        let output = resolved_path(output);
        if output == input {
            Some(Self::Same)
        } else if output.starts_with(&input) {
            Some(Self::OutputInInput)
        } else if input.starts_with(&output) {
            Some(Self::InputInOutput)
        } else {
            None
        }
    }
}

/// Returns the canonical path that a file or directory has, or will have once it is created.
///
/// Symbolic links are resolved in the longest prefix that exists; `..` after that prefix is resolved by name.
#[must_use]
pub fn resolved_path(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        let Ok(mut resolved) = canonical_directory(existing) else {
            continue;
        };
        for component in path.strip_prefix(existing).unwrap_or(path).components() {
            match component {
                Component::ParentDir => {
                    resolved.pop();
                }
                Component::Normal(name) => resolved.push(name),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        return resolved;
    }
    path.to_owned()
}

/// Returns the canonical path of an ancestor of a path. That of a relative path may be the empty path, which is the
/// current directory.
///
/// # Errors
/// The directory does not exist.
pub fn canonical_directory(ancestor: &Path) -> io::Result<PathBuf> {
    let is_empty = ancestor.as_os_str().is_empty();
    fs::canonicalize(if is_empty { Path::new(".") } else { ancestor })
}
