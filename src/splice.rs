//! Splicing: applying edits to bytes. This is the only code that writes output bytes.
//!
//! An edit replaces a span of the source; everything else is copied as it is. So by construction, a document is
//! unchanged outside its edits, whichever code found them.
//!
//! [`splice`] applies a list of edits. [`Splicer`] appends to a buffer as edits become known, and can roll back to a
//! checkpoint.
//!
//! # Invariants
//!
//! * Edits are in order, disjoint and within the source. Both refuse any other edit, and leave its span unchanged.
//! * Without edits, [`splice`] borrows the source, and [`Splicer`] appends nothing.

use std::borrow::Cow;

use crate::span::Span;

/// A span of a document and the bytes that replace it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The bytes to replace, as offsets in the document. An empty span is an insertion.
    pub span: Span,
    /// The replacement, in the document's encoding.
    pub replacement: Vec<u8>,
}

impl Edit {
    /// Creates the edit that replaces the bytes of `span`.
    #[must_use]
    pub fn new(span: Span, replacement: impl Into<Vec<u8>>) -> Self {
        Self {
            span,
            replacement: replacement.into(),
        }
    }
}

impl<'e> From<&'e Edit> for (Span, &'e [u8]) {
    fn from(edit: &'e Edit) -> Self {
        (edit.span, &edit.replacement)
    }
}

/// Returns `source` with every edit applied, each a span and its replacement; borrowed if there are none.
///
/// Edits must be in order, disjoint and within `source`. One that is not is skipped: it is a defect of the caller, and
/// an unchanged link does less harm than a damaged document. Debug builds panic instead.
///
/// # Complexity
/// Linear in the length of `source` and of the replacements.
pub fn splice<'s, 'e, I>(source: &'s [u8], edits: I) -> Cow<'s, [u8]>
where
    I: IntoIterator<Item: Into<(Span, &'e [u8])>, IntoIter: Clone>,
{
    let edits = edits.into_iter().map(Into::into);
    let added = edits
        .clone()
        .map(|(_, replacement)| replacement.len())
        .sum();
    let mut output = Vec::new();
    let mut splicer = Splicer::new(b"", source, added, &mut output);
    for (span, replacement) in edits {
        let is_fit = splicer.replace(span, replacement);
        debug_assert!(is_fit, "{span:?} in {} bytes", source.len());
    }
    match splicer.finish() {
        (0, _) => Cow::Borrowed(source),
        _ => Cow::Owned(output),
    }
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
    /// The edits applied, if they are recorded. Spans are in bytes of the source with its BOM.
    edits: Option<Vec<Edit>>,
}

impl<'s, 'o> Splicer<'s, 'o> {
    /// Creates a splicer that appends `bom` and `source` with its edits to `output`, if there are any edits.
    ///
    /// `growth` is an estimate of how much longer than `source` the result will be, in bytes.
    pub(crate) fn new(
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
            edits: None,
        }
    }

    /// Records the edits, which [`finish`](Self::finish) then returns.
    pub(crate) fn recording_edits(self) -> Self {
        Self {
            edits: Some(Vec::new()),
            ..self
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
        if let Some(edits) = &mut self.edits {
            edits.push(Edit::new(span.shifted(self.bom.len()), replacement));
        }
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
        if let Some(edits) = &mut self.edits {
            edits.truncate(checkpoint.count);
        }
    }

    /// Appends the rest of the source if any edit was applied. Returns the number of edits, and those recorded.
    pub(crate) fn finish(self) -> (usize, Vec<Edit>) {
        if self.count > 0 {
            self.output.extend_from_slice(&self.source[self.done..]);
        }
        (self.count, self.edits.unwrap_or_default())
    }
}

/// State of a [`Splicer`], to which it can roll back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplicerCheckpoint {
    length: usize,
    done: usize,
    count: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, replacement: &str) -> Edit {
        Edit::new(Span::new(start, end), replacement)
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
        let mut splicer = Splicer::new(b"BOM ", b"abc", 0, &mut output);
        let untouched = splicer.checkpoint();
        assert!(splicer.replace(Span::new(1, 2), b"-"));
        splicer.rollback(untouched);
        assert!(splicer.replace(Span::new(0, 1), b"A"));
        let edited = splicer.checkpoint();
        assert!(splicer.replace(Span::new(2, 3), b"-"));
        splicer.rollback(edited);
        assert_eq!(splicer.finish(), (1, Vec::new()));
        assert_eq!(output, b"before BOM Abc");
    }

    #[test]
    fn splicer_appends_nothing_without_edits() {
        let mut output = b"before".to_vec();
        let splicer = Splicer::new(b"BOM ", b"abc", 0, &mut output);
        assert_eq!(splicer.finish(), (0, Vec::new()));
        assert_eq!(output, b"before");
    }

    #[test]
    fn splice_borrows_the_source_without_edits() {
        assert!(matches!(splice(b"abc", &[]), Cow::Borrowed(b"abc")));
    }
}
