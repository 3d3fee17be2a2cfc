//! Limits of links and of their targets: a document that exceeds one is left unchanged, however it is rewritten.

use std::io::Cursor;

use absolve::stream::StreamError;
use absolve::testing::Reader;
use absolve::{
    Document, DocumentKind, Limit, LinkDetail, Outcome, Preset, Rewriter, SkipReason, Unsupported,
};
use absolve_archive::{ArchiveSettings, Container};

const URL: &str = "http://h.example/d/page.html";

const SETTINGS: [(Reader, LinkDetail); 4] = [
    (Reader::Fast, LinkDetail::All),
    (Reader::Fast, LinkDetail::SkippedOnly),
    (Reader::Fast, LinkDetail::Edits),
    (Reader::Html5ever, LinkDetail::All),
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
const TEN_AND_THEIR_SHARE: usize = 11;

#[test]
fn a_document_has_as_many_links_as_its_length_allows() {
    let rewriter = support::recording().limit(Limit::Links, 10);
    let most = list(TEN_AND_THEIR_SHARE);
    assert!(TEN_AND_THEIR_SHARE <= 10 + most.len() / 32);
    assert_exceeds(&rewriter, DocumentKind::Html, &most, None);
    let more = list(TEN_AND_THEIR_SHARE + 1);
    assert!(TEN_AND_THEIR_SHARE + 1 > 10 + more.len() / 32);
    assert_exceeds(&rewriter, DocumentKind::Html, &more, Some(Limit::Links));
    // A longer document may have more.
    let longer = more + &" ".repeat(32);
    assert_exceeds(&rewriter, DocumentKind::Html, &longer, None);
}

#[test]
fn a_value_has_as_many_links_as_the_length_of_the_document_allows() {
    let rewriter = support::recording().limit(Limit::ValueLinks, 10);
    let assert_value = |rewriter: &Rewriter, text: &str, is_read: bool| {
        let limit = (!is_read).then_some(Limit::ValueLinks);
        assert_exceeds(rewriter, DocumentKind::Html, text, limit);
    };
    for of in [
        |links| list(links),
        |links: usize| format!("<img srcset='{}'>", "b 1x,".repeat(links)),
        |links: usize| format!("<style>{}</style>", "url(b)".repeat(links)),
        |links: usize| format!("<p style='a:{}'>", "url(b)".repeat(links)),
    ] {
        // No more than ten for less than 128 bytes.
        assert_value(&rewriter, &of(10), true);
        assert_value(&rewriter, &of(11), false);
        assert_value(&rewriter, &(of(11) + &" ".repeat(128)), true);
        // Each value may have as many, and a document also as many other links.
        let links = "<a href=b>x</a>".repeat(11);
        assert_value(&rewriter, &[of(10), links, of(10)].concat(), true);
        // Neither of the limits replaces the other.
        let fewer = rewriter.clone().limit(Limit::Links, 5);
        assert_exceeds(&fewer, DocumentKind::Html, &of(10), Some(Limit::Links));
    }
}

#[test]
fn a_nested_document_has_as_many_links_as_a_value() {
    let rewriter = support::recording().limit(Limit::ValueLinks, 10);
    for (links, outcome) in [
        (10, Outcome::Resolved("http://h.example/d/b".to_owned())),
        // The document has a share of one.
        (12, Outcome::Skipped(SkipReason::TooDeep)),
    ] {
        let nested = "<a href=b>".repeat(links);
        let text = format!("<a href=b><iframe srcdoc='{nested}'></iframe>");
        let document = Document::new(text.as_bytes()).retrieved_from(URL);
        for (reader, detail) in SETTINGS {
            let rewriter = rewriter.clone().reader(reader).link_detail(detail);
            let report = rewriter.links(&document);
            let found = &report.links[1..];
            assert!(found.iter().all(|link| link.outcome == outcome), "{links}");
            assert_eq!(found.len() == links, links == 10);
            let rewritten = rewriter.rewrite(&document);
            assert_eq!(rewritten.report.unsupported, None);
            assert_eq!(rewritten.edited, if links == 10 { 11 } else { 1 });
        }
    }
}

#[test]
fn links_that_the_report_needs_decoded_are_counted_once() {
    let text = "<a href=b href=c>".repeat(10) + "<a href=' b '>";
    let rewriter = support::recording().limit(Limit::Links, 6);
    assert!(6 + text.len() / 32 == 11);
    let document = Document::new(text.as_bytes()).retrieved_from(URL);
    assert_eq!(rewriter.links(&document).links.len(), 11);
    assert_exceeds(&rewriter, DocumentKind::Html, &text, None);
}

#[test]
fn a_document_has_as_many_findings_as_its_length_allows() {
    let rewriter = support::recording().limit(Limit::Findings, 10);
    for finding in ["<a href='a b'>", "<a href=b href=c>"] {
        let most = finding.repeat(10);
        let checked = rewriter.check(&Document::new(most.as_bytes()).retrieved_from(URL), |_| {
            None
        });
        assert_eq!((checked.findings.len(), checked.unsupported), (10, None));
        let more = finding.repeat(11);
        let checked = rewriter.check(&Document::new(more.as_bytes()).retrieved_from(URL), |_| {
            None
        });
        let exceeded = Unsupported::LimitExceeded(Limit::Findings);
        assert_eq!(checked.unsupported, Some(exceeded));
        assert!(checked.findings.is_empty());
        let longer = more + &" ".repeat(512);
        let checked = rewriter.check(
            &Document::new(longer.as_bytes()).retrieved_from(URL),
            |_| None,
        );
        assert_eq!((checked.findings.len(), checked.unsupported), (11, None));
    }
}

#[test]
fn links_are_counted_wherever_they_are() {
    let rewriter = support::recording()
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
    let free = targets - 3 * text.len();
    let of = |growth| support::recording().limit(Limit::Growth, growth);
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
        &support::recording(),
        DocumentKind::Html,
        &list,
        Some(Limit::Growth),
    );
}

/// A container may have so many documents that each has to justify its targets.
#[test]
fn targets_of_a_document_in_a_container_are_as_long_as_its_length_allows() {
    let base = format!("http://h.example/{}/", "a".repeat(8_000));
    let unsupported = |links: usize| {
        let html = "<a href=b>".repeat(links);
        let message = format!("Content-Type: text/html\r\nContent-Base: {base}\r\n\r\n{html}");
        let container = Container::mime(message.as_bytes(), &ArchiveSettings::new());
        let container = container.expect("a message");
        let document = container.entities()[0].document();
        let alone = Document::new(html.as_bytes()).retrieved_from(&base);
        assert_eq!(support::recording().links(&alone).unsupported, None);
        support::recording().links(&document).unsupported
    };
    assert_eq!(unsupported(4), None);
    let exceeded = Unsupported::LimitExceeded(Limit::Growth);
    assert_eq!(unsupported(50), Some(exceeded));
}

/// Rewrites `text` as a stream, and returns the output and the error, if any.
fn stream(text: &str) -> (Vec<u8>, Result<Option<Unsupported>, StreamError>) {
    let document = Document::new(b"").retrieved_from(URL).encoding("utf-8");
    let spool = || Ok(Cursor::new(Vec::new()));
    let mut output = Vec::new();
    let report =
        support::recording().rewrite_stream(&document, text.as_bytes(), spool, &mut output);
    (output, report.map(|report| report.report.unsupported))
}

#[test]
fn streams_end_at_a_limit() {
    let text = "<body><a href=b>x</a>".to_owned() + &"<p>text</p>".repeat(100_000);
    let list = list(400_000);
    let exceeded = Unsupported::LimitExceeded(Limit::ValueLinks);
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
    let expected =
        support::recording().rewrite(&Document::new(text.as_bytes()).retrieved_from(URL));
    assert!(output.len() > 500_000 && expected.bytes.starts_with(&output));
    // The part that was read exceeds the limit, and the whole does not.
    let many = format!("<a ping='{}'>", "b ".repeat(22_000));
    let filler = "<p>text</p>".repeat(100_000);
    let text = format!("{many}{filler}");
    let (output, result) = stream(&text);
    assert_eq!(result.ok(), Some(None));
    let document = Document::new(text.as_bytes()).retrieved_from(URL);
    assert!(output == *support::recording().rewrite(&document).bytes);
}

/// html5ever leaves SVG where browsers stay in it, at an end tag of an element around an integration point. What looks like
/// a link there is in a CDATA section of the browser, which an edit would end.
#[test]
fn markup_that_parsers_read_differently_is_not_rewritten() {
    // Texts that are a CDATA section and its end to one parser, and an image with a script to the other.
    const A: &str = "<![CDATA[><img src=\"]]>\" class=\"<i title=']]><img src=x onerror=document.title=/PWNED/>'>\">";
    const S: &str = "<![CDATA[><svg><image href=\"]]>\" class=\"<i title=']]><img src=x onerror=document.title=/PWNED/>'>\">";
    const R: &str = "<![CDATA[><img alt=\"]]><image href='\"' title='\"></template><img src=x onerror=document.title=/PWNED/>'>";
    // In Chromium, each was inert, and ran the script once the link was absolute.
    let found = [
        ("<svg><desc><div><x-y><svg><desc></x-y>", A),
        ("<math><annotation-xml encoding=text/html></p>", S),
        ("<math><annotation-xml encoding=text/html></br>", S),
        ("<math><annotation-xml encoding=text/html><svg><body>", S),
        ("<math><annotation-xml encoding=text/html><svg><head>", S),
        ("<h1><math><annotation-xml></h2>", S),
        ("<h1><svg><desc><svg><desc></h2>", A),
        ("<x-y><svg><title><ol><big></ol><svg></title></x-y>", A),
        (
            "<x-y><svg><foreignObject><big><u></big><math></svg></x-y>",
            A,
        ),
        ("<x-y><isindex><svg></x-y>", R),
        ("<template><thead><svg></table>", R),
        ("<template><thead><svg><desc><col></desc>", R),
        ("<template><thead><caption><svg></thead>", A),
        ("<template><thead><tbody><svg></tbody>", R),
        ("<template><thead><caption><svg></caption>", R),
        (
            "<template><template><table></table></template><thead><svg></table>",
            R,
        ),
        (
            "<template><tbody><td><table></table></tbody><thead><svg></table>",
            R,
        ),
    ];
    let found =
        found.map(|(before, after)| format!("<!DOCTYPE html><title>safe</title>{before}{after}"));
    for html in found.iter().map(String::as_str).chain([
        // The title of the page became that of the script in the second IMG.
        "<!DOCTYPE html><title>safe</title><x-y><svg><desc></x-y><![CDATA[><img src=\"]]>\" class=\"<i title=']]>\
         <img src=x onerror=document.title=/PWNED/>'>\">",
        "<ul><li><math><annotation-xml></ul><style>/*<x title=\"*/{a:url('q\"z')}/*=\" onmouseover=alert(1) y=\"*/\">",
        "<b><svg><foreignObject><i></b><a href=x>",
        "<li><svg><title><li></title></svg><a href=x>",
        "<p><math><annotation-xml encoding=text/HTML><div></div></annotation-xml></math><a href=x>",
        "<table><tr><td><math><mtext></td></tr></table><a href=x>",
    ]) {
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/");
        let rewritten = support::recording().rewrite(&document);
        assert_eq!(
            rewritten.report.unsupported,
            Some(Unsupported::AmbiguousMarkup),
            "{html}"
        );
        assert_eq!(rewritten.bytes, html.as_bytes());
    }
    for html in [
        "<div><svg><title>t</title><desc>d</svg></div><a href=x>",
        "<div><svg><foreignObject><p>a<div><b>c</b></div></foreignObject></svg></div><a href=x>",
        "<ul><li><svg><foreignObject><ul><li>a<li>b</ul></foreignObject></svg><li></ul><a href=x>",
        "<math><annotation-xml encoding=MathML-Content><apply><ci>x</ci></apply></annotation-xml></math><a href=x>",
        "<div><svg><g></div><a href=x>",
        "<svg><title></b></p></title></svg><a href=x>",
        "<template><thead><tbody></template><svg></svg><a href=x>",
    ] {
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/");
        let reference = support::recording().reader(Reader::Html5ever);
        for rewriter in [support::recording(), reference] {
            let rewritten = rewriter.rewrite(&document);
            assert_eq!(rewritten.report.unsupported, None, "{html}");
            assert!(rewritten.bytes.ends_with(b"<a href=http://h/x>"), "{html}");
        }
    }
}
