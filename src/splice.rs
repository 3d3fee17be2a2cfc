//! Splicing: applying edits to bytes. This is the only code that writes output bytes.
//!
//! An edit replaces a span of the source; everything else is copied as it is. So by construction, a document is
//! unchanged outside its edits, whichever code found them.
//!
//! [`splice`] applies a list of edits. [`Splicer`] appends to a buffer as edits become known, and can roll back to a
//! checkpoint. [`SpliceWriter`] writes to a stream.
//!
//! # Invariants
//!
//! * Edits are in order, disjoint and within the source. Each of the three refuses any other edit, and leaves its span
//!   unchanged.
//! * Without edits, [`splice`] borrows the source, and [`Splicer`] appends nothing.

use std::borrow::Cow;
#[cfg(feature = "containers")]
use std::io::{self, Write};

use crate::span::Span;

/// A span of a document and the bytes that replace it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The bytes to replace, as offsets in the document. An empty span is an insertion.
    pub span: Span,
    /// The replacement, in the document's encoding.
    pub replacement: Vec<u8>,
}

/// Returns `source` with every edit applied; borrowed if there are none.
///
/// Edits must be in order, disjoint and within `source`. One that is not is skipped: it is a defect of this crate, and
/// an unchanged link does less harm than a damaged document. Debug builds panic instead.
///
/// # Complexity
/// Linear in the length of `source` and of the replacements.
pub(crate) fn splice<'s>(source: &'s [u8], edits: &[Edit]) -> Cow<'s, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(source);
    }
    let added = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut output = Vec::new();
    let mut splicer = Splicer::new(source, added, &mut output);
    for edit in edits {
        let is_fit = splicer.replace(edit.span, &edit.replacement);
        debug_assert!(is_fit, "{edit:?} in {} bytes", source.len());
    }
    splicer.finish();
    Cow::Owned(output)
}

/// Applies edits to a source as they become known, and appends the result to a buffer.
pub(crate) struct Splicer<'s, 'o> {
    source: &'s [u8],
    /// The BOM, which precedes the source and is copied.
    bom: &'s [u8],
    /// Estimate of how much longer than the source the output will be, in bytes.
    growth: usize,
    output: &'o mut Vec<u8>,
    /// Offset in the source up to which the output is complete.
    done: usize,
    /// Number of edits applied.
    count: usize,
}

impl<'s, 'o> Splicer<'s, 'o> {
    /// Creates a splicer that appends `source` with its edits to `output`, if there are any edits.
    ///
    /// `growth` is an estimate of how much longer than `source` the result will be, in bytes.
    pub(crate) fn new(source: &'s [u8], growth: usize, output: &'o mut Vec<u8>) -> Self {
        Self::after_bom(&[], source, growth, output)
    }

    /// Creates a splicer like [`new`](Self::new) for a source that follows `bom`, which is copied as well.
    pub(crate) fn after_bom(
        bom: &'s [u8],
        source: &'s [u8],
        growth: usize,
        output: &'o mut Vec<u8>,
    ) -> Self {
        Self {
            source,
            bom,
            growth,
            output,
            done: 0,
            count: 0,
        }
    }

    /// Replaces `span` of the source, and returns whether it did.
    ///
    /// It does not if `span` is outside the source, or begins before the end of a span replaced earlier.
    pub(crate) fn replace(&mut self, span: Span, replacement: &[u8]) -> bool {
        // `get` is `None` if `span` begins before `done`.
        let Some(kept) = self
            .source
            .get(self.done..span.start)
            .filter(|_| span.end <= self.source.len())
        else {
            return false;
        };
        // Only at the first edit, so that nothing is allocated for a document without edits.
        if self.count == 0 {
            let length = self.bom.len() + self.source.len();
            self.output.reserve(length + self.growth);
            self.output.extend_from_slice(self.bom);
        }
        self.output.extend_from_slice(kept);
        self.output.extend_from_slice(replacement);
        self.done = span.end;
        self.count += 1;
        true
    }

    /// Returns the number of edits applied.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns a checkpoint for [`rollback`](Self::rollback).
    pub(crate) fn checkpoint(&self) -> SplicerCheckpoint {
        SplicerCheckpoint {
            length: self.output.len(),
            done: self.done,
            count: self.count,
        }
    }

    /// Discards all edits applied since `checkpoint` was taken.
    pub(crate) fn rollback(&mut self, checkpoint: SplicerCheckpoint) {
        // Rolling back to a checkpoint taken before the first edit removes the BOM, too; the next edit appends it
        // again.
        self.output.truncate(checkpoint.length);
        self.done = checkpoint.done;
        self.count = checkpoint.count;
    }

    /// Appends the rest of the source if any edit was applied, and returns the number of edits.
    pub(crate) fn finish(self) -> usize {
        if self.count > 0 {
            self.output.extend_from_slice(&self.source[self.done..]);
        }
        self.count
    }
}

/// State of a [`Splicer`], to which it can roll back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplicerCheckpoint {
    length: usize,
    done: usize,
    count: usize,
}

/// Writes a source with edits to a stream, as they become known.
#[cfg(feature = "containers")]
#[derive(Debug)]
pub(crate) struct SpliceWriter<'s, W> {
    source: &'s [u8],
    output: W,
    /// Offset in the source up to which the output is complete.
    done: usize,
}

#[cfg(feature = "containers")]
impl<'s, W: Write> SpliceWriter<'s, W> {
    /// Creates a writer of `source` to `output`.
    pub(crate) fn new(source: &'s [u8], output: W) -> Self {
        Self {
            source,
            output,
            done: 0,
        }
    }

    /// Replaces `span` of the source, and returns whether it did.
    ///
    /// It does not if `span` is outside the source, or begins before the end of a span replaced earlier.
    ///
    /// # Errors
    /// Those of the stream.
    pub(crate) fn replace(&mut self, span: Span, replacement: &[u8]) -> io::Result<bool> {
        let Some(kept) = self
            .source
            .get(self.done..span.start)
            .filter(|_| span.end <= self.source.len())
        else {
            return Ok(false);
        };
        self.output.write_all(kept)?;
        self.output.write_all(replacement)?;
        self.done = span.end;
        Ok(true)
    }

    /// Writes the rest of the source.
    ///
    /// # Errors
    /// Those of the stream.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.output.write_all(&self.source[self.done..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, replacement: &str) -> Edit {
        Edit {
            span: Span::new(start, end),
            replacement: replacement.as_bytes().to_vec(),
        }
    }

    #[test]
    fn splice_applies_edits() {
        let edits = [
            edit(0, 1, "A"),
            edit(1, 1, "+"),
            edit(3, 4, ""),
            edit(5, 5, "!"),
        ];
        assert_eq!(&*splice(b"abcde", &edits), b"A+bce!");
    }

    #[test]
    fn splicer_rolls_back_to_a_checkpoint() {
        let mut output = b"before ".to_vec();
        let mut splicer = Splicer::after_bom(b"BOM ", b"abc", 0, &mut output);
        let untouched = splicer.checkpoint();
        assert!(splicer.replace(Span::new(1, 2), b"-"));
        splicer.rollback(untouched);
        assert!(splicer.replace(Span::new(0, 1), b"A"));
        let edited = splicer.checkpoint();
        assert!(splicer.replace(Span::new(2, 3), b"-"));
        splicer.rollback(edited);
        assert_eq!(splicer.finish(), 1);
        assert_eq!(output, b"before BOM Abc");
    }

    #[test]
    fn splicer_appends_nothing_without_edits() {
        let mut output = b"before".to_vec();
        let splicer = Splicer::after_bom(b"BOM ", b"abc", 0, &mut output);
        assert_eq!(splicer.finish(), 0);
        assert_eq!(output, b"before");
    }

    #[cfg(feature = "containers")]
    #[test]
    fn splice_writer_writes_edits_and_refuses_disorder() -> io::Result<()> {
        let edits = [edit(0, 1, "A"), edit(3, 4, ""), edit(5, 5, "!")];
        let mut written = Vec::new();
        let mut writer = SpliceWriter::new(b"abcde", &mut written);
        for edit in &edits {
            assert!(writer.replace(edit.span, &edit.replacement)?);
        }
        assert!(!writer.replace(Span::new(2, 3), b"out of order")?);
        writer.finish()?;
        assert_eq!(written, *b"Abce!");
        Ok(())
    }

    #[test]
    fn splice_borrows_the_source_without_edits() {
        assert!(matches!(splice(b"abc", &[]), Cow::Borrowed(b"abc")));
    }
}
