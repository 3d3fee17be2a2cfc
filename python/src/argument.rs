//! A document with its facts, as a method gets them.

use absolve::{Document, Profile};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::facts::Facts;
use crate::input::{Input, Offsets};

/// The document that is the argument of a method, and the facts about it.
pub(crate) struct Argument<'py> {
    pub(crate) input: Input<'py>,
    facts: Facts,
}

/// An [`Argument`] without objects of Python, for threads without the interpreter lock.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub(crate) bytes: &'a [u8],
    is_text: bool,
    facts: &'a Facts,
}

impl<'py> Argument<'py> {
    /// Validates the arguments of a method.
    ///
    /// # Errors
    /// Those of [`Input::new`] and [`Facts::new`].
    pub(crate) fn new(
        html: &Bound<'py, PyAny>,
        url: Option<&str>,
        facts: Option<&Bound<'py, PyDict>>,
        profile: Profile,
    ) -> PyResult<Self> {
        Ok(Self {
            input: Input::new(html)?,
            facts: Facts::new(url, facts, profile)?,
        })
    }

    /// Returns the content.
    ///
    /// # Errors
    /// There is no memory for the UTF-8 form of a `str`.
    pub(crate) fn content(&self) -> PyResult<Content<'_>> {
        Ok(Content {
            bytes: self.input.bytes()?,
            is_text: self.input.is_text(),
            facts: &self.facts,
        })
    }
}

impl<'a> Content<'a> {
    /// Returns the document.
    pub(crate) fn document(&self) -> Document<'a> {
        self.facts.document(self.bytes, self.is_text)
    }

    /// Returns the offsets in the unit of the argument. Linear in the length of a `str`.
    pub(crate) fn offsets(&self) -> Offsets<'a> {
        Offsets::new(self.bytes, self.is_text)
    }

    /// Returns the retrieval URL.
    pub(crate) fn url(&self) -> Option<&'a str> {
        self.facts.url()
    }
}
