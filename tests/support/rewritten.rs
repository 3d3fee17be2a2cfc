//! Helpers for documents that are rewritten in memory.

use std::io::Cursor;

use absolve::stream::StreamReport;
use absolve::{Decision, Document, Edit, LinkDetail, Rewriter};

/// Returns `bytes` with `edits` applied, which must be in order, disjoint and within `bytes`.
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
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
pub fn rewritten(rewriter: &Rewriter, document: &Document<'_>) -> String {
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

/// Rewrites `document` while it is read, in chunks of `length` bytes.
pub fn streamed(
    rewriter: &Rewriter,
    document: &Document<'_>,
    content: &[u8],
    length: usize,
) -> (Vec<u8>, StreamReport) {
    let mut output = Vec::new();
    let spool = || Ok(Cursor::new(Vec::new()));
    let report = rewriter
        .clone()
        .chunk_len(length)
        .rewrite_stream(document, content, spool, &mut output)
        .expect("a stream");
    (output, report)
}
