//! Documents of an iterable: taken in batches, and processed on several threads.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use absolve::Profile;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::argument::Argument;

/// The size of a batch, for each thread.
#[derive(Clone, Copy)]
pub(crate) struct BatchSize {
    /// Number of documents after which the batch is complete.
    pub(crate) documents: usize,
    /// Number of bytes after which the batch is complete.
    pub(crate) bytes: usize,
}

/// Number of jobs after which a thread that is one of several delivers results: taking the interpreter lock has a cost.
const DELIVERY: usize = 8;

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
        let available = || thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            profile,
            threads: if threads == 0 { available() } else { threads },
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

    /// Calls `work` with each of `jobs` on several threads, without the interpreter lock, and `deliver` with the results in
    /// order, on this thread, with the lock. Results are delivered while other threads work. No thread outlives the
    /// call, so nothing is left to be stopped if the caller stops early.
    ///
    /// # Errors
    /// Those of `deliver`.
    pub(crate) fn process<J: Sync, T: Send>(
        &self,
        py: Python<'_>,
        jobs: &[J],
        work: impl Fn(&J) -> T + Sync,
        mut deliver: impl FnMut(T) -> PyResult<()>,
    ) -> PyResult<()> {
        let results: Vec<Mutex<Option<T>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
        let take = |result: &Mutex<Option<T>>| {
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            result.take()
        };
        let next = AtomicUsize::new(0);
        // Returns whether there was a job.
        let run = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else {
                return false;
            };
            let result = work(job);
            *results[index]
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some(result);
            true
        };
        let mut undelivered = results.iter().peekable();
        let threads = self.threads.min(jobs.len());
        let interval = if threads > 1 {
            DELIVERY
        } else {
            jobs.len().max(1)
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (1..threads)
                .map(|_| scope.spawn(|| while run() {}))
                .collect();
            while py.detach(|| (0..interval).all(|_| run())) {
                while let Some(result) = undelivered.peek().copied().and_then(take) {
                    undelivered.next();
                    if let Err(error) = deliver(result) {
                        next.store(jobs.len(), Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            py.detach(|| {
                for worker in workers {
                    worker.join().unwrap_or_else(|panic| resume_unwind(panic));
                }
            });
            // Every index was taken by a thread, and all threads have ended.
            undelivered.filter_map(take).try_for_each(deliver)
        })
    }
}
