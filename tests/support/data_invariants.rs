//! Invariants of XML documents and JSON Feeds, as plain functions: called by the property tests and by fuzz targets.

use std::io::Cursor;

use crate::rewritten::apply;
use absolve::{
    BaseElementPolicy, Decision, Document, DocumentKind, IllFormedPolicy, LinkDetail, Profile,
    Rewriter,
};

const URL: &str = "http://h/d/p";

/// Checks the invariants of an XML document.
pub fn xml(bytes: &[u8]) {
    let recover = crate::recording().ill_formed_xml(IllFormedPolicy::Recover);
    let remove = crate::recording().base_element(BaseElementPolicy::Remove);
    for rewriter in rewriters().into_iter().chain([recover, remove]) {
        all(&rewriter, DocumentKind::Xml, bytes);
    }
}

/// Checks the invariants of a JSON Feed.
pub fn json_feed(bytes: &[u8]) {
    for rewriter in rewriters() {
        all(&rewriter, DocumentKind::JsonFeed, bytes);
    }
}

fn rewriters() -> [Rewriter; 2] {
    [
        crate::recording(),
        crate::recording().profile(Profile::Whatwg),
    ]
}

/// Identity, locality, spans, idempotence, agreement of all ways to rewrite, and no panic.
fn all(rewriter: &Rewriter, kind: DocumentKind, bytes: &[u8]) {
    let show = || String::from_utf8_lossy(bytes);
    let document_of = |bytes| Document::of_kind(kind, bytes).retrieved_from(URL);
    let document = document_of(bytes);
    let rewritten = rewriter.rewrite(&document);
    let fast = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
    assert_eq!(fast.rewrite(&document).bytes, rewritten.bytes, "{}", show());
    // A callback takes the general path for every link, also in CDATA sections.
    let decided = rewriter.rewrite_with(&document, |_| Decision::Resolve);
    assert_eq!(decided.bytes, rewritten.bytes, "{}", show());
    assert_eq!(decided.report, rewritten.report, "{}", show());
    // Segments of an XML document; a callback reads it as a whole.
    for length in [16, 64] {
        let segmented = rewriter.clone().chunk_len(length).rewrite(&document);
        assert_eq!(segmented.bytes, rewritten.bytes, "{}", show());
        assert_eq!(segmented.report, rewritten.report, "{}", show());
    }
    let mut streamed = Vec::new();
    let spool = || Ok(Cursor::new(Vec::new()));
    let stream = rewriter.clone().chunk_len(16);
    let report = stream.rewrite_stream(&document_of(b""), bytes, spool, &mut streamed);
    assert!(report.is_ok(), "{}", show());
    assert_eq!(streamed, &*rewritten.bytes, "{}", show());
    // Locality.
    let expected = apply(bytes, &rewritten.edits);
    assert_eq!(expected, &*rewritten.bytes, "{}", show());
    for link_report in rewriter.links(&document).links {
        let span = link_report.link.span;
        assert!(span.is_none_or(|span| span.start <= span.end && span.end <= bytes.len()));
    }
    if rewritten.report.unsupported.is_some() {
        assert_eq!(&*rewritten.bytes, bytes, "{}", show());
        return;
    }
    let again = rewriter.rewrite(&document_of(&rewritten.bytes));
    let output = String::from_utf8_lossy(&rewritten.bytes);
    // A rewritten document is still read: its syntax is right if that of the original is.
    assert_eq!(again.report.unsupported, None, "{} became {output}", show());
    assert!(
        again.edits.is_empty(),
        "{:?} in {}, once {output}",
        again.edits,
        show()
    );
}
