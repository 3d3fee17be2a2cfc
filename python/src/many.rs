//! Rewriting many documents on several threads.

use std::sync::Arc;

use absolve::Profile;
use pyo3::prelude::*;

use crate::argument::{Argument, changed};
use crate::documents::Documents;
use crate::threads::{self, Capacity, Pool};

const CAPACITY: Capacity = Capacity {
    jobs: 32,
    bytes: 16 << 20,
};

/// An iterator over rewritten documents.
///
/// It takes documents, rewrites them on all threads while the interpreter lock is released, and yields the results.
#[pyclass(generic, module = "absolve")]
pub(crate) struct RewrittenMany {
    documents: Documents,
    /// The result is `None` for an unchanged document.
    pool: Pool<Argument, Option<Vec<u8>>>,
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
        let rewrite =
            move |argument: &Argument| changed(settings.rewrite(&argument.document()).bytes);
        Ok(Self {
            documents: Documents::new(documents, profile)?,
            pool: Pool::new(threads::count(threads), CAPACITY, rewrite),
        })
    }
}

#[pymethods]
impl RewrittenMany {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        py.check_signals()?;
        while self.pool.has_room()
            && let Some(argument) = self.documents.next(py)
        {
            let bytes = argument.input.bytes().len();
            self.pool.push(argument, bytes)?;
        }
        match self.pool.next(py)? {
            Some((argument, rewritten)) => {
                argument.input.output(py, rewritten.as_deref()).map(Some)
            }
            None => self.documents.raise_error().map(|()| None),
        }
    }
}
