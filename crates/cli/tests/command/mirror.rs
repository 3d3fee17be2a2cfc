//! The command line of `absolve mirror`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Cursor, Write};

use support::world::{Answer, World};
use zip::CompressionMethod::{self, Deflated, Stored};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Runs `absolve mirror` in `world`.
fn run(world: &World, arguments: &[&str]) -> Answer {
    world.run(&[&["mirror"], arguments].concat())
}

const FOLDER: &[(&str, &str)] = &[
    (
        "m/h.example/index.html",
        "<a href=/p?q=1>p</a> <a href=/gone>g</a>",
    ),
    ("m/h.example/p?q=1", "<html><a href=/>home</a></html>"),
    ("m/h.example/s.css", "a { background: url(/i.png) }"),
    ("m/h.example/i.png", "<html> no page"),
    ("m/h.example/notes", "no page: <a href=/>"),
    ("m/readme.html", "<a href=/>of no host</a>"),
];

/// Returns a record of an archive, of the URL `path` of `h.example`.
fn record(kind: &str, path: &str, date: &str, fields: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Date: {date}T00:00:00Z\r\nWARC-Target-URI: https://h.example{path}\r\n\
         Content-Type: application/http\r\n{fields}Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

/// Returns a record with a response.
fn response(path: &str, date: &str, media_type: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n{body}");
    let digest = format!("WARC-Payload-Digest: test:{}\r\n", body.len());
    record("response", path, date, &digest, &block)
}

/// Returns the files of a directory, without its directories.
fn files(world: &World, directory: &str) -> BTreeMap<String, String> {
    let mut files = world.tree(directory);
    files.retain(|name, _| !name.ends_with('/'));
    files
}

/// Returns the archive of a site.
fn archive() -> String {
    let redirect = "HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n";
    [
        response(
            "/",
            "2026-01-01",
            "text/html",
            "<a href=/a>a</a> <a href=A>A</a> <a href='p.php?id=1'>p</a> <a href=old#f>old</a> <a href=/same>same</a> \
             <a href=gone>gone</a> <a href=//o.example/>o</a> <link rel=stylesheet href=s.css?v=2 integrity=sha256-x>",
        ),
        response("/a", "2026-01-01", "text/html", "<a href=/>home</a>"),
        response("/A", "2026-01-01", "text/html", "<a href=a/b>b</a>"),
        response("/a/b", "2026-01-01", "text/html", "<img src=../i.png >"),
        response("/p.php?id=1", "2026-01-01", "text/html", "new"),
        response("/p.php?id=1", "2025-01-01", "text/html", "older"),
        response("/s.css?v=2", "2026-01-01", "text/css", "a { background: url(/i.png) }"),
        response("/i.png", "2026-01-01", "image/png", "png"),
        record("response", "/old", "2026-01-01", "", redirect),
        record("revisit", "/same", "2026-01-01", "WARC-Payload-Digest: TEST:18\r\n", ""),
        response("/..%5C..%2F..%2Fetc/con", "2026-01-01", "text/plain", "x"),
        record("response", "/err", "2026-01-01", "", "HTTP/1.1 404 Not Found\r\n\r\nx"),
    ]
    .concat()
}

#[test]
fn archives_become_a_folder_whose_links_lead_to_files() {
    let world = World::new(&[("crawl.warc", &archive())]);
    let output = run(&world, &["crawl.warc", "-o", "site", "--missing", "urls"]);
    let messages = output.messages(0);
    assert!(
        messages.contains("documents: 7, changed: 5; other files: 2"),
        "{messages}"
    );
    assert!(messages.contains("refer to 1 URL"), "{messages}");
    assert_eq!(world.read("urls"), "https://h.example/gone\n");
    let mut written = files(&world, "site");
    let name = |part: &str| {
        let mut names = written.keys().filter(|name| name.contains(part));
        names.next().expect("a file").clone()
    };
    let (upper, device) = (name("/A~"), name("con~"));
    assert!(
        upper.starts_with("h.example/A~") && upper.strip_suffix(".html").is_some(),
        "{upper}"
    );
    assert!(device.starts_with("h.example/con~"), "{device}");
    let link = upper.trim_start_matches("h.example/").to_owned();
    let index = format!(
        "<a href=a.html>a</a> <a href={link}>A</a> <a href='p.php@id=1.html'>p</a> <a href=a.html#f>old</a> \
         <a href=same.html>same</a> <a href=https://h.example/gone>gone</a> <a href=https://o.example/>o</a> \
         <link rel=stylesheet href=s.css@v=2.css >"
    );
    for (name, content) in [
        ("h.example/index.html", &*index),
        ("h.example/a.html", "<a href=index.html>home</a>"),
        ("h.example/same.html", "<a href=index.html>home</a>"),
        (&upper, "<a href=a/b.html>b</a>"),
        ("h.example/a/b.html", "<img src=../i.png >"),
        ("h.example/p.php@id=1.html", "new"),
        ("h.example/s.css@v=2.css", "a { background: url(i.png) }"),
        ("h.example/i.png", "png"),
        (&device, "x"),
    ] {
        assert_eq!(written.remove(name).as_deref(), Some(content), "{name}");
    }
    assert!(written.is_empty(), "{written:?}");

    // The folder is one that needs no conversion, and a second run writes what is new only.
    let again = run(&world, &["site", "--check", "--url", "https://h.example/"]);
    assert!(again.messages(0).contains("would change: 0"));
    let modified =
        || fs::metadata(world.path("site/h.example/i.png")).and_then(|file| file.modified());
    let before = modified().expect("a time");
    world.write(
        "more.warc",
        &response("/gone", "2026-02-01", "text/html", "back"),
    );
    run(&world, &["crawl.warc", "more.warc", "-o", "site", "-q"]).messages(0);
    assert_eq!(modified().expect("a time"), before);
    assert_eq!(world.read("site/h.example/gone.html"), "back");
    assert!(
        world
            .read("site/h.example/index.html")
            .contains("<a href=gone.html>")
    );

    run(&world, &["crawl.warc", "-o", "past", "--at", "2025"]).messages(0);
    assert_eq!(
        files(&world, "past").into_keys().collect::<Vec<_>>(),
        ["h.example/p.php@id=1.html"]
    );
}

/// No name of an archive leads outside, and no capture replaces another.
#[test]
fn hostile_archives_become_files_of_their_folder() {
    let long = format!("/{}", "x/".repeat(500));
    let longer = format!("/{}", "%C3%A9".repeat(300));
    // The hosts of the first two can be no directory.
    let paths = [
        "@../z",
        "@.absolve-output/z",
        "/../../../up",
        "/%2e%2e/%2e%2e/up2",
        "/..%2f..%2fup3",
        "/..%5c..%5cup4",
        "/a%00b",
        "/A",
        "/a",
        "/a/b",
        "/a/b/",
        "/A/B",
        "/.absolve-output",
        "/.absolve-4294967295-1",
        "/nul",
        "/dot.",
        &long,
        &longer,
        "@con/x",
        ":1/y",
    ];
    let archive: Vec<String> = (0..)
        .zip(paths)
        .map(|(number, path)| response(path, "2026-01-01", "text/plain", &format!("{number}")))
        .collect();
    let world = World::new(&[("crawl.warc", &archive.concat())]);
    let output = run(&world, &["crawl.warc", "-o", "top/site"]);
    let messages = output.messages(0);
    let left_out = "crawl.warc!0: left out: no directory can have the name of its host";
    assert!(messages.contains(left_out), "{messages}");
    assert_eq!(messages.matches("left out").count(), 2, "{messages}");
    let written = files(&world, "top/site");
    run(&world, &["crawl.warc", "-o", "top/site"]).messages(0);
    assert_eq!(files(&world, "top/site"), written);
    let folded: BTreeSet<_> = written.keys().map(|name| name.to_lowercase()).collect();
    assert_eq!(
        (written.len(), folded.len()),
        (paths.len() - 2, paths.len() - 2)
    );
    for (number, path) in (0..).zip(paths).skip(2) {
        let content = format!("{number}");
        assert!(
            written.values().any(|written| *written == content),
            "{path}"
        );
    }
    for name in written.keys() {
        assert!(name.len() <= 220 && !name.contains(['\\', '\0']), "{name}");
    }
    assert_eq!(files(&world, "").len(), 1 + written.len());
}

#[test]
fn damaged_captures_are_reported_and_not_written() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n9\r\n<a href=x";
    let whole = response("/", "2026-01-01", "text/html", "<a href=x>");
    let part = record("response", "/part", "2026-01-01", "", chunked);
    let archive = [&*whole, &part, &whole[..whole.len() - 9]].concat();
    let world = World::new(&[("crawl.warc", &archive), ("other.warc", "no archive")]);
    let output = run(&world, &["crawl.warc", "other.warc", "-o", "site"]);
    let messages = output.messages(2);
    let offset = whole.len();
    assert!(
        messages.contains(&format!("crawl.warc!{offset}: not written: ")),
        "{messages}"
    );
    assert!(messages.contains("other.warc: "), "{messages}");
    assert!(messages.contains("unexpected end of input"), "{messages}");
    let written: Vec<_> = files(&world, "site").into_iter().collect();
    let expected = ("h.example/index.html", "<a href=https://h.example/x>");
    assert_eq!(written, [(expected.0.to_owned(), expected.1.to_owned())]);
    for (arguments, message) in [
        (&["crawl.warc"][..], "no output given"),
        (
            &["crawl.warc", "-i"],
            "--in-place cannot be used with archives",
        ),
        (
            &["crawl.warc", "-o", "x", "--layout", "wget"],
            "--layout cannot be used",
        ),
        (
            &["crawl.warc", "-o", "x", "--at", "soon"],
            "expected a date",
        ),
        (&["site", "-o", "x", "--at", "2026"], "--at is for archives"),
    ] {
        run(&world, arguments)
            .exits_with(2)
            .stderr_contains(message);
    }
}

#[test]
fn mirror_in_place_keeps_backups_and_is_idempotent() {
    let world = World::new(FOLDER);
    let output = run(&world, &["m", "-i", "--backup", ".orig"]);
    let messages = output.messages(0);
    assert!(messages.contains("documents: 4, changed: 3"), "{messages}");
    assert!(
        messages.contains("m/readme.html: left unchanged: not in a directory named after a host"),
        "{messages}"
    );
    assert!(output.stdout.is_empty());
    let index = "<a href=p%3Fq=1>p</a> <a href=https://h.example/gone>g</a>";
    assert_eq!(world.read("m/h.example/index.html"), index);
    assert_eq!(
        world.read("m/h.example/p?q=1"),
        "<html><a href=index.html>home</a></html>"
    );
    assert_eq!(
        world.read("m/h.example/s.css"),
        "a { background: url(i.png) }"
    );
    for (name, content) in &FOLDER[3..] {
        assert_eq!(world.read(name), *content);
    }
    assert_eq!(world.read("m/h.example/index.html.orig"), FOLDER[0].1);
    let again = run(&world, &["m", "--check"]);
    assert!(again.messages(0).contains("documents: 4, would change: 0"));

    // A file is downloaded later, and another one is removed.
    fs::write(world.path("m/h.example/gone"), "x").expect("a file");
    fs::remove_file(world.path("m/h.example/p?q=1")).expect("no file");
    run(&world, &["m", "-i", "-q"]).messages(0);
    let index = "<a href=https://h.example/p?q=1>p</a> <a href=gone>g</a>";
    assert_eq!(world.read("m/h.example/index.html"), index);
}

#[test]
fn mirror_output_has_every_file() {
    let world = World::new(FOLDER);
    run(&world, &["m", "-o", "copy", "-q"]).messages(0);
    for (name, content) in FOLDER {
        assert_eq!(world.read(name), *content, "the folder stays as it is");
        let copied = world.read(&name.replacen('m', "copy", 1));
        let is_same = matches!(
            *name,
            "m/h.example/i.png" | "m/h.example/notes" | "m/readme.html"
        );
        assert_eq!(copied == *content, is_same, "{name}");
    }
}

#[test]
fn mirror_accepts_the_directory_of_a_host() {
    let world = World::new(FOLDER);
    run(&world, &["m/h.example", "-i", "-q"]).messages(0);
    let index = "<a href=p%3Fq=1>p</a> <a href=https://h.example/gone>g</a>";
    assert_eq!(world.read("m/h.example/index.html"), index);
}

#[test]
fn mirror_check_and_diff_report_changes() {
    let world = World::new(FOLDER);
    let check = run(&world, &["m", "--check"]);
    assert!(check.messages(1).contains("documents: 4, would change: 3"));
    let listed = check.stdout;
    assert_eq!(
        listed,
        "m/h.example/index.html\nm/h.example/p?q=1\nm/h.example/s.css\n"
    );
    let diff = run(
        &world,
        &["m/h.example/", "--diff", "-q", "--url", "http://h.example/"],
    );
    assert_eq!(diff.messages(1), "");
    let shown = diff.stdout;
    assert!(
        shown.contains("+<a href=p%3Fq=1>p</a> <a href=http://h.example/gone>g</a>"),
        "{shown}"
    );
    for (name, content) in FOLDER {
        assert_eq!(world.read(name), *content);
    }
}

#[test]
fn mirror_reads_the_cache_index_and_comments_of_httrack() {
    let world = World::new(&[
        (
            "hts-cache/new.txt",
            "header\n1\t2\t3\t4\t5\t6\t7\thttp://h.example/x?y=z\t/home/me/h.example/x-2.html\t(from )\n\
             1\t2\t3\t4\t5\t6\t7\thttp://h.example/s.php\t/home/me/h.example/s.html\t(from )\n",
        ),
        (
            "h.example/index.html",
            "<html>\n<!-- Mirrored from h.example/ by HTTrack Website Copier/3.x [XR&CO'2014], x -->\n<a href=http://h.example/x?y=z>x</a> <a href=http://h.example/old.asp?n>o</a>",
        ),
        (
            "h.example/x-2.html",
            "<a href=index.html>i</a> <a href=s.html>s</a>",
        ),
        (
            "h.example/other.html",
            "<!-- Mirrored from h.example/old.asp?n by HTTrack Website Copier/3.x [XR&CO'2014], x -->",
        ),
    ]);
    run(&world, &[".", "-i", "-q", "--missing", "missing"]).messages(0);
    assert!(
        world
            .read("h.example/index.html")
            .ends_with("<a href=x-2.html>x</a> <a href=other.html>o</a>")
    );
    assert_eq!(
        world.read("h.example/x-2.html"),
        "<a href=index.html>i</a> <a href=http://h.example/s.php>s</a>"
    );
    assert_eq!(world.read("missing"), "http://h.example/s.php\n");
}

/// wget saved the page of a redirect under the name of the request: the log has its URL.
#[test]
fn mirror_reads_the_log_of_wget() {
    let log = "--2026-11-23 18:52:19--  http://h.example/redir\n\
        HTTP request sent, awaiting response... 301 Moved Permanently\n\
        Location: /sub/x.html [following]\n\
        --2026-11-23 18:52:19--  http://h.example/sub/x.html\n\
        Saving to: \u{2018}m/h.example/redir\u{2019}\n";
    let files = [
        (
            "m/h.example/index.html",
            "<a href=/sub/x.html>x</a> <a href=redir>r</a>",
        ),
        (
            "m/h.example/redir",
            "<html><a href=./>sub</a> <a href=..>home</a></html>",
        ),
        (
            "m/h.example/sub/index.html",
            "<html><a href=gone>the log has the scheme</a>",
        ),
    ];
    let converted = [
        "<a href=redir>x</a> <a href=redir>r</a>",
        "<html><a href=sub/index.html>sub</a> <a href=index.html>home</a></html>",
    ];
    for (name, arguments) in [
        ("wget.log", &["m", "-i", "-q", "--log", "wget.log"][..]),
        ("m/wget-log", &["m", "-i", "-q"]),
    ] {
        let world = World::new(&files);
        world.write(name, log);
        run(&world, arguments).messages(0);
        assert_eq!(world.read("m/h.example/index.html"), converted[0]);
        assert_eq!(world.read("m/h.example/redir"), converted[1]);
        let sub = world.read("m/h.example/sub/index.html");
        assert!(sub.contains("http://h.example/sub/gone"), "{sub}");
    }
    // wget has converted the page: its links lead from the file.
    let world = World::new(&files);
    world.write("m/wget-log", log);
    world.write("m/h.example/redir", "<html><a href=sub/index.html>sub</a>");
    run(&world, &["m", "-i", "-q"]).messages(0);
    assert_eq!(
        world.read("m/h.example/redir"),
        "<html><a href=sub/index.html>sub</a>"
    );
    let world = World::new(&files);
    let messages = run(&world, &["m", "-i", "--log", "none"]).messages(2);
    assert!(messages.contains("cannot read --log none"), "{messages}");
    // A log in German, and one of another folder.
    for other in [
        "Wird in \u{201e}m/h.example/redir\u{201c} gespeichert.\n",
        "2026-11-24 00:40:40 URL:http://h.example/a [9/9] -> \"h.example/a\" [1]\n",
    ] {
        world.write("other.log", other);
        let messages = run(&world, &["m", "-i", "--log", "other.log"]).messages(2);
        assert!(
            messages.contains("names no file of the folder"),
            "{messages}"
        );
    }
    assert_eq!(world.read("m/h.example/redir"), files[1].1);
}

/// The path of the URL has an empty segment, so `/` is one directory higher than the name of the file tells.
#[test]
fn mirror_of_a_converted_page_changes_nothing() {
    let log = "2026-11-24 00:40:40 URL:http://h.example/d//page.html [9/9] -> \"h.example/d/page.html\" [1]\n";
    let world = World::new(&[
        ("m/wget-log", log),
        ("m/h.example/index.html", "<html>"),
        ("m/h.example/d/index.html", "<html>"),
        ("m/h.example/d/page.html", "<html><a href=/>h</a>"),
    ]);
    for _ in 0..2 {
        run(&world, &["m", "-i"]).messages(0);
        assert_eq!(
            world.read("m/h.example/d/page.html"),
            "<html><a href=../index.html>h</a>"
        );
    }
}

/// The log has `/x?y=1.html`, and the name of the file `/x?y=1`, because other names have an added extension.
#[test]
fn mirror_keeps_a_link_to_the_page_itself() {
    let log =
        "--2026-11-23 18:52:19--  http://h.example/x?y=1.html\nSaving to: 'h.example/x?y=1.html'\n";
    let page = "<html><a href='list.php%3Fz.html'>l</a> <a href=''>x</a>";
    let world = World::new(&[
        ("m/wget-log", log),
        ("m/h.example/x?y=1.html", page),
        ("m/h.example/list.php?z.html", "<html>"),
    ]);
    run(&world, &["m", "-i"]).messages(0);
    assert_eq!(world.read("m/h.example/x?y=1.html"), page);
}

/// The links do not tell whether `blog.html` is the page of `/blog.html` or of `/blog/`, so its name does.
#[test]
fn a_link_to_the_page_itself_does_not_determine_its_url() {
    let page = |more| format!("<html><a href=/>h</a> <a href='{more}'>m</a> <a href=''>b</a>");
    let world = World::new(&[
        ("m/h.example/index.html", "<html>"),
        ("m/h.example/blog.html", &page("more.html")),
        ("m/h.example/blog/index.html", "<html>"),
    ]);
    run(&world, &["m", "-i"]).messages(0);
    assert_eq!(
        world.read("m/h.example/blog.html"),
        page("https://h.example/more.html").replace("href=/>", "href=index.html>")
    );
}

/// `both` was lost when the directory `both` was created. Only the log tells that `both.html` is another page, and that
/// `moved.html` is the page of `moved`.
#[test]
fn mirror_reads_in_the_log_that_a_page_has_no_other_url() {
    let log = "--2026-11-23 18:52:19--  http://h.example/both\n\
        Saving to: \u{2018}m/h.example/both\u{2019}\n\
        --2026-11-23 18:52:19--  http://h.example/both.html\n\
        Saving to: \u{2018}m/h.example/both.html\u{2019}\n\
        --2026-11-23 18:52:19--  http://h.example/moved\n\
        HTTP request sent, awaiting response... 301 Moved Permanently\n\
        Location: /moved.html [following]\n\
        --2026-11-23 18:52:19--  http://h.example/moved.html\n\
        Saving to: \u{2018}m/h.example/moved.html\u{2019}\n";
    let page =
        "<html><a href=both>1</a> <a href=both.html>2</a> <a href=moved>3</a> <a href=other>4</a>";
    let files = [
        ("m/h.example/index.html", page),
        ("m/h.example/both.html", "<html>"),
        ("m/h.example/both/in.html", "<html>"),
        ("m/h.example/moved.html", "<html>"),
        ("m/h.example/other.html", "<html>"),
        ("wget.log", log),
    ];
    let world = World::new(&files);
    run(&world, &["m", "-i", "-q", "--log", "wget.log"]).messages(0);
    assert_eq!(
        world.read("m/h.example/index.html"),
        "<html><a href=http://h.example/both>1</a> <a href=both.html>2</a> <a href=moved.html>3</a> <a href=other.html>4</a>"
    );
}

/// With `-E`, two pages have one file: the last one is in it. `dir` was a file until the directory was needed.
#[test]
fn mirror_reads_in_the_log_that_a_file_was_overwritten() {
    let saved = |urls: &[&str], file: &str| {
        let requests = urls
            .iter()
            .map(|url| format!("--2026-11-23 18:52:19--  http://h.example/{url}\n"));
        let requests: Vec<String> = requests.collect();
        let redirect = "Location: / [following]\n";
        format!(
            "{}Saving to: \u{2018}h.example/{file}\u{2019}\n",
            requests.join(redirect)
        )
    };
    let first = saved(&["blog"], "blog.html");
    let second = saved(&["blog.html"], "blog.html");
    let rest = [
        saved(&["dir", "dir/"], "dir"),
        saved(&["dir/"], "dir/index.html"),
        saved(&[""], "index.html"),
        saved(&["index.html"], "index.html"),
    ]
    .concat();
    let page =
        "<html><a href=/blog>1</a> <a href=/blog.html>2</a> <a href=/dir>3</a> <a href=/>4</a>";
    for (log, blog, links) in [
        (
            [&*first, &second, &rest].concat(),
            "http://h.example/blog.html?p=2",
            ["http://h.example/blog", "blog.html"],
        ),
        (
            [&*second, &first, &rest].concat(),
            "http://h.example/blog?p=2",
            ["blog.html", "blog.html"],
        ),
    ] {
        let world = World::new(&[
            ("m/wget-log", &*log),
            ("m/h.example/index.html", page),
            ("m/h.example/blog.html", "<html><a href='?p=2'>2</a>"),
            ("m/h.example/dir/index.html", "<html>"),
        ]);
        run(&world, &["m", "-i"]).messages(0);
        let again = run(&world, &["m", "--check"]).messages(0);
        assert!(again.contains("would change: 0"), "{again}");
        let [first, second] = links;
        assert_eq!(
            world.read("m/h.example/index.html"),
            format!(
                "<html><a href={first}>1</a> <a href={second}>2</a> <a href=dir/index.html>3</a> <a href=index.html>4</a>"
            )
        );
        assert_eq!(
            world.read("m/h.example/blog.html"),
            format!("<html><a href='{blog}'>2</a>")
        );
    }
}

/// The request was redirected to a host that is not in the folder. `wget -k` keeps links to the page itself.
#[test]
fn mirror_reads_in_the_log_that_a_page_is_of_another_host() {
    let log =
        "2026-11-24 00:40:40 URL:http://other.example/about [9/9] -> \"h.example/redir\" [1]\n";
    let raw = "<html><a href=./>d</a><a href=x.html>x</a><a href=#top>t</a><a href=/x.html>r</a>";
    let absolute = "<html><a href=http://other.example/>d</a><a href=http://other.example/x.html>x</a>\
        <a href=#top>t</a><a href=http://other.example/x.html>r</a>";
    let by_wget = "<html><a href=http://other.example/>d</a><a href=\"redir#top\">t</a><a href=\"redir\">e</a>";
    // The link to `x.html` leads to a file on a disk, but not to the one that it means.
    for (redir, expected, lost) in [(raw, absolute, true), (by_wget, by_wget, false)] {
        let world = World::new(&[
            ("m/wget-log", log),
            ("m/h.example/index.html", "<a href=redir>r</a>"),
            ("m/h.example/x.html", "<html>"),
            ("m/h.example/redir", redir),
        ]);
        let messages = run(&world, &["m", "-i"]).messages(0);
        assert_eq!(world.read("m/h.example/redir"), expected);
        assert_eq!(
            messages.contains("links to wrong files"),
            lost,
            "{messages}"
        );
    }
}

/// By its log, the page is that of another directory. On a disk, its link leads to a file.
#[test]
fn mirror_counts_links_that_no_longer_lead_to_a_file() {
    let world = World::new(&[
        (
            "m/wget-log",
            "2026-11-23 18:52:19 URL:http://h.example/sub/ [5/5] -> \"h.example/r.html\" [1]\n",
        ),
        (
            "m/h.example/r.html",
            "<link rel=canonical href=x.html><a href=x.html>x</a> <a href=gone.html>g</a> <a href=../x.html>y</a> <a href=y.html>1</a> <a href=y.html>2</a> <a href=y.html>3</a>",
        ),
        ("m/h.example/x.html", "<html>"),
        ("m/h.example/sub/y.html", "<html>"),
        (
            "m/h.example/based.html",
            "<base href=http://g.example/><a href=x.html>of the other host</a>",
        ),
    ]);
    let messages = run(&world, &["m", "-o", "out"]).messages(0);
    assert!(
        messages.contains(
            "m/h.example/r.html: 1 link to a file of another URL became absolute; see --diff"
        ),
        "{messages}"
    );
    assert!(
        messages.contains("; links to wrong files that became absolute: 1\n"),
        "{messages}"
    );
    assert!(
        world
            .read("out/h.example/r.html")
            .contains("<a href=http://h.example/sub/x.html>x</a> <a href=http://h.example/sub/gone.html>g</a> <a href=x.html>y</a>")
    );
}

#[test]
fn mirror_rejects_invalid_arguments_before_anything_is_written() {
    let world = World::new(&[("m/a/index.html", "<a href=/>"), ("m/b.html", "x")]);
    for (arguments, expected) in [
        (&["m"][..], "no output given for m\n  hint: use --in-place"),
        (
            &["m", "-i"],
            "no directory named after a host, and no URL given\n  hint: use --url",
        ),
        (&["m/b.html", "-i"], "m/b.html is not a directory"),
        (&["missing", "-i"], "missing is not a directory"),
        (&["m", "m/a", "-i"], "mirror converts one folder at a time"),
        (
            &["m", "-o", "m/new", "--url", "http://h/"],
            "output directory m/new is inside the input directory m",
        ),
        (
            &["m", "-o", "m", "--url", "http://h/"],
            "output directory m is the input directory",
        ),
        (
            &["m", "-i", "--url", "http://h/", "--default-page", "a/b"],
            "expected the name of a file, such as default.htm",
        ),
        (
            &[
                "m",
                "-i",
                "--url",
                "http://h/",
                "--default-page",
                "x",
                "--layout",
                "httrack",
            ],
            "--default-page is an option of wget, and HTTrack",
        ),
        (
            &["m", "-i", "--url", "h.example"],
            "invalid value \"h.example\" for --url",
        ),
        (
            &["m", "-i", "--default-base", "http://h/"],
            "unexpected argument '--default-base' found",
        ),
        (
            &["m", "-i", "--input-format", "css"],
            "unexpected argument '--input-format' found",
        ),
    ] {
        let messages = run(&world, arguments).messages(2);
        assert!(messages.contains(expected), "{arguments:?}: {messages}");
        assert_eq!(world.read("m/a/index.html"), "<a href=/>");
    }
}

#[test]
fn mirror_converts_metadata_links_with_the_option_only() {
    let page = "<link rel=canonical href=/><meta property=og:url content=/>";
    let world = World::new(&[("h.example/index.html", page)]);
    let copy = World::new(&[]);
    let output = copy.root().to_string_lossy();
    run(&world, &[".", "-o", &output, "-q"]).messages(0);
    let read_copy = copy.read("h.example/index.html");
    assert_eq!(
        read_copy,
        "<link rel=canonical href=https://h.example/><meta property=og:url content=/>"
    );
    run(&world, &[".", "-i", "-q", "--preset", "social", "--all"]).messages(0);
    assert_eq!(
        world.read("h.example/index.html"),
        "<link rel=canonical href=index.html><meta property=og:url content=index.html>"
    );
}

#[test]
fn mirror_report_has_every_link_and_document() {
    let world = World::new(&[
        (
            "m/h.example/index.html",
            "<a href=/p>p</a> <a href='{{ x }}'>t</a>",
        ),
        ("m/h.example/p", "<html><a href=p>self</a></html>"),
    ]);
    let output = run(&world, &["m", "--check", "--report", "r.jsonl"]);
    output.messages(1);
    let report = world.read("r.jsonl");
    let rows: Vec<serde_json::Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 5, "{report}");
    assert_eq!(rows[0]["reference"], "/p");
    assert_eq!(rows[0]["target"], "https://h.example/p");
    assert_eq!(rows[1]["reason"], "placeholder");
    assert_eq!(rows[2]["document"], true);
    assert_eq!(rows[2]["url"], "https://h.example/");
    assert_eq!(rows[4]["path"], "m/h.example/p");

    // `--strict` accepts a placeholder, but not a reference without a target.
    let strict = run(&world, &["m", "-o", "out", "--strict"]);
    strict.messages(0);
    let arguments = ["m", "-o", "out2", "--strict", "--profile", "whatwg"];
    fs::write(world.path("m/h.example/p"), "<html><a href='//[/'>x</a>").expect("a file");
    run(&world, &arguments).messages(1);
}

/// A browser reads the folder, so links resolve as in browsers: in RFC 1808, a semicolon begins params.
#[test]
fn mirror_resolves_as_browsers_do() {
    let page = "<a href=./y.html>y</a>";
    let files = [
        ("m/h.example/semi;p=1/x.html", page),
        ("m/h.example/semi;p=1/y.html", ""),
        ("m/h.example/y.html", "another page"),
    ];
    for (options, expected) in [
        (&[][..], "<a href=./y.html>y</a>"),
        (&["--profile", "rfc1808"], "<a href=../y.html>y</a>"),
    ] {
        let world = World::new(&files);
        run(&world, &[&["m", "-i", "-q"], options].concat()).messages(0);
        assert_eq!(
            world.read("m/h.example/semi;p=1/x.html"),
            expected,
            "{options:?}"
        );
    }
}

/// wget2 names the directory of a host without its port.
#[test]
fn mirror_finds_the_directory_of_a_host_without_its_port() {
    let world = World::new(&[
        (
            "m/127.0.0.1/index.html",
            "<a href=/list?page=2>2</a> <a href=/gone>3</a>",
        ),
        ("m/127.0.0.1/list?page=2", "<html>"),
    ]);
    run(
        &world,
        &["m", "-i", "-q", "--url", "http://127.0.0.1:8970/"],
    )
    .messages(0);
    assert_eq!(
        world.read("m/127.0.0.1/index.html"),
        "<a href=list%3Fpage=2>2</a> <a href=http://127.0.0.1:8970/gone>3</a>"
    );
}

/// The log of wget2 has the port, and the URL of a redirected page.
#[test]
fn mirror_reads_the_log_of_wget2() {
    let world = World::new(&[
        (
            "m/wget-log",
            "Saving '127.0.0.1/index.html'\nHTTP response 200 OK [http://127.0.0.1:8970/]\n\
             Saving '127.0.0.1/old'\nHTTP response 200 OK [http://127.0.0.1:8970/new/x]\n",
        ),
        (
            "m/127.0.0.1/index.html",
            "<a href=http://127.0.0.1:8970/old>o</a> <a href=/gone>g</a>",
        ),
        ("m/127.0.0.1/old", "<html><a href=y>y</a>"),
    ]);
    assert!(!run(&world, &["m", "-i"]).messages(0).contains("wget-log"));
    assert_eq!(
        world.read("m/127.0.0.1/index.html"),
        "<a href=old>o</a> <a href=http://127.0.0.1:8970/gone>g</a>"
    );
    assert_eq!(
        world.read("m/127.0.0.1/old"),
        "<html><a href=http://127.0.0.1:8970/new/y>y</a>"
    );
}

#[test]
fn mirror_says_what_a_download_lacks() {
    let index = ("m/h.example/index.html", "<a href=x>x</a>");
    let log = (
        "m/wget-log",
        "Wird in \u{201e}h.example/index.html\u{201c} gespeichert.\n",
    );
    let cache = ("m/hts-cache/new.txt", "");
    let lock = ("m/hts-in_progress.lock", "");
    for (files, expected) in [
        (&[index][..], "no wget-log: "),
        (&[index, log], "wget-log names no file of the folder"),
        (
            &[index, cache, lock],
            "HTTrack did not finish this download",
        ),
    ] {
        let messages = run(&World::new(files), &["m", "-i"]).messages(0);
        assert!(messages.contains(expected), "{messages}");
        assert_eq!(messages.matches("absolve: ").count(), 2, "{messages}");
    }
}

/// `wget -o wget-log` writes the log beside the directory of the host.
#[test]
fn mirror_reads_the_log_beside_the_folder() {
    let log = "--2026-11-23 18:52:19--  https://h.example/old\n\
        Location: /new/page [following]\n\
        --2026-11-23 18:52:19--  https://h.example/new/page\n\
        Saving to: 'h.example/old'\n";
    let files = [
        ("m/h.example/old", "<html><a href=x>x</a>"),
        ("m/h.example/new/x", "<html>"),
    ];
    let note = "no wget-log: pages that the server redirected to another URL are not recognized";
    for folder in ["m/h.example", "m"] {
        let world = World::new(&files);
        let arguments = [folder, "-i", "--url", "https://h.example/"];
        let messages = run(&world, &arguments).messages(0);
        assert_eq!(messages.matches(note).count(), 1, "{messages}");
        assert_eq!(
            world.read("m/h.example/old"),
            "<html><a href=https://h.example/x>x</a>"
        );
        let world = World::new(&files);
        world.write("m/wget-log", log);
        let messages = run(&world, &arguments).messages(0);
        assert!(!messages.contains(note), "{messages}");
        assert_eq!(
            world.read("m/h.example/old"),
            "<html><a href=new/x>x</a>",
            "{folder}"
        );
    }
}

#[test]
fn mirror_lists_the_urls_that_are_not_in_the_folder() {
    let world = World::new(&[
        (
            "m/h.example/index.html",
            "<a href=/b#x>1</a><a href=/b>2</a><img src=a.png><a href=/p?q=1>3</a><a href=http://other.example/>4</a>\
             <link rel=canonical href=/c><form action=/d>",
        ),
        (
            "m/h.example/p?q=1",
            "<html><a href=/>home</a><a href=e>5</a></html>",
        ),
    ]);
    let with = |option: &str| {
        let arguments = [
            "m",
            option,
            "--missing",
            "list",
            "--url",
            "https://h.example/",
        ];
        run(&world, &arguments).messages(0);
    };
    with("-i");
    let list = "https://h.example/a.png\nhttps://h.example/b\nhttps://h.example/e\n";
    assert_eq!(world.read("list"), list);
    // The folder is converted, and the list is the same.
    with("--check");
    assert_eq!(world.read("list"), list);
}

#[test]
fn captures_of_captures_are_files_of_the_original_urls() {
    let page = "<a href=/web/20200101000000/https://o.example/b>b</a> <img src=i.png>";
    let image = "/web/20200101000000im_/https://o.example/d/i.png";
    let archive = [
        response(
            "/web/20200101000000/https://o.example/d/",
            "2026-01-01",
            "text/html",
            page,
        ),
        response(
            "/web/20200101000000/https://o.example/b",
            "2026-01-01",
            "text/html",
            "b",
        ),
        response(image, "2026-01-01", "image/png", "png"),
    ];
    let world = World::new(&[("crawl.warc", &archive.concat())]);
    run(&world, &["crawl.warc", "-o", "site", "--unwrap", "wayback"]).messages(0);
    let written = files(&world, "site");
    let index = "<a href=../b.html>b</a> <img src=i.png>";
    assert_eq!(written["o.example/d/index.html"], index, "{written:?}");
    let names: Vec<&str> = written.keys().map(|name| &**name).collect();
    let expected = [
        "o.example/b.html",
        "o.example/d/i.png",
        "o.example/d/index.html",
    ];
    assert_eq!(names, expected);
    let output = world.run(&["links", "crawl.warc", "--unwrap", "wayback"]);
    let links = output.printed();
    assert!(links.contains("-> https://o.example/d/i.png"), "{links}");
}

/// Returns a ZIP archive.
fn zip(members: &[(&str, &str, CompressionMethod)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content, method) in members {
        let options = SimpleFileOptions::default().compression_method(*method);
        zip.start_file(*name, options).expect("a member");
        zip.write_all(content.as_bytes()).expect("written");
    }
    zip.finish().expect("a directory").into_inner()
}

#[test]
fn wacz_files_are_read_like_their_archives() {
    let more = response("/gone", "2026-01-02", "text/html", "<a href=/>home</a>");
    let evil = response("/evil", "2026-01-02", "text/html", "evil");
    let world = World::new(&[("data.warc", &archive()), ("more.warc", &more)]);
    let members = [
        ("datapackage.json", "{}", Deflated),
        ("archive/data.warc", &*archive(), Stored),
        ("archive/more.warc", &*more, Deflated),
        ("archive/../../evil.warc", &*evil, Stored),
        ("/archive/evil.warc", &*evil, Stored),
        ("archive/sub/evil.warc", &*evil, Stored),
        ("evil.warc", &*evil, Stored),
    ];
    fs::write(world.path("crawl.wacz"), zip(&members)).expect("written");
    run(&world, &["crawl.wacz", "-o", "site"]).messages(0);
    run(&world, &["data.warc", "more.warc", "-o", "plain"]).messages(0);
    assert_eq!(files(&world, "site"), files(&world, "plain"));
    let printed = |arguments: &[&str]| world.run(arguments).printed();
    assert_eq!(
        printed(&["index", "--format", "cdxj", "crawl.wacz"]),
        printed(&["index", "--format", "cdxj", "data.warc", "more.warc"])
    );
    let places = printed(&["index", "crawl.wacz"]);
    assert!(
        places.contains(r#""crawl.wacz!archive/more.warc","offset":0"#),
        "{places}"
    );
    let links = |file| printed(&["links", "--format", "jsonl", file]).replace(file, "");
    let all = links("data.warc") + &links("more.warc");
    assert_eq!(links("crawl.wacz"), all);
    // It is not written anew.
    let answer = world.run(&["rewrite", "crawl.wacz", "-i"]).exits_with(2);
    answer.stderr_contains("crawl.wacz: unsupported format (ZIP archive");
}

#[test]
fn hostile_wacz_files_are_refused_in_words() {
    let world = World::new(&[]);
    let bomb = "x".repeat(17 << 20);
    let record = response("/", "2026-01-01", "text/html", "x");
    let member = |method| zip(&[("archive/a.warc", &*record, method)]);
    // The sizes of the directory are those after the signature of its only entry.
    let mut long = member(Stored);
    let entry = long
        .windows(4)
        .position(|bytes| bytes == b"PK\x01\x02")
        .expect("an entry");
    for size in [entry + 20, entry + 24] {
        long[size..size + 4].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0x0F]);
    }
    let mut damaged = member(Deflated);
    damaged[60] ^= 0x55;
    let mut short = member(Stored);
    short.truncate(short.len() - 8);
    let bombs = [("archive/a.warc", &*bomb, Deflated)];
    let two = [
        ("archive/a.warc", &*record, Stored),
        ("archive/b.warc", &*record, Stored),
    ];
    let mut twice = zip(&two);
    while let Some(name) = twice.windows(6).position(|bytes| bytes == b"b.warc") {
        twice[name] = b'a';
    }
    for (name, bytes, expected) in [
        (
            "bomb.wacz",
            zip(&bombs),
            "archive/a.warc: compressed, and longer than the limit",
        ),
        ("long.wacz", long, "archive/a.warc: longer than the file"),
        (
            "damaged.wacz",
            damaged,
            "cannot read damaged.wacz: archive/a.warc: ",
        ),
        ("twice.wacz", twice, "several members have the same name"),
        ("short.wacz", short, "unsupported format (ZIP archive"),
        (
            "book.epub",
            zip(&[("mimetype", "x", Stored)]),
            "unsupported format (ZIP archive",
        ),
    ] {
        fs::write(world.path(name), bytes).expect("written");
        for arguments in [
            &["mirror", name, "-o", "site"][..],
            &["index", name],
            &["links", name],
        ] {
            world.run(arguments).exits_with(2).stderr_contains(expected);
        }
    }
}

#[test]
fn saved_pages_lead_to_each_other_by_the_urls_that_they_state() {
    let one = "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://h.example/?a&b \n saved date: x\n-->";
    let two =
        "<!-- Saved from https://h.example/two at 2026-01-31T00:00:00Z using monolith v2.8.1 -->";
    let three = "<!DOCTYPE html>\n<!-- saved from url=(0019)http://h.example/d/#x -->";
    let links = "<a href='https://h.example/?a&b#c'>1</a><a href=https://h.example/two>2</a><a href=http://h.example/d/>3</a>\
                 <a href=https://h.example/>4</a><a href=/two>5</a><a href=../s.css>6</a>";
    let page = |comment| format!("{comment}{links}");
    let world = World::new(&[
        ("m/The first: page.html", &page(one)),
        ("m/sub/2.htm", &page(two)),
        (
            "m/3.html",
            &format!("{three}<link rel=stylesheet href=3_files/s.css>{links}"),
        ),
        ("m/3_files/s.css", "a { background: url(i.png) }"),
        ("m/s.css", ""),
        ("m/none.html", "<a href=https://h.example/two>2</a>"),
    ]);
    let output = run(&world, &["m", "--layout", "saved", "-o", "out"]);
    output.messages(0);
    let written = files(&world, "out");
    assert_eq!(written["none.html"], "<a href=https://h.example/two>2</a>");
    let expected = |comment, [one, two, three, css]: [&str; 4]| {
        format!(
            "{comment}<a href='{one}#c'>1</a><a href={two}>2</a><a href={three}>3</a><a href=https://h.example/>4</a>\
             <a href={two}>5</a><a href={css}>6</a>"
        )
    };
    let first = [
        "./The%20first:%20page.html",
        "sub/2.htm",
        "3.html",
        "https://h.example/s.css",
    ];
    assert_eq!(
        written["The first: page.html"],
        expected(one, [first[0], first[1], first[2], first[3]])
    );
    let second = [
        "../The%20first:%20page.html",
        "2.htm",
        "../3.html",
        "../s.css",
    ];
    assert_eq!(written["sub/2.htm"], expected(two, second));
    let third = format!("{three}<link rel=stylesheet href=3_files/s.css>");
    assert_eq!(
        written["3.html"],
        expected(
            &third,
            [first[0], first[1], first[2], "http://h.example/s.css"]
        )
    );
    assert_eq!(written["3_files/s.css"], "a { background: url(i.png) }");
    let again = run(&world, &["out", "--layout", "saved", "--check"]);
    assert!(again.messages(0).contains("would change: 0"), "{again:?}");
}

#[test]
fn pages_that_were_saved_from_an_archive_lead_to_each_other() {
    let archive = "https://web.archive.org/web/20200101000000/https://h.example";
    let page = |path, links| format!("<!-- saved from url=(0099){archive}{path} -->{links}");
    let world = World::new(&[
        (
            "m/a.html",
            &page("/", "<a href=/web/20210101000000/https://h.example/b>b</a>"),
        ),
        ("m/b.html", &page("/b", "<a href=https://h.example/>a</a>")),
    ]);
    let arguments = ["m", "--layout", "saved", "--unwrap", "wayback", "-o", "out"];
    run(&world, &arguments).messages(0);
    let written = files(&world, "out");
    assert!(
        written["a.html"].ends_with("<a href=b.html>b</a>"),
        "{written:?}"
    );
    assert!(
        written["b.html"].ends_with("<a href=a.html>a</a>"),
        "{written:?}"
    );
    let none = run(
        &world,
        &["out", "--layout", "saved", "--check", "--exclude", "*.html"],
    );
    none.messages(0);
    none.stderr_contains("no page states its URL");
}
