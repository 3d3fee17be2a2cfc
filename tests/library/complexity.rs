//! Documents that html5ever reads in quadratic time or memory are left unread; all others are read, however complex.

use std::time::{Duration, Instant};

use absolve::testing::Reader;
use absolve::tree::Tree;
use absolve::{
    BailOut, BaseCandidates, BaseScope, BaseSource, Decision, Document, DocumentKind, Grammar,
    Limit, LinkSelector, Outcome, Preset, Rewriter, SkipReason, Unsupported,
};
use absolve_archive::{ArchiveSettings, Container};
use support::agreement::{SETTINGS, agreement};

/// Makes the fast reader bail out: a BASE after a TEMPLATE, in a document whose bases anywhere count for some settings.
const LATE_BASE: &str = "<body><template></template><base href=x>";

/// Returns why `text` is not read by the reference reader, which all documents take that the fast reader cannot read.
fn unsupported(text: &str) -> Option<Unsupported> {
    let rewriter = support::recording().reader(Reader::Html5ever);
    let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
    let rewritten = rewriter.rewrite(&document);
    if rewritten.report.unsupported.is_some() {
        assert_eq!(rewritten.bytes, text.as_bytes());
        assert!(rewritten.report.links.is_empty());
    } else {
        let target = "http://h/target";
        let links = &rewritten.report.links;
        assert!(
            links
                .iter()
                .any(|link| link.outcome == Outcome::Resolved(target.to_owned()))
        );
    }
    rewritten.report.unsupported
}

fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Each took seconds to minutes, or gigabytes.
#[test]
fn documents_of_quadratic_complexity_are_not_read() {
    let formatting = || numbered(20_000, |number| format!("<b x{number}>"));
    for (name, text) in [
        ("nested blocks", "<div>".repeat(200_000)),
        ("nested lists", "<ul><li>".repeat(50_000)),
        (
            "list items in other elements",
            "<span>".repeat(50_000) + &"<li>".repeat(50_000),
        ),
        (
            "end tags of no paragraph",
            "<div>".repeat(50_000) + &"</p>".repeat(50_000),
        ),
        (
            "end tags of no open element",
            "<i>".repeat(50_000) + &"</q>".repeat(50_000),
        ),
        (
            "end tags of no open element in SVG",
            "<svg>".to_owned() + &"<g>".repeat(50_000) + &"</x>".repeat(50_000),
        ),
        (
            "misnested formatting",
            "<b>".repeat(50_000) + &"<div></b>".repeat(50_000),
        ),
        ("formatting elements", formatting()),
        (
            "formatting of each paragraph",
            "<p>".to_owned() + &formatting() + "<p>a".repeat(20_000).as_str(),
        ),
        (
            "attributes",
            format!("<p {}>", numbered(50_000, |number| format!("a{number} "))),
        ),
        (
            "attributes of an end tag",
            format!("</p {}>", numbered(50_000, |number| format!("a{number} "))),
        ),
        ("BASE elements", "<base href=b>".repeat(2_000)),
        ("SVG STYLE elements", svg_styles(20_000)),
        (
            "end tags in nested SVG",
            format!("<svg>{}{}", "<g>".repeat(20_000), "</g><g>".repeat(20_000)),
        ),
        (
            "HTML in SVG",
            format!("<svg><desc>{}", "<span>".repeat(20_000)),
        ),
        (
            "end tags in HTML in nested SVG",
            format!(
                "<svg>{}<desc><div>{}",
                "<g>".repeat(20_000),
                "</x>".repeat(40_000)
            ),
        ),
    ] {
        let text = format!("{LATE_BASE}<a href=target></a>{text}");
        let limit = match name {
            "attributes" | "attributes of an end tag" => Limit::Attributes,
            _ => Limit::ParserSteps,
        };
        assert_eq!(
            unsupported(&text),
            Some(Unsupported::LimitExceeded(limit)),
            "{name}"
        );
    }
}

/// Returns SVG STYLE elements within each other, of which a token and a text each are kept.
fn svg_styles(count: usize) -> String {
    format!("<svg>{}", "<style>a".repeat(count))
}

#[test]
fn complex_documents_are_read() {
    for (name, text) in [
        ("nested blocks", "<div>".repeat(1_500)),
        (
            "nested blocks, closed again and again",
            ("<div>".repeat(200) + &"</div>".repeat(200)).repeat(500),
        ),
        ("nested tables", "<table><tr><td>".repeat(20_000)),
        ("unclosed formatting", "<b>".repeat(5_000) + "<p>x"),
        (
            "unclosed formatting of three kinds",
            "<font color=a><font size=1><b><p>x</p>".repeat(1_000),
        ),
        (
            "formatting in paragraphs",
            "<p><b>x</b> <i class=y>z</i> <code>a</code>".repeat(20_000),
        ),
        ("SVG STYLE elements", svg_styles(8_000)),
        (
            "links",
            "<a href=target class=b title=c>x</a>".repeat(20_000),
        ),
        (
            "an attribute of a megabyte",
            format!("<p title='{}'>", "a=b ".repeat(250_000)),
        ),
        (
            "a comment of a megabyte",
            format!(
                "<!-- <p {}>-->",
                numbered(100_000, |number| format!("a{number} "))
            ),
        ),
        (
            "misplaced links in a table",
            "<table>".to_owned() + &"<a href=x>".repeat(10_000),
        ),
        (
            "attributes of HTML",
            numbered(20_000, |number| format!("<html a{number}=b>")),
        ),
        (
            "an attribute that is repeated",
            format!("<p {}>", "a=b ".repeat(100_000)),
        ),
    ] {
        let text = format!("{LATE_BASE}<a href=target></a>{text}");
        assert_eq!(unsupported(&text), None, "{name}");
    }
}

#[test]
fn a_tag_has_at_most_512_attributes() {
    // In the second tag, so many bytes precede the attributes that the tag is counted before it ends.
    for first in [String::new(), format!("title='{}' ", "a".repeat(100_000))] {
        let added = usize::from(!first.is_empty());
        let attributes = |count| numbered(count, |number| format!("a{number} "));
        let tag = |count| {
            format!(
                "<a href=target></a><p {first}{}>",
                attributes(count - added)
            )
        };
        assert_eq!(unsupported(&tag(512)), None);
        assert_eq!(
            unsupported(&tag(513)),
            Some(Unsupported::LimitExceeded(Limit::Attributes))
        );
    }
}

#[test]
fn limits_of_html5ever_can_be_set() {
    let html5ever = support::recording().reader(Reader::Html5ever);
    let read = |rewriter: &Rewriter, text: &str| {
        let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
        rewriter.rewrite(&document).report.unsupported
    };
    let attributes = format!("<p {}>", numbered(600, |number| format!("a{number} ")));
    let raised = html5ever.clone().limit(Limit::Attributes, 600);
    assert_eq!(read(&raised, &attributes), None);
    let lowered = html5ever.clone().limit(Limit::Attributes, 599);
    assert_eq!(
        read(&lowered, &attributes),
        Some(Unsupported::LimitExceeded(Limit::Attributes))
    );
    let nested = "<div>".repeat(4_000);
    assert_eq!(
        read(&html5ever, &nested),
        Some(Unsupported::LimitExceeded(Limit::ParserSteps))
    );
    let raised = html5ever.limit(Limit::ParserSteps, 1_000);
    assert_eq!(read(&raised, &nested), None);
}

#[test]
fn the_fast_reader_has_no_such_limits() {
    let attributes = numbered(5_000, |number| format!("a{number} "));
    let text = "<div>".repeat(50_000) + "<a href=target><p " + &attributes + ">";
    let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
    let report = support::recording().rewrite(&document).report;
    assert_eq!((report.bail_out, report.unsupported), (None, None));
    assert_eq!(report.links.len(), 1);
}

/// Each stray end tag searches the open elements, and the text before it for a start tag of its name.
#[test]
fn the_fast_reader_limits_searches_for_stray_end_tags() {
    let bail_out = |text: &str| {
        let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
        support::recording().rewrite(&document).report.bail_out
    };
    let stray = |count: usize| format!("<p>x<svg>{}{}", "<g>".repeat(count), "</x>".repeat(count));
    assert_eq!(bail_out(&stray(200)), None);
    assert_eq!(
        bail_out(&stray(1_000)),
        Some(BailOut::MisnestedForeignContent)
    );
    let long = |count: usize| format!("<p>x<svg></{}></svg>", "a".repeat(count));
    assert_eq!(bail_out(&long(64)), None);
    assert_eq!(bail_out(&long(65)), Some(BailOut::MisnestedForeignContent));
}

/// Each attribute may be a link, and the condition searches all attributes.
#[test]
fn a_tag_has_at_most_512_attributes_if_a_selector_selects_all() {
    let rewriter = |selector: &str| {
        let selector: LinkSelector = selector.parse().expect("a selector");
        support::recording().link(selector, Grammar::Url)
    };
    let unsupported = |selector: &str, count: usize| {
        let attributes = numbered(count, |number| format!("a{number}=x "));
        let text = format!("<a {attributes}>");
        let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
        let rewritten = rewriter(selector).rewrite(&document);
        let is_unchanged = rewritten.bytes == text.as_bytes();
        assert_eq!(is_unchanged, rewritten.edited == 0);
        (rewritten.edited, rewritten.report.unsupported)
    };
    let exceeded = Some(Unsupported::LimitExceeded(Limit::Attributes));
    assert_eq!(unsupported("a[*]", 512), (512, None));
    assert_eq!(unsupported("a[*]", 513), (0, exceeded));
    assert_eq!(unsupported("a[a1=x][*]", 513), (0, exceeded));
    assert_eq!(unsupported("a[a600]", 5_000), (1, None));
}

#[test]
fn a_nested_document_that_is_too_complex_is_a_skipped_link() {
    let nested = format!("{LATE_BASE}{}", "<div>".repeat(50_000));
    let text = format!("<a href=b></a><iframe srcdoc='{nested}'></iframe><a href=c></a>");
    let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
    let rewriter = support::recording().base_scope(BaseScope::Document);
    let links = rewriter.rewrite(&document).report.links;
    let outcomes: Vec<_> = links.iter().map(|link| &link.outcome).collect();
    let resolved = |url: &str| Outcome::Resolved(url.to_owned());
    let expected = [
        resolved("http://h/b"),
        Outcome::Skipped(SkipReason::TooDeep),
        resolved("http://h/c"),
    ];
    assert_eq!(outcomes, expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_conditional_comment_that_is_too_complex_leaves_the_document_unread() {
    let nested = format!("{LATE_BASE}{}", "<div>".repeat(50_000));
    let text = format!("<a href=b></a><!--[if IE]>{nested}<![endif]-->");
    let document = Document::new(text.as_bytes()).retrieved_from("http://h/");
    for reader in [Reader::Fast, Reader::Html5ever] {
        let rewriter = support::recording().reader(reader).preset(Preset::Comments);
        let rewritten = rewriter.rewrite(&document);
        assert_eq!(
            rewritten.report.unsupported,
            Some(Unsupported::LimitExceeded(Limit::ParserSteps)),
            "{reader:?}"
        );
        assert_eq!(rewritten.bytes, text.as_bytes());
    }
}

#[test]
fn a_conditional_comment_of_a_tree_that_is_too_complex_is_left_unchanged_alone() {
    let attributes = numbered(600, |number| format!("a{number} "));
    let nested = format!("<svg><foreignObject><a {attributes}href=x></a></foreignObject></svg>");
    let comment = format!("<!--[if mso]>{nested}<![endif]-->");
    let text = format!(
        "<p>a</p>{comment}<iframe srcdoc='{comment}' src=b></iframe><style>p{{background:url(c)}}</style>"
    );
    let tree = Tree::parse(&text);
    let candidates = BaseCandidates::new().with(BaseSource::Retrieval, "http://h/");
    let rewriter = support::recording().preset(Preset::Comments);
    let report = absolve::tree::rewrite(&rewriter, &tree, &candidates, |_| Decision::Resolve);
    let exceeded = Unsupported::LimitExceeded(Limit::Attributes);
    assert_eq!(report.unsupported, Some(exceeded));
    let rewritten = tree.serialize();
    assert!(rewritten.contains(&comment));
    assert!(rewritten.contains("src=\"http://h/b\""), "{rewritten}");
    assert!(rewritten.contains("url(http://h/c)"), "{rewritten}");
}

/// html5ever gets the text in pieces of 16 KiB. Here, the first piece ends at each offset of `markup`.
#[test]
fn readers_agree_wherever_a_piece_ends() {
    let markup = "<p\r\n title='&am&amp;&notit;&#x41;\u{e9}\u{1f600}'>a\r\nb&lt<<a href=b>&Auml</a><!--x--!><!-->\
                  <!DOCTYPE x><![CDATA[y]]></><?z?><svg><![CDATA[<a href=c>]]]></svg><script>'<!--<script></script>-->\
                  <a href=d>'</script><style>a{b:url(c)}</style\t><title>&amp;</titl></title><textarea>\r\n&amp;<a></textarea>\
                  <!--[if IE]><a href=e><![endif]--><img srcset='f 1x, g 2x'/><plaintext><a href=h>";
    let (name, rewriter) = &SETTINGS[1];
    for offset in 0..=markup.len() {
        let filler = "a".repeat((1 << 14) - offset);
        let text = format!("{filler}{markup}");
        agreement(text.as_bytes(), Some("utf-8"), &(name, rewriter.clone()));
    }
}

/// Trees take more time than reading: html5ever searches the lists of children and of attributes.
#[test]
fn trees_of_quadratic_complexity_are_not_parsed() {
    let nested = |count: usize| "<div>".repeat(count);
    let parse = |text: &str| Tree::parse_bytes(text.as_bytes(), None).err();
    for text in [
        nested(50_000),
        "<table>".to_owned() + &"<a href=x>".repeat(10_000),
        numbered(20_000, |number| format!("<html a{number}=b>")),
    ] {
        let exceeded = Unsupported::LimitExceeded(Limit::ParserSteps);
        assert_eq!(parse(&text), Some(exceeded));
    }
    assert_eq!(parse(&nested(1_000)), None);
}

/// Malformed bytes are decoded one by one, and each in constant time.
#[test]
fn malformed_bytes_are_decoded_in_linear_time() {
    for (encoding, piece) in [
        ("gbk", &b"\xff"[..]),
        ("big5", b"\x80\xff"),
        ("iso-2022-jp", b"\x1b"),
    ] {
        let document = [&b"<a href=x>"[..], &piece.repeat(4_000_000 / piece.len())].concat();
        let start = Instant::now();
        let document = Document::new(&document).retrieved_from("http://h/");
        let found = support::recording().links(&document.encoding(encoding));
        assert_eq!(found.links.len(), 1, "{encoding}");
        // In quadratic time, it would take a minute.
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_secs(10), "{encoding}: {elapsed:?}");
    }
}

/// Each of the documents took a million steps or more of its own, 3 seconds for a megabyte.
#[test]
fn nested_documents_share_the_steps_of_the_document_around_them() {
    let nested = format!("{LATE_BASE}<a href=target></a>{}", "<div>".repeat(1_000));
    let escaped = nested.replace('<', "&lt;");
    let json = format!("{{\"content_html\":\"{nested}\"}}");
    for (name, kind, before, one, after) in [
        (
            "srcdoc",
            DocumentKind::Html,
            "<!DOCTYPE html>",
            format!("<iframe srcdoc='{nested}'></iframe>"),
            "",
        ),
        (
            "feed",
            DocumentKind::Xml,
            "<rss><channel>",
            format!("<item><description>{escaped}</description></item>"),
            "</channel></rss>",
        ),
        (
            "JSON Feed",
            DocumentKind::JsonFeed,
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{}",
            format!(",{json}"),
            "]}",
        ),
    ] {
        let outcomes = |count: usize| {
            let text = [before, &one.repeat(count), after].concat();
            let document = Document::of_kind(kind, text.as_bytes()).retrieved_from("http://h/");
            let rewriter = support::recording().base_scope(BaseScope::Document);
            let links = rewriter.rewrite(&document).report.links;
            links
                .into_iter()
                .map(|link| link.outcome)
                .collect::<Vec<_>>()
        };
        let skipped = Outcome::Skipped(SkipReason::TooDeep);
        let count = |outcomes: &[Outcome]| outcomes.iter().filter(|one| **one == skipped).count();
        assert_eq!(count(&outcomes(2)), 0, "{name}");
        let outcomes = outcomes(50);
        assert!(count(&outcomes) > 25, "{name}");
        assert!(
            outcomes[0] != skipped && outcomes.last() == Some(&skipped),
            "{name}"
        );
    }
    // One comment that is not read leaves the document unread.
    let comments = |count| format!("<!--[if IE]>{nested}<![endif]-->").repeat(count);
    let rewriter = support::recording().preset(Preset::Comments);
    let unsupported = |text: &str| rewriter.links(&Document::new(text.as_bytes())).unsupported;
    let exceeded = Unsupported::LimitExceeded(Limit::ParserSteps);
    assert_eq!(unsupported(&comments(2)), None);
    assert_eq!(unsupported(&comments(50)), Some(exceeded));
    let tree = Tree::parse(&comments(50));
    let report =
        absolve::tree::rewrite(&rewriter, &tree, &BaseCandidates::new(), |_| Decision::Keep);
    assert_eq!(report.unsupported, Some(exceeded));
}

/// A container may have as many documents as it has hundreds of bytes.
#[test]
fn documents_in_containers_justify_their_steps_by_their_length() {
    let unsupported = |count: usize| {
        let html = format!("{LATE_BASE}<a href=target></a>{}", "<div>".repeat(count));
        let message = format!("Content-Type: text/html\r\n\r\n{html}");
        let container = Container::mime(message.as_bytes(), &ArchiveSettings::new());
        let container = container.expect("a message");
        let rewriter = support::recording().reader(Reader::Html5ever);
        let alone = rewriter.links(&Document::new(html.as_bytes())).unsupported;
        assert_eq!(alone, None);
        rewriter
            .links(&container.entities()[0].document())
            .unsupported
    };
    let exceeded = Unsupported::LimitExceeded(Limit::ParserSteps);
    assert_eq!(unsupported(100), None);
    assert_eq!(unsupported(1_000), Some(exceeded));
}
