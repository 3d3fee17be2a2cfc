//! Detection of input and output directories that contain each other.
//!
//! An output directory inside the input directory would be an input of the next run; an input directory inside the
//! output directory would be overwritten.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::exit::Abort;
use super::terminal;

/// Rejects an output directory that is, contains or is inside the input directory.
pub(super) fn reject_overlap(input: &Path, output: &Path) -> Result<(), Abort> {
    let Ok(real_input) = fs::canonicalize(input) else {
        // An input that cannot be found is reported when it is read.
        return Ok(());
    };
    let real_output = resolved_path(output);
    let [input, output] = [input, output].map(terminal::path);
    let message = if real_output == real_input {
        format!(
            "output directory {output} is the input directory\n  hint: use --in-place to replace its documents"
        )
    } else if real_output.starts_with(&real_input) {
        format!(
            "output directory {output} is inside the input directory {input}, and would be an input of the next run\n  hint: use an --output directory outside it"
        )
    } else if real_input.starts_with(&real_output) {
        format!(
            "input directory {input} is inside the output directory {output}, and would be overwritten\n  hint: use another --output directory"
        )
    } else {
        return Ok(());
    };
    Err(Abort::Usage(message))
}

/// Returns the canonical path that a file or directory has, or will have once it is created.
///
/// Symbolic links are resolved in the longest prefix that exists; `..` after that prefix is resolved by name.
pub(super) fn resolved_path(path: &Path) -> PathBuf {
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
pub(super) fn canonical_directory(ancestor: &Path) -> io::Result<PathBuf> {
    let is_empty = ancestor.as_os_str().is_empty();
    fs::canonicalize(if is_empty { Path::new(".") } else { ancestor })
}
