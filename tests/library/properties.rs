//! The invariants of `support/invariants.rs` on generated documents and style sheets.
//!
//! `ABSOLVE_CASES` sets how many documents each test generates. `.ci/long` generates more.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use support::invariants;
use support::invariants::Comparisons;

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
