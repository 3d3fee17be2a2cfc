//! Splicing: the only code that writes output bytes.

use std::borrow::Cow;
#[cfg(feature = "containers")]
use std::io::{self, Write};

use crate::span::Span;

/// A span of a document and the bytes that replace it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// What is replaced, in bytes of the document; an empty span is a place to insert at.
    pub span: Span,
    /// What replaces it, in the document's encoding.
    pub replacement: Vec<u8>,
}

/// `source` with every edit applied; borrowed if there are none.
///
/// Edits must be in order, disjoint and within `source`. One that is not is left out, because it can only be a defect
/// of whoever made the list, and leaving a link alone is the lesser harm; debug builds stop there.
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

/// Applies edits one after the other, as they become known.
pub(crate) struct Splicer<'s, 'o> {
    source: &'s [u8],
    /// What stands before the source, and is kept.
    bom: &'s [u8],
    /// How many bytes more than the source the output is likely to have.
    growth: usize,
    output: &'o mut Vec<u8>,
    /// How much of the source the output stands for.
    done: usize,
    count: usize,
}

impl<'s, 'o> Splicer<'s, 'o> {
    /// Nothing of `source` is replaced as yet, and nothing is appended to `output`; what will be is likely to be `growth`
    /// bytes longer.
    pub(crate) fn new(source: &'s [u8], growth: usize, output: &'o mut Vec<u8>) -> Self {
        Self::after_bom(&[], source, growth, output)
    }

    /// As [`new`](Self::new), with `bom` before the source.
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

    /// Replaces `span` of the source, if it is in there and behind all that were replaced before; whether it is.
    pub(crate) fn replace(&mut self, span: Span, replacement: &[u8]) -> bool {
        let Some(kept) = self
            .source
            .get(self.done..span.start)
            .filter(|_| span.end <= self.source.len())
        else {
            return false;
        };
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

    /// How often something was replaced.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// What [`rollback`](Self::rollback) comes back to.
    pub(crate) fn checkpoint(&self) -> SplicerCheckpoint {
        SplicerCheckpoint {
            length: self.output.len(),
            done: self.done,
            count: self.count,
        }
    }

    /// Takes back all that was replaced since the splicer was in `state`.
    pub(crate) fn rollback(&mut self, state: SplicerCheckpoint) {
        self.output.truncate(state.length);
        self.done = state.done;
        self.count = state.count;
    }

    /// Appends what is left of the source, if anything was replaced; how often it was.
    pub(crate) fn finish(self) -> usize {
        if self.count > 0 {
            self.output.extend_from_slice(&self.source[self.done..]);
        }
        self.count
    }
}

/// What a [`Splicer`] has done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplicerCheckpoint {
    length: usize,
    done: usize,
    count: usize,
}

/// Writes a source with edits, as they become known.
#[cfg(feature = "containers")]
#[derive(Debug)]
pub(crate) struct SpliceWriter<'s, W> {
    source: &'s [u8],
    to: W,
    /// How much of the source was written, or replaced.
    done: usize,
}

#[cfg(feature = "containers")]
impl<'s, W: Write> SpliceWriter<'s, W> {
    pub(crate) fn new(source: &'s [u8], to: W) -> Self {
        Self {
            source,
            to,
            done: 0,
        }
    }

    /// Replaces `span` of the source, if it is in there and behind all that were replaced before; whether it is.
    pub(crate) fn replace(&mut self, span: Span, replacement: &[u8]) -> io::Result<bool> {
        let Some(kept) = self
            .source
            .get(self.done..span.start)
            .filter(|_| span.end <= self.source.len())
        else {
            return Ok(false);
        };
        self.to.write_all(kept)?;
        self.to.write_all(replacement)?;
        self.done = span.end;
        Ok(true)
    }

    /// Writes what is left of the source.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.to.write_all(&self.source[self.done..])
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
    fn edits_are_applied_in_one_pass() {
        let edits = [
            edit(0, 1, "A"),
            edit(1, 1, "+"),
            edit(3, 4, ""),
            edit(5, 5, "!"),
        ];
        assert_eq!(&*splice(b"abcde", &edits), b"A+bce!");
    }

    #[test]
    fn edits_are_taken_back() {
        let mut output = b"before ".to_vec();
        let mut splicer = Splicer::after_bom(b"mark", b"abc", 0, &mut output);
        let untouched = splicer.checkpoint();
        assert!(splicer.replace(Span::new(1, 2), b"-"));
        splicer.rollback(untouched);
        assert!(splicer.replace(Span::new(0, 1), b"A"));
        let edited = splicer.checkpoint();
        assert!(splicer.replace(Span::new(2, 3), b"-"));
        splicer.rollback(edited);
        assert_eq!(splicer.finish(), 1);
        assert_eq!(output, b"before markAbc");
    }

    #[test]
    fn nothing_is_appended_for_a_source_without_edits() {
        let mut output = b"before".to_vec();
        let splicer = Splicer::after_bom(b"mark", b"abc", 0, &mut output);
        assert_eq!(splicer.finish(), 0);
        assert_eq!(output, b"before");
    }

    #[cfg(feature = "containers")]
    #[test]
    fn edits_are_written_as_they_are_applied() -> io::Result<()> {
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
    fn without_edits_the_source_is_borrowed() {
        assert!(matches!(splice(b"abc", &[]), Cow::Borrowed(b"abc")));
    }
}
