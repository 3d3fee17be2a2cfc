//! Limits of links and of their targets: a document that exceeds one is left unchanged, however it is rewritten.

use std::io::Cursor;

use absolve::{
    Document, DocumentKind, Limit, LinkDetail, Preset, Reader, Rewriter, StreamError, Unsupported,
};

const URL: &str = "http://h.example/d/page.html";

const SETTINGS: [(Reader, LinkDetail); 4] = [
    (Reader::Fast, LinkDetail::All),
    (Reader::Fast, LinkDetail::SkippedOnly),
    (Reader::Fast, LinkDetail::Edits),
    (Reader::Reference, LinkDetail::All),
];

/// Asserts that a document of `text` exceeds `limit`, or no limit, in every setting.
#[track_caller]
fn assert_exceeds(rewriter: &Rewriter, kind: DocumentKind, text: &str, limit: Option<Limit>) {
    let document = Document::of_kind(kind, text.as_bytes()).retrieved_from(URL);
    for (reader, detail) in SETTINGS {
        let rewriter = rewriter.clone().reader(reader).link_detail(detail);
        let rewritten = rewriter.rewrite(&document);
        let unsupported = rewritten.report.unsupported;
        let setting = format!("{reader:?}, {detail:?}, {} bytes", text.len());
        assert_eq!(
            unsupported,
            limit.map(Unsupported::LimitExceeded),
            "{setting}"
        );
        assert_eq!(
            *rewritten.bytes == *text.as_bytes(),
            limit.is_some(),
            "{setting}"
        );
        if limit.is_some() {
            assert!(rewritten.report.links.is_empty(), "{setting}");
        }
    }
}

/// Returns a document of a list of links.
fn list(links: usize) -> String {
    format!("<a ping='{}'>", "b ".repeat(links))
}

/// The most links of a [`list`] if any document may have ten links.
const TEN_AND_THEIR_SHARE: usize = 15;

#[test]
fn a_document_has_as_many_links_as_its_length_allows() {
    let rewriter = Rewriter::new().limit(Limit::Links, 10);
    let most = list(TEN_AND_THEIR_SHARE);
    assert!(TEN_AND_THEIR_SHARE <= 10 + most.len() / 8);
    assert_exceeds(&rewriter, DocumentKind::Html, &most, None);
    let more = list(TEN_AND_THEIR_SHARE + 1);
    assert!(TEN_AND_THEIR_SHARE + 1 > 10 + more.len() / 8);
    assert_exceeds(&rewriter, DocumentKind::Html, &more, Some(Limit::Links));
    // A longer document may have more.
    let longer = more + &" ".repeat(8);
    assert_exceeds(&rewriter, DocumentKind::Html, &longer, None);
}

#[test]
fn links_are_counted_wherever_they_are() {
    let rewriter = Rewriter::new()
        .limit(Limit::Links, 10)
        .preset(Preset::Comments);
    let list = list(100);
    let urls = "url(b)".repeat(100);
    let rss = |description: &str| {
        format!(
            "<rss><channel><item><description>{description}</description></item></channel></rss>"
        )
    };
    for (kind, text) in [
        (DocumentKind::Html, list.clone()),
        (
            DocumentKind::Html,
            format!("<img srcset='{}'>", "b 1x,".repeat(100)),
        ),
        (DocumentKind::Html, format!("<p style='a:{urls}'>")),
        (DocumentKind::Html, format!("<style>a{{b:{urls}}}</style>")),
        (DocumentKind::Html, format!("<iframe srcdoc=\"{list}\">")),
        (
            DocumentKind::Html,
            format!("<!--[if IE]>{list}<![endif]-->"),
        ),
        (DocumentKind::Html, format!("<noscript>{list}</noscript>")),
        (
            DocumentKind::Html,
            format!("<object archive='{}'>", "b ".repeat(100)),
        ),
        (DocumentKind::StyleSheet, urls.clone()),
        (
            DocumentKind::Xml,
            format!("<html xmlns='http://www.w3.org/1999/xhtml'>{list}</a></html>"),
        ),
        (DocumentKind::Xml, rss(&format!("<![CDATA[{list}]]>"))),
        (DocumentKind::Xml, rss(&list.replace('<', "&lt;"))),
    ] {
        assert_exceeds(&rewriter, kind, &text, Some(Limit::Links));
        assert_exceeds(
            &rewriter.clone().limit(Limit::Links, 500),
            kind,
            &text,
            None,
        );
    }
}

#[test]
fn targets_are_as_long_as_the_length_of_the_document_allows() {
    let base = format!("http://h.example/{}", "a/".repeat(500));
    let text = format!("<base href={base}>{}", "<a href=b>".repeat(1_000));
    let targets = 1_000 * (base.len() + 1) + base.len();
    let free = targets - 4 * text.len();
    let of = |growth| Rewriter::new().limit(Limit::Growth, growth);
    // The target of BASE is BASE itself and costs nothing.
    let free = free - base.len();
    assert_exceeds(&of(free), DocumentKind::Html, &text, None);
    assert_exceeds(
        &of(free - 1),
        DocumentKind::Html,
        &text,
        Some(Limit::Growth),
    );
    let list = format!("<base href={base}><a ping='{}'>", "b ".repeat(20_000));
    assert_exceeds(
        &Rewriter::new(),
        DocumentKind::Html,
        &list,
        Some(Limit::Growth),
    );
}

/// Rewrites `text` as a stream, and returns the output and the error, if any.
fn stream(text: &str) -> (Vec<u8>, Result<Option<Unsupported>, StreamError>) {
    let document = Document::new(b"").retrieved_from(URL).encoding("utf-8");
    let spool = || Ok(Cursor::new(Vec::new()));
    let mut output = Vec::new();
    let report = Rewriter::new().rewrite_stream(&document, text.as_bytes(), spool, &mut output);
    (output, report.map(|report| report.report.unsupported))
}

#[test]
fn streams_end_at_a_limit() {
    let text = "<body><a href=b>x</a>".to_owned() + &"<p>text</p>".repeat(100_000);
    let list = list(400_000);
    let exceeded = Unsupported::LimitExceeded(Limit::Links);
    // Nothing has been written yet.
    let (output, result) = stream(&format!("{list}{text}"));
    assert_eq!(result.ok().flatten(), Some(exceeded));
    assert_eq!(output, format!("{list}{text}").as_bytes());
    // What has been written is correct as far as it goes.
    let (output, result) = stream(&format!("{text}{list}"));
    assert!(
        matches!(result, Err(StreamError::Unsupported(reason)) if reason == exceeded),
        "{result:?}"
    );
    let expected = Rewriter::new().rewrite(&Document::new(text.as_bytes()).retrieved_from(URL));
    assert!(output.len() > 500_000 && expected.bytes.starts_with(&output));
    // The part that was read exceeds the limit, and the whole does not.
    let many = format!("<a ping='{}'>", "b ".repeat(150_000));
    let filler = "<p>text</p>".repeat(100_000);
    let text = format!("{many}{filler}");
    let (output, result) = stream(&text);
    assert_eq!(result.ok(), Some(None));
    let document = Document::new(text.as_bytes()).retrieved_from(URL);
    assert!(output == *Rewriter::new().rewrite(&document).bytes);
}
