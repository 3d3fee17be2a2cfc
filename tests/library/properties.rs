//! The invariants of `support/invariants.rs` on generated documents and style sheets.
//!
//! `ABSOLVE_CASES` sets how many documents each test generates. `.ci/long` generates more.

use absolve::options::InsertionPlace;
use absolve::tree::Tree;
use absolve::tree::markup5ever_rcdom::{Handle, NodeData};
use absolve::{AbsoluteReferences, Document, Escape, LinkDetail, OutputForm, Profile, Rewriter};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use support::invariants;
use support::invariants::Comparisons;
use support::pieces;

/// Pieces of documents: everything that changes the state of a tokenizer or a tree builder, and links of every form.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\u{c}",
    "&",
    "&amp;",
    "&amp",
    "&region",
    "&#x20",
    "&#32",
    "&#x2F;",
    "é",
    "\u{1f600}",
    "\u{feff}",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!doctype html>",
    "<!doctype html public 'x'>",
    "<![CDATA[",
    "]]>",
    "<?pi",
    "</>",
    "</ x>",
    "<!x>",
    "<script>",
    "</script>",
    "<!--<script>",
    "<style>",
    "</style>",
    "<title>",
    "</title",
    "<style>@import 'a';b{c:url(d)}",
    "<STYLE>@import url( \"a\" );b{c:image-set('d' 1x, url(e\\66) 2x)}</STYLE>",
    "<p style='a:url(b)'>",
    "<p style=\"a:url('b');c:url(&quot;d&quot;)\">",
    "<p style=a:url(b)",
    "<svg fill=\"url(#f)\" cursor='url(c), auto'>",
    "<svg><style>",
    "<svg><style>a{b:url(c&amp;d)}</style>",
    "<svg><style><![CDATA[a{b:url('c&d')}]]></style></svg>",
    "url(x)",
    "url('",
    "url(\"",
    "@import 'i';",
    "\\66 ",
    "\\",
    "/*",
    "*/",
    ")",
    "{",
    "}",
    "<script type=importmap>{\"imports\":{\"a\":\"./b\",\"./c\":\"\\/d\"},\"scopes\":{\"e/\":{\"f\":\"../g\"}}}</script>",
    "<script type=\"speculationrules\">{\"prefetch\":[{\"urls\":[\"a\",\"\\u0062\"]}]}</script>",
    "<script type=application/ld+json>{\"@id\":\"a\",\"b\":{\"@id\":\"#c\"}}</script>",
    "<img srcset=\"a, b&amp;c 2x,\n d,e 3x\">",
    "<img srcset=a,b",
    "<source srcset='a 1x",
    "<link rel=preload imagesrcset='a 1x, b 2x'>",
    "<meta http-equiv=refresh content=\"0;url='a'\">",
    "<meta http-equiv=refresh content='5; b'>",
    "<meta http-equiv=refresh content=1,url=c>",
    "<a ping='a b'>",
    "<object archive=\" a b\">",
    "<applet archive='a, b' codebase=c>",
    "<iframe srcdoc=\"<a href='x&amp;amp;y'>z<base href=w/>\">",
    "<iframe srcdoc='<iframe srcdoc=&quot;<img src=a>&quot;>'>",
    "<iframe srcdoc=\"",
    "<iframe srcdoc='",
    "<iframe srcdoc=<a/href=b>",
    "<!--[if mso]>",
    "<![endif]-->",
    "<!--[if a]><a href=b>c<![endif]-->",
    "<meta property=og:image content=a>",
    "<img data-src=a data-bg='url(b)'>",
    "<p about='[a:b]' resource=c>",
    "<svg><animate attributeName=href to=a values='b; c'>",
    "srcset='",
    "style=\"",
    "&quot;",
    "&quot",
    ", ",
    "; ",
    " 1x",
    "<textarea>\n",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "<noframes>",
    "</noframes>",
    "<iframe src=i>",
    "</iframe>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<mi>",
    "<foreignObject>",
    "<desc>",
    "<annotation-xml encoding=text/html>",
    "<use href=#i xlink:href='u'>",
    "<image href=i xlink:href=j>",
    "<html manifest=m>",
    "<head>",
    "</head>",
    "<body background=b>",
    "</body>",
    "<frameset>",
    "<frame src=f>",
    "</frameset>",
    "<table background=t>",
    "<tr background=r>",
    "<td background='d'>",
    "</table>",
    "<select>",
    "<option selected>",
    "<selectedcontent>",
    "</select>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href=",
    "<A HREF = ",
    "<a href='",
    "<a href=\"",
    "<a href",
    "</a>",
    "<img src=",
    "<img src='a\nb'",
    "<base href='",
    "<base href=x/>",
    "<base href=http://base.example/a/b#c>",
    "<link href=\"../style.css\">",
    "<form action=''>",
    "<input src=\"x\" formaction='y'",
    "<object codebase='c/' classid=x data=\"d\">",
    "<applet code=a codebase=b>",
    "<meta http-equiv=location content='l'>",
    "<meta charset=shift_jis>",
    "<meta charset=iso-2022-jp>",
    "<meta charset=windows-1251>",
    "href=h",
    "href=\"h&amp;i\"",
    "src='s'",
    "href",
    "itemid=i",
    "usemap=#m",
    "a/b",
    "../g",
    "?x=1&y=2",
    "?x&amp;y",
    "#f",
    "//host/p",
    "http://abs.example/",
    "mailto:x",
    "{{p}}",
    "g;x?y#z",
    "a b",
    "%20",
    "\\",
];

/// Escape sequences, byte order marks and lead bytes of encodings.
const BYTES: &[&[u8]] = &[
    b"\x1b$B",
    b"\x1b(B",
    b"\x1b(J",
    b"\xff\xfe",
    b"\x81\x30",
    b"\x93\xfa",
];

fn cases() -> u32 {
    support::cases(15_000)
}

/// Asserts the invariants on `cases` documents of fewer than `pieces` pieces.
///
/// At most `bound` in a thousand are not compared as trees.
fn run(cases: u32, pieces: usize, bound: u64) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let documents =
        prop::collection::vec(select(PIECES), 0..pieces).prop_map(|pieces| pieces.concat());
    let comparisons = Comparisons::default();
    let result = TestRunner::new(config).run(&documents, |document| {
        comparisons.count(invariants::all(document.as_bytes(), invariants::URL));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    comparisons.assert_not_made(bound, &format!("fewer than {pieces} pieces"));
}

#[test]
fn invariants_hold_on_short_documents() {
    run(cases(), 12, 1);
}

#[test]
fn invariants_hold_on_longer_documents() {
    run(cases(), 60, 4);
}

#[test]
fn invariants_hold_on_any_bytes() {
    let config = Config {
        cases: cases() / 5,
        failure_persistence: None,
        ..Config::default()
    };
    let piece = prop_oneof![
        3 => select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
        1 => select(BYTES).prop_map(<[u8]>::to_vec),
    ];
    let documents = prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat());
    let comparisons = Comparisons::default();
    let result = TestRunner::new(config).run(&documents, |document| {
        comparisons.count(invariants::all(&document, invariants::URL));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    comparisons.assert_not_made(4, "any bytes");
}

/// Pieces of style sheets.
const CSS_PIECES: &[&str] = &[
    "@import ",
    "@charset \"shift_jis\";",
    "@namespace ",
    "@media x{",
    "a{b:",
    "url(",
    "URL('",
    "src(\"",
    "image-set(",
    "-webkit-image-set('x' 1x)",
    "'",
    "\"",
    ")",
    "}",
    "{",
    "(",
    "]",
    "[",
    ";",
    ",",
    " ",
    "\n",
    "\r\n",
    "\u{c}",
    "\0",
    "\\",
    "\\\n",
    "\\66 ",
    "\\0066",
    "\\)",
    "/*",
    "*/",
    "<!--",
    "-->",
    "a/b",
    "../g",
    "#f",
    "",
    "x.css",
    "{{p}}",
    "data:x",
    "http://abs.example/",
    "é",
    "\u{feff}",
    "u\\72l(x)",
    "local(x)",
    "</style>",
    "a b",
];

#[test]
fn invariants_hold_on_style_sheets() {
    let config = Config {
        cases: cases() / 2,
        failure_persistence: None,
        ..Config::default()
    };
    let piece = prop_oneof![
        20 => select(CSS_PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => select(BYTES).prop_map(<[u8]>::to_vec),
    ];
    let sheets = prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat());
    let result = TestRunner::new(config).run(&sheets, |sheet| {
        invariants::style_sheet(&sheet, invariants::URL);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The document whose links [`has_place_of_target`] compares.
const PAGE: &str = "http://h/d/p";

/// Returns the scheme and the host that browsers find in a reference of [`PAGE`], or `None` if it is an error.
fn place(reference: &str) -> Option<(String, Option<String>)> {
    let base = url::Url::parse(PAGE).expect("a URL");
    let url = base.join(reference).ok()?;
    Some((url.scheme().to_owned(), url.host_str().map(str::to_owned)))
}

/// Asserts that `reference` has the place of its target to browsers with every setting of the output, and that a second
/// run changes nothing.
fn has_place_of_target(reference: &str) {
    let html = format!("<meta charset=utf-8><a href=\"{reference}\">");
    let link = |rewriter: &Rewriter, bytes: &[u8]| {
        let report = rewriter.links(&Document::new(bytes).retrieved_from(PAGE));
        let report = report.links[0].clone().into_owned();
        let written = report.link.reference.clone().into_owned();
        (
            report.target().map_or(written.clone(), str::to_owned),
            written,
        )
    };
    let forms = [
        OutputForm::Absolute,
        OutputForm::Relative,
        OutputForm::RootRelative,
    ];
    for number in 0..36 {
        let profile = [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg][number % 3];
        let escape = [Escape::Url, Escape::None][number / 3 % 2];
        let absolute = [AbsoluteReferences::Keep, AbsoluteReferences::Normalize][number / 6 % 2];
        let form = forms[number / 12];
        let of_target = support::recording().profile(profile).escape(escape);
        let rewriter = of_target.clone().output(form).absolute_references(absolute);
        let document = Document::new(html.as_bytes()).retrieved_from(PAGE);
        let rewritten = rewriter.rewrite(&document);
        let (_, written) = link(&rewriter, &rewritten.bytes);
        let (target, _) = link(&of_target, html.as_bytes());
        let context =
            format!("{profile:?} {form:?} {escape:?} {absolute:?}: {written:?}, {target:?}");
        assert_eq!(place(&written), place(&target), "{context}");
        let again = rewriter.rewrite(&Document::new(&rewritten.bytes).retrieved_from(PAGE));
        assert_eq!(again.edits, [], "{context}");
    }
}

/// The text that is written is read once more by browsers, which remove line breaks and tabs, and read a backslash as a
/// slash. They may not find another scheme or host in it than in the target, or a URL where there was an error.
#[test]
fn output_has_the_scheme_and_host_of_its_target_to_browsers() {
    const REFERENCES: &[&str] = &[
        "java\tscript:alert(1)",
        "./java\nscript:alert(1)",
        "/\t/evil.example/x",
        "/\\evil.example/x",
        "x/..//\\evil.example",
        "http://h/\\evil.example/x",
        "javascript://<%0aalert(1)",
    ];
    const PARTS: &str = "java script: \t \n \\ / // .. . http: http://h evil.example @ : x < \u{2039} %0a \u{1} ? # d/ data: [ \u{fc}";
    for reference in REFERENCES {
        has_place_of_target(reference);
    }
    let parts: Vec<&str> = PARTS.split(' ').chain([" "]).collect();
    let references = prop::collection::vec(select(parts), 1..8);
    let config = Config {
        cases: support::cases(3_000),
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&references, |parts| {
        has_place_of_target(&parts.concat());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// A script in the contents of a TEMPLATE would not run, and in one with a COL it would be dropped.
#[test]
fn markup_is_not_inserted_in_an_open_template() {
    let script = "<script>x</script>";
    for (html, edited) in [
        ("<body><template><p>", 0),
        ("<body><template><col>", 0),
        ("<body><template></template><p>", 1),
    ] {
        let place = InsertionPlace::BodyEnd;
        let rewriter = Rewriter::new().insert(place, script);
        let rewriter = rewriter.expect("complete markup");
        let rewritten = rewriter.rewrite(&Document::new(html.as_bytes()));
        assert_eq!(rewritten.edited, edited, "{html}");
    }
    let incomplete = Rewriter::new().insert(InsertionPlace::BodyEnd, "<template><p>");
    assert!(incomplete.is_err());
}

/// Returns whether an element in HTML with the name `parent` has a child SCRIPT with the text `inserted`.
fn has_inserted_script(tree: &Tree, parent: &str) -> bool {
    let name_of = |node: &Handle| match &node.data {
        NodeData::Element { name, .. } => name.local.to_string(),
        _ => String::new(),
    };
    let is_inserted = |node: &Handle| {
        let text = node.children.borrow();
        name_of(node) == "script"
            && text.iter().any(|node| {
                matches!(&node.data, NodeData::Text { contents } if &**contents.borrow() == "inserted")
            })
    };
    let mut nodes = vec![tree.document().clone()];
    while let Some(node) = nodes.pop() {
        let children = node.children.borrow();
        if name_of(&node) == parent && children.iter().any(is_inserted) {
            return true;
        }
        nodes.extend(children.iter().cloned());
    }
    false
}

/// The tree of the output is that of the input without the removed elements and comments.
#[test]
fn a_tree_loses_what_is_removed_and_nothing_else() {
    const NAMES: [&str; 9] = [
        "#comment", "script", "style", "noscript", "iframe", "meta", "link", "img", "embed",
    ];
    let remove = |rewriter: Rewriter, text: &&str| rewriter.remove(text).expect("a selector");
    let mut rewriters = vec![NAMES.iter().fold(Rewriter::new().no_presets(), remove)];
    rewriters.extend(
        NAMES
            .iter()
            .map(|name| remove(Rewriter::new().no_presets(), name)),
    );
    let rewriters: Vec<_> = rewriters
        .into_iter()
        .map(|rewriter| rewriter.link_detail(LinkDetail::All))
        .collect();
    let config = Config {
        cases: cases() / 8,
        failure_persistence: None,
        ..Config::default()
    };
    let documents = prop_oneof![
        pieces::documents(&pieces::HEAD, 10),
        pieces::mixed_documents(12),
        pieces::mixed_documents(30).prop_map(|rest| [b"<head></head><body>x", &*rest].concat())
    ];
    let result = TestRunner::new(config).run(&documents, |document| {
        let html = String::from_utf8_lossy(&document);
        let html = html.trim_start_matches('\u{feff}');
        for rewriter in &rewriters {
            let rewritten = rewriter.rewrite(&Document::new(html.as_bytes()).encoding("utf-8"));
            let output = str::from_utf8(&rewritten.bytes).expect("UTF-8");
            // Each removed part is replaced by one that is found in the serialized tree.
            let mut marked = html.to_owned();
            let mut marks = Vec::new();
            for edit in rewritten.edits.iter().rev() {
                prop_assert!(edit.replacement.is_empty());
                let removed = html[edit.span.start + 1..edit.span.end].to_ascii_lowercase();
                let name = NAMES.iter().find(|name| removed.starts_with(**name));
                let (mark, serialized) = match name {
                    None => ("<!--removed-->".to_owned(), "<!--removed-->".to_owned()),
                    Some(name) if ["script", "style", "noscript", "iframe"].contains(name) => {
                        let element = format!("<{name}>removed</{name}>");
                        (element.clone(), element)
                    }
                    Some(name) => (
                        format!("<{name} removed>"),
                        format!("<{name} removed=\"\">"),
                    ),
                };
                marked.replace_range(edit.span.start..edit.span.end, &mark);
                marks.push(serialized);
            }
            let mut expected = Tree::parse(&marked).serialize();
            // A FRAMESET replaces BODY and what is in it.
            for mark in marks {
                expected = expected.replacen(&mark, "", 1);
            }
            prop_assert_eq!(Tree::parse(output).serialize(), expected, "{}", html);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// The tree of the output has the inserted element in its place, and is otherwise that of the input.
#[test]
fn inserted_markup_is_all_that_a_tree_gains() {
    const SCRIPT: &str = "<script>inserted</script>";
    let rewriters: Vec<_> = InsertionPlace::ALL
        .iter()
        .map(|&place| Rewriter::new().no_presets().insert(place, SCRIPT))
        .collect::<Result<_, _>>()
        .expect("complete markup");
    let config = Config {
        cases: cases() / 8,
        failure_persistence: None,
        ..Config::default()
    };
    let documents = prop_oneof![
        pieces::documents(&pieces::HEAD, 10),
        pieces::mixed_documents(12)
    ];
    let result = TestRunner::new(config).run(&documents, |document| {
        let html = String::from_utf8_lossy(&document);
        let html = html.trim_start_matches('\u{feff}');
        for (place, rewriter) in InsertionPlace::ALL.iter().zip(&rewriters) {
            let rewritten = rewriter.rewrite(&Document::new(html.as_bytes()).encoding("utf-8"));
            let output = str::from_utf8(&rewritten.bytes).expect("UTF-8");
            if rewritten.edited == 0 {
                prop_assert_eq!(output, html);
                continue;
            }
            let tree = Tree::parse(output);
            let is_in_head = has_inserted_script(&tree, "head");
            prop_assert_eq!(is_in_head, *place != InsertionPlace::BodyEnd, "{}", output);
            let tree = tree.serialize();
            let (before, after) = tree.split_once(SCRIPT).expect("the element");
            let expected = Tree::parse(html).serialize();
            prop_assert_eq!([before, after].concat(), expected, "{}", output);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
