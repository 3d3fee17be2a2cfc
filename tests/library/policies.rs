//! Settings of `Rewriter`: fragments, BASE, selection of links, placeholders, output form.

use std::borrow::Cow;

use absolve::options::InsertionPlace;
use absolve::tree::Tree;
use absolve::{
    AbsoluteReferences, BaseCandidates, BaseElementPolicy, BaseSource, Decision, Document,
    FragmentPolicy, Grammar, Limit, LinkReport, Outcome, OutputForm, Preset, Profile, Rewriter,
    SkipReason, Unwrap,
};

const URL: &str = "http://h/d/page";

fn rewrite_from(rewriter: &Rewriter, url: &str, html: &str) -> String {
    let document = Document::new(html.as_bytes()).retrieved_from(url);
    let rewritten = rewriter.rewrite(&document);
    let bytes = String::from_utf8(rewritten.bytes.into_owned()).expect("text");
    // Rewriting the tree has the same result.
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, url);
    let tree = Tree::parse(html);
    absolve::tree::rewrite(rewriter, &tree, &outside, |_| Decision::Resolve);
    assert_eq!(tree.serialize(), Tree::parse(&bytes).serialize(), "{html}");
    bytes
}

fn rewrite(rewriter: &Rewriter, html: &str) -> String {
    rewrite_from(rewriter, URL, html)
}

fn reasons(rewriter: &Rewriter, html: &str) -> Vec<SkipReason> {
    let document = Document::new(html.as_bytes()).retrieved_from(URL);
    let links = rewriter.links(&document).links;
    let skipped = |outcome| match outcome {
        Outcome::Skipped(reason) => Some(reason),
        Outcome::Resolved(_) | Outcome::Absolute => None,
    };
    links
        .into_iter()
        .filter_map(|link_report| skipped(link_report.outcome))
        .collect()
}

#[test]
fn fragments_policy_resolves_or_keeps() {
    let without_base = r##"<a href="#s">x</a><a href="g#s">x</a>"##;
    let with_base = r##"<base href="http://h/d/other"><a href="#s">x</a>"##;
    let resolve = support::recording();
    assert_eq!(
        rewrite(&resolve, without_base),
        r#"<a href="http://h/d/page#s">x</a><a href="http://h/d/g#s">x</a>"#
    );
    assert_eq!(
        rewrite(&resolve, with_base),
        r#"<base href="http://h/d/other"><a href="http://h/d/other#s">x</a>"#
    );

    let keep = support::recording().fragments(FragmentPolicy::Keep);
    assert_eq!(
        rewrite(&keep, without_base),
        r##"<a href="#s">x</a><a href="http://h/d/g#s">x</a>"##
    );
    assert_eq!(rewrite(&keep, with_base), with_base);
    assert_eq!(reasons(&keep, with_base), [SkipReason::Fragment]);

    let auto = support::recording().fragments(FragmentPolicy::Auto);
    assert_eq!(
        rewrite(&auto, without_base),
        r##"<a href="#s">x</a><a href="http://h/d/g#s">x</a>"##
    );
    assert_eq!(
        rewrite(&auto, with_base),
        r#"<base href="http://h/d/other"><a href="http://h/d/other#s">x</a>"#
    );
    // BASE may refer to the document itself, with any fragment: fragment-only references are kept.
    let itself = r##"<base href="page#x"><a href="#s">x</a>"##;
    assert_eq!(
        rewrite_from(&auto, "http://h/d/page#y", itself),
        r##"<base href="http://h/d/page#x"><a href="#s">x</a>"##
    );
    // Without a retrieval URL it is unknown whether BASE refers to the document itself, so the reference is resolved.
    let document = Document::new(with_base.as_bytes());
    assert_eq!(auto.rewrite(&document).edits.len(), 1);
}

#[test]
fn base_element_keep() {
    let keep = support::recording().base_element(BaseElementPolicy::Keep);
    assert_eq!(
        rewrite(&keep, "<base href=e/><a href=g>x</a>"),
        "<base href=e/><a href=http://h/d/e/g>x</a>"
    );
    assert_eq!(
        reasons(&keep, "<base href=e/><a href=g>x</a>"),
        [SkipReason::Excluded]
    );
}

#[test]
fn base_element_remove_keeps_its_target() {
    let remove = support::recording().base_element(BaseElementPolicy::Remove);
    for (before, after) in [
        (
            "<base href=e/><a href=g>x</a>",
            "<a href=http://h/d/e/g>x</a>",
        ),
        (
            "<title>x</title><BASE target=_top HREF='http://e/'><a href=g>x</a>",
            "<title>x</title><BASE target=_top ><a href=http://e/g>x</a>",
        ),
        // An empty BASE has no effect, so nothing is lost.
        (
            "<base href=''><a href=g>x</a>",
            "<a href=http://h/d/g>x</a>",
        ),
        // The base URL is not known yet: BASE is kept, and the references that need it are left unchanged.
        (
            "<base href='{{ url }}'><a href=g>x</a>",
            "<base href='{{ url }}'><a href=g>x</a>",
        ),
        // A BASE without effect is removed, too, because no relative reference remains.
        (
            "<base href=e/><base href=f/><p><a href=g>x</a><base href=k/>",
            "<p><a href=http://h/d/e/g>x</a>",
        ),
    ] {
        assert_eq!(rewrite(&remove, before), after);
    }
    // Without a retrieval URL the relative BASE cannot be resolved, and must not be lost.
    let html = b"<base href=e/><a href=g>x</a>";
    assert!(matches!(
        remove.rewrite(&Document::new(html)).bytes,
        Cow::Borrowed(_)
    ));
    // Relative output is relative to the base URL that remains after BASE is removed.
    let relative = remove.output(OutputForm::Relative);
    assert_eq!(
        rewrite(&relative, "<base href=e/><a href=g>x</a>"),
        "<a href=e/g>x</a>"
    );
}

#[test]
fn base_element_insert() {
    let insert = support::recording().base_element(BaseElementPolicy::Insert);
    let base = r#"<base href="http://h/d/page">"#;
    for (before, after) in [
        (
            "<!doctype html><HTML lang=x>\n<HEAD id=h>\n<title>x</title>",
            format!("<!doctype html><HTML lang=x>\n<HEAD id=h>{base}\n<title>x</title>"),
        ),
        (
            "<!doctype html>\n<title>x</title>",
            format!("<!doctype html>\n{base}<title>x</title>"),
        ),
        (
            "<html><!--c--><body>x",
            format!("<html><!--c-->{base}<body>x"),
        ),
        ("text", format!("{base}text")),
        ("", base.to_owned()),
        (
            "<base target=_top><title>x</title>",
            r#"<base href="http://h/d/page" target=_top><title>x</title>"#.to_owned(),
        ),
        (
            "<p>x<base target=_top>",
            format!("{base}<p>x<base target=_top>"),
        ),
        // A BASE that determines the base URL is made absolute, as without the setting.
        ("<base href=e>", "<base href=http://h/d/e>".to_owned()),
        // One that is not usable as a base is kept, and another BASE is inserted.
        (
            "<base href='mailto:x'>",
            format!("{base}<base href='mailto:x'>"),
        ),
    ] {
        assert_eq!(rewrite(&insert, before), after);
        let again = rewrite(&insert, &after);
        assert_eq!(again, after, "a second time");
    }
    assert_eq!(
        rewrite_from(&insert, "http://h/a?b&c#d", "x"),
        r#"<base href="http://h/a?b&amp;c">x"#
    );
    let document = Document::new(b"<a href=g>x</a>");
    assert!(
        insert.rewrite(&document).edits.is_empty(),
        "no base URL is known"
    );
}

#[test]
fn presets_select_links() {
    let html = r#"<img src=a data-src=b><meta property="og:image" content=c><div about=d></div>"#;
    let found = |rewriter: &Rewriter| -> Vec<String> {
        let links = rewriter.links(&Document::new(html.as_bytes())).links;
        links
            .into_iter()
            .map(|link_report| link_report.link.reference.into_owned())
            .collect()
    };
    assert_eq!(found(&support::recording()), ["a"]);
    assert_eq!(
        found(&support::recording().preset(Preset::Lazy)),
        ["a", "b"]
    );
    assert_eq!(
        found(&support::recording().no_presets().preset(Preset::Social)),
        ["c"]
    );
    let all = Preset::ALL
        .iter()
        .fold(support::recording(), |rewriter, &preset| {
            rewriter.preset(preset)
        });
    assert_eq!(found(&all), ["a", "b", "c", "d"]);
}

#[test]
fn link_and_skip_select_by_selector() {
    let rewriter = support::recording()
        .link("div[data-image]".parse().expect("a selector"), Grammar::Url)
        .link("*[data-set]".parse().expect("a selector"), Grammar::Srcset)
        .link("a[ping]".parse().expect("a selector"), Grammar::Url)
        .skip("link[rel~=canonical][href]".parse().expect("a selector"))
        .skip("iframe[srcdoc]".parse().expect("a selector"));
    let html = r#"<link rel="canonical" href=c><div data-image=i data-set="a 1x, b 2x"></div>
<p data-image=i><svg data-set=s></svg><a ping="x y"></a><iframe srcdoc="<a href=x>"></iframe>"#;
    assert_eq!(
        rewrite(&rewriter, html),
        r#"<link rel="canonical" href=c><div data-image=http://h/d/i data-set="http://h/d/a 1x, http://h/d/b 2x"></div>
<p data-image=i><svg data-set=http://h/d/s></svg><a ping="http://h/d/x%20y"></a><iframe srcdoc="<a href=x>"></iframe>"#
    );
    assert_eq!(
        reasons(&rewriter, html),
        [SkipReason::Excluded, SkipReason::Excluded]
    );
}

#[test]
fn attributes_are_removed_by_selector() {
    let selectors = [
        "*[integrity]",
        "img[class=x][src]",
        "base[href]",
        "input[type]",
        "svg:use[href]",
    ];
    let rewriter = selectors
        .iter()
        .fold(support::recording(), |rewriter, text| {
            rewriter.remove_attribute(text.parse().expect("a selector"))
        });
    let html = "<base href=/e/ target=t><script integrity='a' src=x INTEGRITY=b></script><img class=X src=y>\
<img src=z><input type=hidden><svg><use href=#a integrity/></svg><iframe srcdoc='<p integrity=c>'></iframe>";
    let document = Document::new(html.as_bytes()).retrieved_from(URL);
    let rewritten = rewriter.rewrite(&document);
    assert_eq!(
        rewrite(&rewriter, html),
        "<base href=http://h/e/ target=t><script  src=http://h/e/x ></script><img class=X >\
<img src=http://h/e/z><input type=hidden><svg><use  /></svg><iframe srcdoc='<p >'></iframe>"
    );
    let counts = rewritten.report.counts;
    assert_eq!((counts.resolved, counts.beside, counts.left), (3, 5, 2));
    // They are no links.
    let listed = rewriter.links(&document);
    assert_eq!((listed.links.len(), listed.counts), (3, counts));
    // A second run changes nothing.
    let again = rewriter.rewrite(&Document::new(&rewritten.bytes).retrieved_from(URL));
    assert!(matches!(again.bytes, Cow::Borrowed(_)));
}

#[test]
fn markup_is_inserted_into_head_and_body() {
    let at = |place, text: &str| {
        Rewriter::new()
            .insert(place, text)
            .expect("complete markup")
    };
    let [start, end, body] = ["<i1>", "<i2>", "<i3>"];
    for (html, expected) in [
        ("", "<i1><i2>"),
        ("x</html> ", "<i1><i2>x<i3></html> "),
        ("<!doctype html> <p>", "<!doctype html> <i1><i2><p><i3>"),
        (
            "<html><title>x</title> <BODY>y</BODY ></html>",
            "<html><i1><title>x</title> <i2><BODY>y<i3></BODY ></html>",
        ),
        (
            "<head a> <script>x</script> y",
            "<head a><i1> <script>x</script> <i2>y<i3>",
        ),
        (
            "<head></head><link><body></body><!--</bodyx>-->",
            "<head><i1><i2></head><link><body><i3></body><!--</bodyx>-->",
        ),
        ("</head>", "<i1><i2></head>"),
        // Where the place is not certain.
        ("<!--", "<!--"),
        ("x<script>", "<i1><i2>x<script>"),
        ("x<script></body>", "<i1><i2>x<script></body>"),
        ("x<svg>", "<i1><i2>x<svg>"),
        ("x<noscript>", "<i1><i2>x<noscript>"),
        ("x<a b='", "<i1><i2>x<a b='"),
        ("<frameset>", "<i1><i2><frameset>"),
        ("<template></template>x", "<i1><template></template>x"),
    ] {
        let rewriter = [
            (InsertionPlace::HeadStart, start),
            (InsertionPlace::HeadEnd, end),
            (InsertionPlace::BodyEnd, body),
        ]
        .into_iter()
        .fold(Rewriter::new(), |rewriter, (place, text)| {
            rewriter.insert(place, text).expect("complete markup")
        });
        let document = Document::new(html.as_bytes()).encoding("utf-8");
        let rewritten = rewriter.rewrite(&document);
        assert_eq!(
            String::from_utf8_lossy(&rewritten.bytes),
            expected,
            "{html}"
        );
        let made = expected.matches("<i").count();
        let counts = rewritten.report.counts;
        assert_eq!((counts.beside, counts.left), (made, 3 - made), "{html}");
        assert_eq!(rewriter.links(&document).counts.beside, made);
    }
    let umlaut = at(InsertionPlace::HeadStart, "<p title=\u{fc}>");
    let rewritten = |label| {
        umlaut
            .rewrite(&Document::new(b"x").encoding(label))
            .bytes
            .into_owned()
    };
    assert_eq!(rewritten("latin1"), b"<p title=\xfc>x");
    assert_eq!(rewritten("koi8-r"), b"x");
    let wide = umlaut.rewrite(&Document::new(b"x\0").encoding("utf-16le"));
    let expected = "<p title=\u{fc}>x".encode_utf16();
    assert_eq!(
        &*wide.bytes,
        expected.flat_map(u16::to_le_bytes).collect::<Vec<_>>()
    );
    // A declaration that moves is still found, and another one is not inserted.
    let long = at(
        InsertionPlace::HeadStart,
        &format!("<script>{}</script>", "x".repeat(2000)),
    );
    let html = b"<meta charset=windows-1251>\xe0";
    assert!(
        long.rewrite(&Document::new(html))
            .report
            .unwritten
            .is_none()
    );
    let meta = at(InsertionPlace::HeadStart, "<meta charset=koi8-r>");
    assert!(
        meta.rewrite(&Document::new(html))
            .report
            .unwritten
            .is_some()
    );
    for incomplete in [
        "",
        "x",
        "<a",
        "<script>",
        "<!-- -- >",
        "<svg>",
        "<plaintext>",
        "<noscript>",
    ] {
        let inserted = Rewriter::new().insert(InsertionPlace::HeadEnd, incomplete);
        assert!(inserted.is_err(), "{incomplete}");
    }
}

/// A tree takes no markup, and no BASE either that was not asked for.
#[test]
fn inserted_markup_brings_no_base_element() {
    for policy in [BaseElementPolicy::Absolutize, BaseElementPolicy::Keep] {
        let rewriter = Rewriter::new()
            .base_element(policy)
            .insert(InsertionPlace::HeadStart, "<link title=x>")
            .expect("complete markup");
        let tree = Tree::parse("<title>t</title><a href=b>");
        let outside = BaseCandidates::new().with(BaseSource::Retrieval, URL);
        let report = absolve::tree::rewrite(&rewriter, &tree, &outside, |_| Decision::Resolve);
        assert!(!tree.serialize().contains("<base"), "{policy:?}");
        assert_eq!(report.counts.left, 1);
    }
}

#[test]
fn texts_that_are_no_links_are_replaced_by_a_callback() {
    let selectors = ["script[#text]", "style[#text]", "*[onclick]"];
    let add = |rewriter: Rewriter, text: &&str| {
        rewriter.link(text.parse().expect("a selector"), Grammar::Text)
    };
    let rewriter = selectors.iter().fold(support::recording(), add);
    let html = "<style>a{b:url(c)}</style><script src=d> x&amp;\r\n</script><p onclick='e(\"&amp;\")'><a href=f>";
    for (replaced, expected) in [
        (
            "if (i<3 && s) '</p>'\n",
            "<style>if (i<3 && s) '</p>'\n</style><script src=http://h/d/d>if (i<3 && s) '</p>'\r\n</script>\
             <p onclick='if (i<3 &amp;&amp; s) &#39;</p>&#39;\n'><a href=http://h/d/f>",
        ),
        // Another text would be read.
        (
            "</style >",
            "<style>a{b:url(c)}</style><script src=http://h/d/d></style ></script><p onclick='</style >'>\
             <a href=http://h/d/f>",
        ),
        (
            "<!--<script>",
            "<style><!--<script></style><script src=http://h/d/d> x&amp;\r\n</script><p onclick='<!--<script>'>\
             <a href=http://h/d/f>",
        ),
    ] {
        let document = Document::new(html.as_bytes()).retrieved_from(URL);
        let mut texts = Vec::new();
        let rewritten = rewriter.rewrite_with(&document, |report| {
            if report.link.grammar != Grammar::Text {
                return Decision::Resolve;
            }
            texts.push(report.link.reference.to_string());
            Decision::Replace(replaced.to_owned())
        });
        assert_eq!(texts, ["a{b:url(c)}", " x&amp;\n", "e(\"&\")"]);
        assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected);
        let unwritable = SkipReason::Unwritable;
        let left = rewritten.report.links.iter();
        let left = left.filter(|report| report.skip_reason() == Some(unwritable));
        assert_eq!(left.count(), usize::from(replaced.starts_with('<')));
    }
    // Without a callback, nothing happens to them.
    let rest = "<style>a{b:url(c)}</style><script src=http://h/d/d> x&amp;\r\n</script>\
        <p onclick='e(\"&amp;\")'><a href=http://h/d/f>";
    assert_eq!(rewrite(&rewriter, html), rest);
    // Neither are there references for characters that the encoding lacks.
    for (text, is_written) in [("\u{20ac}", false), ("e", true)] {
        let document = Document::new(b"<script>x</script>").encoding("koi8-r");
        let replace = |_: &LinkReport<'_>| Decision::Replace(text.to_owned());
        let rewritten = rewriter.rewrite_with(&document, replace);
        assert_eq!(rewritten.edited > 0, is_written);
    }
}

/// Asserts the output and the numbers of removals that were made and left, for elements and comments of every kind.
fn assert_removals(cases: &[(&str, &str, usize, usize)]) {
    let selectors = [
        "script",
        "style[media]",
        "noscript",
        "iframe[src^=x]",
        "meta[name]",
        "link[rel~=icon]",
        "img[width]",
        "#comment[text~=bar]",
    ];
    let remove = |rewriter: Rewriter, text: &&str| rewriter.remove(text).expect("a selector");
    let rewriter = selectors.iter().fold(support::recording(), remove);
    for &(html, expected, made, left) in cases {
        let document = Document::new(html.as_bytes()).retrieved_from(URL);
        let rewritten = rewriter.rewrite(&document);
        assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected);
        let counts = rewritten.report.counts;
        assert_eq!((counts.beside, counts.left), (made, left), "{html}");
        assert_eq!(rewriter.links(&document).counts, counts, "{html}");
    }
}

#[test]
fn elements_and_comments_are_removed() {
    assert_removals(&[
        (
            "<head><SCRIPT>x</SCRIPT ><!--tool bar--><!--b--><META name><link rel='X icon' href=y><link rel=x href=y><p>",
            "<head><!--b--><link rel=x href=http://h/d/y><p>",
            4,
            0,
        ),
        (
            "<head><style media>a</style><style>a</style><body>x<noscript><img src=z></noscript><iframe src=xy>\
             <a href=x></iframe><img width=1 src=y> z<a href=x><!--[if IE]><a href=x> bar <![endif]-->",
            "<head><style>a</style><body>x z<a href=http://h/d/x>",
            5,
            0,
        ),
    ]);
    // An IFRAME without attributes has a text.
    let frames = Rewriter::new().remove("iframe").expect("a selector");
    let rewritten = frames.rewrite(&Document::new(b"<body>x<iframe>y</iframe>"));
    assert_eq!(*rewritten.bytes, *b"<body>x");
    // A declaration is not removed if the text would be read otherwise.
    let meta = Rewriter::new().remove("meta").expect("a selector");
    for (label, is_written) in [(None, false), (Some("koi8-r"), true)] {
        let document = Document::new(b"<head><meta charset=koi8-r>\xe0");
        let document = match label {
            Some(label) => document.encoding(label),
            None => document,
        };
        let report = meta.rewrite(&document).report;
        assert_eq!(report.unwritten.is_none(), is_written);
    }
    for invalid in [
        "",
        "div",
        "*[src]",
        "svg:script",
        "script[",
        "#comment[text",
    ] {
        let result = Rewriter::new().remove(invalid);
        assert!(result.is_err(), "{invalid}");
    }
}

#[test]
fn removals_that_would_change_the_tree_are_left() {
    assert_removals(&[
        // HEAD and BODY, formatting elements, a line feed, texts.
        ("<script></script> x", "<script></script> x", 0, 1),
        (
            "<iframe src=x:></iframe> x",
            "<iframe src=x:></iframe> x",
            0,
            1,
        ),
        (
            "<body><p><b>x</p><img width=1><div>",
            "<body><p><b>x</p><img width=1><div>",
            0,
            1,
        ),
        ("<pre><!-- bar -->\nx", "<pre><!-- bar -->\nx", 0, 1),
        (
            "<PRE A='><b'><!-- bar --><script></script>\nx",
            "<PRE A='><b'><!-- bar --><script></script>\nx",
            0,
            2,
        ),
        ("<br>&am<!-- bar -->p;", "<br>&am<!-- bar -->p;", 0, 1),
        ("<br><<!-- bar -->a>", "<br><<!-- bar -->a>", 0, 1),
        ("<pre><!-- bar -->&#10;x", "<pre><!-- bar -->&#10;x", 0, 1),
        (
            "<template><tr>x<!-- bar --> ",
            "<template><tr>x<!-- bar --> ",
            0,
            1,
        ),
        (
            "<select><style media></style><script></script>",
            "<select><style media></style>",
            1,
            1,
        ),
        ("<table> <!-- bar -->x", "<table> <!-- bar -->x", 0, 1),
        ("<table> <!-- bar --> <tr>", "<table>  <tr>", 1, 0),
        ("<svg><meta name>", "<svg><meta name>", 0, 1),
        (
            "<svg><script></script><!-- bar --></svg>",
            "<svg><script></script></svg>",
            1,
            0,
        ),
        (
            "<br></body><script></script><!-- x -->",
            "<br></body><script></script><!-- x -->",
            0,
            1,
        ),
        (
            "<br><noscript><img width=1></body>",
            "<br><noscript><img width=1></body>",
            0,
            2,
        ),
        ("<body>x<script>", "<body>x<script>", 0, 1),
        (
            "<frameset><script src=x:></script>",
            "<frameset><script src=x:></script>",
            0,
            1,
        ),
    ]);
}

#[test]
fn links_of_a_base_that_is_too_long_are_left() {
    const RELATIVE: &str = "<a href=b></a><img srcset='c 1x, d 2x'><p style='x:url(e)'></p>\
        <iframe srcdoc='<a href=f></a>'></iframe><applet codebase=g archive=h></applet>";
    // RFC 9110 section 4.1: URIs of 8,000 bytes should be supported.
    let base = |length: usize| format!("http://h/{}/", "a".repeat(length - "http://h//".len()));
    let document = |length| {
        format!(
            "<base href={}>{RELATIVE}<a href=http://x/y></a>",
            base(length)
        )
    };
    // The `codebase` is one byte longer.
    assert_eq!(reasons(&support::recording(), &document(8191)), []);
    let long = document(8193);
    let strict = support::recording();
    assert_eq!(reasons(&strict, &long), [SkipReason::BaseTooLong; 7]);
    assert_eq!(
        reasons(&strict.clone().limit(Limit::BaseLength, 8194), &long),
        []
    );
    assert!(SkipReason::BaseTooLong.is_failure());
    // Nothing is written, and BASE stays, because the references depend on it.
    for policy in [BaseElementPolicy::Absolutize, BaseElementPolicy::Remove] {
        let rewriter = strict.clone().base_element(policy);
        let source = Document::new(long.as_bytes()).retrieved_from(URL);
        assert_eq!(&*rewriter.rewrite(&source).bytes, long.as_bytes());
        let mut streamed = Vec::new();
        let input = Document::new(b"").retrieved_from(URL);
        let spool = || Ok(std::io::Cursor::new(Vec::new()));
        rewriter
            .chunk_len(100)
            .rewrite_stream(&input, long.as_bytes(), spool, &mut streamed)
            .expect("streamed");
        assert_eq!(streamed, long.as_bytes());
    }
    // The limit counts the resolved URL, which may be that of an element or of a nested document.
    let short = support::recording().limit(Limit::BaseLength, 20);
    let codebase = "<base href=http://h/0123456789/><applet codebase=ab archive='c,d'></applet>";
    assert_eq!(reasons(&short, codebase), [SkipReason::BaseTooLong; 2]);
    let nested = "<base href=http://h/><iframe srcdoc='<base href=http://h/0123456789a/><a href=b>'></iframe><a href=c>";
    assert_eq!(reasons(&short, nested), [SkipReason::BaseTooLong]);
    let recovered = "<base href=http://h/0123456789a/><iframe srcdoc='<base href=http://h/><a href=b>'></iframe>";
    assert_eq!(reasons(&short, recovered), []);
    let from_outside = Document::new(b"<base><a href=b>").retrieved_from("http://h/0123456789a/");
    let outcome = &short.links(&from_outside).links[0].outcome;
    assert_eq!(*outcome, Outcome::Skipped(SkipReason::BaseTooLong));
}

#[test]
fn placeholders_replace_the_default() {
    let html = "<base href='((x))'><a href='((x))'></a><a href='{{x}}'></a>";
    assert_eq!(
        reasons(&support::recording(), html),
        [SkipReason::Placeholder]
    );
    let custom = support::recording().placeholders(["(("]);
    assert_eq!(
        reasons(&custom, html),
        [
            SkipReason::Placeholder,
            SkipReason::Placeholder,
            SkipReason::NoBase
        ]
    );
    let none = support::recording().placeholders([""]);
    assert_eq!(reasons(&none, html), []);
}

#[test]
fn link_selector_of_every_attribute_does_not_select_text() {
    let scripts = support::recording().link("script[*]".parse().expect("a selector"), Grammar::Url);
    assert_eq!(
        rewrite(&scripts, "<script src=x>y</script>"),
        "<script src=http://h/d/x>y</script>"
    );
    let skip = support::recording().skip("style[*]".parse().expect("a selector"));
    assert_eq!(
        rewrite(&skip, "<style>a { background: url(x) }</style>"),
        "<style>a { background: url(http://h/d/x) }</style>"
    );
}

#[test]
fn link_selector_distinguishes_underscore_and_delete() {
    let selected = support::recording().link("a[a_b]".parse().expect("a selector"), Grammar::Url);
    assert_eq!(
        rewrite(&selected, "<a a\x7fb=y a_b=x></a>"),
        "<a a\x7fb=y a_b=http://h/d/x></a>"
    );
}

#[test]
fn comments_preset_finds_links_in_a_comment_that_the_document_ends() {
    let comments = support::recording().preset(Preset::Comments);
    for end in ["", "-", "--", "--!", "-->", "--!>"] {
        let html = |href| format!("<!--[if IE]><a href={href}>x</a><![endif]{end}");
        assert_eq!(
            rewrite(&comments, &html("x")),
            html("http://h/d/x"),
            "{end}"
        );
    }
    for end in ["---", "--!-", "x"] {
        let html = format!("<!--[if IE]><a href=x>x</a><![endif]{end}");
        assert_eq!(rewrite(&comments, &html), html, "{end}");
    }
}

#[test]
fn links_borrow_data_urls() {
    let html = format!(
        "<img src='data:image/png;base64,{}'><img src=g>",
        "A".repeat(10_000_000)
    );
    let document = Document::new(html.as_bytes()).retrieved_from(URL);
    let rewritten = support::recording().rewrite(&document);
    let link_report = &rewritten.report.links[0];
    let Cow::Borrowed(reference) = link_report.link.reference else {
        panic!("copied");
    };
    assert!(std::ptr::eq(reference.as_ptr(), html[10..].as_ptr()));
    assert_eq!(link_report.outcome, Outcome::Absolute);
    assert_eq!(rewritten.edits.len(), 1);
}

#[test]
fn srcdoc_has_its_own_base() {
    let html = r#"<base href="http://e/e/"><iframe srcdoc="<a href=g>x</a>"></iframe>
<iframe srcdoc="<base href=f/><a href=g>x</a><iframe srcdoc='<img src=i>'>"></iframe>"#;
    assert_eq!(
        rewrite(&support::recording(), html),
        r#"<base href="http://e/e/"><iframe srcdoc="<a href=http://e/e/g>x</a>"></iframe>
<iframe srcdoc="<base href=http://e/e/f/><a href=http://e/e/f/g>x</a><iframe srcdoc='<img src=http://e/e/f/i>'>"></iframe>"#
    );
    let links = support::recording()
        .links(&Document::new(html.as_bytes()))
        .links;
    let sources: Vec<_> = links
        .iter()
        .map(|link_report| {
            link_report
                .base
                .as_ref()
                .map(|base| (&*base.url, base.source))
        })
        .collect();
    assert_eq!(
        sources,
        [
            None,
            Some(("http://e/e/", BaseSource::EncapsulatingEntity)),
            Some(("http://e/e/", BaseSource::EncapsulatingEntity)),
            Some(("http://e/e/f/", BaseSource::Embedded)),
            Some(("http://e/e/f/", BaseSource::EncapsulatingEntity)),
        ]
    );
    for (link_report, written) in links.iter().zip(["http://e/e/", "g", "f/", "g", "i"]) {
        let span = link_report.link.span.expect("a span");
        assert_eq!(&html[span.start..span.end], written);
    }
}

#[test]
fn srcdoc_is_read_to_a_depth_limit() {
    let mut html = "<img src=x>".to_owned();
    for depth in 0..20 {
        let escaped = html.replace('&', "&amp;").replace('"', "&quot;");
        html = format!(r#"<a href={depth}></a><iframe srcdoc="{escaped}"></iframe>"#);
    }
    let document = Document::new(html.as_bytes()).retrieved_from(URL);
    let rewritten = support::recording().rewrite(&document);
    let links = &rewritten.report.links;
    assert_eq!(links.len(), 18);
    assert_eq!(
        links[16].outcome,
        Outcome::Resolved("http://h/d/3".to_owned())
    );
    assert_eq!(links[17].outcome, Outcome::Skipped(SkipReason::TooDeep));
    let again = Document::new(&rewritten.bytes).retrieved_from(URL);
    let left = support::recording().links(&again).links;
    let is_unchanged = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Absolute | Outcome::Skipped(SkipReason::TooDeep)
        )
    };
    assert!(
        left.iter()
            .all(|link_report| is_unchanged(&link_report.outcome))
    );
}

#[test]
fn link_selector_does_not_change_base() {
    let any = support::recording().link("*[href]".parse().expect("a selector"), Grammar::Url);
    assert_eq!(
        rewrite(&any, "<base href=q/><a href=x></a>"),
        "<base href=http://h/d/q/><a href=http://h/d/q/x></a>"
    );
    let relative = any.clone().output(OutputForm::Relative);
    assert_eq!(
        rewrite(&relative, "<base href=http://k/q/><a href=x></a>"),
        "<base href=http://k/q/><a href=x></a>"
    );
    let lists = support::recording().link("*[*]".parse().expect("a selector"), Grammar::Srcset);
    assert_eq!(
        rewrite(
            &lists,
            "<base href=q/><applet codebase=c/ object=x></applet>"
        ),
        "<base href=http://h/d/q/><applet codebase=http://h/d/q/c/ object=http://h/d/q/c/x></applet>"
    );
}

#[test]
fn output_relative_uses_the_base_of_the_rewritten_document() {
    let moved = support::recording()
        .map("http://old/", "http://new/")
        .output(OutputForm::Relative);
    let html = "<base href=http://old/q/><a href=http://new/q/z></a><a href=x></a>";
    let kept = "<base href=http://old/q/><a href=http://new/q/z></a><a href=http://new/q/x></a>";
    assert_eq!(
        rewrite(&moved, html),
        "<base href=http://new/q/><a href=z></a><a href=x></a>"
    );
    for rewriter in [
        moved.clone().base_element(BaseElementPolicy::Keep),
        moved
            .clone()
            .skip("base[href]".parse().expect("a selector")),
        moved
            .clone()
            .no_presets()
            .link("a[href]".parse().expect("a selector"), Grammar::Url),
    ] {
        assert_eq!(rewrite(&rewriter, html), kept);
    }
    let insert = support::recording()
        .map("http://h/", "http://n/")
        .output(OutputForm::Relative)
        .base_element(BaseElementPolicy::Insert);
    assert_eq!(
        rewrite(&insert, "<html manifest=m><a href=x></a>"),
        r#"<html manifest=http://n/d/m><base href="http://n/d/page"><a href=x></a>"#
    );
}

#[test]
fn base_element_insert_is_effective_or_omitted() {
    let insert = support::recording().base_element(BaseElementPolicy::Insert);
    let base = r#"<base href="http://h/d/page">"#;
    for (before, after) in [
        (
            "<base href='mailto:x'><base target=t>",
            format!("{base}<base href='mailto:x'><base target=t>"),
        ),
        (
            "<head><noscript><base target=t></noscript></head>",
            format!("<head>{base}<noscript><base target=t></noscript></head>"),
        ),
        (" \r\n x", format!(" \r\n {base}x")),
    ] {
        assert_eq!(rewrite(&insert, before), after);
    }
    for open in ["<!--", "<!doctype html", "<?xml", "<a href='", "x<!--"] {
        let once = insert
            .rewrite(&Document::new(open.as_bytes()).retrieved_from(URL))
            .bytes
            .into_owned();
        let again = insert
            .rewrite(&Document::new(&once).retrieved_from(URL))
            .bytes
            .into_owned();
        assert_eq!(once, again, "{open}");
    }
}

#[test]
fn base_element_remove_keeps_an_element_before_doctype() {
    let remove = support::recording().base_element(BaseElementPolicy::Remove);
    let html = b"<base href=http://k/><!doctype html><a href=x>";
    let rewritten = remove.rewrite(&Document::new(html));
    assert_eq!(
        &*rewritten.bytes,
        b"<base ><!doctype html><a href=http://k/x>"
    );
}

#[test]
fn query_encoding_is_utf_8_in_css_and_json() {
    let html = b"<script type=importmap>{\"imports\":{\"./m?\xe6\":\"./x?\xe6\"}}</script><a href='?\xe6' style='a:url(?\xe6)'>";
    let document = Document::new(html)
        .encoding("windows-1251")
        .retrieved_from("http://h/d");
    let rewritten = support::recording().rewrite(&document);
    assert_eq!(
        String::from_utf8_lossy(&rewritten.bytes),
        "<script type=importmap>{\"imports\":{\"http://h/m?%D0%B6\":\"http://h/x?%D0%B6\"}}</script>\
         <a href='http://h/d?%E6' style='a:url(http://h/d?%D0%B6)'>"
    );
}

/// Without a base URL, it is not known whether the reference is relative, as it would be in an HTTP page of a browser.
#[test]
fn normalization_leaves_a_reference_that_may_be_relative() {
    let normalized = Rewriter::new()
        .profile(Profile::Whatwg)
        .absolute_references(AbsoluteReferences::Normalize);
    for (html, edited) in [("<a href=http:foo>", 0), ("<a href=HTTP://h/./a>", 1)] {
        assert_eq!(
            normalized.rewrite(&Document::new(html.as_bytes())).edited,
            edited
        );
    }
}

/// A document of ASCII characters without a declaration is in no known encoding, so the browser that reads the page has
/// to encode the query (URL Standard, "query state").
#[test]
fn query_in_an_undecided_encoding_is_left_to_browsers() {
    let rewritten = |html: &str, rewriter: &Rewriter| {
        let document = Document::new(html.as_bytes()).retrieved_from("http://h/d/e");
        let bytes = rewriter.rewrite(&document).bytes.into_owned();
        String::from_utf8(bytes).expect("ASCII or UTF-8")
    };
    let rewriter = support::recording();
    let relative = support::recording().output(OutputForm::RootRelative);
    let whatwg = support::recording().profile(Profile::Whatwg);
    let normal = whatwg
        .clone()
        .absolute_references(AbsoluteReferences::Normalize);
    let html = "<a href='x y?q=&uuml;#&uuml;'>";
    for (rewriter, html, expected) in [
        (
            &rewriter,
            html,
            "<a href='http://h/d/x%20y?q=&uuml;#&uuml;'>",
        ),
        (&whatwg, html, "<a href='http://h/d/x%20y?q=&uuml;#&uuml;'>"),
        (&relative, html, "<a href='/d/x%20y?q=&uuml;#&uuml;'>"),
        (
            &normal,
            "<a href='HTTP://h/./a?&#xfc;'>",
            "<a href='http://h/a?&#xfc;'>",
        ),
        (
            &rewriter,
            "<a href='?a=b#&uuml;'>",
            "<a href='http://h/d/e?a=b#%C3%BC'>",
        ),
        (
            &rewriter,
            "<a href='&uuml;?a=b'>",
            "<a href='http://h/d/%C3%BC?a=b'>",
        ),
        // A declaration, or a character beyond ASCII, decides.
        (
            &rewriter,
            "<meta charset=utf-8><a href='?&uuml;'>",
            "<meta charset=utf-8><a href='http://h/d/e?%C3%BC'>",
        ),
        (
            &rewriter,
            "<meta charset=l1><a href='?&uuml;'>",
            "<meta charset=l1><a href='http://h/d/e?%FC'>",
        ),
        (
            &rewriter,
            "\u{fc}<a href='?&uuml;'>",
            "\u{fc}<a href='http://h/d/e?%C3%BC'>",
        ),
        // A document in a value is in UTF-8.
        (
            &rewriter,
            "<iframe srcdoc='<a href=?&amp;uuml;>'>",
            "<iframe srcdoc='<a href=http://h/d/e?%C3%BC>'>",
        ),
    ] {
        assert_eq!(rewritten(html, rewriter), expected);
    }
}

/// Escaping makes a reference up to nine times as long, so a long one could take much memory.
#[test]
fn references_that_no_server_accepts_are_left_unchanged() {
    for (length, is_resolved) in [(128 << 10, true), ((128 << 10) + 1, false)] {
        // The first is written as it is, the second is escaped.
        for name in ["x", "^"] {
            let html = format!(
                "<meta charset=utf-8><a href=\"y{}\">",
                name.repeat(length - 1)
            );
            let document = Document::new(html.as_bytes()).retrieved_from("http://h/");
            let rewritten = support::recording().rewrite(&document);
            let reason = (!is_resolved).then_some(SkipReason::Malformed);
            assert_eq!(rewritten.report.links[0].skip_reason(), reason, "{length}");
            assert_eq!(
                *rewritten.bytes != *html.as_bytes(),
                is_resolved,
                "{length}"
            );
        }
    }
}

#[test]
fn invalid_image_candidates_are_reported() {
    let html = b"<img srcset='a 1x, b 2, http://o/c 0w, d'>";
    let rewritten = support::recording().rewrite(&Document::new(html).retrieved_from("http://h/"));
    assert_eq!(
        String::from_utf8_lossy(&rewritten.bytes),
        "<img srcset='http://h/a 1x, b 2, http://o/c 0w, http://h/d'>"
    );
    let invalid = Some(SkipReason::InvalidCandidate);
    let reasons = rewritten.report.links.iter().map(LinkReport::skip_reason);
    assert_eq!(reasons.collect::<Vec<_>>(), [None, invalid, invalid, None]);
}

/// An injected quote that is not closed makes a URL of the markup after it. Browsers do not request it (Web Platform Tests,
/// `fetch/security/dangling-markup`), so no rewriting may turn it into one that they do.
#[test]
fn dangling_markup_stays_as_it_is() {
    let dangling = [
        "<img src=\"//evil/?\n<b>secret</b>\">",
        "<img src='/x?\t<i>'>",
        "<form action='http:\r<x'></form>",
        "<link rel=stylesheet href='HTTPS://e\n/<'>",
        "<style>a{b:url(\"x?\\a <b>\")}</style>",
        "<iframe srcdoc='<img src=\"x&#10;&lt;b\">'></iframe>",
        "<base href='http://e/?\n<'>",
        "<img src='http://e/gr&#10;een.png?&lt;'>",
    ];
    let normalizing = || support::recording().absolute_references(AbsoluteReferences::Normalize);
    let moved = |form| normalizing().output(form).map("http://h/", "http://i/");
    let rewriters = Profile::ALL.iter().flat_map(|&profile| {
        let forms = OutputForm::ALL.iter().map(|&form| moved(form));
        let all = forms.chain([support::recording(), normalizing()]);
        all.map(move |rewriter| rewriter.profile(profile))
    });
    for rewriter in rewriters {
        for html in dangling {
            let document = Document::new(html.as_bytes()).retrieved_from("http://h/d/");
            let rewritten = rewriter.rewrite(&document);
            assert_eq!(
                String::from_utf8_lossy(&rewritten.bytes),
                html,
                "{rewriter:?}"
            );
        }
        // Not requested, or without one of both characters.
        for html in [
            "<a href='mailto:x\n<y'>",
            "<img src='x\ny'>",
            "<img src='x<y'>",
            // Of the Web Platform Tests.
            "<img src='data:image/svg+xml;utf8,\n<svg xmlns=x/>'>",
            "<img src='\ndata:image/svg+xml;utf8,\t<svg/>'>",
            "<img src='http://e/gr&#10;een.png?&amp;lt;'>",
            "<img src='http://e/green.png?&amp;%2310;&lt;'>",
        ] {
            let document = Document::new(html.as_bytes()).retrieved_from("http://h/d/");
            let links = rewriter.rewrite(&document).report.links;
            let reason = Some(SkipReason::DanglingMarkup);
            assert!(
                links.iter().all(|link| link.skip_reason() != reason),
                "{links:?}"
            );
        }
    }
}

/// The path of a host alone is a slash (RFC 3986 section 6.2.3), and relative references lead there only with it.
#[test]
fn a_directory_moves_to_the_root_of_a_host() {
    for to in ["http://n", "http://n/"] {
        let rewriter = support::recording()
            .map("http://o/a/", "http://n/b")
            .map("http://o/a", to);
        for (html, expected) in [
            ("<a href=http://o/a>", "<a href=http://n/>"),
            ("<a href=http://o/a?q>", "<a href=http://n/?q>"),
            ("<a href=http://o/a#f>", "<a href=http://n/#f>"),
            ("<a href=http://o/a/>", "<a href=http://n/b/>"),
        ] {
            let rewritten = rewriter.rewrite(&Document::new(html.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&rewritten.bytes), expected, "{to}");
        }
    }
}

/// No host of the application's documents is known, so that of their URLs is never written.
#[test]
fn unknown_origins_are_not_written() {
    let html = "<base href=/d/><a href=x>x</a><a href=/y>y</a><a href=//o/z>z</a><a href=..//w>w</a>\
        <a href=http://h/v>v</a><style>a{b:url(u)}</style><iframe srcdoc='<a href=t>t</a>'></iframe>";
    let rewriter = support::recording()
        .unknown_origin("http://h.invalid")
        .map("http://h/", "http://h.invalid/h/");
    let rewritten = |form, base_element| {
        let rewriter = rewriter.clone().output(form).base_element(base_element);
        let document = Document::new(html.as_bytes()).retrieved_from("http://h.invalid/d/e/f");
        let rewritten = rewriter.rewrite(&document);
        let reasons: Vec<_> = rewritten.skipped().map(LinkReport::skip_reason).collect();
        (
            String::from_utf8_lossy(&rewritten.bytes).into_owned(),
            reasons,
        )
    };
    let unknown = Some(SkipReason::UnknownOrigin);
    // `//w` is a host, and no other reference leads to that path of an unknown one from the root.
    let (bytes, reasons) = rewritten(OutputForm::RootRelative, BaseElementPolicy::Remove);
    assert_eq!(
        bytes,
        "<a href=/d/x>x</a><a href=/y>y</a><a href=//o/z>z</a><a href=..//w>w</a>\
        <a href=/h/v>v</a><style>a{b:url(/d/u)}</style><iframe srcdoc='<a href=/d/t>t</a>'></iframe>"
    );
    assert_eq!(reasons, [unknown]);
    let (bytes, reasons) = rewritten(OutputForm::Relative, BaseElementPolicy::Remove);
    assert_eq!(
        bytes,
        "<a href=../x>x</a><a href=../../y>y</a><a href=//o/z>z</a><a href=../..//w>w</a>\
        <a href=../../h/v>v</a><style>a{b:url(../u)}</style><iframe srcdoc='<a href=../t>t</a>'></iframe>"
    );
    assert_eq!(reasons, []);
    let (bytes, reasons) = rewritten(OutputForm::Absolute, BaseElementPolicy::Keep);
    let with_scheme = html.replace("//o/z", "http://o/z");
    assert_eq!(bytes, with_scheme);
    let excluded = Some(SkipReason::Excluded);
    assert_eq!(
        reasons,
        [
            excluded, unknown, unknown, unknown, unknown, unknown, unknown
        ]
    );
}

#[test]
fn import_map_key_gets_no_trailing_slash() {
    let html = r#"<script type=importmap>{"imports":{"./..":"./x.js","./../":"./y/"}}</script>"#;
    assert_eq!(
        rewrite(&support::recording(), html),
        r#"<script type=importmap>{"imports":{"./..":"http://h/d/x.js","http://h/":"http://h/d/y/"}}</script>"#
    );
    assert_eq!(
        reasons(&support::recording(), html),
        [SkipReason::Unwritable]
    );
}

#[test]
fn style_element_is_read_as_css_by_type() {
    for (kind, is_css) in [
        ("", true),
        (" type=''", true),
        (" type=TEXT/CSS", true),
        (" type=text/less", false),
        (" type=' text/css'", false),
    ] {
        let html = format!("<style{kind}>a{{b:url(x)}}</style>");
        let found = support::recording()
            .links(&Document::new(html.as_bytes()))
            .links;
        assert_eq!(!found.is_empty(), is_css, "{kind}");
    }
}

#[test]
fn fragmented_style_text_is_skipped_as_undecodable() {
    for html in [
        "<svg><style>a{b:url(x)}<!-- c -->d{e:url(y)}</style></svg>",
        "<svg><style>a{b:url(x)}<g/>d{e:url(y)}</style></svg>",
    ] {
        assert_eq!(rewrite(&support::recording(), html), html);
        assert_eq!(
            reasons(&support::recording(), html),
            [SkipReason::Undecodable, SkipReason::Undecodable]
        );
    }
}

#[test]
fn captures_are_unwrapped_before_references_resolve() {
    let unwrapping = support::recording().unwrap_urls(Unwrap::Wayback);
    let replayed = "http://localhost/c/20200903005938mp_/https://h/d/page";
    let page = concat!(
        r#"<base href="/c/20200903005938mp_/https://h/e/"><a href="b#c">x</a><a href="../../b">x</a>"#,
        r#"<a href="/c/20200903005938mp_/https://g/?a=1&amp;b">x</a><a href="/r">x</a>"#,
        r#"<img srcset="/c/20200903005938im_/https://h/i 2x, j 3x"><applet codebase="/c/mp_/https://h/f/" archive="k">"#,
        r#"<style>a { background: url(//localhost/c/20200903005938im_/https://h/l) }</style>"#,
    );
    let expected = concat!(
        r#"<base href="https://h/e/"><a href="https://h/e/b#c">x</a><a href="https://h/../b">x</a>"#,
        r#"<a href="https://g/?a=1&amp;b">x</a><a href="https://h/r">x</a>"#,
        r#"<img srcset="https://h/i 2x, https://h/e/j 3x"><applet codebase="https://h/f/" archive="https://h/f/k">"#,
        r#"<style>a { background: url(https://h/l) }</style>"#,
    );
    assert_eq!(rewrite_from(&unwrapping, replayed, page), expected);
    assert_eq!(rewrite_from(&unwrapping, replayed, expected), expected);
    // Mappings, relative output and fragments refer to the original URLs.
    let page = r#"<a href="/c/20200903005938mp_/https://h/d/b">x</a><a href="page#c">x</a>"#;
    let moved = unwrapping.clone().map("https://h/", "https://n/");
    assert_eq!(
        rewrite_from(&moved, replayed, page),
        r#"<a href="https://n/d/b">x</a><a href="https://n/d/page#c">x</a>"#
    );
    let relative = unwrapping.output(OutputForm::Relative);
    assert_eq!(
        rewrite_from(&relative, replayed, page),
        r##"<a href="b">x</a><a href="#c">x</a>"##
    );
    // Without a base URL, links of the archive are absolute.
    let document = Document::new(b"<a href=/web/20200903005938/https://h/b>x</a><a href=c>x</a>");
    let unwrapping = support::recording().unwrap_urls(Unwrap::Wayback);
    assert_eq!(
        &*unwrapping.rewrite(&document).bytes,
        b"<a href=https://h/b>x</a><a href=c>x</a>"
    );
}
