//! Documents as Python passes them: `bytes` or `str`.

use std::borrow::Cow;

use absolve::Span;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// The content of a document, and the object it came from.
pub(crate) struct Input<'py> {
    /// The argument itself if it is `bytes` or `str`, and a copy as `bytes` if it is mutable.
    object: Bound<'py, PyAny>,
    content: Content<'py>,
}

/// The bytes of a document. They are immutable and live as long as their object.
enum Content<'py> {
    /// `bytes`.
    Bytes(Bound<'py, PyBytes>),
    /// `str`, whose UTF-8 form the interpreter keeps.
    Text(Bound<'py, PyString>),
    /// `str` with lone surrogates, which have no UTF-8 form. They are encoded like other characters ("surrogatepass"),
    /// and are invalid bytes for the library.
    Surrogates(Bound<'py, PyBytes>),
}

/// The arguments of `encode` and `decode` for strings with lone surrogates.
const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

impl<'py> Input<'py> {
    /// Returns the document in `object`.
    ///
    /// # Errors
    /// `TypeError`: the object is neither text nor bytes.
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self {
                object: object.clone(),
                content: Content::Bytes(bytes.clone()),
            });
        }
        if let Ok(text) = object.cast::<PyString>() {
            let content = if text.to_str().is_ok() {
                Content::Text(text.clone())
            } else {
                let encoded = text.call_method1("encode", SURROGATES)?;
                Content::Surrogates(encoded.cast_into()?)
            };
            return Ok(Self {
                object: object.clone(),
                content,
            });
        }
        // Copied: the caller could change them while the interpreter lock is released.
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let copy = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Self {
                content: Content::Bytes(copy.clone().cast_into()?),
                object: copy,
            });
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a document must be bytes or str, not {kind}"
        )))
    }

    /// Returns the document; a `str` in UTF-8.
    ///
    /// # Errors
    /// There is no memory for the UTF-8 form.
    pub(crate) fn bytes(&self) -> PyResult<&[u8]> {
        Ok(match &self.content {
            Content::Bytes(bytes) | Content::Surrogates(bytes) => bytes.as_bytes(),
            Content::Text(text) => text.to_str()?.as_bytes(),
        })
    }

    /// Returns whether the document is a `str`.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self.content, Content::Bytes(_))
    }

    /// Returns `bytes`, which replace the document, as an object of the type of the document. An unchanged document is
    /// the same object.
    ///
    /// # Errors
    /// There is no memory for the result.
    pub(crate) fn output(&self, bytes: Cow<'_, [u8]>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.object.py();
        let Cow::Owned(bytes) = bytes else {
            return Ok(self.object.clone());
        };
        if !self.is_text() {
            return Ok(PyBytes::new(py, &bytes).into_any());
        }
        match str::from_utf8(&bytes) {
            Ok(text) => Ok(PyString::new(py, text).into_any()),
            Err(_) => PyBytes::new(py, &bytes).call_method1("decode", SURROGATES),
        }
    }
}

/// Offsets of a document in the unit of its type: bytes, or characters of a `str`.
pub(crate) enum Offsets<'d> {
    /// Bytes, or characters of one byte each.
    Bytes,
    /// Characters.
    Characters {
        bytes: &'d [u8],
        /// The number of characters before each block of [`BLOCK`] bytes.
        counts: Vec<usize>,
    },
}

/// Number of bytes between two counts, and so the number that finding an offset may have to count.
const BLOCK: usize = 1024;

impl<'d> Offsets<'d> {
    /// Prepares the offsets of a document. Linear in its length.
    pub(crate) fn new(bytes: &'d [u8], is_text: bool) -> Self {
        if !is_text || bytes.is_ascii() {
            return Self::Bytes;
        }
        let mut count = 0;
        let counts = bytes.chunks(BLOCK).map(|block| {
            let before = count;
            count += characters(block);
            before
        });
        Self::Characters {
            counts: counts.collect(),
            bytes,
        }
    }

    /// Converts a span in bytes.
    pub(crate) fn span(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    fn offset(&self, offset: usize) -> usize {
        match self {
            Self::Bytes => offset,
            Self::Characters { bytes, counts } => {
                let block = offset / BLOCK;
                // The end of a document may be the end of its last block, which has no count after it.
                let (start, before) = match counts.get(block) {
                    Some(&count) => (block * BLOCK, count),
                    None => match counts.last() {
                        Some(&count) => ((counts.len() - 1) * BLOCK, count),
                        None => (0, 0),
                    },
                };
                before + characters(&bytes[start..offset])
            }
        }
    }
}

/// Counts the characters that begin in `bytes`, which are UTF-8, perhaps with surrogates.
fn characters(bytes: &[u8]) -> usize {
    let is_first = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    bytes.iter().filter(is_first).count()
}
