//! Rewriting many documents on several threads.

use std::collections::VecDeque;
use std::sync::Arc;

use absolve::Profile;
use pyo3::prelude::*;

use crate::argument::Argument;
use crate::documents::{BatchSize, Documents};

const BATCH: BatchSize = BatchSize {
    documents: 32,
    bytes: 16 << 20,
};

/// An iterator over rewritten documents.
///
/// It takes a batch of documents, rewrites it on all threads while the interpreter lock is released, and yields the
/// results.
#[pyclass(generic, module = "absolve")]
pub(crate) struct RewrittenMany {
    settings: Arc<absolve::Rewriter>,
    documents: Documents,
    ready: VecDeque<Py<PyAny>>,
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
        Ok(Self {
            settings,
            documents: Documents::new(documents, profile, threads)?,
            ready: VecDeque::new(),
        })
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
        let batch = self.documents.next_batch(py, BATCH)?;
        let contents = batch.iter().map(Argument::content);
        let contents = contents.collect::<PyResult<Vec<_>>>()?;
        let settings = &*self.settings;
        let mut arguments = batch.iter();
        self.documents.process(
            py,
            &contents,
            |content| settings.rewrite(&content.document()).bytes,
            |bytes| {
                if let Some(argument) = arguments.next() {
                    self.ready.push_back(argument.input.output(bytes)?.unbind());
                }
                Ok(())
            },
        )?;
        Ok(self.ready.pop_front())
    }
}
