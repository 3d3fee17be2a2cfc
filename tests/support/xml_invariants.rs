//! Invariants of XML documents, as plain functions: called by the property tests and by fuzz targets.

use std::io::Cursor;

use absolve::{
    BaseElementPolicy, Document, IllFormedPolicy, LinkDetail, Profile, Rewriter, Unsupported,
};

const URL: &str = "http://h/d/p";

/// The settings that all invariants are checked with.
fn rewriters() -> impl Iterator<Item = Rewriter> {
    let lenient = || Rewriter::new().ill_formed_xml(IllFormedPolicy::Recover);
    [
        Rewriter::new(),
        Rewriter::new().profile(Profile::Whatwg),
        Rewriter::new().base_element(BaseElementPolicy::Remove),
        lenient(),
    ]
    .into_iter()
}

/// Identity, locality, spans, idempotence, agreement of all ways to rewrite, and no panic.
pub(crate) fn all(bytes: &[u8]) {
    let show = || String::from_utf8_lossy(bytes).into_owned();
    for rewriter in rewriters() {
        let document = Document::xml(bytes).retrieved_from(URL);
        let rewritten = rewriter.rewrite(&document);
        let fast = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
        assert_eq!(fast.rewrite(&document).bytes, rewritten.bytes, "{}", show());
        let mut streamed = Vec::new();
        let outside = Document::xml(b"").retrieved_from(URL);
        let spool = || Ok(Cursor::new(Vec::new()));
        let stream = rewriter.clone().window(16);
        let report = stream.rewrite_stream(&outside, bytes, spool, &mut streamed);
        assert!(report.is_ok(), "{}", show());
        assert_eq!(streamed, &*rewritten.bytes, "{}", show());
        // Locality.
        let mut expected = Vec::new();
        let mut end = 0;
        for edit in &rewritten.edits {
            assert!(
                end <= edit.span.start && edit.span.end <= bytes.len(),
                "{}",
                show()
            );
            expected.extend_from_slice(&bytes[end..edit.span.start]);
            expected.extend_from_slice(&edit.replacement);
            end = edit.span.end;
        }
        expected.extend_from_slice(&bytes[end..]);
        assert_eq!(expected, &*rewritten.bytes, "{}", show());
        let listed = rewriter.links(&document);
        for link_report in &listed.links {
            let span = link_report.link.span;
            assert!(span.is_none_or(|span| span.start <= span.end && span.end <= bytes.len()));
        }
        if rewritten.report.unsupported.is_some() {
            assert_eq!(&*rewritten.bytes, bytes, "{}", show());
            continue;
        }
        let again = rewriter.rewrite(&Document::xml(&rewritten.bytes).retrieved_from(URL));
        let output = String::from_utf8_lossy(&rewritten.bytes);
        // A rewritten document is well-formed if the original is.
        let is_read = !matches!(again.report.unsupported, Some(Unsupported::IllFormed(_)));
        assert!(is_read, "{} became {output}", show());
        assert!(
            again.edits.is_empty(),
            "{:?} in {}, once {output}",
            again.edits,
            show()
        );
    }
}
