//! `absolve resolve`.

use support::world::run;

#[test]
fn resolve_prints_every_example_of_rfc_1808() {
    for row in support::table("fixtures/rfc1808/examples.tsv") {
        let [_, base, reference, target] = &row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(
            run(&["resolve", base, reference], "").printed(),
            format!("{target}\n"),
            "{base} + {reference:?}"
        );
    }
}

#[test]
fn resolve_reads_references_from_stdin() {
    let output = run(&["resolve", "http://a/b", "g", "-", "h"], "i\n\n");
    assert_eq!(
        output.printed(),
        "http://a/g\nhttp://a/i\nhttp://a/b\nhttp://a/h\n"
    );
}

#[test]
fn resolve_supports_every_profile_and_explain() {
    for (profile, target) in [
        ("rfc1808", "http://a/b;x"),
        ("rfc3986", "http://a/;x"),
        ("whatwg", "http://a/;x"),
    ] {
        let output = run(&["resolve", "--profile", profile, "http://a/b", ";x"], "").printed();
        assert_eq!(output, format!("{target}\n"), "{profile}");
    }
    let output = run(
        &[
            "resolve",
            "--explain",
            "--profile",
            "rfc3986",
            " http://a/b ",
            "../g",
        ],
        "",
    )
    .printed();
    assert_eq!(
        output,
        "http://a/g\n  RFC 3986 section 5.2.2: the path is relative: merged with the base URL's (5.2.3), \
         dot segments removed (5.2.4)\n"
    );
    // An invalid reference is reported, and the others are resolved.
    let output = run(
        &[
            "resolve",
            "--profile",
            "whatwg",
            "http://a/b",
            "http://a b/",
            "g",
        ],
        "",
    );
    assert!(
        output
            .messages(1)
            .contains("\"http://a b/\": not a valid URL (URL Standard)")
    );
    assert_eq!(output.stdout, "\nhttp://a/g\n");
    // Each result is one line, even if the reference contains a line break.
    assert_eq!(
        run(&["resolve", "http://a/b", "x:y\nz"], "").printed(),
        "x:yz\n"
    );
    // Spaces at the ends do not belong to a reference, be it absolute or not.
    assert_eq!(
        run(&["resolve", "http://a/b", " x:y ", " g "], "").printed(),
        "x:y\nhttp://a/g\n"
    );
}

/// Every reference has one line, so the output can be pasted beside the input.
#[test]
fn resolve_prints_one_line_for_each_reference() {
    let input = "g\nhttp://a b/\n\n#f\n";
    let batch = ["resolve", "--profile", "whatwg", "http://a/b", "-"];
    let output = run(&batch, input);
    assert_eq!(output.stdout, "http://a/g\n\nhttp://a/b\nhttp://a/b#f\n");
    output.messages(1);

    let jsonl = [
        "resolve",
        "--format",
        "jsonl",
        "--profile",
        "whatwg",
        "http://a/b",
        "g",
        "http://a b/",
    ];
    assert_eq!(
        run(&jsonl, "").stdout,
        "{\"reference\":\"g\",\"target\":\"http://a/g\",\"reason\":null}\n\
         {\"reference\":\"http://a b/\",\"target\":null,\"reason\":\"malformed\"}\n"
    );
    let explained = [
        "resolve",
        "--format",
        "jsonl",
        "--explain",
        "http://a/b",
        "x:y",
    ];
    assert_eq!(
        run(&explained, "").printed(),
        "{\"reference\":\"x:y\",\"target\":\"x:y\",\"reason\":null,\"steps\":[\"RFC 1808 section 4, step 2b: \
         the reference has a scheme: it is absolute\"]}\n"
    );
}

/// A base URL that cannot be used is named in the message; references that need none are resolved.
#[test]
fn resolve_blames_the_base_url_where_it_is_at_fault() {
    for (profile, base, problem) in [
        ("rfc1808", "x", "base URL without a scheme"),
        ("rfc1808", "mailto:x", "non-hierarchical base URL"),
        ("whatwg", "x", "base URL without a scheme"),
        ("whatwg", "mailto:x", "non-hierarchical base URL"),
        (
            "whatwg",
            "http://a b/",
            "base URL without a valid network location",
        ),
    ] {
        let output = run(
            &["resolve", "--profile", profile, base, "g", "http://h/i"],
            "",
        );
        assert_eq!(output.stdout, "\nhttp://h/i\n", "{profile} {base}");
        let message = format!("\"g\" cannot be resolved against \"{base}\": {problem}\n  hint: ");
        assert!(
            output.messages(1).contains(&message),
            "{profile} {base}: {}",
            output.messages(1)
        );
    }
}

/// RFC 1808 section 4: without a base URL every reference is absolute (step 1), and a reference with a scheme needs
/// none (step 2b).
#[test]
fn resolve_explains_references_without_a_base_url() {
    let explain = |base| run(&["resolve", "--explain", base, "x:y"], "").printed();
    assert_eq!(
        explain(""),
        "x:y\n  RFC 1808 section 4, step 1: the base URL is empty: the reference is taken as an absolute URL\n"
    );
    assert_eq!(
        explain("x"),
        "x:y\n  RFC 1808 section 4, step 2b: the reference has a scheme: it is absolute, and needs no base URL\n"
    );
}

/// A target is data: nothing in it is escaped for a terminal.
#[test]
fn resolve_prints_targets_as_they_are() {
    let target = "http://h/a\u{ad}b";
    assert_eq!(
        run(&["resolve", "", target], "").printed(),
        format!("{target}\n")
    );
    let explained = run(&["resolve", "--explain", "", target], "").printed();
    assert!(explained.starts_with("http://h/a\\u{ad}b\n"), "{explained}");
}

#[test]
fn resolve_hints_at_file_urls() {
    let output = run(&["resolve", "C:\\dir\\page.html", "g"], "");
    assert_eq!(output.stdout, "\n");
    assert!(output.messages(1).contains("file:///C:/"), "{output:?}");
}
