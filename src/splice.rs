//! Splicing: the only code that writes output bytes.

use std::borrow::Cow;

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
    let added: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut output = Vec::with_capacity(source.len() + added);
    let mut done = 0;
    for edit in edits {
        let Some(kept) = source
            .get(done..edit.span.start)
            .filter(|_| edit.span.end <= source.len())
        else {
            debug_assert!(
                false,
                "{:?} behind {done}, in {} bytes",
                edit.span,
                source.len()
            );
            continue;
        };
        output.extend_from_slice(kept);
        output.extend_from_slice(&edit.replacement);
        done = edit.span.end;
    }
    output.extend_from_slice(&source[done..]);
    Cow::Owned(output)
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
    fn without_edits_the_source_is_borrowed() {
        assert!(matches!(splice(b"abc", &[]), Cow::Borrowed(b"abc")));
    }
}
