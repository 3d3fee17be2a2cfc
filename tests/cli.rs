//! The command as people and scripts see it.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory with these files in it, and nothing else.
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
    // A command that does not read its input closes it early.
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

/// What was said, where the command ended with `code`.
fn stderr(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn resolve_gives_every_example_of_the_rfc() {
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
fn the_document_of_the_appendix_whatever_its_context() {
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
fn base_gives_the_matrix_of_section_3() {
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
        let given = [embedded, encapsulating, retrieval, default]
            .into_iter()
            .filter(|cell| *cell != "-")
            .count();
        assert_eq!(candidates.len(), given, "{name}");
        let used: Vec<_> = candidates
            .iter()
            .filter(|one| one["used"] == true)
            .collect();
        assert_eq!(used.len(), usize::from(url != "-"), "{name}");
        assert!(used.iter().all(|one| one["source"] == **source), "{name}");
    }
}

#[test]
fn base_explains_itself() {
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
         - embedded \"mailto:x\": base URL without a hierarchy that relative references could use\n  \
         * encapsulating-entity \"http://e/\": absolute, and first in precedence\n  \
         - retrieval \"http://r/x/d\": a candidate of higher precedence is the base\n"
    );
    let output = run(&["base"], "<p>");
    assert!(stdout(&output).starts_with(
        "-: no base URL\n  relative references stay as they are (RFC 1808 section 3.4)\n"
    ));
}

#[test]
fn several_documents_go_to_a_directory() {
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
fn what_makes_no_sense_is_refused_before_anything_is_written() {
    let world = world(&[("a.html", "<a href=g>")]);
    fs::create_dir(world.path().join("sub")).expect("a directory");
    fs::write(world.path().join("sub/a.html"), "<a href=h>").expect("a file");
    for (arguments, message) in [
        (
            &["rewrite", "a.html", "sub/a.html"][..],
            "2 documents and one standard output; name a directory",
        ),
        (
            &["rewrite", "a.html", "sub/a.html", "-o", "out"],
            "a.html and sub/a.html would both be written to out/a.html",
        ),
        (
            &["rewrite", "a.html", "-o", "a.html"],
            "a.html is an input; name another --output",
        ),
        (
            &["rewrite", "a.html", "-o", "./a.html"],
            "./a.html is an input",
        ),
        (
            &["rewrite", "-", "-o", "sub"],
            "standard input has no file name",
        ),
        (
            &["rewrite", "a.html", "-o", "out.html", "--url", "r/x"],
            "--url \"r/x\": base URL without a scheme; give a whole URL",
        ),
        (
            &["links", "a.html", "--enclosing-base", "mailto:x"],
            "--enclosing-base \"mailto:x\": base URL without a hierarchy",
        ),
        (
            &["links", "a.html", "--default-base", ""],
            "--default-base \"\": base URL without a scheme",
        ),
        (
            &["links", "a.html", "--encoding", "klingon"],
            "--encoding \"klingon\": no encoding of that name; give a label",
        ),
        (
            &["resolve", "mailto:x", "g"],
            "\"mailto:x\": base URL without a hierarchy",
        ),
    ] {
        let said = stderr(&run_in(world.path(), arguments, ""), 2);
        assert!(
            said.starts_with("absolve: ") && said.contains(message),
            "{arguments:?}: {said}"
        );
        let names = fs::read_dir(world.path()).expect("the world").count();
        assert_eq!(names, 2, "{arguments:?} wrote something");
    }
    assert!(stderr(&run(&["rewrite", "--no-such-option"], ""), 2).contains("--no-such-option"));
}

#[test]
fn an_unreadable_input_is_named_and_the_others_go_on() {
    let world = world(&[("a.html", "<a href=http://x/g>")]);
    let output = run_in(world.path(), &["links", "missing.html", "a.html"], "");
    let said = stderr(&output, 2);
    assert!(said.contains("missing.html: cannot be read: "), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("http://x/g"));
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let world = world(&[("a.html", "<a href=g>"), ("file", "")]);
    let said = stderr(
        &run_in(
            world.path(),
            &["rewrite", "a.html", "-o", "file/out.html"],
            "",
        ),
        2,
    );
    assert!(
        said.contains("file/out.html: cannot be written: "),
        "{said}"
    );
    assert_eq!(
        fs::read_to_string(world.path().join("file")).expect("file"),
        ""
    );
}

#[test]
fn what_was_left_is_said_and_strict_makes_it_a_finding() {
    let html = "<a href=g></a><a href=h></a>";
    let message = "standard input: 2 relative references were left as written: no base URL is known; give one with --url";
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
    let said = stderr(
        &run(&["rewrite", "--url", "http://r/"], "<base href=x/>"),
        0,
    );
    assert!(
        said.contains("embedded base URL \"x/\": relative, which section 10 does not allow"),
        "{said}"
    );
}

#[test]
fn links_come_in_three_formats() {
    let html = "<base href='http://a/b'><a href=' g&amp;h '>x</a><img src=''><a href=\"x,y\"></a>";
    let text = stdout(&run(&["links"], html));
    assert!(text.contains("a[href] g&h -> http://a/g&h\n"), "{text}");
    assert!(
        text.contains("base[href] http://a/b (absolute)\n"),
        "{text}"
    );
    assert!(
        text.contains("img[src]  (skipped: empty value that refers to nothing)\n"),
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
fn control_characters_do_not_reach_the_terminal() {
    let text = stdout(&run(
        &["links", "--url", "http://r/"],
        "<a href='\u{1b}[31mx'>",
    ));
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.contains("\\u{1b}[31mx"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
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
fn a_new_file_has_ordinary_permissions_and_an_old_one_keeps_its_own() {
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
    let ordinary = mode("a.html");
    for name in ["new.html", "old.html"] {
        run_in(
            world.path(),
            &["rewrite", "a.html", "--url", "http://r/", "-o", name],
            "",
        );
    }
    assert_eq!((mode("new.html"), mode("old.html")), (ordinary, 0o640));
}

#[test]
fn the_readme_says_what_the_command_says() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))
        .expect("README.md");
    let help = stdout(&run(&["--help"], ""));
    assert!(
        readme.contains(&format!("```text\n{}\n```", help.trim_end())),
        "--help is not in README.md:\n{help}"
    );
    for arguments in [
        &["links", "fixtures/rfc1808/appendix.html"][..],
        &[
            "base",
            "fixtures/rfc1808/appendix.html",
            "--url",
            "https://mirror.example/x.html",
        ],
        &[
            "resolve",
            "http://a/b/c/d;p?q#f",
            "../g",
            ";x",
            "../../../g",
        ],
    ] {
        let output = stdout(&run(arguments, ""));
        assert!(readme.contains(&output), "not in README.md:\n{output}");
    }
}

#[test]
fn help_names_every_option_and_fits_a_screen() {
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
fn options_of_profiles_and_forms() {
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
    let said = stderr(&run(&["rewrite", "--map", "x=y"], html), 2);
    assert!(
        said.contains("--map \"x=y\": not two URLs with an equals sign between; give them as"),
        "{said}"
    );
}

#[test]
fn resolve_in_each_profile_and_step_by_step() {
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
    // A reference that is none is named, and the others go on.
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
        stderr(&output, 2)
            .contains("\"http://a b/\": reference that the URL Standard's parser rejects")
    );
    assert_eq!(output.stdout, b"http://a/g\n");
    // One result a line, whatever is in the reference.
    assert_eq!(
        stdout(&run(&["resolve", "http://a/b", "x:y\nz"], "")),
        "x:yz\n"
    );
}

#[test]
fn inputs_are_sorted_and_named_once() {
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
    let said = stderr(&run_in(world.path(), &["links", "a.html", "a.html"], ""), 2);
    assert!(
        said.contains("a.html is named twice; name each document once"),
        "{said}"
    );
    assert!(stderr(&run(&["links", "-", "-"], "x"), 2).contains("named twice"));
}

#[test]
fn a_document_that_cannot_be_decoded_is_named_and_left() {
    let html = "<meta charset=iso-2022-kr><a href=x>";
    let output = run(&["rewrite", "--url", "http://r/"], html);
    let said = stderr(&output, 2);
    assert!(said.contains("standard input: left as it is: document in an encoding that the Encoding Standard does not decode; name the one it has with --encoding"), "{said}");
    assert_eq!(output.stdout, html.as_bytes());
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
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

/// A page with a link of every grammar that is on by default.
const PAGE: &str = r##"<base href="http://b/c/"><link rel=canonical href=k><style>@import "s";</style>
<meta http-equiv=refresh content="1; url=r"><script type=importmap>{"imports":{"m":"./m.js"}}</script>
<script type=speculationrules>{"prefetch":[{"urls":["p"]}]}</script>
<img src=i srcset="a 1x, b&amp;c 2x"><a href="" ping="x y">z</a><a href="{{ t }}">t</a>
<applet archive="j, l"></applet><p style="d:url(e)"><iframe srcdoc="<a href=q>"></iframe>
<svg><use href="#u"/></svg>"##;

/// The keys of the contract, in its order.
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

/// The value of a key of a JSON object as CSV has it.
fn cell(object: &serde_json::Value, key: &str) -> String {
    match &object[key] {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn every_format_lists_every_link() {
    let list = |format| stdout(&run(&["links", "--format", format], PAGE));
    let (jsonl, csv, text) = (list("jsonl"), list("csv"), list("text"));
    let mut rows = csv.lines();
    // The last column names the entity, of documents that are part of another.
    assert_eq!(rows.next(), Some(&*format!("{},entity", KEYS.join(","))));
    let mut lines = text.lines();
    for json in jsonl.lines() {
        let object: serde_json::Value = serde_json::from_str(json).expect("JSON");
        let places = KEYS.map(|key| json.find(&format!("\"{key}\":")));
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
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
        let place = format!("-:{line}:{column}: {element}[{attribute}] {reference} ");
        let outcome = lines.next().and_then(|line| line.strip_prefix(&place));
        let outcome = outcome.unwrap_or_else(|| panic!("no {place}in {text}"));
        match &*cell(&object, "status") {
            "resolved" => assert_eq!(outcome, format!("-> {}", cell(&object, "target"))),
            "absolute" => assert_eq!(outcome, "(absolute)"),
            _ => assert!(outcome.starts_with("(skipped: "), "{outcome}"),
        }
    }
    assert_eq!((rows.next(), lines.next()), (None, None));
}

#[test]
fn links_tell_everything_about_themselves() {
    let jsonl = stdout(&run(&["links", "--format", "jsonl"], PAGE));
    let tell = |line: &str| {
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
    let found: Vec<_> = jsonl.lines().map(tell).collect();
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
fn style_sheets_presets_and_exceptions() {
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
        (["--link", "img"], "no grammar behind it"),
        (["--link", "a[href]=uri"], "no grammar of that name"),
        (["--link", "title[#text]=css"], "neither style nor script"),
        (["--skip", "a[rel*=x][href]"], "condition that is not like"),
        (["--preset", "some"], "possible values"),
    ] {
        let output = run(&[&["rewrite"][..], &options].concat(), html);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(message), "{options:?}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
}

#[test]
fn a_removed_base_that_others_needed_is_told() {
    let html = "<base href=http://k/><a href='{{x}}/y'>";
    let output = run(&["rewrite", "--base-element", "remove"], html);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains(
            "BASE was removed; relative references that were left and resolve without it now: 1"
        ),
        "{stderr}"
    );
}

#[test]
fn documents_are_replaced_in_place() {
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
    // What does not change is not written, and has no backup.
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
fn an_original_is_never_lost() {
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
    let said = stderr(&run_in(world.path(), &arguments, ""), 2);
    assert!(
        said.contains("a.html: cannot be written: the original cannot be kept as a.html.orig"),
        "{said}"
    );
    assert_eq!(
        (read("a.html"), read("a.html.orig")),
        ("<a href=g>".to_owned(), "older".to_owned())
    );
    assert_eq!(read("b.html"), "<a href=http://h/h>");
    for (arguments, message) in [
        (&["rewrite", "-i"][..], "standard input has no place"),
        (
            &["rewrite", "-i", "-o", "x", "a.html"],
            "cannot be used with",
        ),
        (&["rewrite", "--backup", ".x", "a.html"], "--in-place"),
        (&["rewrite", "-i", "--backup", "", "a.html"], "no suffix"),
        (&["rewrite", "-i", "--backup", "/x", "a.html"], "no suffix"),
        (
            &["rewrite", "-i", "--check", "a.html"],
            "cannot be used with",
        ),
    ] {
        let said = stderr(&run_in(world.path(), arguments, ""), 2);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    assert_eq!(read("a.html"), "<a href=g>");
}

#[test]
fn check_lists_what_would_change_and_writes_nothing() {
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
fn diff_shows_what_would_change() {
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
fn a_diff_has_the_bytes_of_the_documents() {
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
fn a_backup_of_a_run_that_came_no_further_is_no_hindrance() {
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
fn behind_a_link_the_original_is_kept_too() {
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
fn a_backup_is_no_input() {
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
    let said = stderr(&run_in(world.path(), &arguments, ""), 2);
    assert!(said.contains("a.x is an input"), "{said}");
    let read = |name: &str| fs::read_to_string(world.path().join(name)).expect("a file");
    assert_eq!((&*read("a"), &*read("a.x")), ("<a href=g>", "<a href=g>"));
}
