//! Documents as Python passes them: `bytes` or `str`.

use absolve::{TextOffsets, TextUnit};
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
    /// `str` with lone surrogates, which have no UTF-8 form: see [`hide_surrogates`].
    Surrogates(Vec<u8>),
}

/// The arguments of `encode` and `decode` for strings with lone surrogates.
const SURROGATES: (&str, &str) = ("utf-8", "surrogatepass");

impl Input {
    /// Returns the document in `object`.
    ///
    /// # Errors
    /// `TypeError`: the object is neither text nor bytes.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut object = object.clone();
        // Copied: the caller could change them while the interpreter lock is released.
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            object = object.py().get_type::<PyBytes>().call1((object,))?;
        }
        let content = if let Ok(bytes) = object.cast::<PyBytes>() {
            Content::Bytes(bytes.clone().into())
        } else if let Ok(text) = object.cast::<PyString>() {
            if let Ok(text) = PyBackedStr::try_from(text.clone()) {
                Content::Text(text)
            } else {
                let mut encoded: Vec<u8> = text.call_method1("encode", SURROGATES)?.extract()?;
                hide_surrogates(&mut encoded);
                Content::Surrogates(encoded)
            }
        } else {
            let kind = object.get_type().name()?;
            let problem = format!("a document must be bytes or str, not {kind}");
            return Err(PyTypeError::new_err(problem));
        };
        let object = object.unbind();
        Ok(Self { object, content })
    }

    /// Returns the document; a `str` in UTF-8.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Bytes(bytes) => bytes,
            Content::Surrogates(bytes) => bytes,
            Content::Text(text) => text.as_bytes(),
        }
    }

    /// Returns whether the document is a `str`.
    pub(crate) fn is_text(&self) -> bool {
        !matches!(self.content, Content::Bytes(_))
    }

    /// Returns the offsets in the unit of the document. Linear in the length of a `str`.
    pub(crate) fn offsets(&self) -> TextOffsets<'_> {
        let unit = if self.is_text() {
            TextUnit::CodePoint
        } else {
            TextUnit::Byte
        };
        TextOffsets::new(self.bytes(), unit)
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
        if let Ok(text) = str::from_utf8(bytes) {
            return Ok(PyString::new(py, text).into_any());
        }
        let mut bytes = bytes.to_vec();
        restore_surrogates(&mut bytes);
        PyBytes::new(py, &bytes).call_method1("decode", SURROGATES)
    }
}

/// Replaces surrogates that are encoded like other characters (ED A0 80 to ED BF BF), which are three malformed
/// sequences (Encoding Standard, "UTF-8 decoder"), by one that is as long: a character of four bytes without the last
/// one.
fn hide_surrogates(bytes: &mut [u8]) {
    for start in 1..bytes.len() {
        if bytes[start - 1] == 0xED && bytes[start] >= 0xA0 {
            bytes[start - 1] = 0xF0;
            bytes[start] -= 0x10;
        }
    }
}

/// Reverses [`hide_surrogates`]: nothing else in a string lacks its last byte.
fn restore_surrogates(bytes: &mut [u8]) {
    for start in 0..bytes.len() {
        let is_cut = |next: Option<&u8>| next.is_none_or(|next| next & 0b1100_0000 != 0b1000_0000);
        if bytes[start] == 0xF0 && is_cut(bytes.get(start + 3)) {
            bytes[start] = 0xED;
            if let Some(second) = bytes.get_mut(start + 1) {
                *second += 0x10;
            }
        }
    }
}
