//! No data loss: reports and outputs never overwrite files of the run, and special files are not replaced.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;
use std::thread;

use support::world::World;

const URL: &str = "https://h.example/";
const DOCUMENT: &str = "<a href=g>";
const REWRITTEN: &str = "<a href=https://h.example/g>";

fn world() -> World {
    let world = World::new(&[
        ("a.html", DOCUMENT),
        ("site/b.html", DOCUMENT),
        ("site/i.png", "an image"),
    ]);
    symlink("a.html", world.path("link.html")).expect("a link");
    world
}

#[test]
fn report_is_refused_where_the_run_writes() {
    for arguments in [
        &["rewrite", "a.html", "--report", "a.html"][..],
        &["rewrite", "a.html", "-o", "o.html", "--report", "./a.html"],
        &["rewrite", "a.html", "-o", "o.html", "--report", "o.html"],
        &["rewrite", "a.html", "-o", "o.html", "--report", "link.html"],
        &["rewrite", "link.html", "-i", "--report", "a.html"],
        &[
            "rewrite",
            "a.html",
            "-i",
            "--backup",
            ".orig",
            "--report",
            "a.html.orig",
        ],
        &["rewrite", "a.html", "--check", "--report", "a.html"],
        &["rewrite", "site", "-i", "--report", "site/b.html"],
        &["rewrite", "site", "-o", "out", "--report", "site/i.png"],
        &["rewrite", "site", "-o", "out", "--report", "out/b.html"],
        &[
            "rewrite",
            "site",
            "-o",
            "out",
            "--report",
            "out/../out/i.png",
        ],
    ] {
        let world = world();
        let before = world.tree("");
        let arguments = [arguments, &["--url", URL]].concat();
        world
            .run(&arguments)
            .exits_with(2)
            .stderr_contains("file is an input or output of this run\n  hint: use another file");
        assert_eq!(world.tree(""), before, "{arguments:?}");
    }
}

#[test]
fn report_follows_symlinks() {
    let world = world();
    symlink("rows", world.path("report")).expect("a link");
    world.write("rows", "old");
    let arguments = ["rewrite", "a.html", "-o", "o.html", "--url", URL];
    world
        .run(&[&arguments[..], &["--report", "report"]].concat())
        .exits_with(0);
    assert!(world.path("report").is_symlink());
    assert_eq!(world.read("rows").lines().count(), 2);
}

#[test]
fn output_to_a_pipe_does_not_replace_it() {
    for report in [true, false] {
        let world = world();
        let pipe = world.path("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                let read = File::open(pipe).and_then(|mut pipe| pipe.read_to_string(&mut text));
                read.map(|_| text)
            }
        });
        let arguments: &[&str] = if report {
            &[
                "rewrite", "a.html", "--url", URL, "-o", "o.html", "--report", "pipe",
            ]
        } else {
            &["rewrite", "a.html", "--url", URL, "-o", "pipe"]
        };
        world.run(arguments).exits_with(0);
        assert!(
            fs::metadata(&pipe)
                .expect("it is there")
                .file_type()
                .is_fifo()
        );
        // If the pipe had been replaced by a file, the reader would wait forever.
        let text = reader.join().expect("it ends").expect("text");
        if report {
            assert_eq!(text.lines().count(), 2, "{text}");
        } else {
            assert_eq!(text, REWRITTEN);
        }
    }
}

#[test]
fn output_to_dev_stdout_is_not_replaced() {
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let world = world();
        let mut log = File::create(world.path("log")).expect("a file");
        log.write_all(b"before ").expect("written");
        let mut command = world.command(&["rewrite", "a.html", "--url", URL, "-o", name]);
        let status = command.stdout(log.try_clone().expect("a copy")).status();
        assert!(status.expect("it runs").success());
        log.write_all(b" after").expect("written");
        assert_eq!(
            world.read("log"),
            format!("before {REWRITTEN} after"),
            "{name}"
        );
        world
            .run(&[
                "rewrite",
                "a.html",
                "site/b.html",
                "--root",
                ".",
                "--url",
                URL,
                "-o",
                name,
            ])
            .exits_with(2)
            .stderr_contains(
                "2 documents cannot be written to standard output\n  hint: use --output DIR",
            );
        assert_eq!(world.tree("").len(), 6, "something was made for {name}");
        let arguments = [
            "rewrite",
            "--root",
            "site",
            "site/b.html",
            "--url",
            URL,
            "-o",
            name,
        ];
        assert_eq!(world.run(&arguments).exits_with(0).stdout, REWRITTEN);
    }
}

#[test]
fn report_to_a_closed_pipe_does_not_stop_the_run() {
    let world = World::new(&[]);
    for number in 0..500 {
        world.write(&format!("w/{number}.html"), DOCUMENT);
    }
    let mut child = world.start(&["rewrite", "-i", "w", "--url", URL, "--report", "-"]);
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    let tree = world.tree("w");
    assert!(tree.values().all(|content| content == REWRITTEN));
}
