//! `absolve rewrite --in-place` and its backups.

use std::fs;

use support::world::World;

#[test]
fn in_place_replaces_documents_and_keeps_backups() {
    let world = World::new(&[
        ("a.html", "<a href=g>"),
        ("b.html", "<p>b</p>"),
        ("c.css", "a{b:url(c)}"),
    ]);
    let read = |name: &str| fs::read_to_string(world.path(name)).expect("a file");
    let written = |name: &str| {
        let metadata = fs::metadata(world.path(name)).expect("a file");
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
        "--root",
        ".",
        "a.html",
        "b.html",
        "c.css",
    ];
    let output = world.run(&arguments);
    assert_eq!(output.printed(), "");
    assert_eq!(read("a.html"), "<a href=http://h/d/g>");
    assert_eq!(read("a.html.orig"), "<a href=g>");
    assert_eq!(read("c.css"), "a{b:url(http://h/d/c)}");
    // An unchanged file is not written and has no backup.
    assert_eq!(written("b.html"), before);
    assert!(!world.path("b.html.orig").exists());
    // A second run has nothing to do.
    assert_eq!(world.run(&arguments).printed(), "");
    assert_eq!(read("a.html.orig"), "<a href=g>");
    let mut names: Vec<_> = fs::read_dir(world.root())
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
    let world = World::new(&[
        ("a.html", "<a href=g>"),
        ("a.html.orig", "older"),
        ("b.html", "<a href=h>"),
    ]);
    let read = |name: &str| fs::read_to_string(world.path(name)).expect("a file");
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/",
        "--root",
        ".",
        "a.html",
        "b.html",
    ];
    let messages = world.run(&arguments).messages(2);
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
        let messages = world.run(arguments).messages(2);
        assert!(messages.contains(message), "{arguments:?}: {messages}");
    }
    assert_eq!(read("a.html"), "<a href=g>");
}

#[test]
fn in_place_accepts_a_backup_with_the_same_content() {
    let world = World::new(&[("a.html", "<a href=g>"), ("a.html.orig", "<a href=g>")]);
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".orig",
        "--url",
        "http://h/",
        "a.html",
    ];
    assert_eq!(world.run(&arguments).printed(), "");
    let read = |name: &str| fs::read_to_string(world.path(name)).expect("a file");
    assert_eq!(
        (&*read("a.html"), &*read("a.html.orig")),
        ("<a href=http://h/g>", "<a href=g>")
    );
}

#[test]
#[cfg(unix)]
fn in_place_backs_up_the_target_of_a_symlink() {
    let world = World::new(&[("a.html", "<a href=g>")]);
    let path = |name: &str| world.path(name);
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
    assert_eq!(world.run(&arguments).printed(), "");
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
    let world = World::new(&[("a", "<a href=g>"), ("a.x", "<a href=g>")]);
    let arguments = [
        "rewrite",
        "-i",
        "--backup",
        ".x",
        "--url",
        "http://h/",
        "--root",
        ".",
        "a",
        "a.x",
    ];
    let messages = world.run(&arguments).messages(2);
    assert!(
        messages.contains("backup file a.x is also an input"),
        "{messages}"
    );
    let read = |name: &str| fs::read_to_string(world.path(name)).expect("a file");
    assert_eq!((&*read("a"), &*read("a.x")), ("<a href=g>", "<a href=g>"));
}
