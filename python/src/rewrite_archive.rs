//! Rewriting of containers: HTTP dumps, mail, MHTML and WARC archives from one file to another.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use absolve_archive::container::{ContainerError, ContainerErrorKind, Format};
use absolve_archive::{ArchiveSettings, RecordForm, RewriteEvent};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::archive_report::ArchiveReport;
use crate::container::{Opened, invalid, open};
use crate::facts::Facts;
use crate::python_io::{self, FirstError, check_signals, error_of_io};

/// Number of bytes that are collected for one call of a binary file.
const WRITE_BYTES: usize = 256 << 10;

/// The settings for rewriting a container.
pub(crate) struct ArchiveRewrite<'a> {
    pub(crate) rewriter: &'a absolve::Rewriter,
    pub(crate) facts: Facts,
    pub(crate) settings: ArchiveSettings,
    pub(crate) record_form: RecordForm,
}

impl ArchiveRewrite<'_> {
    /// Rewrites the container `source` to `destination`; each of them is a path or a binary file, and the source may be
    /// `bytes`.
    ///
    /// # Errors
    /// The exception of a file; `OSError` for a path; `ValueError`: the source is no container, is the destination, or
    /// is an archive that cannot be copied record by record.
    pub(crate) fn run(
        &self,
        source: &Bound<'_, PyAny>,
        destination: &Bound<'_, PyAny>,
    ) -> PyResult<ArchiveReport> {
        reject_source(source, destination)?;
        let (read_error, write_error) = (FirstError::default(), FirstError::default());
        let source = read_error.of(python_io::open(source)?);
        let to = python_io::destination(destination)?;
        // The library returns only the kind of an error.
        let cause = |error| read_error.take().or(write_error.take()).unwrap_or(error);
        destination.py().detach(|| {
            let mut bytes = Vec::new();
            let opened = open(source, &mut bytes, &self.settings);
            let opened = opened.map_err(|error| error_of_io(cause(error)))?;
            to.write(|to| {
                let mut output = BufWriter::with_capacity(WRITE_BYTES, write_error.of(to));
                let report = self.write(opened, &mut output, &write_error);
                report
                    .and_then(|report| output.flush().map(|()| report))
                    .map_err(cause)
            })
        })
    }

    /// Writes a container with its documents rewritten. `write_error` is that of `output`.
    fn write(
        &self,
        opened: Opened<'_>,
        output: impl Write + Send,
        write_error: &FirstError,
    ) -> io::Result<ArchiveReport> {
        let mut report = ArchiveReport::new(match &opened {
            Opened::Archive(_) => Format::Warc,
            Opened::Parsed(format, _) => *format,
        });
        if let Opened::Parsed(_, container) = &opened {
            for error in container.other_errors() {
                report.add_error(None, error);
            }
        }
        let documents = self.facts.document_rewriter(self.rewriter);
        let add = |event: RewriteEvent<'_>| {
            report.add_event(event);
            match check_signals() {
                Ok(()) => ControlFlow::Continue(()),
                Err(raised) => {
                    write_error.keep(raised);
                    ControlFlow::Break(())
                }
            }
        };
        let (settings, form) = (&self.settings, self.record_form);
        match opened {
            Opened::Archive(archive) => {
                let rewritten = documents.rewrite_archive(archive, output, settings, form, add);
                report.records = Some(rewritten.map_err(io_error)?.records);
            }
            Opened::Parsed(_, container) => {
                let rewritten = documents.rewrite_container(&container, output, add);
                rewritten.map_err(io_error)?;
                report.problems.sort_by_key(|problem| problem.offset);
            }
        }
        Ok(report)
    }
}

/// Rejects a destination that is the source: it would be lost.
fn reject_source(source: &Bound<'_, PyAny>, destination: &Bound<'_, PyAny>) -> PyResult<()> {
    let path = source.py().import("os.path")?;
    // An exception means that a file does not exist, or that an object has none.
    let is_same_file = || {
        let files = (file(source)?, file(destination)?);
        let is_same = path.call_method1("samefile", &files)?.is_truthy()?;
        // Reading from a terminal does not prevent writing to it.
        PyResult::Ok(is_same && path.call_method1("isfile", (files.0,))?.is_truthy()?)
    };
    if source.is(destination) || is_same_file().unwrap_or_default() {
        let problem = "destination: the file is the source; write to another file";
        return Err(PyValueError::new_err(problem));
    }
    Ok(())
}

/// Returns a path, or the descriptor of an open file.
fn file<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if object.extract::<std::path::PathBuf>().is_ok() {
        return Ok(object.clone());
    }
    object.call_method0("fileno")
}

/// Returns the error that ends a rewrite.
fn io_error(error: ContainerError) -> io::Error {
    match error.kind {
        ContainerErrorKind::Unwritable(kind) | ContainerErrorKind::Unreadable(kind) => kind.into(),
        _ => invalid(&error.to_string()),
    }
}
