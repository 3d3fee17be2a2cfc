//! Conversion of links for each layout: the file that a link refers to, and the reference that is written.

use std::time::Duration;

use absolve::Profile;
use absolve_site::{Layout, Mirror, MirrorScope};
use proptest::prelude::*;
use support::process;

use super::{converted, link, link_by, rewriter};

fn mirror(files: &[&str], layout: Option<Layout>, url: Option<&str>) -> Mirror {
    Mirror::new(files, layout, url).expect("a folder with a host")
}

/// Asserts the conversion of links. Columns: page, reference, expected reference.
fn rows(mirror: &Mirror, rows: &[(&str, &str, &str)]) {
    for (page, reference, expected) in rows {
        assert_eq!(
            link(mirror, page, reference),
            *expected,
            "{reference} in {page}"
        );
    }
}

const WGET_FILES: &[&str] = &[
    "h.example/index.html",
    "h.example/index.html?s=1",
    "h.example/a/index.html",
    "h.example/a/b.html",
    "h.example/a b.html",
    "h.example/c:d.html",
    "h.example/;e.html",
    "h.example/h#h.html",
    "h.example/p%q.html",
    "h.example/caf\u{e9}.html",
    "h.example/page.php",
    "h.example/page.php?a=1&b=2",
    "h.example/page.php?u=http:%2F%2Fx%2Fy z",
    "h.example/sl%2Fash.html",
    "h.example/style.css?v=2",
    "h.example/who?",
    "h.example/tab%09.html",
    "g.example:8080/x.html",
    "images/logo.png",
];

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn mirror_maps_links_of_wget_folders() {
    let mirror = mirror(WGET_FILES, None, None);
    assert_eq!(mirror.layout(), Layout::Wget);
    let index = "h.example/index.html";
    rows(
        &mirror,
        &[
            // A reference that already refers to the right file on disk is kept as written.
            (index, "a/b.html", "a/b.html"),
            (index, "./a/../a/b.html#x", "./a/../a/b.html#x"),
            (index, "a%20b.html", "a%20b.html"),
            (index, "a b.html", "a b.html"),
            (index, "caf\u{e9}.html", "caf\u{e9}.html"),
            (index, "caf%C3%A9.html", "caf%C3%A9.html"),
            (index, "", ""),
            (index, "#x", "#x"),
            (index, "index.html#x", "index.html#x"),
            (index, "h%23h.html", "h%23h.html"),
            (index, "./c:d.html", "./c:d.html"),
            // A directory is converted to its index page, with or without a trailing slash.
            (index, "a/", "a/index.html"),
            (index, "a", "a/index.html"),
            (index, "/", "index.html"),
            (index, "./", "index.html"),
            (index, "http://h.example", "index.html"),
            ("h.example/a/b.html", "..", "../index.html"),
            ("h.example/a/b.html", ".", "index.html"),
            ("h.example/a/b.html", "/a/#x", "index.html#x"),
            // Scheme, letter case of the host, default port and user do not matter.
            (index, "http://h.example/a/b.html", "a/b.html"),
            (index, "https://H.EXAMPLE:443/a/b.html", "a/b.html"),
            (index, "//h.example/a/b.html", "a/b.html"),
            (index, "http://u:p@h.example/a/b.html", "a/b.html"),
            (index, "/a/./x/../b.html", "a/b.html"),
            ("h.example/a/b.html", "/../a%20b.html", "../a%20b.html"),
            (index, "/c:d.html", "./c:d.html"),
            (index, "/;e.html", "./;e.html"),
            (index, "/p%25q.html", "p%25q.html"),
            (index, "/p%q.html", "p%25q.html"),
            (index, "a\\b.html", "a/b.html"),
            (
                index,
                "ftp://h.example/a/b.html",
                "ftp://h.example/a/b.html",
            ),
            // The query is part of the file name.
            (index, "?s=1", "index.html%3Fs=1"),
            (index, "/?s=1#x", "index.html%3Fs=1#x"),
            (index, "page.php", "page.php"),
            (index, "page.php?a=1&b=2#f", "page.php%3Fa=1&b=2#f"),
            (index, "page.php?a=1&amp;b=2", "page.php%3Fa=1&b=2"),
            (index, "page.php?a=%31&b=2", "page.php%3Fa=1&b=2"),
            (
                index,
                "page.php?u=http://x/y%20z",
                "./page.php%3Fu=http:%252F%252Fx%252Fy%20z",
            ),
            (index, "style.css?v=2", "style.css%3Fv=2"),
            (index, "/who%3F", "who%3F"),
            (index, "/who?", "who%3F"),
            (index, "/sl%2Fash.html", "sl%252Fash.html"),
            (index, "/sl%2fash.html", "sl%252Fash.html"),
            (index, "/tab%09.html", "tab%2509.html"),
            // Links to another host.
            (
                index,
                "http://g.example:8080/x.html",
                "../g.example:8080/x.html",
            ),
            (
                "h.example/a/b.html",
                "http://g.example:8080/x.html",
                "../../g.example:8080/x.html",
            ),
            (
                "g.example:8080/x.html",
                "http://h.example/a/",
                "../h.example/a/index.html",
            ),
            // Links to missing files become absolute.
            (index, "gone.html", "https://h.example/gone.html"),
            (index, "a/gone/", "https://h.example/a/gone/"),
            (index, "page.php?a=1", "https://h.example/page.php?a=1"),
            (index, "index.html?s=2", "https://h.example/index.html?s=2"),
            (index, "?s=2", "https://h.example/?s=2"),
            (index, "//h.example/gone", "https://h.example/gone"),
            (index, "http://g.example/x.html", "http://g.example/x.html"),
            (
                index,
                "../images/logo.png",
                "https://h.example/../images/logo.png",
            ),
            (index, "style.css", "https://h.example/style.css"),
            (index, "mailto:a@b.example", "mailto:a@b.example"),
            (index, "javascript:x()", "javascript:x()"),
            (index, "c:d.html", "c:d.html"),
            (index, "http://[", "http://["),
            (
                "h.example/page.php?a=1&b=2",
                "?a=1&b=2",
                "page.php%3Fa=1&b=2",
            ),
            (
                "h.example/page.php?a=1&b=2",
                "?a=3",
                "https://h.example/page.php?a=3",
            ),
            // An encoded question mark at the end of a path, as in Wikipedia titles, does not begin a query.
            (index, "/what%3F", "https://h.example/what%3F"),
            (index, "what%3F", "https://h.example/what%3F"),
            (index, "/x%3Fy", "https://h.example/x%3Fy"),
        ],
    );
    assert!(mirror.page(b"images/logo.png").is_none());
}

#[test]
fn mirror_maps_links_of_wget_windows_names_and_extensions() {
    let mirror = mirror(
        &[
            "h.example+8080/index.html",
            "h.example+8080/page.php.html",
            "h.example+8080/page.php@a=1.html",
            "h.example+8080/about.html",
            "h.example+8080/c%3Ad.html",
            "h.example+8080/pipe%7Cx.html",
            "h.example+8080/who%3F.html",
            "h.example+8080/style.css@v=2.css",
            "h.example+8080/sheet.css",
            "h.example+8080/i.png@w=2",
            "h.example+8080/dir.html",
            "h.example+8080/dir/x.html",
        ],
        None,
        None,
    );
    let index = "h.example+8080/index.html";
    rows(
        &mirror,
        &[
            (index, "page.php", "page.php.html"),
            (index, "page.php?a=1", "page.php@a=1.html"),
            (index, "page.php@a=1.html", "page.php@a=1.html"),
            (index, "about#x", "about.html#x"),
            (index, "/c:d.html", "c%253Ad.html"),
            (index, "/pipe|x.html", "pipe%257Cx.html"),
            (index, "/who%3F", "who%253F.html"),
            (index, "style.css?v=2", "style.css@v=2.css"),
            (index, "sheet", "sheet.css"),
            (index, "i.png?w=2", "i.png@w=2"),
            (index, "http://h.example:8080/about", "about.html"),
            // A directory that was requested without its slash.
            (index, "dir", "dir.html"),
            (index, "dir/", "dir.html"),
            (index, "http://h.example/about", "http://h.example/about"),
            (
                "h.example+8080/page.php@a=1.html",
                "?a=2",
                "http://h.example:8080/page.php?a=2",
            ),
            (
                "h.example+8080/page.php@a=1.html",
                "?a=1",
                "page.php@a=1.html",
            ),
            ("h.example+8080/page.php.html", "?a=1", "page.php@a=1.html"),
        ],
    );
}

/// wget lost the file `blog` when it needed the directory. It was run without `-E`, or `page.asp` had another name.
#[test]
fn mirror_finds_no_added_extensions_where_scripts_have_none() {
    let entry = "h.example/blog/entry";
    let files = [entry, "h.example/blog.html", "h.example/blog/index.html"];
    for (file, expected) in [
        ("h.example/page.asp", "index.html"),
        ("h.example/list.php?page=1", "index.html"),
        ("h.example/list.php?page=1.html", "../blog.html"),
        ("h.example/a?page=1", "../blog.html"),
    ] {
        let files = [&files[..], &[file]].concat();
        rows(&mirror(&files, None, None), &[(entry, "../blog", expected)]);
    }
    let mirror = mirror(
        &[entry, "h.example/blog.html", "h.example/page.asp"],
        None,
        None,
    );
    rows(
        &mirror,
        &[
            (entry, "../blog", "https://h.example/blog"),
            (entry, "./", "https://h.example/blog/"),
        ],
    );
}

/// The manual of wget, `--default-page`: the name of the files for URLs that end in a slash.
#[test]
fn mirror_maps_links_to_default_pages() {
    let files = &[
        "h.example/default.htm",
        "h.example/default.htm?s=1",
        "h.example/a/default.htm",
        "h.example/a/index.html",
        "h.example/a/b.html",
    ];
    for layout in [Layout::Wget, Layout::HostPath] {
        let mirror = mirror(files, Some(layout), None).default_page("default.htm");
        let page = "h.example/a/default.htm";
        let url = mirror.url_of(page.as_bytes());
        assert_eq!(url.as_deref(), Some("https://h.example/a/"));
        // The page of a directory has that name and no other.
        let index = mirror.url_of(b"h.example/a/index.html");
        assert_eq!(index.as_deref(), Some("https://h.example/a/index.html"));
        rows(
            &mirror,
            &[
                (page, "/", "../default.htm"),
                (page, "/?s=1", "../default.htm%3Fs=1"),
                (page, "/?s=2", "https://h.example/?s=2"),
                (page, ".#f", "default.htm#f"),
                (page, "index.html", "index.html"),
                ("h.example/default.htm", "a/", "a/default.htm"),
                ("h.example/default.htm", "a", "a/default.htm"),
                ("h.example/default.htm", "a/index.html", "a/index.html"),
                ("h.example/default.htm?s=1", "a/b.html", "a/b.html"),
            ],
        );
    }
    let files = &["default.htm", "a/default.htm", "b/index.html"];
    let site = mirror(files, Some(Layout::Site), Some("http://h/")).default_page("default.htm");
    rows(
        &site,
        &[
            ("default.htm", "/a/", "a/default.htm"),
            ("default.htm", "/b/", "http://h/b/"),
            ("a/default.htm", "..", "../default.htm"),
        ],
    );
}

/// With `wget --adjust-extension`, `.html` follows other extensions. The name is not encoded like a URL.
#[test]
fn mirror_maps_links_to_default_pages_with_appended_extensions() {
    for (name, file) in [
        ("start", "start.html"),
        ("start.page", "start.page.html"),
        ("start.php", "start.php.html"),
        ("st%41rt #.html", "st%41rt #.html"),
    ] {
        let files = [format!("h.example/{file}"), format!("h.example/a/{file}")];
        let [root, page] = files.each_ref().map(|file| &**file);
        let mirror = mirror(&[root, page], None, None).default_page(name);
        let encoded = file
            .replace('%', "%25")
            .replace(' ', "%20")
            .replace('#', "%23");
        let url = mirror.url_of(page.as_bytes());
        assert_eq!(url.as_deref(), Some("https://h.example/a/"), "{name}");
        rows(
            &mirror,
            &[
                (root, "a/", &format!("a/{encoded}")),
                (root, "a", &format!("a/{encoded}")),
                (page, "/", &format!("../{encoded}")),
            ],
        );
    }
}

#[test]
fn mirror_maps_links_without_host_directories() {
    let files = ["index.html", "a/b.html", "a/x.php?y=1", "jquery.ui/x.js"];
    let whole = mirror(&files, None, Some("http://h.example/"));
    rows(
        &whole,
        &[
            ("index.html", "a/b.html", "a/b.html"),
            ("a/b.html", "/", "../index.html"),
            ("a/b.html", "https://h.example/a/x.php?y=1", "x.php%3Fy=1"),
            ("a/b.html", "/jquery.ui/x.js", "../jquery.ui/x.js"),
            ("a/b.html", "../../../index.html", "../index.html"),
            ("a/b.html", "gone", "http://h.example/a/gone"),
        ],
    );
    // A folder made by `wget --cut-dirs=2`.
    let cut = mirror(&files, None, Some("http://h.example/c/d/"));
    rows(
        &cut,
        &[
            ("a/b.html", "/c/d/", "../index.html"),
            ("a/b.html", "/c/d", "../index.html"),
            ("a/b.html", "/", "http://h.example/"),
            ("a/b.html", "/c/dd", "http://h.example/c/dd"),
            ("a/b.html", "gone", "http://h.example/c/d/a/gone"),
        ],
    );
    assert!(Mirror::new(["a/b.html"], None, None).is_err());
}

#[test]
fn mirror_maps_links_with_protocol_directories() {
    let files = [
        "http/h.example/a.html",
        "https/h.example/a.html",
        "https/h.example/b.html",
    ];
    rows(
        &mirror(&files, None, None),
        &[
            (
                "http/h.example/a.html",
                "https://h.example/a.html",
                "../../https/h.example/a.html",
            ),
            ("http/h.example/a.html", "http://h.example/a.html", "a.html"),
            ("http/h.example/a.html", "b.html", "http://h.example/b.html"),
            ("https/h.example/a.html", "gone", "https://h.example/gone"),
        ],
    );
}

#[test]
fn mirror_determines_the_scheme() {
    let files = ["h.example/a", "g.example/a", "h.example:81/a"];
    let url = |mirror: &Mirror, path: &str| mirror.url_of(path.as_bytes()).expect("a URL");
    let mut known = mirror(&files, None, None);
    assert_eq!(url(&known, "h.example/a"), "https://h.example/a");
    assert_eq!(url(&known, "h.example:81/a"), "http://h.example:81/a");
    known.observe(
        b"h.example/a",
        b"<a href=http://h.example/x><a href=http://h.example><a href=https://h.example/y><a href=https://h.example.org>",
    );
    assert_eq!(url(&known, "h.example/a"), "http://h.example/a");
    assert_eq!(url(&known, "g.example/a"), "https://g.example/a");
    let with_url = mirror(&files, None, Some("http://h.example/some/page"));
    assert_eq!(url(&with_url, "h.example/a"), "http://h.example/a");
    assert_eq!(url(&with_url, "g.example/a"), "http://g.example/a");
}

#[test]
fn mirror_url_of_file() {
    let adjusted = ["h.example/page.php.html", "h.example/x?a=1.html"];
    for (files, layout, path, expected) in [
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/index.html",
            "https://h.example/",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/index.html?s=1",
            "https://h.example/?s=1",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/a/index.html",
            "https://h.example/a/",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/a b.html",
            "https://h.example/a%20b.html",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/h#h.html",
            "https://h.example/h%23h.html",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/sl%2Fash.html",
            "https://h.example/sl%2Fash.html",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/tab%09.html",
            "https://h.example/tab%09.html",
        ),
        (
            WGET_FILES,
            Layout::Wget,
            "h.example/page.php?a=1&b=2",
            "https://h.example/page.php?a=1&b=2",
        ),
        (
            &adjusted,
            Layout::Wget,
            "h.example/page.php.html",
            "https://h.example/page.php",
        ),
        (
            &adjusted,
            Layout::Wget,
            "h.example/x?a=1.html",
            "https://h.example/x?a=1",
        ),
        (
            &adjusted,
            Layout::HostPath,
            "h.example/x?a=1.html",
            "https://h.example/x?a=1.html",
        ),
        (
            &["h.example/a@b=c"],
            Layout::Wget,
            "h.example/a@b=c",
            "https://h.example/a?b=c",
        ),
        (
            &["h.example/a@b"],
            Layout::Wget,
            "h.example/a@b",
            "https://h.example/a@b",
        ),
    ] {
        let mirror = mirror(files, Some(layout), None);
        assert_eq!(mirror.url_of(path.as_bytes()).as_deref(), Some(expected));
    }
}

/// The digests in the names were computed with `md5sum` from "id=3", "id=4" and "x".
#[test]
fn mirror_maps_links_of_httrack_folders() {
    let files = [
        "hts-log.txt",
        "index.html",
        "h.example/index.html",
        "h.example/index-2.html",
        "h.example/page.html",
        "h.example/paged708.html",
        "h.example/about.html",
        "h.example/i9dd4.png",
        "h.example/a_b.html",
        "h.example/dir/index.html",
        "g.example_8080/index.html",
    ];
    let mut mirror = mirror(&files, None, None);
    assert_eq!(mirror.layout(), Layout::HtTrack);
    mirror.observe(
        b"h.example/index-2.html",
        b"<!-- Mirrored from h.example/INDEX.HTML?a=b by HTTrack Website Copier/3.x [XR&CO'2014], x -->",
    );
    mirror.observe_list(b"header\n1\t2\t3\t4\t5\t6\t7\thttps://h.example/other?q\t/home/me/h.example/about.html\t(from )\n");
    let index = "h.example/index.html";
    rows(
        &mirror,
        &[
            // HTTrack has already made links relative.
            (index, "page.html", "page.html"),
            (
                index,
                "../g.example_8080/index.html",
                "../g.example_8080/index.html",
            ),
            (index, "http://h.example/page.php", "page.html"),
            (index, "http://h.example/page.php?id=3", "paged708.html"),
            (
                index,
                "http://h.example/page.php?id=4",
                "http://h.example/page.php?id=4",
            ),
            (index, "http://h.example/i.png?x", "i9dd4.png"),
            // The list has another URL for `about.html`.
            (index, "http://h.example/about", "http://h.example/about"),
            (index, "http://h.example/dir", "dir/index.html"),
            (index, "http://h.example/a:b.html", "a_b.html"),
            (
                index,
                "http://g.example:8080/",
                "../g.example_8080/index.html",
            ),
            (index, "http://h.example/INDEX.HTML?a=b", "index-2.html"),
            (index, "http://h.example/other?q", "about.html"),
            (index, "http://h.example/gone", "http://h.example/gone"),
        ],
    );
    assert_eq!(
        mirror.url_of(b"h.example/about.html").as_deref(),
        Some("https://h.example/other?q")
    );
    assert_eq!(
        mirror.url_of(b"h.example/index-2.html").as_deref(),
        Some("https://h.example/INDEX.HTML?a=b")
    );
    assert!(mirror.page(b"index.html").is_none());
}

/// HTTrack appends the query of the URL to the name of the file. The digests were computed with `md5sum`.
/// HTTrack converts the metadata links of a page, too.
#[test]
fn mirror_restores_metadata_links_that_httrack_converted() {
    let files = [
        "hts-log.txt",
        "h.example/t/index.html",
        "h.example/view681a.html",
    ];
    let mut mirror = mirror(&files, None, None);
    mirror.observe_list(
        b"header\n1\t2\t3\t4\t5\t6\t7\thttp://h.example/t/\th.example/t/index.html\t(from )\n\
          1\t2\t3\t4\t5\t6\t7\thttp://h.example/view?id=1\th.example/view681a.html\t(from )\n",
    );
    for (reference, url) in [
        ("index.html", "http://h.example/t/"),
        ("../view681a.html#x", "http://h.example/view?id=1#x"),
        ("gone.html", "http://h.example/t/gone.html"),
    ] {
        let link = |reference| format!("<link rel=canonical href={reference}>");
        let html = converted(&mirror, "h.example/t/index.html", &link(reference));
        assert_eq!(html, link(url));
        assert_eq!(converted(&mirror, "h.example/t/index.html", &html), html);
    }
}

#[test]
fn mirror_keeps_queries_that_httrack_appended() {
    let files = [
        "hts-log.txt",
        "h.example/index.html",
        "h.example/view.html",
        "h.example/view681a.html",
        "h.example/css/s30f4.css",
        "h.example/sub/x4152.html",
    ];
    let mut recorded = mirror(&files, None, None);
    recorded.observe_list(
        b"header\n1\t2\t3\t4\t5\t6\t7\thttp://h.example/view.html?id=1\th.example/view681a.html\t(from )\n",
    );
    for mirror in [mirror(&files, None, None), recorded] {
        rows(
            &mirror,
            &[
                (
                    "h.example/index.html",
                    "view681a.html?id=1#z",
                    "view681a.html?id=1#z",
                ),
                (
                    "h.example/index.html",
                    "css/s30f4.css?v=3",
                    "css/s30f4.css?v=3",
                ),
                (
                    "h.example/view681a.html",
                    "view681a.html?id=1",
                    "view681a.html?id=1",
                ),
                // A redirect: the query of the request, and the file of its target.
                (
                    "h.example/index.html",
                    "sub/x4152.html?u=1",
                    "sub/x4152.html?u=1",
                ),
                // HTTrack did not convert this link, which leads to another file.
                ("h.example/index.html", "view.html?id=1", "view681a.html"),
            ],
        );
        let gone = link(&mirror, "h.example/index.html", "gone.html?id=1");
        assert!(gone.ends_with("://h.example/gone.html?id=1"), "{gone}");
    }
}

/// HTTrack was killed: it had converted `index.html`, whose links lead to files that it had not written yet.
#[test]
fn mirror_restores_links_to_files_that_httrack_had_not_written() {
    let files = [
        "hts-cache/new.txt",
        "h.example/index.html",
        "h.example/blog-2.html",
        "h.example/script.html",
        "h.example/iteme8ec.html",
        "h.example/qd7da.html",
    ];
    let unlisted = mirror(&files, None, None);
    let mut listed = unlisted.clone();
    let list = [
        ("", "index.html"),
        ("q.html?A=1", "qa5a2.html"),
        ("blog", "blog.html"),
        ("blog.html", "blog-2.html"),
        ("script.php", "script.html"),
        ("item?id=91", "iteme8ec.html"),
        ("q.html?u=%c3%bc", "qd7da.html"),
        ("moved", "moved.1f.delayed"),
    ];
    let line = |(url, file)| {
        format!("1\t2\t3\t4\t5\t6\t7\thttp://h.example/{url}\tm/h.example/{file}\t(from )\n")
    };
    let list: String = list.into_iter().map(line).collect();
    assert_eq!(listed.observe_list(format!("header\n{list}").as_bytes()), 5);
    let index = "h.example/index.html";
    rows(
        &listed,
        &[
            (index, "qa5a2.html?A=1#f", "http://h.example/q.html?A=1#f"),
            // The file of `/blog`, not the URL `/blog.html`, whose file has another name.
            (index, "blog.html", "http://h.example/blog"),
            (index, "http://h.example/blog.html", "blog-2.html"),
            // The names of these files are possible, but the list has other URLs for them.
            (
                index,
                "http://h.example/script.js",
                "http://h.example/script.js",
            ),
            (
                index,
                "http://h.example/item.html?id=91",
                "http://h.example/item.html?id=91",
            ),
            (index, "http://h.example/item?id=91", "iteme8ec.html"),
            (index, "http://h.example/%69tem?id=91", "iteme8ec.html"),
            (index, "http://h.example/q.html?u=\u{fc}", "qd7da.html"),
            // HTTrack always writes the name of a file.
            (index, "?c=1", "http://h.example/?c=1"),
        ],
    );
    rows(
        &unlisted,
        &[
            // The extension in the URL is not known.
            (index, "qa5a2.html?A=1", "qa5a2.html?A=1"),
            (index, "qa5a2.html?A=2", "https://h.example/qa5a2.html?A=2"),
            (index, "https://h.example/q.html?u=\u{fc}", "qd7da.html"),
        ],
    );
}

#[test]
fn mirror_maps_links_of_plain_trees() {
    let files = [
        "h.example/a%20b.html",
        "h.example/c d.html",
        "h.example/x?q=%31",
        "h.example/p.html",
    ];
    rows(
        &mirror(&files, Some(Layout::HostPath), None),
        &[
            ("h.example/p.html", "/a%20b.html", "a%2520b.html"),
            ("h.example/p.html", "/c%20d.html", "c%20d.html"),
            ("h.example/p.html", "/x?q=%31", "x%3Fq=%2531"),
            ("h.example/p.html", "/p", "https://h.example/p"),
        ],
    );
    let files = [
        "index.html",
        "about.html",
        "blog/index.html",
        "notes/index.xhtml",
        "style.css",
    ];
    let site = mirror(&files, Some(Layout::Site), Some("https://h.example/docs/"));
    rows(
        &site,
        &[
            ("index.html", "about", "about.html"),
            ("index.html", "blog?page=2#x", "blog/index.html?page=2#x"),
            ("index.html", "notes/", "notes/index.xhtml"),
            ("index.html", "style.css?v=2", "style.css?v=2"),
            ("blog/index.html", "/docs/style.css?v=2", "../style.css?v=2"),
            (
                "blog/index.html",
                "/style.css",
                "https://h.example/style.css",
            ),
        ],
    );
    assert!(Mirror::new(files, Some(Layout::Site), None).is_err());
}

#[test]
fn mirror_removes_base_but_keeps_its_target() {
    let mirror = mirror(WGET_FILES, None, None);
    for (document, expected) in [
        ("<base href=/a/><a href=b.html>", "<a href=a/b.html>"),
        (
            "<base target=_top href='/a/'><a href=b.html><a href=gone>",
            "<base target=_top ><a href=a/b.html><a href=https://h.example/a/gone>",
        ),
        // BASE outside HEAD has an effect in browsers, so it must be removed, too.
        (
            "<body><base href=/a/><a href=b.html>",
            "<body><a href=a/b.html>",
        ),
        (
            "<base href=/a/><base href=/b/ target=x><a href=b.html>",
            "<base  target=x><a href=a/b.html>",
        ),
        (
            "<base href=http://g.example:8080/><a href=x.html>",
            "<a href=../g.example:8080/x.html>",
        ),
        // A reference that refers to the right file without BASE is kept.
        ("<base href=/><a href=a/b.html>", "<a href=a/b.html>"),
        // The base URL is not known yet, so relative references would be wrong.
        (
            "<base href='{{ url }}'><a href=a/><a href=/gone><a href=http://h.example/a/>",
            "<base href='{{ url }}'><a href=a/><a href=/gone><a href=http://h.example/a/>",
        ),
    ] {
        let once = converted(&mirror, "h.example/index.html", document);
        assert_eq!(once, expected, "{document}");
        assert_eq!(converted(&mirror, "h.example/index.html", &once), expected);
    }
}

#[test]
fn mirror_converts_every_kind_of_link_and_no_other_byte() {
    let mirror = mirror(
        &[
            "h.example/index.html",
            "h.example/i.png",
            "h.example/j,.png",
            "h.example/x?y=z",
            "h.example/m.js",
        ],
        None,
        None,
    );
    let document = "<!doctype html>\r\n<META http-equiv=refresh content=' 0 ; URL = /x?y=z '>\
        <style>a { background: url( '/i.png' ) } @import \"/gone.css\";</style>\
        <script type=importmap>{ \"imports\": { \"m\": \"/m.js\" } }</script>\
        <img srcset=' /i.png 1x,/j,.png 2x , /gone.png 3x'  style='background:url(/i.png)'>\
        <iframe srcdoc='<a href=/i.png>'></iframe><object codebase=/o/ classid=i.png data=/i.png></object>\
        <svg><use href=/i.png#a /></svg> tail & <b>unclosed";
    let expected = "<!doctype html>\r\n<META http-equiv=refresh content=' 0 ; URL = x%3Fy=z '>\
        <style>a { background: url( 'i.png' ) } @import \"https://h.example/gone.css\";</style>\
        <script type=importmap>{ \"imports\": { \"m\": \"./m.js\" } }</script>\
        <img srcset=' i.png 1x,j%2C.png 2x , https://h.example/gone.png 3x'  style='background:url(i.png)'>\
        <iframe srcdoc='<a href=i.png>'></iframe><object codebase=https://h.example/o/ classid=https://h.example/o/i.png data=i.png></object>\
        <svg><use href=i.png#a /></svg> tail & <b>unclosed";
    assert_eq!(
        converted(&mirror, "h.example/index.html", document),
        expected
    );
    assert_eq!(
        converted(&mirror, "h.example/index.html", expected),
        expected
    );
}

#[test]
fn mirror_keeps_metadata_links_absolute() {
    let without_metadata = mirror(&["h.example/a/index.html", "h.example/b.html"], None, None);
    let all = without_metadata.clone().scope(MirrorScope::All);
    for (link, absolute, relative) in [
        (
            "<link rel=canonical href=/b.html>",
            "<link rel=canonical href=https://h.example/b.html>",
            "<link rel=canonical href=../b.html>",
        ),
        (
            "<link rel=alternate hreflang=de href=../b.html>",
            "<link rel=alternate hreflang=de href=https://h.example/b.html>",
            "<link rel=alternate hreflang=de href=../b.html>",
        ),
    ] {
        assert_eq!(
            converted(&without_metadata, "h.example/a/index.html", link),
            absolute
        );
        assert_eq!(converted(&all, "h.example/a/index.html", link), relative);
    }
    // Pages that readers open.
    for rel in "next prev up contents help home author license search start first last bookmark tag"
        .split(' ')
    {
        let link = format!("<link rel={rel} href=/b.html>");
        assert_eq!(
            converted(&without_metadata, "h.example/a/index.html", &link),
            link.replace("/b", "../b")
        );
    }
    let (name, expected) = ("<p itemid=/b.html>", "<p itemid=https://h.example/b.html>");
    assert_eq!(converted(&all, "h.example/a/index.html", name), expected);
}

#[test]
fn mirror_converts_again_after_files_come_and_go() {
    let before = mirror(&["h.example/a.html", "h.example/x.php.html"], None, None);
    let after = mirror(
        &[
            "h.example/a.html",
            "h.example/b?c=d.html",
            "h.example/x.php.html",
            "h.example/y.php.html",
            "g.example/z",
        ],
        None,
        None,
    );
    for (reference, first, second) in [
        ("b?c=d", "https://h.example/b?c=d", "b%3Fc=d.html"),
        ("y.php#f", "https://h.example/y.php#f", "y.php.html#f"),
        ("http://g.example/z", "http://g.example/z", "../g.example/z"),
    ] {
        assert_eq!(link(&before, "h.example/a.html", reference), first);
        assert_eq!(link(&after, "h.example/a.html", first), second);
        assert_eq!(link(&after, "h.example/a.html", reference), second);
    }
    // And back to absolute links, as far as the URL can be derived from the name.
    for (relative, absolute) in [
        ("b%3Fc=d.html", "https://h.example/b?c=d"),
        ("y.php.html#f", "https://h.example/y.php#f"),
        ("gone.html", "https://h.example/gone.html"),
    ] {
        assert_eq!(link(&before, "h.example/a.html", relative), absolute);
    }
    let with_other = mirror(&["h.example/a/a.html", "g.example/y"], None, None);
    assert_eq!(
        link(&with_other, "h.example/a/a.html", "../../g.example/z?"),
        "https://h.example/../g.example/z?"
    );
    assert_eq!(
        link(&with_other, "h.example/a/a.html", "../../g.example/z"),
        "https://g.example/z"
    );
}

#[test]
fn mirror_ignores_backups_of_wget() {
    let mirror = mirror(
        &["h.example/a", "h.example/a.orig", "h.example/b.orig"],
        None,
        None,
    );
    assert_eq!(
        link(&mirror, "h.example/a", "/a.orig"),
        "https://h.example/a.orig"
    );
    assert_eq!(link(&mirror, "h.example/a", "/b.orig"), "b.orig");
    assert!(mirror.page(b"h.example/a.orig").is_none());
}

/// Generates names and references from parts with a special meaning.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "/",
        "/",
        "..",
        ".",
        "?",
        "%",
        "2F",
        "%3F",
        "%25",
        ":",
        "@",
        "=",
        ";",
        "#",
        " ",
        "\u{e9}",
        "\\",
        "+",
        ".html",
        ".php",
        ".css",
        "index.html",
        "//h.example/",
        "http://g.example/",
        "https:",
        "'",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn is_path(path: &str) -> bool {
    path.split('/')
        .all(|segment| !matches!(segment, "" | "." | ".."))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    /// For any folder: converting is idempotent, and every relative link refers to an existing file in a browser.
    #[test]
    fn mirror_of_arbitrary_names_is_idempotent_and_relative_links_exist(names in prop::collection::vec(text(), 1..6), reference in text(), layout in 0..4_usize) {
        let names = names.iter().filter(|name| is_path(name));
        let mut files: Vec<String> = names.map(|name| format!("h.example/{name}")).collect();
        files.push("h.example/d/page.html".to_owned());
        files.push("g.example/a".to_owned());
        let url = (layout == 3).then_some("https://h.example/");
        let layout = [Layout::Wget, Layout::HtTrack, Layout::HostPath].get(layout).copied();
        let files: Vec<&str> = match url {
            Some(_) => files.iter().filter_map(|file| file.strip_prefix("h.example/")).collect(),
            None => files.iter().map(String::as_str).collect(),
        };
        let page = if url.is_some() { "d/page.html" } else { "h.example/d/page.html" };
        let mirror = mirror(&files, layout, url);
        // Invalid references are left unchanged, so there is nothing to check.
        let web = url::Url::parse("https://h.example/d/page.html");
        if !web.is_ok_and(|web| web.join(&reference).is_ok()) {
            return Ok(());
        }
        // Links are followed below like in a browser, so they are also resolved by the URL Standard.
        let rewriter = rewriter().profile(Profile::Whatwg);
        let converted = link_by(&rewriter, &mirror, page, &reference);
        let on_disk = url::Url::parse("file:///disk/").and_then(|root| {
            let page: Vec<String> = page.split('/').map(str::to_owned).collect();
            root.join(&page.join("/"))?.join(&converted)
        });
        if let Ok(on_disk) = on_disk
            && on_disk.scheme() == "file"
            && !reference.is_empty()
            && !converted.starts_with('#')
        {
            let path = on_disk.to_file_path().expect("a path");
            let file = path.strip_prefix("/disk/").unwrap_or(&path);
            prop_assert!(
                files.iter().any(|name| file == std::path::Path::new(name)),
                "{reference} became {converted}, which leads to {}", file.display()
            );
            // HTTrack itself writes queries, which have no effect on a disk.
            let is_kept = layout == Some(Layout::HtTrack) && converted == reference;
            prop_assert!(is_kept || on_disk.query().is_none(), "{reference} became {converted}");
        }
    }
}

#[test]
fn a_long_path_in_a_log_is_read_in_linear_time() {
    let mut mirror = Mirror::new(["h.example/a.html"], Some(Layout::Wget), None).expect("a root");
    let log = |file: &str| {
        format!("2026-01-01 00:00:00 URL:http://h.example/r [1/1] -> \"{file}\" [1]\n")
    };
    let started = process::processor_time();
    let list = log(&"a/".repeat(1 << 19)) + &log("/home/me/h.example/a.html");
    assert_eq!(mirror.observe_list(list.as_bytes()), 1);
    let (Some(started), Some(ended)) = (started, process::processor_time()) else {
        support::missing("processor time is read from /proc, which is not here");
        return;
    };
    // Quadratic time would be minutes.
    let time = ended.saturating_sub(started);
    assert!(time < Duration::from_secs(1), "{time:.1?}");
}
