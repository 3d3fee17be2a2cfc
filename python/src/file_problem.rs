//! Problems with files of a directory.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;

/// A file or directory that was not read, not converted or not written.
#[pyclass(frozen, module = "absolve")]
#[derive(Clone)]
pub(crate) struct FileProblem {
    path: PathBuf,
    message: String,
}

impl FileProblem {
    pub(crate) fn new(path: &Path, message: &dyn Display) -> Self {
        Self {
            path: path.to_owned(),
            message: message.to_string(),
        }
    }
}

#[pymethods]
impl FileProblem {
    /// The path of the file or directory.
    #[getter]
    fn path(&self) -> &OsStr {
        self.path.as_os_str()
    }

    /// The problem.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<FileProblem {}: {}>", self.path.display(), self.message)
    }
}
