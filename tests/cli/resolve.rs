//! `absolve resolve`.

use crate::support;
use crate::world::run;

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
            .messages(2)
            .contains("\"http://a b/\": not a valid URL (URL Standard)")
    );
    assert_eq!(output.stdout, "http://a/g\n");
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
