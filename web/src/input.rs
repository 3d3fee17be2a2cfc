//! [`RawInput`]: a document in the memory of the module.

use absolve::{TextOffsets, TextUnit};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::utf16::{encode, room_for};

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
    /// The runs of a string.
    runs: Runs,
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
        self.runs.clear();
    }

    /// Makes room for `count` bytes after those that the document has, and returns their address.
    ///
    /// The address is valid until the next call of any function. The memory of the module may have grown.
    pub fn reserve(&mut self, count: usize) -> *mut u8 {
        room(&mut self.bytes, self.length, count).as_mut_ptr()
    }

    /// Adds the first `count` bytes at the address of [`reserve`](Self::reserve) to the document.
    pub fn append(&mut self, count: usize) {
        let count = count.min(self.bytes.len() - self.length);
        self.length += count;
        // The number of units is not known, and not needed: no other run follows.
        self.runs.add(false, count, 0);
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
        let output = room(&mut self.bytes, self.length, room_for(units.len()));
        self.length += encode(units, output, |is_ascii, bytes, units| {
            self.runs.add(is_ascii, bytes, units);
        });
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

    /// Returns a cursor for offsets of a string.
    pub(crate) fn unit_cursor(&self) -> UnitCursor<'_> {
        UnitCursor {
            input: self,
            run: 0,
            offsets: None,
        }
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

/// The runs of a string: parts that are ASCII, where a byte is a code unit, and the parts between them.
#[derive(Default)]
struct Runs {
    list: Vec<Run>,
    /// The end of the last run, in bytes and in code units.
    bytes: usize,
    units: usize,
}

/// A run, which ends where the next one begins.
struct Run {
    is_ascii: bool,
    /// Its start in bytes.
    byte: usize,
    /// Its start in code units.
    unit: usize,
}

impl Runs {
    fn clear(&mut self) {
        self.list.clear();
        (self.bytes, self.units) = (0, 0);
    }

    /// Adds text of a length in bytes and in code units.
    fn add(&mut self, is_ascii: bool, bytes: usize, units: usize) {
        if bytes > 0 && self.list.last().map(|last| last.is_ascii) != Some(is_ascii) {
            let (byte, unit) = (self.bytes, self.units);
            self.list.push(Run {
                is_ascii,
                byte,
                unit,
            });
        }
        self.bytes += bytes;
        self.units += units;
    }
}

/// Converts offsets of a string that are in order, from bytes to code units.
///
/// Unlike [`TextOffsets`] it need not read the runs that are ASCII, which are most of the text of most documents.
pub(crate) struct UnitCursor<'i> {
    input: &'i RawInput,
    /// The index of the current run.
    run: usize,
    /// The offsets in it, if it is not ASCII and was asked for.
    offsets: Option<TextOffsets<'i>>,
}

impl UnitCursor<'_> {
    /// Returns `offset`, which must not be before the one given last, in code units.
    ///
    /// # Complexity
    /// Linear in the length of the runs that are not ASCII, over all calls.
    pub(crate) fn unit(&mut self, offset: usize) -> usize {
        let runs = &self.input.runs.list;
        while runs
            .get(self.run + 1)
            .is_some_and(|next| next.byte <= offset)
        {
            self.run += 1;
            self.offsets = None;
        }
        let Some(run) = runs.get(self.run) else {
            return 0;
        };
        let inner = offset - run.byte;
        if run.is_ascii {
            return run.unit + inner;
        }
        let end = runs
            .get(self.run + 1)
            .map_or(self.input.length, |next| next.byte);
        let text = &self.input.bytes[run.byte..end];
        let offsets = self
            .offsets
            .get_or_insert_with(|| TextOffsets::new(text, TextUnit::Utf16CodeUnit));
        run.unit + offsets.offset(inner)
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
