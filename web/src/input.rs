//! [`RawInput`]: a document in the memory of the module.

use absolve::{TextOffsets, TextUnit};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the memory of the module, in which the address of a [`RawInput`] is.
#[wasm_bindgen]
#[must_use]
pub fn module_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// A document, which JavaScript writes to the memory of the module: a string in UTF-8, so that it is encoded where it is
/// read.
#[wasm_bindgen]
pub struct RawInput {
    bytes: Vec<u8>,
    is_text: bool,
}

#[wasm_bindgen]
impl RawInput {
    /// Creates a document of `length` bytes, which are zero at first.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(length: usize, is_text: bool) -> Self {
        Self {
            bytes: vec![0; length],
            is_text,
        }
    }

    /// Changes the number of bytes, and returns the address of the first. The memory may be a new one afterwards.
    pub fn resize(&mut self, length: usize) -> *mut u8 {
        self.bytes.resize(length, 0);
        self.bytes.as_mut_ptr()
    }
}

impl RawInput {
    /// Returns the document.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether JavaScript has the document as a string.
    pub(crate) fn is_text(&self) -> bool {
        self.is_text
    }

    /// Returns the offsets in the unit of the document. Linear in the length of a string.
    pub(crate) fn offsets(&self) -> TextOffsets<'_> {
        let unit = if self.is_text {
            TextUnit::Utf16CodeUnit
        } else {
            TextUnit::Byte
        };
        TextOffsets::new(&self.bytes, unit)
    }
}
