//! Rewriting of trees, removal of attributes, and encodings.

use std::borrow::Cow;

use absolve::tree::{NodeChange, NodeList, Tree};
use absolve::{
    BaseCandidates, BaseElementPolicy, BaseSource, BesideLink, Decision, Document, Grammar,
    LinkReport, Outcome, OutputForm, Preset, Rewriter, SkipReason, make_absolute,
};

fn rewritten(html: &str) -> String {
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://r/x/d");
    let tree = Tree::parse(html);
    absolve::tree::rewrite(&support::recording(), &tree, &outside, |_| {
        Decision::Resolve
    });
    tree.serialize()
}

#[test]
fn rewrite_tree_changes_links_only() {
    let html = "<!DOCTYPE html><html><head><title>a &amp; b</title></head><body class=\"c\">\
                <!-- g --><a href=\"g?x=1&amp;y=2\" title=\"g\">g</a><img src=\"\" usemap=\"#m\"></body></html>";
    let expected = html.replace("href=\"g?", "href=\"http://r/x/g?");
    assert_eq!(rewritten(html), expected);
}

#[test]
fn rewrite_tree_leaves_absolute_links_unchanged() {
    let html = "<p>a<a href=\"http://x/\">b</a>{{ c }}<a href=\"{{ d }}\">e</a>";
    assert_eq!(rewritten(html), Tree::parse(html).serialize());
}

#[test]
fn rewrite_tree_is_idempotent() {
    let once = rewritten(
        "<base href=e/><a href=g></a><svg><use href='#i'></use><image href=i></svg><form action=''>",
    );
    assert_eq!(rewritten(&once), once);
}

#[test]
fn rewrite_tree_resolves_base_against_the_outer_base() {
    assert!(rewritten("<base href=e/f><a href=g>").contains("<base href=\"http://r/x/e/f\">"));
    assert!(rewritten("<base href=e/f><a href=g>").contains("<a href=\"http://r/x/e/g\">"));
    assert!(rewritten("<base href=''><a href=g>").contains("<base href=\"\">"));
}

#[test]
fn serialize_writes_templates_and_doctype() {
    let html =
        "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN' '\"'><template><a href=g></a></template>";
    let out = rewritten(html);
    assert!(
        out.starts_with("<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\" '\"'>"),
        "{out}"
    );
    assert!(
        out.contains("<template><a href=\"http://r/x/g\"></a></template>"),
        "{out}"
    );
}

#[test]
fn tree_rewrite_applies_each_decision() {
    let tree = Tree::parse("<a href=one></a><a href=two></a><a href=three></a>");
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://r/x/d");
    absolve::tree::rewrite(
        &support::recording(),
        &tree,
        &outside,
        |link_report| match &*link_report.link.reference {
            "one" => Decision::Keep,
            "two" => Decision::Replace("#".to_owned()),
            _ => Decision::Resolve,
        },
    );
    let html = tree.serialize();
    assert!(
        html.contains(r##"<a href="one"></a><a href="#"></a><a href="http://r/x/three"></a>"##),
        "{html}"
    );
}

#[test]
fn decision_replace_is_reported_as_skipped_if_the_text_cannot_be_written() {
    let selector = "script[#text]".parse().expect("a selector");
    let rewriter = support::recording()
        .preset(Preset::Comments)
        .link(selector, Grammar::Url);
    for (html, text) in [
        ("<script>http://h/</script>", "</script>"),
        ("<!--[if a]><a href='http://h/'>b</a><![endif]-->", "-->"),
        ("<!--[if a]><img srcset='http://h/ 1x'><![endif]-->", "-->"),
    ] {
        let replace = |_: &LinkReport<'_>| Decision::Replace(text.to_owned());
        let document = Document::new(html.as_bytes());
        let rewritten = rewriter.rewrite_with(&document, replace);
        assert_eq!(String::from_utf8_lossy(&rewritten.bytes), html);
        let outcomes: Vec<_> = rewritten.skipped().map(|link| &link.outcome).collect();
        let unwritable = Outcome::Skipped(SkipReason::Unwritable);
        assert_eq!(outcomes, [&unwritable], "{html}");
        assert_eq!(rewritten.report.counts.skipped, 1, "{html}");

        let tree = Tree::parse(html);
        let before = tree.serialize();
        let of_tree = absolve::tree::rewrite(&rewriter, &tree, &BaseCandidates::new(), replace);
        assert_eq!(tree.serialize(), before);
        assert_eq!(of_tree.links[0].outcome, unwritable, "{html}");
    }
}

#[test]
fn decision_remove_keeps_other_attributes() {
    for (html, expected) in [
        ("<a href=g title=t>", "<a  title=t>"),
        ("<a title=t href='g'>", "<a title=t >"),
        ("<a/href=g>", "<a/ >"),
        ("<a title='t'href=g>", "<a title='t'>"),
        ("<a href=g HREF=h>", "<a  >"),
        ("<a href>", "<a >"),
        ("<a x href=''=y>", "<a x /=y>"),
        ("<svg><a/href=g>", "<svg><a/ >"),
    ] {
        let document = Document::new(html.as_bytes());
        let rewritten = support::recording().rewrite_with(&document, |_| Decision::Remove);
        assert_eq!(
            String::from_utf8_lossy(&rewritten.bytes),
            expected,
            "{html}"
        );
    }
}

#[test]
fn rewrite_tree_encodes_queries_in_the_document_encoding() {
    // U+043F is 0xEF in windows-1251, which applies to the query only: the path is in UTF-8. A character that the
    // encoding lacks becomes a numeric character reference.
    let document = b"<meta charset=windows-1251><a href='\xef?\xef\xef'>\xef</a><a href='?&#8364;&#20013;a'></a>";
    let tree = Tree::parse_bytes(document, None).expect("a readable document");
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://r/x/d");
    absolve::tree::rewrite(&support::recording(), &tree, &outside, |_| {
        Decision::Resolve
    });
    let html = tree.serialize_bytes();
    let contains = |part: &[u8]| html.windows(part.len()).any(|window| window == part);
    assert!(contains(b"<a href=\"http://r/x/%D0%BF?%EF%EF\">\xef</a>"));
    assert!(contains(b"<a href=\"http://r/x/d?%88%26%2320013%3Ba\">"));
}

#[test]
fn byte_order_mark_takes_precedence_and_is_kept() {
    for (bom, encode) in [
        (
            &b"\xef\xbb\xbf"[..],
            (|text: &str| text.as_bytes().to_vec()) as fn(&str) -> Vec<u8>,
        ),
        (b"\xff\xfe", |text| {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }),
        (b"\xfe\xff", |text| {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        }),
    ] {
        let document = [
            bom,
            &encode("<meta charset=shift_jis><a href=\u{e9}>\u{e9}</a>"),
        ]
        .concat();
        let tree = Tree::parse_bytes(&document, Some("windows-1252")).expect("a readable document");
        let html = tree.serialize_bytes();
        assert!(html.starts_with(bom));
        let part = encode("<a href=\"\u{e9}\">\u{e9}</a>");
        assert!(
            html.windows(part.len()).any(|window| window == part),
            "{bom:x?}"
        );
    }
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    // The contents of TEMPLATE are a tree of their own, which has its own path through visiting, serializing and
    // dropping.
    for opening in ["<span>", "<div>", "<template>", "<svg>", "<select><option>"] {
        let html = opening.repeat(30_000) + "<a href=g>";
        let out = rewritten(&html);
        assert!(
            out.contains("http://r/x/g") || opening.starts_with("<select"),
            "{opening}"
        );
    }
}

#[test]
fn rewrite_nodes_returns_the_changes_to_a_tree_of_another_program() {
    let mut nodes = NodeList::new();
    nodes.push_element(0, None, "html", []);
    nodes.push_element(1, None, "head", []);
    nodes.push_element(2, None, "template", []);
    nodes.push_element(3, None, "base", [("href", "http://t/")]);
    nodes.push_element(2, None, "base", [("href", "b/")]);
    nodes.push_element(2, None, "style", [("media", "all")]);
    nodes.push_text("a{b:url(c)}", true);
    nodes.push_element(1, None, "body", []);
    nodes.push_comment(2, "[if IE]><a href=d><![endif]");
    nodes.push_element(2, None, "svg", []);
    nodes.push_element(3, None, "feimage", [("xlink:href", "e")]);
    nodes.push_element(3, None, "foreignobject", []);
    nodes.push_element(4, None, "image", [("src", "f")]);
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://h/");
    let rewriter = support::recording()
        .preset(Preset::Comments)
        .base_element(BaseElementPolicy::Remove);
    let rewritten = absolve::tree::rewrite_nodes(&rewriter, nodes, &outside, |_| Decision::Resolve);
    let attribute = |node, value: &str| NodeChange::Attribute {
        node,
        attribute: 0,
        value: Some(value.to_owned()),
    };
    let text = |node, text: &str| NodeChange::Text {
        node,
        text: text.to_owned(),
    };
    let expected = [
        NodeChange::Remove { node: 3 },
        NodeChange::Remove { node: 4 },
        text(5, "a{b:url(http://h/b/c)}"),
        text(7, "[if IE]><a href=http://h/b/d><![endif]"),
        attribute(9, "http://h/b/e"),
        attribute(11, "http://h/b/f"),
    ];
    assert_eq!(rewritten.changes, expected);
    let spans = rewritten.report.links.iter().map(|report| report.link.span);
    let starts: Vec<_> = spans.map(|span| span.map(|span| span.start)).collect();
    assert_eq!(starts, [0, 0, 8, 16, 0, 0].map(Some));
}

#[test]
fn rewrite_nodes_does_not_read_the_text_of_a_noscript() {
    let mut nodes = NodeList::new();
    nodes.push_element(0, None, "noscript", []);
    nodes.push_text("<img src=a>", true);
    nodes.push_element(1, None, "img", [("src", "b")]);
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, "http://h/");
    let rewritten = absolve::tree::rewrite_nodes(&support::recording(), nodes, &outside, |_| {
        Decision::Resolve
    });
    let value = Some("http://h/b".to_owned());
    let (node, attribute) = (1, 0);
    let expected = [NodeChange::Attribute {
        node,
        attribute,
        value,
    }];
    assert_eq!(rewritten.changes, expected);
    assert_eq!(rewritten.report.links.len(), 1);
}

#[test]
fn a_callback_cannot_end_a_noscript() {
    let html = "<noscript><a href=x></a><style>a{b:url(y)}</style></noscript><a href=z>";
    let document = Document::new(html.as_bytes()).retrieved_from("http://h/");
    let rewritten =
        support::recording().rewrite_with(&document, |report| match &*report.link.reference {
            "z" => Decision::Resolve,
            _ => Decision::Replace("</noscript>".to_owned()),
        });
    // An attribute would need a literal "<". CSS has an escape for it (CSS Syntax, "consume an escaped code point").
    let expected = html
        .replace("href=z", "href=http://h/z")
        .replace("url(y)", "url(\\3c /noscript\\3e )");
    assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected);
    let reasons = rewritten.report.links.iter().map(LinkReport::skip_reason);
    let unwritable = Some(SkipReason::Unwritable);
    assert_eq!(reasons.collect::<Vec<_>>(), [unwritable, None, None]);
}

/// A BASE outside HEAD counts in browsers and not for RFC 1808: a shortened reference would lead elsewhere in a browser.
#[test]
fn relative_output_does_not_depend_on_a_base_that_only_browsers_honor() {
    let evil = "<body><base href='https://evil.example/'>";
    let form = "<form action='https://good.example/login'><a href=a>";
    let rewritten = |html: &str, rewriter: &Rewriter| {
        let document = Document::new(html.as_bytes()).retrieved_from("https://good.example/d/");
        let rewritten = rewriter.rewrite(&document);
        String::from_utf8(rewritten.bytes.into_owned()).expect("text")
    };
    for output in [OutputForm::Relative, OutputForm::RootRelative] {
        let relative = support::recording().output(output);
        let out = rewritten(&format!("{evil}{form}"), &relative);
        let expected =
            "<form action='https://good.example/login'><a href=https://good.example/d/a>";
        assert!(out.ends_with(expected), "{out}");
        // Where browsers and the rewriter agree, references are short.
        let without = rewritten(&format!("<body>{form}"), &relative);
        assert!(!without.contains("https:"), "{without}");
        let removed = relative.clone().base_element(BaseElementPolicy::Remove);
        assert!(!rewritten(&format!("{evil}{form}"), &removed).contains("https:"));
        let first = format!("<base href='https://good.example/d/'>{evil}{form}");
        assert!(!rewritten(&first, &relative).contains("https://good.example/login"));
        let inserted = relative.clone().base_element(BaseElementPolicy::Insert);
        let out = rewritten(&format!("<head></head>{evil}{form}"), &inserted);
        assert!(!out.contains("https://good.example/login"), "{out}");
    }
}

#[test]
fn attributes_beside_links_are_edited_and_no_other_byte() {
    let page = |edited: [&str; 4]| {
        let [a, b, c, d] = edited;
        format!(
            "<p integrity=x>\u{e9}<script{a} src=/a integrity=z></script><img{b} src=/b srcset='/c 2x' style='a:url(/d)'>
<iframe srcdoc='<link href=/e{c}>'></iframe><!--[if IE]><link href=/f {d}><![endif]--><a href=/g>"
        )
    };
    let document = page([
        "/integrity=y",
        " integrity='q'crossorigin",
        " integrity=&amp;quot;",
        "crossorigin=1",
    ]);
    let mut asked = Vec::new();
    let rewriter = Rewriter::new()
        .preset(Preset::Comments)
        .beside(&["integrity", "crossorigin"]);
    let document = Document::new(document.as_bytes()).retrieved_from("http://h/");
    let rewritten = rewriter.rewrite_beside(&document, |link_report, beside| {
        let Some(beside) = beside else {
            return Decision::Keep;
        };
        let BesideLink { name, value } = beside;
        asked.push(format!("{} {name} {value}", link_report.link.reference));
        match name {
            "integrity" => Decision::Replace("a b\"".to_owned()),
            _ => Decision::Remove,
        }
    });
    let edited = page([
        "/integrity=\"a b&quot;\"",
        " integrity='a b\"'",
        " integrity=\"a b&amp;quot;\"",
        "",
    ]);
    assert_eq!(String::from_utf8_lossy(&rewritten.bytes), edited);
    assert_eq!(
        asked,
        [
            "/a integrity y",
            "/b integrity q",
            "/b crossorigin ",
            "/e integrity \"",
            "/f crossorigin 1"
        ]
    );
    assert_eq!(rewritten.report.counts.resolved, 7);
    // Without a name, nothing is asked, and nothing edited.
    let never = |_: &LinkReport<'_>, beside: Option<BesideLink<'_>>| {
        assert!(beside.is_none());
        Decision::Keep
    };
    let kept = Rewriter::new().rewrite_beside(&document, never);
    assert_eq!(&*kept.bytes, document.bytes());
}

/// Every link is replaced by `n`, and its element has the reference as an attribute, unless it has one of that name.
#[test]
fn attributes_are_added_beside_links_that_are_replaced() {
    let decide = |report: &LinkReport<'_>| {
        let reference = report.link.reference.clone().into_owned();
        let names = ["data-o", "DATA-O", "a b", "x:y", "=", "", "1"];
        let added = names.map(|name| (name.to_owned(), reference.clone()));
        Decision::ReplaceAdding("n".to_owned(), added.to_vec())
    };
    let rewriter = Rewriter::new().preset(Preset::Comments);
    for (html, expected) in [
        (
            "<A/href='x&quot;&amp;<'>",
            "<A data-o=\"x&quot;&amp;<\"/href='n'>",
        ),
        ("<a href=n><a href=x Data-O>", "<a href=n><a href=n Data-O>"),
        (
            "<img srcset='x 1x, y 2x' src=z>",
            "<img data-o=\"x\" srcset='n 1x, n 2x' src=n>",
        ),
        (
            "<iframe src=x srcdoc='<a href=y>'>",
            "<iframe data-o=\"x\" src=n srcdoc='<a data-o=\"y\" href=n>'>",
        ),
        (
            "<!--[if IE]><a href=x><![endif]--><style>a{b:url(y)}</style><p>",
            "<!--[if IE]><a data-o=\"x\" href=n><![endif]--><style>a{b:url(n)}</style><p>",
        ),
        (
            "<svg><use xlink:href=x /></svg>",
            "<svg><use data-o=\"x\" xlink:href=n /></svg>",
        ),
    ] {
        let rewritten = rewriter.rewrite_with(&Document::new(html.as_bytes()), decide);
        assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected);
    }
    let xml =
        "<html xmlns='http://www.w3.org/1999/xhtml'><a href='&lt;&amp;'/><br data-o='' /></html>";
    let rewritten = rewriter.rewrite_with(&Document::xml(xml.as_bytes()), decide);
    let expected = xml.replace("<a href='&lt;&amp;'", "<a data-o=\"&lt;&amp;\" href='n'");
    assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected);
}

#[test]
fn make_absolute_borrows_what_has_no_edits() {
    for (html, url, expected) in [
        (
            "<a href=../x>é</a>",
            "http://h/a/b",
            "<a href=http://h/x>é</a>",
        ),
        (
            "<base href=http://b/><a href=x>",
            "http://h/",
            "<base href=http://b/><a href=http://b/x>",
        ),
        // The text is not in this encoding.
        (
            "<meta charset=iso-8859-1><a href='?é'>",
            "http://h/",
            "<meta charset=iso-8859-1><a href='http://h/?%C3%A9'>",
        ),
        (
            "\u{feff}<a href=x>é",
            "http://h/",
            "\u{feff}<a href=http://h/x>é",
        ),
    ] {
        assert_eq!(make_absolute(html, url), expected);
    }
    for (html, url) in [
        ("<a href=http://h/>x</a>", "http://h/"),
        ("<a href=x>x</a>", "no URL"),
    ] {
        assert!(matches!(make_absolute(html, url), Cow::Borrowed(same) if same == html));
    }
}

#[test]
fn rewriting_records_skipped_links_only_unless_all_are_asked_for() {
    let document = Document::new(b"<a href=x></a><img src=''>").retrieved_from("http://h/");
    let by_default = Rewriter::new().rewrite(&document);
    let recorded = support::recording().rewrite(&document);
    assert_eq!(by_default.bytes, recorded.bytes);
    assert_eq!((by_default.edited, by_default.edits.len()), (1, 0));
    assert_eq!((recorded.edited, recorded.edits.len()), (1, 1));
    assert_eq!(by_default.report.counts, recorded.report.counts);
    assert_eq!(by_default.report.links, recorded.report.links[1..]);
}
