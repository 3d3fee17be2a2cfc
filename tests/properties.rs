//! What always holds, on generated documents.
//!
//! `ABSOLVE_CASES` sets how many documents each test generates.

#[path = "support/invariants.rs"]
mod invariants;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

/// Pieces of documents: whatever makes a tokenizer or a tree builder change its mind, and links in all their forms.
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

/// Escape sequences, marks and lead bytes of encodings.
const BYTES: &[&[u8]] = &[
    b"\x1b$B",
    b"\x1b(B",
    b"\x1b(J",
    b"\xff\xfe",
    b"\x81\x30",
    b"\x93\xfa",
];

fn cases() -> u32 {
    std::env::var("ABSOLVE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(50_000)
}

/// Runs the invariants on that many documents of at most that many pieces.
fn run(cases: u32, pieces: usize) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let documents =
        prop::collection::vec(select(PIECES), 0..pieces).prop_map(|pieces| pieces.concat());
    let result = TestRunner::new(config).run(&documents, |document| {
        invariants::all(document.as_bytes(), invariants::URL);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn invariants_hold_on_short_documents() {
    run(cases(), 12);
}

#[test]
fn invariants_hold_on_longer_documents() {
    run(cases(), 60);
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
    let result = TestRunner::new(config).run(&documents, |document| {
        invariants::all(&document, invariants::URL);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
