//! Documents as Python passes them: `bytes` or `str`.

use absolve::Span;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// The content of a document, and the object it came from. Any thread may read it, without the interpreter lock.
pub(crate) struct Input {
    /// The argument itself if it is `bytes` or `str`, and a copy as `bytes` if it is mutable.
    object: Py<PyAny>,
    content: Content,
}

/// The bytes of a document. They are immutable and live as long as their object.
enum Content {
    /// `bytes`.
    Bytes(PyBackedBytes),
    /// `str`, whose UTF-8 form the interpreter keeps.
    Text(PyBackedStr),
    /// `str` with lone surrogates, which have no UTF-8 form. They are encoded like other characters ("surrogatepass"),
    /// and are invalid bytes for the library.
    Surrogates(PyBackedBytes),
}

/// The arguments of `encode` and `decode` for strings with lone surrogates.
const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

impl Input {
    /// Returns the document in `object`.
    ///
    /// # Errors
    /// `TypeError`: the object is neither text nor bytes.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self {
                object: object.clone().unbind(),
                content: Content::Bytes(bytes.clone().into()),
            });
        }
        if let Ok(text) = object.cast::<PyString>() {
            let content = if let Ok(text) = PyBackedStr::try_from(text.clone()) {
                Content::Text(text)
            } else {
                let encoded = text.call_method1("encode", SURROGATES)?;
                Content::Surrogates(encoded.cast_into::<PyBytes>()?.into())
            };
            return Ok(Self {
                object: object.clone().unbind(),
                content,
            });
        }
        // Copied: the caller could change them while the interpreter lock is released.
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let copy = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Self {
                content: Content::Bytes(copy.clone().cast_into::<PyBytes>()?.into()),
                object: copy.unbind(),
            });
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a document must be bytes or str, not {kind}"
        )))
    }

    /// Returns the document; a `str` in UTF-8.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Bytes(bytes) | Content::Surrogates(bytes) => bytes,
            Content::Text(text) => text.as_bytes(),
        }
    }

    /// Returns whether the document is a `str`.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self.content, Content::Bytes(_))
    }

    /// Returns `bytes`, which replace the document, as an object of the type of the document; without `bytes`, the
    /// document itself.
    ///
    /// # Errors
    /// There is no memory for the result.
    pub(crate) fn output<'py>(
        &self,
        py: Python<'py>,
        bytes: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(bytes) = bytes else {
            return Ok(self.object.bind(py).clone());
        };
        if !self.is_text() {
            return Ok(PyBytes::new(py, bytes).into_any());
        }
        match str::from_utf8(bytes) {
            Ok(text) => Ok(PyString::new(py, text).into_any()),
            Err(_) => PyBytes::new(py, bytes).call_method1("decode", SURROGATES),
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
