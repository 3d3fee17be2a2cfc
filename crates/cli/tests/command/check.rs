//! The output formats, options and exit codes of `absolve check`.

use std::fs;

use absolve::check::Rule;
use serde_json::{Value, json};
use support::world::{Answer, World, run};

/// Runs `absolve check` in the root of the repository.
fn check(arguments: &[&str], stdin: &[u8]) -> Answer {
    run(&[&["check"], arguments].concat(), stdin)
}

/// Runs `absolve check` in `world`.
fn check_in(world: &World, arguments: &[&str]) -> Answer {
    world.run(&[&["check"], arguments].concat())
}

/// Returns stdout and stderr, after checking the exit code.
fn ended(answer: &Answer, code: i32) -> (String, String) {
    let messages = answer.messages(code);
    (answer.stdout.clone(), messages)
}

const URL: [&str; 2] = ["--url", "https://example.org/docs/page.html"];

#[test]
fn text_underlines_the_span() {
    let html = "<p>\n\t<a href=\"日本/../../../g\">\u{1b}[31m</a>\n".as_bytes();
    let (text, messages) = ended(&check(&URL, html), 1);
    assert_eq!(
        text,
        "error[dots-above-root]: 1 \"..\" too many: kept by RFC 1808, dropped by browsers\n \
         --> -:2:11\n  \
         |\n\
         2 | <a href=\"日本/../../../g\">\\u{1b}[31m</a>\n  \
         |          ^^^^^^^^^^^^^^^\n  \
         = source: RFC 1808 section 5.2; RFC 3986 section 5.4.2\n  \
         = help: remove the extra \"..\", and check that the base URL is correct\n\n"
    );
    assert_eq!(messages, "absolve: 1 finding in 1 of 1 document\n");
}

#[test]
fn text_truncates_long_lines_and_multiline_references() {
    let html = format!(
        "{}<a href=\"x\ny\">{}",
        "x".repeat(300_000),
        "z".repeat(300_000)
    );
    let (text, _) = ended(&check(&URL, html.as_bytes()), 1);
    let longest = text.lines().map(str::len).max();
    assert!(longest < Some(200), "{text}");
    assert!(text.contains("-:1:300010\n"), "{text}");
    assert!(text.contains("xxx<a href=\"x...\n"), "{text}");
    assert!(text.contains(" ^^^^\n"), "{text}");
}

#[test]
fn text_decodes_legacy_encodings() {
    // "д" in windows-1251.
    let html = b"<meta charset=windows-1251><a href='\xe4 \xe4'>";
    let (text, _) = ended(&check(&URL, html), 1);
    assert!(text.contains("<a href='д д'>"), "{text}");
}

#[test]
fn color_option_controls_escape_codes() {
    let html = b"<a href='a b'>";
    let coloured = |arguments: &[&str]| {
        let arguments = [&URL[..], arguments].concat();
        ended(&check(&arguments, html), 1).0.contains('\x1b')
    };
    assert!(coloured(&["--color", "always"]));
    assert!(!coloured(&["--color", "never"]));
    assert!(!coloured(&[]), "stdout is not a terminal");
    assert!(!coloured(&["--color", "always", "--format", "github"]));
}

#[test]
fn json_is_one_array() {
    let world = World::new(&[
        ("a.html", "<a href='a b'>\n<a href='../../c'>"),
        ("b.html", "<p>"),
    ]);
    let url = ["-u", "https://example.org/docs/", "--root", "."];
    let arguments = [&url[..], &["--format", "json", "a.html", "b.html"]].concat();
    let (text, messages) = ended(&check_in(&world, &arguments), 1);
    assert_eq!(messages, "absolve: 2 findings in 1 of 2 documents\n");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("an array");
    let [first, second] = &rows[..] else {
        panic!("{text}")
    };
    for (key, expected) in [
        ("path", Value::from("a.html")),
        ("line", 1.into()),
        ("column", 10.into()),
        ("end_line", 1.into()),
        ("end_column", 13.into()),
        ("start", 9.into()),
        ("end", 12.into()),
        ("rule", "white-space".into()),
        ("element", "a".into()),
        ("attribute", "href".into()),
        ("reference", "a b".into()),
    ] {
        assert_eq!(first[key], expected, "{key}");
    }
    assert_eq!(
        (&second["rule"], &second["line"]),
        (&"dots-above-root".into(), &2.into())
    );
    assert!(first["message"].is_string() && first["help"].is_string());
    assert!(
        first["section"]
            .as_str()
            .is_some_and(|section| section.starts_with("RFC 1808"))
    );

    let (text, messages) = ended(&check(&["--format", "json"], b"<p>"), 0);
    assert_eq!(
        serde_json::from_str::<Value>(&text).expect("JSON"),
        Value::Array(Vec::new())
    );
    assert_eq!(messages, "absolve: no findings in 1 document\n");
}

#[test]
fn github_format_is_workflow_commands() {
    let world = World::new(&[("a,b:100%.html", "<a href='a b'>\n<a href='c\nd'>")]);
    let arguments = [&URL[..], &["--format", "github", "a,b:100%.html"]].concat();
    let (text, _) = ended(&check_in(&world, &arguments), 1);
    let lines: Vec<&str> = text.lines().collect();
    let [first, second] = lines[..] else {
        panic!("{text}")
    };
    assert_eq!(
        first,
        "::error file=a%2Cb%3A100%25.html,line=1,endLine=1,col=10,endColumn=13,title=white-space::\
         a space inside a reference; write %2520, or remove it"
    );
    // A finding on several lines has no columns.
    assert!(
        second.contains(",line=2,endLine=3,title=white-space::"),
        "{second}"
    );
}

/// Checks the properties that the schema of SARIF 2.1.0 requires.
#[test]
fn sarif_log_has_the_required_properties() {
    let world = World::new(&[("ä b.html", "<a href='a b'>"), ("c.html", "<base href=x>")]);
    let arguments = [
        "--format",
        "sarif",
        "ä b.html",
        "c.html",
        "--ignore",
        "no-base",
    ];
    let (text, _) = ended(&check_in(&world, &arguments), 1);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"]
            .as_str()
            .is_some_and(|uri| uri.ends_with("sarif-2.1.0.json"))
    );
    let runs = log["runs"].as_array().expect("runs");
    let [run] = &runs[..] else { panic!("{runs:?}") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "absolve");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = driver["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), Rule::ALL.len() - 1);
    for rule in rules {
        assert!(rule["id"].is_string());
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(
                rule[text]["text"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{rule}"
            );
        }
    }
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{results:?}");
    for result in results {
        assert!(result["message"]["text"].is_string());
        assert_eq!(result["level"], "error");
        let index = result["ruleIndex"]
            .as_u64()
            .and_then(|index| usize::try_from(index).ok());
        assert_eq!(rules[index.expect("an index")]["id"], result["ruleId"]);
    }
    let location = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "%C3%A4%20b.html");
    let region = &location["region"];
    let numbers = [
        "startLine",
        "startColumn",
        "endLine",
        "endColumn",
        "byteOffset",
        "byteLength",
    ];
    let numbers = numbers.map(|key| region[key].as_u64().expect(key));
    assert_eq!(numbers, [1, 10, 1, 13, 9, 3]);
}

/// The base URL is not part of the document, so the finding has no span.
#[test]
fn finding_without_span_has_no_position() {
    let url = ["--url", "ftp://example.org/pub;type=d", "--format"];
    let output = |format| {
        let arguments = [&url[..], &[format]].concat();
        ended(&check(&arguments, b"<a href=a>"), 1).0
    };
    let text = output("text");
    assert!(
        text.starts_with("error[base-type-d]: relative paths"),
        "{text}"
    );
    assert_eq!(text.lines().nth(1), Some(" --> -"), "{text}");
    let rows: Value = serde_json::from_str(&output("json")).expect("JSON");
    for key in ["line", "column", "start", "end", "element", "reference"] {
        assert!(rows[0][key].is_null(), "{key}: {rows}");
    }
    let github = output("github");
    assert!(
        github.starts_with("::error title=base-type-d::"),
        "{github}"
    );
    let log: Value = serde_json::from_str(&output("sarif")).expect("JSON");
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(
        location["artifactLocation"].is_object() && location.get("region").is_none(),
        "{location}"
    );
}

#[test]
fn sarif_without_findings_has_empty_results() {
    let (text, _) = ended(&check(&["--format", "sarif"], b"<p>"), 0);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

/// Returns the data of a report in HTML, after checking that nothing in them can end their element.
fn data_of_report(html: &str) -> Value {
    assert!(html.starts_with("<!DOCTYPE html>\n") && html.ends_with("</html>\n"));
    let (_, rest) = html
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("data");
    let (data, _) = rest.split_once('<').expect("an end tag");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn html_report_has_the_findings() {
    let world = World::new(&[]);
    // A document that would end the element of the data, or begin a comment in it.
    let hostile = "<a href='www.example.org/</script><!--\u{e9}'><a href='../../c'>";
    world.write("a.html", hostile);
    world.write("b/index.html", "<a href='../../../d'>");
    let arguments = ["--url", "https://h.example/", ".", "--format", "html"];
    let (html, message) = ended(&check_in(&world, &arguments), 1);
    assert!(message.contains("3 findings in 2 of 2 documents"));
    let data = data_of_report(&html);
    assert_eq!(data["kind"], "check");
    assert_eq!(data["summary"], "3 findings in 2 of 2 documents");
    let bars = data["bars"].as_array().expect("an array");
    let counts: Vec<_> = bars
        .iter()
        .map(|bar| (&bar["name"], &bar["count"]))
        .collect();
    assert_eq!(
        counts,
        [
            (&Value::from("missing-scheme"), &Value::from(1)),
            (&Value::from("dots-above-root"), &Value::from(2))
        ]
    );
    let rows = data["rows"].as_array().expect("an array");
    let place = |row: &Value| (row[0].clone(), row[4].clone());
    assert_eq!(
        rows.iter().map(place).collect::<Vec<_>>(),
        [
            (0.into(), json!([[0, 1, 10]])),
            (1.into(), json!([[0, 1, 51]])),
            (1.into(), json!([[1, 1, 10]]))
        ]
    );
    assert_eq!(data["paths"], json!(["./a.html", "./b/index.html"]));
    assert_eq!(rows[0][3][0], "<a href='");
    assert_eq!(rows[0][3][1], "www.example.org/</script><!--\u{e9}");
    assert_eq!(data["arguments"][1], "--url");
    // The order of documents does not depend on threads.
    let again = ended(
        &check_in(&world, &[&arguments[..], &["-j", "1"]].concat()),
        1,
    );
    let mut again = data_of_report(&again.0);
    for name in ["arguments", "time"] {
        again[name] = data[name].clone();
    }
    assert_eq!(again, data);
}

#[test]
fn html_report_has_every_place() {
    let many = "<a href=www.example.org/x>\n<a href='www.example.org/y'>\n".repeat(700);
    let secret = ["--format", "html", "--header", "Cookie: secret"];
    let (html, _) = ended(&check(&[&URL[..], &secret].concat(), many.as_bytes()), 1);
    assert!(!html.contains("secret"));
    let data = data_of_report(&html);
    assert_eq!(data["bars"][0]["count"], 1400);
    let rows = data["rows"].as_array().expect("an array");
    assert_eq!(rows.len(), 2);
    let places = rows[1][4][0].as_array().expect("an array");
    assert_eq!(places.len(), 1401);
    assert_eq!(places[1399], 1400);
    let (html, _) = ended(&check(&["--format", "html"], b"<p>"), 0);
    assert_eq!(data_of_report(&html)["rows"], Value::Array(Vec::new()));
}

#[test]
fn select_and_ignore_filter_rules() {
    let html = b"<a href='a b'><a href='../../c'><a href='www.example.org/x'>";
    let rules = |arguments: &[&str]| {
        let arguments = [&URL[..], &["--format", "json"], arguments].concat();
        let rows: Vec<Value> =
            serde_json::from_str(&check(&arguments, html).stdout).expect("an array");
        let rules = rows.iter().filter_map(|row| row["rule"].as_str());
        rules.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        rules(&[]),
        ["white-space", "dots-above-root", "missing-scheme"]
    );
    assert_eq!(
        rules(&["--select", "white-space,missing-scheme"]),
        ["white-space", "missing-scheme"]
    );
    assert_eq!(
        rules(&["--ignore", "white-space", "--ignore", "no-base"]),
        ["dots-above-root", "missing-scheme"]
    );
    let both = ["--select", "white-space", "--ignore", "white-space"];
    let (text, messages) = ended(&check(&[&URL[..], &both].concat(), html), 2);
    assert_eq!(text, "");
    assert!(
        messages.contains("--select white-space and --ignore white-space exclude each other"),
        "{messages}"
    );
}

#[test]
fn exclude_link_leaves_out_what_matches() {
    let html = b"<a href='a b'><a href='a b#L1-L2'><a href='../../c'>";
    let references = |arguments: &[&str]| {
        let arguments = [&URL[..], &["--format", "jsonl", "--exit-zero"], arguments].concat();
        let (text, _) = ended(&check(&arguments, html), 0);
        let rows = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        rows.map(|row: Value| row["reference"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(references(&[]), ["a b", "a b#L1-L2", "../../c"]);
    assert_eq!(
        references(&[
            "--exclude-link",
            "#L[0-9]+(-L[0-9]+)?$",
            "--exclude-link",
            r"^\.\./"
        ]),
        ["a b"]
    );
    let (_, messages) = ended(&check(&["--exclude-link", "a(b"], html), 2);
    assert!(messages.contains("unclosed group"), "{messages}");
}

/// A newcomer names nothing but a directory.
#[test]
fn check_of_a_directory_without_url_finds_missing_files() {
    let world = World::new(&[
        (
            "w/a/p.html",
            "<a href=../B/faq.html>1</a><a href=/b/faq.html#x>2</a>",
        ),
        (
            "w/b/faq.html",
            "<p id=x><a href=https://h.example/x>3</a><a href=../a/p.html>4</a>",
        ),
    ]);
    let (text, messages) = ended(&check_in(&world, &["w"]), 1);
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert!(text.contains("write \"../b/faq.html\""), "{text}");
    assert_eq!(messages.matches("without --url").count(), 1, "{messages}");
    // Several directories have no common root, and one with a base URL of its own needs none.
    let several = ended(&check_in(&world, &["w/a", "w/b"]), 1).0;
    assert!(several.contains("error[no-base]"), "{several}");
    let (_, messages) = ended(
        &check_in(&world, &["w", "--default-base", "https://h/x/"]),
        0,
    );
    assert!(!messages.contains("without --url"), "{messages}");
    let (_, messages) = ended(&check_in(&world, &["w", "-q"]), 1);
    assert_eq!(messages, "");
}

#[test]
fn unknown_rule_is_an_error_with_suggestions() {
    for option in ["--select", "--ignore", "--explain"] {
        let (text, messages) = ended(&check(&[option, "base-relativ"], b""), 2);
        assert_eq!(text, "");
        assert!(
            messages.contains(option) && messages.contains("did you mean base-relative"),
            "{messages}"
        );
        let (_, messages) = ended(&check(&[option, "qqqq"], b""), 2);
        assert!(
            messages.contains("absolve check --explain lists the rules"),
            "{messages}"
        );
    }
}

#[test]
fn unreadable_file_is_reported_and_the_rest_is_checked() {
    let world = World::new(&[("a.html", "<a href='a b'>")]);
    let url = ["-u", "https://example.org/docs/", "--root", "."];
    let arguments = [&url[..], &["missing.html", "a.html"]].concat();
    let (text, messages) = ended(&check_in(&world, &arguments), 2);
    assert!(text.contains("white-space"), "{text}");
    assert!(
        messages.contains("cannot read missing.html: "),
        "{messages}"
    );
    let (_, messages) = ended(&check(&["--quiet"], b"<p>"), 0);
    assert_eq!(messages, "");
}

#[test]
fn short_help_fits_a_screen() {
    let (help, _) = ended(&check(&["-h"], b""), 0);
    assert!(
        help.lines().count() <= 40,
        "{}\n{help}",
        help.lines().count()
    );
    for line in [
        "[default: text]",
        "[default: all]",
        "[default: auto]",
        "[default: rfc1808]",
    ] {
        assert!(help.contains(line), "{line}: {help}");
    }
}

#[test]
fn explain_lists_rules_on_80_columns() {
    let (list, _) = ended(&check(&["--explain"], b""), 0);
    let rows = list.lines().map(|line| line.split_once("  "));
    let rows: Option<Vec<(&str, &str)>> = rows.collect();
    let rows = rows.expect("a name and a summary on each line");
    let rows: Vec<(&str, &str)> = rows
        .into_iter()
        .map(|(name, summary)| (name, summary.trim_start()))
        .collect();
    assert_eq!(rows, Rule::ALL.map(|rule| (rule.name(), rule.summary())));
    assert!(list.lines().all(|line| line.len() <= 80), "{list}");
}

/// The beginning of `docs/rules.md`.
const RULES_HEAD: &str = "\
# Rules of `absolve check`

<!-- Generated from src/check/rules: ABSOLVE_WRITE=1 cargo test --test command -->

`absolve check` reports problems with the base URL and the links of a document.
`--select` and `--ignore` choose rules by name. `--explain RULE` prints one of the
sections below.

| Rule | Problem |
|---|---|
";

/// `docs/rules.md` contains the output of `--explain` for every rule. `ABSOLVE_WRITE=1` writes the file.
#[test]
fn explain_matches_docs() {
    let row = |rule: Rule| format!("| [{rule}](#{rule}) | {} |\n", rule.summary());
    let mut document = [RULES_HEAD, &Rule::ALL.map(row).concat()].concat();
    for rule in Rule::ALL {
        let (text, _) = ended(&check(&["--explain", rule.name()], b""), 0);
        assert_eq!(text, rule.documentation());
        // One level deeper. No example has a line that begins with a number sign.
        let section = text.replace("\n## ", "\n### ");
        document.push_str("\n#");
        document.push_str(&section);
    }
    let path = support::root().join("docs/rules.md");
    if std::env::var_os("ABSOLVE_WRITE").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().expect("docs")).expect("a directory");
        fs::write(&path, &document).expect("a written file");
    }
    let written = fs::read_to_string(&path).expect("docs/rules.md");
    assert!(
        written == document,
        "docs/rules.md differs from --explain; run ABSOLVE_WRITE=1 cargo test --test command"
    );
}

/// A build that writes to another directory would pass for ever.
#[test]
fn a_directory_without_documents_fails() {
    let world = World::new(&[("w/x.png", "")]);
    let answer = world.run(&["check", "w"]).exits_with(2);
    assert!(answer.stderr.contains("no documents found"), "{answer:?}");
    world.run(&["links", "w"]).exits_with(0);
}

#[test]
fn files_that_are_no_documents_are_named() {
    let world = World::new(&[("a.pdf", "%PDF-1.7\n"), ("a.gif", "GIF89a")]);
    for (file, message) in [
        ("a.pdf", "not a document that is read (PDF)"),
        ("a.gif", "not a document (GIF image)"),
    ] {
        world
            .run(&["check", file])
            .exits_with(2)
            .stderr_contains(message);
    }
}

/// The host of a directory without a URL is not known.
#[test]
fn base_of_a_directory_without_a_url_is_not_foreign() {
    let world = World::new(&[(
        "w/index.html",
        "<base href=https://example.org/><a href=x>x</a>",
    )]);
    let run = |more: &[&str]| {
        let arguments = [&["check", "w", "--select", "base-foreign-host"], more].concat();
        world.run(&arguments)
    };
    run(&[]).exits_with(0);
    run(&["--base-path", "/x/"]).exits_with(0);
    run(&["--url", "https://example.org/"]).exits_with(0);
    run(&["--url", "https://www.example.org/"]).exits_with(1);
}

#[test]
fn check_names_what_browsers_do_not_load_from_a_disk() {
    let page =
        "<!DOCTYPE html><meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">
<script type=module src=a.js></script><script src=a.js></script>
<script type=module src=https://cdn.example/a.js></script>";
    let world = World::new(&[("w/index.html", page), ("w/a.js", "1")]);
    let warnings = "absolve: browsers do not run 1 module script of pages on a disk (file://); open the pages through a server
absolve: 1 document with a content security policy, which may block files on a disk (file://)
";
    for (url, expected) in [("file:///w/", warnings), ("https://h.example/", "")] {
        let messages = world.run(&["check", "w", "--url", url]).messages(0);
        let summary = "absolve: no findings in 1 document\n";
        assert_eq!(messages, format!("{expected}{summary}"));
    }
}
