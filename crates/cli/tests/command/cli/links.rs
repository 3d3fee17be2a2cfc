//! `absolve links`.

use std::process::Command;

use support::world::{World, feed, run};

#[test]
fn links_prints_three_formats() {
    let html = "<base href='http://a/b'><a href=' g&amp;h '>x</a><img src=''><a href=\"x,y\"></a>";
    let text = run(&["links"], html).printed();
    assert!(text.contains("a[href] g&h -> http://a/g&h\n"), "{text}");
    assert!(
        text.contains("base[href] http://a/b (absolute)\n"),
        "{text}"
    );
    assert!(
        text.contains("img[src]  (skipped: empty value)\n"),
        "{text}"
    );

    let jsonl = run(&["links", "--format", "jsonl"], html).printed();
    let links: Vec<serde_json::Value> = jsonl
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(links.len(), 4);
    for (key, value) in [
        ("path", "-"),
        ("element", "a"),
        ("attribute", "href"),
        ("grammar", "url"),
        ("role", "navigation"),
        ("reference", "g&h"),
        ("target", "http://a/g&h"),
        ("base", "http://a/b"),
        ("base_source", "embedded"),
        ("status", "resolved"),
    ] {
        assert_eq!(links[1][key], value, "{key}");
    }
    assert!(links[1]["reason"].is_null());
    assert_eq!(
        (&links[2]["status"], &links[2]["reason"]),
        (&"skipped".into(), &"empty".into())
    );
    assert!(links[2]["target"].is_null());
    assert_eq!(
        (&links[0]["status"], &links[0]["target"]),
        (&"absolute".into(), &"http://a/b".into())
    );

    let csv = run(&["links", "--format", "csv"], html).printed();
    let csv: Vec<_> = csv.lines().collect();
    assert_eq!(csv.len(), 5);
    assert!(
        csv[0].starts_with("path,")
            && csv[0].ends_with(
                "element,attribute,grammar,role,reference,target,base,base_source,status,reason,entity"
            )
    );
    assert!(csv[4].contains("\"x,y\",\"http://a/x,y\""), "{}", csv[4]);
}

#[test]
fn links_with_texts_has_the_columns_after_the_others() {
    let html = "<a href=x rel=next>one, <b>two</b></a><img src=y alt=''>";
    let list = |options: &[&str]| {
        let arguments = [&["links", "--url", "http://a/", "--format"], options].concat();
        run(&arguments, html).printed()
    };
    let with = list(&["jsonl", "--with", "alt,text"]);
    let plain = list(&["jsonl"]);
    let texts = [r#""text":"one, two","alt":null"#, r#""text":null,"alt":"""#];
    for ((with, plain), texts) in with.lines().zip(plain.lines()).zip(texts) {
        let plain = plain.strip_suffix('}').expect("an object");
        assert_eq!(with, format!("{plain},{texts}}}"));
    }
    let with = list(&["csv", "--with=text,rel,alt"]);
    let plain = list(&["csv"]);
    let texts = ["text,rel,alt", "\"one, two\",next,", ",,"];
    for ((with, plain), texts) in with.lines().zip(plain.lines()).zip(texts) {
        assert_eq!(with, format!("{plain},{texts}"));
    }
    assert_eq!(list(&["text", "--with", "text"]), list(&["text"]));
}

#[test]
fn links_escapes_control_characters() {
    let text = run(&["links", "--url", "http://r/"], "<a href='\u{1b}[31mx'>").printed();
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.contains("\\u{1b}[31mx"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn links_exits_quietly_on_a_closed_pipe() {
    let html = "<p>text</p> <a href=g>text</a> \n".repeat(100_000);
    let script = format!(
        "{} links --url http://r/ | head -n 1; exit ${{PIPESTATUS[0]}}",
        support::world::binary().display()
    );
    let output = feed(Command::new("bash").args(["-c", &script]), html).expect("bash runs");
    assert_eq!(output.messages(0), "");
}

#[test]
fn links_sorts_inputs_and_rejects_duplicates() {
    let world = World::new(&[("b.html", "<a href=b>"), ("a.html", "<a href=a>")]);
    let text = world
        .run(&[
            "links",
            "--url",
            "http://r/",
            "--root",
            ".",
            "b.html",
            "a.html",
        ])
        .printed();
    let paths: Vec<_> = text
        .lines()
        .map(|line| line.split(':').next().unwrap_or_default())
        .collect();
    assert_eq!(paths, ["a.html", "b.html"]);
    let messages = world.run(&["links", "a.html", "a.html"]).messages(2);
    assert!(
        messages.contains("duplicate input a.html\n  hint: name each document once"),
        "{messages}"
    );
    assert!(
        run(&["links", "-", "-"], "x")
            .messages(2)
            .contains("duplicate input -")
    );
}

/// A page with a link of every grammar of the default presets.
const PAGE: &str = r##"<base href="http://b/c/"><link rel=canonical href=k><style>@import "s";</style>
<meta http-equiv=refresh content="1; url=r"><script type=importmap>{"imports":{"m":"./m.js"}}</script>
<script type=speculationrules>{"prefetch":[{"urls":["p"]}]}</script>
<img src=i srcset="a 1x, b&amp;c 2x"><a href="" ping="x y">z</a><a href="{{ t }}">t</a>
<applet archive="j, l"></applet><p style="d:url(e)"><iframe srcdoc="<a href=q>"></iframe>
<svg><use href="#u"/></svg>"##;

/// The documented keys of a link, in their documented order.
const KEYS: [&str; 15] = [
    "path",
    "line",
    "column",
    "start",
    "end",
    "element",
    "attribute",
    "grammar",
    "role",
    "reference",
    "target",
    "base",
    "base_source",
    "status",
    "reason",
];

/// Returns the value of a key of a JSON object in its CSV form.
fn cell(object: &serde_json::Value, key: &str) -> String {
    match &object[key] {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[test]
fn links_lists_every_link_in_every_format() {
    let list = |format| run(&["links", "--format", format], PAGE).printed();
    let (jsonl, csv, text) = (list("jsonl"), list("csv"), list("text"));
    let mut rows = csv.lines();
    // The last column is the entity of a document in a container.
    assert_eq!(rows.next(), Some(&*format!("{},entity", KEYS.join(","))));
    let mut lines = text.lines();
    for json in jsonl.lines() {
        let object: serde_json::Value = serde_json::from_str(json).expect("JSON");
        let offsets = KEYS.map(|key| json.find(&format!("\"{key}\":")));
        assert!(
            offsets.iter().all(Option::is_some) && offsets.is_sorted(),
            "{json}"
        );
        assert_eq!(
            rows.next(),
            Some(&*format!(
                "{},",
                KEYS.map(|key| cell(&object, key)).join(",")
            ))
        );
        let [line, column, element, attribute, reference] =
            ["line", "column", "element", "attribute", "reference"].map(|key| cell(&object, key));
        let prefix = format!("-:{line}:{column}: {element}[{attribute}] {reference} ");
        let outcome = lines.next().and_then(|line| line.strip_prefix(&prefix));
        let outcome = outcome.unwrap_or_else(|| panic!("no {prefix}in {text}"));
        match &*cell(&object, "status") {
            "resolved" => assert_eq!(outcome, format!("-> {}", cell(&object, "target"))),
            "absolute" => assert_eq!(outcome, "(absolute)"),
            _ => assert!(outcome.starts_with("(skipped: "), "{outcome}"),
        }
    }
    assert_eq!((rows.next(), lines.next()), (None, None));
}

#[test]
fn links_jsonl_has_every_field() {
    let jsonl = run(&["links", "--format", "jsonl"], PAGE).printed();
    let summarize = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let offset = |key: &str| {
            usize::try_from(object[key].as_u64().expect("an offset")).expect("a small one")
        };
        let mut parts = vec![PAGE[offset("start")..offset("end")].to_owned()];
        let keys = [
            "element",
            "attribute",
            "grammar",
            "role",
            "target",
            "base_source",
            "reason",
        ];
        parts.extend(keys.map(|key| cell(&object, key)));
        parts.join(" ")
    };
    let found: Vec<_> = jsonl.lines().map(summarize).collect();
    assert_eq!(
        found,
        [
            "http://b/c/ base href url base http://b/c/  ",
            "k link href url metadata http://b/c/k embedded ",
            "s style #text css resource http://b/c/s embedded ",
            "r meta content refresh navigation http://b/c/r embedded ",
            "./m.js script #text json-importmap resource http://b/c/m.js embedded ",
            "p script #text json-speculationrules navigation http://b/c/p embedded ",
            "i img src url resource http://b/c/i embedded ",
            "a img srcset srcset resource http://b/c/a embedded ",
            "b&amp;c img srcset srcset resource http://b/c/b&c embedded ",
            " a href url navigation http://b/c/ embedded ",
            "x a ping url-set-space action http://b/c/x embedded ",
            "y a ping url-set-space action http://b/c/y embedded ",
            "{{ t }} a href url navigation  embedded placeholder",
            "j applet archive url-list-comma resource http://b/c/j embedded ",
            "l applet archive url-list-comma resource http://b/c/l embedded ",
            "e p style css resource http://b/c/e embedded ",
            "q a href url navigation http://b/c/q encapsulating-entity ",
            "#u svg:use href url resource  embedded local",
        ]
    );
}

#[test]
fn links_html_has_a_row_for_each_target() {
    let world = World::new(&[]);
    world.write(
        "a.html",
        "<a href=x></a><a href='http://o.example/</script>'></a><img src=''>",
    );
    world.write("b.html", "<p>\n<a href=./x></a><a href=/x#y></a>");
    let arguments = [
        "links",
        ".",
        "--url",
        "http://h.example/",
        "--format",
        "html",
    ];
    let html = world.run(&arguments).printed();
    let (_, rest) = html.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once('<').expect("an end tag");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["summary"], "5 links to 4 targets in 2 documents");
    let counts: Vec<_> = (0..3)
        .map(|bar| data["bars"][bar]["count"].as_u64())
        .collect();
    assert_eq!(counts, [Some(3), Some(1), Some(1)]);
    let rows = data["rows"].as_array().expect("an array");
    let row = |row: &serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let places = row[5].as_array().expect("an array").iter().map(|place| {
            let path = usize::try_from(place[0].as_u64().expect("an index"));
            let path = &data["paths"][path.expect("an index")];
            format!("{}:{}", text(path), place[1])
        });
        (
            text(&row[1]),
            text(&row[2]),
            row[3].as_u64(),
            places.collect::<Vec<_>>().join(" "),
        )
    };
    let expected = [
        (
            "http://h.example/x",
            "h.example",
            2,
            "./a.html:1 ./b.html:2",
        ),
        ("http://h.example/x#y", "h.example", 1, "./b.html:2"),
        ("http://o.example/</script>", "o.example", 1, "./a.html:1"),
        ("", "", 1, "./a.html:1"),
    ];
    let expected = expected.map(|(target, host, count, places)| {
        (
            target.to_owned(),
            host.to_owned(),
            Some(count),
            places.to_owned(),
        )
    });
    assert_eq!(rows.iter().map(row).collect::<Vec<_>>(), expected);
}

/// Rows that are printed cannot be taken back, so none is before it is known that the document does not begin again.
#[test]
fn rows_of_a_long_document_that_begins_again_are_printed_once() {
    const LINKS: usize = 80_000;
    let links = "<p><a href=b>text of a link</a></p>\n".repeat(LINKS);
    let arguments = [
        "links",
        "--url=http://h/",
        "--profile=whatwg",
        "--format=jsonl",
    ];
    // The BASE counts for the links before it.
    let late_base = format!("<!DOCTYPE html><title>t</title><body>{links}<base href=c/>");
    // Only html5ever can read the end.
    let misnested = format!("<base href=c/><body>{links}<div><svg><use/></div>");
    for html in [late_base, misnested] {
        let rows = run(&arguments, &html).printed();
        assert_eq!(rows.lines().count(), LINKS + 1);
        let is_link = |row: &&str| row.contains("\"target\":\"http://h/c/b\"");
        assert_eq!(rows.lines().filter(is_link).count(), LINKS);
    }
    // An error at the end: no link counts.
    let items = "<item><title>t</title><link>b</link></item>\n".repeat(LINKS);
    let feed = format!("<?xml version=\"1.0\"?><rss><channel>{items}<");
    let answer = run(&arguments, &feed);
    assert_eq!(answer.stdout, "");
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
}
