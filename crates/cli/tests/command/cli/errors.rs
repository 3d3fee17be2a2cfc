//! Messages and exit codes for errors, and the help.

use std::fs;

use support::world::{World, run};

/// clap does not require an argument that another one conflicts with: `-i --dry-run` once replaced the files.
#[test]
fn options_with_another_are_rejected_without_it() {
    let page = "<a href=g>";
    let world = World::new(&[("a.html", page)]);
    let ways: [&[&str]; 5] = [&["-i"], &["-o", "out"], &["--check"], &["--diff"], &[]];
    for (option, allowed) in [
        (&["--dry-run"][..], None),
        (&["--delete"], Some("-o")),
        (&["--others", "skip"], Some("-o")),
        (&["--backup", ".orig"], Some("-i")),
        (&["--print0"], Some("--check")),
    ] {
        for way in ways.iter().filter(|way| way.first().copied() != allowed) {
            let arguments = [&["rewrite", "a.html", "--url", "http://h/"], *way, option].concat();
            let answer = world.run(&arguments);
            assert_eq!(answer.code, Some(2), "{arguments:?}: {answer:?}");
            assert_eq!(world.read("a.html"), page, "{arguments:?}");
        }
    }
}

#[test]
fn invalid_arguments_are_rejected_before_anything_is_written() {
    let world = World::new(&[("a.html", "<a href=g>")]);
    fs::create_dir(world.path("sub")).expect("a directory");
    fs::write(world.path("sub/a.html"), "<a href=h>").expect("a file");
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
    ] {
        let messages = world.run(arguments).messages(2);
        assert!(
            messages.starts_with("absolve: ") && messages.contains(message),
            "{arguments:?}: {messages}"
        );
        let names = fs::read_dir(world.root()).expect("the world").count();
        assert_eq!(names, 2, "{arguments:?} wrote something");
    }
    assert!(
        run(&["rewrite", "--no-such-option"], "")
            .messages(2)
            .contains("--no-such-option")
    );
}

#[test]
fn links_reports_an_unreadable_input_and_continues() {
    let world = World::new(&[("a.html", "<a href=http://x/g>")]);
    let output = world.run(&["links", "missing.html", "a.html"]);
    let messages = output.messages(2);
    assert!(
        messages.contains("cannot read missing.html: "),
        "{messages}"
    );
    assert!(output.stdout.contains("http://x/g"));
}

#[test]
fn rewrite_reports_an_unwritable_output() {
    let world = World::new(&[("a.html", "<a href=g>"), ("file", "")]);
    let messages = world
        .run(&["rewrite", "a.html", "-o", "file/out.html"])
        .messages(2);
    assert!(
        messages.contains("cannot write file/out.html: "),
        "{messages}"
    );
    assert_eq!(world.read("file"), "");
}

#[test]
fn help_lists_every_option_and_fits_a_screen() {
    for verb in ["rewrite", "links", "base", "resolve"] {
        let help = run(&[verb, "-h"], "").printed();
        assert!(help.lines().count() <= 40, "{help}");
        assert!(help.contains("--profile"), "{help}");
        for option in ["--url", "--enclosing-base", "--default-base", "--encoding"] {
            assert_eq!(help.contains(option), verb != "resolve", "{verb} {option}");
        }
    }
}

/// One rule in every profile: without other candidates, the value must be a base URL.
#[test]
fn base_urls_without_hierarchy_are_rejected_in_every_profile() {
    for profile in ["rfc1808", "rfc3986", "whatwg"] {
        for option in ["--url", "--default-base", "--enclosing-base"] {
            for (url, message) in [
                (
                    "mailto:x",
                    "non-hierarchical base URL\n  hint: use an absolute URL",
                ),
                ("http://[", "base URL without a valid network location"),
                (
                    "C:\\dir\\page.html",
                    "a path, not a URL\n  hint: use a file URL such as file:///C:/",
                ),
                (
                    "C:/dir",
                    "a path, not a URL\n  hint: use a file URL such as file:///C:/",
                ),
            ] {
                let messages = run(&["rewrite", "--profile", profile, option, url], "").messages(2);
                let expected = format!("for {option}: {message}");
                assert!(messages.contains(&expected), "{profile} {url}: {messages}");
            }
            let output = run(
                &["links", "--profile", profile, option, "file:///C:/dir/"],
                "",
            );
            output.printed();
        }
    }
}

/// HTML: such a BASE is the base URL, so `--url` is no remedy.
#[test]
fn rewrite_names_a_base_that_no_reference_can_be_relative_to() {
    let html = "<base href='mailto:x'><a href=x>";
    let output = run(
        &["rewrite", "--profile", "whatwg", "--url", "http://r/"],
        html,
    );
    let messages = output.messages(0);
    assert!(
        messages.contains(
            "1 relative reference left unchanged: no reference can be relative to the base URL"
        ),
        "{messages}"
    );
}

#[test]
fn names_that_look_like_urls_have_a_hint() {
    for (name, expected) in [
        ("ftp://x/y", "; only http and https URLs are fetched"),
        (
            "file:///etc/passwd",
            "; only http and https URLs are fetched",
        ),
        ("example.org/page", "; a URL begins with https://"),
        ("missing/page.html", "(os error 2)\n"),
        ("../page.html", "(os error 2)\n"),
    ] {
        let messages = run(&["links", name], "").messages(2);
        assert!(messages.contains(expected), "{messages}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for arguments in [&["--help"][..], &["rewrite", "-h"], &["--version"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let output = std::process::Command::new(support::world::binary())
            .args(arguments)
            .stdout(full.expect("a device"))
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            messages.contains("cannot write to standard output"),
            "{messages}"
        );
    }
}

#[test]
#[cfg(unix)]
fn names_with_any_bytes_are_listed_with_print0() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new(&[]);
    let names: [&[u8]; 3] = [b"a\nb.html", b"bad\xfe.html", b"bad\xff.html"];
    for name in names {
        let path = world.root().join(std::ffi::OsStr::from_bytes(name));
        fs::write(path, "<a href=g>").expect("a file");
    }
    let command = [
        "rewrite",
        ".",
        "--check",
        "--print0",
        "--url",
        "http://h/",
        "-q",
    ];
    let output = world.command(&command).output().expect("it runs");
    let expected: Vec<u8> = names
        .iter()
        .flat_map(|name| [b"./", *name, b"\0"].concat())
        .collect();
    assert_eq!(output.stdout, expected);
    let messages = world.run(&["rewrite", "x", "--print0"]).messages(2);
    assert!(messages.contains("--check"), "{messages}");
}

/// Opening a named pipe waits for its writer.
#[test]
#[cfg(unix)]
fn in_place_refuses_a_pipe_without_opening_it() {
    let world = World::new(&[]);
    let made = std::process::Command::new("mkfifo")
        .arg(world.path("a.html"))
        .status();
    assert!(made.is_ok_and(|status| status.success()), "no pipe");
    let messages = world
        .run(&["rewrite", "a.html", "-i", "--url", "http://h/"])
        .messages(2);
    assert!(
        messages.contains("a.html: not a regular file"),
        "{messages}"
    );
}

#[test]
fn errors_of_a_directory_are_counted() {
    let world = World::new(&[
        ("w/a.html", "<a href=g>"),
        ("w/b.html", "<a href=g>"),
        ("out/a.html/x", ""),
    ]);
    let messages = world
        .run(&["rewrite", "w", "-o", "out", "--url", "http://h/"])
        .messages(2);
    assert!(
        messages.ends_with("documents: 1, changed: 1; errors: 1\n"),
        "{messages}"
    );
}

#[test]
fn check_suggests_nothing_harmful() {
    let answer = run(
        &["check", "--url", "http://h/"],
        r#"<iframe src=\"https://g.example/ns.html\">"#,
    );
    assert!(
        answer.stdout.contains("help: remove the backslash"),
        "{answer:?}"
    );
    let same = "<base href=http://h/><base href=http://h/><base href=http://h/x>";
    let answer = run(
        &["check", "--url", "http://h/", "--select", "base-repeated"],
        same,
    );
    assert_eq!(
        answer.stdout.matches("error[base-repeated]").count(),
        1,
        "{answer:?}"
    );
}

#[test]
fn a_misspelled_option_has_the_nearest_suggestion() {
    for (option, expected) in [
        ("--ulr", "--url"),
        ("--exlude=x", "--exclude"),
        ("--basescope", "--base-scope"),
    ] {
        let messages = run(&["rewrite", option, "x"], "").messages(2);
        let tip = format!("a similar argument exists: '{expected}'");
        assert!(messages.contains(&tip), "{messages}");
        assert!(
            messages.contains("Usage: absolve rewrite [OPTIONS] [PATH]..."),
            "{messages}"
        );
    }
    let messages = run(&["rewrite", "--zzzzzz"], "").messages(2);
    assert!(!messages.contains("similar"), "{messages}");
}

#[test]
fn names_send_no_commands_to_terminals_and_github() {
    let world = World::new(&[
        ("::error::x.html", "<a href=g>"),
        ("absolve.toml", "limit = \"\\u001b[31mX=1\""),
    ]);
    let configured = world.run(&["links", "::error::x.html"]).messages(2);
    assert!(!configured.contains('\u{1b}'), "{configured:?}");
    for arguments in [
        &["links"][..],
        &["base"],
        &["rewrite", "--check", "--url", "http://h/"],
    ] {
        let arguments = [arguments, &["--no-config", "::error::x.html"]].concat();
        let listed = world.run(&arguments).stdout;
        assert!(listed.starts_with("./::error::x.html"), "{listed:?}");
    }
}
