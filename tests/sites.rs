//! Whole sites: directories in, directories out.

mod support;
#[path = "support/world.rs"]
mod world;

use std::fs;
use std::time::{Duration, SystemTime};

use world::World;

const URL: [&str; 2] = ["--url", "https://h.example/d"];

/// Arguments that begin with these words and say where the site is published.
fn published<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &URL].concat()
}

/// A site with documents of every kind, other files, and what must not be touched.
fn site() -> World {
    World::new(&[
        ("site/index.html", "<a href=a.html><a href=#top>"),
        ("site/blog/index.htm", "<a href=x><img src=../i.png>"),
        ("site/blog/a b.HTML", "<a href=''>"),
        ("site/blog/deep/p.xhtml", "<a href='?q'/>"),
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
fn every_document_has_its_own_url_and_other_files_are_copied() {
    let world = site();
    fs::create_dir(world.path("site/empty")).expect("a directory");
    let before = world.tree("site");
    let answer = world
        .run(&published(&["rewrite", "site", "-o", "new/out"]))
        .ends(0);
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
            "<a href='https://h.example/d/blog/deep/p.xhtml?q'/>",
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
    // Once more, over what is there; a file without counterpart stays.
    world.write("new/out/mine.txt", "mine");
    expected.insert("mine.txt".to_owned(), "mine".to_owned());
    world
        .run(&published(&["rewrite", "site", "-o", "new/out", "-q"]))
        .ends(0);
    assert_eq!(world.tree("new/out"), expected);
    // Nothing is left to do in it.
    let answer = world
        .run(&published(&["rewrite", "--check", "new/out"]))
        .ends(0);
    assert_eq!(answer.stdout, "");
}

#[test]
fn links_and_base_of_a_directory() {
    let world = World::new(&[
        ("w/b.html", "<a href=x>"),
        ("w/a/index.html", "<a href=y>"),
        ("w/z.txt", "<a href=z>"),
    ]);
    let answer = world.run(&published(&["links", "w"])).ends(0);
    assert_eq!(
        answer.stdout,
        "w/a/index.html:1:9: a[href] y -> https://h.example/d/a/y\n\
         w/b.html:1:9: a[href] x -> https://h.example/d/x\n"
    );
    assert_eq!(answer.stderr, "absolve: documents: 2, links: 2\n");
    let answer = world.run(&published(&["base", "w", "-q"])).ends(0);
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
        .ends(0);
    for line in [
        "w/b.html: 1 links",
        "documents: 2, changed: 0",
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
fn in_place_changes_what_changes_and_nothing_else() {
    let world = site();
    // Left behind by a run that was killed; there is no process of that number, and never will be.
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
        .ends(1)
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
    let answer = world.run(&published(&["rewrite", "-i", "site"])).ends(0);
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
    let answer = world.run(&published(&["rewrite", "-i", "site"])).ends(0);
    assert_eq!(answer.stderr, "absolve: documents: 8, changed: 0\n");
    assert_eq!(world.tree("site"), after);
}

#[test]
fn a_diff_of_a_directory() {
    let world = World::new(&[("w/b.html", "<a href=x>\n"), ("w/a/c.html", "<a href=y>\n")]);
    let answer = world
        .run(&published(&["rewrite", "--diff", "w", "-q"]))
        .ends(1);
    assert_eq!(
        answer.stdout,
        "--- a/w/a/c.html\n+++ b/w/a/c.html\n@@ -1 +1 @@\n-<a href=y>\n+<a href=https://h.example/d/a/y>\n\
         --- a/w/b.html\n+++ b/w/b.html\n@@ -1 +1 @@\n-<a href=x>\n+<a href=https://h.example/d/x>\n"
    );
}

/// Each is refused, with that message, and nothing is written.
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
        world.run(arguments).ends(2).says(message);
        assert_eq!(world.tree("."), before, "{arguments:?} wrote something");
    }
}

#[test]
fn outputs_that_make_no_sense_are_refused_before_anything_is_written() {
    refused(&[
        (
            &["rewrite", "site"],
            "site is a directory; name one for the result with --output",
        ),
        (
            &["rewrite", "site", "-o", "site"],
            "site is the input directory",
        ),
        (
            &["rewrite", "site", "-o", "site/out"],
            "site/out is in the input directory site",
        ),
        (
            &["rewrite", "site", "-o", "more/../site/a/b"],
            "is in the input directory site",
        ),
        (
            &["rewrite", "link", "-o", "site/out"],
            "is in the input directory link",
        ),
        (
            &["rewrite", "site", "-o", "link/out"],
            "is in the input directory site",
        ),
        (
            &["rewrite", "site/blog", "-o", "site"],
            "the input directory site/blog is in site",
        ),
        (
            &["rewrite", "site", "-o", "."],
            "the input directory site is in .",
        ),
        (&["rewrite", "site", "-o", "file"], "file is no directory"),
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
fn inputs_that_make_no_sense_are_refused_before_anything_is_written() {
    refused(&[
        (
            &["rewrite", "-i", "site", "-"],
            "standard input has no place",
        ),
        (
            &["rewrite", "-i", "site", "site/blog"],
            "site/blog and site have documents in common",
        ),
        (
            &["links", "site", "site/index.html"],
            "have documents in common",
        ),
        (&["links", "site", "site"], "site is named twice"),
        (
            &["links", "site", "more/index.html", "--url", "http://h/"],
            "more/index.html is in none",
        ),
        (
            &["links", "site", "--url", "http://h/?q"],
            "URL of a directory with a query",
        ),
        (
            &["links", "--root", "site", "more/index.html"],
            "more/index.html is not in site",
        ),
        (
            &["links", "--root", "nowhere", "more/index.html"],
            "cannot be found in nowhere",
        ),
        (
            &["links", "--files-from", "-", "-"],
            "standard input cannot be both",
        ),
        (
            &["links", "--files-from", "missing"],
            "--files-from missing: cannot be read",
        ),
        (&["links", "site", "-0"], "--files-from"),
        (
            &["rewrite", "-i", "site", "--others", "copy"],
            "cannot be used with",
        ),
        (&["rewrite", "file", "--others", "copy"], "--output"),
        (
            &["rewrite", "site", "-o", "out", "--report", "more"],
            "--report more: cannot be written",
        ),
        (&["rewrite", "-i", "file", "./file"], "are the same file"),
        (&["links", "site", "-j", "0"], "--threads"),
    ]);
}

#[test]
fn two_directories_with_nothing_in_common_become_one() {
    let world = World::new(&[
        ("a/x.html", "<a href=g>"),
        ("a/d/1", ""),
        ("b/d/y.html", "<a href=g>"),
    ]);
    world
        .run(&published(&["rewrite", "a", "b", "-o", "out"]))
        .ends(0);
    let names: Vec<_> = world.tree("out").into_keys().collect();
    assert_eq!(names, ["d/", "d/1", "d/y.html", "x.html"]);
    assert_eq!(
        world.read("out/d/y.html"),
        "<a href=https://h.example/d/d/g>"
    );
}

#[test]
fn lists_of_names_and_the_directory_they_are_in() {
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
        let answer = world.run_with(&published(arguments), stdin).ends(0);
        assert_eq!(answer.stdout, expected, "{arguments:?}");
    }
    // A directory in the site.
    let arguments = ["links", "--root", "site", "site/.well-known", "-q"];
    let answer = world.run(&published(&arguments)).ends(0);
    assert!(
        answer
            .stdout
            .contains("-> https://h.example/d/.well-known/z\n"),
        "{answer:?}"
    );
    // The output has the places they have in the site.
    let arguments = [
        "rewrite",
        "--files-from",
        "list",
        "--root",
        "site",
        "-o",
        "out",
    ];
    world.run(&published(&arguments)).ends(0);
    let names: Vec<_> = world.tree("out").into_keys().collect();
    assert_eq!(names, ["blog/", "blog/index.htm", "index.html"]);
    // An empty list is nothing to do, not standard input.
    let answer = world
        .run_with(&["rewrite", "--files-from", "-"], b"")
        .ends(0);
    assert_eq!(
        (answer.stdout, answer.stderr),
        (String::new(), String::new())
    );
}

#[test]
fn a_directory_of_one_format() {
    let world = site();
    let answer = world
        .run(&published(&[
            "links",
            "site",
            "--input-format",
            "css",
            "-q",
        ]))
        .ends(0);
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
        .ends(0)
        .says("nothing: no documents in it, that is, no files whose names end in html, htm,");
}

#[test]
fn an_input_that_is_not_there_is_named_and_the_others_go_on() {
    let world = World::new(&[("a.html", "<a href=g>"), ("c.html", "<a href=g>")]);
    let arguments = ["rewrite", "-i", "--root", ".", "--files-from", "-"];
    world
        .run_with(&published(&arguments), b"a.html\nb.html\nc.html\n")
        .ends(2)
        .says("b.html: cannot be read: ");
    for name in ["a.html", "c.html"] {
        assert_eq!(world.read(name), "<a href=https://h.example/d/g>");
    }
}

#[test]
fn what_is_written_and_said_does_not_depend_on_the_threads() {
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
        let written = world.run(&published(&arguments)).ends(2);
        let links = world
            .run(&published(&[
                "links", "w", "-j", threads, "--format", "jsonl",
            ]))
            .ends(2);
        let check = world
            .run(&published(&["rewrite", "--check", "w", "-j", threads]))
            .ends(2);
        (
            written,
            links,
            check,
            world.read("report"),
            world.tree(output),
        )
    };
    let one = run("1", "one");
    assert_eq!(one.4.len(), 128);
    assert_eq!(
        one.3
            .lines()
            .filter(|line| line.starts_with("{\"document\":true,"))
            .count(),
        121
    );
    assert!(one == run("8", "eight"), "different with 8 threads");
    assert!(one == run("2", "two"), "different with 2 threads");
}

#[test]
fn the_same_remark_is_not_made_a_thousand_times() {
    let world = World::new(&[]);
    for number in 10..40 {
        world.write(&format!("w/{number}.html"), "<a href=x>");
    }
    let answer = world.run(&["rewrite", "w", "--check"]).ends(0);
    let lines: Vec<_> = answer.stderr.lines().collect();
    assert_eq!(lines.len(), 12, "{answer:?}");
    assert!(
        lines[0].starts_with("absolve: w/10.html: 1 relative reference was left"),
        "{answer:?}"
    );
    assert_eq!(
        lines[10],
        "absolve: 20 more remarks; --verbose makes them all"
    );
    let answer = world.run(&["rewrite", "w", "--check", "-v"]).ends(0);
    assert_eq!(
        answer
            .stderr
            .matches("1 relative reference was left")
            .count(),
        30
    );
    assert_eq!(
        world.run(&["rewrite", "w", "--check", "-q"]).ends(0).stderr,
        ""
    );
    world
        .run(&["rewrite", "w", "--check", "-q", "--strict"])
        .ends(1);
}

#[test]
fn a_report_has_every_link_and_every_document() {
    let world = World::new(&[
        (
            "w/a.html",
            "<a href=x></a><a href=http://o/></a><img src=''>",
        ),
        ("w/b.html", "<base href=http://b/><a href=y>"),
    ]);
    let arguments = ["rewrite", "w", "-o", "out", "--report", "r.jsonl", "-q"];
    world.run(&published(&arguments)).ends(0);
    let report = world.read("r.jsonl");
    let links = world
        .run(&published(&["links", "w", "--format", "jsonl", "-q"]))
        .ends(0)
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
             \"unwritten\":null,\"mismatched_tags\":0}",
            "{\"document\":true,\"path\":\"w/b.html\",\"url\":\"https://h.example/d/b.html\",\
             \"base\":\"http://b/\",\"base_source\":\"embedded\",\"links\":2,\"resolved\":1,\
             \"absolute\":1,\"skipped\":{},\"edited\":1,\"changed\":true,\"unread\":null,\
             \"unwritten\":null,\"mismatched_tags\":0}"
        ]
    );
    let arguments = ["rewrite", "w", "-o", "out", "--report", "-", "-q"];
    assert_eq!(world.run(&published(&arguments)).ends(0).stdout, report);
    world
        .run_with(&["rewrite", "--report", "-"], b"")
        .ends(2)
        .says("something else goes to standard output");
    let names: Vec<_> = world.tree(".").into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains(".absolve-")),
        "{names:?}"
    );
}

#[test]
fn a_run_adds_up() {
    let world = site();
    let arguments = ["rewrite", "site", "-o", "out", "--stats", "-q"];
    let answer = world.run(&published(&arguments)).ends(0);
    for line in [
        "documents: 8, changed: 7",
        "other files: 4",
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

#[test]
fn a_site_in_full() {
    let Some(site) = support::corpora("site") else {
        return;
    };
    let world = World::new(&[]);
    let site = site.to_str().expect("a plain path");
    let answer = world
        .run(&published(&["rewrite", site, "-o", "out", "--stats"]))
        .ends(0);
    let tree = world.tree("out");
    let files = tree.keys().filter(|name| !name.ends_with('/')).count();
    let originals = support::files(std::path::Path::new(site), &["html", "css"]).len();
    assert!(files > 3000, "{files}");
    assert!(
        answer
            .stderr
            .contains(&format!("documents: {originals}, changed: ")),
        "{originals}: {answer:?}"
    );
    let answer = world
        .run(&published(&["rewrite", "--check", "out"]))
        .ends(0);
    assert_eq!(answer.stdout, "");
    let list = world
        .run(&published(&["links", "out", "--format", "jsonl"]))
        .ends(0)
        .stdout;
    let left = list
        .lines()
        .filter(|line| line.contains("\"status\":\"resolved\""))
        .count();
    assert_eq!(left, 0);
    support::say(&format!(
        "a site of {files} files: {} links, all absolute in a new directory",
        list.lines().count()
    ));
}
