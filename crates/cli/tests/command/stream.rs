//! `absolve rewrite` of standard input as a stream: output and messages are those of a file, errors are reported.

use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use support::world;
use support::world::{Answer, World};

const HEAD: &str = "<!DOCTYPE html><meta charset=utf-8><title>t</title><p>";

/// Returns a document that is longer than one chunk, with no more links than a document may have.
fn long() -> String {
    "<a href=g>some text, and more of it</a><a href=''>an empty one</a>\n".repeat(30_000)
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

/// A file that is found to be unread after part of it was rewritten is copied, like one that is rewritten in memory.
#[test]
fn rewrite_of_a_large_file_beyond_a_limit_copies_it() {
    let list = format!("<a ping='{}'>", "b ".repeat(800_000));
    let document = format!(
        "{HEAD}{}{list}",
        "<p>some text</p><a href=g>a</a>\n".repeat(100_000)
    );
    let world = World::new(&[("in/a.html", &document), ("in/b.html", "<a href=b>")]);
    let message =
        "in/a.html: left unchanged: too many links in one value for the length of the document";
    let url = ["--url", "http://h/"];
    for output in [&["-o", "out"][..], &["-i"]] {
        let answer = world.run(&[&["rewrite", "in"], output, &url].concat());
        answer.exits_with(2).stderr_contains(message);
        let directory = if output.len() == 2 { "out" } else { "in" };
        assert!(world.read(&format!("{directory}/a.html")) == document);
        let other = world.read(&format!("{directory}/b.html"));
        assert_eq!(other, "<a href=http://h/b>");
    }
    let check = world.run(&[&["rewrite", "in", "--check"], &url[..]].concat());
    check.exits_with(2).stderr_contains(message);
}

/// With `--report`, the whole document is in memory.
#[test]
fn rewrite_of_a_large_file_matches_rewrite_in_memory() {
    // More than 4 MiB, from which on files are streamed.
    let long = long().repeat(3);
    let documents = [
        format!("{HEAD}{long}"),
        format!("<title>t</title><p>{long}\u{e9}<a href='?\u{e9}'>"),
        format!("<title>t</title><p>{long}<meta charset=koi8-r><a href='?\u{e9}'>"),
        format!("<title>t</title><p>{long}<base href=x/><a href=g>"),
        "<title>t</title><p>nothing".to_owned() + &" to change".repeat(500_000),
    ];
    for (number, document) in support::sample(documents.iter().enumerate().collect()) {
        let world = World::new(&[("in/a.html", document)]);
        let url = ["--url", "http://h/a/"];
        // Without its last byte, the text is not UTF-8.
        let lasts = [(false, ""), (true, "\u{e9}")];
        for (latin1, last) in lasts.into_iter().take(if number == 1 { 2 } else { 1 }) {
            let bytes = [document.as_bytes(), last.as_bytes()].concat();
            let bytes = if latin1 {
                &bytes[..bytes.len() - 1]
            } else {
                &bytes
            };
            std::fs::write(world.path("in/a.html"), bytes).expect("a file");
            let run = |arguments: &[&str]| world.run(&[&["rewrite"], arguments, &url].concat());
            run(&["in", "-o", "streamed"]).messages(0);
            run(&["in", "-o", "memory", "--report", "r"]).messages(0);
            let read = |name: &str| std::fs::read(world.path(name)).expect("a file");
            assert!(
                read("streamed/a.html") == read("memory/a.html"),
                "{number} {latin1}"
            );
            let is_changed = read("memory/a.html") != bytes;
            let check = run(&["in", "--check"]);
            assert_eq!(check.code, Some(i32::from(is_changed)), "{check:?}");
            assert_eq!(check.stdout, if is_changed { "in/a.html\n" } else { "" });
            run(&["in", "-i", "--backup", ".orig"]).messages(0);
            assert!(
                read("in/a.html") == read("memory/a.html"),
                "{number} {latin1}"
            );
            assert_eq!(world.path("in/a.html.orig").exists(), is_changed);
            let _ = std::fs::remove_file(world.path("in/a.html.orig"));
        }
    }
}

/// At a terminal, a read after the end of the input waits for more.
#[test]
#[cfg(unix)]
fn standard_input_at_a_terminal_ends_once() {
    let world = World::new(&[]);
    for options in ["", "--input-format html", "--emit tree"] {
        let command = format!(
            "{} rewrite --url http://h/ {options}",
            world::binary().display()
        );
        let child = std::process::Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .current_dir(world.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            support::missing("the command script, to have a terminal");
            return;
        };
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"<a href=g>\n").expect("read");
        let mut output = child.stdout.take().expect("a pipe");
        let mut shown = Vec::new();
        let mut buffer = [0; 256];
        while !String::from_utf8_lossy(&shown).contains("http://h/g") {
            // Ctrl-D, once the line has been echoed.
            if String::from_utf8_lossy(&shown).contains("<a href=g>") && !shown.contains(&4) {
                stdin.write_all(b"\x04").expect("read");
                shown.push(4);
            }
            let read = output.read(&mut buffer).expect("output");
            assert!(read > 0, "{:?}", String::from_utf8_lossy(&shown));
            shown.extend(&buffer[..read]);
        }
        assert!(child.wait().expect("an end").success());
        let shown = String::from_utf8_lossy(&shown);
        assert!(
            shown.contains("absolve: reading a document from the terminal; Ctrl-D ends it"),
            "{shown:?}"
        );
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
        (
            format!("{HEAD}{}<!--{}-->", long(), "a b ".repeat(1 << 20)),
            Some("4 MiB of it, with a long tag, comment, or text of an element"),
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

/// Many pages begin with an XML declaration and are no XML. Where nothing else tells, they are read as browsers read
/// them.
#[test]
fn ill_formed_xhtml_on_standard_input_is_read_as_html() {
    let world = World::new(&[]);
    let head = "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><p>a<br>";
    let page = format!("{head}<a href=b>");
    let answer = world.run_with(&["rewrite", "--url", "http://h/", "-v"], &page);
    let answer = answer.exits_with(0);
    assert_eq!(answer.stdout, format!("{head}<a href=http://h/b>"));
    answer.stderr_contains("standard input: read as HTML, since it is no well-formed XML");
    // A format that is named is not guessed.
    let answer = world.run_with(
        &["rewrite", "--url", "http://h/", "--input-format", "xml"],
        &page,
    );
    assert_eq!(answer.stdout, page);
    answer.stderr_contains("left unchanged: ill-formed XML");
    let well_formed = format!(
        "{}<br/><a href=\"b\"/></p></html>",
        head.replace("<br>", "")
    );
    let answer = world.run_with(&["rewrite", "--url", "http://h/", "-v"], &well_formed);
    let answer = answer.exits_with(0);
    assert!(
        answer.stdout.contains("<a href=\"http://h/b\"/>"),
        "{answer:?}"
    );
    assert!(!answer.stderr.contains("read as HTML"), "{answer:?}");
}
