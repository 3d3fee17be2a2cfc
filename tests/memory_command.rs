//! A document of any length is rewritten from a pipe in bounded memory, with the output of one in memory.

#[path = "support/process.rs"]
mod process;
mod support;

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// Length of the input in bytes: a gibibyte, or less for a slow debug build.
const LENGTH: usize = if cfg!(debug_assertions) {
    256 << 20
} else {
    1 << 30
};

const HEAD: &[u8] =
    b"<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title></head><body>\n";
const PAGE: &[u8] = "<h2 id=a>Some text, \u{e9}\u{65e5}</h2><p>and a <a href=../link?a=b>link</a>, an image <img src='i.png' alt=\"\">\n\
    <script>if (a < b) { document.write('<a href=x>') }</script><table><tr><td>1<td>2</table><!-- a comment -->\n".as_bytes();
const PAGE_REWRITTEN: &[u8] = "<h2 id=a>Some text, \u{e9}\u{65e5}</h2><p>and a <a href=http://h/link?a=b>link</a>, an image <img src='http://h/d/i.png' alt=\"\">\n\
    <script>if (a < b) { document.write('<a href=x>') }</script><table><tr><td>1<td>2</table><!-- a comment -->\n".as_bytes();

/// Asserts that the output is the head and any number of rewritten pages, and returns its length.
fn read_pages(mut output: impl Read) -> io::Result<usize> {
    let mut head = vec![0; HEAD.len()];
    output.read_exact(&mut head)?;
    assert_eq!(head, HEAD);
    let expected = PAGE_REWRITTEN.repeat(64);
    let (mut buffer, mut pos, mut length) = (vec![0; 1 << 16], 0, head.len());
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            assert_eq!(pos % PAGE_REWRITTEN.len(), 0, "cut off");
            return Ok(length);
        }
        length += read;
        let mut rest = &buffer[..read];
        while !rest.is_empty() {
            let count = rest.len().min(expected.len() - pos);
            let (part, tail) = rest.split_at(count);
            assert!(part == &expected[pos..pos + count], "within {length} bytes");
            pos = (pos + count) % expected.len();
            rest = tail;
        }
    }
}

#[test]
fn memory_of_a_gigabyte_pipe_is_below_64_mebibytes() {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(["rewrite", "--url", "http://h/d/e"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command");
    let mut input = command.stdin.take().expect("a pipe");
    let output = command.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || read_pages(output));
    let pages = PAGE.repeat(1 << 12);
    let mut sent = HEAD.len();
    input.write_all(HEAD).expect("read");
    while sent < LENGTH {
        input.write_all(&pages).expect("read");
        sent += pages.len();
    }
    // The command is still running here: it waits for more input.
    let peak = process::peak_memory(command.id());
    drop(input);
    let written = reader.join().expect("no panic").expect("written");
    assert!(command.wait().expect("an end").success());
    let pages = (sent - HEAD.len()) / PAGE.len();
    assert_eq!(written, HEAD.len() + pages * PAGE_REWRITTEN.len());
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let rate = sent as f64 / 1e6 / started.elapsed().as_secs_f64();
    support::print_line(&format!(
        "memory: {} MiB through a pipe at {rate:.0} MB/s, {peak:?} MiB at most",
        sent >> 20
    ));
    match peak {
        Some(peak) => assert!(peak < 64, "{peak} MiB"),
        None => support::missing("memory is read from /proc, which is not here"),
    }
}
