//! XML documents: which inputs are read as XML, and what is reported about ill-formed ones.

use support::world::{World, run};

const PAGE: &str = r#"<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body><a href="c.html"/></body></html>"#;
const ILL_FORMED: &str =
    "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<p><a href=\"c.html\"/>\n</html>\n";

#[test]
fn rewrite_reads_xhtml_as_xml() {
    let world = World::new(&[("p.xhtml", PAGE)]);
    let output = world.run(&["rewrite", "--url", "http://h/", "p.xhtml"]);
    let expected = PAGE
        .replace("a.js", "http://h/a.js")
        .replace("c.html", "http://h/c.html");
    assert_eq!(output.printed(), expected);
}

#[test]
fn ill_formed_documents_are_left_and_reported() {
    let world = World::new(&[("p.xhtml", ILL_FORMED)]);
    let message = "p.xhtml: left unchanged: ill-formed XML at line 3, column 1: \
                   end tag that does not match the open element";
    let rewrite = ["rewrite", "--url", "http://h/", "p.xhtml"];
    for (option, code) in [
        (None, 0),
        (Some("--strict"), 1),
        (Some("--check"), 1),
        (Some("--diff"), 1),
    ] {
        let arguments: Vec<&str> = rewrite.into_iter().chain(option).collect();
        let output = world
            .run(&arguments)
            .exits_with(code)
            .stderr_contains(message);
        if !matches!(option, Some("--check" | "--diff")) {
            assert_eq!(output.stdout, ILL_FORMED);
        }
    }
    for verb in ["check", "links", "base"] {
        let output = world.run(&[verb, "--url", "http://h/", "p.xhtml"]);
        output.exits_with(1).stderr_contains(message);
    }
    let output = world.run(&[
        "rewrite",
        "--url",
        "http://h/",
        "--lenient",
        "--strict",
        "p.xhtml",
    ]);
    assert_eq!(
        output.printed(),
        ILL_FORMED.replace("c.html", "http://h/c.html")
    );
}

#[test]
fn html_in_base64_is_a_failure_of_strict() {
    // The HTML is `<a href="x">y</a>`.
    let feed = "<feed xmlns='http://purl.org/atom/ns#'><entry><content type='text/html' mode='base64'>\
                PGEgaHJlZj0ieCI+eTwvYT4=</content></entry></feed>";
    let world = World::new(&[("f.atom", feed)]);
    let output = world
        .run(&["rewrite", "--strict", "--url", "http://h/", "f.atom"])
        .exits_with(1)
        .stderr_contains(
            "1 reference left unchanged: nested document in base64, which is not read",
        );
    assert_eq!(output.stdout, feed);
}

#[test]
fn the_format_is_that_of_name_option_or_root_element() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><title/><a href='x'/></svg>";
    let world = World::new(&[
        ("a.svg", svg),
        ("b", svg),
        ("c.xht", PAGE),
        ("d/e.svg", svg),
    ]);
    for name in ["a.svg", "b", "c.xht"] {
        let output = world.run(&["links", name]).printed();
        assert!(
            output.contains("svg:a[href] x") || output.contains("a[href] c.html"),
            "{output}"
        );
    }
    let declared = format!("<?xml version='1.0'?>{PAGE}");
    let url = ["rewrite", "--url", "http://h/"];
    let expected = |text: &str| {
        text.replace("\"c.html", "\"http://h/c.html")
            .replace("\"a.js", "\"http://h/a.js")
    };
    assert_eq!(run(&url, &declared).printed(), expected(&declared));
    // Without an XML declaration it is HTML, where `<script/>` is not closed.
    assert_eq!(run(&url, PAGE).printed(), PAGE.to_owned());
    let xml = ["rewrite", "--url", "http://h/", "--input-format", "xml"];
    assert_eq!(run(&xml, PAGE).printed(), expected(PAGE));
    let output = world.run(&["rewrite", "--url", "http://h/", "d", "-o", "out"]);
    assert!(
        output.stderr.contains("documents: 1, changed: 1"),
        "{}",
        output.stderr
    );
    assert!(world.read("out/e.svg").contains("<a href='http://h/x'/>"));
}

#[test]
fn base_shows_the_xml_base_of_the_root_element() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' xml:base='b/'/>";
    let world = World::new(&[("a.svg", svg)]);
    let output = world
        .run(&["base", "--url", "http://h/d/", "a.svg"])
        .printed();
    assert!(
        output.starts_with("a.svg: http://h/d/b/\n  source: embedded"),
        "{output}"
    );
}
