//! A document with its facts, as a method gets them.

use std::borrow::Cow;

use absolve::{Document, Profile};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::facts::Facts;
use crate::input::Input;

/// The document that is the argument of a method, and the facts about it. Any thread may read it, without the
/// interpreter lock.
pub(crate) struct Argument {
    pub(crate) input: Input,
    /// `None`: absolve does not read documents of this media type.
    pub(crate) facts: Option<Facts>,
}

impl Argument {
    /// Validates the arguments of a method.
    ///
    /// # Errors
    /// Those of [`Input::new`] and [`Facts::new`].
    pub(crate) fn new(
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        facts: Option<&Bound<'_, PyDict>>,
        profile: Profile,
    ) -> PyResult<Self> {
        Ok(Self {
            input: Input::new(html)?,
            facts: Some(Facts::new(url, facts, profile)?),
        })
    }

    /// Returns a document that was retrieved with this `Content-Type`; see [`Facts::of_retrieved`].
    ///
    /// # Errors
    /// Those of [`Input::new`].
    pub(crate) fn retrieved(
        content: &Bound<'_, PyAny>,
        url: Option<&str>,
        content_type: Option<&str>,
    ) -> PyResult<Self> {
        let input = Input::new(content)?;
        let facts = Facts::of_retrieved(url, content_type.unwrap_or("text/html"), input.bytes());
        Ok(Self { input, facts })
    }

    /// Returns the document; one without content if it is not read.
    pub(crate) fn document(&self) -> Document<'_> {
        match &self.facts {
            Some(facts) => facts.document(self.input.bytes(), self.input.is_text()),
            None => Document::new(b""),
        }
    }

    /// Returns the retrieval URL.
    pub(crate) fn url(&self) -> Option<&str> {
        self.facts.as_ref().and_then(Facts::url)
    }
}

/// Returns the bytes of a rewritten document; `None` if they are those of the document.
pub(crate) fn changed(rewritten: Cow<'_, [u8]>) -> Option<Vec<u8>> {
    match rewritten {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(bytes),
    }
}
