//! No data loss: reports and outputs never overwrite files of the run, and special files are not replaced.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::world::{Answer, World};

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

/// A file that the run opens must not get the number of a closed stream, and with it what is written there.
#[test]
fn closed_standard_streams_lead_into_no_file() {
    let run = |arguments: &str| {
        // It has a warning, and the text of the document.
        let world = World::new(&[("a.html", "<a href=g><a href='http://['>")]);
        let script = format!("\"$0\" rewrite a.html --url {URL} --report r {arguments}");
        let answer = Command::new("sh")
            .args(["-c", &script])
            .arg(support::world::binary())
            .current_dir(world.root())
            .output();
        (Answer::new(answer.expect("a shell")).code, world.tree(""))
    };
    for output in ["", "-o o.html"] {
        // The text is lost without `-o`, with the status of success.
        let expected = run(output);
        assert_eq!(expected.0, Some(0));
        for closed in [">&-", "2>&-", "<&- >&- 2>&-"] {
            assert_eq!(
                run(&format!("{output} {closed}")),
                expected,
                "{output} {closed}"
            );
        }
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

/// The text of the files outside, which no run may read or write.
const SECRET: &str = "<a href=secret>";

/// Runs the command with `arguments` while another thread swaps the files or directories with `names` for what `evil`
/// makes at the name with the suffix `.evil`, again and again. Returns the number of runs that failed, as those do that
/// notice.
fn race(arguments: &[&str], names: &[&str], evil: impl Fn(&World, &str)) -> usize {
    let mut noticed = 0;
    for run in 0..support::cases(12) {
        let world = World::new(&[]);
        for directory in ["w/d", "outside", "out/d"] {
            fs::create_dir_all(world.path(directory)).expect("a directory");
        }
        for file in 0..60 {
            world.write(&format!("w/d/{file}.html"), DOCUMENT);
            world.write(&format!("w/d/{file}.png"), "an image");
            for extension in ["html", "png"] {
                world.write(&format!("outside/{file}.{extension}"), SECRET);
            }
        }
        for name in names {
            evil(&world, name);
        }
        let outside = world.tree("outside");
        let is_over = AtomicBool::new(false);
        let exited = thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    for name in names {
                        let [path, evil, away] =
                            ["", ".evil", ".away"].map(|end| world.path(&format!("{name}{end}")));
                        // The run may have put something in the place of the name.
                        for (from, to) in [
                            (&path, &away),
                            (&evil, &path),
                            (&path, &evil),
                            (&away, &path),
                        ] {
                            let _ = fs::rename(from, to);
                        }
                    }
                }
            });
            let mut child = world.start(arguments);
            let start = Instant::now();
            let status = loop {
                match child.try_wait().expect("a status") {
                    None if start.elapsed() > Duration::from_secs(20) => {
                        child.kill().expect("a kill");
                        break None;
                    }
                    None => thread::sleep(Duration::from_millis(1)),
                    status => break status,
                }
            };
            is_over.store(true, Ordering::Relaxed);
            status
        });
        let status = exited.unwrap_or_else(|| panic!("run {run} hangs"));
        noticed += usize::from(!status.success());
        for name in names {
            // A pipe cannot be listed.
            fs::remove_file(world.path(&format!("{name}.evil"))).expect("swapped back");
        }
        assert_eq!(world.tree("outside"), outside, "run {run}: a file outside");
        for directory in ["w", "out"] {
            for (name, content) in world.tree(directory) {
                assert!(!content.contains("secret"), "run {run}: {directory}/{name}");
            }
        }
    }
    noticed
}

#[test]
fn races_with_symlinks_and_pipes_never_lead_outside() {
    let link_to_directory = |world: &World, name: &str| {
        let depth = name.matches('/').count();
        let text = format!("{}outside", "../".repeat(depth));
        symlink(text, world.path(&format!("{name}.evil"))).expect("a link");
    };
    let link_to_file = |world: &World, name: &str| {
        let (_, file) = name.rsplit_once('/').expect("a directory");
        let text = format!("../../outside/{file}");
        symlink(text, world.path(&format!("{name}.evil"))).expect("a link");
    };
    let pipe = |world: &World, name: &str| {
        let path = world.path(&format!("{name}.evil"));
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo runs").success());
    };
    let files = ["w/d/30.html", "w/d/30.png", "w/d/50.html", "w/d/50.png"];
    let in_place = ["rewrite", "-i", "w", "--url", URL];
    let copy = ["rewrite", "w", "-o", "out", "--url", URL];
    let link = [
        "rewrite", "w", "-o", "out", "--url", URL, "--others", "link",
    ];
    let mirror = ["mirror", "w", "-o", "out", "--url", URL];
    let mut noticed = 0;
    for arguments in [&in_place[..], &copy, &link, &mirror] {
        noticed += race(arguments, &["w/d"], link_to_directory);
        noticed += race(arguments, &files, link_to_file);
        noticed += race(arguments, &files, pipe);
    }
    for arguments in [&copy[..], &link, &mirror] {
        noticed += race(arguments, &["out/d"], link_to_directory);
    }
    noticed += race(&["check", "w", "--url", URL], &files, pipe);
    assert!(noticed > 0, "no race was noticed");
}
