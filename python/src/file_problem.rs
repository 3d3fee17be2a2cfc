//! Problems with files of a directory.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

use absolve_site::files::Walk;
use pyo3::prelude::*;

/// A file or directory that was not read, not converted or not written.
#[pyclass(
    frozen,
    get_all,
    new = "from_fields",
    from_py_object,
    module = "absolve"
)]
#[derive(Clone)]
pub(crate) struct FileProblem {
    /// The path of the file or directory.
    path: OsString,
    /// The problem.
    message: String,
}

impl FileProblem {
    pub(crate) fn new(path: &Path, message: &dyn Display) -> Self {
        Self {
            path: path.into(),
            message: message.to_string(),
        }
    }
}

/// Returns what was not found in a directory.
pub(crate) fn of_walk(walk: &Walk) -> Vec<FileProblem> {
    let errors = walk.errors.iter();
    errors
        .map(|error| FileProblem::new(error.path(), error))
        .collect()
}

#[pymethods]
impl FileProblem {
    fn __repr__(&self) -> String {
        format!("<FileProblem {}: {}>", self.path.display(), self.message)
    }
}
