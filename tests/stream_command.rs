//! `absolve rewrite` of standard input as a stream: output and messages are those of a file, errors are reported.

#[path = "support/world.rs"]
mod world;

use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use world::{Answer, World};

const HEAD: &str = "<!DOCTYPE html><meta charset=utf-8><title>t</title><p>";

/// Returns a document that is longer than one chunk.
fn long() -> String {
    "<a href=g>some text</a><a href=''>e</a>\n".repeat(30_000)
}

#[test]
fn rewrite_of_a_pipe_matches_rewrite_of_a_file() {
    let long = long();
    let documents = [
        format!("{HEAD}{long}"),
        format!("{HEAD}{long}<base href=x/><a href=g>"),
        format!("<p>{long}"),
        format!("{HEAD}{long}<p>\u{e9}<a href='?\u{e9}'>").replace("utf-8", "koi8-r"),
        String::new(),
    ];
    for document in &documents {
        let world = World::new(&[("file", document)]);
        for options in [
            &["--url", "http://h/a/b", "--input-format", "html"][..],
            &["--strict"],
        ] {
            let from_file = [&["rewrite", "file", "-o", "from-file"], options].concat();
            let from_file = world.run(&from_file);
            let expected = world.read("from-file");
            let piped = world.run_with(&[&["rewrite"], options].concat(), document);
            assert!(piped.stdout == expected, "other bytes");
            assert_eq!(piped.code, from_file.code);
            let expected_stderr = from_file.stderr.replace("file:", "standard input:");
            assert_eq!(piped.stderr, expected_stderr);
            let to_file = [&["rewrite", "-", "-o", "from-pipe"], options].concat();
            let to_file = world.run_with(&to_file, document);
            assert_eq!(to_file.code, from_file.code);
            assert!(world.read("from-pipe") == expected, "other bytes");
        }
    }
}

#[test]
fn rewrite_verbose_reports_why_a_document_was_buffered() {
    let world = World::new(&[]);
    for (document, expected) in [
        (format!("{HEAD}{}", long()), None),
        (
            format!("<p>{}", long()),
            Some("the first 1024 bytes declare no encoding, or one that cannot be streamed"),
        ),
        (
            format!("{HEAD}{}<base href=x>", long()),
            Some("BASE after HEAD"),
        ),
    ] {
        let output = world.run_with(&["rewrite", "-v", "--url", "http://h/"], &document);
        let messages = output.stderr;
        let line = expected.map(|reason| format!("standard input: buffered in memory: {reason}\n"));
        match line {
            Some(line) => assert!(messages.contains(&line), "{messages}"),
            None => assert!(!messages.contains("buffered"), "{messages}"),
        }
    }
}

#[test]
fn rewrite_buffers_if_the_spool_cannot_be_created() {
    let world = World::new(&[]);
    let document = format!("{HEAD}{}", long());
    let mut command = world.command(&["rewrite", "--url", "http://h/"]);
    command.env("TMPDIR", world.path("nowhere"));
    let output = world::feed(&mut command, &document).expect("it runs");
    let expected = document
        .replace("href=g", "href=http://h/g")
        .replace("href=''", "href='http://h/'");
    assert!(output.printed() == expected, "other bytes");
    if cfg!(unix) {
        let messages = output.stderr;
        assert!(
            messages.contains("set TMPDIR to a writable directory"),
            "{messages}"
        );
    }
}

#[test]
fn rewrite_exits_quietly_on_a_closed_pipe() {
    let world = World::new(&[]);
    let mut command = world.command(&["rewrite", "--url", "http://h/"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        let long = long();
        let _ = stdin.write_all(HEAD.as_bytes());
        // The command reads until its output is closed.
        while stdin.write_all(long.as_bytes()).is_ok() {}
    });
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut beginning = [0; 100];
    stdout.read_exact(&mut beginning).expect("some of it");
    drop(stdout);
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("no panic");
    assert_eq!(Answer::new(output).messages(0), "");
}
