//! Links and their base URLs: the cases that a row of `fixtures/links/rows.tsv` cannot express.

use std::borrow::Cow;

use absolve::tree::Tree;
use absolve::{
    BaseCandidates, BaseSource, Decision, Document, ElementTexts, LinkObserver, ObservedLink,
    Outcome, Preset, Report, SkipReason, Span,
};

fn report(html: &str) -> Report<'static> {
    report_with(
        html,
        &BaseCandidates::new().with(BaseSource::Retrieval, "http://retrieval/r/d"),
    )
}

fn report_with(html: &str, outside: &BaseCandidates<'_>) -> Report<'static> {
    absolve::tree::rewrite(&support::recording(), &Tree::parse(html), outside, |_| {
        Decision::Keep
    })
}

#[test]
fn links_match_foreign_names_in_their_namespace_only() {
    let references = |html: &str| -> Vec<String> {
        report(html)
            .links
            .into_iter()
            .map(|link_report| {
                format!(
                    "{}[{}]",
                    link_report.link.element, link_report.link.attribute
                )
            })
            .collect()
    };
    assert_eq!(references("<svg><A HREF=x></svg>"), ["svg:a[href]"]);
    assert_eq!(
        references("<svg><LINEARGRADIENT XLINK:HREF=x></svg>"),
        ["svg:linearGradient[xlink:href]"]
    );
    assert_eq!(
        references("<svg><g xlink:href=x></svg>"),
        ["svg:g[xlink:href]"]
    );
    assert_eq!(references("<a xlink:href=x>"), [""; 0]);
    assert_eq!(references("<use href=x>"), [""; 0]);
    assert_eq!(references("<svg><img src=x></svg>"), ["img[src]"]);
    assert_eq!(references("<image src=x>"), ["img[src]"]);
    assert_eq!(
        references("<svg><foreignObject><a href=x></svg>"),
        ["a[href]"]
    );
    assert_eq!(references("<math><mi href=x></math>"), ["math:mi[href]"]);
    assert_eq!(references("<noscript><img src=x></noscript>"), ["img[src]"]);
    assert_eq!(
        references("<noscript><a href=x><style>@import 'x'</style><!--</noscript><img src=x>-->"),
        ["a[href]", "style[#text]", "img[src]"]
    );
    assert_eq!(
        references("<noscript><svg><script/><a href=x></noscript><a xlink:href=x>"),
        ["svg:a[href]"]
    );
    assert_eq!(
        references("<noscript><noscript><a href=x></noscript><img src=x></noscript>"),
        ["a[href]", "img[src]"]
    );
    // Unfinished markup ends with the text.
    assert_eq!(
        references("<noscript><a href='</noscript><a href=x>'>"),
        ["a[href]"]
    );
    assert_eq!(
        references("<noscript><a href=x><img src=x></noscript "),
        ["a[href]", "img[src]"]
    );
    assert_eq!(
        references("<template><img src=x><template><a href=x></template></template>"),
        ["img[src]", "a[href]"]
    );
    assert_eq!(
        references(
            "<textarea><img src=x></textarea><!--<img src=x>--><script>'<a href=x>'</script>"
        ),
        [""; 0]
    );
}

#[test]
fn links_ignore_xml_base() {
    let html = "<base href=http://e/d><svg xml:base=http://no/><a href=x xml:base=http://no/>";
    let outcomes: Vec<_> = report(html)
        .links
        .into_iter()
        .map(|link_report| link_report.outcome)
        .collect();
    assert_eq!(
        outcomes,
        [
            Outcome::Absolute,
            Outcome::Resolved("http://e/x".to_owned())
        ]
    );
}

#[test]
fn links_resolve_archive_against_codebase_and_leave_code() {
    let html = "<base href=http://e/d><applet codebase=c/ code=A.class archive=a.jar object=o></applet>\
                <object classid=x codebase='//h/c/' data=y></object><applet code=B.class object=p></applet>";
    let targets: Vec<_> = report(html)
        .links
        .into_iter()
        .skip(1)
        .map(|link_report| match link_report.outcome {
            Outcome::Resolved(target) => format!("{} {target}", link_report.link.attribute),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        targets,
        [
            "codebase http://e/c/",
            "archive http://e/c/a.jar",
            "object http://e/c/o",
            "classid http://h/c/x",
            "codebase http://h/c/",
            "data http://e/y",
            "object http://e/p",
        ]
    );
}

#[test]
fn links_resolve_against_an_absolute_codebase_without_a_base() {
    let links = report_with(
        "<applet codebase=http://h/k/ object=F></applet>",
        &BaseCandidates::new(),
    )
    .links;
    assert_eq!(
        links[1].outcome,
        Outcome::Resolved("http://h/k/F".to_owned())
    );
}

#[test]
fn links_without_a_base_skip_relative_references() {
    let links = report_with(
        "<a href=g></a><a href=http://x/></a><a href=''></a><img src=''>",
        &BaseCandidates::new(),
    )
    .links;
    let outcomes: Vec<_> = links
        .into_iter()
        .map(|link_report| link_report.outcome)
        .collect();
    let skipped = |reason| Outcome::Skipped(reason);
    assert_eq!(
        outcomes,
        [
            skipped(SkipReason::NoBase),
            Outcome::Absolute,
            skipped(SkipReason::NoBase),
            skipped(SkipReason::Empty)
        ]
    );
}

/// An observer that keeps reference and start tag of each link.
#[derive(Default)]
struct StartTags(Vec<(String, Option<Span>)>);

impl LinkObserver for StartTags {
    fn start_over(&mut self) {
        self.0.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        self.0.push((link.reference.to_owned(), link.start_tag));
    }
}

/// Asserts that the links of `document` are those of `expected`, each with its start tag as written.
fn assert_start_tags(document: &Document<'_>, expected: &[(&str, Option<&str>)]) {
    let rewriter = support::recording().preset(Preset::Comments);
    let mut listed = StartTags::default();
    rewriter.observe(document, &mut listed);
    let mut rewritten = StartTags::default();
    rewriter.rewrite_into(document, &mut Vec::new(), Some(&mut rewritten));
    for observed in [&listed, &rewritten] {
        let as_written =
            |span: Span| String::from_utf8_lossy(&document.bytes()[span.start..span.end]);
        let found: Vec<(&str, Option<Cow<'_, str>>)> = observed
            .0
            .iter()
            .map(|(reference, start_tag)| (&**reference, start_tag.map(as_written)))
            .collect();
        let expected: Vec<(&str, Option<Cow<'_, str>>)> = expected
            .iter()
            .map(|(reference, start_tag)| (*reference, start_tag.map(Cow::Borrowed)))
            .collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn observers_receive_the_start_tag_of_the_element() {
    let html = "\u{feff}<a href=x title='>'>t</a><img alt=y srcset='a 1x, b&#x20;2x'><style>p{a:url(c)}</style>\
        <p style='a:url(d)'><!--[if IE]><a href=e><![endif]--><iframe srcdoc='<a href=f>'></iframe>";
    let expected = [
        ("x", Some("<a href=x title='>'>")),
        ("a", Some("<img alt=y srcset='a 1x, b&#x20;2x'>")),
        ("b", Some("<img alt=y srcset='a 1x, b&#x20;2x'>")),
        ("c", Some("<style>")),
        ("d", Some("<p style='a:url(d)'>")),
        ("e", None),
        ("f", None),
    ];
    let url = "http://h/";
    assert_start_tags(
        &Document::new(html.as_bytes()).retrieved_from(url),
        &expected,
    );

    // Read in place, decoded, and with another encoding than the beginning suggests.
    let html = "<img src=/i\u{e9}><a rel=\u{e9} href=x>";
    let expected = [
        ("/i\u{e9}", Some("<img src=/i\u{fffd}>")),
        ("x", Some("<a rel=\u{fffd} href=x>")),
    ];
    let (latin, ..) = encoding_rs::WINDOWS_1252.encode(html);
    let document = Document::new(&latin).retrieved_from(url);
    assert_start_tags(&document.clone().encoding("windows-1252"), &expected);
    let declared = [&[b' '; 2000], &b"<meta charset=latin1>"[..], &latin].concat();
    assert_start_tags(&Document::new(&declared).retrieved_from(url), &expected);
    let (japanese, ..) = encoding_rs::ISO_2022_JP.encode("<a href=x>");
    let document = Document::new(&japanese)
        .retrieved_from(url)
        .encoding("iso-2022-jp");
    assert_start_tags(&document, &[("x", Some("<a href=x>"))]);

    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><link href='x'/><entry>\
        <content type='html'><![CDATA[<a href=y>]]></content><summary type='html'>&lt;a href=z></summary></entry></feed>";
    let expected = [
        ("x", Some("<link href='x'/>")),
        ("y", Some("<a href=y>")),
        ("z", None),
    ];
    assert_start_tags(
        &Document::xml(feed.as_bytes()).retrieved_from(url),
        &expected,
    );
    let style_sheet = Document::style_sheet(b"a{b:url(x)}").retrieved_from(url);
    assert_start_tags(&style_sheet, &[("x", None)]);
}

/// Asserts the texts of the elements of the links of a document: text, `rel` and `alt`.
fn assert_element_texts(
    document: &Document<'_>,
    expected: &[(Option<&str>, Option<&str>, Option<&str>)],
) {
    let texts = ElementTexts::of(&support::recording(), document);
    let found: Vec<_> = (0..=expected.len())
        .map_while(|index| texts.of_link(index))
        .map(|texts| {
            (
                texts.text.as_deref(),
                texts.rel.as_deref(),
                texts.alt.as_deref(),
            )
        })
        .collect();
    let name = String::from_utf8_lossy(document.bytes());
    assert_eq!(found, expected, "{name}");
}

#[test]
fn element_texts_are_those_of_the_element_of_each_link() {
    for (html, text) in [
        (
            "<a href=x> Two \n words\t<b>bold</b>&nbsp;</a>",
            "Two words bold\u{a0}",
        ),
        (
            "<a href=x>a<!-- </a> -->b&lt;i&gt;&notin;&amp</a>",
            "ab<i>\u{2209}&",
        ),
        (
            "<a href=x>a<script>'</a>'</script>b<style></a></style>c</a>d",
            "abc",
        ),
        (
            "<a href=x><div>Title</div><p>Text<ul><li>1<li>2</ul></a>",
            "Title Text 1 2",
        ),
        (
            "<a href=x><textarea></a> &amp;</textarea><svg><title>t</title></svg></a>",
            "</a> &t",
        ),
        (
            "<a href=x><svg><foreignObject><script/></a></script></svg>t",
            "t",
        ),
        ("<svg><a href=x><style/><text>t</text></a></svg>", "t"),
        (
            "<a href=x>a\0b<template>a<template></template>c</template>d<a name=n>e",
            "abd",
        ),
        ("<a href=x>t<plaintext></a>", "t</a>"),
    ] {
        assert_element_texts(&Document::new(html.as_bytes()), &[(Some(text), None, None)]);
    }
    let html = b"<a href=1 REL=' a&amp'>one<img src=2 alt='' alt=b><a href=3 ping='4 5'>th\xe9";
    let three = (Some("th\u{e9}"), None, None);
    assert_element_texts(
        &Document::new(html).encoding("windows-1252"),
        &[
            (Some("one"), Some(" a&"), None),
            (None, None, Some("")),
            three,
            three,
            three,
        ],
    );
    let xhtml = "<!DOCTYPE html PUBLIC 'x' 'y'><html xmlns='http://www.w3.org/1999/xhtml' xmlns:h='http://www.w3.org/1999/xhtml'><a href='1'/>no<h:a \
        REL='r' alt='a\n&#10;b' href='2'>a<![CDATA[<b>]]>&eacute;&#x80;<?p </a> ?><!-->--><script>s</script><title/>\
        </h:a>no</html>";
    assert_element_texts(
        &Document::xml(xhtml.as_bytes()),
        &[
            (Some(""), None, None),
            (Some("a<b>\u{e9}\u{80}"), None, Some("a \nb")),
        ],
    );
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><content type='html'><![CDATA[<a href=y>more]]></content>\
        </entry></feed>";
    assert_element_texts(
        &Document::xml(feed.as_bytes()),
        &[(Some("more"), None, None)],
    );
}

#[test]
fn element_texts_of_deep_elements_are_read_in_linear_time() {
    // Some minutes if each end tag was compared with all open elements.
    let html = format!(
        "<a href=x>{}{}t",
        "<svg>".repeat(300_000),
        "</b>".repeat(300_000)
    );
    let texts = ElementTexts::of(&support::recording(), &Document::new(html.as_bytes()));
    assert!(texts.of_link(0).is_none_or(|texts| texts.text.is_some()));
}
