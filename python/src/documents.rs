//! Documents of an iterable.

use absolve::Profile;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::argument::Argument;
use crate::options::extract;

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

    /// Raises the exception that ended the documents, if there is one. Documents after an invalid item can be read
    /// then.
    ///
    /// # Errors
    /// The exception.
    pub(crate) fn raise_error(&mut self) -> PyResult<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Returns the document of an item.
    fn argument(&self, item: &Bound<'_, PyAny>) -> PyResult<Argument> {
        let items: Vec<Bound<'_, PyAny>> = match item.cast::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => Vec::new(),
        };
        match &items[..] {
            [html, url] => {
                let url = Some(url).filter(|url| !url.is_none());
                Argument::new(html, url, None, self.profile)
            }
            // The `Content-Type` is that of HTML if it is not known.
            [html, url, content_type] => {
                let url: Option<String> = extract("url", url)?;
                let content_type: Option<String> = extract("Content-Type", content_type)?;
                Argument::retrieved(html, url.as_deref(), content_type.as_deref())
            }
            _ => Err(PyTypeError::new_err(format!(
                "documents: not a tuple of document, URL and possibly Content-Type: {}",
                item.get_type().name()?
            ))),
        }
    }
}
