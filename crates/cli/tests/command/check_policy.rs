//! Which findings of `absolve check` affect the exit status or are reported at all: severities, baselines, comments.

use serde_json::Value;
use support::world;
use support::world::World;

const URL: &str = "https://h.example/";

/// Two findings: of the rule `backslash`, and of `missing-target`.
fn site() -> World {
    World::new(&[(
        "w/a.html",
        "<a href='..\\a.html'>a</a>\n<a href=gone.html>g</a>\n",
    )])
}

fn check(world: &World, options: &[&str]) -> world::Answer {
    world.run(&[&["check", "w", "--url", URL], options].concat())
}

#[test]
fn warnings_do_not_affect_the_exit_status() {
    let world = site();
    check(&world, &[]).exits_with(1);
    let answer = check(&world, &["--warn", "backslash"]).exits_with(1);
    assert!(answer.stdout.contains("warning[backslash]"), "{answer:?}");
    assert!(
        answer.stdout.contains("error[missing-target]"),
        "{answer:?}"
    );
    let both = ["--warn", "backslash,missing-target"];
    let answer = check(&world, &both).exits_with(0);
    assert_eq!(
        answer.stderr,
        "absolve: 2 findings in 1 of 1 document; warnings: 2\n"
    );
    let messages = check(&world, &["--warn", "backslahs"]).messages(2);
    assert!(messages.contains("--warn \"backslahs\": "), "{messages}");
    assert!(messages.contains("did you mean backslash?"), "{messages}");
}

#[test]
fn every_format_has_the_severity() {
    let world = site();
    let printed = |format| {
        let options = ["--warn", "backslash", "--format", format];
        check(&world, &options).exits_with(1).stdout
    };
    let json: Value = serde_json::from_str(&printed("json")).expect("JSON");
    assert_eq!(json[0]["severity"], "warning");
    assert_eq!(json[1]["severity"], "error");
    let sarif: Value = serde_json::from_str(&printed("sarif")).expect("JSON");
    let run = &sarif["runs"][0];
    for (result, level) in run["results"]
        .as_array()
        .expect("results")
        .iter()
        .zip(["warning", "error"])
    {
        assert_eq!(result["level"], level);
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["defaultConfiguration"]["level"], level);
    }
    let github = printed("github");
    assert!(
        github.starts_with("::warning file=w/a.html,line=1,"),
        "{github}"
    );
    assert!(
        github.contains("\n::error file=w/a.html,line=2,"),
        "{github}"
    );
    let html = printed("html");
    assert!(html.contains(",\"warning\",["), "{html}");
}

#[test]
fn a_baseline_leaves_new_findings() {
    let world = site();
    let baseline = ["--baseline", "known.jsonl"];
    let messages = check(&world, &baseline).messages(2);
    assert!(messages.contains("known.jsonl"), "{messages}");
    assert!(messages.contains("--write-baseline"), "{messages}");
    let write = [&baseline[..], &["--write-baseline"]].concat();
    let answer = check(&world, &write).exits_with(0);
    assert_eq!(answer.stdout, "");
    assert_eq!(
        world.read("known.jsonl"),
        "{\"document\":\"a.html\",\"rule\":\"backslash\",\"link\":\"a[href]\",\"reference\":\"..\\\\a.html\",\"count\":1}\n\
         {\"document\":\"a.html\",\"rule\":\"missing-target\",\"link\":\"a[href]\",\"reference\":\"gone.html\",\"count\":1}\n"
    );
    let answer = check(&world, &baseline).exits_with(0);
    assert_eq!(
        answer.stderr,
        "absolve: no findings in 1 document; in the baseline: 2\n"
    );
    // On another line, a finding is the same; a second one alike is new, and one that was corrected is gone.
    world.write(
        "w/a.html",
        "\n\n<a href=gone.html>g</a>\n<a href=gone.html>g</a>\n",
    );
    let answer = check(&world, &baseline).exits_with(1);
    assert_eq!(
        answer.stderr,
        "absolve: 1 finding in 1 of 1 document; in the baseline: 1; gone from the baseline: 1\n"
    );
    assert!(answer.stdout.contains("w/a.html:4:"), "{answer:?}");
    world.write("known.jsonl", "nonsense\n");
    let messages = check(&world, &baseline).messages(2);
    assert!(
        messages.contains("known.jsonl:1: not a line of a baseline"),
        "{messages}"
    );
}

#[test]
fn a_file_that_is_no_baseline_is_not_replaced() {
    let world = site();
    for name in ["w/a.html", "known.jsonl"] {
        world.write(name, "<p>x");
        let arguments = ["--baseline", name, "--write-baseline"];
        let messages = check(&world, &arguments).messages(2);
        assert!(messages.contains("use another file"), "{messages}");
        assert_eq!(world.read(name), "<p>x");
    }
}

#[test]
fn a_baseline_is_complete_or_as_it_was() {
    let world = site();
    world.write("known.jsonl", "");
    let arguments = [
        "check",
        "w/a.html",
        "w/missing.html",
        "--baseline",
        "known.jsonl",
        "--write-baseline",
    ];
    let messages = world.run(&arguments).messages(2);
    assert!(
        messages.contains("known.jsonl is not written"),
        "{messages}"
    );
    assert_eq!(world.read("known.jsonl"), "");
}

#[test]
fn comments_suppress_findings() {
    let link = "<a href='a\\b'>x</a>";
    for (document, expected) in [
        (
            format!("<!-- absolve-ignore backslash -->\n{link}\n{link}"),
            1,
        ),
        (
            format!("{link} <!-- absolve-ignore backslash, no-base --> {link}"),
            0,
        ),
        (format!("<!-- absolve-ignore -->\n{link}"), 0),
        (format!("<!-- absolve-ignore no-base -->\n{link}"), 1),
        (format!("<!-- absolve-ignore nonsense -->\n{link}"), 1),
        (
            format!("{link}\n\n<!-- absolve-ignore-file backslash -->\n{link}"),
            0,
        ),
        (format!("<!--\nabsolve-ignore backslash\n-->\r\n{link}"), 0),
        (format!("<!-- absolve-ignored -->\n{link}"), 1),
        (format!("<p title='absolve-ignore backslash'>\n{link}"), 1),
    ] {
        let world = World::new(&[("w/a.html", &document)]);
        let answer = check(&world, &["--select", "backslash", "--format", "json"]);
        assert_eq!(
            answer.stdout.matches("\"rule\"").count(),
            expected,
            "{document} {answer:?}"
        );
    }
    let world = World::new(&[
        (
            "w/a.css",
            "/* absolve-ignore backslash */ a { background: url('a\\\\b') }",
        ),
        (
            "w/a.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>\n<!-- absolve-ignore backslash -->\n<a href='a\\b'/></svg>",
        ),
    ]);
    let answer = check(&world, &["--select", "backslash"]).exits_with(0);
    assert_eq!(
        answer.stderr,
        "absolve: no findings in 2 documents; suppressed: 2\n"
    );
    // Lines are those of the text, whatever its encoding.
    let text = format!("\n<!-- absolve-ignore backslash -->\n{link}\n{link}");
    let utf16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(world.path("w/b.html"), utf16).expect("written");
    let answer = check(&world, &["--select", "backslash"]).exits_with(1);
    assert!(answer.stdout.contains("w/b.html:4:"), "{answer:?}");
    assert_eq!(
        answer.stderr,
        "absolve: 1 finding in 1 of 3 documents; suppressed: 3\n"
    );
}

#[test]
fn statistics_count_links() {
    let world = site();
    let answer = check(&world, &["--stats", "--exit-zero"]).exits_with(0);
    assert!(
        answer
            .stderr
            .contains("links: 2; resolved: 2, absolute: 0, skipped: 0\n"),
        "{answer:?}"
    );
    assert_eq!(
        answer
            .stderr
            .matches("2 findings in 1 of 1 document")
            .count(),
        1,
        "{answer:?}"
    );
}
