//! Rewriting many documents on several threads.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use absolve::Profile;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::facts::Facts;
use crate::input::Input;

/// Number of documents in a batch for each thread.
const DOCUMENTS_PER_THREAD: usize = 32;

/// Number of bytes after which a batch is complete.
const BATCH_BYTES: usize = 32 << 20;

/// An iterator over rewritten documents.
///
/// It takes a batch of documents, rewrites it on all threads while the interpreter lock is released, and yields the
/// results. No thread outlives its batch, so nothing is left to be stopped if the caller stops early.
#[pyclass(generic, module = "absolve")]
pub(crate) struct RewrittenMany {
    settings: Arc<absolve::Rewriter>,
    profile: Profile,
    threads: usize,
    documents: Py<PyIterator>,
    ready: VecDeque<Py<PyAny>>,
    /// The exception of the iterable, which is raised after the documents before it.
    error: Option<PyErr>,
}

impl RewrittenMany {
    /// Prepares the documents of an iterable. `threads` may be zero, for one on each processor.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn new(
        settings: Arc<absolve::Rewriter>,
        profile: Profile,
        documents: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Self> {
        let available = || thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            settings,
            profile,
            threads: if threads == 0 { available() } else { threads },
            documents: documents.try_iter()?.unbind(),
            ready: VecDeque::new(),
            error: None,
        })
    }

    /// Takes the documents of the next batch from the iterable; none at its end.
    fn next_batch<'py>(&mut self, py: Python<'py>) -> Vec<(Input<'py>, Facts)> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        let mut documents = self.documents.bind(py).clone();
        while batch.len() < self.threads * DOCUMENTS_PER_THREAD && bytes < BATCH_BYTES {
            match documents.next().map(|item| self.job(&item?)) {
                None => break,
                Some(Ok((input, facts, length))) => {
                    bytes += length;
                    batch.push((input, facts));
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        batch
    }

    /// Returns the document of an item, what is known about it, and its length.
    fn job<'py>(&self, item: &Bound<'py, PyAny>) -> PyResult<(Input<'py>, Facts, usize)> {
        let (html, url): (Bound<'py, PyAny>, Option<String>) = item.extract()?;
        let input = Input::new(&html)?;
        let length = input.bytes()?.len();
        Ok((
            input,
            Facts::new(url.as_deref(), None, self.profile)?,
            length,
        ))
    }
}

#[pymethods]
impl RewrittenMany {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if let Some(document) = self.ready.pop_front() {
            return Ok(Some(document));
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        py.check_signals()?;
        let batch = self.next_batch(py);
        let jobs = batch
            .iter()
            .map(|(input, facts)| Ok((input.bytes()?, input.is_text(), facts)))
            .collect::<PyResult<Vec<_>>>()?;
        let (settings, threads) = (&*self.settings, self.threads.min(jobs.len()));
        let results: Vec<OnceLock<Cow<'_, [u8]>>> = jobs.iter().map(|_| OnceLock::new()).collect();
        py.detach(|| {
            let next = AtomicUsize::new(0);
            let work = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(bytes, is_text, facts)) = jobs.get(index) else {
                        break;
                    };
                    let document = facts.document(bytes, is_text);
                    // No other thread has this index.
                    results[index].get_or_init(|| settings.rewrite(&document).bytes);
                }
            };
            thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(work);
                }
                work();
            });
        });
        for ((input, _), result) in batch.iter().zip(results) {
            if let Some(bytes) = result.into_inner() {
                self.ready.push_back(input.output(bytes)?.unbind());
            }
        }
        match self.ready.pop_front() {
            Some(document) => Ok(Some(document)),
            None => self.error.take().map_or(Ok(None), Err),
        }
    }
}
