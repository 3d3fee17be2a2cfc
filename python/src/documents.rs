//! Documents of an iterable: taken in batches, and processed on several threads.

use absolve::Profile;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::argument::Argument;
use crate::threads;

/// The size of a batch, for each thread.
#[derive(Clone, Copy)]
pub(crate) struct BatchSize {
    /// Number of documents after which the batch is complete.
    pub(crate) documents: usize,
    /// Number of bytes after which the batch is complete.
    pub(crate) bytes: usize,
}

/// Pairs of document and URL that are still to be read.
pub(crate) struct Documents {
    profile: Profile,
    threads: usize,
    iterator: Py<PyIterator>,
    /// The exception of the iterable, which is raised after the documents before it.
    error: Option<PyErr>,
}

impl Documents {
    /// Prepares the documents of an iterable. `threads` may be zero, for one on each processor.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn new(
        documents: &Bound<'_, PyAny>,
        profile: Profile,
        threads: usize,
    ) -> PyResult<Self> {
        Ok(Self {
            profile,
            threads: threads::count(threads),
            iterator: documents.try_iter()?.unbind(),
            error: None,
        })
    }

    /// Takes the documents of the next batch from the iterable; none at its end.
    ///
    /// # Errors
    /// A signal handler raises an exception, or the iterable raised one after the batch before.
    pub(crate) fn next_batch<'py>(
        &mut self,
        py: Python<'py>,
        size: BatchSize,
    ) -> PyResult<Vec<Argument<'py>>> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        py.check_signals()?;
        let mut batch = Vec::new();
        let mut bytes = 0;
        let mut iterator = self.iterator.bind(py).clone();
        while batch.len() < self.threads * size.documents && bytes < self.threads * size.bytes {
            match iterator.next().map(|item| self.argument(&item?)) {
                None => break,
                Some(Ok((argument, length))) => {
                    bytes += length;
                    batch.push(argument);
                }
                Some(Err(error)) if batch.is_empty() => return Err(error),
                Some(Err(error)) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        Ok(batch)
    }

    /// Returns the document of an item, and its length.
    fn argument<'py>(&self, item: &Bound<'py, PyAny>) -> PyResult<(Argument<'py>, usize)> {
        let (html, url): (Bound<'py, PyAny>, Option<String>) = item.extract()?;
        let argument = Argument::new(&html, url.as_deref(), None, self.profile)?;
        let length = argument.content()?.bytes.len();
        Ok((argument, length))
    }

    /// Calls `work` with each of `jobs` on the threads, and `deliver` with the results: see [`threads::process`].
    ///
    /// # Errors
    /// Those of `deliver`.
    pub(crate) fn process<J: Sync, T: Send>(
        &self,
        py: Python<'_>,
        jobs: &[J],
        work: impl Fn(&J) -> T + Sync,
        deliver: impl FnMut(T) -> PyResult<()>,
    ) -> PyResult<()> {
        threads::process(py, self.threads, jobs, work, deliver)
    }
}
