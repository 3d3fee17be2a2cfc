//! Documents of an iterable.

use absolve::Profile;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::argument::Argument;

/// A document with its URL and its `Content-Type`, which is that of HTML if it is not known.
type Retrieved<'py> = (Bound<'py, PyAny>, Option<String>, Option<String>);

/// Pairs of document and URL that are still to be read, or triples with the `Content-Type` as well.
pub(crate) struct Documents {
    profile: Profile,
    /// `None` after the end.
    iterator: Option<Py<PyIterator>>,
    /// The exception of the iterable or of an item, to be raised after the documents before it.
    error: Option<PyErr>,
}

impl Documents {
    /// Prepares the documents of an iterable.
    ///
    /// # Errors
    /// `TypeError`: `documents` cannot be iterated over.
    pub(crate) fn new(documents: &Bound<'_, PyAny>, profile: Profile) -> PyResult<Self> {
        Ok(Self {
            profile,
            iterator: Some(documents.try_iter()?.unbind()),
            error: None,
        })
    }

    /// Returns the next document; `None` at the end, and before an exception that was not raised yet.
    pub(crate) fn next(&mut self, py: Python<'_>) -> Option<Argument> {
        if self.error.is_some() {
            return None;
        }
        let mut iterator = self.iterator.as_ref()?.bind(py).clone();
        let Some(item) = iterator.next() else {
            self.iterator = None;
            return None;
        };
        match item.and_then(|item| self.argument(&item)) {
            Ok(argument) => Some(argument),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    /// Raises the exception that ended the documents, if there is one. Documents after an invalid item can be read then.
    ///
    /// # Errors
    /// The exception.
    pub(crate) fn raise_error(&mut self) -> PyResult<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Returns the document of an item.
    fn argument(&self, item: &Bound<'_, PyAny>) -> PyResult<Argument> {
        if let Ok((html, url, content_type)) = item.extract::<Retrieved<'_>>() {
            return Argument::retrieved(&html, url.as_deref(), content_type.as_deref());
        }
        let (html, url): (Bound<'_, PyAny>, Option<String>) = item.extract()?;
        Argument::new(&html, url.as_deref(), None, self.profile)
    }
}
