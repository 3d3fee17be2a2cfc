//! `absolve rewrite`, except in place.

use std::fs;

use support::world::{World, run};

#[test]
fn rewrite_resolves_the_appendix_of_rfc_1808_in_every_context() {
    for arguments in [
        &["rewrite", "fixtures/rfc1808/appendix.html"][..],
        &[
            "rewrite",
            "fixtures/rfc1808/appendix.html",
            "--url",
            "http://other/",
        ],
        &[
            "rewrite",
            "fixtures/rfc1808/appendix.html",
            "--enclosing-base",
            "http://other/",
            "--default-base",
            "http://o/",
        ],
        &["rewrite", "--url", "http://other/", "-"],
    ] {
        let stdin = fs::read_to_string(support::root().join("fixtures/rfc1808/appendix.html"))
            .expect("the fixture");
        let html = run(arguments, &stdin).printed();
        assert!(
            html.contains("\"http://www.ics.uci.edu/Test/a/x\""),
            "{arguments:?}: {html}"
        );
    }
}

#[test]
fn rewrite_writes_several_documents_to_a_directory() {
    let world = World::new(&[("a.html", "<a href=g>"), ("b.html", "<a href=h>")]);
    let output = world.run(&[
        "rewrite",
        "a.html",
        "b.html",
        "--url",
        "http://r/",
        "--root",
        ".",
        "-o",
        "out/deep",
    ]);
    assert_eq!(output.messages(0), "");
    for (file, target) in [("a.html", "http://r/g"), ("b.html", "http://r/h")] {
        let html = fs::read_to_string(world.path("out/deep").join(file)).expect(file);
        assert!(html.contains(target), "{html}");
    }
    assert_eq!(world.read("a.html"), "<a href=g>");
}

/// A retrieval URL is that of one document.
#[test]
fn url_for_several_documents_needs_a_root() {
    let page = "<a href='#top'>t</a><a href=x.html>x</a>";
    let world = World::new(&[
        ("a.html", page),
        ("sub/b.html", page),
        ("list", "a.html\nsub/b.html\n"),
    ]);
    let (url, named) = (["--url", "https://h/blog/"], ["a.html", "sub/b.html"]);
    for verb in ["rewrite", "links", "base", "check"] {
        let arguments = [&[verb][..], &named, &url].concat();
        let messages = world.run(&arguments).messages(2);
        assert!(
            messages.contains(
                "2 documents cannot all have the URL \"https://h/blog/\"\n  hint: use --root DIR"
            ) && messages.contains("such as --root ., or"),
            "{messages}"
        );
    }
    let listed = ["rewrite", "-i", "--files-from", "list"];
    let messages = world.run(&[&listed[..], &url].concat()).messages(2);
    assert!(
        messages.contains("2 documents cannot all have"),
        "{messages}"
    );
    let outside = ["links", "sub/../a.html", "sub/b.html"];
    let messages = world.run(&[&outside[..], &url].concat()).messages(2);
    assert!(!messages.contains("such as"), "{messages}");
    let standard_input = ["links", "-", "a.html"];
    let messages = world.run(&[&standard_input[..], &url].concat()).messages(2);
    assert!(!messages.contains("such as"), "{messages}");
    assert_eq!(world.read("a.html"), page);

    let rooted = [&["rewrite", "--root", ".", "-o", "out"][..], &named, &url].concat();
    world.run(&rooted).messages(0);
    assert_eq!(
        world.read("out/a.html"),
        "<a href='https://h/blog/a.html#top'>t</a><a href=https://h/blog/x.html>x</a>"
    );
    assert_eq!(
        world.read("out/sub/b.html"),
        "<a href='https://h/blog/sub/b.html#top'>t</a><a href=https://h/blog/sub/x.html>x</a>"
    );
    // Without `--url`, and for one file, nothing changes.
    world.run(&["links", "a.html", "sub/b.html"]).messages(0);
    world
        .run(&["links", "a.html", "--url", "https://h/x"])
        .messages(0);
}

#[test]
fn rewrite_reports_unchanged_references_and_strict_fails() {
    let html = "<a href=g></a><a href=h></a>";
    let message =
        "standard input: 2 relative references left unchanged: no base URL; set one with --url";
    assert!(run(&["rewrite"], html).messages(0).contains(message));
    assert!(
        run(&["rewrite", "--strict"], html)
            .messages(1)
            .contains(message)
    );
    assert_eq!(
        run(&["rewrite", "--strict", "--quiet"], html).messages(1),
        ""
    );
    assert_eq!(
        run(&["rewrite", "--strict", "--url", "http://r/"], html).messages(0),
        ""
    );
    let messages = run(&["rewrite", "--url", "http://r/"], "<base href=x/>").messages(0);
    assert!(
        messages.contains(
            "embedded base URL \"x/\": relative; resolved against the next usable candidate"
        ),
        "{messages}"
    );
    // HTML permits it.
    let options = ["rewrite", "--url", "http://r/", "--profile", "whatwg"];
    assert_eq!(run(&options, "<base href=x/>").messages(0), "");
}

#[cfg(unix)]
#[test]
fn rewrite_output_has_default_permissions_or_keeps_existing_ones() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new(&[("a.html", "<a href=g>"), ("old.html", "")]);
    let mode = |name: &str| {
        fs::metadata(world.path(name))
            .expect(name)
            .permissions()
            .mode()
            & 0o777
    };
    fs::set_permissions(world.path("old.html"), fs::Permissions::from_mode(0o640))
        .expect("permissions");
    let default_mode = mode("a.html");
    for name in ["new.html", "old.html"] {
        world.run(&["rewrite", "a.html", "--url", "http://r/", "-o", name]);
    }
    assert_eq!((mode("new.html"), mode("old.html")), (default_mode, 0o640));
}

#[test]
fn rewrite_supports_profiles_and_output_forms() {
    let html = "<p><base href='x/'><a href=';y'></a><a href='http://a/b/../c d'></a>";
    let rewritten = |options: &[&str]| {
        let arguments = [&["rewrite", "--quiet", "--url", "http://a/b/c"], options].concat();
        run(&arguments, html).printed().trim_end().to_owned()
    };
    for (options, expected) in [
        (
            &[][..],
            "<p><base href='http://a/b/x/'><a href='http://a/b/c;y'></a><a href='http://a/b/../c d'></a>",
        ),
        (
            &["--base-scope", "document"],
            "<p><base href='http://a/b/x/'><a href='http://a/b/x/;y'></a><a href='http://a/b/../c d'></a>",
        ),
        (
            &["--profile", "whatwg", "--normalize"],
            "<p><base href='http://a/b/x/'><a href='http://a/b/x/;y'></a><a href='http://a/c%20d'></a>",
        ),
        (
            &[
                "--profile",
                "rfc3986",
                "--to",
                "root-relative",
                "--normalize",
                "--base-scope",
                "document",
            ],
            "<p><base href='http://a/b/x/'><a href='/b/x/;y'></a><a href='/c%20d'></a>",
        ),
        // This BASE counts in browsers alone.
        (
            &["--profile", "rfc3986", "--to", "root-relative"],
            "<p><base href='http://a/b/x/'><a href='http://a/b/;y'></a><a href='http://a/b/../c d'></a>",
        ),
        (
            &["--map", "http://a/b/=http://n/"],
            "<p><base href='http://n/x/'><a href='http://n/c;y'></a><a href='http://a/b/../c d'></a>",
        ),
    ] {
        assert_eq!(rewritten(options), expected, "{options:?}");
    }
    let messages = run(&["rewrite", "--map", "x=y"], html).messages(2);
    assert!(
        messages.contains("invalid value \"x=y\" for --map: not two absolute URLs separated by =\n  hint: use FROM=TO, such as"),
        "{messages}"
    );
}

/// RFC 3986 sections 6.2.2 and 6.2.3: URLs that differ in these ways are equivalent.
#[test]
fn rewrite_maps_urls_that_differ_in_spelling() {
    let moved = |profile: &str, from: &str, target: &str| {
        let mapping = format!("{from}=http://n/");
        let options = ["rewrite", "--profile", profile, "--map", &mapping];
        let html = run(&options, format!("<a href='{target}'></a>")).printed();
        html.trim_start_matches("<a href='")
            .trim_end()
            .trim_end_matches("'></a>")
            .to_owned()
    };
    for profile in ["rfc1808", "rfc3986", "whatwg"] {
        for (from, target, expected) in [
            (
                "HTTP://Old.Example/",
                "http://old.example/%41",
                "http://n/%41",
            ),
            (
                "http://old.example/",
                "HTTP://OLD.example:80/A",
                "http://n/A",
            ),
            ("http://h:80/", "http://h/x/../y", "http://n/x/../y"),
            ("http://h/%7Eu/", "http://h/~u/x", "http://n/x"),
            ("http://h/a/../d/", "http://h/d/e", "http://n/e"),
            ("http://h/d/", "http://h/./d/e?q#f", "http://n/e?q#f"),
            ("http://h/d/", "http://h/d/../e", "http://h/d/../e"),
            ("http://h/d/", "http://h/D/e", "http://h/D/e"),
            ("http://h/d/", "https://h/d/e", "https://h/d/e"),
            ("http://h/d/", "http://h:8080/d/e", "http://h:8080/d/e"),
        ] {
            let options = format!("{profile} {from} {target}");
            assert_eq!(moved(profile, from, target), expected, "{options}");
        }
    }
    // URL Standard, "special authority ignore slashes state".
    for from in ["http:/h/d/", "http:h/d", "http:\\\\h\\d"] {
        assert_eq!(
            moved("whatwg", from, "http://h/d/e"),
            "http://n/e",
            "{from}"
        );
    }
    let malformed = ["rewrite", "--map", "http://a b/=http://n/"];
    let messages = run(&malformed, "").messages(2);
    assert!(messages.contains("not two absolute URLs"), "{messages}");
}

#[test]
fn rewrite_leaves_an_unsupported_encoding_unchanged() {
    let html = "<meta charset=iso-2022-kr><a href=x>";
    let output = run(&["rewrite", "--url", "http://r/"], html);
    let messages = output.messages(2);
    assert!(messages.contains("standard input: left unchanged: unsupported encoding (not decoded by the Encoding Standard); set the encoding with --encoding"), "{messages}");
    assert_eq!(output.stdout, html);
}

#[cfg(unix)]
#[test]
fn rewrite_output_follows_symlinks_and_devices() {
    let world = World::new(&[("a.html", "<a href=g>"), ("real.html", "old")]);
    std::os::unix::fs::symlink("real.html", world.path("link.html")).expect("a symbolic link");
    let output = world.run(&["rewrite", "a.html", "--url", "http://r/", "-o", "link.html"]);
    assert_eq!(output.messages(0), "");
    let is_link = fs::symlink_metadata(world.path("link.html"))
        .expect("the link")
        .is_symlink();
    assert!(is_link);
    assert_eq!(world.read("real.html"), "<a href=http://r/g>");
    let output = world.run(&["rewrite", "a.html", "--url", "http://r/", "-o", "/dev/null"]);
    assert_eq!(output.messages(0), "");
    assert!(!fs::metadata("/dev/null").expect("the device").is_file());
}

#[test]
fn a_tree_with_unsupported_markup_is_left_unchanged() {
    let attributes: Vec<_> = (0..600).map(|number| format!("a{number}")).collect();
    let attributes = attributes.join(" ");
    let comment = format!("<svg><foreignObject><a {attributes}></a></foreignObject></svg>");
    let html = format!("<a href=b></a><!--[if IE]>{comment}<![endif]-->");
    let url = ["--url", "http://h/"];
    let preset = ["--preset", "comments"];
    for emit in ["source", "tree"] {
        let arguments = [&["rewrite", "--emit", emit], &url[..], &preset].concat();
        let output = run(&arguments, &html);
        assert_eq!(output.code, Some(2), "{emit}");
        assert_eq!(output.stdout, html, "{emit}");
        assert!(
            output.stderr.contains("left unchanged: "),
            "{emit}: {}",
            output.stderr
        );
    }
}

#[test]
fn rewrite_supports_style_sheets_presets_and_selectors() {
    let folder = tempfile::tempdir().expect("a folder");
    let sheet = folder.path().join("x.CSS");
    fs::write(&sheet, "@import 'a';b{c:url(d)}").expect("a file");
    let path = sheet.to_string_lossy().into_owned();
    let url = ["--url", "http://h/s/x.css"];
    let rewritten = run(&["rewrite", &path, url[0], url[1]], "").printed();
    assert_eq!(rewritten, "@import 'http://h/s/a';b{c:url(http://h/s/d)}");
    let as_html = run(
        &["rewrite", &path, url[0], url[1], "--input-format", "html"],
        "",
    )
    .printed();
    assert_eq!(as_html, "@import 'a';b{c:url(d)}");
    let tree = run(&["rewrite", &path, "--emit", "tree"], "");
    assert_eq!(tree.code, Some(2));

    let html = "<img src=a data-src=b><link rel=canonical href=c><x-y z=d>";
    for (options, expected) in [
        (
            &["--preset", "lazy"][..],
            "<img src=http://h/a data-src=http://h/b><link rel=canonical href=http://h/c><x-y z=d>",
        ),
        (
            &["--preset", "none,lazy"],
            "<img src=a data-src=http://h/b><link rel=canonical href=c><x-y z=d>",
        ),
        (
            &["--skip", "link[rel=canonical][href]"],
            "<img src=http://h/a data-src=b><link rel=canonical href=c><x-y z=d>",
        ),
        (
            &["--link", "x-y[z]=url", "--preset", "none"],
            "<img src=a data-src=b><link rel=canonical href=c><x-y z=http://h/d>",
        ),
    ] {
        let arguments = [&["rewrite", "--url", "http://h/"], options].concat();
        assert_eq!(run(&arguments, html).printed(), expected, "{options:?}");
    }
    for (options, message) in [
        (["--link", "img"], "missing grammar"),
        (["--link", "a[href]=uri"], "unknown grammar"),
        (
            ["--link", "title[#text]=css"],
            "other than style and script",
        ),
        (["--skip", "a[rel*=x][href]"], "condition other than"),
        (["--preset", "some"], "possible values"),
    ] {
        let output = run(&[&["rewrite"][..], &options].concat(), html);
        let stderr = output.stderr;
        assert!(stderr.contains(message), "{options:?}: {stderr}");
        assert_eq!(output.code, Some(2), "{options:?}");
    }
}

#[test]
fn rewrite_warns_if_a_removed_base_was_needed() {
    let html = "<base href=http://k/><a href='{{x}}/y'>";
    let output = run(&["rewrite", "--base-element", "remove"], html);
    let stderr = output.stderr;
    assert!(
        stderr.contains(
            "BASE removed, which changes the target of 1 relative reference left unchanged"
        ),
        "{stderr}"
    );
}

#[test]
fn rewrite_check_lists_changed_documents_and_writes_nothing() {
    let world = World::new(&[
        ("a.html", "<a href=g>"),
        ("b.html", "<a href=http://h/>"),
        ("c.html", "<img src=i>"),
    ]);
    let arguments = [
        "rewrite",
        "--check",
        "--url",
        "http://h/",
        "--root",
        ".",
        "c.html",
        "b.html",
        "a.html",
    ];
    let output = world.run(&arguments);
    assert_eq!(output.code, Some(1));
    assert_eq!(output.stdout, "a.html\nc.html\n");
    assert_eq!(world.read("a.html"), "<a href=g>");
    let nothing = world.run(&["rewrite", "--check", "b.html"]);
    assert_eq!(nothing.printed(), "");
    let standard_input = run(&["rewrite", "--check", "--url", "http://h/"], "<a href=g>");
    assert_eq!(
        (standard_input.code, &*standard_input.stdout),
        (Some(1), "-\n")
    );
}

#[test]
fn rewrite_diff_prints_a_unified_diff() {
    let world = World::new(&[
        ("a.html", "<p>\n<a href=g>\n<p>\u{1b}[1m\n"),
        ("b.html", "<p>b</p>\n"),
    ]);
    let arguments = [
        "rewrite",
        "--diff",
        "--url",
        "http://h/",
        "--root",
        ".",
        "a.html",
        "b.html",
    ];
    let output = world.run(&arguments);
    assert_eq!(output.code, Some(1));
    assert_eq!(
        output.stdout,
        "--- a/a.html\n+++ b/a.html\n@@ -1,3 +1,3 @@\n <p>\n-<a href=g>\n+<a href=http://h/g>\n <p>\u{1b}[1m\n"
    );
    let coloured = world.run(&[&arguments[..], &["--color", "always"]].concat());
    let coloured = coloured.stdout;
    assert!(
        coloured
            .contains("\u{1b}[31m-<a href=g>\u{1b}[0m\n\u{1b}[32m+<a href=http://h/g>\u{1b}[0m\n"),
        "{coloured}"
    );
    assert!(coloured.contains("<p>\\u{1b}[1m"), "{coloured}");
    assert_eq!(world.run(&["rewrite", "--diff", "b.html"]).printed(), "");
}

#[test]
fn rewrite_diff_keeps_the_bytes_of_the_documents() {
    let world = World::new(&[]);
    let name = "a \"b\"\n.html";
    fs::write(world.path(name), b"\xe8\xea\r<a href=g>\xe9\r\n<p>\n</p>\r").expect("a file");
    let arguments = ["rewrite", "--diff", "--encoding", "latin1", "--url"];
    let arguments = [&arguments[..], &["http://h/", name]].concat();
    // Not UTF-8, so not an `Answer`.
    let output = world
        .command(&arguments)
        .output()
        .expect("the command runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(
            b"--- \"a/a \\\"b\\\"\\012.html\"\n+++ \"b/a \\\"b\\\"\\012.html\"\n@@ -1,3 +1,3 @@\n\
            -\xe8\xea\r<a href=g>\xe9\r\n+\xe8\xea\r<a href=http://h/g>\xe9\r\n <p>\n \
            </p>\r\n\\ No newline at end of file\n"
        )
    );
    assert!(output.stdout.windows(2).any(|pair| pair == b"\xe8\xea"));
}

#[test]
fn rewrite_removes_attributes_of_documents_streams_and_trees() {
    // The last document is streamed.
    let long = "<p nonce=x>".repeat(1 << 16);
    let head = "<!doctype html><meta charset=utf-8><title>x</title>";
    let world = World::new(&[
        ("a.html", "<a nonce=x href=g>g</a><input type=text>"),
        ("b.html", &format!("{head}{long}")),
    ]);
    let remove = [
        "--remove-attribute",
        "*[nonce]",
        "--remove-attribute",
        "input[type]",
    ];
    let files = [
        "rewrite",
        "--url",
        "http://h/",
        "--root",
        ".",
        "a.html",
        "b.html",
        "-o",
        "o",
        "--report",
        "r",
    ];
    let output = world.run(&[&files[..], &remove].concat());
    assert_eq!(output.code, Some(0));
    let warning = "a.html: 1 edit beside links not made";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    assert_eq!(
        world.read("o/a.html"),
        "<a  href=http://h/g>g</a><input type=text>"
    );
    assert_eq!(
        world.read("o/b.html"),
        format!("{head}{}", long.replace("nonce=x", ""))
    );
    let report = world.read("r");
    assert!(
        report.contains(r#""beside":1,"left":1,"edited":2"#),
        "{report}"
    );
    let tree = ["rewrite", "--emit", "tree", "--url", "http://h/", "a.html"];
    let tree = world.run(&[&tree[..], &remove].concat()).stdout;
    assert!(
        tree.contains(r#"<a href="http://h/g">g</a><input type="text">"#),
        "{tree}"
    );
    let invalid = run(&["rewrite", "--remove-attribute", "script[#text]"], "").messages(2);
    assert!(invalid.contains("text is no attribute"), "{invalid}");
}

#[test]
fn rewrite_removes_elements_by_selector() {
    let html = "<head><!-- a bar --><script src=x></script></head><p><iframe src=y></iframe><table><img src=z>";
    let remove = [
        "rewrite",
        "--remove",
        "script",
        "--remove",
        "img",
        "--remove",
        "#comment[text~=bar]",
    ];
    let output = run(&remove, html);
    assert_eq!(
        (output.code, &*output.stdout),
        (
            Some(0),
            "<head></head><p><iframe src=y></iframe><table><img src=z>"
        )
    );
    let warning = "1 edit beside links not made";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    let invalid = run(&["rewrite", "--remove", "div"], "").messages(2);
    assert!(invalid.contains("end is not certain"), "{invalid}");
}

#[test]
fn rewrite_inserts_markup_of_files() {
    let world = World::new(&[
        ("a.html", "<title>x</title><p>y"),
        ("b.html", "<!--"),
        ("s", "<script>1</script>"),
        ("bad", "<script>"),
    ]);
    let arguments = [
        "rewrite",
        "a.html",
        "b.html",
        "-o",
        "o",
        "--insert-head",
        "s",
        "--insert-body-end",
        "s",
    ];
    let output = world.run(&arguments);
    assert_eq!(output.code, Some(0));
    let warning = "b.html: 2 edits beside links not made";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    assert_eq!(
        world.read("o/a.html"),
        "<script>1</script><title>x</title><p>y<script>1</script>"
    );
    assert_eq!(world.read("o/b.html"), "<!--");
    for (file, problem) in [("bad", "incomplete markup"), ("missing", "No such file")] {
        let message = world
            .run(&["rewrite", "a.html", "--insert-head-end", file])
            .messages(2);
        assert!(message.contains(problem), "{message}");
    }
}
