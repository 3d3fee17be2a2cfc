//! Messages and exit codes for errors, and the help.

use std::fs;

use crate::world::{World, run};

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
