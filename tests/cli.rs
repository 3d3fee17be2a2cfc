//! The command line: output, messages, exit codes and files of every verb.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Creates a temporary directory with these files.
fn world(files: &[(&str, &str)]) -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    for (name, content) in files {
        fs::write(directory.path().join(name), content).expect("a written file");
    }
    directory
}

fn run_in(directory: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that does not read its input closes the pipe early: ignore the error.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(stdin.as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn run(arguments: &[&str], stdin: &str) -> Output {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, stdin)
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Returns standard error, after checking the exit code.
fn stderr(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn resolve_prints_every_example_of_rfc_1808() {
    for row in support::table("fixtures/rfc1808/examples.tsv") {
        let [_, base, reference, target] = &row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(
            stdout(&run(&["resolve", base, reference], "")),
            format!("{target}\n"),
            "{base} + {reference:?}"
        );
    }
}

#[test]
fn resolve_reads_references_from_stdin() {
    let output = run(&["resolve", "http://a/b", "g", "-", "h"], "i\n\n");
    assert_eq!(
        stdout(&output),
        "http://a/g\nhttp://a/i\nhttp://a/b\nhttp://a/h\n"
    );
}

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
        let stdin = fs::read_to_string("fixtures/rfc1808/appendix.html").expect("the fixture");
        let html = stdout(&run(arguments, &stdin));
        assert!(
            html.contains("\"http://www.ics.uci.edu/Test/a/x\""),
            "{arguments:?}: {html}"
        );
    }
}

#[test]
fn base_prints_the_matrix_of_rfc_1808_section_3() {
    for row in support::table("fixtures/base/section3.tsv") {
        let [
            name,
            embedded,
            encapsulating,
            retrieval,
            default,
            url,
            source,
        ] = &row[..]
        else {
            panic!("{row:?}")
        };
        let mut arguments = vec!["base", "--format", "json"];
        for (option, cell) in [
            ("--enclosing-base", encapsulating),
            ("--url", retrieval),
            ("--default-base", default),
        ] {
            if cell != "-" {
                arguments.extend([option, cell]);
            }
        }
        let html = match embedded.as_str() {
            "-" => String::new(),
            "\"\"" => "<base href=\"\">".to_owned(),
            href => format!("<base href=\"{href}\">"),
        };
        let answer: serde_json::Value =
            serde_json::from_str(&stdout(&run(&arguments, &html))).expect("JSON");
        let cell = |key: &str| answer[key].as_str().unwrap_or("-").to_owned();
        assert_eq!((&cell("base"), &cell("source")), (url, source), "{name}");
        let candidates = answer["candidates"].as_array().expect("candidates");
        let present = [embedded, encapsulating, retrieval, default]
            .into_iter()
            .filter(|cell| *cell != "-")
            .count();
        assert_eq!(candidates.len(), present, "{name}");
        let used: Vec<_> = candidates
            .iter()
            .filter(|candidate| candidate["used"] == true)
            .collect();
        assert_eq!(used.len(), usize::from(url != "-"), "{name}");
        assert!(
            used.iter().all(|candidate| candidate["source"] == **source),
            "{name}"
        );
    }
}

#[test]
fn base_explains_candidates() {
    let output = run(
        &[
            "base",
            "--url",
            "http://r/x/d",
            "--enclosing-base",
            "http://e/",
        ],
        "<base href='mailto:x'>",
    );
    assert_eq!(
        stdout(&output),
        "-: http://e/\n  source: encapsulating-entity (RFC 1808 section 3.2)\n  candidates, in order of precedence:\n  \
         - embedded \"mailto:x\": non-hierarchical base URL\n  \
         * encapsulating-entity \"http://e/\": first usable candidate\n  \
         - retrieval \"http://r/x/d\": overridden by a candidate of higher precedence\n"
    );
    let output = run(&["base"], "<p>");
    assert!(stdout(&output).starts_with(
        "-: no base URL\n  relative references are left unchanged (RFC 1808 section 3.4)\n"
    ));
}

#[test]
fn rewrite_writes_several_documents_to_a_directory() {
    let world = world(&[("a.html", "<a href=g>"), ("b.html", "<a href=h>")]);
    let output = run_in(
        world.path(),
        &[
            "rewrite",
            "a.html",
            "b.html",
            "--url",
            "http://r/",
            "-o",
            "out/deep",
        ],
        "",
    );
    assert_eq!(stderr(&output, 0), "");
    for (file, target) in [("a.html", "http://r/g"), ("b.html", "http://r/h")] {
        let html = fs::read_to_string(world.path().join("out/deep").join(file)).expect(file);
        assert!(html.contains(target), "{html}");
    }
    assert_eq!(
        fs::read_to_string(world.path().join("a.html")).expect("a.html"),
        "<a href=g>"
    );
}

#[test]
fn invalid_arguments_are_rejected_before_anything_is_written() {
    let world = world(&[("a.html", "<a href=g>")]);
    fs::create_dir(world.path().join("sub")).expect("a directory");
    fs::write(world.path().join("sub/a.html"), "<a href=h>").expect("a file");
    for (arguments, message) in [
        (
            &["rewrite", "a.html", "sub/a.html"][..],
            "2 documents cannot be written to standard output\n  hint: use --output DIR",
        ),
        (
            &["rewrite", "a.html", "sub/a.html", "-o", "out"],
            "a.html and sub/a.html would both be written to out/a.html",
        ),
        (
            &["rewrite", "a.html", "-o", "a.html"],
            "output a.html is also an input\n  hint: use another --output",
        ),
        (
            &["rewrite", "a.html", "-o", "./a.html"],
            "output ./a.html is also an input",
        ),
        (
            &["rewrite", "-", "-o", "sub"],
            "standard input has no file name",
        ),
        (
            &["rewrite", "a.html", "-o", "out.html", "--url", "r/x"],
            "invalid value \"r/x\" for --url: base URL without a scheme\n  hint: use an absolute URL",
        ),
        (
            &["links", "a.html", "--enclosing-base", "mailto:x"],
            "invalid value \"mailto:x\" for --enclosing-base: non-hierarchical base URL",
        ),
        (
            &["links", "a.html", "--default-base", ""],
            "invalid value \"\" for --default-base: base URL without a scheme",
        ),
        (
            &["links", "a.html", "--encoding", "klingon"],
            "invalid value \"klingon\" for --encoding: unknown encoding\n  hint: use a label",
        ),
        (
            &["resolve", "mailto:x", "g"],
            "invalid value \"mailto:x\" for BASE: non-hierarchical base URL",
        ),
    ] {
        let messages = stderr(&run_in(world.path(), arguments, ""), 2);
        assert!(
            messages.starts_with("absolve: ") && messages.contains(message),
            "{arguments:?}: {messages}"
        );
        let names = fs::read_dir(world.path()).expect("the world").count();
        assert_eq!(names, 2, "{arguments:?} wrote something");
    }
    assert!(stderr(&run(&["rewrite", "--no-such-option"], ""), 2).contains("--no-such-option"));
}

#[test]
fn links_reports_an_unreadable_input_and_continues() {
    let world = world(&[("a.html", "<a href=http://x/g>")]);
    let output = run_in(world.path(), &["links", "missing.html", "a.html"], "");
    let messages = stderr(&output, 2);
    assert!(
        messages.contains("cannot read missing.html: "),
        "{messages}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("http://x/g"));
}

#[test]
fn rewrite_reports_an_unwritable_output() {
    let world = world(&[("a.html", "<a href=g>"), ("file", "")]);
    let messages = stderr(
        &run_in(
            world.path(),
            &["rewrite", "a.html", "-o", "file/out.html"],
            "",
        ),
        2,
    );
    assert!(
        messages.contains("cannot write file/out.html: "),
        "{messages}"
    );
    assert_eq!(
        fs::read_to_string(world.path().join("file")).expect("file"),
        ""
    );
}

#[test]
fn rewrite_reports_unchanged_references_and_strict_fails() {
    let html = "<a href=g></a><a href=h></a>";
    let message =
        "standard input: 2 relative references left unchanged: no base URL; set one with --url";
    assert!(stderr(&run(&["rewrite"], html), 0).contains(message));
    assert!(stderr(&run(&["rewrite", "--strict"], html), 1).contains(message));
    assert_eq!(
        stderr(&run(&["rewrite", "--strict", "--quiet"], html), 1),
        ""
    );
    assert_eq!(
        stderr(
            &run(&["rewrite", "--strict", "--url", "http://r/"], html),
            0
        ),
        ""
    );
    let messages = stderr(
        &run(&["rewrite", "--url", "http://r/"], "<base href=x/>"),
        0,
    );
    assert!(
        messages.contains(
            "embedded base URL \"x/\": relative; resolved against the next usable candidate"
        ),
        "{messages}"
    );
}

#[test]
fn links_prints_three_formats() {
    let html = "<base href='http://a/b'><a href=' g&amp;h '>x</a><img src=''><a href=\"x,y\"></a>";
    let text = stdout(&run(&["links"], html));
    assert!(text.contains("a[href] g&h -> http://a/g&h\n"), "{text}");
    assert!(
        text.contains("base[href] http://a/b (absolute)\n"),
        "{text}"
    );
    assert!(
        text.contains("img[src]  (skipped: empty value)\n"),
        "{text}"
    );

    let jsonl = stdout(&run(&["links", "--format", "jsonl"], html));
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

    let csv = stdout(&run(&["links", "--format", "csv"], html));
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
fn links_escapes_control_characters() {
    let text = stdout(&run(
        &["links", "--url", "http://r/"],
        "<a href='\u{1b}[31mx'>",
    ));
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.contains("\\u{1b}[31mx"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn links_exits_quietly_on_a_closed_pipe() {
    let html = "<a href=g>".repeat(100_000);
    let script = format!(
        "{} links --url http://r/ | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_absolve")
    );
    let mut child = Command::new("bash")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash starts");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(html.as_bytes())
        .expect("the document is read");
    let output = child.wait_with_output().expect("bash ends");
    assert_eq!(stderr(&output, 0), "");
}

#[cfg(unix)]
#[test]
fn rewrite_output_has_default_permissions_or_keeps_existing_ones() {
    use std::os::unix::fs::PermissionsExt;
    let world = world(&[("a.html", "<a href=g>"), ("old.html", "")]);
    let mode = |name: &str| {
        fs::metadata(world.path().join(name))
            .expect(name)
            .permissions()
            .mode()
            & 0o777
    };
    fs::set_permissions(
        world.path().join("old.html"),
        fs::Permissions::from_mode(0o640),
    )
    .expect("permissions");
    let default_mode = mode("a.html");
    for name in ["new.html", "old.html"] {
        run_in(
            world.path(),
            &["rewrite", "a.html", "--url", "http://r/", "-o", name],
            "",
        );
    }
    assert_eq!((mode("new.html"), mode("old.html")), (default_mode, 0o640));
}

#[test]
fn help_lists_every_option_and_fits_a_screen() {
    for verb in ["rewrite", "links", "base", "resolve"] {
        let help = stdout(&run(&[verb, "-h"], ""));
        assert!(help.lines().count() <= 40, "{help}");
        assert!(help.contains("--profile"), "{help}");
        for option in ["--url", "--enclosing-base", "--default-base", "--encoding"] {
            assert_eq!(help.contains(option), verb != "resolve", "{verb} {option}");
        }
    }
}

#[test]
fn rewrite_supports_profiles_and_output_forms() {
    let html = "<p><base href='x/'><a href=';y'></a><a href='http://a/b/../c d'></a>";
    let rewritten = |options: &[&str]| {
        let arguments = [&["rewrite", "--quiet", "--url", "http://a/b/c"], options].concat();
        stdout(&run(&arguments, html)).trim_end().to_owned()
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
            ],
            "<p><base href='http://a/b/x/'><a href='/b/;y'></a><a href='/c%20d'></a>",
        ),
        (
            &["--map", "http://a/b/=http://n/"],
            "<p><base href='http://n/x/'><a href='http://n/c;y'></a><a href='http://n/../c d'></a>",
        ),
    ] {
        assert_eq!(rewritten(options), expected, "{options:?}");
    }
    let messages = stderr(&run(&["rewrite", "--map", "x=y"], html), 2);
    assert!(
        messages.contains("invalid value \"x=y\" for --map: not two absolute URLs separated by =\n  hint: use FROM=TO, such as"),
        "{messages}"
    );
}

#[test]
fn resolve_supports_every_profile_and_explain() {
    for (profile, target) in [
        ("rfc1808", "http://a/b;x"),
        ("rfc3986", "http://a/;x"),
        ("whatwg", "http://a/;x"),
    ] {
        let output = stdout(&run(
            &["resolve", "--profile", profile, "http://a/b", ";x"],
            "",
        ));
        assert_eq!(output, format!("{target}\n"), "{profile}");
    }
    let output = stdout(&run(
        &[
            "resolve",
            "--explain",
            "--profile",
            "rfc3986",
            " http://a/b ",
            "../g",
        ],
        "",
    ));
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
    assert!(stderr(&output, 2).contains("\"http://a b/\": not a valid URL (URL Standard)"));
    assert_eq!(output.stdout, b"http://a/g\n");
    // Each result is one line, even if the reference contains a line break.
    assert_eq!(
        stdout(&run(&["resolve", "http://a/b", "x:y\nz"], "")),
        "x:yz\n"
    );
}

#[test]
fn links_sorts_inputs_and_rejects_duplicates() {
    let world = world(&[("b.html", "<a href=b>"), ("a.html", "<a href=a>")]);
    let text = stdout(&run_in(
        world.path(),
        &["links", "--url", "http://r/", "b.html", "a.html"],
        "",
    ));
    let paths: Vec<_> = text
        .lines()
        .map(|line| line.split(':').next().unwrap_or_default())
        .collect();
    assert_eq!(paths, ["a.html", "b.html"]);
    let messages = stderr(&run_in(world.path(), &["links", "a.html", "a.html"], ""), 2);
    assert!(
        messages.contains("duplicate input a.html\n  hint: name each document once"),
        "{messages}"
    );
    assert!(stderr(&run(&["links", "-", "-"], "x"), 2).contains("duplicate input -"));
}

#[test]
fn rewrite_leaves_an_unsupported_encoding_unchanged() {
    let html = "<meta charset=iso-2022-kr><a href=x>";
    let output = run(&["rewrite", "--url", "http://r/"], html);
    let messages = stderr(&output, 2);
    assert!(messages.contains("standard input: left unchanged: unsupported encoding (not decoded by the Encoding Standard); set the encoding with --encoding"), "{messages}");
    assert_eq!(output.stdout, html.as_bytes());
}

#[cfg(unix)]
#[test]
fn rewrite_output_follows_symlinks_and_devices() {
    let world = world(&[("a.html", "<a href=g>"), ("real.html", "old")]);
    std::os::unix::fs::symlink("real.html", world.path().join("link.html"))
        .expect("a symbolic link");
    let output = run_in(
        world.path(),
        &["rewrite", "a.html", "--url", "http://r/", "-o", "link.html"],
        "",
    );
    assert_eq!(stderr(&output, 0), "");
    let is_link = fs::symlink_metadata(world.path().join("link.html"))
        .expect("the link")
        .is_symlink();
    assert!(is_link);
    assert_eq!(
        fs::read_to_string(world.path().join("real.html")).expect("the file"),
        "<a href=http://r/g>"
    );
    let output = run_in(
        world.path(),
        &["rewrite", "a.html", "--url", "http://r/", "-o", "/dev/null"],
        "",
    );
    assert_eq!(stderr(&output, 0), "");
    assert!(!fs::metadata("/dev/null").expect("the device").is_file());
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
    let list = |format| stdout(&run(&["links", "--format", format], PAGE));
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
    let jsonl = stdout(&run(&["links", "--format", "jsonl"], PAGE));
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
fn rewrite_supports_style_sheets_presets_and_selectors() {
    let folder = tempfile::tempdir().expect("a folder");
    let sheet = folder.path().join("x.CSS");
    fs::write(&sheet, "@import 'a';b{c:url(d)}").expect("a file");
    let path = sheet.to_string_lossy().into_owned();
    let url = ["--url", "http://h/s/x.css"];
    let rewritten = stdout(&run(&["rewrite", &path, url[0], url[1]], ""));
    assert_eq!(rewritten, "@import 'http://h/s/a';b{c:url(http://h/s/d)}");
    let as_html = stdout(&run(
        &["rewrite", &path, url[0], url[1], "--input-format", "html"],
        "",
    ));
    assert_eq!(as_html, "@import 'a';b{c:url(d)}");
    let tree = run(&["rewrite", &path, "--emit", "tree"], "");
    assert_eq!(tree.status.code(), Some(2));

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
        assert_eq!(stdout(&run(&arguments, html)), expected, "{options:?}");
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
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(message), "{options:?}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
}

#[test]
fn rewrite_warns_if_a_removed_base_was_needed() {
    let html = "<base href=http://k/><a href='{{x}}/y'>";
    let output = run(&["rewrite", "--base-element", "remove"], html);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains(
            "BASE removed, which changes the target of 1 relative reference left unchanged"
        ),
        "{stderr}"
    );
}

#[test]
fn in_place_replaces_documents_and_keeps_backups() {
    let world = world(&[
        ("a.html", "<a href=g>"),
        ("b.html", "<p>b</p>"),
        ("c.css", "a{b:url(c)}"),
    ]);
    let read = |name: &str| fs::read_to_string(world.path().join(name)).expect("a file");
    let written = |name: &str| {
        let metadata = fs::metadata(world.path().join(name)).expect("a file");
        metadata.modified().expect("a time")
    };
    let before = written("b.html");
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/d/",
        "a.html",
        "b.html",
        "c.css",
    ];
    let output = run_in(world.path(), &arguments, "");
    assert_eq!(stdout(&output), "");
    assert_eq!(read("a.html"), "<a href=http://h/d/g>");
    assert_eq!(read("a.html.orig"), "<a href=g>");
    assert_eq!(read("c.css"), "a{b:url(http://h/d/c)}");
    // An unchanged file is not written and has no backup.
    assert_eq!(written("b.html"), before);
    assert!(!world.path().join("b.html.orig").exists());
    // A second run has nothing to do.
    assert_eq!(stdout(&run_in(world.path(), &arguments, "")), "");
    assert_eq!(read("a.html.orig"), "<a href=g>");
    let mut names: Vec<_> = fs::read_dir(world.path())
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["a.html", "a.html.orig", "b.html", "c.css", "c.css.orig"]
    );
}

#[test]
fn in_place_never_overwrites_a_backup() {
    let world = world(&[
        ("a.html", "<a href=g>"),
        ("a.html.orig", "older"),
        ("b.html", "<a href=h>"),
    ]);
    let read = |name: &str| fs::read_to_string(world.path().join(name)).expect("a file");
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/",
        "a.html",
        "b.html",
    ];
    let messages = stderr(&run_in(world.path(), &arguments, ""), 2);
    assert!(
        messages.contains("cannot write a.html: cannot back up the original as a.html.orig"),
        "{messages}"
    );
    assert_eq!(
        (read("a.html"), read("a.html.orig")),
        ("<a href=g>".to_owned(), "older".to_owned())
    );
    assert_eq!(read("b.html"), "<a href=http://h/h>");
    for (arguments, message) in [
        (
            &["rewrite", "-i"][..],
            "--in-place cannot be used with standard input",
        ),
        (
            &["rewrite", "-i", "-o", "x", "a.html"],
            "cannot be used with",
        ),
        (&["rewrite", "--backup", ".x", "a.html"], "--in-place"),
        (
            &["rewrite", "-i", "--backup", "", "a.html"],
            "empty, or with a path separator",
        ),
        (
            &["rewrite", "-i", "--backup", "/x", "a.html"],
            "empty, or with a path separator",
        ),
        (
            &["rewrite", "-i", "--check", "a.html"],
            "cannot be used with",
        ),
    ] {
        let messages = stderr(&run_in(world.path(), arguments, ""), 2);
        assert!(messages.contains(message), "{arguments:?}: {messages}");
    }
    assert_eq!(read("a.html"), "<a href=g>");
}

#[test]
fn rewrite_check_lists_changed_documents_and_writes_nothing() {
    let world = world(&[
        ("a.html", "<a href=g>"),
        ("b.html", "<a href=http://h/>"),
        ("c.html", "<img src=i>"),
    ]);
    let arguments = [
        "rewrite",
        "--check",
        "--url",
        "http://h/",
        "c.html",
        "b.html",
        "a.html",
    ];
    let output = run_in(world.path(), &arguments, "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a.html\nc.html\n");
    assert_eq!(
        fs::read_to_string(world.path().join("a.html")).expect("a file"),
        "<a href=g>"
    );
    let nothing = run_in(world.path(), &["rewrite", "--check", "b.html"], "");
    assert_eq!(stdout(&nothing), "");
    let standard_input = run(&["rewrite", "--check", "--url", "http://h/"], "<a href=g>");
    assert_eq!(
        (standard_input.status.code(), &*standard_input.stdout),
        (Some(1), &b"-\n"[..])
    );
}

#[test]
fn rewrite_diff_prints_a_unified_diff() {
    let world = world(&[
        ("a.html", "<p>\n<a href=g>\n<p>\u{1b}[1m\n"),
        ("b.html", "<p>b</p>\n"),
    ]);
    let arguments = [
        "rewrite",
        "--diff",
        "--url",
        "http://h/",
        "a.html",
        "b.html",
    ];
    let output = run_in(world.path(), &arguments, "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "--- a/a.html\n+++ b/a.html\n@@ -1,3 +1,3 @@\n <p>\n-<a href=g>\n+<a href=http://h/g>\n <p>\u{1b}[1m\n"
    );
    let coloured = run_in(
        world.path(),
        &[&arguments[..], &["--color", "always"]].concat(),
        "",
    );
    let coloured = String::from_utf8_lossy(&coloured.stdout).into_owned();
    assert!(
        coloured
            .contains("\u{1b}[31m-<a href=g>\u{1b}[0m\n\u{1b}[32m+<a href=http://h/g>\u{1b}[0m\n"),
        "{coloured}"
    );
    assert!(coloured.contains("<p>\\u{1b}[1m"), "{coloured}");
    assert_eq!(
        stdout(&run_in(world.path(), &["rewrite", "--diff", "b.html"], "")),
        ""
    );
}

#[test]
fn rewrite_diff_keeps_the_bytes_of_the_documents() {
    let world = world(&[]);
    let name = "a \"b\"\n.html";
    fs::write(
        world.path().join(name),
        b"\xe8\xea\r<a href=g>\xe9\r\n<p>\n</p>\r",
    )
    .expect("a file");
    let arguments = ["rewrite", "--diff", "--encoding", "latin1", "--url"];
    let output = run_in(
        world.path(),
        &[&arguments[..], &["http://h/", name]].concat(),
        "",
    );
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
fn in_place_accepts_a_backup_with_the_same_content() {
    let world = world(&[("a.html", "<a href=g>"), ("a.html.orig", "<a href=g>")]);
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/",
        "a.html",
    ];
    assert_eq!(stdout(&run_in(world.path(), &arguments, "")), "");
    let read = |name: &str| fs::read_to_string(world.path().join(name)).expect("a file");
    assert_eq!(
        (&*read("a.html"), &*read("a.html.orig")),
        ("<a href=http://h/g>", "<a href=g>")
    );
}

#[test]
#[cfg(unix)]
fn in_place_backs_up_the_target_of_a_symlink() {
    let world = world(&[("a.html", "<a href=g>")]);
    let path = |name: &str| world.path().join(name);
    std::os::unix::fs::symlink("a.html", path("link.html")).expect("a link");
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/",
        "link.html",
    ];
    assert_eq!(stdout(&run_in(world.path(), &arguments, "")), "");
    let read = |name: &str| fs::read_to_string(path(name)).expect("a file");
    assert_eq!(read("a.html"), "<a href=http://h/g>");
    assert_eq!(read("link.html.orig"), "<a href=g>");
    let is_link = |name: &str| {
        fs::symlink_metadata(path(name))
            .expect("a file")
            .is_symlink()
    };
    assert!(is_link("link.html") && !is_link("link.html.orig"));
}

#[test]
fn in_place_rejects_a_backup_that_is_an_input() {
    let world = world(&[("a", "<a href=g>"), ("a.x", "<a href=g>")]);
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".x",
        "--url",
        "http://h/",
        "a",
        "a.x",
    ];
    let messages = stderr(&run_in(world.path(), &arguments, ""), 2);
    assert!(
        messages.contains("backup file a.x is also an input"),
        "{messages}"
    );
    let read = |name: &str| fs::read_to_string(world.path().join(name)).expect("a file");
    assert_eq!((&*read("a"), &*read("a.x")), ("<a href=g>", "<a href=g>"));
}
