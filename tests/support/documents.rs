//! Generated documents with references of every kind that a rule of `check` applies to.

use proptest::prelude::*;
use proptest::sample::select;

const REFERENCES: &[&str] = &[
    "",
    " ",
    "g",
    "../../../g",
    "/../g",
    "..",
    "//",
    "///x",
    "//x/y",
    "//h.example/y",
    "?y",
    "#s",
    "#",
    ";x",
    "http:",
    "http:g",
    "http:///",
    "http://[",
    "http://http://x",
    "htpp://x",
    "http//x",
    "12:30.html",
    "a:b",
    "Talk:Page",
    "x.example:80",
    "C:\\x",
    "a\\b",
    "a b",
    "a\nb",
    "\u{200b}",
    "www.x.y",
    "@",
    "x@y.example",
    "{{ x }}",
    "undefined",
    "%7B%7B",
    "data:,x",
    "javascript:x",
    "mailto:x y",
    "file:///x",
    "é:ü",
    "\u{1f600}",
    "&amp;&lt;&#32;",
    "ftp://h/x;type=d",
    "http://h/d",
];

/// Pairs of text before and after a reference.
const FRAMES: &[(&str, &str)] = &[
    ("<base href='", "'>"),
    ("<body><base href='", "'>"),
    ("<template><base href='", "'></template>"),
    ("<a href=\"", "\">"),
    ("<a href='x' href='", "'>"),
    ("<img src='", "'>"),
    ("<img srcset='", " 2x'>"),
    ("<p style=\"a:url('", "')\">"),
    ("<style>a{b:url('", "')}</style>"),
    ("<svg><use href='", "'></use></svg>"),
    ("<svg><style>a{b:url(", ")}<b></style></svg>"),
    ("<iframe srcdoc=\"<base href='", "'><a href=x>\">"),
    ("<object codebase='", "' data='x'>"),
    ("<form action='", "'>"),
    ("<meta http-equiv=refresh content='0;url=", "'>"),
    ("<table><base href='", "'></table>"),
    ("<select><base href='", "'>"),
    ("<!--", "-->"),
    ("", "\r\n"),
];

/// Generates documents of up to eleven elements.
pub fn documents() -> impl Strategy<Value = String> {
    let element = (select(FRAMES), select(REFERENCES))
        .prop_map(|((prefix, suffix), reference)| [prefix, reference, suffix].concat());
    proptest::collection::vec(element, 0..12).prop_map(|elements| elements.concat())
}
