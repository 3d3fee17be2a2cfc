//! Directories in one another: what is written into a directory that is read would be read the next time.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{Abort, terminal};

/// Refuses an output directory in the input directory, and the other way round.
pub(super) fn refuse_overlap(input: &Path, output: &Path) -> Result<(), Abort> {
    let Ok(real_input) = fs::canonicalize(input) else {
        return Ok(());
    };
    let real_output = resolved_path(output);
    let [input, output] =
        [input, output].map(|path| terminal::escape_control(&path.to_string_lossy()));
    let what = if real_output == real_input {
        format!("{output} is the input directory; replace its documents with --in-place")
    } else if real_output.starts_with(&real_input) {
        format!(
            "{output} is in the input directory {input}, and would be an input the next time; name one outside it with --output"
        )
    } else if real_input.starts_with(&real_output) {
        format!(
            "the input directory {input} is in {output}, and would be written over; name another with --output"
        )
    } else {
        return Ok(());
    };
    Err(Abort::Usage(what))
}

/// Where a directory or a file is, or will be.
pub(super) fn resolved_path(directory: &Path) -> PathBuf {
    let mut there = directory;
    loop {
        let real = if there.as_os_str().is_empty() {
            fs::canonicalize(".")
        } else {
            fs::canonicalize(there)
        };
        if let Ok(mut place) = real {
            for part in directory
                .strip_prefix(there)
                .unwrap_or(directory)
                .components()
            {
                match part {
                    Component::ParentDir => {
                        place.pop();
                    }
                    Component::Normal(name) => place.push(name),
                    Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
                }
            }
            return place;
        }
        match there.parent() {
            Some(parent) => there = parent,
            None => return directory.to_owned(),
        }
    }
}
