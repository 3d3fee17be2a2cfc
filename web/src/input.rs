//! [`RawInput`]: a document in the memory of the module.

use absolve::{TextOffsets, TextUnit};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the memory of the module, in which the addresses of a [`RawInput`] are.
#[wasm_bindgen]
#[must_use]
pub fn module_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// The largest number of code units that JavaScript writes at once: as much as stays in the cache of a processor.
const MOST_UNITS: usize = 1 << 15;

/// A document, which JavaScript writes to the memory of the module: a string in UTF-8.
///
/// It serves one document after the other, because clearing memory takes as long as writing to it.
#[wasm_bindgen]
#[derive(Default)]
pub struct RawInput {
    /// The document, and after it what remains of longer ones.
    bytes: Vec<u8>,
    length: usize,
    is_text: bool,
    /// Code units that JavaScript has written; empty until it asks for their address.
    units: Vec<u16>,
}

#[wasm_bindgen]
impl RawInput {
    /// Creates an empty document.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a document.
    pub fn begin(&mut self, is_text: bool) {
        self.length = 0;
        self.is_text = is_text;
    }

    /// Makes room for `count` bytes after those that the document has, and returns their address.
    ///
    /// The address is valid until the next call of any function. The memory of the module may have grown.
    pub fn reserve(&mut self, count: usize) -> *mut u8 {
        room(&mut self.bytes, self.length, count).as_mut_ptr()
    }

    /// Adds the first `count` bytes at the address of [`reserve`](Self::reserve) to the document.
    pub fn append(&mut self, count: usize) {
        self.length = (self.length + count).min(self.bytes.len());
    }

    /// Returns the number of code units for which there is room at [`units`](Self::units).
    #[must_use]
    pub fn most_units() -> usize {
        MOST_UNITS
    }

    /// Returns the address of the room for code units, which is valid as that of [`reserve`](Self::reserve) is.
    pub fn units(&mut self) -> *mut u16 {
        self.units.resize(MOST_UNITS, 0);
        self.units.as_mut_ptr()
    }

    /// Adds the first `count` units at the address of [`units`](Self::units) to the document, in UTF-8.
    pub fn append_units(&mut self, count: usize) {
        let units = &self.units[..count.min(self.units.len())];
        let output = room(&mut self.bytes, self.length, units.len() * UTF8_LENGTH);
        self.length += encode_utf16(units, output);
    }
}

impl RawInput {
    /// Returns the document.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
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
        TextOffsets::new(self.bytes(), unit)
    }
}

/// Returns `count` bytes from `start`.
fn room(bytes: &mut Vec<u8>, start: usize, count: usize) -> &mut [u8] {
    let end = start + count;
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    &mut bytes[start..end]
}

/// Number of code units that are tested at once. Most blocks of most documents are ASCII.
const BLOCK: usize = 64;

/// The largest number of bytes in UTF-8 for a code unit.
const UTF8_LENGTH: usize = 3;

/// Encodes `units` in UTF-8 and returns the length. U+FFFD replaces lone surrogates.
///
/// `encoding_rs` does not use vectors here, and is optimized for size.
fn encode_utf16(units: &[u16], output: &mut [u8]) -> usize {
    let mut written = 0;
    let mut rest = units;
    while !rest.is_empty() {
        let (ascii, after) = split_run(rest, true);
        for (byte, unit) in output[written..].iter_mut().zip(ascii) {
            *byte = unit.to_le_bytes()[0];
        }
        written += ascii.len();
        // Neither half of a pair is ASCII, so that no pair is split.
        let (other, after) = split_run(after, false);
        written += encoding_rs::mem::convert_utf16_to_utf8(other, &mut output[written..]);
        rest = after;
    }
    written
}

/// Splits `units` after the first blocks that are ASCII, or that are not.
fn split_run(units: &[u16], is_ascii: bool) -> (&[u16], &[u16]) {
    let blocks = units.chunks(BLOCK);
    let run = blocks
        .take_while(|block| (block.iter().fold(0, |all, unit| all | unit) < 0x80) == is_ascii);
    units.split_at(run.map(<[u16]>::len).sum())
}
