//! Helpers for documents that are rewritten in memory.
#![allow(dead_code, reason = "each user uses its own part")]

use absolve::{Decision, Document, Edit, LinkDetail, Rewriter};

/// Returns `bytes` with `edits` applied, which must be in order, disjoint and within `bytes`.
pub(crate) fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut applied = Vec::new();
    let mut end = 0;
    for edit in edits {
        assert!(end <= edit.span.start, "{edits:?}");
        applied.extend_from_slice(&bytes[end..edit.span.start]);
        applied.extend_from_slice(&edit.replacement);
        end = edit.span.end;
    }
    applied.extend_from_slice(&bytes[end..]);
    applied
}

/// Returns `document` rewritten. It must be read, and be the same without a list of links and with a callback.
pub(crate) fn rewritten(rewriter: &Rewriter, document: &Document<'_>) -> String {
    let whole = rewriter.rewrite(document);
    let text = String::from_utf8_lossy(&whole.bytes);
    assert_eq!(whole.report.unsupported, None, "{text}");
    let fast = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
    assert_eq!(fast.rewrite(document).bytes, whole.bytes);
    let decided = rewriter.rewrite_with(document, |_| Decision::Resolve);
    assert_eq!(decided.report, whole.report, "{text}");
    assert_eq!(decided.bytes, whole.bytes);
    text.into_owned()
}
