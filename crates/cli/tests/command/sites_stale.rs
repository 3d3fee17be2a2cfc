//! `--delete`: only files that earlier runs wrote are deleted, and nothing outside the output directory.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use support::world::{Answer, World};

fn rewrite(world: &World, options: &[&str]) -> Answer {
    let arguments = [
        "rewrite",
        "w",
        "--url",
        "https://h.example/",
        "-o",
        "o",
        "--delete",
    ];
    world.run(&[&arguments[..], options].concat())
}

fn site() -> World {
    World::new(&[
        ("w/index.html", "<a href=g>"),
        ("w/old/deep/a.html", "<a href=g>"),
        ("w/old/b.css", ""),
        ("w/kept/c.html", ""),
    ])
}

/// Removes the directory `old` and the file in `kept` from the input.
fn remove_sources(world: &World) {
    fs::remove_dir_all(world.path("w/old")).expect("removed");
    fs::remove_file(world.path("w/kept/c.html")).expect("removed");
}

fn names(world: &World) -> Vec<String> {
    world.tree("o").into_keys().collect()
}

#[test]
fn files_without_a_counterpart_are_deleted() {
    let world = site();
    rewrite(&world, &[]).exits_with(0);
    world.write("o/CNAME", "h.example");
    world.write("o/old/by-hand.txt", "x");
    world.write("o/.git/config", "x");
    let before = names(&world);
    remove_sources(&world);
    let answer = rewrite(&world, &["--dry-run"]).exits_with(0);
    assert_eq!(
        answer.stdout,
        "o/kept/c.html\no/old/b.css\no/old/deep/a.html\n"
    );
    assert_eq!(names(&world), before);
    let answer = rewrite(&world, &[]).exits_with(0);
    answer.stderr_contains("documents: 1, changed: 1; deleted: 3");
    assert_eq!(
        names(&world),
        [
            ".absolve-output",
            ".git/",
            ".git/config",
            "CNAME",
            "index.html",
            "kept/",
            "old/",
            "old/by-hand.txt"
        ]
    );
    assert_eq!(rewrite(&world, &["--dry-run"]).printed(), "");
    // The list is not part of the site if the output is an input.
    let arguments = ["rewrite", "o", "--url", "https://h.example/", "-o", "p"];
    world.run(&arguments).exits_with(0);
    assert!(!world.path("p/.absolve-output").exists());
}

#[test]
fn the_first_run_and_runs_without_the_option_delete_nothing() {
    let world = site();
    let without = ["rewrite", "w", "--url", "https://h.example/", "-o", "o"];
    world.run(&without).exits_with(0);
    remove_sources(&world);
    rewrite(&world, &[]).exits_with(0);
    assert!(world.path("o/old/b.css").exists());
    world.run(&without).exits_with(0);
    rewrite(&world, &[]).exits_with(0);
    assert!(world.path("o/old/b.css").exists());
}

#[test]
fn an_error_keeps_all_files() {
    let world = site();
    rewrite(&world, &[]).exits_with(0);
    remove_sources(&world);
    symlink("/etc", world.path("w/outside")).expect("a link");
    rewrite(&world, &[])
        .exits_with(2)
        .stderr_contains("no files deleted");
    assert!(world.path("o/old/b.css").exists());
    // The list still has them.
    fs::remove_file(world.path("w/outside")).expect("removed");
    rewrite(&world, &[])
        .exits_with(0)
        .stderr_contains("deleted: 3");
}

#[test]
fn nothing_outside_the_directory_is_deleted() {
    let world = site();
    rewrite(&world, &[]).exits_with(0);
    world.write("precious/b.css", "x");
    world.write("above.txt", "x");
    let absolute = world.path("above.txt");
    let list = format!(
        "../above.txt\0{}\0old/../../above.txt\0old/b.css\0\0.\0",
        absolute.display()
    );
    world.write("o/.absolve-output", &list);
    remove_sources(&world);
    // A directory of the list is a link now.
    fs::remove_dir_all(world.path("o/old")).expect("removed");
    symlink("../precious", world.path("o/old")).expect("a link");
    rewrite(&world, &[]).exits_with(0);
    assert_eq!(world.read("precious/b.css"), "x");
    assert_eq!(world.read("above.txt"), "x");
    assert!(world.path("o/index.html").exists());
}

#[test]
fn a_list_needs_an_output_directory() {
    let world = site();
    for arguments in [
        &["rewrite", "w/index.html", "--delete"][..],
        &["rewrite", "w/index.html", "-o", "x.html", "--delete"],
        &["rewrite", "w", "-i", "--delete"],
        &["rewrite", "w", "-o", "o", "--dry-run"],
    ] {
        world.run(arguments).exits_with(2);
    }
    assert!(!world.path("x.html").exists());
    assert!(!world.path("o").exists());
}

/// Anything may have the name of a list or of rules: a pipe would wait, a device may have no end, and a link leads to a
/// file of somebody else.
#[test]
#[cfg(unix)]
fn lists_and_rules_are_regular_files() {
    let world = World::new(&[("in/a.html", "<a href=b>"), ("mine", "precious")]);
    let make_pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo")
            .arg(world.path(name))
            .status();
        made.is_ok_and(|status| status.success())
    };
    if !make_pipe("in/.htaccess") {
        support::missing("mkfifo, to make a pipe");
        return;
    }
    let link = |to: &str, name: &str| symlink(to, world.path(name)).expect("a link");
    link("/dev/zero", "in/_redirects");
    world
        .run(&["check", "in"])
        .exits_with(2)
        .stderr_contains("1 finding");
    fs::remove_file(world.path("in/.htaccess")).expect("a pipe");
    fs::remove_file(world.path("in/_redirects")).expect("a link");
    world.write("m/h.example/a.html", "<a href=b>");
    for is_pipe in [true, false] {
        if is_pipe {
            assert!(make_pipe("m/wget-log"));
        } else {
            link("/dev/zero", "m/wget-log");
        }
        world
            .run(&["mirror", "m", "-o", "on-disk"])
            .stderr_contains("m/wget-log");
        assert!(world.path("on-disk/h.example/a.html").exists());
        fs::remove_file(world.path("m/wget-log")).expect("a pipe or a link");
    }
    let rewrite = [
        "rewrite",
        "in",
        "-o",
        "out",
        "--delete",
        "--url",
        "http://h/",
    ];
    world.run(&rewrite).exits_with(0);
    let list = "out/.absolve-output";
    for is_pipe in [true, false] {
        fs::remove_file(world.path(list)).expect("a list");
        if is_pipe {
            assert!(make_pipe(list));
        } else {
            link("../mine", list);
        }
        world
            .run(&rewrite)
            .exits_with(2)
            .stderr_contains("not a regular file");
        assert_eq!(world.read("mine"), "precious");
    }
}
