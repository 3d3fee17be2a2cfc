//! What a run would write over that nobody asked it to write over: refused, or written to and not replaced.
#![cfg(unix)]

mod support;
#[path = "support/world.rs"]
mod world;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;
use std::thread;

use world::World;

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
fn a_report_takes_no_place_that_the_run_needs() {
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
            .ends(2)
            .says("this run reads or writes that file itself; name another file");
        assert_eq!(world.tree(""), before, "{arguments:?}");
    }
}

#[test]
fn a_report_follows_a_link_as_an_output_does() {
    let world = world();
    symlink("rows", world.path("report")).expect("a link");
    world.write("rows", "old");
    let arguments = ["rewrite", "a.html", "-o", "o.html", "--url", URL];
    world
        .run(&[&arguments[..], &["--report", "report"]].concat())
        .ends(0);
    assert!(world.path("report").is_symlink());
    assert_eq!(world.read("rows").lines().count(), 2);
}

#[test]
fn a_pipe_is_written_to_and_stays() {
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
        world.run(arguments).ends(0);
        assert!(
            fs::metadata(&pipe)
                .expect("it is there")
                .file_type()
                .is_fifo()
        );
        // A pipe that nobody wrote to would be waited for.
        let text = reader.join().expect("it ends").expect("text");
        if report {
            assert_eq!(text.lines().count(), 2, "{text}");
        } else {
            assert_eq!(text, REWRITTEN);
        }
    }
}

#[test]
fn standard_output_by_another_name_is_no_file_to_be_replaced() {
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
            .run(&["rewrite", "a.html", "site/b.html", "--url", URL, "-o", name])
            .ends(2)
            .says("2 documents and one standard output; name a directory");
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
        assert_eq!(world.run(&arguments).ends(0).stdout, REWRITTEN);
    }
}

#[test]
fn a_run_that_writes_files_goes_on_when_nobody_reads_its_report() {
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
