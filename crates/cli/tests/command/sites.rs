//! Rewriting of whole sites, from directory to directory.

use std::fs;
use std::time::{Duration, SystemTime};

use support::world::World;

const URL: [&str; 2] = ["--url", "https://h.example/d"];

/// Appends the URL of the published site to the arguments.
fn published<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &URL].concat()
}

/// Creates a site with documents of every kind, other files, and files that must not be touched.
fn site() -> World {
    World::new(&[
        ("site/index.html", "<a href=a.html><a href=#top>"),
        ("site/blog/index.htm", "<a href=x><img src=../i.png>"),
        ("site/blog/a b.HTML", "<a href=''>"),
        (
            "site/blog/deep/p.xhtml",
            "<a xmlns='http://www.w3.org/1999/xhtml' href='?q'/>",
        ),
        ("site/blog/deep/s.shtml", "<a href=y>"),
        ("site/s/style.css", "a{b:url(i.png)}"),
        ("site/s/script.js", "x = '<a href=x>'"),
        ("site/.well-known/x.html", "<a href=z>"),
        ("site/.nojekyll", ""),
        ("site/.gitignore", "*\n"),
        ("site/.git/x.html", "<a href=g>"),
        ("site/none.html", "<p>no link"),
        ("site/.absolve-config", "mine"),
    ])
}

#[test]
fn rewrite_directory_resolves_each_document_and_copies_other_files() {
    let world = site();
    fs::create_dir(world.path("site/empty")).expect("a directory");
    let before = world.tree("site");
    let answer = world
        .run(&published(&["rewrite", "site", "-o", "new/out"]))
        .exits_with(0);
    assert_eq!(answer.stdout, "");
    assert_eq!(
        answer.stderr,
        "absolve: documents: 8, changed: 7; other files: 4\n"
    );
    let mut expected = before.clone();
    expected.retain(|name, _| !name.starts_with(".git/"));
    for (name, content) in [
        (
            "index.html",
            "<a href=https://h.example/d/a.html><a href=https://h.example/d/#top>",
        ),
        (
            "blog/index.htm",
            "<a href=https://h.example/d/blog/x><img src=https://h.example/d/i.png>",
        ),
        (
            "blog/a b.HTML",
            "<a href='https://h.example/d/blog/a%20b.HTML'>",
        ),
        (
            "blog/deep/p.xhtml",
            "<a xmlns='http://www.w3.org/1999/xhtml' href='https://h.example/d/blog/deep/p.xhtml?q'/>",
        ),
        (
            "blog/deep/s.shtml",
            "<a href=https://h.example/d/blog/deep/y>",
        ),
        ("s/style.css", "a{b:url(https://h.example/d/s/i.png)}"),
        (
            ".well-known/x.html",
            "<a href=https://h.example/d/.well-known/z>",
        ),
    ] {
        expected.insert(name.to_owned(), content.to_owned());
    }
    assert_eq!(world.tree("new/out"), expected);
    assert_eq!(world.tree("site"), before);
    // Again, over the existing output: a file that is not in the input is kept.
    world.write("new/out/mine.txt", "mine");
    expected.insert("mine.txt".to_owned(), "mine".to_owned());
    world
        .run(&published(&["rewrite", "site", "-o", "new/out", "-q"]))
        .exits_with(0);
    assert_eq!(world.tree("new/out"), expected);
    // Idempotence: the output needs no further change.
    let answer = world
        .run(&published(&["rewrite", "--check", "new/out"]))
        .exits_with(0);
    assert_eq!(answer.stdout, "");
}

#[test]
fn check_finds_links_that_lead_nowhere() {
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=About.html>a</a> <a href=/d/about>b</a> <a href=about.html#teem>c</a> <a href=old>d</a>\n\
             <a href='about.html#team'>e</a> <img srcset='i.png 1x, j.png 2x'> <a href=https://h.example/d/gone>f</a>",
        ),
        (
            "w/about.html",
            "<h2 id=team>t</h2> <a href='#Team'>t</a> <a href='.'>index</a>",
        ),
        ("w/s.css", "a { background: url(i.png) url(k.png) }"),
        (
            "w/feed.rss",
            "<rss version='2.0'><channel><link>https://h.example/d/nowhere</link></channel></rss>",
        ),
        ("w/i.png", "png"),
        ("w/_redirects", "/d/old /d/about.html\n"),
    ]);
    let check = |more: &[&str]| {
        let select = [
            "check",
            "w",
            "--select",
            "missing-target,missing-fragment",
            "--format",
            "json",
        ];
        let answer = world.run(&published(&[&select, more].concat()));
        let rows: Vec<serde_json::Value> = serde_json::from_str(&answer.stdout).expect("JSON");
        let text =
            |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let rows: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    "{} {} {}",
                    text(row, "path"),
                    text(row, "rule"),
                    text(row, "message")
                )
            })
            .collect();
        (answer.code, rows)
    };
    let nowhere = |path: &str, reference: &str| {
        format!("{path} missing-target \"{reference}\" leads to no file of the site")
    };
    let expected = [
        "w/about.html missing-fragment no element with the id \"Team\" in \"about.html\""
            .to_owned(),
        nowhere("w/feed.rss", "https://h.example/d/nowhere"),
        nowhere("w/index.html", "About.html"),
        nowhere("w/index.html", "/d/about"),
        "w/index.html missing-fragment no element with the id \"teem\" in \"about.html\""
            .to_owned(),
        nowhere("w/index.html", "j.png"),
        nowhere("w/index.html", "https://h.example/d/gone"),
        nowhere("w/s.css", "k.png"),
    ];
    assert_eq!(check(&[]), (Some(1), expected.to_vec()));
    let (code, clean) = check(&["--clean-urls", "--exit-zero"]);
    assert_eq!(code, Some(0));
    assert_eq!(clean.len(), expected.len() - 1, "{clean:?}");
    // Without the URL of the directory, the target of an absolute link is unknown.
    let answer = world.run(&["check", "w", "--select", "missing-target"]);
    let answer = answer.exits_with(1);
    assert!(!answer.stdout.contains("\"https://h.example"), "{answer:?}");
    assert_eq!(answer.stdout.matches("error[").count(), 5, "{answer:?}");
}

/// Links to redirects are checked where these lead to.
#[test]
fn check_follows_redirects() {
    let world = World::new(&[
        (
            "w/index.html",
            "<a href=old#team>1</a> <a href=old#gone>2</a> <a href=lost>3</a> <a href=ext/a#x>4</a> <a href=app/x#y>5</a>\n\
             <a href=moved.html#team>6</a> <a href=moved.html#gone>7</a> <a href=dead>8</a> <a href=circle>9</a>\n\
             <a href=past/about.html>10</a> <a href=past/none.html>11</a>",
        ),
        ("w/about.html", "<h2 id=team>t</h2>"),
        (
            "w/moved.html",
            "<meta http-equiv=Refresh content='0; url=about.html'>",
        ),
        (
            "w/_redirects",
            "/d/old /d/about.html 301\n/d/lost /d/none.html\n/d/ext/* https://other.example/:splat\n\
             /d/app/* /d/index.html 200\n/d/dead /d/404.html 404\n/d/circle /d/circle\n",
        ),
        (
            "w/.htaccess",
            "Redirect permanent /d/past https://h.example/d\n",
        ),
    ]);
    let answer = world.run(&published(&["check", "w", "--format", "json"]));
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&answer.exits_with(1).stdout).expect("JSON");
    let found: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("text");
            (text("reference"), text("help"))
        })
        .collect();
    let add_id = "add the id to the element, or correct the fragment";
    let redirect = "correct the redirect, which leads to \"/d/none.html\"";
    let expected = [
        ("old#gone", add_id),
        ("lost", redirect),
        ("moved.html#gone", add_id),
        ("dead", "add the file, or correct the reference"),
        ("past/none.html", redirect),
    ];
    assert_eq!(found, expected);
}

#[test]
fn links_and_base_accept_a_directory() {
    let world = World::new(&[
        ("w/b.html", "<a href=x>"),
        ("w/a/index.html", "<a href=y>"),
        ("w/z.txt", "<a href=z>"),
    ]);
    let answer = world.run(&published(&["links", "w"])).exits_with(0);
    assert_eq!(
        answer.stdout,
        "w/a/index.html:1:9: a[href] y -> https://h.example/d/a/y\n\
         w/b.html:1:9: a[href] x -> https://h.example/d/x\n"
    );
    assert_eq!(answer.stderr, "absolve: documents: 2, links: 2\n");
    let answer = world.run(&published(&["base", "w", "-q"])).exits_with(0);
    assert!(
        answer
            .stdout
            .starts_with("w/a/index.html: https://h.example/d/a/\n"),
        "{answer:?}"
    );
    assert!(
        answer
            .stdout
            .contains("w/b.html: https://h.example/d/b.html\n"),
        "{answer:?}"
    );
    assert_eq!(answer.stderr, "");
    let answer = world
        .run(&published(&["links", "w", "--stats", "-v"]))
        .exits_with(0);
    for line in [
        "w/b.html: 1 links",
        "documents: 2, links: 2",
        "links: 2; resolved: 2, absolute: 0, skipped: 0",
        "bytes: 20",
    ] {
        assert!(
            answer.stderr.contains(&format!("absolve: {line}\n")),
            "{line}: {answer:?}"
        );
    }
}

#[test]
fn in_place_touches_changed_files_only() {
    let world = site();
    // A temporary file of a killed run. No process can have this id.
    world.write("site/blog/.absolve-4294967295-7", "half");
    let before = world.tree("site");
    let long_ago = SystemTime::now() - Duration::from_secs(1_000_000);
    let modified = |name: &str| {
        let metadata = fs::metadata(world.path(name)).expect("a file");
        metadata.modified().expect("a time")
    };
    for name in ["site/none.html", "site/index.html", "site/s/script.js"] {
        let file = fs::File::options().write(true).open(world.path(name));
        file.expect("a file")
            .set_modified(long_ago)
            .expect("a time");
    }
    let list = world
        .run(&published(&["rewrite", "--check", "site", "-q"]))
        .exits_with(1)
        .stdout;
    assert_eq!(world.tree("site"), before, "--check wrote something");
    let changing: Vec<_> = list.lines().collect();
    assert_eq!(
        changing,
        [
            "site/.well-known/x.html",
            "site/blog/a b.HTML",
            "site/blog/deep/p.xhtml",
            "site/blog/deep/s.shtml",
            "site/blog/index.htm",
            "site/index.html",
            "site/s/style.css"
        ]
    );
    let answer = world
        .run(&published(&["rewrite", "-i", "site"]))
        .exits_with(0);
    assert_eq!(answer.stderr, "absolve: documents: 8, changed: 7\n");
    let after = world.tree("site");
    assert!(
        !after.contains_key("blog/.absolve-4294967295-7"),
        "{after:?}"
    );
    assert_eq!(after[".absolve-config"], "mine");
    for (name, content) in &before {
        let is_changing = changing.contains(&&*format!("site/{name}"));
        if !name.contains("4294967295") {
            assert_eq!(after[name] != *content, is_changing, "{name}");
        }
    }
    assert_eq!(modified("site/none.html"), modified("site/s/script.js"));
    assert!(modified("site/index.html") > modified("site/none.html"));
    let answer = world
        .run(&published(&["rewrite", "-i", "site"]))
        .exits_with(0);
    assert_eq!(answer.stderr, "absolve: documents: 8, changed: 0\n");
    assert_eq!(world.tree("site"), after);
}

#[test]
fn rewrite_diff_of_a_directory() {
    let world = World::new(&[("w/b.html", "<a href=x>\n"), ("w/a/c.html", "<a href=y>\n")]);
    let answer = world
        .run(&published(&["rewrite", "--diff", "w", "-q"]))
        .exits_with(1);
    assert_eq!(
        answer.stdout,
        "--- a/w/a/c.html\n+++ b/w/a/c.html\n@@ -1 +1 @@\n-<a href=y>\n+<a href=https://h.example/d/a/y>\n\
         --- a/w/b.html\n+++ b/w/b.html\n@@ -1 +1 @@\n-<a href=x>\n+<a href=https://h.example/d/x>\n"
    );
}

/// Asserts that each command fails with the message and writes nothing.
fn refused(rows: &[(&[&str], &str)]) {
    let world = site();
    world.write("more/index.html", "<a href=m>");
    world.write("more/s/script.js", "other");
    world.write("file", "x");
    world.write("list", "site/index.html\nmore/index.html\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("site", world.path("link")).expect("a link");
    let before = world.tree(".");
    for (arguments, message) in rows {
        world.run(arguments).exits_with(2).stderr_contains(message);
        assert_eq!(world.tree("."), before, "{arguments:?} wrote something");
    }
}

#[test]
fn rewrite_rejects_invalid_outputs_before_anything_is_written() {
    refused(&[
        (
            &["rewrite", "site"],
            "directory site cannot be written to standard output\n  hint: use --output DIR",
        ),
        (
            &["rewrite", "site", "-o", "site"],
            "output directory site is the input directory",
        ),
        (
            &["rewrite", "site", "-o", "site/out"],
            "output directory site/out is inside the input directory site",
        ),
        (
            &["rewrite", "site", "-o", "more/../site/a/b"],
            "is inside the input directory site",
        ),
        (
            &["rewrite", "link", "-o", "site/out"],
            "is inside the input directory link",
        ),
        (
            &["rewrite", "site", "-o", "link/out"],
            "is inside the input directory site",
        ),
        (
            &["rewrite", "site/blog", "-o", "site"],
            "input directory site/blog is inside the output directory site",
        ),
        (
            &["rewrite", "site", "-o", "."],
            "input directory site is inside the output directory .",
        ),
        (
            &["rewrite", "site", "-o", "file"],
            "output file is not a directory",
        ),
        (
            &["rewrite", "site", "more", "-o", "out"],
            "more/index.html and site/index.html would both be written to out/index.html",
        ),
        (
            &["rewrite", "--files-from", "list", "-o", "out"],
            "more/index.html and site/index.html would both be written to out/index.html",
        ),
    ]);
}

#[test]
fn rewrite_rejects_invalid_inputs_before_anything_is_written() {
    refused(&[
        (
            &["rewrite", "-i", "site", "-"],
            "--in-place cannot be used with standard input",
        ),
        (
            &["rewrite", "-i", "site", "site/blog"],
            "site/blog and site overlap",
        ),
        (&["links", "site", "site/index.html"], " overlap\n"),
        (&["links", "site", "site"], "duplicate input site"),
        (
            &["links", "site", "more/index.html", "--url", "http://h/"],
            "more/index.html is not in it",
        ),
        (
            &["links", "site", "--url", "http://h/?q"],
            "directory URL with a query",
        ),
        (
            &["links", "--root", "site", "more/index.html"],
            "more/index.html is not in --root site",
        ),
        (
            &["links", "--root", "nowhere", "more/index.html"],
            "cannot find more/index.html in --root nowhere",
        ),
        (
            &["links", "--files-from", "-", "-"],
            "standard input cannot be both",
        ),
        (
            &["links", "--files-from", "missing"],
            "cannot read --files-from missing: ",
        ),
        (&["links", "site", "-0"], "--files-from"),
        (
            &["rewrite", "-i", "site", "--others", "copy"],
            "cannot be used with",
        ),
        (&["rewrite", "file", "--others", "copy"], "--output"),
        (
            &["rewrite", "site", "-o", "out", "--report", "more"],
            "cannot write --report more: ",
        ),
        (&["rewrite", "-i", "file", "./file"], "are the same file"),
        (&["links", "site", "-j", "0"], "--threads"),
    ]);
}

#[test]
fn rewrite_merges_disjoint_directories() {
    let world = World::new(&[
        ("a/x.html", "<a href=g>"),
        ("a/d/1", ""),
        ("b/d/y.html", "<a href=g>"),
    ]);
    world
        .run(&published(&["rewrite", "a", "b", "-o", "out"]))
        .exits_with(0);
    let names: Vec<_> = world.tree("out").into_keys().collect();
    assert_eq!(names, ["d/", "d/1", "d/y.html", "x.html"]);
    assert_eq!(
        world.read("out/d/y.html"),
        "<a href=https://h.example/d/d/g>"
    );
}

#[test]
fn files_from_and_root_select_documents() {
    let world = site();
    world.write("list", "site/index.html\r\n\nsite/blog/index.htm\n");
    let line = |name: &str, target: &str| format!("{name} -> https://h.example/d/{target}\n");
    let expected = [
        line("site/blog/index.htm:1:9: a[href] x", "blog/x"),
        line("site/blog/index.htm:1:20: img[src] ../i.png", "i.png"),
        line("site/index.html:1:9: a[href] a.html", "a.html"),
        line("site/index.html:1:24: a[href] #top", "#top"),
    ]
    .concat();
    for (arguments, stdin) in [
        (
            &["links", "--files-from", "list", "--root", "site"][..],
            &b""[..],
        ),
        (
            &["links", "--files-from", "list", "--root", "./site/blog/.."],
            b"",
        ),
        (
            &["links", "--files-from", "-", "-0", "--root", "site"],
            b"site/index.html\0site/blog/index.htm\0",
        ),
        (
            &[
                "links",
                "--root",
                "site",
                "site/index.html",
                "site/blog/index.htm",
            ],
            b"",
        ),
    ] {
        let answer = world.run_with(&published(arguments), stdin).exits_with(0);
        assert_eq!(answer.stdout, expected, "{arguments:?}");
    }
    // A directory of the site.
    let arguments = ["links", "--root", "site", "site/.well-known", "-q"];
    let answer = world.run(&published(&arguments)).exits_with(0);
    assert!(
        answer
            .stdout
            .contains("-> https://h.example/d/.well-known/z\n"),
        "{answer:?}"
    );
    // Output files have the paths that the inputs have in the site.
    let arguments = [
        "rewrite",
        "--files-from",
        "list",
        "--root",
        "site",
        "-o",
        "out",
    ];
    world.run(&published(&arguments)).exits_with(0);
    let names: Vec<_> = world.tree("out").into_keys().collect();
    assert_eq!(names, ["blog/", "blog/index.htm", "index.html"]);
    // An empty list means no inputs, rather than standard input.
    let answer = world
        .run_with(&["rewrite", "--files-from", "-"], b"")
        .exits_with(0);
    assert_eq!(
        (answer.stdout, answer.stderr),
        (String::new(), String::new())
    );
}

#[test]
fn input_format_filters_a_directory() {
    let world = site();
    let answer = world
        .run(&published(&[
            "links",
            "site",
            "--input-format",
            "css",
            "-q",
        ]))
        .exits_with(0);
    assert_eq!(
        answer.stdout,
        "site/s/style.css:1:9: css[url()] i.png -> https://h.example/d/s/i.png\n".replace(
            "css[url()]",
            answer.stdout.split(' ').nth(1).unwrap_or_default()
        )
    );
    fs::create_dir(world.path("nothing")).expect("a directory");
    world
        .run(&["links", "nothing"])
        .exits_with(0)
        .stderr_contains("nothing: no documents found (extensions: html, htm,");
}

#[test]
fn rewrite_reports_a_missing_input_and_continues() {
    let world = World::new(&[("a.html", "<a href=g>"), ("c.html", "<a href=g>")]);
    let arguments = ["rewrite", "-i", "--root", ".", "--files-from", "-"];
    world
        .run_with(&published(&arguments), b"a.html\nb.html\nc.html\n")
        .exits_with(2)
        .stderr_contains("cannot read b.html: ");
    for name in ["a.html", "c.html"] {
        assert_eq!(world.read(name), "<a href=https://h.example/d/g>");
    }
}

#[test]
fn threads_do_not_change_output_or_messages() {
    let world = World::new(&[]);
    for number in 0..120 {
        let (directory, links) = (number % 7, number % 13 * 40);
        let html = format!(
            "<base href={number}>{}",
            "<a href=x></a><a href='{{ y }}'></a>".repeat(links)
        );
        world.write(&format!("w/{directory}/{number}.html"), &html);
    }
    world.write("w/bad.html", "<meta charset=iso-2022-kr><a href=x>");
    let run = |threads: &str, output: &str| {
        let arguments = [
            "rewrite", "w", "-o", output, "-j", threads, "-v", "--report", "report",
        ];
        let written = world.run(&published(&arguments)).exits_with(2);
        let links = world
            .run(&published(&[
                "links", "w", "-j", threads, "--format", "jsonl",
            ]))
            .exits_with(2);
        let check = world
            .run(&published(&["rewrite", "--check", "w", "-j", threads]))
            .exits_with(2);
        (
            written,
            links,
            check,
            world.read("report"),
            world.tree(output),
        )
    };
    let with_one = run("1", "one");
    assert_eq!(with_one.4.len(), 128);
    assert_eq!(
        with_one
            .3
            .lines()
            .filter(|line| line.starts_with("{\"document\":true,"))
            .count(),
        121
    );
    assert!(with_one == run("8", "eight"), "different with 8 threads");
    assert!(with_one == run("2", "two"), "different with 2 threads");
}

#[test]
fn a_missing_base_url_is_reported_once_for_a_directory() {
    let page = "<a href=x>";
    let world = World::new(&[("w/a.html", page), ("w/b.html", page)]);
    let answer = world.run(&["rewrite", "w", "--check"]).exits_with(0);
    assert_eq!(
        answer.stderr,
        "absolve: no base URL for the relative references of 2 documents; set one with --url\n\
         absolve: documents: 2, would change: 0\n"
    );
}

#[test]
fn repeated_warnings_are_summarized() {
    let world = World::new(&[]);
    for number in 10..40 {
        world.write(&format!("w/{number}.html"), "<a href=//[>");
    }
    let run = |options: &[&str]| {
        let arguments = [
            "rewrite",
            "w",
            "--check",
            "--profile",
            "whatwg",
            "--url",
            "http://h/",
        ];
        world.run(&[&arguments[..], options].concat())
    };
    let answer = run(&[]).exits_with(0);
    let lines: Vec<_> = answer.stderr.lines().collect();
    assert_eq!(lines.len(), 12, "{answer:?}");
    assert!(
        lines[0].starts_with("absolve: w/10.html: 1 reference left unchanged"),
        "{answer:?}"
    );
    assert_eq!(
        lines[10],
        "absolve: 20 more warnings; use --verbose to show all"
    );
    let answer = run(&["-v"]).exits_with(0);
    assert_eq!(
        answer.stderr.matches("1 reference left unchanged").count(),
        30
    );
    assert_eq!(run(&["-q"]).exits_with(0).stderr, "");
    run(&["-q", "--strict"]).exits_with(1);
}

#[test]
fn report_has_every_link_and_document() {
    let world = World::new(&[
        (
            "w/a.html",
            "<a href=x></a><a href=http://o/></a><img src=''>",
        ),
        ("w/b.html", "<base href=http://b/><a href=y>"),
    ]);
    let arguments = ["rewrite", "w", "-o", "out", "--report", "r.jsonl", "-q"];
    world.run(&published(&arguments)).exits_with(0);
    let report = world.read("r.jsonl");
    let links = world
        .run(&published(&["links", "w", "--format", "jsonl", "-q"]))
        .exits_with(0)
        .stdout;
    let (documents, rows): (Vec<_>, Vec<_>) = report
        .lines()
        .partition(|line| line.starts_with("{\"document\":true"));
    assert_eq!(rows, links.lines().collect::<Vec<_>>());
    assert_eq!(
        documents,
        [
            "{\"document\":true,\"path\":\"w/a.html\",\"url\":\"https://h.example/d/a.html\",\
             \"base\":\"https://h.example/d/a.html\",\"base_source\":\"retrieval\",\"links\":3,\"resolved\":1,\
             \"absolute\":1,\"skipped\":{\"empty\":1},\"edited\":1,\"changed\":true,\"unread\":null,\
             \"unwritten\":null,\"unread_tags\":0}",
            "{\"document\":true,\"path\":\"w/b.html\",\"url\":\"https://h.example/d/b.html\",\
             \"base\":\"http://b/\",\"foreign\":true,\"base_source\":\"embedded\",\"links\":2,\"resolved\":1,\
             \"absolute\":1,\"skipped\":{},\"edited\":1,\"changed\":true,\"unread\":null,\
             \"unwritten\":null,\"unread_tags\":0}"
        ]
    );
    let arguments = ["rewrite", "w", "-o", "out", "--report", "-", "-q"];
    assert_eq!(
        world.run(&published(&arguments)).exits_with(0).stdout,
        report
    );
    world
        .run_with(&["rewrite", "--report", "-"], b"")
        .exits_with(2)
        .stderr_contains(
            "--report - cannot be used when other output is written to standard output",
        );
    let names: Vec<_> = world.tree(".").into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains(".absolve-")),
        "{names:?}"
    );
}

#[test]
fn stats_add_up() {
    let world = site();
    let arguments = ["rewrite", "site", "-o", "out", "--stats", "-q"];
    let answer = world.run(&published(&arguments)).exits_with(0);
    for line in [
        "documents: 8, changed: 7; other files: 4\n",
        "links: 9; resolved: 9, absolute: 0, skipped: 0",
        "seconds: ",
    ] {
        assert!(
            answer.stderr.contains(&format!("absolve: {line}")),
            "{line}: {answer:?}"
        );
    }
    let documents = support::files(
        &world.path("site"),
        &["html", "htm", "HTML", "xhtml", "shtml", "css"],
    );
    let bytes: usize = documents
        .iter()
        .filter(|path| !path.iter().any(|part| part == ".git"))
        .map(|path| fs::read(path).expect("a file").len())
        .sum();
    assert!(
        answer
            .stderr
            .contains(&format!("absolve: bytes: {bytes}\n")),
        "{bytes}: {answer:?}"
    );
}

/// Documents in a folder are compressed where a mirror kept them as they were transferred.
#[test]
fn a_file_of_an_unsupported_format_is_left_unchanged_with_an_error() {
    let archive = "PK\u{3}\u{4}<a href=/b>";
    let files = [("w/a.html", archive), ("w/h.example/b.html", archive)];
    let world = World::new(&files);
    let url = "https://h.example/";
    for arguments in [
        &["rewrite", "w", "-o", "o", "--url", url][..],
        &["rewrite", "w", "--in-place", "--url", url],
        &["mirror", "w", "-o", "m"],
        &["links", "w", "--url", url],
        &["check", "w", "--url", url],
    ] {
        let messages = world.run(arguments).messages(2);
        assert!(
            messages.contains("b.html: left unchanged: unsupported format (ZIP archive")
                || messages.contains("b.html: unsupported format (ZIP archive"),
            "{messages}"
        );
    }
    assert_eq!(world.read("o/a.html"), archive);
    assert_eq!(world.read("m/h.example/b.html"), archive);
    for (name, content) in files {
        assert_eq!(world.read(name), content);
    }
}
