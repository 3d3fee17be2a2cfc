//! [`RawRewritten`]: a rewritten document.

use std::mem;

use absolve::{Edit, Rewritten, Span};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::input::RawInput;

/// A rewritten document and its report.
#[wasm_bindgen]
pub struct RawRewritten {
    /// The document; empty if that of the caller is the result, or if the caller applies the edits.
    bytes: Vec<u8>,
    /// Start, end and length of the replacement of each edit, for a caller who has the document as a string.
    edits: Vec<u32>,
    /// The replacements, one after the other.
    replacements: String,
    edited: usize,
    report: String,
}

impl RawRewritten {
    /// Creates the result for a document that JavaScript has as bytes.
    pub(crate) fn of_bytes(rewritten: Rewritten<'_>, report: String) -> Self {
        Self {
            edited: rewritten.edited,
            bytes: match rewritten.edited {
                0 => Vec::new(),
                _ => rewritten.bytes.into_owned(),
            },
            edits: Vec::new(),
            replacements: String::new(),
            report,
        }
    }

    /// Creates the result for a document that JavaScript has as a string.
    pub(crate) fn of_text(edits: &[Edit], input: &RawInput, report: String) -> Self {
        let mut replacements = String::new();
        let mut cursor = input.unit_cursor();
        let rows = edits.iter().flat_map(|edit| {
            // Lossless: the document is UTF-8, and so are its edits.
            let replacement = String::from_utf8_lossy(&edit.replacement);
            replacements.push_str(&replacement);
            let length = if replacement.is_ascii() {
                replacement.len()
            } else {
                replacement.encode_utf16().count()
            };
            let Span { start, end } = edit.span;
            [cursor.unit(start), cursor.unit(end), length]
        });
        Self {
            bytes: Vec::new(),
            // The module has 4 GiB of memory at most.
            edits: rows
                .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
                .collect(),
            replacements,
            edited: edits.len(),
            report,
        }
    }
}

/// Returns start, end and length of the replacement of each edit.
pub(crate) fn byte_edits(edits: &[Edit]) -> Vec<u32> {
    let rows = edits.iter().flat_map(
        |Edit {
             span, replacement, ..
         }| [span.start, span.end, replacement.len()],
    );
    // The module has 4 GiB of memory at most.
    rows.map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        .collect()
}

#[wasm_bindgen]
impl RawRewritten {
    /// Returns the number of edits. If it is zero, the document of the caller is the result.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn edited(&self) -> usize {
        self.edited
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn report(&self) -> String {
        self.report.clone()
    }

    /// Takes three numbers for each edit of a string: start, end and length of the replacement.
    #[must_use]
    pub fn take_edits(&mut self) -> Vec<u32> {
        mem::take(&mut self.edits)
    }

    /// Takes the replacements of a string, one after the other.
    #[must_use]
    pub fn take_replacements(&mut self) -> String {
        mem::take(&mut self.replacements)
    }

    /// Returns the document, and frees the result. Empty if there are no edits.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
