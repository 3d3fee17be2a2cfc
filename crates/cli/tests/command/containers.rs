//! The command line with HTTP dumps, MIME messages and WARC archives.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use absolve_archive::container::transfer::{Coding, encode_coding};
use serde_json::Value;
use support::process;
use support::world::World;

/// Output of `curl -iL`.
const DUMP: &str = "HTTP/1.1 302 Found\r\nLocation: http://a/b/c\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=d>";

/// `DUMP` with absolute links. Only the second response and its length differ.
const DUMP_REWRITTEN: &str = "HTTP/1.1 302 Found\r\nLocation: http://a/b/c\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\n\r\n<a href=http://a/b/d>";

/// A message with a page, its image, and a page of another site.
const MESSAGE: &str = "From: somebody
MIME-Version: 1.0
Content-Type: multipart/related; boundary=x

--x
Content-Type: text/html
Content-Location: http://a/b/c

<img src=i.png><img src=cid:1><a href=d>
--x
Content-Type: image/png
Content-Location: i.png
Content-Transfer-Encoding: base64

AAAA
--x
Content-Type: text/html
Content-Base: http://other/x/
Content-Transfer-Encoding: quoted-printable

<a href=3Dd>=C3=A9
--x--
";

fn record(kind: &str, id: &str, content_type: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{id}>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a/b/{id}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// Returns four records: a request, a page, a style sheet as a resource, and a page without links.
fn records() -> [String; 4] {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=d>";
    let text = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>text";
    [
        record(
            "request",
            "1",
            "application/http; msgtype=request",
            "GET / HTTP/1.0\r\n\r\n",
        ),
        record("response", "2", "application/http; msgtype=response", page),
        record("resource", "3", "text/css", "a{b:url(c)}"),
        record("response", "4", "application/http; msgtype=response", text),
    ]
}

/// Creates a directory with a container of each format.
fn containers() -> World {
    let world = World::new(&[
        ("dump", DUMP),
        ("page.mhtml", MESSAGE),
        ("mail.eml", MESSAGE),
        ("a.warc", &records().concat()),
    ]);
    fs::write(world.path("a.warc.gz"), members(Coding::Gzip).concat()).expect("written");
    let frames = members(Coding::Zstandard).concat();
    fs::write(world.path("a.warc.zst"), frames).expect("written");
    world
}

/// Returns the offsets of the second and the third record.
fn offsets(records: &[Vec<u8>]) -> [usize; 2] {
    [records[0].len(), records[0].len() + records[1].len()]
}

fn plain() -> Vec<Vec<u8>> {
    records().map(String::into_bytes).to_vec()
}

/// Returns the records, each compressed by itself.
fn members(coding: Coding) -> Vec<Vec<u8>> {
    records()
        .map(|record| encode_coding(record.as_bytes(), coding))
        .to_vec()
}

#[test]
fn links_prints_the_entity_of_a_container() {
    let world = containers();
    let links = |path: &str| world.run(&["links", path]).exits_with(0).stdout;
    assert_eq!(
        links("dump"),
        "dump!1: #header[location] http://a/b/c (absolute)\ndump!2:1:9: a[href] d -> http://a/b/d\n"
    );
    for path in ["page.mhtml", "mail.eml"] {
        assert_eq!(
            links(path),
            format!(
                "{path}!1:1:10: img[src] i.png -> http://a/b/i.png\n{path}!1:1:25: img[src] cid:1 (absolute)\n{path}!1:1:39: a[href] d -> http://a/b/d\n{path}!1: #header[content-location] http://a/b/c (absolute)\n{path}!3:1:9: a[href] d -> http://other/x/d\n"
            )
        );
    }
    for (path, records) in [
        ("a.warc", plain()),
        ("a.warc.gz", members(Coding::Gzip)),
        ("a.warc.zst", members(Coding::Zstandard)),
    ] {
        let [page, sheet] = offsets(&records);
        let expected = format!(
            "{path}!{page}:1:9: a[href] d -> http://a/b/d\n{path}!{sheet}:1:9: css[url()] c -> http://a/b/c\n"
        );
        assert_eq!(links(path), expected);
        for threads in ["1", "8"] {
            assert_eq!(
                world.run(&["links", "-j", threads, path]).stdout,
                links(path)
            );
        }
    }
}

#[test]
fn links_rows_have_the_entity_and_its_spans() {
    let world = containers();
    let jsonl = world
        .run(&["links", "--format", "jsonl", "page.mhtml"])
        .exits_with(0)
        .stdout;
    let last: Value = serde_json::from_str(jsonl.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["path"], "page.mhtml");
    assert_eq!(last["entity"], "3");
    // In `<a href=d>`, not in `<a href=3Dd>`.
    assert_eq!((&last["start"], &last["end"]), (&8.into(), &9.into()));
    assert_eq!(last["base_source"], "encapsulating-entity");
    let csv = world
        .run(&["links", "--format", "csv", "dump"])
        .exits_with(0)
        .stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].ends_with(",status,reason,entity"), "{csv}");
    assert!(rows[1].ends_with(",absolute,,1"), "{csv}");
    assert!(rows[2].ends_with(",resolved,,2"), "{csv}");
    let html = world.run_with(&["links", "--format", "csv"], b"<a href=http://x/>");
    assert!(html.stdout.ends_with(",absolute,,\n"), "{html:?}");
}

#[test]
fn links_lists_header_fields_of_containers() {
    let response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nlink: <n>; rel=next, </s.css>; rel=\"preload\"\r\nLink: <//p>\r\nContent-Location: c\r\nRefresh: 5; url=r\r\n\r\n<base href=/base/><a href=d>";
    let redirect = "HTTP/1.1 301 Moved\r\nLocation: ../x/\r\n\r\n";
    let image =
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nLink: <page>; rel=canonical\r\n\r\nPNG";
    let http = "application/http; msgtype=response";
    let archive = [redirect, response, image].map(|block| record("response", "1/2", http, block));
    let message = MESSAGE.replacen("MIME-Version", "Content-Base: http://a/b/\nMIME-Version", 1);
    let message = message.replacen("http://a/b/c", "sub/c", 1);
    let world = World::new(&[
        ("a.warc", &archive.concat()),
        ("dump", &[redirect, response].concat()),
        ("page.mhtml", &message),
    ]);
    let links = |arguments: &[&str]| {
        let rows = world.run(&[&["links", "--format=jsonl"], arguments].concat());
        let rows: Vec<Value> = rows
            .exits_with(0)
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let cell = |row: &Value, name: &str| row[name].as_str().unwrap_or("-").to_owned();
        let row = |row: &Value| {
            assert!(row["element"] != "#header" || row["start"].is_null() && row["line"].is_null());
            [
                "element",
                "attribute",
                "grammar",
                "role",
                "reference",
                "target",
            ]
            .map(|name| cell(row, name))
            .join(" ")
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let expected = [
        "#header location url navigation ../x/ http://a/b/x/",
        "base href url base /base/ http://a/base/",
        "a href url navigation d http://a/base/d",
        "#header content-location url metadata c http://a/b/1/c",
        "#header link url navigation n http://a/b/1/n",
        "#header link url resource /s.css http://a/s.css",
        "#header link url resource //p http://p",
        "#header refresh refresh navigation r http://a/b/1/r",
        "#header link url metadata page http://a/b/1/page",
    ];
    assert_eq!(links(&["a.warc"]), expected);
    // The date is that of the record.
    let csv = world
        .run(&["links", "a.warc", "--format=csv", "--with=date"])
        .exits_with(0)
        .stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert!(
        rows[0].ends_with(",entity,date") && rows[1].ends_with(",resolved,,0,2020-01-01T00:00:00Z"),
        "{csv}"
    );
    // The URL of the second response is the target of the redirect.
    let expected = [
        "#header location url navigation ../x/ http://a/b/x/",
        "base href url base /base/ http://a/base/",
        "a href url navigation d http://a/base/d",
        "#header content-location url metadata c http://a/b/x/c",
        "#header link url navigation n http://a/b/x/n",
        "#header link url resource /s.css http://a/s.css",
        "#header link url resource //p http://p",
        "#header refresh refresh navigation r http://a/b/x/r",
    ];
    assert_eq!(
        links(&["dump", "--input-format=http", "--url=http://a/b/1/2"]),
        expected
    );
    assert_eq!(
        links(&["dump", "--input-format=http"])[3],
        "#header content-location url metadata c -"
    );
    let mail = links(&["page.mhtml"]);
    assert!(
        mail.contains(&"#header content-location url metadata sub/c http://a/b/sub/c".to_owned()),
        "{mail:?}"
    );
    assert!(
        mail.contains(&"a href url navigation d http://a/b/sub/d".to_owned()),
        "{mail:?}"
    );
    // Other verbs have the documents alone.
    for verb in ["base", "check"] {
        let summary = world.run(&[verb, "a.warc", "--stats"]);
        assert!(
            summary.stderr.contains("links: 2; resolved: 2,"),
            "{summary:?}"
        );
    }
}

#[test]
fn input_format_of_a_pipe_is_sniffed() {
    let world = containers();
    for name in ["dump", "page.mhtml", "a.warc", "a.warc.gz", "a.warc.zst"] {
        let bytes = fs::read(world.path(name)).expect("read");
        let piped = world.run_with(&["links"], &bytes).exits_with(0).stdout;
        let named = world.run(&["links", name]).exits_with(0).stdout;
        assert_eq!(piped, named.replace(&format!("{name}!"), "-!"), "{name}");
        // Sniffing only applies without `--input-format`.
        let html = world
            .run_with(&["links", "--input-format", "html"], &bytes)
            .exits_with(0);
        assert!(!html.stdout.contains("-!"), "{html:?}");
    }
    // A file without an extension that cannot be read twice.
    if Path::new("/dev/stdin").exists() {
        let bytes = fs::read(world.path("a.warc.gz")).expect("read");
        let piped = world
            .run_with(&["links", "/dev/stdin"], &bytes)
            .exits_with(0)
            .stdout;
        assert_eq!(piped.lines().count(), 2, "{piped}");
    }
}

#[test]
fn input_format_never_mistakes_html() {
    let world = World::new(&[
        ("a.html", DUMP),
        ("b.htm", MESSAGE),
        ("c.shtml", &records().concat()),
    ]);
    for name in ["a.html", "b.htm", "c.shtml"] {
        let links = world
            .run(&["links", "-u", "http://u/", name])
            .exits_with(0)
            .stdout;
        assert!(
            links.contains(&format!("{name}:")) && !links.contains('!'),
            "{links}"
        );
    }
    let letter = world.run_with(
        &["links", "-u", "http://u/"],
        b"From: me\nTo: you\n\n<a href=x>",
    );
    assert_eq!(
        letter.exits_with(0).stdout,
        "-:4:9: a[href] x -> http://u/x\n"
    );
}

/// Returns the chain of each document from the output of `base`.
fn chains(world: &World, arguments: &[&str]) -> Vec<Vec<String>> {
    let text = world
        .run(&[&["base"], arguments].concat())
        .exits_with(0)
        .stdout;
    let mut chains: Vec<Vec<String>> = Vec::new();
    for line in text.lines() {
        if let Some(step) = line.strip_prefix("    ") {
            chains.last_mut().expect("a document").push(step.to_owned());
        } else if !line.starts_with(' ') {
            chains.push(Vec::new());
        }
    }
    chains
}

#[test]
fn base_shows_each_redirect() {
    let world = containers();
    assert_eq!(
        world.run(&["base", "dump"]).exits_with(0).stdout,
        "dump!2: http://a/b/c\n  source: retrieval (RFC 1808 section 3.3)\n  candidates, in order of precedence:\n  * retrieval \"http://a/b/c\": first usable candidate\n  chain, from the container to the document:\n    redirect 1 (302): Location \"http://a/b/c\" -> http://a/b/c\n    response 2 (200)\n"
    );
    // Each `Location` is resolved against the URL before it (RFC 9110 section 10.2.2); an authority appears only in
    // the last one.
    let redirect = |status: u16, location: &str| {
        format!("HTTP/1.1 {status} x\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
    };
    let hops = [
        "HTTP/1.1 100 Continue\r\n\r\n".to_owned(),
        redirect(301, "/b/c?d"),
        redirect(307, "../e/./f"),
        redirect(201, "/elsewhere"),
        redirect(308, "//host:80/g/"),
        "HTTP/2 200 \r\ncontent-type: text/html\r\ncontent-location: h.html\r\n\r\n<a href=i>"
            .to_owned(),
    ];
    world.write("hops", &hops.concat());
    let given = [
        "retrieval URL -> https://a/x",
        "redirect 2 (301): Location \"/b/c?d\" -> https://a/b/c?d",
        "redirect 3 (307): Location \"../e/./f\" -> https://a/e/f",
        "redirect 5 (308): Location \"//host:80/g/\" -> https://host:80/g/",
        "response 6 (200)",
    ];
    assert_eq!(chains(&world, &["hops", "-u", "https://a/x"]), [given]);
    let legacy = chains(&world, &["hops", "-u", "https://a/x", "--legacy-headers"]);
    let last = "response 6 (200): Content-Location \"h.html\" -> https://host:80/g/h.html";
    assert_eq!(legacy[0].last().map(String::as_str), Some(last));
    let without_url = chains(&world, &["hops"]);
    let unknown = "redirect 2 (301): Location \"/b/c?d\" (relative to an unknown URL; use --url)";
    assert_eq!((without_url[0].len(), &*without_url[0][0]), (4, unknown));
}

#[test]
fn base_shows_nested_parts() {
    let world = containers();
    // RFC 2557 section 5: the part's `Content-Location`, resolved against the base URL of its message.
    world.write(
        "nested.eml",
        "Subject: x
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=o
Content-Base: http://a/b/c

--o
Content-Type: message/rfc822

Content-Type: multipart/related; boundary=i
Content-Location: d/e
Base: <URL:
 http://f/g>

--i
Content-Type: Text/HTML; charset=utf-8
Content-Location: cid:x

<a href=y>
--i
Content-Type: text/css
Content-Location: h
 /i.css

p{}
--i--
--o--
",
    );
    let outer = [
        "message (multipart/mixed): Content-Base \"http://a/b/c\" -> http://a/b/c",
        "part 1 (message/rfc822)",
        "message 1 (multipart/related): Content-Location \"d/e\" -> http://a/b/d/e",
        "message 1 (multipart/related): Base \"<URL: http://f/g>\" -> http://f/g",
    ];
    let page = "part 1.1 (text/html): Content-Location \"cid:x\" (not a base URL)";
    let sheet = "part 1.2 (text/css): Content-Location \"h /i.css\" -> http://f/h/i.css";
    let expected = [page, sheet].map(|part| [&outer[..], &[part]].concat());
    assert_eq!(chains(&world, &["nested.eml"]), expected);
}

#[test]
fn base_shows_the_record_and_its_message() {
    let world = containers();
    let [page, sheet] = offsets(&plain());
    let expected = |uri: &str| {
        [
            vec![
                format!("record {page} (response): WARC-Target-URI \"{uri}\" -> http://a/b/2"),
                format!("response {page} (200)"),
            ],
            vec![format!(
                "record {sheet} (resource): WARC-Target-URI \"http://a/b/3\" -> http://a/b/3"
            )],
        ]
    };
    let found = chains(&world, &["a.warc"]);
    assert_eq!(found[..2], expected("http://a/b/2"));
    // The replacement has the same length, so the offsets remain valid.
    let records = records().concat();
    let bracketed = records
        .replace(
            "WARC-Target-URI: http://a/b/2",
            "WARC-Target-URI:<http://a/b/2>",
        )
        .replace("WARC-Record-ID: <urn:x:2>", "WARC-Record-ID:<urn:x:2>");
    world.write("b.warc", &bracketed);
    assert_eq!(chains(&world, &["b.warc"])[..2], expected("<http://a/b/2>"));
    let unnamed = records
        .replace("WARC-Target-URI", "WARC-Other-URI")
        .replace("Location", "L");
    world.write("c.warc", &unnamed);
    assert_eq!(
        chains(&world, &["c.warc", "-u", "http://u/"])[1][..1],
        ["retrieval URL -> http://u/".to_owned()]
    );
}

#[test]
fn base_json_has_the_chain() {
    let world = containers();
    let rows = |arguments: &[&str]| -> Vec<Value> {
        let json = world
            .run(&[&["base", "--format", "json"], arguments].concat())
            .exits_with(0)
            .stdout;
        let lines = json.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
    let parts = rows(&["page.mhtml", "--default-base", "http://default/"]);
    assert_eq!(parts.len(), 2);
    assert_eq!(
        (&parts[1]["entity"], &parts[1]["base"]),
        (&"3".into(), &"http://other/x/".into())
    );
    assert_eq!(parts[1]["candidates"][1]["source"], "default");
    let expected = serde_json::json!([
        {"kind": "message", "entity": "", "detail": "multipart/related", "field": null, "value": null, "url": null},
        {"kind": "part", "entity": "3", "detail": "text/html", "field": "Content-Base", "value": "http://other/x/", "url": "http://other/x/"},
    ]);
    assert_eq!(parts[1]["chain"], expected);
    let expected = serde_json::json!([
        {"kind": "given", "entity": "", "detail": "", "field": null, "value": null, "url": "http://u/"},
        {"kind": "redirect", "entity": "1", "detail": "302", "field": "Location", "value": "http://a/b/c", "url": "http://a/b/c"},
        {"kind": "response", "entity": "2", "detail": "200", "field": null, "value": null, "url": null},
    ]);
    assert_eq!(rows(&["dump", "-u", "http://u/"])[0]["chain"], expected);
    // A document outside a container has no chain.
    world.write("a.html", "<a href=x>");
    assert_eq!(rows(&["a.html"])[0].get("chain"), None);
}

#[test]
fn base_omits_outer_steps_of_a_long_chain() {
    let world = World::new(&[]);
    let hops: Vec<String> = (0..200)
        .map(|hop| format!("HTTP/1.1 301 x\nLocation: http://a/{hop}\nContent-Length: 0\n\n"))
        .collect();
    let hops = hops.concat();
    world.write(
        "hops",
        &format!("{hops}HTTP/1.1 200 x\nContent-Type: text/html\n\n<a href=i>"),
    );
    let steps = chains(&world, &["hops"]).concat();
    assert_eq!(steps[0], "... (outer steps omitted)");
    assert_eq!(
        steps[1],
        "redirect 152 (301): Location \"http://a/151\" -> http://a/151"
    );
    assert_eq!(steps.len(), 51);
}

#[test]
fn base_uses_legacy_headers_only_with_the_option() {
    let world = World::new(&[(
        "dump",
        "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Location: http://l/\n\n<a href=x>",
    )]);
    let with =
        |option: &[&str]| world.run(&[&["links", "dump", "-u", "http://u/"], option].concat());
    let header = "dump!1: #header[content-location] http://l/ (absolute)\n";
    for (options, base) in [(&[][..], "http://u/"), (&["--legacy-headers"], "http://l/")] {
        let expected = format!("dump!1:1:9: a[href] x -> {base}x\n{header}");
        assert_eq!(with(options).exits_with(0).stdout, expected);
    }
}

#[test]
fn rewrite_writes_documents_back_into_containers() {
    let world = containers();
    assert_eq!(
        world.run(&["rewrite", "dump"]).exits_with(0).stdout,
        DUMP_REWRITTEN
    );
    let expected = MESSAGE
        .replace("src=i.png", "src=http://a/b/i.png")
        .replace("<a href=d>", "<a href=http://a/b/d>")
        .replace("<a href=3Dd>", "<a href=3Dhttp://other/x/d>");
    assert_eq!(
        world.run(&["rewrite", "page.mhtml"]).exits_with(0).stdout,
        expected
    );
    // Idempotence: rewriting again changes nothing.
    for (name, text) in [("dump2", DUMP_REWRITTEN), ("page2.mhtml", &*expected)] {
        world.write(name, text);
        assert_eq!(world.run(&["rewrite", name]).exits_with(0).stdout, text);
        assert_eq!(
            world
                .run(&["rewrite", "--check", name])
                .exits_with(0)
                .stdout,
            ""
        );
    }
}

#[test]
fn rewrite_keeps_references_to_parts_of_the_message() {
    let world = World::new(&[]);
    let message = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<img src=i.png><a href=d>\n--x\nContent-Type: image/png\nContent-Location: i.png\n\n\n--x--\n";
    let rewritten = world.run_with(&["rewrite", "-u", "http://u/"], message.as_bytes());
    assert_eq!(
        rewritten.exits_with(0).stdout,
        message.replace("href=d", "href=http://u/d")
    );
}

#[test]
fn rewrite_appends_conversion_records() {
    let world = containers();
    let rewritten = world.run(&["rewrite", "a.warc"]).exits_with(0).stdout;
    let records = records();
    let rest = rewritten
        .strip_prefix(&records[..2].concat())
        .expect("the originals");
    let (conversion, rest) = rest.split_once(&records[2]).expect("the third record");
    assert!(
        conversion.contains("WARC-Type: conversion\r\n"),
        "{conversion}"
    );
    assert!(
        conversion.contains("WARC-Refers-To: <urn:x:2>\r\n"),
        "{conversion}"
    );
    assert!(
        conversion.ends_with("\r\n\r\n<a href=http://a/b/d>\r\n\r\n"),
        "{conversion}"
    );
    let conversion = rest.strip_suffix(&records[3]).expect("the last record");
    assert!(
        conversion.ends_with("\r\n\r\na{b:url(http://a/b/c)}\r\n\r\n"),
        "{conversion}"
    );
    // Repeating the run does not append the same conversion again. Other settings have another result, which is
    // appended.
    for name in ["a.warc", "a.warc.gz", "a.warc.zst"] {
        world.run(&["rewrite", "-i", name]).exits_with(0);
        let once = fs::read(world.path(name)).expect("read");
        world.run(&["rewrite", "--check", name]).exits_with(0);
        world.run(&["rewrite", "-i", name]).exits_with(0);
        assert!(fs::read(world.path(name)).expect("read") == once, "{name}");
        let arguments = ["rewrite", "--check", "--to", "root-relative", name];
        assert_eq!(
            world.run(&arguments).exits_with(1).stdout,
            format!("{name}\n")
        );
    }
}

#[test]
fn rewrite_replaces_records() {
    let world = containers();
    let rewritten = world
        .run(&["rewrite", "--in-records", "a.warc"])
        .exits_with(0)
        .stdout;
    let page = records()[1]
        .replace("Content-Length: 10", "Content-Length: 21")
        .replace("<a href=d>", "<a href=http://a/b/d>");
    let length = page
        .split_once("\r\n\r\n")
        .expect("a block")
        .1
        .trim_end()
        .len();
    let page = page.replacen(
        &format!("Content-Length: {}", length - 11),
        &format!("Content-Length: {length}"),
        1,
    );
    let sheet = records()[2]
        .replace("url(c)", "url(http://a/b/c)")
        .replace("Content-Length: 11", "Content-Length: 22");
    assert_eq!(
        rewritten,
        [&*records()[0], &page, &sheet, &records()[3]].concat()
    );
}

#[test]
fn a_document_that_is_too_complex_does_not_affect_other_records() {
    let world = containers();
    let complex = format!(
        "<body><template></template><base href=x><a href=d>{}",
        "<div>".repeat(50_000)
    );
    let records = ["<a href=d>", &complex, "<a href=d>"]
        .map(|page| record("resource", "b", "text/html", page));
    world.write("complex.warc", &records.concat());
    let message = format!(
        "complex.warc!{}: left unchanged: too complex",
        records[0].len()
    );
    let rewritten = world
        .run(&["rewrite", "--in-records", "complex.warc"])
        .exits_with(2)
        .stderr_contains(&message)
        .stdout;
    let page = record("resource", "b", "text/html", "<a href=http://a/b/d>");
    assert_eq!(rewritten, [&*page, &records[1], &page].concat());
    let links = world
        .run(&["links", "complex.warc"])
        .exits_with(2)
        .stderr_contains(&message)
        .stdout;
    assert_eq!(links.matches("http://a/b/d").count(), 2, "{links}");
}

#[test]
fn rewrite_writes_containers_to_every_kind_of_output() {
    let world = containers();
    world
        .run(&["rewrite", "dump", "-o", "new/dump"])
        .exits_with(0);
    assert_eq!(world.read("new/dump"), DUMP_REWRITTEN);
    // In place, with a backup of each changed container.
    world
        .run(&["rewrite", "-i", "--backup", ".orig", "dump"])
        .exits_with(0);
    assert_eq!(
        (world.read("dump"), world.read("dump.orig")),
        (DUMP_REWRITTEN.to_owned(), DUMP.to_owned())
    );
    let before = fs::read(world.path("a.warc.gz")).expect("read");
    let piped = world
        .command(&["rewrite", "--in-records", "a.warc.gz"])
        .output()
        .expect("run")
        .stdout;
    world
        .run(&[
            "rewrite",
            "-i",
            "--in-records",
            "--backup",
            ".orig",
            "a.warc.gz",
        ])
        .exits_with(0);
    let after = fs::read(world.path("a.warc.gz")).expect("read");
    assert_eq!(
        fs::read(world.path("a.warc.gz.orig")).expect("read"),
        before
    );
    assert!(after == piped && after != before);
    world
        .run(&["rewrite", "-i", "--in-records", "a.warc.gz"])
        .exits_with(0);
    assert_eq!(fs::read(world.path("a.warc.gz")).expect("read"), after);
    assert_eq!(
        world
            .run(&["rewrite", "--in-records", "--check", "a.warc.gz"])
            .exits_with(0)
            .stdout,
        ""
    );
    // A directory that contains them.
    let site = containers();
    let out = World::new(&[]);
    let target = out.path("out").to_string_lossy().into_owned();
    let answer = site
        .run(&["rewrite", "--in-records", ".", "-o", &target])
        .exits_with(0);
    let answer = answer.stderr_contains("documents: 13, changed: 10; other files: 1");
    drop(answer);
    assert_eq!(fs::read(out.path("out/a.warc.gz")).expect("read"), after);
    assert_eq!(out.read("out/dump"), DUMP);
    assert!(out.read("out/mail.eml").contains("<a href=http://a/b/d>"));
}

#[test]
fn rewrite_check_and_diff_report_containers() {
    let world = containers();
    let check = world.run(&[
        "rewrite",
        "--check",
        "dump",
        "page.mhtml",
        "a.warc",
        "a.warc.gz",
        "a.warc.zst",
    ]);
    assert_eq!(
        check.exits_with(1).stdout,
        "a.warc\na.warc.gz\na.warc.zst\ndump\npage.mhtml\n"
    );
    let diff = world
        .run(&["rewrite", "--diff", "dump"])
        .exits_with(1)
        .stdout;
    assert_eq!(
        diff.lines()
            .filter(|line| !line.starts_with('\\'))
            .collect::<Vec<_>>(),
        [
            "--- a/dump!2",
            "+++ b/dump!2",
            "@@ -1 +1 @@",
            "-<a href=d>",
            "+<a href=http://a/b/d>"
        ]
    );
    let diff = world
        .run(&["rewrite", "--diff", "a.warc.gz"])
        .exits_with(1)
        .stdout;
    assert!(diff.contains("+a{b:url(http://a/b/c)}"), "{diff}");
    assert_eq!(world.read("dump"), DUMP);
}

#[test]
fn report_counts_documents_in_containers() {
    let world = containers();
    let arguments = [
        "rewrite", "--report", "r.jsonl", "--stats", "-o", "out.warc", "a.warc",
    ];
    world
        .run(&arguments)
        .exits_with(0)
        .stderr_contains("documents: 3, changed: 2")
        .stderr_contains("containers: 1");
    let report = world.read("r.jsonl");
    let rows: Vec<Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [page, _] = offsets(&plain());
    assert_eq!(rows.len(), 5, "{report}");
    assert_eq!(
        (&rows[0]["entity"], &rows[0]["target"]),
        (&page.to_string().into(), &"http://a/b/d".into())
    );
    assert_eq!(
        (&rows[1]["document"], &rows[1]["url"]),
        (&true.into(), &"http://a/b/2".into())
    );
    assert_eq!(rows[1]["entity"], page.to_string());
    assert_eq!(
        (&rows[4]["changed"], &rows[4]["links"]),
        (&false.into(), &0.into())
    );
}

#[test]
fn check_reports_findings_in_containers() {
    let world = containers();
    let text = world.run(&["check", "--default-base", "http://d/", "dump"]);
    assert!(text.code == Some(0) && text.stdout.is_empty(), "{text:?}");
    world.write("bad", &DUMP.replace("<a href=d>", "<base href=x>"));
    for (format, location) in [
        ("text", "bad!2:1:"),
        ("json", "\"entity\":\"2\""),
        ("github", "file=bad,title="),
        ("sarif", "\"uri\":\"bad\""),
    ] {
        let found = world
            .run(&["check", "--format", format, "bad"])
            .exits_with(1);
        assert!(found.stdout.contains(location), "{format}: {found:?}");
        assert!(!found.stdout.contains("startLine"), "{found:?}");
    }
}

#[test]
fn damaged_containers_are_reported_and_the_rest_is_processed() {
    let world = containers();
    let mut archive = records().concat();
    archive.truncate(archive.len() - 8);
    world.write("cut.warc", &archive);
    world.write(
        "cut.eml",
        MESSAGE.strip_suffix("--x--\n").expect("the last boundary"),
    );
    world.write("no.mhtml", "<p>this is none");
    let head = "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: compress\n\n";
    let packed = [head.as_bytes(), b"\x1F\x9D\x90\x3C\x00"].concat();
    fs::write(world.path("packed"), packed).expect("written");
    let answer = world
        .run(&["links", "cut.warc", "cut.eml", "no.mhtml", "packed", "dump"])
        .exits_with(2);
    let answer = answer
        .stderr_contains("cut.warc!")
        .stderr_contains("unexpected end of input at byte")
        .stderr_contains("cut.eml: multipart entity without a closing boundary at byte")
        .stderr_contains("cannot read no.mhtml as a MIME message: no MIME header field at byte 0")
        .stderr_contains("packed!1: unsupported content or transfer encoding at byte 68");
    assert_eq!(
        answer.stdout.matches(" -> ").count(),
        2 + 3 + 1,
        "{answer:?}"
    );
    let rewritten = world
        .run(&["rewrite", "--in-records", "cut.warc"])
        .exits_with(2);
    assert!(
        rewritten.stdout.contains("<a href=http://a/b/d>"),
        "{rewritten:?}"
    );
    assert!(rewritten.stdout.ends_with("\r\n\r\n<p>"), "{rewritten:?}");
    let missing = world
        .run(&["links", "none.warc", "dump"])
        .exits_with(2)
        .stderr_contains("cannot read none.warc: ");
    assert_eq!(missing.stdout.lines().count(), 2);
}

/// Returns the messages of a run of each verb that reads containers. They must be equal, and so must the exit status.
fn messages_of_every_verb(world: &World, name: &str, exit: i32) -> Vec<String> {
    let verbs: [&[&str]; 8] = [
        &["links"],
        &["base"],
        &["check"],
        &["rewrite"],
        &["rewrite", "--in-records"],
        &["rewrite", "--in-records", "--strict"],
        &["rewrite", "--in-records", "--check"],
        &["rewrite", "--diff"],
    ];
    let mut all = verbs.map(|verb| {
        let run = world
            .command(&[verb, &[name]].concat())
            .output()
            .expect("run");
        assert_eq!(run.status.code(), Some(exit), "{verb:?}: {run:?}");
        let messages = String::from_utf8(run.stderr).expect("UTF-8");
        // Without the number of findings, which only `check` prints.
        let about_input = messages.lines().filter(|line| line.contains(name));
        about_input.map(str::to_owned).collect::<Vec<_>>()
    });
    for (verb, messages) in verbs.iter().zip(&all) {
        assert_eq!(messages, &all[0], "{verb:?}");
    }
    std::mem::take(&mut all[0])
}

#[test]
fn every_verb_reports_unread_documents() {
    let page = |headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n");
        [head.as_bytes(), body].concat()
    };
    let gzip = encode_coding(
        b"<p>a page without any relative reference, of some length",
        Coding::Gzip,
    );
    let cases: [(&str, Vec<u8>, &str); 4] = [
        (
            "unsupported",
            page("Content-Encoding: compress\r\n", b"\x1F\x9D\x90\x00\x01"),
            "unsupported content or transfer encoding",
        ),
        (
            "cut",
            page("Content-Encoding: gzip\r\n", &gzip[..gzip.len() - 10]),
            "unexpected end of input",
        ),
        (
            "chunk",
            page("Transfer-Encoding: chunked\r\n", b"8\r\n<p>ab"),
            "unexpected end of input",
        ),
        (
            "damaged",
            page(
                "Content-Encoding: gzip\r\n",
                b"\x1F\x8B\x08\0\0\0\0\0\0\x03\xFF\xFF\xFF",
            ),
            "invalid compressed data",
        ),
    ];
    let world = World::new(&[]);
    for (name, response, problem) in cases {
        let head = record("response", name, "application/http", "");
        let head = head.trim_end().replace(
            "Content-Length: 0",
            &format!("Content-Length: {}\r\n\r\n", response.len()),
        );
        let archive = [head.as_bytes(), &response, b"\r\n\r\n"].concat();
        for (suffix, bytes) in [
            ("warc", &archive),
            ("warc.gz", &encode_coding(&archive, Coding::Gzip)),
        ] {
            let name = format!("{name}.{suffix}");
            fs::write(world.path(&name), bytes).expect("written");
            let messages = messages_of_every_verb(&world, &name, 2);
            let expected =
                format!("absolve: {name}!0: {problem} at byte 0; processed as far as possible");
            assert_eq!(messages, [expected]);
        }
        let dump = format!("{name}.http");
        fs::write(world.path(&dump), &response).expect("written");
        let messages = messages_of_every_verb(&world, &dump, 2);
        let start = format!("absolve: {dump}!1: {problem} at byte ");
        assert!(
            messages.len() == 1 && messages[0].starts_with(&start),
            "{messages:?}"
        );
    }
    let message = MESSAGE.replace("quoted-printable", "x-unknown");
    world.write("unknown.eml", &message.replace("href=d", "href=http://a/"));
    let messages = messages_of_every_verb(&world, "unknown.eml", 2);
    let start = "absolve: unknown.eml: unsupported content or transfer encoding at byte ";
    assert!(
        messages.len() == 1 && messages[0].starts_with(start),
        "{messages:?}"
    );
}

#[test]
fn emit_tree_is_rejected_for_containers() {
    let world = containers();
    for name in ["dump", "a.warc"] {
        let answer = world
            .run(&["rewrite", "--emit", "tree", name])
            .exits_with(2);
        assert_eq!(answer.stderr_contains("use --emit source").stdout, "");
    }
}

#[test]
fn rewrite_of_a_long_archive_takes_bounded_memory() {
    let page = "<p>some text and a <a href=link>link</a>\n".repeat(1000);
    let pieces = [
        record("resource", "1", "text/html", &page),
        record("resource", "2", "image/png", &"x".repeat(800_000)),
    ]
    .concat();
    let world = World::new(&[]);
    for arguments in [
        &["links", "--format", "jsonl"][..],
        &["base"],
        &["rewrite", "--in-records"],
        &["rewrite", "--diff"],
    ] {
        let mut child = world
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // Counted, not kept: the machine needs no room for the output.
        let mut stdout = child.stdout.take().expect("piped");
        let written = thread::spawn(move || io::copy(&mut stdout, &mut io::sink()));
        let mut stdin = child.stdin.take().expect("piped");
        let sent = (0..250).try_for_each(|_| stdin.write_all(pieces.as_bytes()));
        let peak = process::peak_memory(child.id());
        drop(stdin);
        let output = child.wait_with_output().expect("the command ends");
        assert!(sent.is_ok(), "{arguments:?}: {sent:?}, {output:?}");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        let written = written.join().expect("no panic").expect("read") >> 20;
        match peak {
            Some(peak) => {
                support::print_line(&format!(
                    "memory: {}: 200 MiB read, {written} MiB written, {peak} MiB at most",
                    arguments.join(" ")
                ));
                assert!(peak < 64, "{arguments:?}: {peak} MiB");
            }
            None => support::missing("memory is read from /proc, which is not here"),
        }
    }
}

#[test]
fn rewrite_reports_an_archive_compressed_as_a_whole_once() {
    let world = World::new(&[]);
    let whole = encode_coding(records().concat().as_bytes(), Coding::Gzip);
    fs::write(world.path("a.warc.gz"), &whole).expect("written");
    let links = world.run(&["links", "a.warc.gz"]).exits_with(0);
    // The second and the third record. Both are in the member at offset 0, but must have different names.
    assert_eq!(
        links.stdout,
        "a.warc.gz!0.2:1:9: a[href] d -> http://a/b/d\na.warc.gz!0.3:1:9: css[url()] c -> http://a/b/c\n"
    );
    let count = |stderr: &str| stderr.matches("gzip member with several records").count();
    assert_eq!(count(&links.stderr), 1, "{links:?}");
    let rewritten = world.run(&["rewrite", "-i", "a.warc.gz"]).exits_with(2);
    assert_eq!(count(&rewritten.stderr), 1, "{rewritten:?}");
    assert!(fs::read(world.path("a.warc.gz")).expect("read") == whole);
}

#[test]
fn rewrite_reports_unsupported_containers_and_leaves_them() {
    let arc = "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 75\n1 0 x\n\n<a href=x>";
    let world = World::new(&[("a.arc", arc)]);
    for (name, bytes, what) in [
        (
            "a.arc",
            arc.as_bytes().to_vec(),
            "unsupported format (ARC archive)",
        ),
        (
            "a.arc.gz",
            encode_coding(arc.as_bytes(), Coding::Gzip),
            "unsupported format (ARC archive)",
        ),
        (
            "a.html.gz",
            encode_coding(b"<a href=x>", Coding::Gzip),
            "unsupported compression (gzip",
        ),
        (
            "a.html.zst",
            encode_coding(b"<a href=x>", Coding::Zstandard),
            "unsupported compression (Zstandard, and not a WARC archive); decompress the file first",
        ),
        (
            "a.wacz",
            b"PK\x03\x04\x14".to_vec(),
            "unsupported format (ZIP archive",
        ),
    ] {
        fs::write(world.path(name), &bytes).expect("written");
        for arguments in [&["links"][..], &["check"], &["rewrite", "-i"]] {
            let run = world
                .run(&[arguments, &["-u", "http://u/", name]].concat())
                .exits_with(2);
            assert!(run.stderr.contains(&format!("{name}: {what}")), "{run:?}");
        }
        assert!(fs::read(world.path(name)).expect("read") == bytes, "{name}");
        let piped = world.run_with(&["links"], &bytes).exits_with(2);
        assert!(piped.stderr.contains(what), "{piped:?}");
    }
}

#[test]
fn links_reads_xhtml_in_containers() {
    let world = World::new(&[]);
    let xhtml = "<p xmlns=\"http://www.w3.org/1999/xhtml\"><script/><a href=\"x\"/></p>";
    let dump = format!("HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n\r\n{xhtml}");
    let links = world.run_with(&["links", "-u", "http://u/"], dump.as_bytes());
    assert_eq!(
        links.exits_with(0).stdout,
        "-!1:1:59: a[href] x -> http://u/x\n"
    );
}

#[test]
fn links_reports_a_truncated_dump_once() {
    let world = World::new(&[]);
    let dump = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n<a href=http://a/>";
    let run = world.run_with(&["links"], dump.as_bytes()).exits_with(2);
    assert_eq!(run.stdout, "-!1:1:9: a[href] http://a/ (absolute)\n");
    let message = format!(
        "standard input!1: unexpected end of input at byte {}",
        dump.len()
    );
    assert!(
        run.stderr.contains(&message) && run.stderr.lines().count() == 1,
        "{run:?}"
    );
}

#[test]
fn links_accepts_dumps_of_http_clients() {
    let world = World::new(&[]);
    // `curl -i --compressed` prints decoded bodies, here shorter than the declared compressed length. `br` is not
    // supported, but need not be decoded either.
    for coding in ["gzip", "br", "deflate"] {
        let dump = |length: &str, body: &str| {
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{length}\r\n\r\n{body}")
        };
        let fields = format!("Content-Encoding: {coding}\r\nContent-Length: 81");
        let rewrite = ["rewrite", "-u", "http://u/"];
        let decoded = world.run_with(&rewrite, dump(&fields, "<a href=x>").as_bytes());
        let expected = dump("Content-Length: 19", "<a href=http://u/x>");
        assert_eq!(decoded.exits_with(0).stdout, expected, "{coding}");
    }
    // `curl -I`.
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 81\r\n\r\n";
    let links = world.run_with(&["links"], head).exits_with(0);
    assert!(links.stderr.contains("a HEAD request"), "{links:?}");
    // A dump without HTML documents is reported.
    let json = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    let links = world.run_with(&["links"], json).exits_with(0);
    assert!(
        links.stderr.contains("standard input: no HTML documents"),
        "{links:?}"
    );
}

/// RFC 2557 section 4.2.
#[test]
fn a_relative_content_location_is_no_problem() {
    let message = "MIME-Version: 1.0\nContent-Type: text/html\nContent-Location: c/d\n\n<a href=x>";
    let world = World::new(&[("a.eml", message)]);
    let run = world
        .run(&["rewrite", "--url", "http://a/b", "a.eml"])
        .exits_with(0);
    assert_eq!(run.stdout, message.replace("=x", "=http://a/c/x"));
    assert_eq!(run.stderr, "");
}

#[test]
fn mailboxes_are_read_by_name_content_and_format() {
    let world = World::new(&[]);
    let mailbox = "From a@b Fri Jul  8 12:08:34 2011\nSubject: text\n\ntext\n
From a@b Fri Jul  8 12:08:34 2011\nContent-Type: text/html\nContent-Base: http://h/a/\n\n<a href=x>\n
From a@b Fri Jul  8 12:08:34 2011\nContent-Type: text/html\nContent-Base: http://h/b/\nbad\nX: y\nContent-Type: z\n\n<a href=y>\n";
    for name in ["a.mbox", "a.eml", "Inbox"] {
        world.write(name, mailbox);
    }
    let expected = "2!1:1:9: a[href] x -> http://h/a/x\n3!1:1:9: a[href] y -> http://h/b/y\n";
    for arguments in [
        &["a.mbox"][..],
        &["a.eml"],
        &["Inbox"],
        &["Inbox", "--input-format", "mbox"],
    ] {
        let run = world
            .run(&[&["links"][..], arguments].concat())
            .exits_with(0);
        let name = arguments[0];
        let listed = run.stdout.replace(&format!("{name}!"), "");
        assert_eq!(listed, expected, "{arguments:?}");
        let warning =
            format!("{name}: line among header fields that is not a header field at byte");
        run.stderr_contains(&warning);
    }
    let bases = world.run(&["base", "a.mbox"]).exits_with(0).stdout;
    assert!(bases.contains("a.mbox!3!1: http://h/b/\n"), "{bases}");
    assert!(
        bases.contains("message 3!1 (text/html): Content-Base"),
        "{bases}"
    );
    world.run(&["check", "a.mbox"]).exits_with(0);
    let rewritten = world.run(&["rewrite", "a.mbox"]).exits_with(0).stdout;
    assert_eq!(
        rewritten,
        mailbox
            .replace("=x", "=http://h/a/x")
            .replace("=y", "=http://h/b/y"),
    );
    world.write("dir/a.mbox", mailbox);
    world.run(&["rewrite", "dir", "-o", "out"]).exits_with(0);
    assert_eq!(world.read("out/a.mbox"), rewritten);
}

#[test]
fn index_lists_places_of_records() {
    let archive = records().concat();
    let broken = &archive[..archive.len() - 10];
    let world = World::new(&[("crawl.warc", &archive), ("broken.warc", broken)]);
    let mut expected = Vec::new();
    let mut offset = 0;
    for record in records() {
        let length = record.len();
        let line = format!("\"offset\":{offset},\"length\":{length}}}\n");
        expected.push(format!("{{\"filename\":\"crawl.warc\",{line}"));
        offset += length;
    }
    let expected = expected.concat();
    assert_eq!(world.run(&["index", "crawl.warc"]).printed(), expected);

    let output = world.run(&["index", "broken.warc", "none.warc", "crawl.warc"]);
    assert!(output.stdout.ends_with(&expected), "{}", output.stdout);
    let messages = output.messages(2);
    assert!(
        messages.contains("broken.warc: unexpected end of input at byte "),
        "{messages}"
    );
    assert!(messages.contains("cannot read none.warc: "), "{messages}");
}

/// The line of a record in CDXJ has its key, its time, and what replaying needs; requests and information have none.
#[test]
fn index_lists_captures_in_cdxj() {
    let record = |kind: &str, fields: &str, block: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-31T12:00:05.5Z\r\n\
             WARC-Target-URI: https://www.Example.org/A/?b&a\r\n{fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let http = "Content-Type: application/http;msgtype=response\r\n";
    let digest = "WARC-Payload-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\r\n";
    let records = [
        record("request", http, "GET / HTTP/1.1\r\n\r\n"),
        record(
            "response",
            http,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n\r\nabc",
        ),
        record(
            "revisit",
            &format!("{digest}{http}"),
            "HTTP/1.1 304 Not Modified\r\n\r\n",
        ),
        record("resource", "Content-Type: image/png\r\n", "abc"),
        record(
            "metadata",
            "Content-Type: application/warc-fields\r\n",
            "via: x\r\n",
        ),
    ];
    let world = World::new(&[("in/crawl.warc", &records.concat())]);
    let listed = world.run(&["index", "--format", "cdxj", "in/crawl.warc"]);
    let mut offset = records[0].len();
    let mut expected = String::new();
    for (record, of_type) in records[1..].iter().zip([
        r#""mime":"text/html","status":"200""#,
        r#""mime":"warc/revisit","status":"304""#,
        r#""mime":"image/png""#,
    ]) {
        let length = record.len();
        expected.push_str(
            "org,example)/a?a&b 20260131120005 {\"url\":\"https://www.Example.org/A/?b&a\",",
        );
        expected.push_str(of_type);
        expected.push_str(r#","digest":"sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5","#);
        let place = format!(r#""length":"{length}","offset":"{offset}","filename":"crawl.warc"}}"#);
        expected.push_str(&place);
        expected.push('\n');
        offset += length;
    }
    assert_eq!(listed.printed(), expected);
}

/// Every verb tells what is lost of a damaged gzip member, and reads the others; `rewrite` copies it.
#[test]
fn damaged_members_cost_their_own_record() {
    let mut members = members(Coding::Gzip);
    let whole = members.concat();
    let checksum = members[1].len() - 6;
    members[1][checksum] ^= 0x55;
    let world = containers();
    fs::write(world.path("whole.warc.gz"), whole).expect("written");
    fs::write(world.path("damaged.warc.gz"), members.concat()).expect("written");
    let (offset, length) = (members[0].len(), members[1].len());
    let lost = format!("invalid compressed data at byte {offset}, {length} bytes skipped");
    let index = world.run(&["index", "damaged.warc.gz"]).exits_with(2);
    let index = index.stderr_contains(&lost);
    let expected = world.run(&["index", "whole.warc.gz"]).printed();
    let expected = expected.replace("whole", "damaged");
    assert_eq!(index.stdout, expected);
    let links = world.run(&["links", "damaged.warc.gz"]).exits_with(2);
    let links = links.stderr_contains(&lost);
    assert!(!links.stdout.is_empty());
    let rewritten = world.run(&["rewrite", "damaged.warc.gz", "-o", "new.warc.gz"]);
    rewritten.exits_with(2).stderr_contains(&lost);
    let written = fs::read(world.path("new.warc.gz")).expect("an output");
    assert!(written.windows(length).any(|bytes| bytes == members[1]));
}

/// An empty mailbox is one without messages. What is no mailbox is copied with an error.
#[test]
fn mailboxes_of_a_directory_are_all_in_the_output() {
    let world = World::new(&[("w/a.mbox", ""), ("w/b.mbox", "no field")]);
    let messages = world
        .run(&["rewrite", "w", "--url", "http://h/", "-o", "o"])
        .messages(2);
    assert!(messages.contains("cannot read w/b.mbox"), "{messages}");
    assert!(!messages.contains("cannot read w/a.mbox"), "{messages}");
    assert_eq!(world.read("o/a.mbox"), "");
    assert_eq!(world.read("o/b.mbox"), "no field");
}

/// Records are copied as they are stored, whatever the name of the output.
#[test]
fn a_name_that_hides_compression_is_reported_and_other_formats_are_named() {
    let world = World::new(&[]);
    let head = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h/\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n";
    let record = format!("{head}<a href=x>\r\n\r\n");
    let archive = encode_coding(record.as_bytes(), Coding::Gzip);
    fs::write(world.path("a.warc.gz"), archive).expect("written");
    fs::write(world.path("a.wacz"), b"PK\x03\x04\x14").expect("written");
    let warning = "out.warc: compressed like a.warc.gz; a name that ends in .gz says so";
    let answer = world.run(&["rewrite", "a.warc.gz", "-o", "out.warc"]);
    answer.exits_with(0).stderr_contains(warning);
    let answer = world.run(&["rewrite", "a.warc.gz", "-o", "out.warc.gz"]);
    assert_eq!(answer.messages(0), "");
    let answer = world.run(&["index", "a.wacz", "a.warc.gz"]);
    let answer = answer.exits_with(2);
    assert_eq!(answer.stdout.lines().count(), 1, "{answer:?}");
    answer.stderr_contains("a.wacz: unsupported format (ZIP archive, such as EPUB, or a WACZ file that is damaged or to be rewritten)");
}
